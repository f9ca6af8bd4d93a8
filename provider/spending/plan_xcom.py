"""Under which XComs tasks that choose videos tell what they decided, for all who push, sum up or show it."""

from __future__ import annotations

ESTIMATE_KEY = "estimate"
"""What a plan makes, and how long it will be."""
LEFT_OUT_KEY = "left_out"
"""What a plan, or a fetch of articles, left out."""
