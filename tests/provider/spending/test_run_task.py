"""How the tasks of a run ended, of what they left behind."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.spending.failure import Failure
from airflow_video_creation.provider.spending.run_summary import summary_of
from airflow_video_creation.provider.spending.run_task import RunTask, in_order, states_by_task, task_ends


def test_map_indexes_are_told_from_names_that_end_in_numbers() -> None:
    states = {"a": "success", "a_1": "failed", "b_0": "success", "b_10": "skipped", "c_x": "failed"}

    assert states_by_task(states, ["a_1", "b", "a", "c"]) == {
        "a": {-1: "success"},
        "a_1": {-1: "failed"},
        "b": {0: "success", 10: "skipped"},
    }


def test_each_task_stands_behind_those_that_it_depends_on() -> None:
    tasks = [
        RunTask("d", frozenset({"b", "c"})),
        RunTask("c", frozenset({"a", "not before the summary"})),
        RunTask("b", frozenset({"a"})),
        RunTask("a"),
    ]

    assert [task.task_id for task in in_order(tasks)] == ["a", "b", "c", "d"]


def test_the_last_maker_on_its_way_makes_the_video_with_those_before_it() -> None:
    tasks = [
        RunTask("render", makes_videos=True),
        RunTask("check", frozenset({"render"})),
        RunTask("download", frozenset({"check"}), makes_videos=True),
        RunTask("other", makes_videos=True),
        RunTask("publish", frozenset({"download"})),
    ]

    assert {end.task_id: end.makes for end in task_ends(tasks)} == {
        "render": (),
        "check": (),
        "download": ("render", "download"),
        "other": ("other",),
        "publish": (),
    }


@pytest.mark.parametrize(
    ("states", "known"),
    [
        ({-1: "upstream_failed"}, {}),
        ({-1: "failed"}, {-1: "failed"}),
        ({0: "success"}, {0: "success"}),
    ],
)
def test_of_a_mapped_task_that_was_never_expanded_nobody_knows_how_many_videos_it_had(
    states: dict[int, str | None], known: dict[int, str | None]
) -> None:
    [end] = task_ends([RunTask("render", states=states, makes_videos=True, is_mapped=True)])

    assert end.states == known


@pytest.mark.parametrize(
    ("results", "known"), [(["x", "y"], {0: "x", 2: "y"}), (["x"], {}), ([], {})], ids=["all", "some", "none"]
)
def test_results_are_known_where_none_is_missing(results: list[Any], known: dict[int, Any]) -> None:
    [end] = task_ends([RunTask("a", states={0: "success", 1: "failed", 2: "success"}, results=results)])

    assert end.results == known


def test_only_what_is_mapped_over_the_whole_plan_has_its_names() -> None:
    both: dict[int, str | None] = {0: "success", 1: "failed"}
    tasks = [
        RunTask("write", states=both),
        RunTask("plan", frozenset({"write"})),
        RunTask("render", frozenset({"plan"}), both, failures=[Failure("K", "m", map_index=1)]),
        RunTask("one", frozenset({"plan"}), {-1: "success"}),
    ]
    ends = {end.task_id: end for end in task_ends(tasks, "plan", ["kettle", "lamp"])}

    assert {task_id: list(end.names) for task_id, end in ends.items()} == {
        "write": [],
        "plan": [],
        "render": ["kettle", "lamp"],
        "one": [],
    }
    assert ends["render"].failures.keys() == {1}


def test_of_two_plans_none_names_the_videos() -> None:
    states: dict[int, str | None] = {0: "failed"}
    tasks = [
        RunTask("a", estimates=[{"each": [{"video": "kettle"}], "dry_run": False}]),
        RunTask("b", estimates=[{"each": [{"video": "lamp"}], "dry_run": False}]),
        RunTask("render", frozenset({"a", "b"}), states, makes_videos=True),
    ]

    assert [failure.video for failure in summary_of(tasks).failures] == ["render[0]"]
    assert [failure.video for failure in summary_of(tasks[1:]).failures] == ["lamp"]
