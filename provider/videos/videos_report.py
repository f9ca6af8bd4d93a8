"""What a task that makes many videos says: how far it is, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..quoting import sentence
from ..spending.likeness import told_alike
from ..spending.run_summary import length_in_words
from .video_outcome import STATES, State, VideoOutcome

MAX_CAUSES, MAX_NAMES = 10, 10
"""How many causes, and names of videos for each, a failed task shows (ours)."""
WORDS: Mapping[State, str] = {
    "delivered": "delivered",
    "failed": "failed",
    "in-doubt": "in doubt",
    "skipped": "skipped",
    "timed-out": "timed out",
}
"""How a video's state is called in messages."""


def progress_line(
    outcomes: Sequence[VideoOutcome], *, total: int, under_way: int, ended_here: int, seconds: float
) -> str:
    """The whole in one line, such as "412 of 1,000 delivered, 3 failed, 50 under way, about 41 minutes left".

    :param outcomes: of the videos that have ended.
    :param total: how many were asked for.
    :param under_way: how many are neither ended nor still to begin.
    :param ended_here: how many have ended in so many ``seconds``, by which the time left is guessed.
    :param seconds: that this worker has been at work.
    """
    parts = [*_counts(outcomes, total), f"{under_way:,} under way"]
    left = total - len(outcomes)
    if left and ended_here:
        parts.append(f"about {_duration(seconds / ended_here * left)} left")
    return ", ".join(parts)


def headline(outcomes: Sequence[VideoOutcome]) -> str:
    """What came of all, in one sentence.

    :param outcomes: of all videos.
    """
    if not outcomes:
        return "0 of 0 delivered: the list of storyboards is empty, and nothing was sent."
    minutes = sum(outcome.minutes or 0.0 for outcome in outcomes if outcome.is_delivered)
    length = f", {length_in_words(minutes)} of video" if minutes else ""
    return f"{', '.join(_counts(outcomes, len(outcomes)))}{length}."


def causes(outcomes: Sequence[VideoOutcome]) -> list[str]:
    """What went wrong, the most frequent first: how many, which videos, and the first one's message.

    :param outcomes: of all videos.
    """
    alike: dict[tuple[str | None, ...], list[VideoOutcome]] = {}
    for outcome in outcomes:
        if not outcome.is_delivered:
            told = outcome.cause or told_alike(outcome.message, outcome.name)
            alike.setdefault((outcome.state, outcome.error, told), []).append(outcome)
    groups = sorted(alike.values(), key=lambda group: (group[0].state == "skipped", -len(group)))
    lines = [_cause(group) for group in groups[:MAX_CAUSES]]
    more = len(groups) - MAX_CAUSES
    return lines + (
        [f"... and {more} more causes: see this task's result, or its manifest"] if more > 0 else []
    )


def what_to_do(missing: Sequence[VideoOutcome]) -> str:
    """The last line of a task that failed.

    :param missing: what is not delivered, and should be.
    """
    kept = "What is delivered or under way is kept."
    if any(outcome.retryable for outcome in missing):
        return f"A retry makes only what is missing. {kept} After the last try, fix the causes and clear the task."
    return (
        f"No retry can fix this. Fix the causes, then clear this task: it makes only what is missing. {kept}"
    )


def _cause(group: Sequence[VideoOutcome]) -> str:
    first = group[0]
    names = ", ".join(outcome.name for outcome in group[:MAX_NAMES])
    more = f" and {len(group) - MAX_NAMES:,} more" if len(group) > MAX_NAMES else ""
    what = f"{len(group):,} {WORDS[first.state]}{f' ({first.error})' if first.error else ''}: {names}{more}"
    message = "\n".join(f"    {line}" for line in (first.message or "").splitlines())
    return f"{sentence(what)}\n{message}".rstrip()


def _counts(outcomes: Sequence[VideoOutcome], total: int) -> list[str]:
    counted = Counter(outcome.state for outcome in outcomes)
    others = [f"{counted[state]:,} {WORDS[state]}" for state in STATES[1:] if counted[state]]
    return [f"{counted['delivered']:,} of {total:,} delivered", *others]


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"
