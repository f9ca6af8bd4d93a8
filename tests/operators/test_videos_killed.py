"""A task that makes many videos dies at any touch of its store: its retry pays for nothing twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.errors import VideosFailedError

NAMES = [f"v{number}" for number in range(6)]
AT_A_TIME = 4
"""How many are submitted at a time."""


class Killed(BaseException):
    """The worker is gone."""


class MortalStore:
    """Keeps values until its worker dies at one touch, before or after that has an effect; then nothing any more."""

    def __init__(self, values: dict[str, Any], at: int, *, after: bool) -> None:
        self._values, self._at, self._after, self._touched = values, at, after, 0

    def get(self, key: str, default: Any = None) -> Any:
        return self._around(lambda: self._values.get(key, default))

    def set(self, key: str, value: Any) -> None:
        self._around(lambda: self._values.update({key: value}))

    def _around(self, touch: Any) -> Any:
        mine, self._touched = self._touched, self._touched + 1
        if mine > self._at or (mine == self._at and not self._after):
            raise Killed
        result = touch()
        if mine == self._at:
            raise Killed
        return result


def one_try(task: Any, store: Any, folder: Path) -> list[dict[str, Any]]:
    storyboards = [{"videoName": name, "scenes": [{"text": name}]} for name in NAMES]
    operator = CreateVideosOperator(
        task_id="t", storyboards=storyboards, destination=f"{folder}/", poll_interval=0.05
    )
    operator.sleep = lambda seconds: None
    try:
        made: list[dict[str, Any]] = operator.execute(task.context() | {"task_state_store": store})
    except VideosFailedError:
        made = task.pushed["return_value"]
    return made


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("touch", [1, 2, 4, 6, 8])
def test_killed(
    emulator: Any, task: Any, variables: Any, submissions: Any, tmp_path: Path, touch: int, after: bool
) -> None:
    values: dict[str, Any] = {}
    with pytest.raises(Killed):
        one_try(task, MortalStore(values, touch, after=after), tmp_path)
    task.retry()
    task.store.values = values

    made = Counter(row["state"] for row in one_try(task, task.store, tmp_path))

    assert made["delivered"] + made["in-doubt"] == len(NAMES)
    assert made["in-doubt"] <= AT_A_TIME
    for name in NAMES:
        sent = [call for call in emulator.admin.calls(operation="storyboard", name=name) if call["acted"]]
        assert len(sent) <= 1, f"{name} was paid for twice"
    assert submissions("render") <= len(NAMES)
