"""The operator that makes many videos in one task."""

from __future__ import annotations

import json
import threading
from collections import UserList
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import (
    AirflowException,
    AirflowFailException,
    AirflowSkipException,
    AirflowTaskTimeout,
    Asset,
    ObjectStoragePath,
    TaskDeferred,
)

from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    DeliveryError,
    ExecutionTimeoutError,
    InvalidRequestError,
    VideosFailedError,
)
from airflow_video_creation.provider.videos.video_shards import INDEX_KEY, asked_for, shard_key
from airflow_video_creation.provider.webhooks.callback import Callback, callback_key

from ..told_errors import raises_telling


class Impatient(CreateVideosOperator):
    """Leaves its waits to the triggerer at once."""

    leave_after = 0.0


def storyboard(name: str) -> dict[str, Any]:
    return {"videoName": name, "scenes": [{"text": f"This is {name}."}]}


def named(*names: str) -> list[dict[str, Any]]:
    return [storyboard(name) for name in names]


@pytest.fixture
def videos(tmp_path: Path) -> Any:
    """Makes the operator: ``videos(deferrable, **arguments)``."""

    def make(deferrable: bool = False, **arguments: Any) -> CreateVideosOperator:
        given = {
            "storyboards": named("a", "b", "c"),
            "destination": f"{tmp_path}/",
            "poll_interval": 0.05,
            "wake_after": 0.2,
            **arguments,
        }
        return Impatient(task_id="t", deferrable=deferrable, **given)

    return make


class XComResult(UserList[Any]):
    """What another task returned, which nobody can check while the DAG is parsed."""


class OutletEvents:
    """The events of a task's assets, of which there is one; below Airflow 3.2 no dict can have an asset as its key."""

    def __init__(self) -> None:
        self.event = SimpleNamespace(extra={})

    def __getitem__(self, asset: Asset) -> Any:
        return self.event


DEEP: dict[str, Any] = {}
for _ in range(100_000):
    DEEP = {"deeper": DEEP}


def states(result: list[dict[str, Any]]) -> dict[str, str]:
    return {row["name"]: row["state"] for row in result}


def test_each_storyboard_becomes_a_video(
    emulator: Any, task: Any, deferrable: bool, run: Any, videos: Any, submissions: Any, tmp_path: Path
) -> None:
    result = run(videos, task, deferrable)

    assert states(result) == {"a": "delivered", "b": "delivered", "c": "delivered"}
    assert [row["file"] for row in result] == [str(tmp_path / f"{name}.mp4") for name in "abc"]
    assert all(Path(row["file"]).stat().st_size > 1000 for row in result)
    assert (submissions(), submissions("render")) == (3, 3)


def test_a_retry_makes_only_what_failed(
    emulator: Any, task: Any, deferrable: bool, run: Any, videos: Any, submissions: Any
) -> None:
    emulator.admin.add_fault("fail", on="render", nth=(2,))
    with pytest.raises(VideosFailedError, match="2 of 3 delivered, 1 failed") as failed:
        run(videos, task, deferrable)
    assert isinstance(failed.value, AirflowException)
    assert not isinstance(failed.value, AirflowFailException)
    task.retry()

    assert set(states(run(videos, task, deferrable)).values()) == {"delivered"}
    assert (submissions(), submissions("render")) == (3, 4)


def test_a_clear_keeps_what_is_delivered(
    emulator: Any, task: Any, deferrable: bool, run: Any, videos: Any, submissions: Any
) -> None:
    run(videos, task, deferrable)
    task.clear()

    assert set(states(run(videos, task, deferrable)).values()) == {"delivered"}
    assert (submissions(), submissions("render")) == (3, 3)


def test_a_list_that_moved_between_tries(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any, log: Any
) -> None:
    emulator.admin.add_fault("fail", on="render", nth=(3,))
    with pytest.raises(VideosFailedError):
        run(videos, task)
    task.retry()

    result = run(videos, task, storyboards=named("new", "c", "b"))
    assert [row["name"] for row in result] == ["new", "c", "b"]
    assert set(states(result).values()) == {"delivered"}
    assert submissions() == 4
    assert "Videos of earlier tries are no longer in the list, and are left alone" in log()


def test_the_result_of_a_failed_task_is_told_too(emulator: Any, task: Any, run: Any, videos: Any) -> None:
    emulator.admin.add_fault("fail", on="storyboard", nth=(1,))
    with pytest.raises(VideosFailedError):
        run(videos, task, max_active=1)

    assert states(task.pushed["return_value"]) == {"a": "failed", "b": "delivered", "c": "delivered"}


