"""What the pages show can be used as it stands."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

PARSE = """
import json, sys
try:
    from airflow.dag_processing.dagbag import DagBag
except ImportError:
    from airflow.models.dagbag import DagBag
bag = DagBag(dag_folder=sys.argv[1])
made = {dag.fileloc.rpartition("/")[2]: len(dag.tasks) for dag in bag.dags.values()}
print(json.dumps({"errors": bag.import_errors, "made": made}))
"""


def snippets(language: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        name = str(page.relative_to(ROOT)).replace("/", "-")
        for number, (kind, text) in enumerate(FENCE.findall(page.read_text("utf-8")), 1):
            if kind == language:
                yield f"{name}-{number}", text


def each(language: str) -> list[Any]:
    return [pytest.param(text, id=name) for name, text in snippets(language)]


def parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:
        # A part of a dict.
        return ast.parse("{" + text + "}")


@pytest.mark.parametrize("text", each("python"))
def test_what_a_snippet_imports_is_there(text: str) -> None:
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            module = import_module(node.module)
            assert all(hasattr(module, name.name) for name in node.names), ast.unparse(node)


def test_every_dag_is_one(tmp_path: Path) -> None:
    dags = tmp_path / "dags"
    dags.mkdir()
    for name, text in snippets("python"):
        if "from airflow.sdk import" in text and re.search(r"^with DAG\(|^@dag", text, re.MULTILINE):
            (dags / f"{name}.py").write_text(text, "utf-8")
    ended = subprocess.run(
        [sys.executable, "-c", PARSE, str(dags)],
        env={**os.environ, "AIRFLOW_HOME": str(tmp_path), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["errors"] == {}
    assert found["made"].keys() == {file.name for file in dags.glob("*.py")}
    assert all(found["made"].values())


@pytest.mark.parametrize("text", each("sh"))
def test_the_shell_reads_a_command(text: str) -> None:
    told = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True, check=False)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("text", each("yaml"))
def test_yaml_can_be_read(text: str) -> None:
    assert yaml.safe_load(text)
