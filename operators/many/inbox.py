"""Requests of other threads to the one thread of a task that talks to Airflow."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ...provider.errors import SubmissionRecordError


class Inbox:
    """Work for the main thread, in the order in which it came.

    A task reaches its Airflow supervisor through one socket, and signals reach the main thread. So only the main thread
    reads and writes what Airflow keeps.
    """

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._asked: set[Future[Any]] = set()
        self._closed: str | None = None
        self._main = threading.get_ident()

    def put(self, work: Callable[[], None]) -> None:
        """Have something done soon, without waiting.

        :param work: what is done; an error that it raises ends the task.
        """
        self._work.put(work)

    def ask(self, work: Callable[[], Any]) -> Any:
        """Have something done, and wait for what it returns or raises; the main thread does it at once.

        :param work: what is done.
        :raises SubmissionRecordError: the main thread has gone.
        """
        if threading.get_ident() == self._main:
            return work()
        answer: Future[Any] = Future()
        self._asked.add(answer)

        def carry_out() -> None:
            if answer.done():
                return
            try:
                answer.set_result(work())
            except Exception as error:
                answer.set_exception(error)
            except BaseException:
                # Work that the task's time-out interrupts is done the next time.
                self._work.put(carry_out)
                raise
            self._asked.discard(answer)

        self._work.put(carry_out)
        if self._closed:
            raise SubmissionRecordError(self._closed)
        return answer.result()

    def serve(self, seconds: float) -> bool:
        """Do the work that has come, waiting at most this long for the first item; return whether there was any.

        :param seconds: to wait.
        """
        try:
            work = self._work.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return False
        while True:
            work()
            try:
                work = self._work.get_nowait()
            except queue.Empty:
                return True

    def close(self, why: str) -> None:
        """End all waits for an answer.

        :param why: for those who wait.
        """
        self._closed = why
        for answer in list(self._asked):
            if not answer.done():
                answer.set_exception(SubmissionRecordError(why))
