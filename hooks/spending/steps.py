"""Does the steps of a rule: on the notes that runs share, with Airflow's states and the clock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from ...provider.spending.across_runs.note_steps import Delete, Names, Pause, Read, Steps, Unspent, Write
from ..records.shared_notes import SharedNotes

PAUSE = 1.0
"""Seconds for which another plan is waited for (ours)."""

Result = TypeVar("Result")


def do_steps(
    steps: Steps[Result],
    notes: SharedNotes,
    *,
    unspent: Callable[[Mapping[str, Any]], Collection[str]],
    sleep: Callable[[float], None],
) -> Result:
    """Do all steps (source: ours).

    :param steps: of the rule.
    :param notes: that they are about.
    :param unspent: answers ``Unspent``.
    :param sleep: waits for seconds.
    :return: what the rule returns.
    :raises SpendingRecordError: the notes cannot be read or written.
    """
    answer: Any = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answer = None
        match step:
            case Names():
                answer = notes.names()
            case Read(name):
                answer = notes.read(name)
            case Write(name, text):
                notes.write(name, text)
            case Delete(name):
                notes.delete(name)
            case Unspent(note):
                answer = unspent(note)
            case Pause():
                sleep(PAUSE)
