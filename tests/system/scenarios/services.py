"""The services of a night: the emulator, one that can be killed, one that can cancel jobs, and one that takes keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from cluster.ports import free_ports

from airflow_video_creation.emulator import Emulator

from .cancelling_service import CANCEL_PATH, CancellingService

if TYPE_CHECKING:
    from .scenario import Scenario

JOB_SECONDS = 2.0
IDEMPOTENCY_HEADER = "Idempotency-Key"
PLAIN, FETCHING, KILLED, CANCELLING, LISTING, MARKING, KEYED = (
    "video_creation_default",
    "video_creation_fetching",
    "video_creation_killed",
    "video_creation_cancelling",
    "video_creation_listing",
    "video_creation_marking",
    "video_creation_keyed",
)


class Services:
    """Started by ``with``.

    :param folder: where the service that is killed keeps its jobs.
    :param scenarios: whose faults the services show.
    """

    def __init__(self, folder: Path, scenarios: Sequence[Scenario]) -> None:
        faults = [fault for scenario in scenarios for fault in scenario.all_faults()]
        options: dict[str, Any] = {
            "instant": True,
            "job_seconds": JOB_SECONDS,
            "faults": faults,
            "idempotency_header": IDEMPOTENCY_HEADER,
        }
        (port,) = free_ports(1)
        self._steady = Emulator(**options)
        self._killed = Emulator(port=port, folder=folder, process=True, **options)
        self._calls_before: list[dict[str, Any]] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(self._steady)
        self._stack.enter_context(self._killed)
        self._cancelling = self._stack.enter_context(CancellingService(self._steady))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def connections(self) -> dict[str, str]:
        """The environment variables of Airflow's connections."""
        cancelling = json.loads(self._steady.connection_json)
        cancelling["port"] = self._cancelling.port
        cancelling["extra"]["paths"] = {"cancel": CANCEL_PATH}
        listing = {"paths": {"jobs": "/api/v1/jobs"}}
        documents = {
            PLAIN: self._steady.connection_json,
            FETCHING: self._steady.fetching_connection_json,
            KILLED: self._killed.connection_json,
            CANCELLING: json.dumps(cancelling),
            LISTING: self._steady_with(listing),
            MARKING: self._steady_with({**listing, "marker_field": "videoDescription"}),
            KEYED: self._steady_with({"idempotency_header": IDEMPOTENCY_HEADER}),
        }
        return {f"AIRFLOW_CONN_{conn_id.upper()}": document for conn_id, document in documents.items()}

    def _steady_with(self, extra: dict[str, Any]) -> str:
        connection = json.loads(self._steady.connection_json)
        connection["extra"] |= extra
        return json.dumps(connection)

    def kill(self) -> None:
        """SIGKILL the service that can be killed; earlier calls to it are remembered here."""
        self._calls_before += self._killed.admin.calls()
        self._killed.kill()

    def start_again(self) -> None:
        """Restart the service that was killed."""
        self._killed.start()

    def accepted(self, scenario: Scenario, operation: str) -> int:
        """How many submissions of a run a service has accepted.

        :param scenario: of the run.
        :param operation: ``storyboard`` or ``render``.
        """
        # What is sent again under its key is answered with the same job.
        acted = [call for call in self._calls(scenario, operation) if call["acted"]]
        return len({call["job_id"] for call in acted if _is_of(scenario, call["name"])})

    def asked(self, scenario: Scenario, operation: str) -> int:
        """How many submissions of a run have arrived, whether they were answered or not.

        :param scenario: of the run.
        :param operation: ``storyboard`` or ``render``.
        """
        return sum(_is_of(scenario, call["name"]) for call in self._calls(scenario, operation))

    def jobs(self, scenario: Scenario) -> list[str]:
        """The ids of a run's jobs, newest first.

        :param scenario: of the run.
        """
        jobs = self._of(scenario).admin.jobs()
        return [str(job["job_id"]) for job in jobs if _is_of(scenario, job["video_name"])]

    def polls(self, scenario: Scenario, job_id: str) -> int:
        """How often a job has been polled.

        :param scenario: of the run.
        :param job_id: which one.
        """
        return len(self._of(scenario).admin.calls("job", job_id=job_id))

    def complete(self, scenario: Scenario, at_most: int | None = None) -> None:
        """Let the jobs of a run end that are in progress.

        :param scenario: of the run.
        :param at_most: how many; None for all.
        """
        admin = self._of(scenario).admin
        waiting = [job for job in admin.jobs() if _is_of(scenario, job["video_name"])]
        in_progress = [job for job in waiting if job["state"] == "in-progress"]
        for job in in_progress[:at_most]:
            admin.set_job_state(str(job["job_id"]), "completed")

    def cancels(self, scenario: Scenario) -> int:
        """How many jobs of a run were cancelled.

        :param scenario: of the run.
        """
        return sum(job_id in self._cancelling.cancelled for job_id in self.jobs(scenario))

    def _calls(self, scenario: Scenario, operation: str) -> list[dict[str, Any]]:
        calls = self._of(scenario).admin.calls(operation)
        if scenario.connection == KILLED:
            calls += [call for call in self._calls_before if call["operation"] == operation]
        return calls

    def _of(self, scenario: Scenario) -> Emulator:
        return self._killed if scenario.connection == KILLED else self._steady


def _is_of(scenario: Scenario, video_name: str | None) -> bool:
    # A mapped run's videos are called after the run and their number.
    return (video_name or "").split(" ")[0] == scenario.name
