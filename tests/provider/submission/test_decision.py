"""What a task does by its record: at most one payment a generation, whatever dies in between."""

import json
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from airflow_video_creation.provider.errors import AmbiguousSubmissionError, AnotherSubjectError
from airflow_video_creation.provider.submission.adoption import Adoption
from airflow_video_creation.provider.submission.decision import Attach, Submit, decide, has_job
from airflow_video_creation.provider.submission.identity.sent_identity import Identity
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.request_digests import digests_of
from airflow_video_creation.provider.submission.subject import Subject
from airflow_video_creation.provider.submission.submission_request import SubmissionRequest
from airflow_video_creation.provider.submission.task_try import TaskTry

REQUEST = {"videoName": "a", "scenes": [{"text": "one"}, {"text": "two"}]}


def video(name):
    return Subject("video", name, {"videoName": name})


def decided(found, *, request=REQUEST, now=50.0, generation=1, **given):
    asked = {name: given.pop(name) for name in ("subject", "adopt", "started_at") if name in given}
    request = SubmissionRequest("create storyboard", request, **asked)
    return decide(found, request, TaskTry(generation, **given), now)


def record(state, job_id=None, generation=1):
    return Submission(generation, state, 10.0, 5.0, job_id=job_id, digests=digests_of(REQUEST))


def test_the_first_try_submits():
    decision = decided(None)
    assert isinstance(decision, Submit)
    assert decision.why is None
    assert (decision.record.state, decision.record.begun_at, decision.record.started_at) == (
        "intent",
        50.0,
        50.0,
    )


@pytest.mark.parametrize("state", ["submitted", "completed"])
def test_a_retry_attaches_to_the_job_of_an_earlier_try(state):
    decision = decided(record(state, "j-1"))
    assert isinstance(decision, Attach)
    assert decision.record.job_id == "j-1"
    assert decision.record.started_at == 5.0, "the deadline counts from the first try"


def test_a_retry_that_makes_no_request_anew_says_of_none_that_it_reads_differently():
    decision = decided(record("submitted", "j-1"), request={})
    assert isinstance(decision, Attach)
    assert "reads differently" not in decision.why


def test_a_retry_whose_request_reads_differently_attaches_too_and_names_what_differs():
    request = {"videoName": "a", "scenes": [{"text": "one"}, {"text": "now()"}], "language": "en"}
    decision = decided(record("submitted", "j-1"), request=request)
    assert isinstance(decision, Attach)
    assert "scenes[1].text, language" in decision.why


@pytest.mark.parametrize("state", ["refused", "failed"])
def test_a_retry_submits_again_when_nothing_was_made(state):
    assert isinstance(decided(record(state, "j-1")), Submit)


@pytest.mark.parametrize("state", ["refused", "failed"])
def test_another_submission_gets_a_new_deadline(state):
    assert decided(record(state, "j-1"), started_at=5.0).record.started_at == 50.0


def test_a_later_stage_shares_the_deadline_of_the_first():
    assert decided(None, started_at=5.0).record.started_at == 5.0


@pytest.mark.parametrize("state", [None, "intent", "submitted", "completed"])
def test_a_job_found_at_the_service_is_adopted(state):
    decision = decided(record(state, "j-1") if state else None, adopt=Adoption("j-2", "adopt_job_id"))
    assert isinstance(decision, Attach)
    assert decision.record.job_id == "j-2"


def test_a_retry_keeps_the_record_of_an_adopted_job():
    decision = decided(record("submitted", "j-1"), adopt=Adoption("j-1", "adopt_job_id"))
    assert decision.record == record("submitted", "j-1")


@pytest.mark.parametrize("name", ["Beta", None])
def test_an_adopted_job_is_whatever_the_person_who_named_it_says(name):
    adopted = replace(record("submitted", "j-1"), subject="video 'Alpha'", adopted="j-1")
    decision = decided(adopted, subject=video(name), is_mapped=True)
    assert isinstance(decision, Attach)


def test_a_mapped_task_leaves_the_job_of_another_video_though_it_adopted_one_before():
    found = replace(record("submitted", "j-1"), subject="video 'Alpha'", adopted="j-0")
    with pytest.raises(AnotherSubjectError, match="Alpha"):
        decided(found, subject=video("Beta"), is_mapped=True)


