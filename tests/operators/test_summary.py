"""The summary finds by itself what the tasks before it left behind; example_dags shows it run by Airflow."""

from __future__ import annotations

import json
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowFailException
from airflow.sdk import task

from airflow_video_creation.operators.articles import FetchArticlesOperator
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.script import WriteScriptOperator
from airflow_video_creation.operators.summary import SummarizeVideosOperator
from airflow_video_creation.operators.video import CreateVideoOperator, video_from_storyboard
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.spending.failure import Failure

from ..told_errors import raises_telling

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


class Ti:
    """A running task instance of a run whose tasks ended in these states, and left these XComs."""

    dag_id, run_id = "d", "r"

    def __init__(self, states: dict[str, str], xcoms: dict[tuple[str, str], list[Any]]) -> None:
        self.states = states
        self.xcoms = xcoms
        self.pushed: dict[str, Any] = {}

    def get_task_states(self, *, dag_id: str, task_ids: list[str], run_ids: list[str]) -> Any:
        return {run_ids[0]: self.states}

    def xcom_pull(self, *, task_ids: list[str] | str, key: str, map_indexes: int | None = None) -> Any:
        if isinstance(task_ids, str):
            values = dict(enumerate(self.xcoms.get((task_ids, key), ())))
            return values.get(max(map_indexes or 0, 0))
        return self.xcoms.get((task_ids[0], key), [None])

    def xcom_push(self, key: str, value: Any) -> None:
        self.pushed[key] = json.loads(json.dumps(value))


@task
def write(article: Any) -> Any:
    """A task of the DAG's author."""
    return STORYBOARD


def night(**arguments: Any) -> SummarizeVideosOperator:
    """Feed -> storyboards -> plan -> videos -> summary."""
    with DAG("d"):
        fetch = FetchArticlesOperator(task_id="fetch", feed_url="https://example.com/feed")
        plan = PlanVideosOperator(task_id="plan", storyboards=write.expand(article=fetch.output))
        videos = video_from_storyboard.partial(destination="/v/").expand(storyboard=plan.output)
        summary = SummarizeVideosOperator(task_id="summarize", **arguments)
        videos >> summary
    return summary


def mapped(task_id: str, *states: str) -> dict[str, str]:
    return {f"{task_id}_{index}": state for index, state in enumerate(states)}


GROUP = "video_from_storyboard"
RENDERED = {"job_id": "j", "video_url": "https://x", "share_url": "https://share", "duration": 90.0}
REFUSED = Failure("RequestRefusedError", "no.", f"{GROUP}.render_video", 1, status=400).to_json()
STATES = {
    "fetch": "success",
    **mapped("write", "success", "success", "failed"),
    "plan": "success",
    **mapped(f"{GROUP}.create_storyboard", "success", "success"),
    **mapped(f"{GROUP}.render_video", "success", "failed"),
    **mapped(f"{GROUP}.download_video", "success", "upstream_failed"),
}
XCOMS = {
    ("fetch", "left_out"): [[{"url": "https://example.com/a", "reason": "gone"}]],
    ("plan", "left_out"): [[{"video": "c", "reason": "more than max_videos=2.", "kind": "limit"}]],
    ("plan", "estimate"): [
        {
            "videos": 2,
            "minutes": 3,
            "dry_run": False,
            "each": [{"video": "b", "minutes": 1}, {"video": "a", "minutes": 2}],
        }
    ],
    (f"{GROUP}.render_video", "return_value"): [RENDERED],
    (f"{GROUP}.render_video", "failure"): [REFUSED],
    (f"{GROUP}.download_video", "return_value"): ["/v/b.mp4"],
}


