"""One run of one scenario: what is done to it, and what is known of it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cluster.airflow_cluster import AirflowCluster
from cluster.until import NeverHappenedError, until

from .services import Services

if TYPE_CHECKING:
    from .scenario import Outcome, Scenario

Found = TypeVar("Found")
TASK = "work"
ENDED = ("success", "failed", "skipped", "upstream_failed", "removed")
LAST_WORDS_SECONDS = 60.0


class Run:
    """A run of a DAG with one task ``work``, or with many mapped ones.

    :param scenario: what it is a run of.
    :param cluster: where it runs.
    :param services: what it talks to.
    :param folder: shared with its tasks, see ``dags/kill_points.py``.
    """

    def __init__(self, scenario: Scenario, cluster: AirflowCluster, services: Services, folder: Path) -> None:
        self.scenario = scenario
        self.cluster = cluster
        self.services = services
        self._folder = folder

    def start(self) -> None:
        """Trigger it."""
        conf = {"connection": self.scenario.connection, **self.scenario.kill}
        self.cluster.rest.trigger(self.scenario.dag, self.scenario.name, conf)

    def states(self) -> list[str]:
        """The state of each task instance."""
        return [str(state) for state, _ in self._instances()]

    def run_state(self) -> str:
        """The state of the run itself."""
        rows = self.cluster.database.query("SELECT state FROM dag_run WHERE run_id = %s", self.scenario.name)
        return str(rows[0][0])

    def tries(self) -> int:
        """The largest try number."""
        return max((int(number) for _, number in self._instances()), default=0)

    def triggerers(self) -> set[int]:
        """Airflow's ids of the triggerers that wait for this run."""
        rows = self.cluster.database.query(
            "SELECT trigger.triggerer_id FROM task_instance JOIN trigger ON trigger.id = task_instance.trigger_id "
            "WHERE run_id = %s AND trigger.triggerer_id IS NOT NULL",
            self.scenario.name,
        )
        return {int(row[0]) for row in rows}

    def until(self, what: str, condition: Callable[[], Found]) -> Found:
        """Wait for something that has to do with this run.

        :param what: for the message.
        :param condition: gives something true when it is met.
        """
        what = f"{what} of {self.scenario.name}"
        return until(what, condition, patience=self.scenario.patience, now=self._summary)

    def until_state(self, state: str) -> None:
        """Wait until every task instance is in a state.

        :param state: Airflow's word.
        """
        self.until(f"the state {state}", lambda: set(self.states()) == {state})

    def until_polled(self) -> None:
        """Wait until the last job that was submitted has been polled."""

        def polled() -> bool:
            jobs = self.services.jobs(self.scenario)
            return bool(jobs) and self.services.polls(self.scenario, jobs[0]) > 0

        self.until("a poll", polled)

    def until_logged(self, text: str) -> None:
        """Wait until the task's log holds a text.

        :param text: any.
        """
        self.until(f"the words {text!r}", lambda: text in self.log())

    def until_ended(self) -> None:
        """Wait until every task instance has ended."""
        self.until("the end", lambda: (states := self.states()) and all(state in ENDED for state in states))

    def until_held(self, map_index: int = -1) -> None:
        """Wait until the task has reached its kill point.

        :param map_index: which one of a mapped task.
        """
        self.until("the kill point", self._file("reached", map_index).exists)

    def until_refused(self) -> None:
        """Wait until the record of the try that was held is refused."""
        self.until("a refused record", self._file("refused").exists)

    def until_recorded(self) -> None:
        """Wait until the record folder holds the task's job."""
        files = self._folder / "records"
        self.until(
            "a recorded job",
            lambda: any(
                "submitted" in file.read_text() for file in files.glob(f"*/{self.scenario.name}.*.json")
            ),
        )

    def let_go(self) -> None:
        """Let a held task continue."""
        self._file("go").touch()

    def move_list(self) -> None:
        """Change the order of the list over which the task is mapped."""
        self._file("moved").touch()

    def kill_task(self, map_index: int = -1) -> None:
        """SIGKILL the process of the task.

        :param map_index: which one of a mapped task.
        """
        os.kill(self._pid("task", map_index), signal.SIGKILL)

    @contextmanager
    def supervisor_stopped(self) -> Iterator[None]:
        """Pause the process that tells Airflow that the task is alive."""
        supervisor = self._pid("worker")
        os.kill(supervisor, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(supervisor, signal.SIGCONT)

    def complete_jobs(self) -> None:
        """Let every job end that is in progress."""
        self.services.complete(self.scenario)

    def log(self) -> str:
        """What all tries have logged, in the task's process and in the triggerer."""
        return self.cluster.task_log(self.scenario.dag, self.scenario.name, TASK)

    def events(self) -> str:
        """What Airflow's audit log says of the run."""
        rows = self.cluster.database.query(
            "SELECT dttm, event, extra FROM log WHERE run_id = %s ORDER BY id", self.scenario.name
        )
        return "\n".join(f"{at} {event}: {extra or ''}" for at, event, extra in rows)

    def outcome(self, trouble: str = "") -> Outcome:
        """The outcome; waits a while for the last words in the log.

        :param trouble: why it could not be played to its end.
        """
        from .scenario import Outcome

        try:
            if not trouble:
                until("the last words", lambda: self.scenario.says in self.log(), patience=LAST_WORDS_SECONDS)
        except NeverHappenedError:
            pass
        return Outcome(
            submissions=self.services.accepted(self.scenario, "storyboard"),
            renders=self.services.accepted(self.scenario, "render"),
            cancels=self.services.cancels(self.scenario),
            state=", ".join(sorted(set(self.states()))),
            tries=self.tries(),
            log=self.log(),
            events=self.events(),
            trouble=trouble,
        )

    def _file(self, ending: str, map_index: int = -1) -> Path:
        name = self.scenario.name if map_index < 0 else f"{self.scenario.name} {map_index}"
        return self._folder / f"{name}.{ending}"

    def _pid(self, who: str, map_index: int = -1) -> int:
        return int(json.loads(self._file("pid", map_index).read_text())[who])

    def _instances(self) -> list[tuple[Any, ...]]:
        return self.cluster.database.query(
            "SELECT state, try_number FROM task_instance WHERE run_id = %s AND task_id = %s",
            self.scenario.name,
            TASK,
        )

    def _summary(self) -> str:
        return ", ".join(sorted(set(self.states()))) or "not begun"
