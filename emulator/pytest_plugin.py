"""Fixtures for tests of DAGs and clients, found by pytest through this package's entry point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from .airflow_connection import ENVIRONMENT_VARIABLE

if TYPE_CHECKING:
    from .process.server import Emulator


@pytest.fixture(scope="session")
def video_creation_emulator_server() -> Iterator[Emulator]:
    """One instant emulator for all tests; override it to start one with other options."""
    from .process.server import Emulator

    with Emulator(instant=True, allow_private_networks=True) as emulator:
        yield emulator


@pytest.fixture
def video_creation_emulator(
    video_creation_emulator_server: Emulator, monkeypatch: pytest.MonkeyPatch
) -> Emulator:
    """The emulator as if just started: no jobs, no faults, and Airflow's default connection leads to it."""
    video_creation_emulator_server.admin.reset()
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, video_creation_emulator_server.connection_json)
    return video_creation_emulator_server
