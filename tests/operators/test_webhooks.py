"""Tasks ask the service to tell Airflow of a job's end."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.errors import RequestRefusedError
from airflow_video_creation.provider.webhooks.webhook_url import Submitter, verified
from airflow_video_creation.sensors.video_job import VideoJobSensor

from ..told_errors import raises_telling

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
SETTINGS = {"scenes": 1}
STORYBOARDS = "/api/v1/video/storyboard"
OWN = "https://own.example.com/done"
SECRET = "sixteen letters!"
ASKING = {"callback_base_url": "https://airflow.example.com/af", "webhook_secret": SECRET}


def storyboard(**arguments: Any) -> CreateStoryboardOperator:
    return CreateStoryboardOperator(**{"task_id": "t", "storyboard": STORYBOARD} | arguments)


def render(**arguments: Any) -> RenderVideoOperator:
    return RenderVideoOperator(**{"task_id": "t", "render_settings": SETTINGS} | arguments)


def named(url: str | None, record: Any) -> Submitter:
    assert url
    base, _, token = url.rpartition("/")
    assert base == "https://airflow.example.com/af/video_creation/webhook"
    return verified(token, SECRET, record["begun_at"])


def deferred(operator: Any, task: Any) -> dict[str, Any]:
    with pytest.raises(TaskDeferred) as stopped:
        operator.execute(task.context())
    trigger: Any = stopped.value.trigger
    arguments: dict[str, Any] = trigger.serialize()[1]
    return arguments


@pytest.mark.parametrize(("kind", "make"), [("storyboard", storyboard), ("render", render)])
def test_the_service_is_asked_to_tell_of_this_very_submission(
    task: Any, sent: Any, kind: Any, make: Any
) -> None:
    task.ti.map_index = 7
    make().execute(task.context())

    record = task.record()
    assert record["webhook"] == "video_creation_default"
    [url] = sent(kind)
    assert named(url, record) == Submitter(
        "video_creation_default", kind, "night", "manual__1", "t", 2, record["begun_at"], map_index=7
    )


def test_each_stage_of_a_video_has_a_webhook_of_its_own(task: Any, sent: Any) -> None:
    CreateVideoOperator(task_id="t", storyboard=STORYBOARD).execute(task.context())

    for stage in ("storyboard", "render"):
        [url] = sent(stage)
        submitter = named(url, task.record(stage))
        assert (submitter.kind, submitter.stage) == (stage, stage)


@pytest.mark.parametrize(
    ("kind", "operator"),
    [
        ("storyboard", storyboard(storyboard=STORYBOARD | {"webhook": OWN})),
        ("render", render(render_settings=SETTINGS | {"webhook": OWN})),
    ],
    ids=["storyboard", "render"],
)
def test_a_webhook_of_the_users_own_is_left_alone(task: Any, sent: Any, kind: str, operator: Any) -> None:
    operator.execute(task.context())

    assert sent(kind) == [OWN]
    assert task.record()["webhook"] is None


def test_without_the_connections_keys_nothing_is_asked(connect: Any, ask: Any, task: Any, sent: Any) -> None:
    connect(ask.url)
    storyboard().execute(task.context())
    assert sent() == [None]
    assert task.record()["webhook"] is None


@pytest.mark.parametrize(("allowed", "is_sent"), [(200, True), (100, False), (0, False)])
def test_a_url_that_is_longer_than_the_service_takes_is_left_out(
    connect: Any, ask: Any, task: Any, sent: Any, log: Any, allowed: int, is_sent: bool
) -> None:
    connect(ask.url, **ASKING, webhook_max_length=allowed)
    storyboard().execute(task.context())

    [url] = sent()
    assert bool(url) == is_sent
    assert task.record()["webhook"] == ("video_creation_default" if is_sent else None)
    said = f"characters, but the connection allows only {allowed} (webhook_max_length). It is left out"
    assert log().count(said) == (0 if is_sent else 1)


def test_the_limit_is_the_length_of_the_longest_url_that_is_sent(
    connect: Any, ask: Any, make_task: Any, sent: Any
) -> None:
    storyboard().execute(make_task().context())
    length = len(sent()[0])
    for allowed in (length, length - 1):
        connect(ask.url, **ASKING, webhook_max_length=allowed)
        storyboard().execute(make_task().context())
    assert [bool(url) for url in sent()] == [True, True, False]


def test_a_job_whose_url_was_left_out_is_polled_for_as_without_webhooks(
    connect: Any, ask: Any, task: Any
) -> None:
    connect(ask.url, **ASKING, webhook_max_length=100)
    ask.will("in-progress", on="/api/v1/job/s-1")
    assert not waits_for_a_callback(task)


@pytest.mark.parametrize("store", [True, False], ids=["with a store", "without"])
@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("storyboard", lambda own: storyboard(storyboard=STORYBOARD | {"webhook": own})),
        ("render", lambda own: render(render_settings=SETTINGS | {"webhook": own})),
    ],
    ids=["storyboard", "render"],
)
def test_a_webhook_of_the_users_own_is_sent_though_it_is_long_and_the_log_says_so(
    make_task: Any, sent: Any, log: Any, kind: str, make: Any, store: bool
) -> None:
    long = OWN + "?" + "x" * 500
    make(long).execute(make_task(store=store).context())

    assert sent(kind) == [long]
    said = f"The webhook of this request has {len(long)} characters, and the connection allows 500"
    assert log().count(said) == 1
    assert long not in log()


def test_a_job_of_a_user_whom_the_receiver_does_not_know_is_polled_for(
    ask: Any, task: Any, sent: Any
) -> None:
    storyboard(user_id="somebody-else").execute(task.context())
    assert sent() == [None]


def test_below_airflow_3_3_nothing_is_asked_since_nobody_could_tell_whose_job_it_is(
    make_task: Any, sent: Any
) -> None:
    storyboard().execute(make_task(store=False).context())
    assert sent() == [None]


def test_a_request_that_is_sent_again_after_a_pause_names_the_same_submission(
    ask: Any, task: Any, sent: Any
) -> None:
    ask.will(ask.reply(429), ask.reply(200, {"job_id": "s-1"}), on=STORYBOARDS)
    operator = storyboard()
    operator.hook = VideoCreationHook(sleep=lambda seconds: None)
    operator.execute(task.context())

    first, again = sent()
    assert first == again
    assert named(again, task.record()).begun_at == task.record()["begun_at"]


def test_the_url_stands_nowhere_but_in_the_request(ask: Any, task: Any, sent: Any, log: Any) -> None:
    operator = storyboard(wait_for_completion=True, deferrable=True)
    arguments = deferred(operator, task)

    [url] = sent()
    token = url.rpartition("/")[2]
    rendered = {name: getattr(operator, name) for name in operator.template_fields}
    for place in (log(), task.store.values, task.pushed, arguments, rendered, operator.hook.profile):
        assert token not in repr(place)
        assert SECRET not in repr(place)


def test_an_error_that_quotes_the_url_does_not_show_it(ask: Any, task: Any, sent: Any, log: Any) -> None:
    ask.will("400", on=STORYBOARDS)
    with pytest.raises(RequestRefusedError):
        storyboard().execute(task.context())
    [url] = sent()
    ask.will(ask.reply(400, {"message": f"The webhook {url} is not reachable"}), on=STORYBOARDS)
    task.retry()

    with raises_telling(RequestRefusedError, r"The webhook .* is not reachable") as refused:
        storyboard().execute(task.context())
    assert url.rpartition("/")[2] not in f"{refused.value}{log()}{task.pushed}"


def test_a_retry_whose_webhook_is_new_does_not_say_that_the_request_reads_differently(
    connect: Any, ask: Any, task: Any, log: Any
) -> None:
    connect(ask.url)
    storyboard().execute(task.context())
    connect(ask.url, **ASKING)
    task.retry()

    storyboard().execute(task.context())
    assert "reads differently" not in log()


def waits_for_a_callback(task: Any, **arguments: Any) -> bool:
    return bool(deferred(storyboard(wait_for_completion=True, deferrable=True, **arguments), task)["webhook"])


def test_the_trigger_knows_whether_a_callback_is_expected(
    connect: Any, ask: Any, task: Any, make_task: Any
) -> None:
    ask.will("in-progress", on="/api/v1/job/s-1")
    assert waits_for_a_callback(task)
    task.retry()
    assert waits_for_a_callback(task), "a retry waits for the same callback"
    assert not waits_for_a_callback(make_task(), storyboard=STORYBOARD | {"webhook": OWN})
    assert not waits_for_a_callback(make_task(), adopt_job_id="s-1")
    assert not waits_for_a_callback(make_task(store=False))
    connect(ask.url)
    task.retry()
    assert not waits_for_a_callback(task), "the connection has no secret any more"


def test_the_sensor_expects_a_callback_where_operators_ask_for_one(
    connect: Any, ask: Any, task: Any, make_task: Any
) -> None:
    ask.will("in-progress", on="/api/v1/job/s-1")
    make = {"task_id": "t", "job_id": "s-1", "deferrable": True}

    assert deferred(VideoJobSensor(**make), task)["webhook"]
    assert not deferred(VideoJobSensor(**make), make_task(store=False))["webhook"]
    connect(ask.url)
    assert not deferred(VideoJobSensor(**make), task)["webhook"]


def test_the_hook_takes_a_webhook_instead_of_the_storyboards(sent: Any) -> None:
    VideoCreationHook().create_storyboard(STORYBOARD | {"webhook": OWN}, "https://other.example.com/done")
    assert sent() == ["https://other.example.com/done"]
