"""The notes of what runs leave to later ones: their names, and what is written in them.

| name                                   | says                                          |
|----------------------------------------|-----------------------------------------------|
| ``DAY.RUN.NUMBER.left``                | what a run has left, many videos in a note    |
| ``DAY.RUN.VIDEO.claim.RUN``            | which run takes one of them                   |
| ``DAY.RUN.plan``                       | what a run has planned                        |
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ...errors import SpendingRecordError

VERSION = 1
LEFT, CLAIM, PLAN = "left", "claim", "plan"


@dataclass(frozen=True)
class Carried:
    """A video that a run left.

    :param place: of its claims: day, run and video, with dots between.
    :param run_id: of the run, for people.
    :param video: its name.
    :param storyboard: as a dict, or a pair of it and its metadata.
    :param since: when it was left.
    :param number: its place among those that were left with it.
    """

    place: str
    run_id: str
    video: str
    storyboard: Mapping[str, Any]
    since: datetime
    number: int

    @property
    def name(self) -> str:
        """Its name in small letters, by which two videos are told apart."""
        return self.video.casefold()


def digest_of(name: str) -> str:
    """Stands for a name in a note's name: it may be long, and hold anything (source: ours).

    :param name: in small letters.
    """
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def sorted_out(names: Iterable[str]) -> tuple[list[str], dict[str, set[str]], dict[str, str]]:
    """The notes of what was left, the runs that claim each place, and the plans of runs.

    :param names: of all notes.
    :raises SpendingRecordError: a name is none of ours.
    """
    left: list[str] = []
    claims: dict[str, set[str]] = {}
    plans: dict[str, str] = {}
    for name in names:
        match name.split("."):
            case [_, _, number, "left"] if number.isdecimal():
                left.append(name)
            case [day, run, video, "claim", taker]:
                claims.setdefault(f"{day}.{run}.{video}", set()).add(taker)
            case [_, run, "plan"]:
                plans[name] = run
            case _:
                raise _unreadable(name)
    return left, claims, plans


def writer_of(name: str) -> tuple[str, int]:
    """The run that has written a note of what it left, and the number of the note.

    :param name: of the note.
    """
    _, run, number, _ = name.split(".")
    return run, int(number)


def note_text(**values: Any) -> str:
    """A note, with the version of its form.

    :param values: what it says.
    """
    return json.dumps({"version": VERSION, **values})


def left_text(videos: Sequence[Carried]) -> str:
    """A note of what a run leaves.

    :param videos: at most so many as a note holds.
    """
    each = [
        {
            "run_id": one.run_id,
            "since": one.since.isoformat(),
            "number": one.number,
            "video": one.video,
            "storyboard": one.storyboard,
        }
        for one in videos
    ]
    return note_text(videos=each)


def read_left(name: str, text: str) -> list[Carried]:
    """What a run has left.

    :param name: of the note.
    :param text: of the note.
    :raises SpendingRecordError: it cannot be read.
    """
    day, run, *_ = name.split(".")
    try:
        return [_one(f"{day}.{run}", values) for values in json.loads(text)["videos"]]
    except (ValueError, LookupError, TypeError, AttributeError):
        raise _unreadable(name) from None


def read_planned(name: str, text: str | None) -> list[str]:
    """The digests of the names that a run has planned.

    :param name: of the note.
    :param text: of the note; None: it is gone.
    :raises SpendingRecordError: it cannot be read.
    """
    try:
        return [str(digest) for digest in json.loads(text or "")["videos"]]
    except (ValueError, LookupError, TypeError):
        raise _unreadable(name) from None


def _one(place: str, values: Mapping[str, Any]) -> Carried:
    since, video = datetime.fromisoformat(values["since"]), str(values["video"])
    if since.tzinfo is None:
        raise ValueError(since)
    return Carried(
        f"{place}.{digest_of(video.casefold())}",
        str(values["run_id"]),
        video,
        dict(values["storyboard"]),
        since,
        int(values["number"]),
    )


def _unreadable(name: str) -> SpendingRecordError:
    return SpendingRecordError(
        f"The note {name!r} of what runs have left to later ones cannot be read. Nothing was planned, and nothing is "
        "paid. Try again; if that does not help, look at the Airflow Variable, or the file in the record folder, whose "
        "name ends so, then delete it."
    )
