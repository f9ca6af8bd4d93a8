"""Every call that was made, with its identity, so that a test can say "one submission"."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

KEPT_CALLS = 50_000


@dataclass
class Call:
    """One call of an operation.

    :param number: from 1, in the order of arrival
    :param at: epoch seconds of its arrival
    :param operation: one of `OPERATIONS`
    :param name: videoName of a storyboard or render, name of a connection or track
    :param job_id: of the job that is asked for, or that a submission made
    :param acted: whether it came through to the service
    :param status: of the reply; absent when there was none
    :param faults: kinds of the faults which befell it
    """

    number: int
    at: float
    operation: str
    method: str
    path: str
    name: str | None = None
    job_id: str | None = None
    acted: bool = False
    status: int | None = None
    faults: list[str] = field(default_factory=list)


class CallLog:
    """The latest calls one by one, and the number of all calls by operation and identity."""

    def __init__(self) -> None:
        self._calls: deque[Call] = deque(maxlen=KEPT_CALLS)
        self._totals: Counter[tuple[str, str | None, str | None]] = Counter()
        self._number = 0

    def begin(self, operation: str, method: str, path: str, name: str | None, job_id: str | None) -> Call:
        """Record the arrival of a call; the rest of the record is filled in as it goes on.

        :param operation: what is called
        :param method: HTTP method
        :param path: of the request
        :param name: see `Call`
        :param job_id: see `Call`
        """
        self._number += 1
        call = Call(self._number, time.time(), operation, method, path, name, job_id)
        self._calls.append(call)
        self._totals[operation, name, job_id] += 1
        return call

    def calls(self, operation: str | None, name: str | None, job_id: str | None) -> Iterator[Call]:
        """Go through the latest calls, oldest first.

        :param operation: only calls of this one
        :param name: only calls with this name
        :param job_id: only calls for, or with, this job
        """
        for call in self._calls:
            if _fits(operation, call.operation) and _fits(name, call.name) and _fits(job_id, call.job_id):
                yield call

    def totals(self) -> list[dict[str, object]]:
        """Count all calls by operation, name and the job that was asked for."""
        return [
            {"operation": operation, "name": name, "job_id": job_id, "count": count}
            for (operation, name, job_id), count in self._totals.items()
        ]

    def by_operation(self) -> dict[str, int]:
        """Count all calls by operation, the most called first."""
        counts: Counter[str] = Counter()
        for (operation, _name, _job_id), count in self._totals.items():
            counts[operation] += count
        return dict(counts.most_common())

    def latest(self, most: int) -> list[Call]:
        """List the latest calls, newest first.

        :param most: at most that many
        """
        return list(islice(reversed(self._calls), most))

    def clear(self) -> None:
        """Forget all calls."""
        self._calls.clear()
        self._totals.clear()


def _fits(wanted: str | None, actual: str | None) -> bool:
    return wanted is None or wanted == actual
