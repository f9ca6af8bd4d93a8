"""What several runs note, and runs that are stopped and go on between any two of their steps."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from airflow_video_creation.provider.spending.across_runs.note_steps import (
    Delete,
    Names,
    Pause,
    Read,
    Steps,
    Unspent,
    Write,
)


class Notes:
    """Notes by name, as Airflow's Variables or a folder hold them.

    :param unspent: tells which videos a run never sent.
    """

    def __init__(self, unspent: Callable[[Any], set[str]] = lambda _: set()) -> None:
        self.texts: dict[str, str] = {}
        self.steps = 0
        self._unspent = unspent

    def do(self, step: Any) -> Any:
        """Do a step, and return its answer."""
        self.steps += 1
        match step:
            case Names():
                return sorted(self.texts)
            case Read(name):
                return self.texts.get(name)
            case Write(name, text):
                json.loads(text)
                self.texts[name] = text
            case Delete(name):
                self.texts.pop(name, None)
            case Unspent(note):
                return self._unspent(note)
            case Pause():
                pass
        return None

    def run(self, steps: Steps[Any]) -> Any:
        """Do all steps, and return the result."""
        walk = Walk(self, steps)
        while not walk.over:
            walk.on()
        return walk.result


class Walk:
    """Steps that are done one by one."""

    def __init__(self, notes: Notes, steps: Steps[Any]) -> None:
        self._notes = notes
        self._steps = steps
        self._answer: Any = None
        self.over = False
        self.result: Any = None

    def on(self) -> None:
        """Do the next step."""
        try:
            step = self._steps.send(self._answer)
        except StopIteration as end:
            self.over, self.result = True, end.value
        else:
            self._answer = self._notes.do(step)
