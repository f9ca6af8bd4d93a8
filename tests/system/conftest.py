"""Plays the table once for each executor. The tests then check the outcomes."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# The cluster and the scenarios are modules beside the tests, which are no package.
sys.path.insert(0, str(HERE))

from cluster.airflow_cluster import AirflowCluster, Executor  # noqa: E402
from cluster.software import NotInstallableError  # noqa: E402
from scenarios.night import play  # noqa: E402
from scenarios.record_folder_table import RECORD_FOLDER_TABLE  # noqa: E402
from scenarios.result_table import write_results  # noqa: E402
from scenarios.scenario import Outcome, Scenario  # noqa: E402
from scenarios.services import Services  # noqa: E402
from scenarios.table import TABLE  # noqa: E402

EXECUTORS = "LocalExecutor,CeleryExecutor"
FEW = pytest.mark.few
RESULTS: dict[str, dict[str, Outcome]] = {}


@dataclass
class Night:
    """One executor's cluster and outcomes, after its scenarios were played."""

    cluster: AirflowCluster
    outcomes: dict[str, Outcome]
    records: Path | None
    """The record folder, None with Airflow's own store."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("system tests")
    group.addoption("--executors", default=EXECUTORS, help=f"which, with commas between them ({EXECUTORS})")
    group.addoption(
        "--record-folder", action="store_true", help="below Airflow 3.3: keep records in a folder"
    )
    group.addoption("--keep-logs", metavar="FOLDER", help="copy all logs of each executor into it")
    group.addoption("--write-results", metavar="FILE", help="write the table of results as Markdown")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "few: the scenarios that CI runs")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "scenario" in metafunc.fixturenames:
        rows = [
            pytest.param(row, id=row.name, marks=[FEW] if row.few else []) for row in _table(metafunc.config)
        ]
        metafunc.parametrize("scenario", rows)
    if "night" in metafunc.fixturenames:
        executors = metafunc.config.getoption("--executors").split(",")
        metafunc.parametrize("night", executors, indirect=True, scope="session")


@pytest.fixture(scope="session")
def night(request: pytest.FixtureRequest) -> Iterator[Night]:
    """One executor's cluster, on which the chosen scenarios have been played."""
    executor: Executor = request.param
    scenarios = _chosen(request.session, executor)
    with (
        tempfile.TemporaryDirectory(prefix="video-system-") as name,
        Services(Path(name, "service"), scenarios) as services,
    ):
        folder = Path(name)
        variables = {**services.connections(), "SYSTEM_TEST_FOLDER": name}
        dag_ids = {row.dag for row in TABLE}
        records = folder / "records" if request.config.getoption("--record-folder") else None
        if records:
            records.mkdir()
            variables["AIRFLOW__VIDEO_CREATION__RECORD_FOLDER"] = str(records)
        try:
            with AirflowCluster(executor, HERE / "dags", dag_ids, variables) as cluster:
                try:
                    RESULTS[executor] = play(scenarios, cluster, services, folder)
                    yield Night(cluster, RESULTS[executor], records)
                finally:
                    if kept := request.config.getoption("--keep-logs"):
                        cluster.copy_logs(Path(kept, executor))
        except NotInstallableError as error:
            pytest.skip(f"{executor}: {error}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if (file := session.config.getoption("--write-results")) and RESULTS:
        folder = session.config.getoption("--record-folder")
        write_results(Path(file), _table(session.config), RESULTS, record_folder=folder)


def _table(config: pytest.Config) -> list[Scenario]:
    return RECORD_FOLDER_TABLE if config.getoption("--record-folder") else TABLE


def _chosen(session: pytest.Session, executor: Executor) -> list[Scenario]:
    """The scenarios that this session's tests ask for, in the order of the table."""
    asked = [item.callspec.params for item in session.items if hasattr(item, "callspec")]
    return [row for row in _table(session.config) if {"scenario": row, "night": executor} in asked]