def test_on_failure(emulator: Any, task: Any, run: Any, videos: Any) -> None:
    emulator.admin.add_fault("fail", on="storyboard")
    with pytest.raises(AirflowSkipException):
        run(videos, task, on_failure="skip")
    task.retry()
    assert set(states(run(videos, task, on_failure="succeed")).values()) == {"failed"}


def test_a_task_that_fails_leaves_what_its_error_says_to_the_error(
    emulator: Any, task: Any, run: Any, videos: Any, log: Any
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=503, nth=(1,))
    with pytest.raises(VideosFailedError, match="2 of 3 delivered, 1 in doubt"):
        run(videos, task, max_active=1)

    assert log().count("What to look for: create storyboard") == 1, "as it happens"


def test_a_task_that_does_not_fail_logs_what_is_not_delivered(
    emulator: Any, task: Any, run: Any, videos: Any, log: Any
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=503, nth=(1,))
    run(videos, task, max_active=1, on_failure="succeed")

    assert "2 of 3 delivered, 1 in doubt" in log()


def test_what_is_wrong_stops_all_before_anything_is_paid(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    wrong = {"videoName": "w", "scenes": [{"text": "t", "textColour": "red"}]}
    given = XComResult([storyboard("a"), wrong])
    with pytest.raises(InvalidRequestError, match=r"storyboards\[1\] 'w'.scenes\[0\].textColour"):
        run(videos, task, storyboards=given)
    assert submissions() == 0

    result = run(videos, task, storyboards=[storyboard("a"), wrong], on_invalid="skip")
    assert states(result) == {"a": "delivered", "w": "skipped"}


def test_two_of_one_name_are_refused(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    with pytest.raises(InvalidRequestError, match=r"storyboards\[2\] 'a'.*storyboards\[0\] 'a'"):
        run(videos, task, storyboards=named("a", "b", "a"))
    assert submissions() == 0


def test_an_empty_name_is_no_name(emulator: Any, task: Any, run: Any, videos: Any, submissions: Any) -> None:
    with pytest.raises(InvalidRequestError, match=r"storyboards\[0\]\.videoName: must not be empty"):
        run(videos, task, storyboards=XComResult(named("")))
    assert submissions() == 0

    result = run(videos, task, storyboards=named("", "b"), on_invalid="skip")
    assert states(result) == {"storyboards[0]": "skipped", "b": "delivered"}


def test_a_long_name_makes_no_long_message(emulator: Any, task: Any, run: Any, videos: Any) -> None:
    with raises_telling(InvalidRequestError, r"storyboards\[0\] 'xxx") as refused:
        run(videos, task, storyboards=XComResult(named("x" * 10_000)))
    assert len(str(refused.value)) < 500


def test_a_page_that_looks_finds_how_many_videos_are_asked_for(
    emulator: Any, task: Any, run: Any, videos: Any
) -> None:
    written: list[str] = []
    keep = task.store.set
    task.store.set = lambda key, value: (written.append(key), keep(key, value))
    run(videos, task)
    assert asked_for(task.store.values[INDEX_KEY]) == (3, ["a", "b", "c"])
    task.retry()
    run(videos, task)
    assert written.count(INDEX_KEY) == 1


def test_an_empty_list_makes_nothing(emulator: Any, task: Any, run: Any, videos: Any, log: Any) -> None:
    assert run(videos, task, storyboards=[]) == []
    assert "0 of 0 delivered: the list of storyboards is empty, and nothing was sent." in log()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"storyboards": None}, "as a list of storyboards; it is None"),
        ({"storyboards": "a text"}, "as a list of storyboards; it is text"),
        ({"storyboards": [None]}, r"has None at storyboards\[0\], which is not a storyboard"),
        ({"destination": "/videos/video.mp4"}, "end it with a slash"),
        ({"destination": Path("/videos/video.mp4")}, "end it with a slash"),
        ({"storyboards": XComResult([(storyboard("a"), DEEP)])}, "is not JSON: maximum recursion depth"),
        ({"max_active": 0}, "max_active=0; give a whole number, 1 or more"),
        ({"on_failure": "explode"}, "on_failure='explode'"),
        ({"storyboards": [named("a", "b")]}, r"two storyboards at storyboards\[0\]"),
        ({"adopt_render_job_ids": ["j-1"]}, "adopt_render_job_ids= as a dict from video names"),
        (
            {"adopt_render_job_ids": {"a": ["j-1"]}},
            r"has a list at adopt_render_job_ids\['a'\], which is not a job id",
        ),
        ({"adopt_storyboard_job_ids": {"A": "j-1"}}, "no such video in storyboards="),
        ({"storyboards": named("video"), "adopt_storyboard_job_ids": {"vidoe": "j"}}, "Did you mean 'video'"),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence(
    emulator: Any,
    task: Any,
    run: Any,
    videos: Any,
    submissions: Any,
    arguments: dict[str, Any],
    message: str,
) -> None:
    with raises_telling(ConfigurationError, message):
        run(videos, task, **arguments)
    assert submissions() == 0


