"""Faults: what goes wrong, where, and when; decided by a seed, so that a run can be repeated."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from ..contract.operation_paths import OPERATIONS

CallFaultKind = Literal[
    "delay",
    "status",
    "reset",
    "hang",
    "drip",
    "truncate",
    "malformed",
    "html",
    "empty",
    "redirect",
    "reply",
    "merge",
]
JobFaultKind = Literal["fail", "purge", "stall"]

_JOB_FAULTS = ("fail", "purge", "stall")
_REPLY_FAULTS = ("drip", "truncate", "malformed", "merge")


class Fault(BaseModel):
    """One thing that goes wrong. Source: ours.

    Faults of a call: `delay` (by `seconds`), `status` (an error reply), `reset` (of the connection), `hang` (for
    `seconds`, or for ever), `drip` (the reply's body takes `seconds`), `truncate` (the connection ends in the
    middle of the body), `malformed` (the body is no JSON), `html` (a proxy's page), `empty` (no body),
    `redirect` (to `location`), `reply` (`body` instead of the service's own), `merge` (`body` merged into the
    service's own as a JSON Merge Patch, RFC 7386: objects are merged, null takes a field away). Faults of a job:
    `fail`, `purge` (the result is gone `seconds` after completion), `stall` (never completes).

    :param kind: what goes wrong
    :param on: one of `OPERATIONS`, a path such as `/api/v1/*`, or `*`; for a fault of a job `storyboard`, `render`
        or `*`
    :param when: whether the service has acted when it goes wrong
    :param video_name: only for videos of that name; may hold `*`
    :param nth: only for these calls, counted from 1 among those which fit
    :param per_job: count the calls of each job by themselves
    :param probability: how often, among the calls which fit
    :param seconds: of a delay, a hang, a drip, between completion and purge, or in a `Retry-After`
    :param jitter: up to that many seconds more, by chance
    :param status: of the error reply, the page, the empty reply, the redirect or the reply; absent: 503, 502, 200, 302,
        200
    :param body: of a reply, any JSON; what is merged, an object. In its texts `{job_id}` is the job that is asked for
    :param location: where a redirect leads
    :param error_code: of a failing job
    :param error_message: of a failing job
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: CallFaultKind | JobFaultKind
    on: str = "*"
    when: Literal["before", "after"] = "before"
    video_name: str | None = None
    nth: tuple[Annotated[int, Field(ge=1)], ...] = ()
    per_job: bool = False
    probability: Annotated[float, Field(ge=0, le=1)] = 1.0
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    jitter: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    status: Annotated[int, Field(ge=200, le=599)] | None = None
    body: JsonValue = None
    location: str = "/elsewhere"
    error_code: str = "RENDERING_FAILED"
    error_message: str = "The job was told to fail."

    @model_validator(mode="after")
    def _is_addressed(self) -> Fault:
        if self.kind == "merge" and not isinstance(self.body, dict):
            raise ValueError("body must be an object, which is merged into the service's own")
        if self.is_of_job:
            if self.on not in ("storyboard", "render", "*"):
                raise ValueError(f"a fault of a job is on storyboard, render or *, not {self.on}")
        elif self.on not in (*OPERATIONS, "*") and not self.on.startswith("/"):
            raise ValueError(
                f"on is one of {', '.join(OPERATIONS)}, a path that begins with /, or *, not {self.on}"
            )
        return self

    @property
    def is_of_job(self) -> bool:
        """Whether it befalls a job, not a call."""
        return self.kind in _JOB_FAULTS

    @property
    def needs_reply(self) -> bool:
        """Whether the service acts before it goes wrong."""
        return self.when == "after" or self.kind in _REPLY_FAULTS

    def fits(self, operation: str, path: str, video_name: str | None) -> bool:
        """Tell whether a call, or the submission of a job, is one of those meant.

        :param operation: one of `OPERATIONS`
        :param path: of the request
        :param video_name: of the storyboard, as far as it is known
        """
        is_there = self.on in ("*", operation) or (self.on.startswith("/") and fnmatchcase(path, self.on))
        return is_there and (self.video_name is None or fnmatchcase(video_name or "", self.video_name))


@dataclass(frozen=True, slots=True)
class HitFault:
    """A fault which befalls a call, with the seconds that chance gave it."""

    fault: Fault
    seconds: float


class FaultPlan:
    """Decides which faults befall a call. The n-th call is always decided alike for the same seed.

    :param faults: in the order in which they are tried
    :param seed: of every choice by chance
    """

    def __init__(self, faults: tuple[Fault, ...], seed: int) -> None:
        self._faults = faults
        self._seed = seed
        self.names_videos = any(fault.video_name for fault in faults)
        self._counts: Counter[tuple[int, str]] = Counter()

    def for_call(
        self, operation: str, path: str, video_name: str | None, job_id: str | None
    ) -> list[HitFault]:
        """Count a call and return the faults which befall it.

        :param operation: one of `OPERATIONS`
        :param path: of the request
        :param video_name: of the storyboard, as far as it is known
        :param job_id: which a poll asks for
        """
        return self._hits(False, operation, path, video_name, job_id)

    def for_job(self, kind: str, video_name: str) -> Fault | None:
        """Count a submission and return the fault which befalls the job, if any.

        :param kind: `storyboard` or `render`
        :param video_name: of the storyboard
        """
        hits = self._hits(True, kind, "", video_name, None)
        return hits[0].fault if hits else None

    def _hits(
        self, of_job: bool, operation: str, path: str, video_name: str | None, job_id: str | None
    ) -> list[HitFault]:
        hits = []
        for index, fault in enumerate(self._faults):
            if fault.is_of_job != of_job or not fault.fits(operation, path, video_name):
                continue
            counted = (index, (job_id or "") if fault.per_job else "")
            self._counts[counted] += 1
            number = self._counts[counted]
            chance = random.Random(f"{self._seed}/{index}/{counted[1]}/{number}")  # noqa: S311 - not a secret
            if (not fault.nth or number in fault.nth) and chance.random() < fault.probability:
                hits.append(HitFault(fault, (fault.seconds or 0.0) + chance.random() * fault.jitter))
        return hits
