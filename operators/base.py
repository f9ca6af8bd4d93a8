"""What every operator of the service has: a connection, a user id, a hook, and perhaps a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.providers.common.compat.sdk import BaseOperator

from ..provider.info import DEFAULT_CONNECTION_ID
from ..provider.protocol.errors import ConfigurationError, VideoCreationError
from .failure_xcom import telling_failures

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ..hooks.video_creation import VideoCreationHook
    from ..provider.models.request_model import RequestModel


class BaseVideoCreationOperator(BaseOperator):
    """The base of the operators that call the service.

    However a subclass fails, in ``execute`` or after a deferral, is in the XCom ``failure`` of its task.

    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    """

    template_fields: Sequence[str] = ("video_creation_conn_id", "user_id")
    ui_color = "#e8e3f6"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in {"execute", "resume_execution"} & vars(cls).keys():
            setattr(cls, name, telling_failures(vars(cls)[name]))

    def __init__(
        self,
        *,
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id

    @cached_property
    def hook(self) -> VideoCreationHook:
        """The hook of this task's connection."""
        from ..hooks.video_creation import VideoCreationHook

        return VideoCreationHook(self.video_creation_conn_id, self.user_id)

    @telling_failures
    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        """Go on after the deferral."""
        return super().resume_execution(next_method, next_kwargs, context)


class BaseRequestOperator(BaseVideoCreationOperator):
    """The base of the operators whose argument is a request: a model, a dict, a text, a file, another task's result.

    Subclasses name the argument in ``request_field`` and its class in ``request_model``.
    """

    request_field: ClassVar[str]
    request_model: ClassVar[str]

    @property
    def video_name(self) -> str | None:
        """The video's name, where the request has one that can be read; for messages."""
        request = getattr(self, self.request_field, None)
        if isinstance(request, str):
            from ..provider.models.request_text import parse_request_text

            try:
                request = parse_request_text(request, self.request_field)
            except VideoCreationError:
                return None
        name = request.get("videoName", request.get("video_name")) if isinstance(request, Mapping) else None
        return name if isinstance(name, str) else None

    def take_request(self, request: Any) -> Any:
        """A request as Jinja can render it, checked at once where it holds no template.

        A model becomes the dict that it can be read from again. Everything else is returned as it is: Airflow knows
        by its identity what another task has returned, and does not render that.

        :param request: as given to the operator.
        :raises InvalidRequestError: names every problem with its path, value and what is allowed.
        """
        if hasattr(request, "to_dict"):
            return request.to_dict()
        if isinstance(request, Mapping) and _is_static(request):
            from ..hooks.airflow_errors import airflow_errors
            from ..provider import models

            kind: type[RequestModel] = getattr(models, self.request_model)
            with airflow_errors():
                kind.read(request)
        return request

    def resolve_template_files(self) -> None:
        """Read a request given as the name of a JSON or YAML file, where Airflow looks for template files.

        ``template_ext`` would do it for every text within the request too: a scene whose text ends in ``.json``
        would be taken for a file.

        :raises ConfigurationError: there is no such file.
        """
        super().resolve_template_files()
        name = getattr(self, self.request_field, None)
        if not isinstance(name, str) or "\n" in name:
            return
        from ..provider.models.request_text import FILE_ENDINGS

        if not name.endswith(FILE_ENDINGS):
            return
        from jinja2 import TemplateNotFound

        environment = self.get_template_env()
        try:
            assert environment.loader is not None
            text = environment.loader.get_source(environment, name)[0]
        except TemplateNotFound:
            raise ConfigurationError(
                f"{self.request_field}= of task {self.task_id!r} names the file {name!r}, which is not there: it is "
                "looked for beside the DAG file and in the DAG's template_searchpath."
            ) from None
        setattr(self, self.request_field, text)


def _is_static(value: Any) -> bool:
    if isinstance(value, str):
        return not any(mark in value for mark in ("{{", "{%", "{#"))
    if isinstance(value, Mapping):
        return all(_is_static(item) for item in value.values())
    if isinstance(value, list | tuple):
        return all(_is_static(item) for item in value)
    return value is None or isinstance(value, bool | int | float)