def test_the_manifest_has_a_line_a_video(
    emulator: Any, task: Any, run: Any, videos: Any, tmp_path: Path
) -> None:
    manifest = tmp_path / "lists" / "night.jsonl"
    pairs = [(storyboard("a"), {"title": "An A"}), {"storyboard": storyboard("b")}]
    run(videos, task, storyboards=pairs, manifest=str(manifest))

    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    assert [(line["name"], line["state"], line["metadata"]) for line in lines] == [
        ("a", "delivered", {"title": "An A"}),
        ("b", "delivered", {}),
    ]


@pytest.mark.parametrize("name", ["a.mp4", "A.MP4", "b.json", "b.srt"])
def test_a_manifest_replaces_no_video(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any, tmp_path: Path, name: str
) -> None:
    with raises_telling(ConfigurationError, "give the manifest another name"):
        run(videos, task, manifest=f"{tmp_path}/{name}")
    assert submissions() == 0


def test_a_manifest_that_cannot_be_written_is_told_before_anything_is_paid(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any, tmp_path: Path
) -> None:
    a_folder = tmp_path / "night.jsonl"
    a_folder.mkdir()
    with pytest.raises(DeliveryError, match="manifest of task 't' cannot be written"):
        run(videos, task, manifest=str(a_folder))
    assert submissions() == 0


def test_a_manifest_that_cannot_be_written_stops_no_retry(
    emulator: Any, task: Any, run: Any, videos: Any, tmp_path: Path
) -> None:
    run(videos, task)
    a_folder = tmp_path / "night.jsonl"
    a_folder.mkdir()
    task.retry()
    assert set(states(run(videos, task, manifest=str(a_folder))).values()) == {"delivered"}


@pytest.mark.parametrize("path", [Path, ObjectStoragePath])
def test_a_folder_may_be_a_path_which_has_no_slash_at_its_end(
    emulator: Any, task: Any, videos: Any, tmp_path: Path, path: Any
) -> None:
    made = Asset(name="night", uri="file:///videos")
    events = OutletEvents()
    operator = videos(outlets=[made], destination=path(f"{tmp_path}/videos/"))
    operator.execute({**task.context(), "outlet_events": events})

    assert (tmp_path / "videos" / "a.mp4").is_file()
    assert events.event.extra["folder"] == f"{tmp_path}/videos/"


def test_a_refused_token_stops_the_rest(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=401)
    with pytest.raises(VideosFailedError) as failed:
        run(videos, task, storyboards=named(*(f"v{number}" for number in range(40))), max_active=4)
    assert "skipped (SpendingStoppedError)" in str(failed.value)
    assert submissions() == 0


