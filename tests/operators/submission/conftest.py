"""What the tests of doubts share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator

from .deaths import JOBS, Clock, ListingService

STORYBOARD = {"videoName": "Night", "videoDescription": "about it", "scenes": [{"text": "t"}]}


@pytest.fixture
def world(connect: Any, requests_mock: Any) -> Callable[..., ListingService]:
    """Make the service and the connection to it: ``world("key")``, ``world("list")``, ``world("mark")``."""

    def made(*has: str, **extra: Any) -> ListingService:
        if "key" in has:
            extra["idempotency_header"] = "Idempotency-Key"
        if "list" in has or "mark" in has:
            extra["paths"] = {"jobs": JOBS}
        if "mark" in has:
            extra["marker_field"] = "videoDescription"
        connect(**extra)
        echoes = ("videoName", "videoDescription")
        return ListingService(requests_mock, Clock(), header=extra.get("idempotency_header"), echoes=echoes)

    return made


@pytest.fixture
def storyboard() -> Callable[..., Any]:
    """One try of a storyboard's task, whose clock is the service's."""

    def tried(service: ListingService, task: Any, **arguments: Any) -> Any:
        operator = CreateStoryboardOperator(**{"task_id": "t", "storyboard": STORYBOARD} | arguments)
        operator.clock, operator.sleep = service.clock, service.clock.sleep
        operator.hook = VideoCreationHook(
            user_id=operator.user_id, clock=service.clock, sleep=service.clock.sleep
        )
        return operator.execute(task.context())

    return tried


@pytest.fixture
def die() -> Callable[..., None]:
    """Let a task die before or after the n-th thing that it does to its store or the wire."""
    from .deaths import Deaths

    def at(service: ListingService, task: Any, touch: int, *, after: bool = False) -> None:
        service.deaths = deaths = Deaths(touch, after=after)
        get, put = type(task.store).get, type(task.store).set
        store = task.store
        store.get = lambda *given: deaths.around(lambda: get(store, *given))
        store.set = lambda *given: deaths.around(lambda: put(store, *given))

    return at
