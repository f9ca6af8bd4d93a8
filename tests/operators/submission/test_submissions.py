"""A paid submission is made at most once a generation of a task, whatever dies in between."""

import logging
from types import SimpleNamespace

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.submission.record_store import STORE_ATTEMPTS
from airflow_video_creation.operators.submission.submissions import Submissions
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    InvalidRequestError,
    RequestRefusedError,
    SubmissionRecordError,
)
from airflow_video_creation.provider.submission.adoption import Adoption
from airflow_video_creation.provider.submission.decision import Submit
from airflow_video_creation.provider.submission.submission_request import SubmissionRequest, of_storyboard

from ...told_errors import raises_telling

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
AWS = {"name": "media", "awsAccountId": "000123456789", "awsRegion": "us-east-2", "enabled": True}


@pytest.fixture(params=["Airflow's store", "a record folder"])
def task(request, make_task):
    """The same task, with either store."""
    return make_task() if request.param == "Airflow's store" else request.getfixturevalue("recorded")


def storyboard(task, **arguments):
    return CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, **arguments).execute(task.context())


def sending(task, log=None, sleep=None):
    """In the place of an operator that has its leave to send."""
    of_task = Submissions(task.context(), log, sleep=sleep)
    request = SubmissionRequest("create storyboard", STORYBOARD)
    return of_task.sending(request, of_task.decide(request).record)


def submissions(emulator, operation="storyboard"):
    return len([call for call in emulator.admin.calls(operation=operation) if call["acted"]])


def test_a_retry_gives_the_job_of_the_earlier_try(emulator, task):
    job_id = storyboard(task)
    task.retry()
    assert storyboard(task) == job_id
    assert submissions(emulator) == 1


def test_a_cleared_task_submits_a_new_job(emulator, task):
    job_id = storyboard(task)
    task.clear()
    assert storyboard(task) != job_id
    assert submissions(emulator) == 2


def test_a_worker_that_died_between_intent_and_answer_leaves_a_doubt(emulator, task):
    class Killed(BaseException):
        pass

    with pytest.raises(Killed), sending(task):
        raise Killed
    task.retry()
    with pytest.raises(AmbiguousSubmissionError, match="adopt_job_id="):
        storyboard(task)
    assert submissions(emulator) == 0
    assert storyboard(task, on_ambiguous="resubmit")
    assert submissions(emulator) == 1


def test_a_job_found_at_the_service_is_adopted(emulator, task):
    assert storyboard(task, adopt_job_id="j-found") == "j-found"
    task.retry()
    assert storyboard(task) == "j-found"
    assert submissions(emulator) == 0


def test_a_job_that_stands_in_the_dag_as_it_is_is_warned_of(emulator, task, log):
    storyboard(task, adopt_job_id="j-found")
    assert "every later run adopts this job too" in log()
    assert """    adopt_job_id="{{ {'manual__1': 'j-found'}.get(run_id) }}\"""" in log().replace("\\'", "'")


@pytest.mark.parametrize("run_id", ["manual__1", "manual__2"])
def test_the_line_to_paste_adopts_in_its_run_alone(emulator, task, log, run_id):
    operator = CreateStoryboardOperator(
        task_id="t", storyboard=STORYBOARD, adopt_job_id="{{ {'manual__1': 'j-found'}.get(run_id) }}"
    )
    operator.render_template_fields({"run_id": run_id})
    assert (operator.execute(task.context()) == "j-found") == (run_id == "manual__1")
    assert "every later run" not in log()


@pytest.mark.parametrize("state", ["intent", "failed"])
def test_a_job_is_adopted_though_the_storyboard_is_wrong_by_now(emulator, task, state):
    storyboard(task)
    task.set_record("", task.record() | {"state": state, "job_id": None if state == "intent" else "j-1"})
    task.retry()
    wrong = CreateStoryboardOperator(task_id="t", storyboard='{"scenes": 3}', adopt_job_id="j-found")
    assert wrong.execute(task.context()) == "j-found"
    assert submissions(emulator) == 1


def test_an_answer_that_was_lost_is_not_asked_for_by_sending_again(emulator, task):
    emulator.admin.add_fault("reset", on="storyboard", when="after")
    with pytest.raises(AmbiguousSubmissionError):
        storyboard(task)
    emulator.admin.clear_faults()
    task.retry()
    with pytest.raises(AmbiguousSubmissionError):
        storyboard(task)
    assert submissions(emulator) == 1


def test_a_refused_submission_may_be_tried_again(emulator, task):
    emulator.admin.add_fault("status", on="storyboard", status=400)
    with pytest.raises(RequestRefusedError):
        storyboard(task)
    emulator.admin.clear_faults()
    task.retry()
    assert storyboard(task)


def test_a_task_that_dies_in_the_pause_after_a_429_leaves_no_doubt(emulator, task):
    class Killed(BaseException):
        pass

    def die(seconds):
        raise Killed

    emulator.admin.add_fault("status", on="storyboard", status=429, seconds=60, nth=[1])
    operator = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD)
    operator.hook = VideoCreationHook(sleep=die)
    with pytest.raises(Killed):
        operator.execute(task.context())
    task.retry()

    assert storyboard(task)
    assert submissions(emulator) == 1


