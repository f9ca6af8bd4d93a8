from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred, Variable
from airflow.sdk.exceptions import AirflowRuntimeError, ErrorType
from airflow.sdk.execution_time.comms import ErrorResponse
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.provider.submission.stored_records import RECORD_KEY, RECORDS_KEY
from airflow_video_creation.triggers.video_jobs import VideoJobsTrigger

POSTS = {"storyboard": "/api/v1/video/storyboard", "render": "/api/v1/video/render"}
"""Where the service takes which kind of job."""


class Store:
    """Airflow's task state store: survives tries and clears; refuses as often as told.

    A try that Airflow has replaced reads nothing from it, and each write of it is answered 404.
    """

    def __init__(self):
        self.values = {}
        self.refuse = []
        self.is_readable = True
        self.is_replaced = False

    def get(self, key, default=None):
        if not self.is_readable:
            raise ConnectionError("the API server is away")
        return default if self.is_replaced else self.values.get(key, default)

    def set(self, key, value):
        if self.is_replaced:
            raise not_found()
        if self.refuse and self.refuse.pop(0):
            raise ConnectionError("the API server is away")
        self.values[key] = value


class Bucket(MemoryFileSystem):
    """An object store, known to Airflow as ``memory://``, in which records are kept; refuses as often as told."""

    cachable = False

    def __init__(self):
        super().__init__()
        self.store, self.pseudo_dirs = {}, [""]
        self.refuse = []
        self.is_readable = True
        self.meanwhile = {}
        self.set = super().pipe_file

    @property
    def values(self):
        """The records."""
        kept = [json.loads(file.getvalue()) for file in self.store.values()]
        return {record["key"]: record["value"] for record in kept}

    def cat_file(self, path, start=None, end=None, **kwargs):
        if not self.is_readable:
            raise ConnectionError("the bucket is away")
        try:
            return super().cat_file(path, start, end)
        finally:
            self.happens("read")

    def pipe_file(self, path, value, mode="overwrite", **kwargs):
        if self.refuse and self.refuse.pop(0):
            raise ConnectionError("the bucket is away")
        self.set(path, value)
        self.happens(json.loads(value)["value"].get("state"))

    def happens(self, moment):
        """Do, once, what happens after a read, or after a record of a state was written."""
        self.meanwhile.pop(moment, lambda: None)()


def not_found() -> Exception:
    """What a worker gets when its task instance id is no more (seen on 3.3.2)."""
    told = {"reason": "not_found", "message": "Task instance 0199-a not found"}
    detail = {"status_code": 404, "message": "Server returned error", "detail": {"detail": told}}
    return AirflowRuntimeError(ErrorResponse(error=ErrorType.API_SERVER_ERROR, detail=detail))


class Task:
    """One task: its store, its tries, and what it pushed."""

    def __init__(self, store=True, retries=2, map_index=-1):
        self.store = Store() if store is True else store or None
        self.ti = SimpleNamespace(
            dag_id="night",
            run_id="manual__1",
            task_id="t",
            map_index=map_index,
            max_tries=retries,
            try_number=1,
            task=SimpleNamespace(retries=retries),
            start_date=datetime.now(UTC),
            xcom_push=self.push,
        )
        self.clear_number = 0
        self.pushed = {}
        self.xcom_is_away = False

    def push(self, key, value):
        if self.xcom_is_away:
            raise ConnectionError
        self.pushed[key] = value

    def context(self):
        run = SimpleNamespace(clear_number=self.clear_number)
        store = None if isinstance(self.store, Bucket) else self.store
        return {"ti": self.ti, "task_state_store": store, "dag_run": run}

    def retry(self):
        self.ti.try_number += 1

    def replaced(self):
        """Airflow has put another try in the place of the one that runs."""
        self.store.is_replaced = True

    def next_try(self):
        """The try in the place of the replaced one."""
        self.store.is_replaced = False
        self.retry()

    def record(self, stage=""):
        """What is recorded of a submission."""
        return self.store.values[RECORDS_KEY]["records"][stage] if stage else self.store.values[RECORD_KEY]

    def set_record(self, stage, record):
        """Put another record in its place."""
        if stage:
            self.store.values[RECORDS_KEY] = {"version": 1, "records": {stage: record}}
        else:
            self.store.values[RECORD_KEY] = record

    def forget(self, stage):
        """The record of one of several submissions was never stored."""
        del self.store.values[RECORDS_KEY]["records"][stage]

    def forget_the_subject(self, stage=""):
        """The record as release 0.1.0 has stored it."""
        del self.record(stage)["subject"]

    def clear(self):
        self.clear_number += 1
        self.ti.max_tries = self.ti.try_number + self.ti.task.retries
        self.ti.try_number += 1


