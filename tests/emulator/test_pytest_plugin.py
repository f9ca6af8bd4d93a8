"""The fixtures that this package brings to other people's tests."""

import importlib.metadata
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import Connection

from airflow_video_creation.emulator import Emulator

ROOT = Path(__file__).parents[2]
DISTRIBUTION, PACKAGE = "airflow-provider-video-creation", "airflow_video_creation"
PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
OWN_TEST = """
import operators

def test_ours_is_as_python_loads_it():
    assert type(operators.__loader__).__name__ == "SourceFileLoader"
"""


def test_airflows_default_connection_leads_to_the_emulator(video_creation_emulator: Emulator) -> None:
    connection = Connection.from_json(
        os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"], conn_id="video_creation_default"
    )
    assert f"{connection.host}:{connection.port}" == video_creation_emulator.base_url


def test_a_test_finds_nothing_of_the_one_before(
    video_creation_emulator_server: Emulator, call_emulator: Any, request: pytest.FixtureRequest
) -> None:
    admin = video_creation_emulator_server.admin
    call_emulator(video_creation_emulator_server).storyboard()
    admin.add_fault("reset")
    admin.change(job_seconds=7)
    assert admin.jobs()

    emulator = request.getfixturevalue("video_creation_emulator")

    behaviour = emulator.admin.behaviour()
    assert (behaviour["faults"], behaviour["job_seconds"]) == ([], None)
    assert emulator.admin.jobs() == []
    assert emulator.admin.calls() == []


def test_a_project_that_does_not_use_us_keeps_its_own_pytest(tmp_path: Path) -> None:
    """Its packages may be called as ours, and its warnings may be errors."""
    site, project = tmp_path / "site", tmp_path / "project"
    install_as_wheel(site)
    (project / "operators").mkdir(parents=True)
    (project / "operators" / "__init__.py").write_text("", "utf-8")
    (project / "test_own.py").write_text(OWN_TEST, "utf-8")

    ended = subprocess.run(
        [sys.executable, "-S", "-m", "pytest", "-W", "error", "-p", "no:cacheprovider"],
        cwd=project,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"plugins: {DISTRIBUTION}" in ended.stdout


def install_as_wheel(site: Path) -> None:
    """What pip makes of our wheel beside pytest alone: an editable install lists other files."""
    site.mkdir()
    (site / PACKAGE).symlink_to(ROOT)
    for name in PYTEST:
        others = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in others.files or []} - {"..", "__pycache__"}:
            (site / top).symlink_to(Path(str(others.locate_file(top))))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    folders = [package.replace(".", "/") for package in project["tool"]["setuptools"]["packages"]]
    shipped = [f"{folder}/{file.name}" for folder in folders for file in sorted((site / folder).glob("*.py"))]
    [(name, plugin)] = project["project"]["entry-points"]["pytest11"].items()
    information = site / f"{PACKAGE}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: {DISTRIBUTION}\nVersion: 1.0\n", "utf-8"
    )
    (information / "entry_points.txt").write_text(f"[pytest11]\n{name} = {plugin}\n", "utf-8")
    (information / "RECORD").write_text("".join(f"{file},,\n" for file in shipped), "utf-8")