@pytest.mark.parametrize("state", ["intent", "refused", "submitted", "completed", "failed"])
@pytest.mark.parametrize("adopted", [None, "j-1", "j-2"])
@pytest.mark.parametrize("recorded", [True, False])
def test_whether_there_is_a_job_is_what_is_decided(recorded, adopted, state):
    job_id = "j-1" if state in ("submitted", "completed", "failed") else None
    found = record(state, job_id) if recorded else None
    request = SubmissionRequest("create storyboard", REQUEST, adopt=Adoption(adopted, "adopt_job_id"))
    task = TaskTry(1, on_ambiguous="resubmit")
    assert has_job(found, request) == isinstance(decide(found, request, task, 50.0), Attach)


def test_an_adopted_job_that_failed_is_submitted_again():
    assert isinstance(decided(record("failed", "j-1"), adopt=Adoption("j-1", "adopt_job_id")), Submit)


@pytest.mark.parametrize("nothing", [None, "", " ", "None"])
def test_a_template_that_rendered_nothing_adopts_nothing(nothing):
    assert isinstance(decided(None, adopt=Adoption(nothing, "adopt_job_id")), Submit)


def test_a_record_that_another_release_wrote_otherwise_is_in_doubt():
    with pytest.raises(AmbiguousSubmissionError):
        decided(Submission.from_json({"generation": 1, "phase": "new"}, 1))


def test_a_state_of_a_later_release_with_a_job_is_attached_to():
    assert isinstance(decided(record("paused", "j-1")), Attach)


def test_an_intent_without_an_answer_is_in_doubt():
    with pytest.raises(
        AmbiguousSubmissionError, match="put its id into the DAG for this run alone, as adopt_job_id="
    ):
        decided(record("intent"), adopt=Adoption(None, "adopt_job_id"))


def test_an_intent_is_sent_again_under_its_key_where_that_is_paid_for_once():
    found = replace(record("intent"), identity=Identity("k", "c", "p", "Key"), webhook="conn")
    task, asked = TaskTry(1, 4), SubmissionRequest("create storyboard", REQUEST)
    decision = decide(found, asked, task, 50.0, is_made_once=True)
    assert decision.record == replace(found, started_at=50.0, try_number=4)
    assert "under its key" in decision.why


def test_nothing_is_sent_under_the_key_of_another_video():
    found = replace(record("intent"), identity=Identity("k", "c", "p", "Key"), subject="video 'Alpha'")
    asked = SubmissionRequest("create storyboard", REQUEST, subject=video("Beta"))
    with pytest.raises(AmbiguousSubmissionError, match="which was for video 'Alpha'"):
        decide(found, asked, TaskTry(1, is_mapped=True), 50.0, is_made_once=True)


@pytest.mark.parametrize("state", ["failed", "refused"])
def test_a_new_submission_has_no_identity_yet(state):
    found = replace(record(state, "j-1"), identity=Identity("k", "c", "p", "Key"))
    assert decided(found).record.identity is None


def test_what_was_seen_at_the_service_is_said():
    asked = SubmissionRequest("create storyboard", REQUEST)
    with pytest.raises(AmbiguousSubmissionError, match="The list of jobs showed 2"):
        decide(record("intent"), asked, TaskTry(1), 50.0, seen="The list of jobs showed 2.")


def test_an_intent_is_submitted_again_when_the_author_says_so():
    assert isinstance(decided(record("intent"), on_ambiguous="resubmit"), Submit)


@pytest.mark.parametrize("state", ["intent", "submitted", "completed", "failed"])
def test_a_cleared_task_submits_a_new_job(state):
    decision = decided(record(state, "j-1"), generation=3)
    assert isinstance(decision, Submit)
    assert "cleared" in decision.why


@pytest.mark.parametrize(
    ("is_retry", "on_ambiguous"), [(False, "fail"), (False, "resubmit"), (True, "resubmit")]
)
def test_where_nothing_can_be_kept_it_submits(is_retry, on_ambiguous):
    task = {"keeps_records": False, "is_retry": is_retry, "on_ambiguous": on_ambiguous}
    assert isinstance(decided(None, **task), Submit)


