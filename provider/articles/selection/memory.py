"""What a task remembers about a feed from run to run: which run was given which articles."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ..feed import FeedEntry


class Validators(NamedTuple):
    """What a server sent with its answer, to ask it later whether that has changed; empty if it sent nothing."""

    etag: str = ""
    last_modified: str = ""


NO_VALIDATORS = Validators()
_SENDABLE = re.compile(r"[\x21-\x7e][\x20-\x7e]{0,500}")


@dataclass(frozen=True)
class Run:
    """A run that asks.

    ``key`` is the same through retries and clears, ``name`` is for messages, ``after`` is its ``run_after``.
    """

    key: str
    name: str
    after: datetime


@dataclass(frozen=True)
class Held:
    """An entry that a run holds; ``runs`` counts those that chose it, this one included.

    ``waiting``: the run returned without it, since it could not be read yet; the next run that polls takes it.
    """

    entry: FeedEntry
    runs: int = 1
    waiting: bool = False


@dataclass(frozen=True)
class Record:
    """What one run chose, oldest first; ``language`` is the feed's."""

    run: Run
    held: tuple[Held, ...]
    language: str | None = None
    returned: bool = False

    @property
    def entries(self) -> tuple[FeedEntry, ...]:
        """The entries alone."""
        return tuple(held.entry for held in self.held)

    @property
    def unsettled(self) -> tuple[Held, ...]:
        """What another run may take over: everything of a task that did not return, otherwise what waits."""
        return tuple(held for held in self.held if held.waiting or not self.returned)


class DryRun(NamedTuple):
    """A dry run polled before any other run did.

    ``last_success`` is ``run_after`` of the last run that had succeeded by then. A later success may be that of a dry
    run, which made nothing.
    """

    last_success: datetime | None


@dataclass(frozen=True)
class Memory:
    """What is kept between runs.

    ``source`` identifies the feed's address. ``looked`` is the latest ``run_after`` of a run that saw the feed's
    entries, None before the first. ``validators`` hold for runs whose window starts at ``valid_since`` or later: for an
    earlier one older entries of the same feed may be new. ``known`` are marks of entries that are not new to any run,
    last shown last. ``oldest_shown`` is the oldest date in the feed at the last poll. ``records`` are in the order in
    which the runs chose. ``forgotten`` are keys of runs whose list is no longer kept. ``dry_run`` is
    there until a run polls that is none.
    """

    source: str = ""
    looked: datetime | None = None
    validators: Validators = NO_VALIDATORS
    valid_since: datetime | None = None
    known: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    forgotten: tuple[str, ...] = ()
    oldest_shown: datetime | None = None
    dry_run: DryRun | None = None

    def record_of(self, run: Run) -> Record | None:
        """Return what a run has chosen before."""
        return next((record for record in self.records if record.run.key == run.key), None)


def usable_in_requests(validators: Validators) -> Validators:
    """Return the validators that a request can hold; not, for example, one with a line break (source: ours).

    :param validators: as a server wrote them.
    """
    return Validators(*(text if _SENDABLE.fullmatch(text) else "" for text in validators))


def marks(entry: FeedEntry) -> frozenset[str]:
    """Return the short digests by which an entry is recognized, by its address or its guid (source: ours).

    A file is recognized only by its guid, which changes with its content: a changed file is another article.

    :param entry: of a feed or a folder.
    """
    on_the_web = entry.url.startswith(("http://", "https://"))
    names = {entry.guid, entry.url} if on_the_web else {entry.guid or entry.url}
    return frozenset(digest(name) for name in names if name)


def digest(text: str) -> str:
    """Return eight characters that identify a text (source: ours).

    :param text: of any length.
    """
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:6]).decode()
