"""What a person does to a cluster, through Airflow's public REST API."""

from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener


class Rest:
    """The public API of an API server that treats everybody as an administrator.

    :param base_url: of the API server.
    """

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._open = build_opener(ProxyHandler({})).open
        self._token: str | None = None

    def health(self) -> dict[str, Any]:
        """What the API server knows of each role."""
        return dict(self._call("GET", "/api/v2/monitor/health"))

    def dag_ids(self) -> set[str]:
        """The DAGs that can be run.

        :raises AssertionError: a DAG file cannot be read.
        """
        errors = self._call("GET", "/api/v2/importErrors")["import_errors"]
        assert not errors, errors[0]["stack_trace"]
        return {str(dag["dag_id"]) for dag in self._call("GET", "/api/v2/dags?limit=100")["dags"]}

    def add_connection(self, conn_id: str, **fields: Any) -> None:
        """Make a connection.

        :param conn_id: its id.
        :param fields: as Airflow's API takes them; ``extra`` is a text.
        """
        self._call("POST", "/api/v2/connections", {"connection_id": conn_id, **fields})

    def trigger(self, dag_id: str, run_id: str, conf: dict[str, Any]) -> None:
        """Start a run.

        :param dag_id: of which DAG.
        :param run_id: its name.
        :param conf: its configuration.
        """
        body = {"dag_run_id": run_id, "logical_date": None, "conf": conf}
        self._call("POST", f"/api/v2/dags/{dag_id}/dagRuns", body)

    def clear(self, dag_id: str, run_id: str, task_id: str) -> None:
        """Clear a task.

        :param dag_id: of the run.
        :param run_id: of the task.
        :param task_id: which one.
        """
        body = {
            "dag_run_id": run_id,
            "task_ids": [task_id],
            "dry_run": False,
            "only_failed": False,
            "reset_dag_runs": True,
        }
        self._call("POST", f"/api/v2/dags/{dag_id}/clearTaskInstances", body)

    def mark_failed(self, dag_id: str, run_id: str, task_id: str) -> None:
        """Mark a task as failed.

        :param dag_id: of the run.
        :param run_id: of the task.
        :param task_id: which one.
        """
        path = f"/api/v2/dags/{dag_id}/dagRuns/{quote(run_id)}/taskInstances/{task_id}"
        self._call("PATCH", path, {"new_state": "failed"})

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        if self._token is None:
            self._token = ""
            try:
                self._token = str(self._call("GET", "/auth/token")["access_token"])
            finally:
                self._token = self._token or None
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        content = None if body is None else json.dumps(body).encode()
        request = Request(self._base_url + path, content, headers, method=method)
        try:
            with self._open(request, timeout=30) as reply:
                return json.load(reply)
        except HTTPError as error:
            # An HTTPError is an OSError, which `until` would take for an API server that is not up yet.
            text = error.read().decode(errors="replace")
            if error.code >= 500:
                raise ConnectionError(f"{method} {path}: {error.code} {text}") from error
            raise AssertionError(f"{method} {path} was answered {error.code}: {text}") from error
