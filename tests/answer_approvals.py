"""Answers an Airflow's approvals as its REST API does for the form in the UI (whose import alone would take 10 s).

Takes the answers on the command line, ``{"0": "Approve", "1": "Reject"}`` by map index, waits for the questions, and
prints each as a JSON line: what a person was shown.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from typing import Any

from airflow.models.hitl import HITLDetail
from airflow.models.trigger import handle_event_submit
from airflow.triggers.base import TriggerEvent
from airflow.utils.session import create_session
from sqlalchemy import select

PERSON = {"id": "7", "name": "An editor"}
MAX_WAIT = 120.0


def main() -> None:
    """Answer until every question is answered."""
    answers = json.loads(sys.argv[1])
    until = time.monotonic() + MAX_WAIT
    while answers and time.monotonic() < until:
        with create_session() as session:
            for asked in session.scalars(select(HITLDetail).where(HITLDetail.responded_at.is_(None))):
                answer(asked, answers, session)
        time.sleep(0.2)


def answer(asked: HITLDetail, answers: dict[str, str], session: Any) -> None:
    """Answer one question, once its task is waiting: before that it would not see the answer."""
    ti = asked.task_instance
    state = str(getattr(ti.state, "value", ti.state))
    if state not in ("awaiting_input", "deferred") or str(ti.map_index) not in answers:
        return
    shown = {"map_index": ti.map_index, "subject": asked.subject, "body": asked.body}
    sys.stdout.write(json.dumps(shown) + "\n")
    asked.chosen_options = [answers.pop(str(ti.map_index))]
    asked.responded_by = PERSON
    asked.responded_at = datetime.now(UTC)
    # Below Airflow 3.3 the task's trigger looks for the answer.
    if state == "awaiting_input":
        handle_event_submit(TriggerEvent(asked.as_resume_event_payload()), task_instance=ti, session=session)


if __name__ == "__main__":
    main()
