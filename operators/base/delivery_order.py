"""Checks the arguments of a delivery before anything is paid, and makes the delivery's order."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from ...provider.errors import ConfigurationError
from ...provider.rendered_text import NONE_TEXT, is_none, is_nothing

if TYPE_CHECKING:
    from ...hooks.delivery.order import Order
    from ...provider.delivery.media_kind import Subtitles

SUBTITLES = ("srt", "vtt")
_NO_PLACE = (
    rf"(?:[^:/]+://(?:[^/]*@)?)?(?:{NONE_TEXT}/*)?|(?:s3a?|gc?s|abfss?)://(?:[^/]*@)?(?:{NONE_TEXT})?/.*"
)
"""What a template makes of a missing value; or an address in an object store without a bucket."""
_DELIVERED = (".mp4", ".json", *(f".{kind}" for kind in SUBTITLES))
_MADE_BY = ("dag_id", "task_id", "run_id", "map_index", "try_number")


def check_subtitles(subtitles: Sequence[str] | str, task_id: str) -> tuple[Subtitles, ...]:
    """``subtitles`` as they were given: one name, or several (source: ours).
    :param task_id: the task's id.
    :raises ConfigurationError: there are no such subtitles.
    """
    if isinstance(subtitles, str):
        subtitles = (subtitles,)
    if not isinstance(subtitles, Iterable):
        raise ConfigurationError(
            f"Task {task_id!r} has subtitles={subtitles!r}; give some of {', '.join(SUBTITLES)}, or () for none."
        )
    names = tuple(subtitles)
    if unknown := [name for name in names if name not in SUBTITLES]:
        raise ConfigurationError(
            f"Task {task_id!r} has {unknown[0]!r} in subtitles=; give some of {', '.join(SUBTITLES)}."
        )
    return cast("tuple[Subtitles, ...]", names)


def check_destination(destination: Any, task_id: str) -> str:
    """``destination`` as it was given: a file, or a folder (source: ours).

    :param destination: its value.
    :param task_id: the task's id.
    :raises ConfigurationError: it names no place.
    """
    return _place("destination", destination, task_id, "s3://conn_id@bucket/a.mp4")


def check_folder(destination: Any, task_id: str) -> str:
    """``destination`` of a task that delivers many videos: a folder (source: ours).

    :param destination: its value.
    :param task_id: the task's id.
    :raises ConfigurationError: it names no place, or has no slash at its end.
    """
    given = _place("destination", destination, task_id, "s3://conn_id@bucket/videos/")
    if hasattr(destination, "joinpath") and not given.lower().endswith((".mp4", "/")):
        # A path, of the worker's disk or an ObjectStoragePath, drops the slash that its author wrote.
        given += "/"
    if not given.endswith("/"):
        raise ConfigurationError(
            f"Task {task_id!r} has destination={_quoted(given)!r}, which all of its videos would share: end it with a "
            "slash, so that it is a folder. Nothing was fetched, and nothing was paid."
        )
    return given


def check_manifest(manifest: Any, task_id: str) -> str:
    """``manifest`` of a task that delivers many videos, as an absolute path or a URL (source: ours).

    :param manifest: its value.
    :param task_id: the task's id.
    :raises ConfigurationError: it names no place, or a folder.
    """
    example = "s3://conn_id@bucket/videos.jsonl"
    given = _place("manifest", manifest, task_id, example)
    if given.endswith("/"):
        raise ConfigurationError(
            f"Task {task_id!r} has manifest={_quoted(given)!r}, which is a folder: name the file in it, such as "
            f"{example!r}. Nothing was fetched, and nothing was paid."
        )
    return _absolute(given)


def require_own_place(manifest: str, folder: str, names: Iterable[str], task_id: str) -> None:
    """Refuse a manifest that would overwrite a video, or a file that belongs to one (source: ours).

    :param manifest: from ``check_manifest``.
    :param folder: of the videos, from ``check_folder``.
    :param names: of the videos.
    :param task_id: the task's id.
    :raises ConfigurationError: it would.
    """
    stem, dot, ending = manifest.rpartition(".")
    if f"{dot}{ending}".lower() not in _DELIVERED:
        return
    if f"{stem}.mp4".casefold() in {destination_of(folder, name).casefold() for name in names}:
        raise ConfigurationError(
            f"Task {task_id!r} has manifest={_quoted(manifest)!r}, where a video or one of its files is delivered: "
            "give the manifest another name. Nothing was fetched, and nothing was paid."
        )


def destination_of(given: str, name: str) -> str:
    """The place for a video, as an absolute path or a URL (source: ours).

    :param given: from ``check_destination``: the file, or its folder.
    :param name: of the file in a folder, without its ending.
    """
    return _absolute(f"{given}{name}.mp4" if given.endswith("/") else given)


def warn_of_odd_names(destination: str, task_id: str, log: logging.Logger | Any) -> None:
    """Warn about each name in a destination that may be a mistake (source: ours).

    :param destination: from ``check_destination``.
    :param task_id: the task's id.
    :param log: the task's log.
    """
    from ...provider.text.file_names import trouble_with_name

    for name in destination.rpartition("://")[2].split("/"):
        if is_none(name.removesuffix(".mp4")):
            why: str | None = f"{NONE_TEXT!r} is what a template makes of a missing value"
        else:
            why = None if name in (".", "..") else trouble_with_name(name)
        if why:
            log.warning(
                "The destination of task %r has an odd name in it, %r: %s. Is that intended?",
                task_id,
                name,
                why,
            )


def checked_metadata(metadata: Any, task_id: str, where: str = "") -> dict[str, Any]:
    """``metadata`` as plain JSON (source: ours).

    :param metadata: its value; an empty value counts as an empty dict.
    :param task_id: the task's id.
    :param where: which one of many, for messages.
    :raises ConfigurationError: it is not a dict, or not JSON.
    """
    try:
        plain = json.loads(json.dumps(metadata or {}, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"Task {task_id!r} has metadata={where} that is not JSON: {error}."
        ) from None
    if not isinstance(plain, dict):
        raise ConfigurationError(
            f"Task {task_id!r} has metadata={where} that is not a dict, but {plain!r:.60}."
        )
    return plain


def delivery_order(
    context: Mapping[str, Any],
    *,
    task_id: str,
    job_id: str,
    destination: Any,
    video_name: Any = None,
    subtitles: Sequence[Subtitles] = (),
    thumbnail: bool = False,
    sidecar: bool = False,
    metadata: Any = None,
    log: logging.Logger | Any = None,
) -> Order:
    """The order for one delivery, with all of its arguments checked (source: ours).

    One task may deliver several videos at the same time if they have different names.

    :param context: the task's context.
    :param task_id: the task's id.
    :param job_id: a finished render job.
    :param destination: a path or a URL, of the file or of a folder.
    :param video_name: empty for none.
    :param subtitles: from ``check_subtitles``.
    :param thumbnail: whether to put one beside the video.
    :param sidecar: whether to put the video's description beside it.
    :param metadata: for the sidecar and the event.
    :param log: for warnings about odd names in the destination; None where that was done once for all videos.
    :raises ConfigurationError: an argument is wrong.
    """
    from ...hooks.delivery.order import Order
    from ...hooks.delivery.own_folder import own_name

    ti: Any = context.get("ti")
    name = _video_name(video_name, task_id)
    place = check_destination(destination, task_id)
    if log is not None:
        warn_of_odd_names(place, task_id, log)
    return Order(
        job_id=job_id,
        destination=destination_of(place, name or quote(str(job_id), safe="")),
        task_id=task_id,
        own=own_name(context, name),
        video_name=name,
        subtitles=tuple(dict.fromkeys(subtitles)),
        thumbnail=thumbnail,
        sidecar=sidecar,
        metadata=checked_metadata(metadata, task_id),
        made_by={key: getattr(ti, key, None) for key in _MADE_BY} if ti else {},
    )


def _video_name(given: Any, task_id: str) -> str | None:
    from pydantic import TypeAdapter, ValidationError

    from ...provider.models.media import FileName

    if is_nothing(given):
        return None
    try:
        return TypeAdapter(FileName).validate_python(given)
    except ValidationError as error:
        why = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise ConfigurationError(f"Task {task_id!r} has video_name={given!r}: it {why}.") from None


def _place(argument: str, given: Any, task_id: str, example: str) -> str:
    place = str(given or "").strip()
    if re.fullmatch(_NO_PLACE, place):
        raise ConfigurationError(
            f"Task {task_id!r} needs {argument}=, such as {example!r}; "
            f"it is {_quoted(place)!r}, which is empty or has no bucket. "
            "Nothing was fetched, and nothing was paid."
        )
    return place


def _absolute(place: str) -> str:
    return place if "://" in place else str(Path(place).absolute())


def _quoted(place: str) -> str:
    from ...provider.quoting import quotable

    return quotable(place) or ""
