"""``@task.storyboards``: a function returns many storyboards, and the task makes their videos."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.providers.common.compat.sdk import DecoratedOperator, task_decorator_factory

from ..hooks.airflow.failure_xcom import telling_failures
from .base.called_function import BaseCalledFunctionOperator
from .videos import CreateVideosOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, TaskDecorator

STORYBOARDS_KEY = "storyboards"
"""The XCom that holds what the function returned, for the workers that resume after a wait."""


class _StoryboardsDecoratedOperator(BaseCalledFunctionOperator, CreateVideosOperator):
    """Calls a function once a try, and makes videos of the storyboards that it returns, which Jinja does not render."""

    template_fields: Sequence[str] = (
        *DecoratedOperator.template_fields,
        *(name for name in CreateVideosOperator.template_fields if name != "storyboards"),
    )
    template_fields_renderers: ClassVar[dict[str, str]] = dict(DecoratedOperator.template_fields_renderers)
    custom_operator_name = "@task.storyboards"

    def __init__(
        self,
        *,
        python_callable: Callable[..., Any],
        op_args: Collection[Any] | None = None,
        op_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            python_callable=python_callable, op_args=op_args, op_kwargs=op_kwargs, storyboards=[], **kwargs
        )

    @telling_failures
    def execute(self, context: Context) -> Any:
        """Call the function, and make videos of what it returns."""
        made = self.called(context)
        is_list = isinstance(made, Iterable) and not isinstance(made, str | bytes | Mapping)
        # XCom cannot keep a generator, or the results of mapped tasks.
        self.storyboards = as_json(list(made) if is_list and not hasattr(made, "to_dict") else made)
        if self.deferrable and (ti := context.get("ti")):
            ti.xcom_push(key=STORYBOARDS_KEY, value=self.storyboards)
        return self.make(context)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> list[dict[str, Any]]:
        """Resume the videos whose jobs have ended."""
        ti: Any = context["ti"]
        self.storyboards = ti.xcom_pull(task_ids=ti.task_id, key=STORYBOARDS_KEY, map_indexes=ti.map_index)
        return super().execute_complete(context, event)


def as_json(made: Any) -> Any:
    """What a function returned, with models as dicts, so that XCom can keep it.

    :param made: a list of storyboards, or of pairs of one and its metadata; anything else stays as it is.
    """
    if hasattr(made, "to_dict"):
        return made.to_dict()
    if isinstance(made, Mapping):
        return {name: as_json(item) for name, item in made.items()}
    if isinstance(made, list | tuple):
        return [as_json(item) for item in made]
    return made


def storyboards_task(python_callable: Callable[..., Any] | None = None, **kwargs: Any) -> TaskDecorator:
    """``@task.storyboards``: make a video of each storyboard that a function returns (source: ours).

    The task is a ``CreateVideosOperator`` in every other way, and takes its arguments: ``@task.storyboards(
    destination="s3://conn_id@bucket/videos/")``. The function returns the list as that operator takes it; what it
    returns is data, in which Jinja renders nothing. A retry calls it again, and recognizes each video by its name.

    :param python_callable: the function.
    :param kwargs: the operator's arguments.
    :return: the task, whose output is that of ``CreateVideosOperator``.
    """
    return task_decorator_factory(
        python_callable=python_callable,
        multiple_outputs=False,
        decorated_operator_class=_StoryboardsDecoratedOperator,
        **kwargs,
    )
