"""The requests that many tests send, as the interface shows them."""

from __future__ import annotations

from typing import Any

STORYBOARD: dict[str, Any] = {"videoName": "news", "scenes": [{"text": "Hello"}]}
AWS_CONNECTION: dict[str, Any] = {
    "name": "media",
    "awsAccountId": "000123456789",
    "awsRegion": "us-east-2",
    "enabled": True,
}
VOICEOVER_TRACK: dict[str, Any] = {
    "name": "Joan",
    "engine": "neural",
    "service": "aws",
    "language": "en-US",
    "voiceId": "Joan",
    "accent": "American",
    "age": "Adult",
    "gender": "Female",
}
