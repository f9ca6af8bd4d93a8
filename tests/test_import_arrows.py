"""The arrows between the folders: which folder imports which, and what the pure ones stay free of."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = "airflow_video_creation"
ARROWS: dict[str, set[str]] = {
    "provider": set(),
    "hooks": {"provider"},
    "triggers": {"provider", "hooks"},
    "operators": {"provider", "hooks", "triggers"},
    "sensors": {"provider", "hooks", "triggers"},
    "plugin": {"provider", "hooks"},
    "emulator": set(),
    "commands": {"provider", "hooks"},
    "demo": {"emulator", "example_dags"},
}
"""Folder -> the folders of ours that it may import, beside itself."""
PURE = {"pydantic", "pydantic_core", "yaml", "itsdangerous"}
PURE |= {"feedparser", "trafilatura", "sentencex", "lxml", "webvtt"}
"""What provider/ may import beside the standard library: models, signatures, what reads articles and transcripts."""
IO = {"socket", "http", "urllib.request", "asyncio", "threading", "subprocess", "ssl", "time", "random", "os"}
"""What provider/ leaves to those who drive it: the network, the clock, chance."""


def imports_of(file: Path) -> Iterator[str]:
    """The absolute names of all modules that a file imports, wherever in it."""
    package = [PACKAGE, *file.parent.relative_to(ROOT).parts]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def folders_of_ours(file: Path) -> set[str]:
    names = {name.split(".")[1] for name in imports_of(file) if name.startswith(f"{PACKAGE}.")}
    return {name for name in names if (ROOT / name).is_dir()}


def files(folder: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, f"{folder} is empty"
    return found


def test_relative_imports_are_resolved() -> None:
    assert {"provider", "hooks"} <= folders_of_ours(ROOT / "triggers" / "video_job.py")
    assert f"{PACKAGE}.provider.errors" in set(imports_of(ROOT / "provider" / "models" / "job.py"))


@pytest.mark.parametrize("folder", ARROWS)
def test_imports_follow_the_arrows(folder: str) -> None:
    wrong = {
        str(file.relative_to(ROOT)): extra
        for file in files(folder)
        if (extra := folders_of_ours(file) - ARROWS[folder] - {folder})
    }
    assert not wrong


def test_provider_is_plain_python() -> None:
    for file in files("provider"):
        names = set(imports_of(file))
        others = {name.split(".")[0] for name in names} - sys.stdlib_module_names - {PACKAGE, "__future__"}
        assert others <= PURE, file
        assert not names & IO, file
        assert not {name.split(".")[0] for name in names} & IO, file


def test_models_and_waiting_import_no_transport() -> None:
    for folder in ("provider/models", "provider/protocol", "provider/waiting"):
        for file in files(folder):
            outer = {name.split(".")[0] for name in imports_of(file)} - sys.stdlib_module_names
            assert outer <= {PACKAGE, "pydantic", "pydantic_core", "yaml"}, file


@pytest.mark.parametrize("folder", ["provider", "hooks"])
def test_rooms_import_each_other_in_one_direction(folder: str) -> None:
    """What stands beside the rooms of a folder is a room of its own."""
    arrows: dict[str, set[str]] = {}
    for file in files(folder):
        inner = file.relative_to(ROOT / folder).parts
        room = inner[0] if inner[1:] else inner[0].removesuffix(".py")
        prefix = f"{PACKAGE}.{folder}."
        named = {
            name.removeprefix(prefix).split(".")[0] for name in imports_of(file) if name.startswith(prefix)
        }
        arrows.setdefault(room, set()).update(named - {room})
    order = list(TopologicalSorter(arrows).static_order())
    assert len(order) >= len(arrows)