def test_where_nothing_can_be_kept_a_retry_is_in_doubt():
    with pytest.raises(AmbiguousSubmissionError, match="an earlier try may have submitted"):
        decided(None, keeps_records=False, is_retry=True)


def test_where_nothing_can_be_kept_a_job_can_be_adopted():
    adopt = Adoption("j-1", "adopt_job_id")
    assert isinstance(decided(None, keeps_records=False, is_retry=True, adopt=adopt), Attach)


@pytest.mark.parametrize(
    "stored",
    ["", "text", 3, [], {}, {"state": "intent"}, {"generation": "1"}, {"generation": 1.0}]
    + [record("submitted", "j-1").to_json() | odd for odd in ({"digests": None}, {"started_at": None})],
)
def test_what_cannot_be_understood_is_in_doubt(stored):
    with pytest.raises(AmbiguousSubmissionError):
        decided(Submission.from_json(stored, 1))


def test_an_adopted_job_that_failed_is_not_adopted_again_over_the_new_one():
    adopt = Adoption(" j-1\n", "adopt_job_id")
    adopted = decided(None, adopt=adopt).record
    again = decided(adopted.ended("failed"), adopt=adopt)
    assert isinstance(again, Submit)
    assert decided(again.record.accepted("j-2"), adopt=adopt).record.job_id == "j-2"


def test_a_waiting_operators_result_names_a_job_to_adopt():
    assert Adoption({"job_id": "j-1"}).job_id == "j-1"


def test_a_record_holds_no_content_of_the_request_but_the_name():
    request = {"videoName": "film", "scenes": [{"text": "a secret"}]}
    record = decided(None, request=request, subject=video("film")).record.to_json()
    assert "a secret" not in json.dumps(record)
    assert record["subject"] == "video 'film'"


@pytest.mark.parametrize("is_mapped", [True, False], ids=["mapped", "not mapped"])
def test_a_number_that_an_older_release_sent_as_a_text_stops_no_retry(is_mapped):
    older = {"videoName": "a", "audio": {"aiVoiceOver": {"speed": "100"}}, "videoWidth": "1280"}
    now = {"videoName": "a", "audio": {"aiVoiceOver": {"speed": 100}}, "videoWidth": 1280}
    found = replace(record("submitted", "j-1"), digests=digests_of(older), subject="video 'a'")

    decision = decided(found, request=now, subject=video("a"), is_mapped=is_mapped)

    assert isinstance(decision, Attach)
    assert decision.record.job_id == "j-1"
    assert "audio.aiVoiceOver.speed, videoWidth" in decision.why


@pytest.mark.parametrize("is_mapped", [True, False], ids=["mapped", "not mapped"])
@pytest.mark.parametrize(
    ("state", "job_id", "on_ambiguous", "mapped_does"),
    [
        ("submitted", "j-1", "fail", AnotherSubjectError),
        ("completed", "j-1", "fail", AnotherSubjectError),
        ("completed", "j-1", "resubmit", AnotherSubjectError),
        ("paused by a later release", "j-1", "fail", AnotherSubjectError),
        ("refused", None, "fail", Submit),
        ("failed", "j-1", "fail", Submit),
        ("intent", None, "fail", AmbiguousSubmissionError),
        ("intent", None, "resubmit", Submit),
    ],
)
def test_what_is_done_where_the_record_is_of_another_video(
    state, job_id, on_ambiguous, mapped_does, is_mapped
):
    def does(subject):
        task = {"subject": subject, "is_mapped": is_mapped, "on_ambiguous": on_ambiguous}
        try:
            return type(decided(found, **task))
        except Exception as error:
            return type(error)

    found = replace(record(state, job_id), subject="video 'Alpha'")
    same = does(video("Alpha"))
    assert same is not AnotherSubjectError
    assert does(video("Beta")) is (mapped_does if is_mapped else same)


