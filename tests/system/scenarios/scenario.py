"""One row of the table: what happens to a task, and the expected outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from cluster.until import PATIENCE

from .run import Run


def nothing(run: Run) -> None:
    """Leave the run alone: its task kills itself, or is not killed."""


@dataclass(frozen=True)
class Disturbance:
    """Something that happens to the whole cluster, and so to several runs at once.

    :param happen: does it; called when every run of the scenarios that share it is ready.
    """

    happen: Callable[[Sequence[Run]], None]


@dataclass(frozen=True)
class Scenario:
    """What happens to one run, and the expected outcome.

    :param name: of the run and of its video.
    :param when: the moment, for the table that people read.
    :param killed: what dies or happens, for the same table.
    :param submissions: storyboards that the service must have accepted.
    :param state: of the task at last.
    :param says: what its log must hold.
    :param dag: which of the DAGs in ``dags/killed.py``.
    :param kill: the configuration of the kill point, see ``dags/kill_points.py``.
    :param act: what is done to the run; with a disturbance: what makes it ready.
    :param disturbance: what is done to the cluster then.
    :param after: what is done after the disturbance.
    :param faults: of the service, for this run's video.
    :param stalled: the first storyboard job never ends by itself.
    :param connection: which one.
    :param renders: renders that the service must have accepted.
    :param cancels: jobs that must have been cancelled there.
    :param instead: other submissions and words that are right too, where Airflow itself does sometimes one thing
        and sometimes another.
    :param patience: seconds after which something awaited counts as never happening.
    :param few: whether it belongs to the few that CI runs.
    """

    name: str
    when: str
    killed: str
    submissions: int
    state: str
    says: str = ""
    _: KW_ONLY
    dag: str = "storyboard"
    kill: Mapping[str, str] = field(default_factory=dict)
    act: Callable[[Run], None] = nothing
    disturbance: Disturbance | None = None
    after: Callable[[Run], None] = nothing
    faults: Sequence[Mapping[str, Any]] = ()
    stalled: bool = False
    connection: str = "video_creation_default"
    renders: int = 0
    cancels: int = 0
    instead: tuple[int, str] | None = None
    patience: float = PATIENCE
    few: bool = False

    def is_met_by(self, outcome: Outcome) -> bool:
        """Whether the outcome is the expected one.

        :param outcome: of this scenario.
        """
        pairs = [(self.submissions, self.says), *([self.instead] if self.instead else [])]
        submitted_as_said = any(
            outcome.submissions == number and words in outcome.log for number, words in pairs
        )
        rest = (outcome.renders, outcome.cancels, outcome.state, outcome.trouble)
        return submitted_as_said and rest == (self.renders, self.cancels, self.state, "")

    def all_faults(self) -> list[dict[str, Any]]:
        """The faults of the service for this run's video."""
        stall = [{"kind": "stall", "on": "storyboard", "nth": [1]}] if self.stalled else []
        return [{"video_name": self.name, **fault} for fault in (*stall, *self.faults)]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a scenario.

    :param submissions: storyboards that the service accepted.
    :param renders: renders that it accepted.
    :param cancels: jobs that were cancelled.
    :param state: of the task.
    :param tries: of the task.
    :param log: of all its tries.
    :param events: what Airflow's audit log says of it, such as a missed heartbeat.
    :param trouble: why the scenario could not be played to its end, empty when it was.
    """

    submissions: int
    renders: int
    cancels: int
    state: str
    tries: int
    log: str
    events: str
    trouble: str = ""
