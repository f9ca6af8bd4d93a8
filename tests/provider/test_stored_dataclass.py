"""What one release has stored, another reads."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import pytest

from airflow_video_creation.provider.stored_dataclass import thawed, thawed_strictly


@dataclass(frozen=True)
class Note:
    text: str
    at: float = 0.0
    count: int = 0
    done: bool = False
    by: str | None = None
    version: int = 1


@dataclass(frozen=True)
class Book:
    name: str
    notes: dict[str, Any] = field(default_factory=dict)


@pytest.mark.parametrize("thaw", [thawed, thawed_strictly])
def test_keys_of_another_release_are_ignored_and_missing_ones_have_their_default(thaw: Any) -> None:
    assert thaw(Note, {"text": "a", "count": 2, "of_a_later_release": 1}) == Note("a", count=2)
    assert thaw(Note, asdict(Note("a", by="b"))) == Note("a", by="b")


@pytest.mark.parametrize("thaw", [thawed, thawed_strictly])
@pytest.mark.parametrize("stored", [None, "x", 3, [], {}, {"at": 1.0}])
def test_what_is_no_such_thing_is_none(thaw: Any, stored: Any) -> None:
    assert thaw(Note, stored) is None


@pytest.mark.parametrize(
    "odd",
    [
        {"text": 1},
        {"at": "1"},
        {"at": float("nan")},
        {"at": True},
        {"count": 1.0},
        {"count": True},
        {"done": 1},
        {"by": 2},
    ],
)
def test_a_value_of_another_type_is_taken_only_where_nobody_else_writes(odd: dict[str, Any]) -> None:
    stored = {"text": "a", **odd}
    assert thawed_strictly(Note, stored) is None
    assert thawed(Note, stored) is not None


def test_a_whole_number_is_a_number() -> None:
    assert thawed_strictly(Note, {"text": "a", "at": 5}) == Note("a", at=5)


def test_nested_values_are_kept_as_they_are() -> None:
    assert thawed(Book, {"name": "a", "notes": {"b": [1]}}) == Book("a", {"b": [1]})


class Words:
    """Counts how often the type of a field is looked up here."""

    times = 0

    @property
    def text(self) -> type:
        self.times += 1
        return str


words: Any = Words()


@dataclass(frozen=True)
class Page:
    text: words.text


def test_the_types_of_a_class_are_looked_up_once_for_all_that_is_stored() -> None:
    for number in range(100):
        assert thawed_strictly(Page, {"text": str(number)}) == Page(str(number))
    assert words.times == 1
