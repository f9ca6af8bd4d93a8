"""The list of storyboards that a task is given: each with its name, and with what its author adds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from ..errors import ConfigurationError, InvalidRequestError, Problem
from ..quoting import shortened
from ..rendered_text import is_nothing
from ..spending.failure import MAX_NAME
from ..spending.given_name import given_name
from ..spending.given_storyboard import storyboard_and_metadata
from .video_shards import identity

MAX_PROBLEMS = 20
"""How many wrong storyboards a message shows (ours)."""
_UNSENT = "Nothing was sent, and nothing was paid."


@dataclass(frozen=True)
class GivenVideo:
    """One video that is asked for (source: ours).

    :param index: in the list, from 0.
    :param name: the storyboard's videoName; None where it has none that can be read.
    :param storyboard: as it was given, unchecked.
    :param metadata: the author's own, for the sidecar and the manifest.
    """

    index: int
    name: str | None
    storyboard: Any
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """For messages."""
        return f"storyboards[{self.index}]{f' {shortened(self.name, MAX_NAME)!r}' if self.name else ''}"


def given_videos(storyboards: Any, task_id: str) -> list[GivenVideo]:
    """Read the list (source: ours).

    :param storyboards: a list of models, dicts with wire names, or JSON or YAML texts; or of pairs of one of these and
        a dict of metadata, as ``(storyboard, metadata)`` or ``{"storyboard": ..., "metadata": ...}``.
    :param task_id: for messages.
    :raises ConfigurationError: it is no list, or holds something else.
    """
    if storyboards is None or isinstance(storyboards, str | bytes | Mapping):
        raise _no_list(storyboards, task_id)
    if not isinstance(storyboards, Sequence) and not isinstance(storyboards, Iterable):
        raise _no_list(storyboards, task_id)
    return [_given(index, item, task_id) for index, item in enumerate(storyboards)]


def require_own_names(videos: Iterable[GivenVideo], task_id: str) -> None:
    """Refuse two videos of one name: it is what a retry knows each by, and the name of its file.

    :param videos: that are asked for.
    :param task_id: for messages.
    :raises InvalidRequestError: two have one name, or names that differ in upper and lower case alone.
    """
    first: dict[str, GivenVideo] = {}
    problems = []
    for video in videos:
        if video.name is None:
            continue
        other = first.setdefault(identity(video.name).casefold(), video)
        if other is not video:
            same = "has the videoName" if other.name == video.name else "has almost the videoName"
            problems.append(Problem(video.label, "", f"{same} of {other.label}; each needs its own"))
    require_none(problems, task_id)


def problems_in(label: str, error: InvalidRequestError) -> list[Problem]:
    """What is wrong with one storyboard of the list, by paths that begin at the list.

    :param label: of the storyboard, such as ``storyboards[3] 'news'``.
    :param error: of its check.
    """
    return [
        Problem(f"{label}{'.' if problem.path else ''}{problem.path}", problem.value, problem.message)
        for problem in error.problems
    ]


def require_none(problems: Sequence[Problem], task_id: str) -> None:
    """Refuse the list where something is wrong with it.

    :param problems: of its storyboards.
    :param task_id: for messages.
    :raises InvalidRequestError: there are some; the first are named.
    """
    if not problems:
        return
    more = max(len(problems) - MAX_PROBLEMS, 0)
    raise InvalidRequestError(f"argument storyboards= of task {task_id!r}", problems[:MAX_PROBLEMS], more)


def names_of(given: Any, argument: str, task_id: str) -> list[str]:
    """An argument that is a list of video names, or JSON of one; what renders to nothing is none (source: ours).

    :param given: its value.
    :param argument: its name, for messages.
    :param task_id: for messages.
    :raises ConfigurationError: it is something else.
    """
    names = _from_json(given) if isinstance(given, str) else given
    if is_nothing(names):
        return []
    if isinstance(names, str | Mapping) or not isinstance(names, Iterable):
        raise ConfigurationError(
            f"Task {task_id!r} needs {argument}= as a list of video names, or as JSON text of such a list, such as "
            f'"{{{{ params.names | tojson }}}}"; it is {_shown(given)}. {_UNSENT}'
        )
    return [str(name) for name in names if not is_nothing(name)]


def _from_json(text: str) -> Any:
    """What a text says as JSON; where it is none, the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def adopted_jobs(given: Any, argument: str, names: Iterable[str], task_id: str) -> dict[str, Any]:
    """The jobs that a person found at the service, by the identity of their video (source: ours).

    :param given: the argument's value: a dict from names to jobs; what a template makes of nothing counts for none.
    :param argument: its name, for messages.
    :param names: of the videos that are asked for.
    :param task_id: for messages.
    :raises ConfigurationError: it is something else, or names a video that is not asked for: a mistyped name would
        have the video made, and paid for, once more.
    """
    if is_nothing(given):
        return {}
    if not isinstance(given, Mapping):
        raise ConfigurationError(
            f"Task {task_id!r} needs {argument}= as a dict from video names to job ids; it is {_shown(given)}. "
            f"{_UNSENT}"
        )
    jobs = {identity(str(name)): job for name, job in given.items() if not is_nothing(job)}
    known = {identity(name) for name in names}
    for name, job in jobs.items():
        if isinstance(job, bool) or not isinstance(job, str | int | Mapping):
            raise ConfigurationError(
                f"Task {task_id!r} has {_shown(job)} at {argument}[{name!r}], which is not a job id. {_UNSENT}"
            )
        if name not in known:
            near = get_close_matches(name, known, n=1)
            meant = f" Did you mean {near[0]!r}?" if near else ""
            raise ConfigurationError(
                f"Task {task_id!r} has a job for video {name!r} in {argument}=, but no such video in storyboards=."
                f"{meant} Correct the name, or remove it. {_UNSENT}"
            )
    return jobs


def _given(index: int, item: Any, task_id: str) -> GivenVideo:
    storyboard, metadata = storyboard_and_metadata(item)
    if storyboard is None or not (isinstance(storyboard, Mapping | str) or hasattr(storyboard, "to_dict")):
        raise ConfigurationError(
            f"Task {task_id!r} has {_shown(item)} at storyboards[{index}], which is not a storyboard. Leave it "
            "out, or give a "
            f"model, a dict, a JSON or YAML text, or (storyboard, metadata). {_UNSENT}"
        )
    if metadata is not None and not isinstance(metadata, Mapping):
        raise ConfigurationError(
            f"Task {task_id!r} has metadata at storyboards[{index}] that is not a dict, but {_shown(metadata)}. "
            f"{_UNSENT}"
        )
    if metadata and "scenes" in metadata and "videoName" in metadata:
        raise ConfigurationError(
            f"Task {task_id!r} has two storyboards at storyboards[{index}], where one and its metadata belong: give "
            f"one list of all storyboards. {_UNSENT}"
        )
    # An empty name is none, and half of a surrogate pair can be neither logged nor put into XCom: the check of the
    # storyboard refuses both.
    name = (given_name(storyboard) or "").encode(errors="backslashreplace").decode()
    return GivenVideo(index, name or None, storyboard, dict(metadata or {}))


def _no_list(given: Any, task_id: str) -> ConfigurationError:
    return ConfigurationError(
        f"Task {task_id!r} needs storyboards= as a list of storyboards; it is {_shown(given)}. "
        f"{'Was the task that gives it skipped, or did it return nothing? ' if is_nothing(given) else ''}{_UNSENT}"
    )


def _shown(given: Any) -> str:
    if is_nothing(given):
        return repr(given)
    return "text" if isinstance(given, str) else f"a {type(given).__name__}"