def test_a_night_whose_scripts_were_not_used_says_so(log: Any) -> None:
    with DAG("d"):
        fetch = FetchArticlesOperator(task_id="fetch", feed_url="https://example.com/feed")
        script = WriteScriptOperator.partial(task_id="script", llm_conn_id="m").expand(article=fetch.output)
        plan = PlanVideosOperator(task_id="plan", storyboards=script.output)
        videos = CreateVideosOperator(task_id="videos", storyboards=plan.output, destination="/v/")
        summary = SummarizeVideosOperator(task_id="summarize")
        videos >> summary
    fell_back = {"video_of": "article", "reason": "The answer of the model is no script.", "findings": []}
    states = {
        "fetch": "success",
        **mapped("script", "success", "success"),
        "plan": "success",
        "videos": "success",
    }
    xcoms = {
        ("script", "return_value"): [{"storyboard": STORYBOARD, "metadata": {"script": fell_back}}] * 2,
        ("videos", "return_value"): [
            [{"name": name, "state": "delivered", "file": f"/v/{name}.mp4"} for name in ("a", "b")]
        ],
    }

    told = summary.execute({"ti": Ti(states, xcoms)})  # type: ignore[typeddict-item]

    assert told["headline"].startswith("2 of 2 videos were made")
    assert told["headline"].endswith(
        " 2 of 2 scripts were not used, and the article's own text was read (The answer of the model is no script.)."
    )
    assert told["headline"] in log()


def test_it_finds_all_by_itself(log: Any) -> None:
    told = night().execute({"ti": Ti(STATES, XCOMS)})  # type: ignore[typeddict-item]

    assert told["headline"] == (
        "1 of 4 videos were made, 1.5 minutes; 1 failed, 0 skipped, 2 left out before anything was sent "
        "(1 wrong, 1 over a limit); 1 other task failed."
    )
    assert told["videos"] == [
        {"video": "b", "place": "/v/b.mp4", "minutes": 1.5, "share_url": "https://share"}
    ]
    # Only what is mapped over the plan has its names: the plan's second video is not the writer's third.
    assert [(failure["video"], failure["kind"]) for failure in told["failures"]] == [
        ("write[2]", "failed"),
        ("a", "RequestRefusedError"),
    ]
    assert [item["reason"] for item in told["left_out"]] == ["gone", "more than max_videos=2."]
    assert "1 of 4 videos were made" in log()
    assert "https://share" not in log()


def test_a_night_without_a_video_fails_and_its_summary_is_there_all_the_same() -> None:
    states = {**STATES, **mapped(f"{GROUP}.download_video", "upstream_failed", "upstream_failed")}
    ti = Ti(states, XCOMS)

    with raises_telling(AirflowFailException, r"0 of 4 videos were made.*The summary in this task's log"):
        night().execute({"ti": ti})  # type: ignore[typeddict-item]
    assert ti.pushed["return_value"]["failed"] == 2


@pytest.mark.parametrize(("fail_when", "fails"), [("any", True), ("none", False), ("never", False)])
def test_when_it_fails_can_be_chosen(fail_when: str, fails: bool) -> None:
    operator, context = night(fail_when=fail_when), {"ti": Ti(STATES, XCOMS)}
    if fails:
        with pytest.raises(AirflowFailException):
            operator.execute(context)  # type: ignore[arg-type]
    else:
        operator.execute(context)  # type: ignore[arg-type]


ALL_MADE = {
    **STATES,
    **mapped("write", "success", "success", "success"),
    **mapped(f"{GROUP}.render_video", "success", "success"),
    **mapped(f"{GROUP}.download_video", "success", "success"),
}


@pytest.mark.parametrize(
    ("on_left_out", "kind", "fails"),
    [
        ("ignore", "wrong", False),
        ("fail", "wrong", True),
        ("fail", "limit", False),
        ("fail", "later", False),
        ("fail", "other", False),
    ],
)
def test_a_row_that_is_wrong_can_turn_the_run_red(on_left_out: str, kind: str, fails: bool) -> None:
    left_out = {("plan", "left_out"): [[{"video": "c", "reason": "scenes is missing.", "kind": kind}]]}
    operator, context = night(on_left_out=on_left_out), {"ti": Ti(ALL_MADE, left_out)}
    if fails:
        with raises_telling(AirflowFailException, r"2 of 3 videos were made.*1 left out.*\(1 wrong\)"):
            operator.execute(context)  # type: ignore[arg-type]
    else:
        operator.execute(context)  # type: ignore[arg-type]


