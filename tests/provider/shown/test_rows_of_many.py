"""The rows of a task that makes many videos: live from its records, and at its end from its result."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.shown.rows_of_many import one_of_many, rows_of_many
from airflow_video_creation.provider.shown.run_instance import FAILURE_KEY, RESULT_KEY, RunInstance
from airflow_video_creation.provider.shown.video_row import VideoRow, counted
from airflow_video_creation.provider.spending.failure import Failure
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.stored_records import frozen
from airflow_video_creation.provider.submission.task_try import TaskTry
from airflow_video_creation.provider.videos.video_outcome import VideoOutcome
from airflow_video_creation.provider.videos.video_shards import (
    INDEX_KEY,
    OUTCOME,
    SUBMISSIONS,
    VideoShards,
    compact,
    shard_key,
    stage_of,
)

RUN = "scheduled__2026-11-21"
TRY = TaskTry(number=2, generation=3)
BEGUN = Submission(3, "intent", 1.0, 1.0)


def instance(state: str = "running", *, result: Any = None, store: Any = None, **xcoms: Any) -> RunInstance:
    told = {RESULT_KEY: result} if result is not None else {}
    return RunInstance("many", -1, state, 2, 3, xcoms={**told, **xcoms}, store=store or {})


def shard(videos: dict[str, tuple[dict[str, Submission], VideoOutcome | None]]) -> dict[str, Any]:
    """The store of the task, as its operator writes it."""
    shards = VideoShards()
    shards.make_room(videos)
    for name, (records, outcome) in videos.items():
        kept = shards.kept(name)
        kept[SUBMISSIONS] = compact(
            frozen({stage_of(0, name, kind): record for kind, record in records.items()})
        )
        if outcome:
            kept[OUTCOME] = outcome.to_json(TRY)
    return {shard_key(0): shards.shard_json(0)}


def kept(
    records: dict[str, Submission], outcome: VideoOutcome | None = None, state: str = "running"
) -> VideoRow:
    """The row of one video of which this is kept."""
    [row] = rows_of_many(instance(state, store=shard({"tide": (records, outcome)})), RUN)
    return row


@pytest.mark.parametrize("state", ["running", "deferred", "up_for_retry", "queued"])
def test_a_video_without_an_end_is_under_way_while_its_task_is(state: str) -> None:
    row = kept({"storyboard": BEGUN.accepted("s-1"), "render": BEGUN}, state=state)
    assert (row.state, row.storyboard_job_id, row.render_job_id, row.shard) == ("under-way", "s-1", None, 0)


def test_a_delivered_video_says_where_it_is() -> None:
    outcome = VideoOutcome("tide", "delivered", "s-1", "r-1", file="/v/tide.mp4", minutes=1.5)
    assert kept({}, outcome) == VideoRow(
        "tide",
        "delivered",
        "many",
        -1,
        "many",
        minutes=1.5,
        file="/v/tide.mp4",
        storyboard_job_id="s-1",
        render_job_id="r-1",
        shard=0,
    )


def test_a_failed_video_says_why_at_once() -> None:
    row = kept({}, VideoOutcome("tide", "failed", "s-1", message="No such font. Correct it, and clear."))
    assert (row.state, row.cause, row.todo) == ("failed", "No such font.", "Correct it, and clear.")


def test_a_failure_of_an_earlier_try_is_no_failure_while_a_later_one_is_at_work() -> None:
    store = shard({"tide": ({}, VideoOutcome("tide", "failed", message="No."))})
    store[shard_key(0)]["videos"]["tide"][OUTCOME]["try"] = 1
    [row] = rows_of_many(instance(store=store), RUN)
    assert (row.state, row.cause) == ("under-way", None)


@pytest.mark.parametrize(
    ("kind", "records"),
    [
        ("storyboard", {"storyboard": BEGUN}),
        ("render", {"storyboard": BEGUN.accepted("s-1"), "render": BEGUN}),
    ],
)
def test_a_task_that_died_while_it_submitted_leaves_a_doubt_and_the_line(
    kind: str, records: dict[str, Submission]
) -> None:
    row = kept(records, state="failed")
    assert row.state == "in-doubt"
    line = f"adopt_{kind}_job_ids={{'tide': \"{{{{ {{'{RUN}': 'JOB_ID'}}.get(run_id) }}}}\"}}"
    assert row.adopt == line


def test_a_task_that_ended_before_its_videos_says_what_becomes_of_them() -> None:
    sent = kept({"storyboard": BEGUN.accepted("s-1")}, state="failed")
    assert (sent.state, "pays for nothing again" in (sent.todo or "")) == ("failed", True)
    unsent = kept({"storyboard": BEGUN.refused()}, state="failed")
    assert (unsent.state, unsent.todo) == ("failed", "Clear the task to make it.")


def test_the_result_says_which_videos_there_are_and_the_records_say_it_at_length() -> None:
    said = f"It was not found. {'Look for it at the service. ' * 9}".strip()
    doubt = VideoOutcome("tide", "in-doubt", message=said)
    skipped = VideoOutcome("mill", "skipped", error="SpendingStoppedError", message="The quota is used up.")
    store = shard({"tide": ({"storyboard": BEGUN}, doubt), "of an earlier list": ({}, doubt)})
    rows = rows_of_many(instance("failed", result=[doubt.to_xcom(), skipped.to_xcom()], store=store), RUN)
    assert [(row.name, row.state) for row in rows] == [("tide", "in-doubt"), ("mill", "skipped")]
    assert (rows[0].todo or "").split("\n") == ["Look for it at the service."] * 9
    assert "adopt_storyboard_job_ids={'tide'" in (rows[0].adopt or "")


def test_a_task_that_failed_before_its_first_video_is_a_row_itself() -> None:
    failure = Failure("InvalidRequestError", "A scene has no text. Correct it. Nothing was paid.").to_json()
    [row] = rows_of_many(instance("failed", **{FAILURE_KEY: failure}), RUN)
    assert (row.name, row.state, row.cause) == ("many", "failed", "A scene has no text.")
    assert rows_of_many(instance("running"), RUN) == []


def test_a_task_at_work_says_which_videos_have_not_begun_in_the_order_of_its_list() -> None:
    store = shard(
        {"mill": ({}, VideoOutcome("mill", "delivered")), "of an earlier list": ({"storyboard": BEGUN}, None)}
    )
    store[INDEX_KEY] = {"asked": 3, "names": ["tide", "mill", "swifts"]}
    rows = rows_of_many(instance(store=store), RUN)
    assert [(row.name, row.state) for row in rows] == [
        ("tide", "not-begun"),
        ("mill", "delivered"),
        ("swifts", "not-begun"),
    ]


def test_where_the_names_took_too_much_room_those_that_have_not_begun_are_counted() -> None:
    store = shard({"mill": ({}, VideoOutcome("mill", "delivered"))})
    store[INDEX_KEY] = {"asked": 2000}
    rows = rows_of_many(instance(store=store), RUN)
    assert [(row.name, row.state, row.videos) for row in rows] == [
        ("mill", "delivered", None),
        ("1,999 more", "not-begun", 1999),
    ]
    assert counted(rows)["states"] == {"not-begun": 1999, "delivered": 1}
    assert counted(rows)["total"] == 2000


def test_what_had_not_begun_when_the_task_was_lost_is_counted_as_failed() -> None:
    store = shard({"mill": ({}, VideoOutcome("mill", "delivered"))})
    store[INDEX_KEY] = {"asked": 2, "names": ["mill", "tide"]}
    rows = rows_of_many(instance("failed", store=store), RUN)
    assert [(row.name, row.state, row.todo) for row in rows] == [
        ("mill", "delivered", None),
        ("tide", "failed", "Clear the task to make it."),
    ]


def test_a_task_that_failed_before_its_first_video_says_why_once() -> None:
    failure = Failure("InvalidRequestError", "A scene has no text.\nCorrect it.\nNothing was paid.").to_json()
    store = {INDEX_KEY: {"asked": 2, "names": ["mill", "tide"]}}
    [row] = rows_of_many(instance("failed", store=store, **{FAILURE_KEY: failure}), RUN)
    assert (row.name, row.cause, row.todo) == (
        "many",
        "A scene has no text.",
        "Correct it.\nNothing was paid.",
    )


def test_a_name_is_found_however_its_letters_are_composed() -> None:
    result = [VideoOutcome("caf\u00e9", "delivered").to_xcom()]
    found = one_of_many(instance("success", result=result), RUN, "cafe\u0301")
    assert found
    assert found.name == "caf\u00e9"
    assert one_of_many(instance("success", result=result), RUN, "other") is None