@pytest.mark.parametrize("now", [0, 1, None])
@pytest.mark.parametrize("then", [0, 1, None])
@pytest.mark.parametrize("state", ["submitted", "completed"])
def test_a_clear_number_never_pays_again_and_is_named_where_it_rose(then, now, state):
    found = replace(record(state, "j-1"), clear_number=then)
    decision = decided(found, clear_number=now)
    assert isinstance(decision, Attach)
    rose = None not in (then, now) and then != now
    assert (f"clear_number was {then}, and is {now}" in decision.why) == rose
    assert ("cleared" in decision.why) == (then != now or then is None)


class AnyInterleaving(RuleBasedStateMachine):
    """A mapped task tried, killed at any step, retried, cleared, its job failing, its list changing.

    What does the service charge for, and whose video is given?
    """

    @initialize()
    def start(self):
        self.store = None
        self.generation = 1
        self.paid = 0
        self.free_after_failure = 1
        self.jobs = []
        self.clears = 0
        self.asked = "Alpha"

    def _store(self):
        return (
            Submission.from_json(json.loads(json.dumps(self.store)), self.generation) if self.store else None
        )

    def _decision(self):
        """None where the task stops."""
        try:
            decision = decided(
                self._store(),
                generation=self.generation,
                now=1.0,
                subject=video(self.asked),
                is_mapped=True,
                clear_number=self.clears,
            )
        except (AmbiguousSubmissionError, AnotherSubjectError):
            return None
        if isinstance(decision, Attach):
            assert self.jobs[int(decision.record.job_id)] == self.asked, "nobody gets another's video"
        return decision

    @rule(killed=st.sampled_from(["before intent", "before post", "after post", "never"]))
    def try_once(self, killed):
        decision = self._decision()
        if not isinstance(decision, Submit) or killed == "before intent":
            return
        self.store = decision.record.to_json()
        if killed == "before post":
            return
        self.jobs.append(self.asked)
        self.paid += 1
        if killed == "after post":
            return
        self.store = decision.record.accepted(str(len(self.jobs) - 1)).to_json()

    @precondition(lambda self: self.store and self.store["state"] == "submitted")
    @rule()
    def job_fails(self):
        self.store = self._store().ended("failed").to_json()
        self.free_after_failure += 1

    @precondition(lambda self: self.store and self.store["state"] == "submitted")
    @rule()
    def job_completes_and_the_worker_dies(self):
        self.store = self._store().ended("completed").to_json()

    @rule()
    def refused(self):
        if self.store and self.store["state"] == "intent" and self.store["generation"] == self.generation:
            return
        if isinstance(decision := self._decision(), Submit):
            self.store = decision.record.refused().to_json()

    @rule()
    def clear(self):
        self.generation += 2
        self.clears += 1
        self.paid = 0
        self.free_after_failure = 1

    @rule()
    def another_task_of_the_run_is_cleared(self):
        self.clears += 1

    @rule(name=st.sampled_from(["Alpha", "Beta"]))
    def the_list_changes(self, name):
        self.asked = name

    @invariant()
    def at_most_one_payment_a_generation_and_one_more_for_each_failed_job(self):
        assert getattr(self, "paid", 0) <= getattr(self, "free_after_failure", 1)


TestAnyInterleaving = AnyInterleaving.TestCase
TestAnyInterleaving.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)


ONE_OF_MANY = Adoption(argument="adopt_job_ids", run_id="r", video="news")


def test_a_doubt_about_one_video_among_many_says_that_a_clear_keeps_the_others():
    with pytest.raises(AmbiguousSubmissionError, match="Clearing keeps the task's other videos that are"):
        decided(record("intent"), adopt=ONE_OF_MANY)


def test_where_no_record_is_kept_it_says_that_a_clear_pays_for_the_others_again():
    with pytest.raises(AmbiguousSubmissionError, match="pays for, all other videos of this task again"):
        decided(None, keeps_records=False, is_retry=True, adopt=ONE_OF_MANY)


def test_nobody_is_told_to_clear_many_videos_for_a_new_job_of_one():
    assert "clear" in decided(record("submitted", "j-1")).why
    assert "clear" not in decided(record("submitted", "j-1"), adopt=ONE_OF_MANY).why