def test_two_videos_that_are_not_mapped_are_two_videos() -> None:
    with DAG("d"):
        summary = SummarizeVideosOperator(task_id="summarize")
        for name in ("a", "b"):
            video = CreateVideoOperator(task_id=f"create_{name}", storyboard=STORYBOARD)
            DownloadVideoOperator(
                task_id=f"download_{name}", job_id=video.output, destination=f"/{name}.mp4"
            ) >> (summary)
    ti = Ti(
        {
            "create_a": "success",
            "download_a": "success",
            "create_b": "failed",
            "download_b": "upstream_failed",
        },
        {("create_a", "return_value"): [RENDERED], ("download_a", "return_value"): ["/a.mp4"]},
    )

    told = summary.execute({"ti": ti})  # type: ignore[typeddict-item]
    assert (told["made"], told["failed"], told["minutes"]) == (1, 1, 1.5)
    assert told["videos"][0]["video"] == "a.mp4"


def test_a_night_of_which_nobody_knows_how_many_videos_it_had_fails_with_its_cause(log: Any) -> None:
    gone = Failure("ArticleUnreachableError", "the feed is gone.", "fetch").to_json()
    states = dict.fromkeys(("write", f"{GROUP}.render_video", f"{GROUP}.download_video"), "upstream_failed")
    ti = Ti({"fetch": "failed", "plan": "failed", **states}, {("fetch", "failure"): [gone]})

    with raises_telling(AirflowFailException, r"0 of 0 videos were made.*2 other tasks failed"):
        night().execute({"ti": ti})  # type: ignore[typeddict-item]
    assert "FAILED in fetch (1 x ArticleUnreachableError): fetch" in log()
    assert "the feed is gone." in log()


def test_a_summary_of_nothing_is_a_mistake() -> None:
    with DAG("d"):
        summary = SummarizeVideosOperator(task_id="summarize")
    with pytest.raises(ConfigurationError, match="No task before 'summarize' makes videos"):
        summary.execute({"ti": Ti({}, {})})  # type: ignore[typeddict-item]


@pytest.mark.parametrize("value", [3, "text", [3], [None], {"video": 5}, [{"reason": {}}]])
def test_what_other_tasks_push_under_the_same_names_is_not_read_or_does_not_matter(value: Any) -> None:
    foreign = {
        **XCOMS,
        ("write", "left_out"): [value],
        ("write", "estimate"): [value],
        ("write", "failure"): [value, {"kind": value, "message": value}, {"kind": "K", "message": value}],
    }
    told = night().execute({"ti": Ti(STATES, foreign)})  # type: ignore[typeddict-item]

    assert [item["reason"] for item in told["left_out"]] == ["gone", "more than max_videos=2."]
    assert (told["made"], told["failed"]) == (1, 1)


@pytest.mark.parametrize("value", [3, "text", [3], {"each": 3}, {"each": [3]}, {"each": [{"video": None}]}])
def test_what_a_plan_of_another_release_pushed_does_not_matter(value: Any) -> None:
    other = {**XCOMS, ("plan", "estimate"): [value], ("fetch", "left_out"): [value]}
    told = night().execute({"ti": Ti(STATES, other)})  # type: ignore[typeddict-item]

    assert (told["made"], told["failed"]) == (1, 1)


DELIVERED = {"name": "a", "state": "delivered", "file": "/v/a.mp4", "minutes": 1.5, "render_job_id": "j"}
IN_DOUBT = {"name": "b", "state": "in-doubt", "error": "AmbiguousSubmissionError", "message": "may exist."}
LATE = {"name": "c", "state": "timed-out", "error": "JobDeadlinePassedError", "message": "too late."}
LOST = {"name": "d", "state": "failed", "error": "JobFailedError", "message": "broke, since..."}
NOT_SENT = {"name": "e", "state": "skipped", "error": "SpendingStoppedError", "message": "not sent."}
WRONG = {"name": "f", "state": "skipped", "error": "InvalidRequestError", "message": "scenes is missing."}
NOT_DELIVERED = Failure("VideosFailedError", "1 of 6 delivered.", "make").to_json()


def one_task(*, chunks: int = 0, **arguments: Any) -> SummarizeVideosOperator:
    """One task, or one a chunk, makes all videos."""
    with DAG("d"):
        plan = PlanVideosOperator(task_id="plan", storyboards=[STORYBOARD])
        videos: Any
        if chunks:
            videos = CreateVideosOperator.partial(task_id="make", destination="/v/").expand(
                storyboards=[[STORYBOARD]] * chunks
            )
        else:
            videos = CreateVideosOperator(task_id="make", storyboards=plan.output, destination="/v/")
        summary = SummarizeVideosOperator(task_id="summarize", **arguments)
        plan >> videos >> summary
    return summary


