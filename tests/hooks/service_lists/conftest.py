"""A temporary folder of its own for each test, in which voices are kept."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The machine's, as far as this test knows."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path
