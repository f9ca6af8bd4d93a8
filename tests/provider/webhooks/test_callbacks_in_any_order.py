"""Callbacks may come at any time, of any submission, again and again: nothing is paid twice, and no job is mixed up."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from airflow_video_creation.provider.errors import AmbiguousSubmissionError
from airflow_video_creation.provider.submission.decision import Attach, decide
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.submission_request import SubmissionRequest
from airflow_video_creation.provider.submission.task_try import OnAmbiguous, TaskTry
from airflow_video_creation.provider.webhooks.callback import (
    Callback,
    completed_record,
    named_job,
)
from airflow_video_creation.provider.webhooks.webhook_url import (
    Submitter,
    WebhookRefusedError,
    verified,
    webhook_url,
)

SECRET = "a secret of 22 letters"


class AnyOrder(RuleBasedStateMachine):
    """A task tried, killed, retried and cleared, while the service tells of its jobs whenever it likes."""

    def __init__(self) -> None:
        super().__init__()
        self.record: Any = None
        self.callback: Any = None
        self.generation = 1
        self.now = 1_795_000_000.0
        self.jobs: dict[str, tuple[int, float, str]] = {}
        """Job id -> generation and begun_at of the submission that made it, and the token that it was given."""
        self.paid = 0
        self.allowed = 1

    def found(self) -> Submission | None:
        record = Submission.from_json(json.loads(json.dumps(self.record)), self.generation)
        return record and completed_record(record, Callback.from_json(self.callback))

    def may_have_been_paid_unheard(self) -> bool:
        found = self.found()
        return bool(found and found.state == "intent" and found.generation == self.generation)

    @rule(killed=st.sampled_from(["before the POST", "after the POST", "never"]), resubmit=st.booleans())
    def try_once(self, killed: str, resubmit: bool) -> None:
        self.now += 1.5
        in_doubt = self.may_have_been_paid_unheard()
        try:
            on_ambiguous: OnAmbiguous = "resubmit" if resubmit else "fail"
            task = TaskTry(self.generation, on_ambiguous=on_ambiguous)
            decision = decide(self.found(), SubmissionRequest("create storyboard"), task, self.now)
        except AmbiguousSubmissionError:
            assert in_doubt
            return
        record = replace(decision.record, webhook="c")
        if isinstance(decision, Attach):
            generation, begun_at, _ = self.jobs[decision.record.job_id]
            assert (generation, begun_at) == (self.generation, record.begun_at)
            self.record = record.to_json()
            return
        self.allowed += in_doubt
        self.record = record.to_json()
        if killed == "before the POST":
            return
        submitter = Submitter("c", "storyboard", "d", "r", "t", record.generation, record.begun_at)
        token = webhook_url("https://a.example", SECRET, submitter).rpartition("/")[2]
        job_id = f"j-{len(self.jobs)}"
        self.jobs[job_id] = (record.generation, record.begun_at, token)
        self.paid += 1
        if killed == "never":
            self.record = record.accepted(job_id).to_json()

    @precondition(lambda self: self.jobs)
    @rule(data=st.data(), says_its_id=st.booleans())
    def the_service_tells(self, data: st.DataObject, says_its_id: bool) -> None:
        job_id = data.draw(st.sampled_from(sorted(self.jobs)))
        token = self.jobs[job_id][2]
        submitter = verified(token, SECRET, self.now)
        try:
            named = named_job(self.record, submitter, job_id if says_its_id else None)
        except WebhookRefusedError:
            return
        assert named.job_id == job_id
        self.callback = Callback(submitter.begun_at, job_id, True, self.now).to_json()

    @precondition(lambda self: self.record and self.record["state"] == "submitted")
    @rule(state=st.sampled_from(["completed", "failed"]))
    def the_job_ends(self, state: Any) -> None:
        found = self.found()
        assert found
        self.record = found.ended(state).to_json()
        self.allowed += state == "failed" and found.generation == self.generation

    @rule()
    def clear(self) -> None:
        self.generation += 2
        self.paid, self.allowed = 0, 1

    @invariant()
    def nothing_is_paid_twice(self) -> None:
        assert self.paid <= self.allowed


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=80, stateful_step_count=25, deadline=None)
