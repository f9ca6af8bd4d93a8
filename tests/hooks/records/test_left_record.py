"""The Variable in which a replaced try leaves its job, and how a try learns that it was replaced."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowRuntimeError, ErrorType
from airflow.sdk.execution_time.comms import ErrorResponse

from airflow_video_creation.hooks.records.left_record import LeftRecord, is_replaced

TASK = {"dag_id": "d", "run_id": "r", "task_id": "t", "map_index": 2}
GONE = {"reason": "not_found", "message": "Task instance 0199-a not found"}


def of_the_api(status: int, detail: Any) -> Exception:
    told = {"status_code": status, "message": "Server returned error", "detail": detail}
    return AirflowRuntimeError(ErrorResponse(error=ErrorType.API_SERVER_ERROR, detail=told))


@pytest.mark.parametrize(
    ("error", "replaced"),
    [
        pytest.param(of_the_api(404, {"detail": GONE}), True, id="as seen on 3.3.2"),
        pytest.param(of_the_api(404, GONE), True, id="without the outer detail"),
        pytest.param(of_the_api(404, {"detail": "Not Found"}), False, id="no such path"),
        pytest.param(of_the_api(404, None), False, id="a proxy"),
        pytest.param(of_the_api(503, {"detail": GONE}), False, id="the API server is away"),
        pytest.param(ConnectionError("reset"), False, id="no answer"),
        pytest.param(
            AirflowRuntimeError(ErrorResponse(error=ErrorType.GENERIC_ERROR)),
            False,
            id="the supervisor's own",
        ),
    ],
)
def test_which_answers_say_that_the_try_was_replaced(error: Exception, replaced: bool) -> None:
    assert is_replaced(error) == replaced


def test_each_task_instance_and_stage_has_a_variable_of_its_own() -> None:
    others = [TASK | {name: 9} for name in TASK]
    names = {LeftRecord(SimpleNamespace(**task), "key").name for task in (TASK, *others)}
    names.add(LeftRecord(SimpleNamespace(**TASK), "key.render").name)

    assert len(names) == 6
    assert LeftRecord(SimpleNamespace(**TASK), "key").name in names
