"""A feed's memory as a JSON text, small enough for any store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from ...errors import ArticleMemoryError
from ..feed import MAX_TITLE, FeedEntry
from .memory import DryRun, Held, Memory, Record, Run, Validators, usable_in_requests

VERSION = 1
MAX_RECORDS_SIZE = 48_000
"""Characters of JSON for the runs' lists: about 150 to 200 articles. The oldest lists are dropped first (ours)."""
MAX_FORGOTTEN = 500
MAX_AUTHOR = 200


def write_memory(memory: Memory) -> str:
    """Return a memory as text; the oldest returned lists are left out if there is no room (source: ours).

    The newest list stays, whatever its size, and so do those from which the next run takes something over.

    :param memory: of any size.
    """
    memory = _fitting(memory)
    oldest = memory.oldest_shown
    success = memory.dry_run and memory.dry_run.last_success
    return json.dumps(
        {
            "version": VERSION,
            "source": memory.source,
            "looked": memory.looked and memory.looked.isoformat(),
            "etag": memory.validators.etag,
            "last_modified": memory.validators.last_modified,
            "valid_since": memory.valid_since and memory.valid_since.isoformat(),
            **({"oldest_shown": oldest.isoformat()} if oldest else {}),
            **({"dry_run": {"last_success": success and success.isoformat()}} if memory.dry_run else {}),
            "runs": [_record_values(record) for record in memory.records],
            "forgotten": list(memory.forgotten[-MAX_FORGOTTEN:]),
            "known": " ".join(memory.known),
        }
    )


def read_memory(text: str, *, where: str) -> Memory:
    """Return a memory from its text; unknown keys are ignored (source: ours).

    :param text: from ``write_memory``, of this release or another.
    :param where: what holds it, for messages.
    :raises ArticleMemoryError: it is not a memory, or one of a later release.
    """
    try:
        values = json.loads(text)
        if values["version"] > VERSION:
            raise ArticleMemoryError(
                f"{where} was written by a later release of this provider (version {values['version']}, this one "
                f"reads {VERSION}): install that release, or delete it to start over."
            )
        return Memory(
            source=str(values["source"]),
            looked=_moment(values["looked"]),
            validators=usable_in_requests(Validators(str(values["etag"]), str(values["last_modified"]))),
            valid_since=_moment(values["valid_since"]),
            known=tuple(values["known"].split()),
            records=tuple(_record(record) for record in values["runs"]),
            forgotten=tuple(values["forgotten"]),
            oldest_shown=_moment(values.get("oldest_shown")),
            dry_run=DryRun(_moment(values["dry_run"]["last_success"])) if values.get("dry_run") else None,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ArticleMemoryError(
            f"{where} does not hold the memory of the feed ({type(error).__name__}). Delete it, and the next run "
            "reads the feed as if for the first time."
        ) from error


def _fitting(memory: Memory) -> Memory:
    kept: list[Record] = []
    forgotten: list[str] = []
    size = 0
    for record in reversed(memory.records):
        size += len(json.dumps(_record_values(record)))
        if kept and not record.unsettled and size > MAX_RECORDS_SIZE:
            forgotten.append(record.run.key)
        else:
            kept.append(record)
    return replace(memory, records=tuple(reversed(kept)), forgotten=(*memory.forgotten, *reversed(forgotten)))


def _record_values(record: Record) -> dict[str, Any]:
    return {
        "key": record.run.key,
        "run": record.run.name,
        "after": record.run.after.isoformat(),
        "returned": record.returned,
        "language": record.language,
        "entries": [_entry_values(held) for held in record.held],
    }


def _entry_values(held: Held) -> dict[str, Any]:
    entry = held.entry
    values = {
        "url": entry.url,
        "title": entry.title[:MAX_TITLE],
        "published": entry.published and entry.published.isoformat(),
        "author": (entry.author or "")[:MAX_AUTHOR],
        "guid": entry.guid,
        "runs": held.runs if held.runs > 1 else None,
        "waiting": held.waiting,
    }
    return {name: value for name, value in values.items() if value}


def _record(values: Mapping[str, Any]) -> Record:
    return Record(
        run=Run(values["key"], values["run"], datetime.fromisoformat(values["after"])),
        held=tuple(_held(entry) for entry in values["entries"]),
        language=values["language"],
        returned=values["returned"],
    )


def _held(values: Mapping[str, Any]) -> Held:
    entry = FeedEntry(
        url=values["url"],
        title=values.get("title", ""),
        published=_moment(values.get("published")),
        author=values.get("author"),
        guid=values.get("guid"),
    )
    return Held(entry, values.get("runs", 1), values.get("waiting", False))


def _moment(text: str | None) -> datetime | None:
    moment = datetime.fromisoformat(text) if text else None
    if moment and not moment.tzinfo:
        raise ValueError
    return moment
