"""Runs the example DAG in a throw-away Airflow and yields its steps as they happen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from .airflow_plugin import PLUGIN_FOLDER, STEPS_FILE
from .interruption import held

DAG_ID = "articles_to_videos"
DAGS_FOLDER = Path(__file__).resolve().parent.parent / "example_dags"


class DemoFailedError(Exception):
    """The demo cannot go on; the message says why and where to look."""


def airflow_environment(home: Path, *, connection: str, feed_url: str, videos_folder: Path) -> dict[str, str]:
    """The environment of a separate Airflow that sees the example DAG and nothing else.

    :param home: a folder for its database and logs.
    :param connection: the connection as JSON or URI.
    :param feed_url: the Variable ``articles_feed_url``.
    :param videos_folder: the Variable ``videos_folder``.
    """
    foreign = ("AIRFLOW_", "_AIRFLOW")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {
        **inherited,
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{home}/airflow.db",
        "AIRFLOW__CORE__DAGS_FOLDER": str(DAGS_FOLDER),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(PLUGIN_FOLDER),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(home / "logs"),
        "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": connection,
        "AIRFLOW_VAR_ARTICLES_FEED_URL": feed_url,
        "AIRFLOW_VAR_VIDEOS_FOLDER": str(videos_folder),
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        "PYTHONUNBUFFERED": "1",
    }


@contextmanager
def throw_away_home() -> Iterator[Path]:
    """A folder for one Airflow, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="video-creation-airflow-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def migrate(environment: Mapping[str, str], log: IO[str]) -> None:
    """Make the database.

    :raises DemoFailedError: Airflow could not.
    """
    for _ in _lines_while_running(["db", "migrate"], environment, log, None):
        pass


def run_dag(
    environment: Mapping[str, str], log: IO[str], steps: Path, params: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Run the example DAG once and yield each step, as the listener in ``airflow_plugin`` reports it.

    :param environment: from ``airflow_environment``.
    :param log: where Airflow's own output goes.
    :param steps: a file for the steps.
    :param params: of the DAG, where they differ from its own.
    :raises DemoFailedError: Airflow ended with an error.
    """
    command = ["dags", "test", DAG_ID, "--conf", json.dumps(params)]
    yield from _lines_while_running(command, {**environment, STEPS_FILE: str(steps)}, log, steps)


def _lines_while_running(
    command: list[str], environment: Mapping[str, str], log: IO[str], steps: Path | None
) -> Iterator[dict[str, Any]]:
    with ExitStack() as stack:
        with held():
            process = subprocess.Popen(
                [sys.executable, "-m", "airflow", *command],
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            stack.callback(_stop, process)
        position = 0
        while True:
            ended = process.poll() is not None
            if steps is not None and steps.exists():
                with steps.open(encoding="utf-8") as file:
                    file.seek(position)
                    whole, newline, _ = file.read().rpartition("\n")
                    position += len((whole + newline).encode())
                yield from map(json.loads, whole.splitlines())
            if ended:
                break
            time.sleep(0.1)
    if process.returncode != 0:
        raise DemoFailedError(f"`airflow {' '.join(command[:2])}` ended with {process.returncode}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the process and all that it started."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            break
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            continue
    process.wait()
