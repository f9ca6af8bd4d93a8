"""The request of the render operation: the settings of a finished storyboard, plus an optional webhook."""

from __future__ import annotations

from typing import Literal

from .storyboard import StoryboardRequest
from .wire_types import Name, WebUrl, WireModel

SETTINGS_FORMAT = 1


class RenderRequest(WireModel):
    """Render settings as a storyboard job returned them; opaque to callers. Source: ours.

    They carry all that a render needs, so that a video can be rendered long after its storyboard job.
    """

    settingsFormat: Literal[1]
    previewId: Name
    storyboard: StoryboardRequest
    webhook: WebUrl | None = None


class RenderByIdRequest(WireModel):
    """What a render by the storyboard's job id may say. Source: ours; comparable services have it."""

    webhook: WebUrl | None = None
