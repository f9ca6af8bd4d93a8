"""The base of all operators of the service: a connection, a user id, a hook."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...hooks.airflow.mapped_data import MappedDataMixin
from ...provider.info import DEFAULT_CONNECTION_ID

if TYPE_CHECKING:
    from ...hooks.video_creation import VideoCreationHook


class BaseVideoCreationOperator(MappedDataMixin):
    """The base of the operators that call the service.

    A subclass puts ``telling_failures`` on what Airflow calls, ``execute`` and ``resume_execution``.

    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    """

    template_fields: Sequence[str] = ("video_creation_conn_id", "user_id")
    ui_color = "#e8e3f6"
    video_name: str | None = None
    """The video's name, where the task knows it: for messages, for what the task reports about its job and its failure,
    and as ``task.video_name`` in a ``map_index_template``."""

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

    def require_rendered(self, given: Any, subject: str) -> None:
        """Refuse an empty request from a template or the task before, and say where to look.

        :param given: the rendered request.
        :param subject: what it is, for the message, such as ``storyboard``.
        :raises InvalidRequestError: it is empty.
        """
        from ...provider.errors import InvalidRequestError, Problem
        from ...provider.rendered_text import is_nothing, nothing_given

        if is_nothing(given):
            raise InvalidRequestError(
                subject, [Problem("", "", nothing_given(given, self.upstream_task_ids))]
            )

    @cached_property
    def hook(self) -> VideoCreationHook:
        """The hook of this task's connection."""
        from ...hooks.video_creation import VideoCreationHook

        return VideoCreationHook(self.video_creation_conn_id, self.user_id)
