"""Where the store of a task that makes many videos keeps their records: some videos to a value.

One value for all would be written whole for each step of each video, and Airflow warns of a value above 64 KB. One
value for each would be a write for each. So every video has its place in one of several values, in the order in which
they were first seen: videos that are submitted one after the other share a value, and one write stores what came of
several.

The index says how many values there are, and is stored before the first of them: a value that is missing must not hide
those behind it. It also says which videos the task is asked for, so that a page can count those that have not begun.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any
from unicodedata import normalize

from ..submission.stored_records import record_json

INDEX_KEY = "video_creation.videos"
VIDEOS_A_SHARD = 25
"""Each takes up to 2.5 kB: all of them stay below the 64 KB of which Airflow warns (ours)."""
MAX_NAMES = 48_000
"""Characters of JSON: where the names take more, the index says the number of videos alone (ours)."""
MAX_ASKED = 1_000_000
"""More than any task is asked for (ours)."""
VERSION = 1
_NOT_UNDERSTOOD = "the value under {!r} is not a record of this provider, or only half of one"


def shard_key(number: int) -> str:
    """Under which some of the videos stand.

    :param number: of the shard, from 0.
    """
    return f"{INDEX_KEY}.{number}"


def identity(name: str) -> str:
    """What tells a video from all others of its task: its name, however its letters are composed.

    :param name: of the video.
    """
    return normalize("NFC", name)


class VideoShards:
    """What a task knows of its videos, by their names.

    What cannot be understood is refused: it may be about videos that are paid for.

    :param index: the value under ``INDEX_KEY``; None where nothing does.
    :raises ValueError: the index cannot be understood.
    """

    def __init__(self, index: Any = None) -> None:
        count = 0 if index is None else index.get("shards") if isinstance(index, Mapping) else None
        if type(count) is not int or count < 0:
            raise ValueError(_NOT_UNDERSTOOD.format(INDEX_KEY))
        self._count = count
        self._asked = (
            {key: index[key] for key in _ASKED if key in index} if isinstance(index, Mapping) else {}
        )
        self.brake = index.get("brake") if isinstance(index, Mapping) else None
        """What stops submissions in the try that has stored it, as JSON; None for nothing."""
        self._videos: dict[int, dict[str, dict[str, Any]]] = {number: {} for number in range(self._count)}
        self._shard_of: dict[str, int] = {}

    @property
    def count(self) -> int:
        """How many values there are."""
        return self._count

    @property
    def names(self) -> list[str]:
        """The videos of which something is known, or which have a place."""
        return list(self._shard_of)

    def take_in(self, number: int, stored: Any) -> None:
        """Take in one stored value.

        :param number: of the shard.
        :param stored: the value under its key, perhaps of another release; None where nothing does.
        :raises ValueError: it cannot be understood.
        """
        if stored is None:
            return
        videos = stored.get("videos") if isinstance(stored, Mapping) else None
        if not isinstance(videos, Mapping) or not all(isinstance(kept, Mapping) for kept in videos.values()):
            raise ValueError(_NOT_UNDERSTOOD.format(shard_key(number)))
        for name, kept in videos.items():
            self._videos[number][name] = dict(kept)
            self._shard_of[name] = number

    def make_room(self, names: Iterable[str]) -> bool:
        """Give each video a place; whether the index has more to say than it says.

        :param names: of the videos that are asked for, in their order.
        """
        names = list(dict.fromkeys(map(identity, names)))
        before, asked_before = self._count, self._asked
        self._asked = _asked(names)
        # Places of videos of which nothing was recorded are free again: the index must not grow with each try.
        free = iter([n for n in range(before) for _ in range(VIDEOS_A_SHARD - len(self._videos[n]))])
        for name in names:
            if name in self._shard_of:
                continue
            number = next(free, self._count - 1)
            if number < 0 or len(self._videos[number]) >= VIDEOS_A_SHARD:
                number = self._count
                self._videos[number] = {}
                self._count += 1
            self._shard_of[name] = number
            self._videos[number][name] = {}
        return self._count > before or self._asked != asked_before

    def shard_of(self, name: str) -> int:
        """The number of the value in which a video has its place.

        :param name: of the video.
        """
        return self._shard_of[identity(name)]

    def kept(self, name: str) -> dict[str, Any]:
        """What is known of a video: changes to it are stored with its shard.

        :param name: of the video.
        """
        return self._videos[self.shard_of(name)][identity(name)]

    def index_json(self) -> dict[str, Any]:
        """The value for ``INDEX_KEY``."""
        brake = {} if self.brake is None else {"brake": self.brake}
        return {"version": VERSION, "shards": self._count, **self._asked, **brake}

    def shard_json(self, number: int) -> dict[str, Any]:
        """The value for ``shard_key(number)``: videos of which nothing is known are left out.

        :param number: of the shard.
        """
        videos = {name: dict(kept) for name, kept in self._videos[number].items() if kept}
        return {"version": VERSION, "videos": videos}


_ASKED = ("asked", "names")


def _asked(names: list[str]) -> dict[str, Any]:
    asked: dict[str, Any] = {"asked": len(names)}
    return asked | {"names": names} if len(json.dumps(names)) <= MAX_NAMES else asked


def asked_for(index: Any) -> tuple[int, list[str]]:
    """How many videos a task is asked for, and their names where the index has them; none where it does not say.

    :param index: the value under ``INDEX_KEY``, perhaps of another release.
    """
    number, names = (index.get(key) for key in _ASKED) if isinstance(index, Mapping) else (None, None)
    if isinstance(names, list):
        named = [name for name in names if isinstance(name, str)]
        return len(named), named
    return number if type(number) is int and 0 <= number <= MAX_ASKED else 0, []


SUBMISSIONS = "submissions"
"""Of a video: the records of its submissions, as ``stored_records`` freezes them."""
OUTCOME = "outcome"
"""Of a video: what came of it."""


def compact(value: Any) -> Any:
    """A JSON value without what has the default of its field anyway: null, and what is empty.

    :param value: records, as ``stored_records`` freezes them.
    """
    if not isinstance(value, Mapping):
        return value
    smaller = {name: compact(item) for name, item in value.items()}
    return {name: item for name, item in smaller.items() if item is not None and item != {}}


def must_be_stored_first(before: Any, after: Any) -> bool:
    """Whether the records of a video tell something that must be stored before anything else is done.

    :param before: records, as ``stored_records`` freezes them; None for none.
    :param after: the same, changed.
    """
    known = _states(before)
    return any(
        state != known.get(stage) and state[0] != "completed" for stage, state in _states(after).items()
    )


def begins_to_send(before: Any, after: Any) -> bool:
    """Whether the records of a video say that something is sent now.

    :param before: records, as ``stored_records`` freezes them; None for none.
    :param after: the same, changed.
    """
    known = _states(before)
    return any(state[0] == "intent" and state != known.get(stage) for stage, state in _states(after).items())


def _states(records: Any) -> dict[str, tuple[Any, ...]]:
    found = records.get("records") if isinstance(records, Mapping) else None
    return {
        stage: tuple(
            record.get(name) for name in ("state", "job_id", "begun_at", "sent_at", "reported_since")
        )
        for stage, record in (found.items() if isinstance(found, Mapping) else ())
        if isinstance(record, Mapping)
    }


def stage_of(shard: int, name: str, kind: str) -> str:
    """What names the record of one submission of one video among all of its task.

    :param shard: in which the video stands.
    :param name: of the video.
    :param kind: of the job.
    """
    return (
        f"{shard}.{hashlib.sha256(identity(name).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}.{kind}"
    )


def shard_of_stage(stage: str) -> int | None:
    """The shard in which the record of a submission stands; None where its task makes one video.

    :param stage: of the submission.
    """
    number, dot, _ = stage.partition(".")
    return int(number) if dot and number.isascii() and number.isdigit() else None


def record_in_shard(stored: Any, stage: str) -> Any:
    """The record of one submission in a stored value, as JSON; None where there is none.

    :param stored: the value under ``shard_key``.
    :param stage: of the submission.
    """
    videos = stored.get("videos") if isinstance(stored, Mapping) else None
    for kept in videos.values() if isinstance(videos, Mapping) else ():
        found = record_json(kept.get(SUBMISSIONS), stage) if isinstance(kept, Mapping) else None
        if found is not None:
            return found
    return None
