from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def served(connect: Any, service: Any) -> Any:
    """A service with one finished render, r-1, whose video is at /media/v.mp4."""
    connect(service.url, read_timeout=0.3)
    video = f"{service.url}/media/v.mp4?X-Signature=only-for-you-7"
    service.will(service.job("completed", videoURL=video), on="/api/v1/job/r-1")
    mp4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096
    service.will(service.reply(200, mp4), on="/media/v.mp4")
    return service