def test_the_doubt_begins_when_the_request_leaves_and_not_while_a_token_is_fetched_or_in_a_pause(
    connect, requests_mock, task
):
    seen = []

    def state(now, answer):
        def told(*_):
            seen.append((now, task.record()["state"]))
            return answer

        return told

    connect(auth_url="https://auth.example.com/token", login="client-1", password="client-secret")
    requests_mock.post("https://auth.example.com/token", json=state("token", {"access_token": "t-1"}))
    accepted = {"json": state("sent", {"job_id": "j-1"})}
    refused = {"json": state("sent", {}), "status_code": 429}
    requests_mock.post("https://video.example.com/api/v1/video/storyboard", [refused, accepted])
    operator = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD)
    operator.hook = VideoCreationHook(sleep=state("pause", None))

    assert operator.execute(task.context()) == "j-1"
    assert seen == [("token", "refused"), ("sent", "intent"), ("pause", "refused"), ("sent", "intent")]


def test_a_store_that_is_away_after_a_pause_has_nothing_sent_again(emulator, task):
    emulator.admin.add_fault("status", on="storyboard", status=429, seconds=1, nth=[1])
    operator = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD)
    operator.hook = VideoCreationHook(sleep=lambda seconds: task.store.refuse.append(True))
    with pytest.raises(SubmissionRecordError, match=r"[Nn]othing was sent"):
        operator.execute(task.context())
    assert submissions(emulator) == 0
    task.retry()

    assert storyboard(task)
    assert submissions(emulator) == 1


def test_a_wrong_request_leaves_no_record(emulator, task):
    operator = CreateStoryboardOperator(task_id="t", storyboard="{}")
    with pytest.raises(InvalidRequestError):
        operator.execute(task.context())
    assert task.store.values == {}


def test_without_a_store_for_the_intent_nothing_is_sent(emulator, task):
    task.store.refuse = [True]
    with pytest.raises(SubmissionRecordError, match=r"[Nn]othing was sent"):
        storyboard(task)
    assert submissions(emulator) == 0


def test_a_store_that_cannot_be_read_has_nothing_sent(emulator, task):
    """What an earlier try has paid for may stand in it."""
    job_id = storyboard(task)
    task.retry()
    task.store.is_readable = False
    with raises_telling(SubmissionRecordError, r"could not read .*[Nn]othing was sent"):
        storyboard(task)
    task.store.is_readable = True
    assert storyboard(task) == job_id
    assert submissions(emulator) == 1


def test_a_refusal_is_told_at_once_though_the_store_is_away(task):
    """Nothing is paid for, so nobody need wait until it is recorded."""
    slept = []
    log = SimpleNamespace(info=print, warning=print)

    def send():
        with sending(task, log, slept.append):
            task.store.refuse = [True] * STORE_ATTEMPTS
            raise RequestRefusedError("the service refused the request (400)", not_acted=True)

    with pytest.raises(RequestRefusedError):
        send()
    assert slept == []


def test_an_id_that_cannot_be_stored_is_tried_again_and_the_task_goes_on(task):
    slept = []
    log = SimpleNamespace(info=print, warning=print)
    task.store.refuse = [False, *[True] * (STORE_ATTEMPTS - 1)]
    with sending(task, log, slept.append) as request:
        assert request.accepted("j-1").job_id == "j-1"
    assert len(slept) == STORE_ATTEMPTS - 1
    assert task.record()["job_id"] == "j-1"


def test_an_id_that_the_store_never_takes_is_found_by_the_next_try(emulator, task, variables):
    task.store.refuse = [False, *[True] * STORE_ATTEMPTS]
    operator = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD)
    operator.sleep = lambda seconds: None
    job_id = operator.execute(task.context())
    assert len(variables) == 1
    task.retry()

    assert storyboard(task) == job_id
    assert submissions(emulator) == 1
    assert variables == {}


def test_what_was_left_is_deleted_once_the_store_has_it(emulator, task, variables):
    task.store.refuse = [False, *[True] * STORE_ATTEMPTS]
    operator = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, wait_for_completion=True)
    operator.sleep = lambda seconds: None

    assert operator.execute(task.context())["state"] == "completed"
    assert task.record()["state"] == "completed"
    assert variables == {}


def test_below_airflow_3_3_a_retry_is_in_doubt_and_a_cleared_task_is_not(emulator, make_task):
    task = make_task(store=False)
    storyboard(task)
    task.retry()
    with pytest.raises(AmbiguousSubmissionError, match=r"before 3\.3"):
        storyboard(task)
    task.clear()
    assert storyboard(task)
    assert submissions(emulator) == 2


@pytest.mark.parametrize("lowered", [0, 3], ids=["fewer", "more"])
def test_below_airflow_3_3_other_retries_make_no_clear_of_a_retry(emulator, make_task, lowered):
    task = make_task(store=False)
    storyboard(task)
    task.retry()
    task.ti.task.retries = lowered
    with pytest.raises(AmbiguousSubmissionError, match=r"before 3\.3"):
        storyboard(task)
    task.clear()
    assert storyboard(task)
    assert submissions(emulator) == 2


