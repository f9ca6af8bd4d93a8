"""Keeps what a task remembers of a feed in an Airflow Variable.

A Variable needs no set-up, is shared by the runs of a DAG and outlives them, and can be viewed and deleted in the UI.
XCom is cleared with its task, and the task state store belongs to one run and is not there before Airflow 3.3.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any, TypeVar

from ...provider.articles.feed import FeedEntry
from ...provider.articles.selection.memory import Memory, Record, Run, digest
from ...provider.articles.selection.memory_document import read_memory, write_memory
from ...provider.articles.selection.new_entries import mark_returned
from ...provider.errors import ArticleMemoryError
from ...provider.quoting import quotable
from .public_hosts import host_of

MAX_KEY = 250
"""Characters of a Variable's key in Airflow."""
DESCRIPTION = (
    "Which run got which articles, kept by FetchArticlesOperator. Delete it, and the next run starts over."
)
TOLD_DESCRIPTION = (
    "Which entries of a feed were reported, kept by FeedEventTrigger. If you delete it, what the feed shows next does "
    "not count as new."
)

log = logging.getLogger(__name__)

Result = TypeVar("Result")


class ArticleMemory:
    """The memory of one feed in one Variable (source: ours).

    Two tasks at the same moment may each overwrite what the other wrote: Airflow has no compare-and-set. So everything
    is read just before and just after it is written; see docs/sources/articles.md for what is left.

    :param variable: its key.
    """

    def __init__(self, variable: str) -> None:
        self.variable = variable

    def load(self) -> Memory:
        """Return the memory, which is empty if there is no such Variable.

        :raises ArticleMemoryError: Airflow cannot read it, or the Variable holds something else.
        """
        from airflow.providers.common.compat.sdk import Variable

        text = self._reached("read", lambda: Variable.get(self.variable, default=None))
        return read_memory(str(text), where=f"The Variable {self.variable!r}") if text else Memory()

    def save(self, memory: Memory, run: Run) -> None:
        """Replace the memory, and check that this run's choice is there.

        :param memory: all of it.
        :param run: the run that writes.
        :raises ArticleMemoryError: Airflow cannot store it, or something else is there now.
        """
        from airflow.providers.common.compat.sdk import Variable

        text = write_memory(memory)
        self._reached("written", lambda: Variable.set(self.variable, text, description=DESCRIPTION))
        # Airflow 3.1 and 3.2 only log what went wrong when they set a Variable.
        written = read_memory(text, where="What was just written")
        if self.load().record_of(run) != written.record_of(run):
            raise ArticleMemoryError(
                f"The Variable {self.variable!r}, which keeps what runs were given, does not hold what was just "
                "written to it: another run wrote at the same moment (keep max_active_runs=1), Airflow could not store "
                f"it (see above), or AIRFLOW_VAR_{self.variable.upper()} or a secrets backend holds it. Try again."
            )

    def keep(self, memory: Memory) -> None:
        """Replace the memory, as its only writer, and check that it is there.

        :param memory: all of it.
        :raises ArticleMemoryError: Airflow cannot store it.
        """
        from airflow.providers.common.compat.sdk import Variable

        text = write_memory(memory)
        self._reached("written", lambda: Variable.set(self.variable, text, description=TOLD_DESCRIPTION))
        # Airflow 3.1 and 3.2 only log what went wrong when they set a Variable.
        if self.load() != read_memory(text, where="What was just written"):
            raise ArticleMemoryError(
                f"The Variable {self.variable!r}, which keeps the reported entries of a feed, does not hold what was "
                "just "
                f"written to it: AIRFLOW_VAR_{self.variable.upper()}, a secrets backend or another watcher of that "
                "feed holds it. Give the trigger remember= with another key."
            )

    def mark_returned(self, record: Record, *, waiting: Collection[FeedEntry] = ()) -> Record:
        """Make a run's choice permanently its own, and return the part that the run may give.

        :param record: what it chose.
        :param waiting: the part that is left to the next run.
        :raises ArticleMemoryError: Airflow cannot read or store it.
        """
        memory = self.load()
        after, own = mark_returned(memory, record, waiting=waiting)
        if after != memory:
            self.save(after, record.run)
        return own

    def _reached(self, done: str, work: Callable[[], Result]) -> Result:
        try:
            return work()
        # The Task SDK has its own errors, which differ between releases of Airflow.
        except Exception as error:
            raise ArticleMemoryError(
                f"The Variable {self.variable!r}, which keeps what earlier runs were given, cannot be {done} "
                f"({type(error).__name__}: {quotable(str(error))}). Try again, or give remember=False."
            ) from None


def variable_of(ti: Any, *, remember: bool | str, source: str) -> str:
    """Return the key of the Variable for a task (source: ours).

    Mapped tasks, which run at the same time, have one each, named after what they read: map indexes change.

    :param ti: the task instance.
    :param remember: the key itself, or True for one of the DAG's and the task's id.
    :param source: what is read, such as a feed's address.
    """
    key = remember if isinstance(remember, str) else f"articles_given.{ti.dag_id}.{ti.task_id}"
    if ti.map_index is not None and ti.map_index >= 0:
        key = f"{key}.{digest(source)}"
    return within_limit(key)


def within_limit(key: str) -> str:
    """Return the key of a Variable, shortened to what Airflow can store (source: ours).

    :param key: of any length.
    """
    return key if len(key) <= MAX_KEY else f"{key[: MAX_KEY - 9]}.{digest(key)}"


def feed_variable(feed_url: str) -> str:
    """Return the key of the Variable that keeps the entries of a feed that a watcher reported (source: ours).

    :param feed_url: without user name and password.
    """
    host = re.sub(r"[^a-z0-9.-]", "_", host_of(feed_url))[: MAX_KEY // 2]
    return f"feed_told.{host}.{digest(feed_url)}"


def run_of(ti: Any, after: datetime, *, source: str) -> Run:
    """Return a run as the memory knows it (source: ours).

    :param ti: the task instance; retries and clears make no difference.
    :param after: ``run_after`` of the DAG run.
    :param source: as for ``variable_of``.
    """
    mapped = [source] if ti.map_index is not None and ti.map_index >= 0 else []
    return Run(
        key=digest("\n".join([ti.dag_id, ti.task_id, ti.run_id, *mapped])), name=ti.run_id, after=after
    )
