"""Airflow's public API as it is read from inside the API server and from the triggerer."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.hooks.airflow.public_api import (
    login_token,
    task_instance_path,
    xcom_keys,
    xcom_value,
)


@pytest.mark.parametrize("odd", ["a/b", "../connections", "a?b=c", "a#b", "a b", "ä"])
def test_whatever_an_id_holds_is_one_segment_of_the_path(odd: str) -> None:
    for ids in ((odd, "r", "t"), ("d", odd, "t"), ("d", "r", odd)):
        path = task_instance_path(*ids)

        assert path.count("/") == "/api/v2/dags/d/dagRuns/r/taskInstances/t".count("/")
        assert not set("?# ä") & set(path)


@pytest.mark.parametrize("value", [{"job_id": "j-1"}, '{"job_id": "j-1"}'], ids=["json", "json as a text"])
def test_an_xcom_is_read_whichever_way_airflow_gives_it(value: Any) -> None:
    assert xcom_value({"key": "job", "value": value}) == {"job_id": "j-1"}


@pytest.mark.parametrize("entry", [None, [], {}, {"value": "no JSON"}])
def test_an_xcom_that_is_not_there_has_no_value(entry: Any) -> None:
    assert xcom_value(entry) is None


def test_a_page_of_xcoms_names_their_keys_and_times() -> None:
    page = {"xcom_entries": [{"key": "a", "timestamp": "1970-01-01T00:00:10Z"}], "total_entries": 1}

    assert xcom_keys(page) == [("a", 10.0)]


@pytest.mark.parametrize("answer", [None, [], {"xcom_entries": [{"key": "a"}]}, {"xcom_entries": 1}])
def test_anything_else_is_no_page_of_xcoms(answer: Any) -> None:
    assert xcom_keys(answer) is None


@pytest.mark.parametrize("answer", [None, [], {}, {"access_token": ""}, {"access_token": 1}])
def test_an_answer_without_a_token_is_no_login(answer: Any) -> None:
    assert login_token(answer) is None
