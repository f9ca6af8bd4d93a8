"""What every operator of the service has: a connection, a user id, a hook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import BaseOperator

from ..provider.info import DEFAULT_CONNECTION_ID

if TYPE_CHECKING:
    from ..hooks.video_creation import VideoCreationHook
    from ..provider.models.request_model import RequestModel


class BaseVideoCreationOperator(BaseOperator):
    """The base of the operators that call the service.

    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    """

    template_fields: Sequence[str] = ("video_creation_conn_id", "user_id")
    ui_color = "#e8e3f6"

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


def renderable(request: Any) -> Any:
    """A request as Jinja can render it: a model becomes the dict that it can be read from again.

    Everything else is returned as it is: Airflow knows by its identity what another task has returned, and
    does not render that.

    :param request: a model, a dict with wire names, a template, or what another task will return.
    """
    if isinstance(request, list | tuple):
        return [renderable(item) for item in request]
    if not hasattr(request, "to_wire"):
        return request
    fields = type(request).model_fields
    given = {fields[name].alias or name: getattr(request, name) for name in request.model_fields_set}
    return {name: renderable(value) for name, value in given.items()}


def check_static(request: Any, model: str) -> None:
    """Check at once a request that holds no template, so that the author sees mistakes while writing.

    :param request: as given to an operator.
    :param model: the name of its class in ``provider.models``.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    """
    if not isinstance(request, Mapping) or not _is_static(request):
        return
    from ..hooks.airflow_errors import airflow_errors
    from ..provider import models

    kind: type[RequestModel] = getattr(models, model)
    with airflow_errors():
        kind.read(request)


def _is_static(value: Any) -> bool:
    if isinstance(value, str):
        return not any(mark in value for mark in ("{{", "{%", "{#"))
    if isinstance(value, Mapping):
        return all(_is_static(item) for item in value.values())
    if isinstance(value, list | tuple):
        return all(_is_static(item) for item in value)
    return value is None or isinstance(value, bool | int | float)
