"""What threads ask of the main thread of a task, which a time-out may interrupt."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowTaskTimeout

from airflow_video_creation.operators.many.inbox import Inbox
from airflow_video_creation.provider.errors import SubmissionRecordError


class Asking:
    """A thread that asks something, and waits for the answer."""

    def __init__(self, inbox: Inbox, work: Any) -> None:
        self._inbox, self._work = inbox, work
        self.answer: Any = None
        self._thread = threading.Thread(target=self._ask, daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        try:
            self.answer = self._inbox.ask(self._work)
        except SubmissionRecordError as error:
            self.answer = error

    def answered(self) -> Any:
        self._thread.join(10)
        assert not self._thread.is_alive(), "it waits for ever"
        return self.answer


class InterruptedOnce:
    """Work in whose midst the time of the task is over."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> str:
        self.times += 1
        if self.times == 1:
            raise AirflowTaskTimeout
        return "read"


def test_what_a_timeout_interrupts_is_done_while_the_task_ends() -> None:
    inbox = Inbox()
    asking = Asking(inbox, InterruptedOnce())
    with pytest.raises(AirflowTaskTimeout):
        inbox.serve(10)
    inbox.serve(10)

    assert asking.answered() == "read"


def test_nobody_waits_for_what_a_timeout_has_interrupted_once_the_task_has_ended() -> None:
    inbox = Inbox()
    asking = Asking(inbox, InterruptedOnce())
    with pytest.raises(AirflowTaskTimeout):
        inbox.serve(10)
    inbox.close("This try was stopped")

    assert str(asking.answered()) == "This try was stopped"
