"""The record of a submission, left by a try that Airflow has replaced, or that cannot reach its store.

Airflow's task state store answers everything that such a try writes with 404, because its task instance no longer
exists. Its XComs are accepted, but deleted when the next try begins. A Variable is accepted too, and stays. So the id
of a paid job goes there, and the next try, which finds an intent without an answer, reads it.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import Variable

from ...provider.errors import TryReplacedError

if TYPE_CHECKING:
    import logging

    from ...provider.submission.record import Submission

PREFIX = "video_creation_left_record_"
NOT_FOUND = 404
ANSWERED = ("submitted", "completed")
"""The states of a record in which the service has accepted."""


def is_replaced(error: Exception) -> bool:
    """Whether the store refused because Airflow has replaced this try with another one (source: ours).

    A record folder says so by ``TryReplacedError``. Airflow 3.3: an ``AirflowRuntimeError`` of the supervisor, with the
    API server's 404 in it. A proxy's 404 has no ``not_found`` from Airflow.

    :param error: what the store raised.
    """
    if isinstance(error, TryReplacedError):
        return True
    detail = getattr(getattr(error, "error", None), "detail", None)
    if not isinstance(detail, dict) or detail.get("status_code") != NOT_FOUND:
        return False
    told = detail.get("detail")
    told = told.get("detail", told) if isinstance(told, dict) else None
    return isinstance(told, dict) and told.get("reason") == "not_found"


class LeftRecord:
    """The Airflow Variable of one submission of one task; it exists only if the store did not accept the record.

    :param ti: the task instance.
    :param key: the record's key in the task state store.
    """

    def __init__(self, ti: Any, key: str) -> None:
        self._task = f"{ti.dag_id}, run {ti.run_id}, task {ti.task_id}, map index {ti.map_index}"
        digest = hashlib.sha256(f"{self._task}, {key}".encode("utf-8", "surrogatepass")).hexdigest()
        self.name = f"{PREFIX}{digest[:32]}"

    def leave(self, record: dict[str, Any]) -> None:
        """Set it.

        :param record: the record in the form that the store would have kept.
        """
        description = f"A paid job of {self._task}. The next try reads this and deletes it."
        Variable.set(self.name, json.dumps(record), description=description)

    def answer_to(self, intent: Submission) -> Submission:
        """The intent with the answer that was left for it; the intent itself if none was.

        Anybody who may set Variables could write anything here: only the job and its reply are used.

        :param intent: as the store has it.
        """
        text = Variable.get(self.name, None)
        left = None if text is None else json.loads(text)
        if not isinstance(left, dict) or left.get("state") not in ANSWERED:
            return intent
        if (left.get("generation"), left.get("begun_at")) != (intent.generation, intent.begun_at):
            return intent
        job_id, reply = left.get("job_id"), left.get("reply")
        if isinstance(job_id, str) and job_id.strip() and isinstance(reply, dict | None):
            return intent.accepted(job_id, reply)
        return intent

    def forget(self, log: logging.Logger | Any) -> None:
        """Delete it: the store has the record now.

        :param log: the task's log.
        """
        try:
            Variable.delete(self.name)
        except Exception as error:
            log.warning(
                "The Airflow Variable %r is no longer needed, but could not be deleted: %s",
                self.name,
                error,
            )
