"""``@task.storyboard``: a function returns the storyboard, and the task submits it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.providers.common.compat.sdk import DecoratedOperator, task_decorator_factory

from ..hooks.airflow.failure_xcom import telling_failures
from .base.called_function import BaseCalledFunctionOperator
from .storyboard import CreateStoryboardOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, TaskDecorator


class _StoryboardDecoratedOperator(BaseCalledFunctionOperator, CreateStoryboardOperator):
    """Calls a function and submits the storyboard that it returns, which Jinja does not render."""

    template_fields: Sequence[str] = (
        *DecoratedOperator.template_fields,
        *(name for name in CreateStoryboardOperator.template_fields if name != "storyboard"),
    )
    template_fields_renderers: ClassVar[dict[str, str]] = dict(DecoratedOperator.template_fields_renderers)
    custom_operator_name = "@task.storyboard"

    def __init__(
        self,
        *,
        python_callable: Callable[..., Any],
        op_args: Collection[Any] | None = None,
        op_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            python_callable=python_callable, op_args=op_args, op_kwargs=op_kwargs, storyboard="", **kwargs
        )

    @telling_failures
    def execute(self, context: Context) -> Any:
        """Call the function and submit what it returns."""
        made = self.called(context)
        self.storyboard = made.to_dict() if hasattr(made, "to_dict") else made
        return self.submit(context)


def storyboard_task(python_callable: Callable[..., Any] | None = None, **kwargs: Any) -> TaskDecorator:
    """``@task.storyboard``: submit the storyboard that a function returns (source: ours).

    The task is a ``CreateStoryboardOperator`` in every other way, and takes its arguments: ``@task.storyboard(
    wait_for_completion=True, deferrable=True)``. The function returns a model, a dict with wire names, or a JSON or
    YAML text; what it returns is data, in which Jinja renders nothing. A retry calls it again, and resumes the job that
    an earlier try submitted.

    :param python_callable: the function.
    :param kwargs: the operator's arguments.
    :return: the task, whose output is that of ``CreateStoryboardOperator``.
    """
    return task_decorator_factory(
        python_callable=python_callable,
        # Airflow would guess it from a function that is annotated as returning a dict; the task returns a job.
        multiple_outputs=False,
        decorated_operator_class=_StoryboardDecoratedOperator,
        **kwargs,
    )
