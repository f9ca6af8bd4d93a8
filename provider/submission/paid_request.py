"""A request that is checked, and paid for when it is sent.

Importing this costs what the models cost; import it where a task runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ..connection.profile import ServiceProfile
from ..errors import ConfigurationError
from ..models import AwsConnection, Storyboard, VoiceoverTrack
from ..models.ranges import range_warnings
from ..models.render import render_body, webhook_body
from ..models.request_model import MAX_NAMED, RequestModel
from ..private_media.connection import with_connection
from ..protocol import calls, replies
from ..protocol.calls import Call
from ..protocol.exchange import Read, Result
from ..text.markup import unescaped
from .identity.mark import mark, marked

Request = TypeVar("Request", bound=RequestModel)


@dataclass(frozen=True)
class PaidRequest(Generic[Result]):
    """A submission that is complete, except that it is not decided whether it may be sent (source: ours).

    :param call: what is asked.
    :param read: makes the result of the reply: a job id, or the fields of a registration.
    :param accepted: what the log says once it is accepted; the id follows.
    :param id_field: of a registration's fields, the one that identifies it; None where the result is a job id.
    :param warnings: for the log, where it is sent.
    :param takes_mark: whether its body may carry a field that is not asked for.
    """

    call: Call
    read: Read[Result]
    accepted: str
    id_field: str | None = None
    warnings: tuple[str, ...] = ()
    takes_mark: bool = True

    @property
    def body(self) -> Mapping[str, Any]:
        """What is sent."""
        return self.call.body or {}

    @property
    def names_webhook(self) -> bool:
        """Whether its author asks the service to call a URL."""
        return bool(self.body.get("webhook"))

    def with_webhook(self, url: str) -> PaidRequest[Result]:
        """The same request, which asks the service to report the job's end.

        :param url: that the service calls.
        """
        return replace(self, call=replace(self.call, body={**self.body, "webhook": url}))

    def with_key(self, key: str) -> PaidRequest[Result]:
        """The same request, which the service makes once however often it is sent.

        :param key: of the submission.
        """
        return replace(self, call=replace(self.call, key=key))

    def identified(self, profile: ServiceProfile, key: str, kind: str | None) -> PaidRequest[Result]:
        """The same request with the submission's key and its mark, as far as the service takes them.

        :param profile: of the connection.
        :param key: of the submission.
        :param kind: of the job; None for a registration, which has no mark.
        """
        call = replace(self.call, key=key if profile.idempotency_header else None)
        if kind and profile.marker_field and self.takes_mark:
            call = replace(call, body=marked(self.body, profile.marker_field, mark(kind, key)))
        return replace(self, call=call)

    def encode(self) -> None:
        """Make the bytes of the body, so that nothing but sending is left to do."""
        _ = self.call.content

    def id_in(self, result: Result) -> Any:
        """The id of what was made; None where the reply names none.

        :param result: what was read of the reply.
        """
        return result.get(self.id_field) if self.id_field and isinstance(result, Mapping) else result

    def reply_in(self, result: Result) -> Mapping[str, Any] | None:
        """The whole reply, where that is the task's result.

        :param result: what was read of the reply.
        """
        return result if isinstance(result, Mapping) else None


def of_storyboard(
    profile: ServiceProfile,
    storyboard: Storyboard | Mapping[str, Any] | str,
    webhook: str | None = None,
    *,
    conn_id: str,
) -> PaidRequest[str]:
    """What starts a storyboard job, with the connection's defaults.

    :param profile: of the connection.
    :param storyboard: a model, a dict with wire names, or a JSON or YAML text.
    :param webhook: callback URL for the job's completion, instead of the storyboard's own.
    :param conn_id: the connection, for messages.
    :raises InvalidRequestError: the storyboard is wrong.
    """
    written = _allowed(profile, Storyboard.read(storyboard))
    given, warnings = with_connection(written, profile.aws_connection_id, conn_id)
    if webhook:
        given = given.read({**given.to_dict(), "webhook": webhook})
    if not profile.escape_text:
        given, escaped = _with_plain_text(given)
        warnings += escaped
    body = given.to_wire() | ({"webhook": webhook} if webhook else {})
    return PaidRequest(
        calls.create_storyboard(profile, body),
        replies.read_job_id,
        f"Storyboard {given.video_name!r} was accepted as job",
        warnings=(
            *written.warnings(),
            *warnings,
            *range_warnings(given),
            *_webhook_warnings(profile, body),
        ),
    )


def of_render(
    profile: ServiceProfile,
    render_settings: Mapping[str, Any] | str | None,
    webhook: str | None = None,
    *,
    storyboard_job_id: str | None = None,
    video_name: str | None = None,
) -> PaidRequest[str]:
    """What starts a render job: by the render settings, or by the storyboard's job id where the profile says so.

    :param profile: of the connection.
    :param render_settings: what a finished storyboard job gave, or its JSON or YAML text, sent on unchanged.
    :param webhook: callback URL for the job's completion.
    :param storyboard_job_id: the finished storyboard job, for a profile that renders by it.
    :param video_name: names the video in the log.
    :raises InvalidRequestError: the settings are no object, or empty.
    :raises ConfigurationError: there are settings alone, and the profile renders by the storyboard's job id.
    """
    of_video = f" of {video_name!r}" if video_name else ""
    if not profile.render_by_id:
        body = render_body(render_settings, webhook)
        call = calls.render_video(profile, body)
    elif storyboard_job_id:
        body = webhook_body(webhook)
        call = calls.render_storyboard(profile, storyboard_job_id, body)
    else:
        raise ConfigurationError(
            f"Render{of_video}: the connection renders by the storyboard's job id (extra render_by_id), but only "
            "render_settings= was given. Nothing was sent. Pass storyboard_job_id= instead, or remove render_by_id "
            "from the connection to send the settings."
        )
    return PaidRequest(
        call,
        replies.read_job_id,
        f"Render{of_video} was accepted as job",
        warnings=_webhook_warnings(profile, body),
        takes_mark=not profile.render_by_id,
    )


def of_aws_connection(
    profile: ServiceProfile, connection: AwsConnection | Mapping[str, Any] | str
) -> PaidRequest[dict[str, Any]]:
    """What registers a connection to private media.

    :param profile: of the connection.
    :param connection: a model, a dict with wire names, or a JSON or YAML text.
    :raises InvalidRequestError: the request is wrong.
    """
    given = _allowed(profile, AwsConnection.read(connection))
    return PaidRequest(
        calls.register_aws_connection(profile, given.to_wire()),
        replies.read_resource,
        f"AWS connection {given.name!r} was registered as",
        id_field="connectionId",
        warnings=tuple(given.warnings()),
    )


def of_voiceover_track(
    profile: ServiceProfile, track: VoiceoverTrack | Mapping[str, Any] | str
) -> PaidRequest[dict[str, Any]]:
    """What adds a voice to the service's library.

    :param profile: of the connection.
    :param track: a model, a dict with wire names, or a JSON or YAML text.
    :raises InvalidRequestError: the request is wrong.
    """
    given = _allowed(profile, VoiceoverTrack.read(track))
    return PaidRequest(
        calls.add_voiceover_track(profile, given.to_wire()),
        replies.read_resource,
        f"Voiceover track {given.name!r} was added as",
        id_field="id",
        warnings=tuple(given.warnings()),
    )


def _webhook_warnings(profile: ServiceProfile, body: Mapping[str, Any]) -> tuple[str, ...]:
    """That the service may refuse the author's own callback URL, which is a capability and so is not quoted."""
    length = len(str(body.get("webhook") or ""))
    if length <= profile.webhook_max_length:
        return ()
    return (
        f"The webhook of this request has {length} characters, and the connection allows {profile.webhook_max_length} "
        "(webhook_max_length): it is sent as it is, and the service may refuse the request.",
    )


def _allowed(profile: ServiceProfile, given: Request) -> Request:
    """A request whose extra fields the connection, or the request itself, allows.

    :raises InvalidRequestError: ``extra_fields`` holds a field that the interface knows.
    """
    if not profile.override_known_fields:
        given.require_no_known_extra()
    return given


def _with_plain_text(storyboard: Storyboard) -> tuple[Storyboard, list[str]]:
    """The storyboard for a service that decodes no entities in a text without SSML, and warnings to log."""
    scenes, kept = [], []
    for index, scene in enumerate(storyboard.scenes):
        plain = unescaped(scene.text) if scene.text else scene.text
        if scene.text and plain is None:
            kept.append(f"scenes[{index}].text")
            plain = scene.text
        scenes.append(scene.model_copy(update={"text": plain}))
    more = f" and {len(kept) - MAX_NAMED} more" if len(kept) > MAX_NAMED else ""
    warnings = [
        f"{', '.join(kept[:MAX_NAMED])}{more}: sent escaped, though the connection says escape_text: false. Without "
        "escapes the text would look like SSML."
    ]
    return storyboard.model_copy(update={"scenes": tuple(scenes)}), warnings if kept else []
