"""A service that takes keys and lists its jobs, and a task that dies at any touch of its store or of the wire."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from requests.exceptions import ConnectTimeout, ReadTimeout

BASE = "https://video.example.com"
STORYBOARDS, RENDERS, JOBS = "/api/v1/video/storyboard", "/api/v1/video/render", "/api/v1/jobs"


class Killed(BaseException):
    """The worker is gone."""


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_795_000_000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Deaths:
    """Kills whoever touches something for the n-th time, before or after it has an effect."""

    def __init__(self, at: int = -1, *, after: bool = False) -> None:
        self.at, self.after, self.touched = at, after, 0

    def around(self, touch: Callable[[], Any]) -> Any:
        mine, self.touched = self.touched, self.touched + 1
        if mine == self.at and not self.after:
            raise Killed
        result = touch()
        if mine == self.at:
            raise Killed
        return result


class ListingService:
    """What the service knows, and how it answers.

    :param mock: of requests.
    :param clock: the service's.
    :param header: in which it takes keys; None where it takes none.
    :param echoes: fields of a request that its list repeats.
    """

    def __init__(
        self, mock: Any, clock: Clock, *, header: str | None = None, echoes: tuple[str, ...] = ("videoName",)
    ) -> None:
        self.clock, self.header, self.echoes = clock, header, echoes
        self.deaths = Deaths()
        self.jobs: list[dict[str, Any]] = []
        self.seen: list[tuple[str | None, dict[str, Any]]] = []
        self.will: list[str] = []
        self.page_size, self.shown_after, self.looks = 50, 0.0, 0
        self.list_status, self.page_takes = 200, 0.0
        self._keys: dict[str, tuple[str, str]] = {}
        mock.post(f"{BASE}{STORYBOARDS}", json=lambda r, c: self._post("storyboard", r, c))
        mock.post(f"{BASE}{RENDERS}", json=lambda r, c: self._post("render", r, c))
        mock.get(f"{BASE}{JOBS}", json=lambda r, c: self.deaths.around(lambda: self._list(r, c)))

    def has(self, name: str, *, ago: float = 0.0, kind: str = "storyboard", **fields: Any) -> str:
        """A job that somebody else has made."""
        made = {"job_id": f"other-{len(self.jobs)}", "kind": kind, "made": self.clock.now - ago}
        self.jobs.append({**made, "videoName": name, **fields})
        return str(made["job_id"])

    @property
    def own(self) -> list[str]:
        """The jobs that were paid for by the requests it has got."""
        return [job["job_id"] for job in self.jobs if job["job_id"].startswith("j-")]

    def forgets_the_keys(self) -> None:
        """What comes under an old key is new to it."""
        self._keys.clear()

    def _post(self, kind: str, request: Any, context: Any) -> Any:
        key = request.headers.get(self.header) if self.header else None
        self.seen.append((key, json.loads(request.text)))
        how = self.will.pop(0) if self.will else "answers"
        if how == "is not reached":
            raise ConnectTimeout
        if how == "drops it":
            raise ReadTimeout
        if how.isdigit():
            context.status_code = int(how)
            return {"message": "no"}
        answer = self.deaths.around(lambda: self._made(kind, request.text, key, context))
        if how == "loses the answer":
            raise ReadTimeout
        if how == "fails after it":
            context.status_code = 503
        return answer

    def _made(self, kind: str, text: str, key: str | None, context: Any) -> Any:
        if key in self._keys:
            before, job_id = self._keys[key]
            if before != text:
                context.status_code = 422
                return {"message": "this key was used with another body"}
            return {"job_id": job_id}
        job_id = f"j-{len(self.jobs)}"
        body = json.loads(text)
        echoed = {name: body[name] for name in self.echoes if name in body}
        self.jobs.append({"job_id": job_id, "kind": kind, "made": self.clock.now, **echoed})
        if key:
            self._keys[key] = (text, job_id)
        return {"job_id": job_id}

    def _list(self, request: Any, context: Any) -> Any:
        self.looks += 1
        self.clock.now += self.page_takes
        context.status_code = self.list_status
        context.headers["Date"] = format_datetime(datetime.fromtimestamp(self.clock.now, UTC), usegmt=True)
        shown = [job for job in self.jobs if self.clock.now - job["made"] >= self.shown_after]
        shown.sort(key=lambda job: -job["made"])
        start = int(request.qs.get("cursor", ["0"])[0])
        rest = shown[start + self.page_size :]
        return {
            "data": [_listed(job) for job in shown[start : start + self.page_size]],
            "next_cursor": str(start + self.page_size) if rest else None,
        }


def _listed(job: dict[str, Any]) -> dict[str, Any]:
    made = datetime.fromtimestamp(int(job["made"]), UTC).isoformat().replace("+00:00", "Z")
    return {"created_at": made, "status": "in-progress", **{k: v for k, v in job.items() if k != "made"}}
