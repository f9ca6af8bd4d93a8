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
    "notifications": {"provider", "hooks", "operators"},
    "pipelines": {"provider", "hooks", "operators", "notifications", "triggers"},
    "plugin": {"provider", "hooks"},
    "emulator": set(),
    "commands": {"provider", "hooks", "pipelines"},
    "demo": {"emulator", "example_dags"},
}
"""Folder -> the folders of ours that it may import, beside itself."""
PURE = {"pydantic", "pydantic_core", "yaml", "itsdangerous"}
PURE |= {"feedparser", "trafilatura", "sentencex", "lxml", "webvtt", "croniter"}
PURE |= {"babel", "simplemma", "text_to_num"}
"""What provider/ may import beside the standard library: models, signatures, what reads texts, cron."""
IO = {"socket", "http", "urllib.request", "asyncio", "threading", "subprocess", "ssl", "time", "random", "os"}
"""What provider/ leaves to those who drive it: the network, the clock, chance."""


def imports_of(file: Path) -> Iterator[str]:
    """The absolute names of all modules that a file imports, wherever in it."""
    for module, names in imports_from(file):
        yield module
        yield from names


def imports_from(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Each module that a file imports from, and what it takes of it; the absolute names."""
    package = [PACKAGE, *file.parent.relative_to(ROOT).parts]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield module, [f"{module}.{alias.name}" for alias in node.names]


def folders_of_ours(file: Path) -> set[str]:
    names = {name.split(".")[1] for name in imports_of(file) if name.startswith(f"{PACKAGE}.")}
    return {name for name in names if (ROOT / name).is_dir()}


def files(folder: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, f"{folder} is empty"
    return found


def test_relative_imports_are_resolved() -> None:
    assert {"provider", "hooks"} <= folders_of_ours(ROOT / "triggers" / "polling" / "job_waiter.py")
    assert f"{PACKAGE}.provider.errors" in set(imports_of(ROOT / "provider" / "models" / "job.py"))


@pytest.mark.parametrize("folder", ARROWS)
def test_imports_follow_the_arrows(folder: str) -> None:
    wrong = {
        str(file.relative_to(ROOT)): extra
        for file in files(folder)
        if (extra := folders_of_ours(file) - ARROWS[folder] - {folder})
    }
    assert not wrong


@pytest.mark.parametrize("folder", ARROWS)
def test_what_the_short_home_leads_to_does_not_import_from_it(folder: str) -> None:
    from airflow_video_creation import __all__ as public

    home = {f"{PACKAGE}.{name}" for name in public} | {f"{PACKAGE}.*"}
    assert {str(file): used for file in files(folder) if (used := home & set(imports_of(file)))} == {}


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


@pytest.fixture(scope="module")
def file_arrows() -> dict[Path, set[Path]]:
    """File -> the files of ours that it imports, wherever in it, for types too."""
    by_name = {module_name(file): file for folder in ARROWS for file in files(folder)}
    arrows: dict[Path, set[Path]] = {}
    for file in by_name.values():
        named: set[str] = set()
        for module, taken in imports_from(file):
            modules = by_name.keys() & set(taken)
            named |= modules
            if not taken or len(modules) < len(taken):
                named.add(module)
        arrows[file] = {by_name[name] for name in named & by_name.keys()} - {file}
    assert arrows.keys() >= {file for imported in arrows.values() for file in imported}
    return arrows


def module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join([PACKAGE, *(parts[:-1] if parts[-1] == "__init__" else parts)])


def test_no_files_import_each_other(file_arrows: dict[Path, set[Path]]) -> None:
    TopologicalSorter(file_arrows).prepare()


@pytest.mark.parametrize("folder", ARROWS)
def test_rooms_import_each_other_in_one_direction(folder: str, file_arrows: dict[Path, set[Path]]) -> None:
    """In a folder and in all beneath it; what stands beside the rooms of a folder is a room of its own."""
    for place in {file.parent for file in files(folder)}:
        rooms: dict[str, set[str]] = {}
        for file, imported in file_arrows.items():
            if file.is_relative_to(place):
                inside = {of.relative_to(place).parts[0] for of in imported if of.is_relative_to(place)}
                room = file.relative_to(place).parts[0]
                rooms.setdefault(room, set()).update(inside - {room})
        TopologicalSorter(rooms).prepare()
