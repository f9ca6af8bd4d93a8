"""What was left out of a run stands on its page, and counts as the summary counts it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.shown.dag_task import DagTask, dag_tasks
from airflow_video_creation.provider.shown.left_out_rows import left_out_rows
from airflow_video_creation.provider.shown.run_instance import RunInstance
from airflow_video_creation.provider.shown.run_rows import run_rows
from airflow_video_creation.provider.shown.video_row import counted

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def plan(left_out: Any) -> RunInstance:
    return RunInstance("plan", state="success", xcoms={"left_out": left_out})


@pytest.mark.parametrize(
    ("item", "name", "todo"),
    [
        ({"video": "tide", "reason": "is wrong", "kind": "wrong"}, "tide", "Correct it, then clear"),
        ({"video": "tide", "reason": "more than max_videos=5", "kind": "limit"}, "tide", "Raise the limit"),
        (
            {
                "video": "tide",
                "reason": "it found no room for max_age=7 days, 0:00:00, and is given up.",
                "kind": "limit",
            },
            "tide",
            "It waited longer than max_age. Give its storyboard to another run.",
        ),
        (
            {"url": "https://news.example.com/1", "reason": "away", "kind": "later"},
            "https://news.",
            "The next run",
        ),
        (
            {"url": "https://news.example.com/1", "reason": "more than max_articles=5", "kind": "limit"},
            "https://news.",
            "To make it, run a DAG with its address in urls=.",
        ),
        (
            {"url": "s3://texts/a.txt", "reason": "more than max_articles=5", "kind": "limit"},
            "s3://texts",
            "Change the file, and the next run takes it.",
        ),
        ({"video": "tide", "reason": "is wrong"}, "tide", "Correct it, then clear"),
    ],
)
def test_a_row_says_what_was_left_out_why_and_what_to_do(item: dict[str, str], name: str, todo: str) -> None:
    [row] = left_out_rows(plan([item]))

    assert row.name.startswith(name)
    assert (row.state, row.cause, row.task) == ("left-out", item["reason"], "plan")
    assert row.todo
    assert todo in row.todo


def test_an_article_is_named_by_its_title_and_its_address_stays() -> None:
    url = "https://news.example.com/1"
    item = {"url": url, "title": "Tide mill turns again", "reason": "too many.", "kind": "limit"}

    [row] = left_out_rows(plan([item]))

    assert (row.name, row.cause) == ("Tide mill turns again", f"too many. {url}")


def test_what_is_another_runs_is_not_shown() -> None:
    assert [*left_out_rows(plan([{"url": "https://news.example.com/1", "kind": "other"}]))] == []


@given(JSON)
def test_whatever_people_write_there_breaks_no_page(left_out: Any) -> None:
    assert all(row.to_json() for row in left_out_rows(plan(left_out)))


def test_a_plan_stands_between_no_tasks_of_one_video() -> None:
    connection = "video_creation_conn_id"
    fetch = {"task_id": "fetch", "template_fields": ["feed_url", "urls", "files"]}
    planned = {"task_id": "plan", "template_fields": ["max_minutes", "is_dry_run", connection]}
    made = {"task_id": "videos", "template_fields": ["adopt_storyboard_job_ids", connection]}
    listed = {
        "tasks": [
            {**fetch, "downstream_task_ids": ["plan"]},
            {**planned, "downstream_task_ids": ["videos"]},
            {**made, "downstream_task_ids": []},
        ]
    }
    tasks = dag_tasks(listed)

    assert tasks == [DagTask("fetch", "choice"), DagTask("plan", "choice"), DagTask("videos", "many")]

    left_out = [{"video": "tide", "reason": "is wrong", "kind": "wrong"}]
    done = {"name": "mill", "state": "delivered", "file": "/videos/mill.mp4"}
    many = RunInstance("videos", state="success", xcoms={"return_value": [done]})
    counts = counted(run_rows(tasks, [plan(left_out), many], "r"))
    assert (counts["total"], counts["states"]) == (2, {"left-out": 1, "delivered": 1})
