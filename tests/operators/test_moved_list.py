"""The list of a mapped task changes between two tries: nobody gets Alpha's video under the name Beta."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException, TaskDeferred

from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.protocol.errors import (
    AmbiguousSubmissionError,
    AnotherSubjectError,
    RequestRefusedError,
)
from airflow_video_creation.provider.submission import RECORD_KEY, record_key

AWS = {"name": "media", "awsAccountId": "000123456789", "awsRegion": "us-east-2", "enabled": True}
PASTE = r"adopt_job_id=\"{{ {\('manual__1', MAP_INDEX\): '%s'}.get\(\(run_id, ti.map_index\)\) }}\""


def named(name: str) -> dict[str, Any]:
    return {"videoName": name, "scenes": [{"text": "t"}]}


def storyboard(task: Any, name: str, **arguments: Any) -> Any:
    return CreateStoryboardOperator(task_id="t", storyboard=named(name), **arguments).execute(task.context())


def video(deferrable: bool = False, name: str = "Alpha", **arguments: Any) -> CreateVideoOperator:
    given = {"storyboard": named(name), "poll_interval": 0.05, **arguments}
    return CreateVideoOperator(task_id="t", deferrable=deferrable, **given)


def render(task: Any, job_id: str | None = None, **arguments: Any) -> Any:
    operator = RenderVideoOperator(task_id="t", storyboard_job_id=job_id, **arguments)
    return operator.execute(task.context())


def forget_the_subject(task: Any, stage: str = "") -> None:
    """As release 0.1.0 has stored it."""
    del task.store.values[record_key(stage)]["subject"]


def test_the_task_stops_and_names_both_videos_and_the_paid_job(
    emulator: Any, mapped: Any, submissions: Any
) -> None:
    job_id = storyboard(mapped, "Alpha")
    mapped.retry()

    with pytest.raises(AnotherSubjectError, match=f"video 'Alpha'.*{job_id}.*now video 'Beta'") as stopped:
        storyboard(mapped, "Beta")

    assert "pay for, video 'Beta', clear this task" in str(stopped.value)
    stopped.match(PASTE % job_id)
    assert isinstance(stopped.value, AirflowFailException)
    assert submissions() == 1
    mapped.retry()
    assert storyboard(mapped, "Alpha") == job_id


def test_a_task_that_is_not_mapped_goes_on_with_a_warning(emulator: Any, task: Any, log: Any) -> None:
    job_id = storyboard(task, "Alpha")
    task.retry()

    assert storyboard(task, "Beta") == job_id
    assert "reads differently now, which has no effect: videoName" in log()


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
    forget_the_subject(mapped)
    mapped.retry()
    assert storyboard(mapped, "Alpha") == job_id

    with pytest.raises(AnotherSubjectError, match=f"another video, whose name an older release.*{job_id}"):
        storyboard(mapped, "Beta")


def test_who_clears_the_task_gets_the_video_that_is_asked_for_now(
    emulator: Any, mapped: Any, submissions: Any
) -> None:
    job_id = storyboard(mapped, "Alpha")
    mapped.clear()

    assert storyboard(mapped, "Beta") != job_id
    assert submissions() == 2


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

    with pytest.raises(
        AmbiguousSubmissionError, match="an earlier try, which was for video 'Alpha'"
    ) as stopped:
        storyboard(mapped, "Beta")

    stopped.match(PASTE % "JOB_ID")
    assert submissions() == 1


@pytest.mark.parametrize("state", ["refused", "failed"])
def test_where_nothing_was_made_the_video_that_is_asked_for_is_submitted(
    emulator: Any, mapped: Any, submissions: Any, log: Any, state: str
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=400, nth=[1])
    with pytest.raises(RequestRefusedError):
        storyboard(mapped, "Alpha")
    mapped.store.values[RECORD_KEY]["state"] = state
    mapped.retry()

    assert storyboard(mapped, "Beta")
    assert submissions() == 1
    assert "That was for video 'Alpha'" in log()


def test_a_render_is_told_apart_by_its_storyboard_job(
    emulator: Any, mapped: Any, make_task: Any, submissions: Any
) -> None:
    alpha, beta = storyboard(make_task(), "Alpha"), storyboard(make_task(), "Beta")
    job_id = render(mapped, alpha)
    mapped.retry()
    assert render(mapped, alpha) == job_id

    with pytest.raises(AnotherSubjectError, match=f"storyboard job '{alpha}'.*{job_id}.*'{beta}'"):
        render(mapped, beta)
    forget_the_subject(mapped)
    with pytest.raises(AnotherSubjectError, match=f"another storyboard job.*{job_id}"):
        render(mapped, beta)
    assert submissions("render") == 1


@pytest.mark.parametrize("name", ["Alpha", None], ids=["named", "unnamed"])
def test_a_render_of_settings_is_told_apart_by_the_name_or_by_the_settings(
    ask: Any, sent: Any, mapped: Any, name: str | None
) -> None:
    assert render(mapped, render_settings={"scenes": 1}, video_name=name) == "r-1"
    mapped.retry()
    assert render(mapped, render_settings={"scenes": 1}, video_name=name) == "r-1"

    with pytest.raises(AnotherSubjectError, match="r-1"):
        render(mapped, render_settings={"scenes": 2}, video_name=name and "Beta")
    assert len(sent("render")) == 1


def test_a_registration_is_told_apart_by_its_name(emulator: Any, mapped: Any) -> None:
    registered = RegisterAwsConnectionOperator(task_id="t", connection=AWS).execute(mapped.context())
    mapped.retry()
    other = RegisterAwsConnectionOperator(task_id="t", connection=AWS | {"name": "other"})

    with pytest.raises(AnotherSubjectError, match="registration 'media'") as stopped:
        other.execute(mapped.context())

    assert registered["connectionId"] in str(stopped.value)
    assert "adopt" not in str(stopped.value)


@pytest.mark.parametrize("state", ["submitted", "completed"])
def test_a_video_stops_at_whatever_stage_it_is(
    emulator: Any, mapped: Any, run: Any, submissions: Any, state: str
) -> None:
    run(video, mapped, name="Alpha")
    records = mapped.store.values
    records[record_key("render")]["state"] = state
    mapped.retry()
    with pytest.raises(AnotherSubjectError, match="video 'Alpha'"):
        run(video, mapped, name="Beta")
    del records[record_key("render")]
    with pytest.raises(AnotherSubjectError, match="video 'Alpha'"):
        run(video, mapped, name="Beta")
    assert (submissions(), submissions("render")) == (1, 1)


def test_a_render_that_a_person_adopted_goes_on_under_any_name(emulator: Any, mapped: Any, run: Any) -> None:
    job = run(video, mapped, name="Alpha")
    mapped.retry()

    assert run(video, mapped, name="Beta", adopt_render_job_id=job["job_id"])["job_id"] == job["job_id"]


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