@pytest.fixture
def make_task() -> type[Task]:
    return Task


@pytest.fixture
def task() -> Task:
    return Task()


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """A record folder, which is set."""
    bucket = Bucket()
    # What is attached once under a connection's id stays.
    conn_id = uuid.uuid4().hex
    attach("memory", conn_id, fs=bucket)
    monkeypatch.setenv("AIRFLOW__VIDEO_CREATION__RECORD_FOLDER", f"memory://{conn_id}@records/")
    return bucket


@pytest.fixture
def recorded(bucket: Bucket) -> Task:
    """A task below Airflow 3.3, whose records are kept in a folder."""
    return Task(store=bucket)


@pytest.fixture
def mapped() -> Task:
    """The third of a mapped task."""
    return Task(map_index=2)


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Airflow's Variables, which a replaced try can set too."""
    kept: dict[str, str] = {}
    monkeypatch.setattr(Variable, "get", lambda key, default=None: kept.get(key, default))
    monkeypatch.setattr(Variable, "set", lambda key, value, description=None: kept.update({key: value}))
    monkeypatch.setattr(Variable, "delete", lambda key: kept.pop(key))
    return kept


@pytest.fixture
def emulator(video_creation_emulator: Any) -> Any:
    return video_creation_emulator


@pytest.fixture
def submissions(emulator: Any) -> Any:
    """How many submissions the service has accepted: ``submissions()``, ``submissions("render")``."""

    def count(operation: str = "storyboard") -> int:
        return len([call for call in emulator.admin.calls(operation=operation) if call["acted"]])

    return count


@pytest.fixture(params=[False, True], ids=["worker", "triggerer"])
def deferrable(request: pytest.FixtureRequest) -> bool:
    """Where the task waits."""
    return bool(request.param)


@pytest.fixture
def event_of(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The event of a trigger, which the triggerer makes of its stored arguments."""
    # Here no scheduler is busy.
    monkeypatch.setattr(VideoJobsTrigger, "settle_seconds", 0.0)

    async def fired(trigger: Any) -> Any:
        async with asyncio.timeout(30):
            path, stored = trigger.serialize()
            module, _, name = path.rpartition(".")
            kind = getattr(import_module(module), name)
            [event] = [event async for event in kind(**stored).run()]
        return event.payload

    return lambda trigger: asyncio.run(fired(trigger))


@pytest.fixture
def run(event_of: Any) -> Any:
    """One try of a task: ``run(make, task, deferrable, **arguments)``.

    Each deferral is resumed in a new operator, as in a new process.
    """

    def run(make: Any, task: Any, deferrable: bool = False, **arguments: Any) -> Any:
        try:
            return make(deferrable, **arguments).execute(task.context())
        except TaskDeferred as stopped:
            deferred = stopped
        while True:
            event = {"event": event_of(deferred.trigger)}
            operator = make(deferrable, **arguments)
            try:
                return operator.resume_execution(deferred.method_name, event, task.context())
            except TaskDeferred as stopped:
                deferred = stopped

    return run


@pytest.fixture
def served(connect: Any, service: Any) -> Any:
    """A service with one finished render, r-1, whose video is at /media/v.mp4."""
    connect(service.url)
    video = f"{service.url}/media/v.mp4?X-Signature=only-for-you-7"
    service.will(service.job("completed", videoURL=video), on="/api/v1/job/r-1")
    mp4 = b"\0\0\0\x0cftypisom" + b"\0\0\0\x08moov" + b"\0\0\x10\x08mdat" + b"y" * 4096
    service.will(service.reply(200, mp4), on="/media/v.mp4")
    return service


@pytest.fixture
def ask(connect: Any, service: Any) -> Any:
    """A service that takes a storyboard as s-1 and a render as r-1; the connection asks to be told."""
    connect(
        service.url,
        callback_base_url="https://airflow.example.com/af",
        webhook_secret="sixteen letters!",
    )
    for kind, path in POSTS.items():
        service.will(service.reply(200, {"job_id": f"{kind[0]}-1"}), on=path)
    service.will(
        service.job("completed", preview="https://p", render_settings={"scenes": 1}), on="/api/v1/job/s-1"
    )
    service.will(service.job("completed", videoURL="https://v"), on="/api/v1/job/r-1")
    return service


@pytest.fixture
def sent(ask: Any) -> Callable[..., list[str | None]]:
    """The webhooks of the requests that the service got, by kind."""

    def webhooks(kind: str = "storyboard") -> list[str | None]:
        return [json.loads(seen.body).get("webhook") for seen in ask.seen if seen.path == POSTS[kind]]

    return webhooks
