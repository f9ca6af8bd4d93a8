"""One row a video, from what the tasks of a run left behind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.shown.dag_task import DagTask, Role
from airflow_video_creation.provider.shown.run_instance import (
    DELIVERY_KEY,
    FAILURE_KEY,
    RESULT_KEY,
    VIDEO_NAME_KEY,
    RunInstance,
)
from airflow_video_creation.provider.shown.run_rows import run_rows
from airflow_video_creation.provider.shown.video_row import VideoRow, counted
from airflow_video_creation.provider.spending.failure import Failure
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.shown_job import JOB_KEY, ShownJob
from airflow_video_creation.provider.submission.stored_records import RECORD_KEY, RECORDS_KEY

RUN = "scheduled__2026-11-21"
GROUP = [
    DagTask("g.create_storyboard", "storyboard"),
    DagTask("g.approve", "approval", frozenset({"g.create_storyboard"})),
    DagTask("g.render_video", "render", frozenset({"g.approve"})),
    DagTask("g.download_video", "download", frozenset({"g.render_video"})),
]
"""A storyboard, an approval, a render and a download, in a mapped task group."""
STEPS = [task.task_id for task in GROUP]
DOUBT = (
    "Create storyboard 'tide': an earlier try began to submit, so it may have been accepted, and may be paid for. "
    "Nothing was sent again. Look at the service. If the job is there, put its id into the DAG for this run alone, as "
    "adopt_storyboard_job_id=\"{{ {('r', 0): 'JOB_ID'}.get((run_id, ti.map_index)) }}\", and clear this task; if it is "
    "not, clear this task to submit again."
)


def job(job_id: str, kind: str | None = "render", **other: Any) -> dict[str, Any]:
    return {JOB_KEY: ShownJob(job_id, kind, "conn", **other).to_json()}


def failure(kind: str, message: str, **other: Any) -> dict[str, Any]:
    return {FAILURE_KEY: Failure(kind, message, **other).to_json()}


def of_group(*states: str | None, xcoms: dict[int, dict[str, Any]] | None = None) -> VideoRow:
    """The one row of a group whose tasks stand so."""
    instances = [
        RunInstance(task_id, 0, state, 1, 0, None, (xcoms or {}).get(at, {}))
        for at, (task_id, state) in enumerate(zip(STEPS, states, strict=True))
    ]
    [row] = run_rows(GROUP, instances, RUN)
    return row


@pytest.mark.parametrize(
    ("states", "state", "step"),
    [
        ((None, None, None, None), "not-begun", "storyboard"),
        (("queued", None, None, None), "not-begun", "storyboard"),
        (("running", None, None, None), "under-way", "storyboard"),
        (("deferred", None, None, None), "under-way", "storyboard"),
        (("success", None, None, None), "under-way", "approval"),
        (("success", "deferred", None, None), "waiting", "approval"),
        (("success", "awaiting_input", None, None), "waiting", "approval"),
        (("success", "running", None, None), "under-way", "approval"),
        (("success", "skipped", "skipped", "skipped"), "skipped", "approval"),
        (("success", "success", "up_for_retry", None), "under-way", "render"),
        (("success", "success", "success", "running"), "under-way", "download"),
        (("success", "success", "success", "success"), "delivered", "download"),
        (("success", "success", "failed", "upstream_failed"), "failed", "render"),
        (("upstream_failed",) * 4, "failed", "storyboard"),
        (("a_new_state", None, None, None), "under-way", "storyboard"),
    ],
)
def test_how_a_video_stands_is_what_its_first_undone_task_says(
    states: tuple[str | None, ...], state: str, step: str
) -> None:
    row = of_group(*states)
    assert (row.state, row.step) == (state, step)


def test_a_delivered_video_has_its_name_length_place_and_jobs() -> None:
    row = of_group(
        *["success"] * 4,
        xcoms={
            0: {VIDEO_NAME_KEY: "tide", **job("s-1", "storyboard")},
            2: job("r-1", storyboard_job_id="s-1"),
            3: {**job("r-1", video_name="tide"), DELIVERY_KEY: {"path": "s3://v/tide.mp4", "duration": 90}},
        },
    )
    assert row == VideoRow(
        "tide",
        "delivered",
        "g.download_video",
        0,
        "download",
        minutes=1.5,
        file="s3://v/tide.mp4",
        storyboard_job_id="s-1",
        render_job_id="r-1",
    )


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        ("AuthenticationError", "failed"),
        ("ValueError", "failed"),
        ("AmbiguousSubmissionError", "in-doubt"),
        ("JobDeadlinePassedError", "timed-out"),
        ("SpendingStoppedError", "skipped"),
    ],
)
def test_a_failed_video_says_what_happened_and_what_to_do(kind: str, state: str) -> None:
    told = failure(kind, "It went wrong at v1.2 of 'No. 5'. Mend it, then clear. Nothing was paid.")
    row = of_group("failed", *["upstream_failed"] * 3, xcoms={0: told})
    assert row.state == state
    assert (row.cause, row.todo) == (
        "It went wrong at v1.2 of 'No. 5'.",
        "Mend it, then clear.\nNothing was paid.",
    )


def test_a_video_in_doubt_shows_the_exact_line_that_adopts_it() -> None:
    row = of_group("failed", *["upstream_failed"] * 3, xcoms={0: failure("AmbiguousSubmissionError", DOUBT)})
    assert row.adopt == "adopt_storyboard_job_id=\"{{ {('r', 0): 'JOB_ID'}.get((run_id, ti.map_index)) }}\""


@pytest.mark.parametrize(
    ("role", "task_id", "xcoms", "lines"),
    [
        ("storyboard", "one", {}, ["adopt_job_id"]),
        ("render", "one", {}, ["adopt_job_id"]),
        ("storyboard", "g.create_storyboard", {}, ["adopt_storyboard_job_id"]),
        ("render", "g.render_video", {}, ["adopt_render_job_id"]),
        ("video", "one", {}, ["adopt_storyboard_job_id"]),
        ("video", "one", job("s-1", "storyboard"), ["adopt_render_job_id", "adopt_storyboard_job_id"]),
    ],
)
def test_a_worker_lost_in_the_middle_of_a_submission_leaves_a_doubt_and_the_line(
    role: Role, task_id: str, xcoms: dict[str, Any], lines: list[str]
) -> None:
    intent = Submission(3, "intent", 1.0, 1.0).to_json()
    store = {RECORDS_KEY: {"records": {"render": intent}}} if role == "video" else {RECORD_KEY: intent}
    instance = RunInstance(task_id, -1, "failed", 2, 3, None, xcoms, store)
    [row] = run_rows([DagTask(task_id, role)], [instance], RUN)
    assert row.state == "in-doubt"
    assert row.cause == "The worker was lost while it submitted."
    assert (row.todo or "").startswith("The service may have accepted the job, and it may be paid for.\n")
    assert [line.partition("=")[0] for line in (row.adopt or "").splitlines()] == lines
    assert f"{{{RUN!r}: " in (row.adopt or "")


def test_a_doubt_of_before_a_clear_is_history() -> None:
    store = {RECORD_KEY: Submission(1, "intent", 1.0, 1.0).to_json()}
    instance = RunInstance("one", -1, "failed", 2, 3, store=store)
    [row] = run_rows([DagTask("one", "storyboard")], [instance], RUN)
    assert (row.state, row.cause) == ("failed", "The task failed and gave no reason.")


def test_a_try_that_failed_is_told_while_airflow_tries_again() -> None:
    row = of_group(
        "up_for_retry", None, None, None, xcoms={0: failure("ServiceFailureError", "It is away. Wait.")}
    )
    assert (row.state, row.cause, row.todo) == (
        "under-way",
        "It is away.",
        "Airflow will retry it by itself.",
    )


def test_tasks_that_are_mapped_one_by_one_belong_together_by_their_jobs() -> None:
    tasks = [DagTask("s", "storyboard"), DagTask("r", "render", frozenset({"s"}))]
    # One storyboard was left out, so that the render has other map indexes.
    instances = [
        RunInstance("s", 0, "failed"),
        RunInstance("s", 1, "success", xcoms=job("s-1", "storyboard", video_name="one")),
        RunInstance("r", 0, "success", xcoms=job("r-1", storyboard_job_id="s-1")),
    ]
    rows = run_rows(tasks, instances, RUN)
    assert [(row.name, row.state, row.render_job_id) for row in rows] == [
        ("s[0]", "failed", None),
        ("one", "made", "r-1"),
    ]


@pytest.mark.parametrize(
    ("is_mapped", "state", "rows"),
    [
        (True, None, 0),
        (True, "upstream_failed", 0),
        (True, "failed", 1),
        (False, None, 1),
        (False, "upstream_failed", 1),
        # An empty list: nothing is mapped over it, also in a mapped task group.
        (True, "skipped", 0),
        (False, "skipped", 0),
    ],
)
def test_what_is_mapped_over_a_list_that_is_not_known_is_no_video(
    is_mapped: bool, state: str | None, rows: int
) -> None:
    task = DagTask("one", "video", is_mapped=is_mapped)
    assert len(run_rows([task], [RunInstance("one", -1, state)], RUN)) == rows


def test_a_group_that_is_mapped_over_an_empty_list_has_no_video() -> None:
    assert run_rows(GROUP, [RunInstance(task_id, -1, "skipped") for task_id in STEPS], RUN) == []


def test_a_video_that_a_person_rejected_is_skipped_also_where_nothing_is_mapped() -> None:
    states = ("success", "skipped", "skipped", "skipped")
    [row] = run_rows(GROUP, [RunInstance(*made) for made in zip(STEPS, [-1] * 4, states, strict=True)], RUN)
    assert (row.state, row.step) == ("skipped", "approval")


def test_one_job_that_two_tasks_adopted_leaves_each_its_own_video() -> None:
    tasks = [DagTask("r", "render"), DagTask("d", "download", frozenset({"r"}))]
    adopted = job("r-1")
    instances = [
        RunInstance(name, index, "success", xcoms=adopted) for name in ("r", "d") for index in (0, 1)
    ]
    assert [(row.task, row.map_index, row.state) for row in run_rows(tasks, instances, RUN)] == [
        ("d", 0, "delivered"),
        ("d", 1, "delivered"),
    ]


def test_one_storyboard_that_is_rendered_twice_is_two_videos() -> None:
    tasks = [
        DagTask("s", "storyboard"),
        DagTask("wide", "render", frozenset({"s"})),
        DagTask("tall", "render", frozenset({"s"})),
    ]
    instances = [
        RunInstance("s", state="success"),
        *(RunInstance(name, state="success") for name in ("wide", "tall")),
    ]
    assert [(row.task, row.state) for row in run_rows(tasks, instances, RUN)] == [
        ("wide", "made"),
        ("tall", "made"),
    ]


def test_two_videos_one_behind_the_other_are_two() -> None:
    tasks = [DagTask("one", "video"), DagTask("two", "video", frozenset({"one"}))]
    instances = [
        RunInstance("one", state="success", xcoms={**job("r-1"), RESULT_KEY: {"duration": 30}}),
        RunInstance("two", state=None),
    ]
    rows = run_rows(tasks, instances, RUN)
    assert [(row.name, row.state, row.minutes) for row in rows] == [
        ("one", "made", 0.5),
        ("two", "not-begun", None),
    ]


def test_a_sensor_and_what_it_waits_for_are_one_video() -> None:
    tasks = [DagTask("s", "storyboard"), DagTask("wait", "watch", frozenset({"s"}))]
    instances = [
        RunInstance("s", state="success", xcoms=job("s-1", "storyboard")),
        RunInstance("wait", state="deferred", xcoms=job("s-1", None)),
    ]
    [row] = run_rows(tasks, instances, RUN)
    assert (row.state, row.step) == ("under-way", "watch")


def test_the_numbers_of_a_run() -> None:
    rows = [
        VideoRow("a", "delivered", "t", minutes=1.5),
        VideoRow("b", "made", "t", minutes=0.5),
        VideoRow("c", "failed", "t", minutes=1.0),
        VideoRow("d", "not-begun", "t"),
    ]
    assert counted(rows) == {
        "total": 4,
        "states": {"failed": 1, "not-begun": 1, "made": 1, "delivered": 1},
        "minutes": 2.0,
        "paid": 3.0,
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from([JOB_KEY, FAILURE_KEY, DELIVERY_KEY, RESULT_KEY, VIDEO_NAME_KEY])
STORED = st.sampled_from([RECORD_KEY, RECORDS_KEY, "video_creation.videos.0", "video_creation.videos.x"])
STATES = st.sampled_from(
    [None, "queued", "running", "deferred", "success", "failed", "skipped", "removed", "?"]
)
ROLES: list[Role] = ["storyboard", "approval", "render", "watch", "video", "download", "many"]


@settings(max_examples=200)
@given(st.data())
def test_whatever_people_write_into_xcoms_every_row_can_be_shown(data: st.DataObject) -> None:
    tasks = [
        DagTask(f"t{at}", data.draw(st.sampled_from(ROLES)), frozenset({f"t{at - 1}"} if at else ()))
        for at in range(data.draw(st.integers(1, 4)))
    ]
    instances = [
        RunInstance(
            task.task_id,
            index,
            data.draw(STATES),
            xcoms=data.draw(st.dictionaries(KEYS, JSON, max_size=3)),
            store=data.draw(st.dictionaries(STORED, JSON, max_size=2)),
        )
        for task in tasks
        for index in range(data.draw(st.integers(0, 2)))
    ]
    rows = run_rows(tasks, instances, RUN)
    for row in rows:
        told = row.to_json()
        assert isinstance(told["n"], str)
        assert all(isinstance(value, str | int | float) for value in told.values())
    assert counted(rows)["total"] == sum(counted(rows)["states"].values()) == len(rows)
    # Each instance of a task that begins a video is in one row at least.
    begun = sum(
        instance.state not in ("removed", "skipped")
        for instance in instances
        for task in tasks
        if task.task_id == instance.task_id and task.role in ("storyboard", "video")
    )
    assert len(rows) >= begun
