"""A stand-in for Airflow's Variables, each of which must say what it is."""

from __future__ import annotations

from typing import Any

import pytest


def described_variables(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What code under test keeps in Variables, by key."""
    values: dict[str, str] = {}

    class Variable:
        @staticmethod
        def get(key: str, default: Any) -> Any:
            return values.get(key, default)

        @staticmethod
        def set(key: str, value: str, description: str) -> None:
            assert description
            values[key] = value

    monkeypatch.setattr("airflow.sdk.Variable", Variable)
    return values