def test_a_video_that_is_to_be_made_again(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    run(videos, task)
    task.retry()
    run(videos, task, make_again=["b"])
    assert submissions() == 3, "a retry is no clear"
    task.clear()

    assert set(states(run(videos, task, make_again=["b"])).values()) == {"delivered"}
    assert (submissions(), submissions("render")) == (4, 4)


def test_the_video_that_was_made_before_is_not_taken_for_the_one_that_was_asked_for_again(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    run(videos, task)
    task.clear()
    emulator.admin.add_fault("status", on="render", status=400, nth=(1,))
    with pytest.raises(VideosFailedError):
        run(videos, task, make_again=["b"])
    task.clear()

    assert set(states(run(videos, task)).values()) == {"delivered"}
    assert (submissions(), submissions("render")) == (4, 4)


def test_nothing_more_is_paid_for_where_nothing_can_be_delivered(
    emulator: Any, task: Any, deferrable: bool, run: Any, videos: Any, submissions: Any, tmp_path: Path
) -> None:
    names = [f"v{number}" for number in range(20)]
    for name in names:
        (tmp_path / f"{name}.mp4").mkdir()
    with raises_telling(VideosFailedError, "3 deliveries in a row failed"):
        run(videos, task, deferrable, storyboards=named(*names), max_active=2)
    assert submissions() < 20
    for name in names:
        (tmp_path / f"{name}.mp4").rmdir()
    task.retry()

    assert set(states(run(videos, task, deferrable, storyboards=named(*names))).values()) == {"delivered"}
    assert (submissions(), submissions("render")) == (20, 20)


def test_what_was_left_out_is_not_looked_at_again_after_a_wait(
    emulator: Any, task: Any, run: Any, videos: Any, log: Any
) -> None:
    wrong = {"videoName": "w", "scenes": [{"text": "t", "textColour": "red"}]}
    result = run(videos, task, True, storyboards=XComResult([*named("a"), wrong]), on_invalid="skip")

    assert states(result) == {"a": "delivered", "w": "skipped"}
    assert "Video 'w' is skipped" not in log()


def test_a_try_whose_time_is_over_tells_what_is_delivered(emulator: Any, task: Any, videos: Any) -> None:
    emulator.admin.add_fault("delay", on="storyboard", video_name="c", seconds=1.0)
    keep = task.store.set

    def time_is_over_after_two(key: str, value: Any) -> None:
        keep(key, value)
        outcomes = [kept.get("outcome") for kept in value.get("videos", {}).values()]
        if len([outcome for outcome in outcomes if outcome]) == 2:
            task.store.set = keep
            raise AirflowTaskTimeout

    task.store.set = time_is_over_after_two
    with pytest.raises(ExecutionTimeoutError):
        videos().execute(task.context())
    assert states(task.pushed["return_value"]) == {"a": "delivered", "b": "delivered"}


def test_lineage_needs_no_other_task(emulator: Any, task: Any, videos: Any) -> None:
    """It is told in a process that must not ask Airflow for what another task returned."""

    class OfAnotherTask(XComResult):
        reads = 0

        def __getitem__(self, index: Any) -> Any:
            OfAnotherTask.reads += 1
            return self.data[index]

        def __iter__(self) -> Any:
            raise AssertionError("read again")

    operator = videos(storyboards=OfAnotherTask(named("a")))
    operator.execute(task.context())
    list(operator.datasets_read())
    assert OfAnotherTask.reads == 1


def test_a_storyboard_that_was_mended_after_its_render_failed_is_submitted_again_by_a_clear(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any, log: Any
) -> None:
    emulator.admin.add_fault("fail", on="render", video_name="b", nth=(1, 2))
    mended = named("a", "b")
    mended[1]["scenes"] = [{"text": "B, with another text."}]
    with pytest.raises(VideosFailedError):
        run(videos, task, storyboards=named("a", "b"))
    task.retry()
    with pytest.raises(VideosFailedError):
        run(videos, task, storyboards=mended)
    assert (submissions(), submissions("render")) == (2, 3), "a retry pays for no other storyboard"
    task.clear()

    mended[0]["scenes"] = [{"text": "A, with another text."}]
    assert set(states(run(videos, task, storyboards=mended)).values()) == {"delivered"}
    assert (submissions(), submissions("render")) == (3, 4)
    assert "Video 'b': its storyboard has changed since its render failed (scenes)" in log()
    assert "name them in make_again= and clear the task: a" in log()


def test_a_destination_that_cannot_be_written_to_is_told_before_anything_is_paid(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DeliveryError, match="Nothing was sent, and nothing was paid"):
        run(videos, task, destination=f"{tmp_path}/file/videos/")
    assert submissions() == 0


def test_an_empty_list_leaves_the_manifest_of_another_run_alone(
    emulator: Any, task: Any, run: Any, videos: Any, tmp_path: Path
) -> None:
    manifest = tmp_path / "night.jsonl"
    manifest.write_text("of another run")
    run(videos, task, storyboards=[], manifest=str(manifest))
    assert manifest.read_text() == "of another run"


def test_lines_of_the_log_name_their_video(emulator: Any, task: Any, run: Any, videos: Any, log: Any) -> None:
    made = run(videos, task, storyboards=named("100 %s"))
    assert f"Video '100 %s': Job {made[0]['render_job_id']} is completed" in log()


def test_an_outage_of_renders_stops_the_task_though_storyboards_are_made(
    emulator: Any, task: Any, deferrable: bool, run: Any, videos: Any
) -> None:
    """Over its deferrals, too: each wake of a worker would else leave some more in doubt."""
    emulator.admin.add_fault("status", on="render", status=500)
    with raises_telling(VideosFailedError, "render submissions in a row") as stopped:
        run(
            videos, task, deferrable, storyboards=named(*(f"v{number}" for number in range(20))), max_active=2
        )

    doubts = [row for row in task.pushed["return_value"] if row["state"] == "in-doubt"]
    assert 3 <= len(doubts) <= 3 + 3
    assert not isinstance(stopped.value, AirflowFailException), "a retry sends the rest"


def test_a_retry_after_an_outage_sends_again(
    emulator: Any, task: Any, deferrable: bool, run: Any, videos: Any
) -> None:
    emulator.admin.add_fault("status", on="render", status=500, nth=(1, 2, 3))
    names = [f"v{number}" for number in range(8)]
    with pytest.raises(VideosFailedError):
        run(videos, task, deferrable, storyboards=named(*names), max_active=1)
    task.retry()

    with pytest.raises(VideosFailedError, match="5 of 8 delivered, 3 in doubt"):
        run(videos, task, deferrable, storyboards=named(*names), max_active=1)


def test_the_event_of_an_asset_says_where_the_videos_are(
    emulator: Any, task: Any, videos: Any, tmp_path: Path
) -> None:
    made = Asset(name="night", uri="file:///videos")
    events = OutletEvents()
    operator = videos(outlets=[made], manifest=f"{tmp_path}/night.jsonl")
    operator.execute({**task.context(), "outlet_events": events})

    assert events.event.extra == {
        "version": 1,
        "folder": f"{tmp_path}/",
        "manifest": f"{tmp_path}/night.jsonl",
        "delivered": 3,
        "videos": 3,
    }


def test_a_wrong_storyboard_in_the_dag_file_is_refused_when_it_is_parsed(videos: Any) -> None:
    with pytest.raises(InvalidRequestError, match=r"storyboards\[0\] 'w'.scenes\[0\].textColour"):
        videos(storyboards=[{"videoName": "w", "scenes": [{"text": "t", "textColour": "red"}]}])
    videos(storyboards=[{"videoName": "{{ ds }}", "scenes": [{"text": "t", "textColour": "{{ ds }}"}]}])


def test_adoptions_of_another_run_hurt_nobody(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    """Their templates render to nothing."""
    result = run(videos, task, adopt_storyboard_job_ids={"gone": "None"}, adopt_render_job_ids="None")
    assert set(states(result).values()) == {"delivered"}


def test_names_to_make_again_that_are_unknown_are_told(
    emulator: Any, task: Any, run: Any, videos: Any, log: Any
) -> None:
    run(videos, task, make_again=["a", "nobody"])
    assert "make_again= names videos that are not in storyboards=, and has no effect on them: nobody" in log()


def test_the_job_of_one_video_is_never_delivered_as_another(
    emulator: Any, task: Any, make_task: Any, run: Any, videos: Any
) -> None:
    made = run(videos, task, storyboards=named("a"))[0]["storyboard_job_id"]
    other = make_task()
    for _ in range(2):
        with pytest.raises(VideosFailedError, match=f"Job {made} belongs to video"):
            run(videos, other, storyboards=named("b", "c"), adopt_storyboard_job_ids={"b": made, "c": made})
        assert sorted(states(other.pushed["return_value"]).values()) == ["delivered", "failed"]
        other.retry()


@pytest.mark.parametrize(
    "event",
    [None, "text", {}, {"ends": "text"}, {"ends": [None, 5, {"job_id": ["x"]}, {"job_id": "nobody's"}]}],
)
def test_an_event_that_says_nothing_loses_nothing(
    emulator: Any, task: Any, videos: Any, submissions: Any, event: Any, event_of: Any
) -> None:
    with pytest.raises(TaskDeferred):
        videos(True).execute(task.context())
    given = event
    waited_for = []
    result = None
    while result is None:
        try:
            result = videos(True).resume_execution("execute_complete", {"event": given}, task.context())
        except TaskDeferred as again:
            waited_for.append(again.trigger.jobs)
            given = event_of(again.trigger)

    assert all(waited_for), "a trigger with no job would fire at once, for ever"
    assert set(states(result).values()) == {"delivered"}
    assert (submissions(), submissions("render")) == (3, 3)


def test_half_a_surrogate_pair(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any, tmp_path: Path
) -> None:
    """In a name it is refused in a sentence; in metadata it stands in the sidecar as JSON writes it."""
    with pytest.raises(InvalidRequestError, match=r"storyboards\[0\]"):
        run(videos, task, storyboards=named("a\ud800"))
    assert submissions() == 0

    # Nothing with half a pair in it goes into XCom.
    result = run(videos, task, storyboards=named("a\ud800"), on_invalid="skip")
    assert states(result) == {"a\\ud800": "skipped"}

    run(videos, task, storyboards=[(storyboard("b"), {"title": "\ud800"})], sidecar=True)
    assert json.loads((tmp_path / "b.json").read_text())["metadata"] == {"title": "\ud800"}


def kill_between_post_and_answer(task: Any, name: str) -> None:
    """What a worker leaves that died there: the intent of the video's storyboard, and no outcome."""
    [video] = [
        kept
        for key, value in task.store.values.items()
        for own, kept in (value.get("videos") or {}).items()
        if own == name
    ]
    records = video["submissions"]["records"]
    stage = next(stage for stage in records if stage.endswith("storyboard"))
    del records[stage]["job_id"]
    records[stage]["state"] = "intent"
    video["submissions"]["records"] = {stage: records[stage]}
    del video["outcome"]


def test_a_video_that_is_made_again_is_not_told_to_stay_as_it_is(
    emulator: Any, task: Any, run: Any, videos: Any, log: Any
) -> None:
    run(videos, task)
    [delivered] = [
        kept["outcome"]
        for value in task.store.values.values()
        for own, kept in (value.get("videos") or {}).items()
        if own == "b"
    ]
    task.clear()
    emulator.admin.add_fault("status", on="render", status=400, nth=(1,))
    with pytest.raises(VideosFailedError):
        run(videos, task, make_again=["b"])
    # A worker that dies before the end of the video leaves what came of the one before.
    for value in task.store.values.values():
        if "b" in (value.get("videos") or {}):
            value["videos"]["b"]["outcome"] = delivered
    task.clear()
    changed = named("a", "b", "c")
    changed[1]["scenes"] = [{"text": "B, with another text."}]

    assert set(states(run(videos, task, storyboards=changed)).values()) == {"delivered"}
    assert "They stay as they are" not in log()


def test_a_clear_tells_of_a_doubt_before_the_next_one_pays_again(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    run(videos, task)
    kill_between_post_and_answer(task, "b")
    task.clear()
    with pytest.raises(VideosFailedError, match="1 in doubt") as failed:
        run(videos, task)
    assert isinstance(failed.value, AirflowFailException), "no retry mends it"
    assert submissions() == 3
    task.clear()

    assert set(states(run(videos, task)).values()) == {"delivered"}
    assert submissions() == 4


def test_the_job_that_a_callback_named_is_kept_by_a_clear(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    run(videos, task)
    [(stage, record)] = [
        (stage, record)
        for value in task.store.values.values()
        for name, kept in (value.get("videos") or {}).items()
        if name == "b"
        for stage, record in kept["submissions"]["records"].items()
        if stage.endswith("storyboard")
    ]
    callback = Callback(record["begun_at"], record["job_id"], announced=True)
    kill_between_post_and_answer(task, "b")
    task.store.values[callback_key(stage)] = callback.to_json()
    task.clear()

    assert set(states(run(videos, task)).values()) == {"delivered"}
    assert (submissions(), submissions("render")) == (3, 4)


def test_a_task_that_is_told_to_stop_sends_nothing_more_and_is_retried(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    given = named(*(f"v{number}" for number in range(30)))
    operator = videos(max_active=1, storyboards=given)
    emulator.admin.add_fault("delay", on="storyboard", seconds=0.2, nth=(1,))
    raised: list[Exception] = []

    def execute() -> None:
        try:
            operator.execute(task.context())
        except VideosFailedError as error:
            raised.append(error)

    running = threading.Thread(target=execute, daemon=True)
    running.start()
    while not submissions():
        running.join(0.01)
    operator.on_kill()
    under_way = submissions()
    running.join(30)

    [stopped] = raised
    assert "was told to stop" in str(stopped)
    assert not isinstance(stopped, AirflowFailException)
    assert submissions() <= under_way + 4
    task.retry()
    assert set(states(run(videos, task, storyboards=given)).values()) == {"delivered"}
    assert submissions() == 30


def test_what_is_under_way_counts_first(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any
) -> None:
    run(videos, task, storyboards=named("late"))
    task.store.values[shard_key(0)]["videos"]["late"].pop("outcome")
    task.retry()

    result = run(videos, task, storyboards=named("a", "b", "late"), max_active=1)
    assert set(states(result).values()) == {"delivered"}
    assert submissions() == 3
