"""Airflow's own public REST API: its paths, its login and its XComs; light, and without any I/O.

Source: Airflow's "Airflow public API" reference. The plugin calls the API in its own process, the triggerer over the
network, and both read it by this.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

LOGIN_PATH = "/auth/token"
ASSETS_PATH = "/api/v2/assets"
ANY = "~"
"""Stands for every DAG, every run or every task."""
PAGE_SIZE = 100
"""Entries of one list: the most that Airflow gives by default (``[api] maximum_page_limit``)."""


def task_instance_path(dag_id: str, run_id: str, task_id: str) -> str:
    """The path of a task instance; a mapped one is told by a parameter.

    :param dag_id: the DAG, or ``ANY``.
    :param run_id: the DAG run, or ``ANY``.
    :param task_id: the task, or ``ANY``.
    """
    dag, run, task = (quote(part, safe="") for part in (dag_id, run_id, task_id))
    return f"/api/v2/dags/{dag}/dagRuns/{run}/taskInstances/{task}"


def xcoms_path(task: str, key: str = "") -> str:
    """The path of a task instance's XComs.

    :param task: the path of the task instance.
    :param key: of one XCom; empty for all.
    """
    return f"{task}/xcomEntries" + (f"/{key}" if key else "")


def xcom_value(entry: Any) -> Any:
    """The value of an XCom; None where there is none to read.

    :param entry: the answer to a GET; Airflow 3.0 gives the value as a JSON text.
    """
    value = entry.get("value") if isinstance(entry, Mapping) else None
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return None


def xcom_keys(page: Any) -> list[tuple[str, float]] | None:
    """The keys of a page of XComs, with the epoch seconds at which each was written; None where it is no such page.

    :param page: the answer to a GET.
    """
    try:
        return [
            (str(entry["key"]), datetime.fromisoformat(entry["timestamp"]).timestamp())
            for entry in page["xcom_entries"]
        ]
    except (KeyError, TypeError, ValueError):
        return None


def login_body(username: str, password: str) -> dict[str, str]:
    """What is posted to ``LOGIN_PATH``.

    :param username: of an Airflow user.
    :param password: of the same.
    """
    return {"username": username, "password": password}


def login_token(answer: Any) -> str | None:
    """The token that a login is answered with; None without.

    :param answer: the JSON of the answer.
    """
    token = answer.get("access_token") if isinstance(answer, Mapping) else None
    return token if isinstance(token, str) and token else None


def authorization(token: str) -> dict[str, str]:
    """The header with which a user proves who he is.

    :param token: of a login.
    """
    return {"Authorization": f"Bearer {token}"}


def answered(method: str, path: str, status: int) -> str:
    """What Airflow did with a request, for the log.

    :param method: the HTTP method.
    :param path: as it was asked for.
    :param status: the HTTP status.
    """
    return f"{method} {path} was answered {status}"