def test_of_a_task_that_makes_many_each_video_counts(log: Any) -> None:
    ti = Ti(
        {"plan": "success", "make": "failed"},
        {
            ("make", "return_value"): [[DELIVERED, IN_DOUBT, LATE, LOST, NOT_SENT, WRONG]],
            ("make", "failure"): [NOT_DELIVERED],
        },
    )
    told = one_task().execute({"ti": ti})  # type: ignore[typeddict-item]

    assert told["headline"] == (
        "1 of 6 videos were made, 1.5 minutes; 3 failed, 1 in doubt, 0 skipped, 1 left out before anything was sent "
        "(1 wrong)."
    )
    assert (told["failed"], told["in_doubt"]) == (4, 1)
    assert told["videos"] == [{"video": "a", "place": "/v/a.mp4", "minutes": 1.5, "share_url": None}]
    assert [(failure["video"], failure["state"], failure["kind"]) for failure in told["failures"]] == [
        ("b", "in-doubt", "AmbiguousSubmissionError"),
        ("c", "timed-out", "JobDeadlinePassedError"),
        ("d", "failed", "JobFailedError"),
        ("e", "skipped", "SpendingStoppedError"),
    ]
    assert told["left_out"] == [{"video": "f", "reason": "scenes is missing.", "kind": "wrong"}]
    assert "IN DOUBT in make (1 x AmbiguousSubmissionError): b" in log()
    assert "broke, since...\\n    The log of make has the whole message." in log()
    assert "TIMED OUT in make (1 x JobDeadlinePassedError): c" in log()
    assert "NOT SENT in make (1 x SpendingStoppedError): e" in log()
    assert "made: a, 1.5 min, /v/a.mp4" in log()


def test_chunks_are_counted_by_their_videos_and_one_that_told_nothing_by_its_failure() -> None:
    wrong = Failure("InvalidRequestError", "two of one name.", "make", map_index=2).to_json()
    ti = Ti(
        {"plan": "success", **mapped("make", "success", "failed", "failed")},
        {
            ("make", "return_value"): [[DELIVERED], [{**DELIVERED, "name": "a2"}, LOST]],
            ("make", "failure"): [Failure("VideosFailedError", "m", "make", map_index=1).to_json(), wrong],
        },
    )
    told = one_task(chunks=3).execute({"ti": ti})  # type: ignore[typeddict-item]

    assert told["headline"].startswith("2 of 3 videos were made, 3.0 minutes; 1 failed, 0 skipped")
    assert told["headline"].endswith("; 1 other task failed.")
    assert [(failure["video"], failure["map_index"]) for failure in told["failures"]] == [
        ("d", 1),
        ("make[2]", 2),
    ]


@pytest.mark.parametrize("state", ["success", "skipped"])
def test_videos_that_may_fail_are_told_however_their_task_ends(state: str) -> None:
    ti = Ti({"plan": "success", "make": state}, {("make", "return_value"): [[DELIVERED, LOST]]})
    told = one_task().execute({"ti": ti})  # type: ignore[typeddict-item]

    assert (told["made"], told["failed"]) == (1, 1)


def test_a_dry_run_of_one_task_is_told_as_one() -> None:
    estimate = {"videos": 1, "minutes": 2.0, "dry_run": True}
    xcoms: dict[tuple[str, str], list[Any]] = {
        ("make", "return_value"): [[]],
        ("plan", "estimate"): [estimate],
    }
    ti = Ti({"plan": "success", "make": "success"}, xcoms)
    told = one_task().execute({"ti": ti})  # type: ignore[typeddict-item]

    assert told["headline"].startswith("Dry run: 1 videos would be made, about 2.0 minutes")


@pytest.mark.parametrize("value", [3, "text", [3], [None], {"state": 5}, [{"state": []}]])
def test_what_a_task_of_another_release_says_of_its_videos_does_not_matter(value: Any) -> None:
    ti = Ti({"plan": "success", "make": "success"}, {("make", "return_value"): [value]})

    assert one_task().execute({"ti": ti})["made"] == 0  # type: ignore[typeddict-item]
