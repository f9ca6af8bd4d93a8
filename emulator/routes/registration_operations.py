"""The operations on what is registered: connections to private media, and voices in the voiceover library.

The interface has the two which add one; comparable services have the others. Source of those: ours.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import JSONResponse

from ..contract.aws_connection import (
    AwsConnectionChange,
    AwsConnectionList,
    AwsConnectionReply,
    AwsConnectionRequest,
)
from ..contract.error import ErrorBody
from ..contract.operation_paths import (
    AWS_CONNECTION_PATH,
    AWS_CONNECTIONS_PATH,
    VOICEOVER_TRACK_PATH,
    VOICEOVER_TRACKS_PATH,
)
from ..contract.voiceover_track import VoiceoverTrackList, VoiceoverTrackReply, VoiceoverTrackRequest
from ..jobs.state_store import NameTakenError
from ..service import Service, caller_base_url, service_of
from .authorization import AuthorizedRoute
from .replies import accepted, track_reply
from .service_error import REGISTRATION_ERRORS, ServiceError

registration_operations = APIRouter(route_class=AuthorizedRoute, responses=REGISTRATION_ERRORS)

_UNKNOWN: dict[int | str, dict[str, Any]] = {404: {"model": ErrorBody}}


@registration_operations.post(
    AWS_CONNECTIONS_PATH, operation_id="registerAwsConnection", response_model=AwsConnectionReply
)
async def register_aws_connection(request: Request, connection: AwsConnectionRequest) -> Response:
    """Register a connection to private media. Source: the interface, "Register an AWS connection"."""
    service = service_of(request)
    try:
        registered = service.store.add_aws_connection(connection.model_dump(exclude_none=True))
    except NameTakenError as error:
        raise _connection_name_taken(error) from None
    return accepted(registered, service.conduct.behaviour.dialect)


@registration_operations.get(
    AWS_CONNECTIONS_PATH, operation_id="listAwsConnections", response_model=AwsConnectionList
)
async def list_aws_connections(request: Request) -> Response:
    """List the connections, oldest first."""
    service = service_of(request)
    listed = service.conduct.behaviour.dialect.listed("connections", service.store.aws_connections())
    return JSONResponse(listed)


@registration_operations.get(
    AWS_CONNECTION_PATH,
    operation_id="getAwsConnection",
    response_model=AwsConnectionReply,
    responses=_UNKNOWN,
)
async def get_aws_connection(request: Request, connection_id: str) -> Response:
    """Read a connection."""
    return JSONResponse(_connection(service_of(request), connection_id))


@registration_operations.patch(
    AWS_CONNECTION_PATH,
    operation_id="changeAwsConnection",
    response_model=AwsConnectionReply,
    responses=_UNKNOWN,
)
async def change_aws_connection(
    request: Request, connection_id: str, change: AwsConnectionChange
) -> Response:
    """Change the fields of a connection which the body names, such as `enabled`."""
    service = service_of(request)
    return _changed(service, _connection(service, connection_id) | change.model_dump(exclude_none=True))


@registration_operations.put(
    AWS_CONNECTION_PATH,
    operation_id="replaceAwsConnection",
    response_model=AwsConnectionReply,
    responses=_UNKNOWN,
)
async def replace_aws_connection(
    request: Request, connection_id: str, connection: AwsConnectionRequest
) -> Response:
    """Replace a connection; its id stays."""
    service = service_of(request)
    found = _connection(service, connection_id)
    kept = {field: found[field] for field in ("connectionId", "version")}
    return _changed(service, connection.model_dump(exclude_none=True) | kept)


@registration_operations.delete(
    AWS_CONNECTION_PATH, operation_id="deleteAwsConnection", status_code=204, responses=_UNKNOWN
)
async def delete_aws_connection(request: Request, connection_id: str) -> Response:
    """Forget a connection; no further storyboard can name it."""
    if not service_of(request).store.delete_aws_connection(connection_id):
        raise _unknown_connection(connection_id)
    return Response(status_code=204)


@registration_operations.post(
    VOICEOVER_TRACKS_PATH, operation_id="addVoiceoverTrack", response_model=VoiceoverTrackReply
)
async def add_voiceover_track(
    request: Request, track: Annotated[VoiceoverTrackRequest, Body(discriminator="service")]
) -> Response:
    """Add a voice to the voiceover library. Source: the interface, "Add a voiceover track"."""
    service = service_of(request)
    added = track.model_dump(exclude_none=True)
    try:
        track_id = service.store.add_voiceover_track(added)
    except NameTakenError:
        raise ServiceError.of_field("name", f"the voiceover track {track.name!r} already exists") from None
    return accepted(track_reply(track_id, added, caller_base_url(request)), service.conduct.behaviour.dialect)


@registration_operations.get(
    VOICEOVER_TRACKS_PATH, operation_id="listVoiceoverTracks", response_model=VoiceoverTrackList
)
async def list_voiceover_tracks(request: Request) -> Response:
    """List the tracks, oldest first."""
    service, base_url = service_of(request), caller_base_url(request)
    tracks = [
        track_reply(track_id, track, base_url) for track_id, track in service.store.voiceover_tracks().items()
    ]
    return JSONResponse(service.conduct.behaviour.dialect.listed("tracks", tracks))


@registration_operations.get(
    VOICEOVER_TRACK_PATH,
    operation_id="getVoiceoverTrack",
    response_model=VoiceoverTrackReply,
    responses=_UNKNOWN,
)
async def get_voiceover_track(request: Request, track_id: int) -> Response:
    """Read a track."""
    track = _track(service_of(request), track_id)
    return JSONResponse(track_reply(track_id, track, caller_base_url(request)))


@registration_operations.delete(
    VOICEOVER_TRACK_PATH, operation_id="deleteVoiceoverTrack", status_code=204, responses=_UNKNOWN
)
async def delete_voiceover_track(request: Request, track_id: int) -> Response:
    """Take a voice out of the library."""
    service = service_of(request)
    _track(service, track_id)
    service.store.delete_voiceover_track(track_id)
    return Response(status_code=204)


def _connection(service: Service, connection_id: str) -> dict[str, Any]:
    connection = service.store.aws_connection(connection_id)
    if connection is None:
        raise _unknown_connection(connection_id)
    return connection


def _changed(service: Service, connection: dict[str, Any]) -> Response:
    try:
        return JSONResponse(service.store.change_aws_connection(connection))
    except NameTakenError as error:
        raise _connection_name_taken(error) from None


def _unknown_connection(connection_id: str) -> ServiceError:
    return ServiceError(404, f"There is no connection {connection_id!r}.")


def _connection_name_taken(error: NameTakenError) -> ServiceError:
    return ServiceError.of_field("name", f"there is a connection {str(error)!r} already")


def _track(service: Service, track_id: int) -> dict[str, Any]:
    track = service.store.voiceover_tracks().get(track_id)
    if track is None:
        raise ServiceError(404, f"There is no voiceover track {track_id}.")
    return track
