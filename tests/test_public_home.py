"""``from airflow_video_creation import ...`` gives all that the reference shows, and costs nothing until it is used."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import airflow_video_creation

ROOT = Path(__file__).parents[1]
PACKAGE = "airflow_video_creation"
ELSEWHERE = {"errors.md", "emulator.md"}
"""Pages of the reference whose names have a home of their own."""
REFERENCE = {
    path.rpartition(".")[2]: path
    for page in sorted((ROOT / "docs" / "reference" / "python").glob("*.md"))
    if page.name not in ELSEWHERE
    for path in re.findall(rf":: ({PACKAGE}\.[\w.]+)$", page.read_text("utf-8"), re.MULTILINE)
}
READ_BY_USERS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "example_dags").glob("*.py")),
]
LONG_IMPORT = re.compile(
    rf"^[ \t]*from {PACKAGE}\.(?!emulator|demo|provider\.errors|example_dags)[\w.]+ import .*", re.MULTILINE
)


def at(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def test_dags_import_what_they_use_from_one_place() -> None:
    from airflow_video_creation import CreateVideoOperator, storyboard_from_article
    from airflow_video_creation.operators.video import CreateVideoOperator as LongPath

    assert CreateVideoOperator is LongPath
    assert storyboard_from_article.__module__ == f"{PACKAGE}.provider.articles.storyboard"


def test_it_holds_what_the_reference_shows_and_nothing_else() -> None:
    assert {*airflow_video_creation.__all__} - {"__version__"} == REFERENCE.keys()


@pytest.mark.parametrize("name", REFERENCE)
def test_a_name_is_the_object_of_its_long_path(name: str) -> None:
    assert getattr(airflow_video_creation, name) is at(REFERENCE[name])


def test_it_tells_its_version() -> None:
    from airflow_video_creation.provider.info import VERSION

    assert airflow_video_creation.__version__ == VERSION


def test_an_interpreter_completes_the_names() -> None:
    assert {*airflow_video_creation.__all__} <= {*dir(airflow_video_creation)}


def test_a_wrong_name_is_refused() -> None:
    with pytest.raises(ImportError, match="CreateVideosOperatorr"):
        exec(f"from {PACKAGE} import CreateVideosOperatorr")


def test_type_checkers_read_the_same_names() -> None:
    source = ast.parse((ROOT / "__init__.py").read_text("utf-8"))
    checked, hidden = (node for node in source.body if isinstance(node, ast.If))
    read = {
        alias.asname: getattr(import_module(f".{node.module}", PACKAGE), alias.name)
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert read == {name: getattr(airflow_video_creation, name) for name in airflow_video_creation.__all__}
    assert ast.unparse(hidden).startswith("if not TYPE_CHECKING:\n\n    def __getattr__")


def test_importing_it_loads_nothing_else() -> None:
    program = f"""
import importlib, typing, sys
before = set(sys.modules)
import {PACKAGE}
dir({PACKAGE})
print(*sorted(set(sys.modules) - before))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [PACKAGE]


def test_a_name_loads_no_other_of_the_home() -> None:
    program = f"""
import sys
from {PACKAGE} import storyboard_from_article
print(*(name for name in sys.modules if name.startswith(("airflow.", "{PACKAGE}.operators", "{PACKAGE}.hooks"))))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("file", READ_BY_USERS, ids=lambda file: str(file.relative_to(ROOT)))
def test_users_read_the_short_home_alone(file: Path) -> None:
    assert LONG_IMPORT.findall(file.read_text("utf-8")) == []
