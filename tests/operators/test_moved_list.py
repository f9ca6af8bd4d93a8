"""The list of a mapped task changes between two tries: nobody gets Alpha's video under the name Beta."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException, TaskDeferred

from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    AnotherSubjectError,
    RequestRefusedError,
)

from ..sample_requests import AWS_CONNECTION
from ..told_errors import raises_telling, told

PASTE = r"adopt_job_id=\"{{ {\('manual__1', MAP_INDEX\): '%s'}.get\(\(run_id, ti.map_index\)\) }}\""


def named(name: Any) -> dict[str, Any]:
    return {"videoName": name, "scenes": [{"text": "t"}]}


def in_yaml(name: str) -> str:
    return f"videoName: {name}\nscenes: [{{text: t}}]"


def storyboard(task: Any, name: Any, **arguments: Any) -> Any:
    return CreateStoryboardOperator(task_id="t", storyboard=named(name), **arguments).execute(task.context())


def waiting(given: Any) -> CreateStoryboardOperator:
    return CreateStoryboardOperator(task_id="t", storyboard=given, wait_for_completion=True, deferrable=True)


def video(deferrable: bool = False, name: Any = "Alpha", **arguments: Any) -> CreateVideoOperator:
    given = {"storyboard": named(name), "poll_interval": 0.05, **arguments}
    return CreateVideoOperator(task_id="t", deferrable=deferrable, **given)


def test_the_task_stops_and_names_both_videos_and_the_paid_job(
    emulator: Any, mapped: Any, submissions: Any
) -> None:
    job_id = storyboard(mapped, "Alpha")
    mapped.retry()

    with raises_telling(AnotherSubjectError, f"video 'Alpha'.*{job_id}.*now video 'Beta'") as stopped:
        storyboard(mapped, "Beta")

    assert "pay for, video 'Beta', clear this task" in told(stopped.value)
    assert re.search(PASTE % job_id, told(stopped.value))
    assert isinstance(stopped.value, AirflowFailException)
    assert submissions() == 1
    mapped.retry()
    assert storyboard(mapped, "Alpha") == job_id


def test_a_task_that_is_not_mapped_goes_on_with_a_warning(emulator: Any, task: Any, log: Any) -> None:
    job_id = storyboard(task, "Alpha")
    task.retry()

    assert storyboard(task, "Beta") == job_id
    assert "has changed since then, which has no effect: videoName" in log()


def test_other_words_in_the_same_video_are_no_other_video(emulator: Any, mapped: Any) -> None:
    job_id = storyboard(mapped, "Alpha")
    mapped.retry()
    other_words = {"videoName": "Alpha", "scenes": [{"text": "other"}]}
    operator = CreateStoryboardOperator(task_id="t", storyboard=other_words)

    assert operator.execute(mapped.context()) == job_id


def test_a_storyboard_that_is_wrong_by_now_is_told_apart_by_its_name(emulator: Any, mapped: Any) -> None:
    storyboard(mapped, "Alpha")
    mapped.retry()
    wrong = '{"videoName": "Beta", "scenes": 5}'
    with pytest.raises(AnotherSubjectError):
        CreateStoryboardOperator(task_id="t", storyboard=wrong).execute(mapped.context())


def test_a_record_of_an_older_release_tells_that_it_is_another_but_not_which(
    emulator: Any, mapped: Any
) -> None:
    job_id = storyboard(mapped, "Alpha")
    mapped.forget_the_subject()
    mapped.retry()
    assert storyboard(mapped, "Alpha") == job_id

    with raises_telling(AnotherSubjectError, f"another video, whose name an older release.*{job_id}"):
        storyboard(mapped, "Beta")


def test_who_clears_the_task_gets_the_video_that_is_asked_for_now(
    emulator: Any, mapped: Any, submissions: Any
) -> None:
    job_id = storyboard(mapped, "Alpha")
    mapped.clear()

    assert storyboard(mapped, "Beta") != job_id
    assert submissions() == 2


NUMBERS = [
    pytest.param(named(5), named("5"), named(6), "'5'", id="numbers"),
    pytest.param(named(7.0), named(7), named(7.5), "'7'", id="fractions"),
    pytest.param(in_yaml("007"), in_yaml("7"), in_yaml("008"), "'7'", id="yaml"),
]


@pytest.mark.parametrize(("before", "same", "other", "name"), NUMBERS)
def test_a_name_that_is_a_number_counts_as_the_text_that_is_sent(
    emulator: Any, mapped: Any, run: Any, submissions: Any, before: Any, same: Any, other: Any, name: str
) -> None:
    job = run(video, mapped, storyboard=before)
    mapped.retry()
    assert run(video, mapped, storyboard=same)["job_id"] == job["job_id"]

    with pytest.raises(AnotherSubjectError, match=f"video {name}, which is paid for") as stopped:
        run(video, mapped, storyboard=other)
    assert "older release" not in str(stopped.value)
    assert (submissions(), submissions("render")) == (1, 1)


@pytest.mark.usefixtures("sleeping_passes_time")
@pytest.mark.parametrize(("before", "same", "other", "name"), NUMBERS)
def test_a_number_tells_a_storyboard_apart_after_a_deferral_too(
    emulator: Any, mapped: Any, event_of: Any, before: Any, same: Any, other: Any, name: str
) -> None:
    with pytest.raises(TaskDeferred) as deferred:
        waiting(before).execute(mapped.context())
    method, event = deferred.value.method_name, {"event": event_of(deferred.value.trigger)}

    with pytest.raises(AnotherSubjectError, match=f"video {name}, which is paid for"):
        waiting(other).resume_execution(method, event, mapped.context())
    assert waiting(same).resume_execution(method, event, mapped.context())["state"] == "completed"


@pytest.mark.usefixtures("sleeping_passes_time")
def test_a_record_of_an_older_release_is_compared_after_a_deferral_too(
    emulator: Any, mapped: Any, event_of: Any
) -> None:
    with pytest.raises(TaskDeferred) as deferred:
        waiting(named("Alpha")).execute(mapped.context())
    method, event = deferred.value.method_name, {"event": event_of(deferred.value.trigger)}
    mapped.forget_the_subject()

    with pytest.raises(AnotherSubjectError, match="another video, whose name an older release"):
        waiting(named("Beta")).resume_execution(method, event, mapped.context())
    assert waiting(named("Alpha")).resume_execution(method, event, mapped.context())["state"] == "completed"


def test_a_record_of_an_older_release_is_compared_when_its_video_is_made(
    emulator: Any, mapped: Any, run: Any
) -> None:
    job = run(video, mapped, name="Alpha")
    mapped.forget_the_subject("storyboard")
    mapped.retry()

    with pytest.raises(AnotherSubjectError, match="another video, whose name an older release"):
        run(video, mapped, name="Beta")
    assert run(video, mapped, name="Alpha")["job_id"] == job["job_id"]


@pytest.mark.parametrize("given", [None, "no storyboard at all", {"scenes": []}, named(True)])
def test_a_row_that_has_become_no_storyboard_stops_and_names_the_paid_job(
    emulator: Any, mapped: Any, submissions: Any, log: Any, given: Any
) -> None:
    job_id = storyboard(mapped, "Alpha")
    mapped.retry()
    operator = CreateStoryboardOperator(task_id="t", storyboard=named("Alpha"))
    operator.storyboard = given

    with raises_telling(AnotherSubjectError, rf"'Alpha'.*{job_id}\), and now something whose name"):
        operator.execute(mapped.context())
    assert "The storyboard is now wrong" in log()
    assert submissions() == 1


def test_a_row_that_has_become_no_storyboard_stops_a_finished_video_too(
    emulator: Any, mapped: Any, run: Any
) -> None:
    run(video, mapped, name="Alpha")
    mapped.retry()
    operator = video()
    operator.storyboard = None

    with pytest.raises(AnotherSubjectError, match="video 'Alpha'"):
        operator.execute(mapped.context())


def test_two_ways_to_write_the_same_letters_are_one_name(emulator: Any, mapped: Any) -> None:
    job_id = storyboard(mapped, unicodedata.normalize("NFC", "Café"))
    mapped.retry()

    assert storyboard(mapped, unicodedata.normalize("NFD", "Café")) == job_id


def test_a_job_that_a_person_names_is_taken_whatever_it_is_of(
    emulator: Any, mapped: Any, submissions: Any
) -> None:
    job_id = storyboard(mapped, "Alpha")
    mapped.retry()

    assert storyboard(mapped, "Beta", adopt_job_id=job_id) == job_id
    mapped.clear()
    assert storyboard(mapped, "Beta", adopt_job_id="j-found") == "j-found"
    mapped.retry()
    assert storyboard(mapped, "Gamma") == "j-found"
    assert submissions() == 1


def test_a_doubt_about_the_other_video_stops_and_says_so(
    emulator: Any, mapped: Any, submissions: Any
) -> None:
    emulator.admin.add_fault("reset", on="storyboard", when="after", nth=[1])
    with pytest.raises(AmbiguousSubmissionError):
        storyboard(mapped, "Alpha")
    mapped.retry()

    with raises_telling(
        AmbiguousSubmissionError,
        r"try 1 \(its log may name the job\), which was for video 'Alpha', began to submit at 20.* UTC",
    ) as stopped:
        storyboard(mapped, "Beta")

    assert re.search(PASTE % "JOB_ID", told(stopped.value))
    assert submissions() == 1


@pytest.mark.parametrize("state", ["refused", "failed"])
def test_where_nothing_was_made_the_video_that_is_asked_for_is_submitted(
    emulator: Any, mapped: Any, submissions: Any, log: Any, state: str
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=400, nth=[1])
    with pytest.raises(RequestRefusedError):
        storyboard(mapped, "Alpha")
    mapped.record()["state"] = state
    mapped.retry()

    assert storyboard(mapped, "Beta")
    assert submissions() == 1
    assert "That was for video 'Alpha'" in log()


def test_a_registration_is_told_apart_by_its_name(emulator: Any, mapped: Any) -> None:
    registered = RegisterAwsConnectionOperator(task_id="t", connection=AWS_CONNECTION).execute(
        mapped.context()
    )
    mapped.retry()
    other = RegisterAwsConnectionOperator(task_id="t", connection=AWS_CONNECTION | {"name": "other"})

    with pytest.raises(AnotherSubjectError, match="registration 'media'") as stopped:
        other.execute(mapped.context())

    assert registered["connectionId"] in str(stopped.value)
    assert "adopt" not in str(stopped.value)


@pytest.mark.parametrize("state", ["submitted", "completed"])
def test_a_video_stops_at_whatever_stage_it_is(
    emulator: Any, mapped: Any, run: Any, submissions: Any, state: str
) -> None:
    run(video, mapped, name="Alpha")
    mapped.record("render")["state"] = state
    mapped.retry()
    with pytest.raises(AnotherSubjectError, match="video 'Alpha'"):
        run(video, mapped, name="Beta")
    mapped.forget("render")
    with pytest.raises(AnotherSubjectError, match="video 'Alpha'"):
        run(video, mapped, name="Beta")
    assert (submissions(), submissions("render")) == (1, 1)


def test_a_render_that_a_person_adopted_goes_on_under_any_name(emulator: Any, mapped: Any, run: Any) -> None:
    job = run(video, mapped, name="Alpha")
    mapped.retry()

    assert run(video, mapped, name="Beta", adopt_render_job_id=job["job_id"])["job_id"] == job["job_id"]


@pytest.mark.usefixtures("sleeping_passes_time")
def test_a_video_whose_list_changed_while_it_was_deferred_stops_too(
    emulator: Any, mapped: Any, event_of: Any
) -> None:
    with pytest.raises(TaskDeferred) as first:
        video(True).execute(mapped.context())
    event = {"event": event_of(first.value.trigger)}

    with pytest.raises(AnotherSubjectError, match="video 'Alpha'"):
        video(True, "Beta").resume_execution(first.value.method_name, event, mapped.context())

    with pytest.raises(TaskDeferred) as second:
        video(True).resume_execution(first.value.method_name, event, mapped.context())
    event = {"event": event_of(second.value.trigger)}
    with pytest.raises(AnotherSubjectError, match="video 'Alpha'"):
        video(True, "Beta").resume_execution(second.value.method_name, event, mapped.context())