def test_a_clear_after_retries_were_lowered_goes_on_from_the_job_and_says_what_to_do(emulator, task, log):
    job_id = storyboard(task)
    task.ti.task.retries = 1
    task.clear()
    assert storyboard(task) == job_id
    assert "clear_number was 0, and is 1" in log()
    assert "If you cleared this one to get a new job" in log().replace("\\n  ", " ")
    assert "Clear it again after it has ended." in log().replace("\\n  ", " ").replace("\\n", " ")
    task.clear()
    assert storyboard(task) != job_id


def test_a_retry_after_another_task_of_the_run_was_cleared_pays_for_nothing(emulator, task):
    job_id = storyboard(task)
    task.clear_number = 1
    task.retry()
    assert storyboard(task) == job_id
    assert submissions(emulator) == 1


def test_a_retry_of_a_run_in_which_nothing_was_cleared_speaks_of_no_clear(emulator, task, log):
    storyboard(task)
    task.retry()
    storyboard(task)
    assert "cleared" not in log()


def test_a_render_is_paid_for_once_and_its_retry_needs_the_storyboard_no_more(emulator, task, make_task):
    preview = storyboard(make_task())
    operator = RenderVideoOperator(task_id="t", storyboard_job_id=preview)
    job_id = operator.execute(task.context())
    emulator.admin.set_job_state(preview, "cleaned")
    task.retry()
    assert operator.execute(task.context()) == job_id
    assert submissions(emulator, "render") == 1


def test_a_render_of_an_unfinished_storyboard_leaves_no_doubt(emulator, task, make_task):
    preview = storyboard(make_task())
    emulator.admin.set_job_state(preview, "failed")
    with pytest.raises(Exception, match="failed"):
        RenderVideoOperator(task_id="t", storyboard_job_id=preview).execute(task.context())
    assert task.store.values == {}


def test_a_registration_gives_its_first_reply_again(emulator, task):
    operator = RegisterAwsConnectionOperator(task_id="t", connection=AWS)
    registered = operator.execute(task.context())
    task.retry()
    assert operator.execute(task.context()) == registered
    assert registered["connectionId"]


def test_an_intent_whose_storing_lost_only_its_answer_is_no_doubt_for_the_retry(emulator, task, monkeypatch):
    stored = task.store.set

    def answer_lost(key, value):
        stored(key, value)
        task.store.set = stored
        raise ConnectionError("the API server is away")

    task.store.set = answer_lost
    with pytest.raises(SubmissionRecordError, match=r"[Nn]othing was sent"):
        storyboard(task)
    task.retry()
    assert storyboard(task)
    assert submissions(emulator) == 1


@pytest.mark.parametrize("odd", ["raise", "Fail", None])
def test_a_word_that_on_ambiguous_does_not_know_sends_nothing(emulator, task, odd):
    with pytest.raises(ConfigurationError, match="on_ambiguous must be 'fail' or 'resubmit'"):
        storyboard(task, on_ambiguous=odd)
    assert submissions(emulator) == 0


class OneVideo:
    """The records of one video among many of a task."""

    def __init__(self):
        self.kept = {}

    def get(self, key, default=None):
        return self.kept.get(key, default)

    def set(self, key, value):
        self.kept[key] = value


def of_video(task, store, name):
    of_task = Submissions(task.context(), logging.getLogger(__name__), store=store)
    body = {"videoName": name, "scenes": [{"text": "t"}]}
    adopt = Adoption(argument="adopt_storyboard_job_ids", run_id="r", video=name)
    hook, request = VideoCreationHook(), of_storyboard(name, body, adopt)
    decision = of_task.decide(request, hook)
    if isinstance(decision, Submit):
        return of_task.send(hook, request, decision.record, hook.storyboard_request(body))
    return decision


@pytest.mark.parametrize("below", [False, True], ids=["Airflow's store", "no store of Airflow's"])
def test_each_video_of_a_task_has_a_store_of_its_own(emulator, make_task, below):
    task = make_task(store=False) if below else make_task()
    stores = {"news": OneVideo(), "sports": OneVideo()}
    first = {name: of_video(task, store, name).record.job_id for name, store in stores.items()}
    task.retry()
    again = {name: of_video(task, store, name).record.job_id for name, store in stores.items()}

    assert first == again
    assert len(set(first.values())) == submissions(emulator) == 2


def test_a_doubt_of_one_video_says_how_to_go_on_with_it_alone(emulator, make_task):
    task, store = make_task(), OneVideo()
    emulator.admin.add_fault("reset", on="storyboard")
    with pytest.raises(AmbiguousSubmissionError) as told:
        of_video(task, store, "news")

    assert "adopt_storyboard_job_ids={'news': " in str(told.value)
    assert "Clearing keeps the task's other videos that are delivered or under way." in str(told.value)
