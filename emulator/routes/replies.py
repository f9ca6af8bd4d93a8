"""The bodies of replies to submissions and registrations."""

from __future__ import annotations

from typing import Any

from fastapi import Response
from fastapi.responses import JSONResponse

from ..conduct.dialect import Dialect

SSML_SUPPORT = {"neural": "B", "standard": "A", "WaveNet": "A", "Neural2": "C"}
"""Engine -> ssmlSupportCategory; elevenlabs engines are D. The interface names the categories only; this is ours."""

_TRACK_FIELDS = ("name", "accent", "gender", "language", "sample", "service", "engine")


def accepted(body: dict[str, Any], dialect: Dialect) -> Response:
    """Answer a request that has made something.

    :param body: as the dialect words it
    :param dialect: gives the status; 204 has no body
    """
    if dialect.success_status == 204:
        return Response(status_code=204)
    return JSONResponse(body, dialect.success_status)


def track_reply(track_id: int, track: dict[str, Any], base_url: str) -> dict[str, Any]:
    """Describe a voiceover track. Source: the interface, "Voiceover track", response fields.

    :param track_id: in the library
    :param track: the request as accepted, without what was absent
    :param base_url: of this emulator, as the caller knows it
    """
    category = SSML_SUPPORT.get(track["engine"], "D")
    return {
        "id": track_id,
        **{field: track[field] for field in _TRACK_FIELDS if field in track},
        "category": "premium" if track["service"] == "elevenlabs" else "standard",
        "ssmlSupportCategory": category,
        "ssmlHelp": f"{base_url}/help/ssml#{category.lower()}",
    }
