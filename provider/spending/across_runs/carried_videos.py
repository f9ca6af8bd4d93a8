"""Videos that a plan leaves out for lack of room, and a later run of the same task makes: each is made by one run.

What a run leaves is in notes of many videos each. A run that makes one claims it first, by a note of its own, and
makes it only if it then looks and finds no other claim. So nothing has to be compared and set: of two runs that both
claim, at least one finds the claim of the other. Of runs that claim at the same moment, the one that comes first in a
fixed order waits a little, and all others take their claims back. If one of them does not, nobody makes the video
now, and it waits for the next run. The claim of a run that makes a video stays, and so does what it has planned:
cleared, it plans its own again, and leaves nothing to others that it may have made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from ...errors import ConfigurationError, InvalidRequestError
from ..given_name import given_name
from ..given_storyboard import storyboard_and_metadata
from ..left_out import WAITED_TOO_LONG
from ..video_plan import PlannedVideo, VideoPlan
from .carried_notes import (
    CLAIM,
    LEFT,
    PLAN,
    Carried,
    digest_of,
    left_text,
    note_text,
    read_left,
    read_planned,
    sorted_out,
    writer_of,
)
from .note_steps import Delete, Names, Pause, Read, Steps, Write

Score = Callable[[Mapping[str, Any]], float]

MAX_IN_NOTE = 50
"""How many videos a note holds: to read one at a time would take minutes (ours)."""
PATIENCE = 10
"""How often a run waits for others to take back their claims (ours)."""
KEPT_AFTER = timedelta(days=30)
"""How long beyond ``max_age`` a note is kept, for runs that are cleared (ours)."""


@dataclass(frozen=True)
class Carrier:
    """Who plans: one run of the task.

    :param run: stands for the run, through retries and clears; without a dot.
    :param run_id: the same for people.
    :param now: with a time zone.
    :param max_age: how long a video waits for room.
    """

    run: str
    run_id: str
    now: datetime
    max_age: timedelta


@dataclass(frozen=True)
class Found:
    """What a run is given, and what runs have left that it may make.

    :param given: storyboards, in any form.
    :param carried: the oldest first.
    :param gone: what this run left once, and another run makes; digests of names.
    :param given_up: what has waited too long.
    :param planned: digests of names that this run has planned in an earlier try, and may have made.
    """

    given: Sequence[Any] = ()
    carried: Sequence[Carried] = ()
    gone: frozenset[str] = frozenset()
    given_up: Sequence[Carried] = ()
    planned: frozenset[str] = frozenset()
    claimed: frozenset[str] = field(default=frozenset(), repr=False)
    """Places that this run has claimed before."""
    notes: Mapping[str, Sequence[Carried]] = field(default_factory=dict, repr=False)
    """What runs have left, by note, whoever makes it."""
    next_number: int = 0
    """Of the next note that this run writes."""

    @cached_property
    def waiting(self) -> Mapping[str, Carried]:
        """What was carried over and is planned, by name: of one name what the run was given, else the oldest."""
        oldest: dict[str, Carried] = {}
        for one in self.carried:
            oldest.setdefault(one.name, one)
        return {name: one for name, one in oldest.items() if name not in self._given_names}

    @cached_property
    def _given_names(self) -> Mapping[str, str]:
        names = map(_given_name, self.given)
        return {name.casefold(): name for name in names}

    def in_order(self, score: Score | None = None) -> list[Any]:
        """What the run is to plan: what was carried over, then what it was given.

        What an earlier try of this run has planned comes before all others: a clear plans the same again.

        :param score: of a storyboard: those with the highest come first.
        """
        in_order = [
            *(dict(one.storyboard) for one in self.waiting.values()),
            *(storyboard for storyboard in self.given if digest_of(_name(storyboard)) not in self.gone),
        ]
        if score:
            in_order.sort(key=lambda storyboard: -_scored(score, storyboard))
        return sorted(in_order, key=lambda storyboard: digest_of(_name(storyboard)) not in self.planned)

    def left_out(self, max_age: timedelta) -> list[PlannedVideo]:
        """What is neither planned nor carried over any more, each with its reason.

        :param max_age: as the plan has it.
        """
        names = [name for low, name in self._given_names.items() if digest_of(low) in self.gone]
        why = "it was left to a later run, which makes it."
        taken = [PlannedVideo(name, reason=why, kind="later") for name in names]
        old = f"{WAITED_TOO_LONG}{max_age}, and is given up."
        return [
            *taken,
            *(
                PlannedVideo(one.video, reason=old, kind="limit", left_by=one.run_id)
                for one in self.given_up
                if one.name not in self._given_names
            ),
        ]

    def marked(self, plan: VideoPlan) -> VideoPlan:
        """The plan, in which each video that was carried over says whose it was.

        :param plan: of ``in_order``.
        """
        waiting = self.waiting
        return VideoPlan(
            tuple(
                replace(video, left_by=waiting[video.name].run_id) if video.name in waiting else video
                for video in plan.videos
            )
        )


def find_carried(carrier: Carrier, given: Sequence[Any] = ()) -> Steps[Found]:
    """Look what this run may make (source: ours).

    :param carrier: who plans.
    :param given: what the run was given: storyboards, in any form.
    :raises SpendingRecordError: a note cannot be read.
    """
    left, claims, plans = sorted_out((yield Names()))
    mine = frozenset(place for place, runs in claims.items() if carrier.run in runs)
    others = {place for place, runs in claims.items() if runs - {carrier.run}}
    notes: dict[str, Sequence[Carried]] = {}
    for name in left:
        text = yield Read(name)
        # Another run may have given it up meanwhile.
        if text is not None:
            notes[name] = read_left(name, text)
    free: list[Carried] = []
    given_up: list[Carried] = []
    for one in (one for each in notes.values() for one in each if one.place not in others):
        too_old = carrier.now - one.since > carrier.max_age and one.place not in mine
        (given_up if too_old else free).append(one)
    numbers = [number for run, number in map(writer_of, left) if run == carrier.run]
    planned: set[str] = set()
    for name, run in plans.items():
        if run == carrier.run:
            planned.update(read_planned(name, (yield Read(name))))
    return Found(
        given=given,
        carried=sorted(free, key=lambda one: (one.since, one.number, one.place)),
        gone=frozenset(video for _, run, video in (p.split(".") for p in others) if run == carrier.run),
        given_up=given_up,
        planned=frozenset(planned),
        claimed=mine,
        notes=notes,
        next_number=max(numbers, default=-1) + 1,
    )


def carry_over(carrier: Carrier, found: Found, plan: VideoPlan) -> Steps[VideoPlan]:
    """Claim what the plan makes, and leave to later runs what it has no room for (source: ours).

    :param carrier: who plans.
    :param found: what the plan was made of.
    :param plan: with what was carried over and what the run was given.
    :return: the plan, without what another run has claimed at the same moment.
    :raises SpendingRecordError: a note cannot be read or stored.
    """
    places: dict[str, list[str]] = {}
    for one in found.carried:
        places.setdefault(one.name, []).append(one.place)
    # What an earlier try has planned may be made: that claim is known to all, and is never taken back.
    open_videos = [video for video in plan.videos if digest_of(video.name) not in found.planned]
    claiming = {video.name: places[video.name] for video in open_videos if _claims(video, found, places)}
    claims_now = {place for each in claiming.values() for place in each}
    for place in sorted(claims_now - found.claimed):
        yield Write(f"{place}.{CLAIM}.{carrier.run}", note_text(run_id=carrier.run_id))
    contested = yield from _contested(carrier, claiming)
    made = {video.name for video in plan.made}
    left: dict[str, PlannedVideo] = {}
    for video in open_videos:
        if video.no_room and video.name not in made:
            left.setdefault(video.name, video)
    for name in left:
        for place in (claims_now | found.claimed).intersection(places.get(name, ())):
            yield Delete(f"{place}.{CLAIM}.{carrier.run}")
    today = carrier.now.date()
    leaving = [
        Carried("", carrier.run_id, video.video, video.as_given(), carrier.now, number)
        for number, (name, video) in enumerate(left.items())
        # Of one name one waits: the one that has waited longest.
        if name not in places
    ]
    for first in range(0, len(leaving), MAX_IN_NOTE):
        name = f"{today.isoformat()}.{carrier.run}.{found.next_number + first // MAX_IN_NOTE}.{LEFT}"
        yield Write(name, left_text(leaving[first : first + MAX_IN_NOTE]))
    planned = {digest_of(video.name) for video in plan.made if video.name not in contested} | found.planned
    if planned:
        yield Write(
            f"{today.isoformat()}.{carrier.run}.{PLAN}",
            note_text(run_id=carrier.run_id, videos=sorted(planned)),
        )
    # Last: until then a retry finds what was given up, and tells it. What the run left again has the same place.
    given_up = {(one.place, one.since) for one in found.given_up}
    for name, videos in found.notes.items():
        kept = [one for one in videos if (one.place, one.since) not in given_up]
        if not kept:
            yield Delete(name)
        elif len(kept) < len(videos):
            yield Write(name, left_text(kept))
    # No day is before the first one.
    oldest = today - KEPT_AFTER - min(carrier.max_age, today - KEPT_AFTER - date.min)
    for name in (yield Names()):
        if name < oldest.isoformat():
            yield Delete(name)
    return VideoPlan(tuple(_told(video, contested, left) for video in plan.videos))


def _contested(carrier: Carrier, claiming: Mapping[str, Sequence[str]]) -> Steps[set[str]]:
    """Which of the videos that this run has claimed others claim, too: it takes back its claims of those."""
    waiting = set(claiming)
    contested: set[str] = set()
    for waits_left in range(PATIENCE, -1, -1):
        if not waiting:
            break
        _, claims, _ = sorted_out((yield Names()))
        lost: set[str] = set()
        for name in sorted(waiting):
            runs = [claims.get(place, set()) for place in claiming[name]]
            if all(each == {carrier.run} for each in runs):
                # From here on this claim is found by all others: it is never taken back.
                waiting.remove(name)
            # A claim of its own that is gone was taken away by somebody.
            elif not waits_left or any(min(each, default="") != carrier.run for each in runs):
                lost.add(name)
        for place in sorted({place for name in lost for place in claiming[name]}):
            yield Delete(f"{place}.{CLAIM}.{carrier.run}")
        waiting -= lost
        contested |= lost
        if waiting:
            yield Pause()
    return contested


def _claims(video: PlannedVideo, found: Found, places: Mapping[str, Sequence[str]]) -> bool:
    """Whether this run takes what waits: what it makes, and what has become wrong, which it tells once."""
    if video.reason is None:
        return video.name in places
    return video.storyboard is None and video.name in found.waiting


def _told(video: PlannedVideo, contested: set[str], left: Mapping[str, PlannedVideo]) -> PlannedVideo:
    if video.reason is None and video.name in contested:
        why = "another run plans it at the same moment: that one makes it, or a later one."
        return replace(video, reason=why, kind="later")
    if left.get(video.name) is video:
        return replace(video, reason=f"{video.reason} A later run makes it.", kind="later")
    return video


def _scored(score: Score, storyboard: Any) -> float:
    """A storyboard's score; what is wrong is planned last, and left out there."""
    from ...models.storyboard import Storyboard

    try:
        readable = Storyboard.read(storyboard_and_metadata(storyboard)[0])
    except (InvalidRequestError, AttributeError):
        return -math.inf
    try:
        number = float(score(readable.to_dict()))
    # It is the author's own.
    except Exception as error:
        raise ConfigurationError(
            f"score= fails for the video {readable.video_name!r} ({type(error).__name__}: {error}): it must return a "
            "number for each storyboard. Nothing was planned, and nothing is paid."
        ) from error
    if math.isnan(number):
        raise ConfigurationError(
            f"score= returns no number for the video {readable.video_name!r}, but NaN. Nothing was planned, and "
            "nothing is paid."
        )
    return number


def _given_name(given: Any) -> str:
    return given_name(storyboard_and_metadata(given)[0]) or ""


def _name(given: Any) -> str:
    return _given_name(given).casefold()
