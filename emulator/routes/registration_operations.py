"""The operations which register something: a connection to private media, a voice in the voiceover library."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from ..contract.aws_connection import AwsConnectionReply, AwsConnectionRequest
from ..contract.operation_paths import AWS_CONNECTIONS_PATH, VOICEOVER_TRACKS_PATH
from ..contract.voiceover_track import VoiceoverTrackReply, VoiceoverTrackRequest
from ..jobs.state_store import NameTakenError
from ..service import caller_base_url, service_of
from .authorization import AuthorizedRoute
from .replies import accepted, track_reply
from .service_error import OPERATION_ERRORS, ServiceError

registration_operations = APIRouter(route_class=AuthorizedRoute, responses=OPERATION_ERRORS)


@registration_operations.post(
    AWS_CONNECTIONS_PATH, operation_id="registerAwsConnection", response_model=AwsConnectionReply
)
async def register_aws_connection(request: Request, connection: AwsConnectionRequest) -> Response:
    """Register a connection to private media. Source: the interface, "Register an AWS connection"."""
    service = service_of(request)
    try:
        registered = service.store.add_aws_connection(connection.model_dump(exclude_none=True))
    except NameTakenError:
        raise ServiceError.of_field("name", f"there is a connection {connection.name!r} already") from None
    return accepted(registered, service.conduct.behaviour.dialect)


@registration_operations.post(
    VOICEOVER_TRACKS_PATH, operation_id="addVoiceoverTrack", response_model=VoiceoverTrackReply
)
async def add_voiceover_track(
    request: Request, track: Annotated[VoiceoverTrackRequest, Body(discriminator="service")]
) -> Response:
    """Add a voice to the voiceover library. Source: the interface, "Add a voiceover track"."""
    service = service_of(request)
    try:
        track_id = service.store.add_voiceover_track(track.model_dump(exclude_none=True))
    except NameTakenError:
        raise ServiceError.of_field("name", f"there is a voiceover track {track.name!r} already") from None
    return accepted(track_reply(track_id, track, caller_base_url(request)), service.conduct.behaviour.dialect)
