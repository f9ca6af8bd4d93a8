"""The admin API from Python: what a test says to a running emulator, and asks of it."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

TIMEOUT_SECONDS = 30.0


class AdminError(Exception):
    """The emulator refused; the message is its own."""


class AdminClient:
    """Talks to the admin API of an emulator in any process. Source: ours.

    :param base_url: of the emulator
    """

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def behaviour(self) -> dict[str, Any]:
        """Tell how the emulator behaves now."""
        return dict(self._call("GET", "/behaviour"))

    def change(self, **changes: Any) -> dict[str, Any]:
        """Change options of `Behaviour`; those which are not named stay.

        :param changes: option -> value
        :raises AdminError: when an option is wrong
        """
        return dict(self._call("PATCH", "/behaviour", changes))

    def add_fault(self, kind: str, **fault: Any) -> None:
        """Add a fault.

        :param kind: what goes wrong
        :param fault: the other fields of `Fault`
        :raises AdminError: when a field is wrong
        """
        self._call("POST", "/faults", {"kind": kind, **fault})

    def clear_faults(self) -> None:
        """Let nothing go wrong any more."""
        self._call("DELETE", "/faults")

    def calls(
        self, operation: str | None = None, *, name: str | None = None, job_id: str | None = None
    ) -> list[dict[str, Any]]:
        """List the latest calls, oldest first.

        :param operation: only calls of this one
        :param name: only calls for this videoName, connection or track
        :param job_id: only calls for, or with, this job
        """
        wanted = {"operation": operation, "name": name, "job_id": job_id}
        query = urlencode({field: value for field, value in wanted.items() if value is not None})
        return list(self._call("GET", f"/calls?{query}"))

    def totals(self) -> list[dict[str, Any]]:
        """Count all calls by operation, name and the job asked for."""
        return list(self._call("GET", "/totals"))

    def jobs(self, video_name: str | None = None) -> list[dict[str, Any]]:
        """List the latest jobs, newest first.

        :param video_name: only jobs of this video
        """
        query = urlencode({"video_name": video_name}) if video_name is not None else ""
        return list(self._call("GET", f"/jobs?{query}"))

    def set_job_state(self, job_id: str, state: str) -> None:
        """Let a job complete, fail or be purged now.

        :param job_id: of the job
        :param state: `completed`, `failed` or `cleaned`
        :raises AdminError: when there is no such job
        """
        self._call("PUT", f"/jobs/{quote(job_id, safe='')}", {"state": state})

    def deliveries(self) -> list[dict[str, Any]]:
        """List the attempts to deliver completions to webhooks, oldest first."""
        return list(self._call("GET", "/deliveries"))

    def expire_tokens(self) -> None:
        """Make every token invalid that was fetched so far."""
        self._call("POST", "/expire-tokens")

    def reset(self) -> None:
        """Forget jobs, connections, tracks, calls and deliveries, and behave as at the start."""
        self._call("POST", "/reset")

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        address = urlsplit(self._base_url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT_SECONDS)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, f"/admin{path}", content, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            text = reply.read()
        finally:
            connection.close()
        if reply.status >= 400:
            raise AdminError(f"{method} /admin{path} was answered {reply.status}: {text.decode()}")
        return json.loads(text) if text else None
