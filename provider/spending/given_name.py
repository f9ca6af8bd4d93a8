"""The name of a video whose storyboard may be wrong otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidRequestError


def given_name(storyboard: Any) -> str | None:
    """The ``videoName`` of a storyboard that is not checked, as it would be sent; None where none can be read.

    Source: ours.

    :param storyboard: a model, a dict, or a JSON or YAML text.
    """
    if hasattr(storyboard, "to_dict"):
        storyboard = storyboard.to_dict()
    if isinstance(storyboard, str):
        from ..models.request_text import parse_request_text

        try:
            storyboard = parse_request_text(storyboard, "storyboard")
        except InvalidRequestError:
            return None
    if not isinstance(storyboard, Mapping):
        return None
    name = storyboard.get("videoName", storyboard.get("video_name"))
    if isinstance(name, int | float):
        from ..models.field_types import number_as_text

        try:
            name = number_as_text(name)
        except ValueError:
            return None
    return name if isinstance(name, str) else None
