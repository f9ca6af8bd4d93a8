"""Where the service lists its jobs, a retry looks what came of a submission in doubt."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.provider.errors import AmbiguousSubmissionError, AnotherSubjectError

from .conftest import STORYBOARD
from .deaths import BASE, Killed

FOUND_BY = pytest.mark.parametrize("found_by", ["list", "mark"], ids=["by name", "by mark"])


@pytest.mark.parametrize("after", [False, True], ids=["before it has an effect", "after it"])
@pytest.mark.parametrize("touch", range(4))
@FOUND_BY
def test_a_worker_may_die_at_any_moment(
    world: Any, task: Any, storyboard: Any, die: Any, found_by: str, touch: int, after: bool
) -> None:
    service = world(found_by)
    service.has("Another", ago=3600.0)
    die(service, task, touch, after=after)
    with pytest.raises(Killed):
        storyboard(service, task)
    task.retry()
    made = storyboard(service, task)

    assert service.own == [made]


@pytest.mark.parametrize(
    ("found_by", "second"),
    [*(("list", second) for second in range(10)), *(("mark", second) for second in range(4))],
)
def test_the_worker_that_looks_may_die_too(
    world: Any, task: Any, storyboard: Any, die: Any, found_by: str, second: int
) -> None:
    service = world(found_by)
    for touch in (2, second):
        die(service, task, touch, after=True)
        with pytest.raises(Killed):
            storyboard(service, task)
        task.retry()
    die(service, task, -1)

    made = storyboard(service, task)
    assert service.own == [made]


def dies(service: Any, task: Any, storyboard: Any, die: Any, *, accepted: bool = True) -> None:
    """In doubt: the request was accepted, or never left."""
    die(service, task, 2, after=accepted)
    with pytest.raises(Killed):
        storyboard(service, task)
    die(service, task, -1)
    task.retry()


@FOUND_BY
def test_it_says_plainly_which_job_it_found(
    world: Any, task: Any, storyboard: Any, die: Any, log: Any, found_by: str
) -> None:
    service = world(found_by)
    dies(service, task, storyboard, die)
    assert storyboard(service, task) == "j-0"
    assert "list of jobs shows j-0 with" in log()
    assert "Resuming that job; nothing is sent" in log()
    assert task.record()["state"] == "submitted"
    assert len(service.seen) == 1


@FOUND_BY
def test_a_job_that_is_listed_late_is_waited_for_and_not_paid_twice(
    world: Any, task: Any, storyboard: Any, die: Any, found_by: str
) -> None:
    service = world(found_by)
    service.has("Another", ago=3600.0)
    service.shown_after = 45.0
    dies(service, task, storyboard, die)
    began = service.clock.now
    assert storyboard(service, task) == "j-1"
    assert service.clock.now - began <= 70
    assert len(service.seen) == 1


def test_a_retry_long_after_does_not_wait(world: Any, task: Any, storyboard: Any, die: Any) -> None:
    service = world("list")
    service.has("Another", ago=3600.0)
    dies(service, task, storyboard, die, accepted=False)
    service.clock.now += 300
    began = service.clock.now
    storyboard(service, task)
    assert service.clock.now == began


@FOUND_BY
def test_an_answer_that_was_lost_is_looked_for_in_the_same_try(
    world: Any, task: Any, storyboard: Any, found_by: str
) -> None:
    service = world(found_by)
    service.will = ["loses the answer"]
    assert storyboard(service, task) == "j-0"
    assert len(service.seen) == 1


@FOUND_BY
def test_a_request_that_was_lost_is_sent_once_more_in_the_same_try(
    world: Any, task: Any, storyboard: Any, found_by: str
) -> None:
    service = world(found_by)
    service.will = ["drops it"]
    began = service.clock.now
    assert storyboard(service, task) == "j-0"
    assert service.clock.now - began >= 60


def test_a_service_that_always_loses_the_request_is_left_to_a_person(
    world: Any, task: Any, storyboard: Any
) -> None:
    service = world("mark")
    service.will = ["drops it"] * 5
    with pytest.raises(AmbiguousSubmissionError):
        storyboard(service, task)
    assert len(service.seen) == 2


def test_the_mark_stands_after_what_the_author_wrote(world: Any, task: Any, storyboard: Any) -> None:
    service = world("mark")
    storyboard(service, task)
    [(_, body)] = service.seen
    key = task.record()["identity"]["key"]
    assert body["videoDescription"] == f"about it [vc:s-{key[:16]}]"


def test_without_a_description_the_mark_stands_alone(world: Any, task: Any, storyboard: Any) -> None:
    service = world("mark")
    storyboard(service, task, storyboard={"videoName": "Night", "scenes": [{"text": "t"}]})
    assert service.seen[0][1]["videoDescription"].startswith("[vc:s-")


def test_of_two_tasks_with_one_name_each_gets_its_own_by_the_mark(
    world: Any, make_task: Any, storyboard: Any, die: Any
) -> None:
    service, tasks = world("mark"), [make_task(map_index=index) for index in range(3)]
    for index, task in enumerate(tasks):
        dies(service, task, storyboard, die, accepted=index != 1)
    assert [storyboard(service, task) for task in tasks] == ["j-0", "j-2", "j-1"]
    assert len(service.own) == 3


def doubt(service: Any, task: Any, storyboard: Any) -> str:
    """What a retry says that cannot settle it; it has sent nothing."""
    sent = len(service.seen)
    with pytest.raises(AmbiguousSubmissionError) as told:
        storyboard(service, task)
    assert len(service.seen) == sent
    return str(told.value)


def test_two_with_the_name_are_in_doubt(world: Any, task: Any, storyboard: Any, die: Any) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    other = service.has("Night")
    assert f"The list of jobs showed 2 with this name: j-0, {other}." in doubt(service, task, storyboard)


def test_another_that_says_something_else_under_the_name_is_not_taken(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    dies(service, task, storyboard, die, accepted=False)
    other = service.has("Night", videoDescription="another story")
    assert f"showed 1 that may be it, or not: {other}" in doubt(service, task, storyboard)


@pytest.mark.parametrize("name", ["night", " Night ", "Nig..."])
def test_a_name_that_the_service_may_have_changed_is_no_proof(
    world: Any, task: Any, storyboard: Any, die: Any, name: str
) -> None:
    service = world("list")
    dies(service, task, storyboard, die, accepted=False)
    service.has(name)
    service.has("A longer name of another video")
    assert "may be it, or not" in doubt(service, task, storyboard)


def test_the_render_of_the_name_is_not_its_storyboard(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    service.has("Another", ago=3600.0)
    dies(service, task, storyboard, die, accepted=False)
    service.has("Night", kind="render")
    assert storyboard(service, task) in service.own


@pytest.mark.parametrize(("shows", "settles"), [({"preview": "https://p"}, True), ({}, False)])
def test_where_the_list_does_not_tell_the_kind_the_job_itself_may(
    world: Any, task: Any, storyboard: Any, die: Any, requests_mock: Any, shows: Any, settles: bool
) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    service.jobs[0]["kind"] = "job"
    status = {"status": "completed" if shows else "in-progress", **shows}
    requests_mock.get(f"{BASE}/api/v1/job/j-0", json={"data": status})
    if settles:
        assert storyboard(service, task) == "j-0"
    else:
        assert "may be it, or not: j-0" in doubt(service, task, storyboard)


def test_yesterdays_video_of_the_name_is_not_taken(world: Any, task: Any, storyboard: Any, die: Any) -> None:
    service = world("list")
    service.has("Night", ago=86400.0)
    dies(service, task, storyboard, die, accepted=False)
    assert storyboard(service, task) in service.own


@pytest.mark.parametrize("pages", [2, 100], ids=["as far as needed", "too far"])
def test_the_list_is_read_as_far_back_as_the_submission(
    world: Any, task: Any, storyboard: Any, die: Any, pages: int
) -> None:
    service = world("list")
    service.has("Another", ago=3600.0)
    dies(service, task, storyboard, die, accepted=False)
    service.page_size = 1
    for _ in range(pages):
        service.has("Another")
    if pages == 2:
        assert storyboard(service, task) in service.own
    else:
        assert "does not reach back to when it was sent" in doubt(service, task, storyboard)


@pytest.mark.parametrize(("status", "is_tried_again"), [(503, True), (403, False)])
def test_a_list_that_cannot_be_read_settles_nothing(
    world: Any, task: Any, storyboard: Any, die: Any, status: int, is_tried_again: bool
) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    service.list_status = status
    with pytest.raises(AmbiguousSubmissionError, match="list of jobs could not be read") as told:
        storyboard(service, task)
    assert isinstance(told.value, AirflowFailException) is not is_tried_again
    service.list_status = 200
    assert storyboard(service, task) == "j-0"


def test_a_connection_that_leads_elsewhere_settles_nothing(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    with pytest.raises(AmbiguousSubmissionError, match="now leads to another service or account"):
        storyboard(service, task, user_id="another")
    assert len(service.seen) == 1


def test_a_moved_list_finds_the_video_that_was_sent_and_gives_it_to_nobody_else(
    world: Any, mapped: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    dies(service, mapped, storyboard, die)
    with pytest.raises(AnotherSubjectError, match=r"video 'Night', which is paid for \(j-0\)"):
        storyboard(service, mapped, storyboard={**STORYBOARD, "videoName": "Day"})
    assert len(service.seen) == 1


def test_an_adopted_job_needs_no_look(world: Any, task: Any, storyboard: Any, die: Any) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    assert storyboard(service, task, adopt_job_id="j-9") == "j-9"
    assert service.looks == 0


def test_whoever_says_resubmit_has_it_looked_for_first(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    assert storyboard(service, task, on_ambiguous="resubmit") == "j-0"


def test_a_body_that_reads_differently_is_looked_for_before_it_is_sent_under_a_key(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("key", "list")
    service.has("Another", ago=3600.0)
    dies(service, task, storyboard, die)
    changed = {**STORYBOARD, "videoDescription": "made at 10:42"}
    assert storyboard(service, task, storyboard=changed) == "j-1"
    assert len(service.seen) == 1


def test_a_body_that_reads_differently_is_sent_where_the_list_shows_none(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("key", "list", "mark")
    service.has("Another", ago=3600.0)
    dies(service, task, storyboard, die, accepted=False)
    first = task.record()["identity"]["key"]
    changed = {**STORYBOARD, "videoDescription": "made at 10:42"}
    assert storyboard(service, task, storyboard=changed) in service.own
    assert task.record()["identity"]["key"] != first
    assert service.seen[-1][1]["videoDescription"].count("[vc:") == 1


def render(service: Any, task: Any, **arguments: Any) -> Any:
    operator = RenderVideoOperator(
        **{"task_id": "t", "render_settings": {"scenes": 1}, "video_name": "Night"} | arguments
    )
    operator.clock, operator.sleep = service.clock, service.clock.sleep
    operator.hook = VideoCreationHook(clock=service.clock, sleep=service.clock.sleep)
    return operator.execute(task.context())


@pytest.mark.parametrize(("name", "settles"), [("Night", True), ("render of Night", False)])
def test_a_render_is_found_by_the_videos_name_where_the_list_shows_it(
    world: Any, task: Any, die: Any, name: str, settles: bool
) -> None:
    service = world("list")
    service.has("Another", ago=3600.0)
    dies(service, task, render, die)
    service.jobs[-1]["videoName"] = name
    if settles:
        assert render(service, task) == "j-1"
    else:
        assert "1 renders of that time under other names" in doubt(service, task, render)


@pytest.mark.parametrize("accepted", [True, False])
def test_a_render_is_found_by_its_mark_alone(world: Any, task: Any, die: Any, accepted: bool) -> None:
    service = world("mark")
    service.has("Another", ago=3600.0)
    dies(service, task, render, die, accepted=accepted)
    made = render(service, task)
    assert service.own == [made]


def test_a_render_that_shows_its_storyboards_mark_proves_nothing(world: Any, task: Any, die: Any) -> None:
    service = world("mark")
    dies(service, task, render, die)
    service.jobs[0]["videoDescription"] = "[vc:s-0123456789abcdef]"
    assert "may be it, or not: j-0" in doubt(service, task, render)
