"""The errors of transcripts and podcasts."""

from __future__ import annotations

from ..protocol.errors import VideoCreationError


class TranscriptError(VideoCreationError):
    """A transcript, or a podcast's feed, cannot be read."""
