"""A real Airflow API application in this process, with a database, users, and a DAG whose task has submitted."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.stored_records import frozen, key_of, record_key
from airflow_video_creation.provider.webhooks.callback import Callback, callback_key
from airflow_video_creation.provider.webhooks.ready_assets import ready_asset
from airflow_video_creation.provider.webhooks.webhook_url import Submitter, webhook_url

HERE = Path(__file__).parent
CONN_ID = "video_creation_default"
SECRET = "a-secret-of-the-webhooks"
HAS_STATE_STORE = not version("apache-airflow").startswith(("3.1.", "3.2."))
BASE_URL = "https://airflow.example.com/prefix"
NAMES_OF_0_1_0 = {
    "c": "conn_id",
    "k": "kind",
    "d": "dag_id",
    "r": "run_id",
    "t": "task_id",
    "g": "generation",
    "b": "begun_at",
    "m": "map_index",
    "s": "stage",
}
PASSWORDS = {"receiver": "receiver-word", "author": "author-word", "viewer": "viewer-word"}
LOOK_ALIKE = ready_asset("job_failed", CONN_ID).uri.replace("_", "-")
"""Another's asset: where Airflow looks assets up by their addresses, ``_`` stands for any character."""
DAGS = f"""
from airflow.providers.common.compat.sdk import BaseOperator
from airflow.sdk import Asset, DAG, task

PREVIEW = Asset({ready_asset("preview_ready", CONN_ID).name!r}, {ready_asset("preview_ready", CONN_ID).uri!r})

with DAG("submits", schedule=None):
    BaseOperator(task_id="storyboard")

    @task
    def one(number): ...

    one.override(task_id="mapped").expand(number=[1, 2])

with DAG("renders", schedule=[PREVIEW]):
    BaseOperator(task_id="render")
"""
NIGHT = """
from airflow.sdk import DAG

from airflow_video_creation.operators.approval import ApproveVideoOperator
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.summary import SummarizeVideosOperator
from airflow_video_creation.operators.video_group import video_from_storyboard
from airflow_video_creation.operators.videos import CreateVideosOperator

FILMS = [{"videoName": f"film-{n}", "scenes": [{"text": "It begins."}]} for n in range(3)]

with DAG("night", schedule=None):
    video_from_storyboard.partial(destination="/videos/").expand(storyboard=FILMS)
    CreateVideosOperator(task_id="many", storyboards=FILMS, destination="/videos/")

with DAG("steps", schedule=None):
    preview = CreateStoryboardOperator(task_id="preview", storyboard=FILMS[0], wait_for_completion=True)
    approve = ApproveVideoOperator(task_id="approve", storyboard_job_id=preview.output)
    render = RenderVideoOperator(task_id="render", storyboard_job_id=approve.output, wait_for_completion=True)
    download = DownloadVideoOperator(task_id="download", job_id=render.output, destination="/videos/")
    PlanVideosOperator(task_id="plan", storyboards=FILMS) >> preview
    download >> SummarizeVideosOperator(task_id="summarize")
"""
OTHERS_DAG = f"""
from airflow.providers.common.compat.sdk import BaseOperator
from airflow.sdk import Asset, DAG

with DAG("no_affair_of_ours", schedule=[Asset("look-alike", {LOOK_ALIKE!r})]):
    BaseOperator(task_id="anything")
"""


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Let all tests of this folder share one Airflow, on however many processes the tests run."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("plugin"))
    # pytest-xdist reads the marks in this hook too: they must be there before.
    yield


def parse(folder: Path) -> None:
    """Have Airflow know the DAGs of a folder as they are now."""
    bundle: dict[str, Any] = {"bundle_path": folder}
    try:
        from airflow.dag_processing.dagbag import DagBag, sync_bag_to_db
    except ImportError:  # below Airflow 3.2
        from airflow.models.dagbag import DagBag, sync_bag_to_db
    else:
        bundle["bundle_name"] = "dags-folder"
    dags = DagBag(folder, **bundle)
    assert not dags.import_errors, dags.import_errors
    sync_bag_to_db(dags, "dags-folder", None)


@pytest.fixture
def author(airflow_app: Any, tmp_path: Path) -> Callable[[str], None]:
    """Writes a DAG file, or writes it again."""

    def write(text: str) -> None:
        (tmp_path / "changed.py").write_text(text)
        parse(tmp_path)

    return write


@pytest.fixture(scope="session")
def airflow_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Airflow's own application, on a SQLite database, with three users; it knows the DAGs above."""
    folder = tmp_path_factory.mktemp("webhooks")
    passwords = folder / "passwords.json"
    passwords.write_text(json.dumps(PASSWORDS))
    environment = {
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": "receiver:op,author:user,viewer:viewer",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
        "AIRFLOW__API_AUTH__JWT_SECRET": "a-secret-of-this-test-that-is-long-enough-to-be-a-key-of-sixty-four!",
        "_AIRFLOW_PROCESS_CONTEXT": "server",
    }
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    from airflow.api_fastapi.app import create_app, purge_cached_app
    from airflow.dag_processing.bundles.manager import DagBundlesManager
    from airflow.utils.db import initdb

    initdb()
    DagBundlesManager().sync_bundles_to_db()
    # One after the other, so that our asset is the first.
    for file, text in {"dags.py": DAGS, "others.py": OTHERS_DAG, "night.py": NIGHT}.items():
        (folder / file).write_text(text)
        parse(folder)
    purge_cached_app()
    yield create_app(apps="core")
    for name, value in before.items():
        os.environ.pop(name)
        if value is not None:
            os.environ[name] = value


@dataclass
class Airflow:
    """What a test asks of Airflow, and does in it, as the user ``receiver``."""

    client: httpx.AsyncClient
    task: Submitter

    @property
    def _path(self) -> str:
        return f"/api/v2/dags/{self.task.dag_id}/dagRuns/{self.task.run_id}/taskInstances/{self.task.task_id}"

    @property
    def intent(self) -> Submission:
        """The record of a task that is about to submit, or died while it did."""
        at = self.task.begun_at
        return Submission(self.task.generation, "intent", at, at, webhook=self.task.conn_id)

    def url(self, secret: str = SECRET, **other: Any) -> str:
        """The URL of the task's submission, or of another that differs in something."""
        return webhook_url(BASE_URL, secret, replace(self.task, **other))

    def url_as_release_0_1_0_made(self, secret: str = SECRET, **other: Any) -> str:
        """The same, in the form of release 0.1.0."""
        task = replace(self.task, **other)
        values = {letter: getattr(task, name) for letter, name in NAMES_OF_0_1_0.items()}

        class Signer(TimestampSigner):
            def get_timestamp(self) -> int:
                return int(task.begun_at)

        serializer = URLSafeTimedSerializer(
            secret,
            salt="video_creation.webhook.1",
            signer=Signer,
            signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"},
        )
        return f"{BASE_URL}/video_creation/webhook/1{serializer.dumps(values)}"

    async def keep(self, record: Submission) -> None:
        await self.store(key_of([self.task.stage]), frozen({self.task.stage: record}))

    async def keep_as_release_0_1_0_did(self, record: Submission) -> None:
        await self.store(record_key(self.task.stage), record.to_json())

    async def store(self, key: str, value: Any) -> None:
        await self.ask(
            "PUT",
            f"{self._path}/state-store/{key}",
            params={"map_index": self.task.map_index},
            json={"value": value},
        )

    async def keep_callback(self, callback: Callback) -> None:
        path = f"{self._path}/state-store/{callback_key(self.task.stage)}"
        await self.ask(
            "PUT", path, params={"map_index": self.task.map_index}, json={"value": callback.to_json()}
        )

    async def callback(self) -> Callback | None:
        path = f"{self._path}/state-store/{callback_key(self.task.stage)}"
        reply = await self.client.get(path, params={"map_index": self.task.map_index})
        return None if reply.status_code == 404 else Callback.from_json(reply.json()["value"])

    async def woken(self) -> list[str]:
        """The keys of the XComs that wake waits."""
        listed = await self.ask("GET", f"{self._path}/xcomEntries", params={"map_index": self.task.map_index})
        return [entry["key"] for entry in listed["xcom_entries"]]

    async def events(self) -> list[dict[str, Any]]:
        """What the asset events of this run say, the oldest first."""
        listed = await self.ask(
            "GET", "/api/v2/assets/events", params={"limit": 100, "order_by": "timestamp"}
        )
        extras = [event["extra"] for event in listed["asset_events"]]
        return [extra for extra in extras if extra.get("run_id") == self.task.run_id]

    async def is_untouched(self) -> bool:
        return not (await self.callback() or await self.woken() or await self.events())

    async def ask(self, method: str, path: str, **request: Any) -> Any:
        reply = await self.client.request(method, path, **request)
        assert reply.is_success, (reply.status_code, reply.text)
        return reply.json() if reply.content else None


class Died(BaseException):
    """The process is no more; nothing in it catches this."""


class Doors:
    """Airflow's application, or what is left of it: requests can be made to fail, and are counted."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.asked: list[str] = []
        self.dies_after = 10**9
        self.fails: Callable[[str], bool] = lambda asked: False
        self.state = app.state
        self.hold(after=10**9)

    def hold(self, *, after: int) -> None:
        """Let so many more requests go on, and no other."""
        self._places = asyncio.Semaphore(after)

    def let_through(self, requests: int) -> None:
        """Let so many go on, of those that are held first."""
        for _ in range(requests):
            self._places.release()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(f"{scope['method']} {scope['path']}")
        if len(self.asked) > self.dies_after:
            raise Died
        await self._places.acquire()
        if self.fails(self.asked[-1]):
            await send({"type": "http.response.start", "status": 500, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        await self.app(scope, receive, send)


@dataclass
class Now:
    """The time, which a test moves."""

    seconds: float = field(default_factory=time.time)

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Receiver:
    """The plugin's application below Airflow's; each ``restart`` is a new process of an API server."""

    doors: Doors
    now: Now
    _made: list[Any] = field(default_factory=list)

    def restart(self, **limits: float) -> None:
        from fastapi import FastAPI

        from airflow_video_creation.plugin.webhooks.receiver import WebhookReceiver, webhook_router

        limits = {"settle_seconds": 0.01, **limits}
        self.receiver = WebhookReceiver(clock=self.now, steady_clock=self.now, **limits)
        self._made.append(self.receiver)
        self.application = FastAPI()
        self.application.include_router(webhook_router(self.receiver))
        self.doors.dies_after = 10**9
        self.doors.asked.clear()

    async def call(
        self, url: str, body: Any = None, content: Any = None, method: str = "POST"
    ) -> httpx.Response:
        """Call a URL, as the service does, with a JSON body or with any content."""
        from airflow_video_creation.plugin.airflow_app import AIRFLOW_APP

        async def below_airflow(scope: Any, receive: Any, send: Any) -> None:
            await self.application({**scope, AIRFLOW_APP: self.doors}, receive, send)

        transport = httpx.ASGITransport(app=below_airflow)
        path = "/webhook/" + url.rpartition("/")[2]
        given = {"json": body} if content is None else {"content": content}
        async with httpx.AsyncClient(transport=transport, base_url="http://airflow.example.com") as client:
            return await client.request(method, path, **given)

    async def dies(self, url: str, body: Any, *, after: int) -> None:
        """Call a URL of a process that dies after so many requests to Airflow."""
        self.doors.dies_after = after
        with suppress(Died):
            await self.call(url, body)
            raise AssertionError("it did not die")

    def second_process(self) -> Receiver:
        """One more API server."""
        other = Receiver(Doors(self.doors.app), self.now, self._made)
        other.restart()
        return other

    async def close(self) -> None:
        for receiver in self._made:
            await receiver.close()


@pytest.fixture
def state_store() -> None:
    """Skips the test where Airflow keeps no task state."""
    if not HAS_STATE_STORE:
        pytest.skip("below Airflow 3.3 there is no task state store")


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def act_as(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a user, or nobody, the receiver's identity: ``act_as("viewer")``."""

    def act(user: str, password: str | None = None) -> None:
        identity = {"conn_type": "http", "login": user, "password": password or PASSWORDS.get(user, "")}
        monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_AIRFLOW_API", json.dumps(identity))

    return act


@pytest.fixture
async def receiver(
    airflow_app: Any,
    act_as: Callable[..., None],
    connect: Callable[..., None],
    service: Any,
    now: Now,
) -> AsyncIterator[Receiver]:
    """The receiver, whose connection leads to ``service`` and whose identity is the user ``receiver``."""
    if not HAS_STATE_STORE:
        pytest.skip("webhooks need Airflow 3.3: below it there is no task state store")
    connect(service.url, callback_base_url=BASE_URL, webhook_secret=SECRET)
    act_as("receiver")
    made = Receiver(Doors(airflow_app), now)
    made.restart()
    yield made
    await made.close()


@pytest.fixture
async def airflow(airflow_app: Any, now: Now) -> AsyncIterator[Airflow]:
    """A run of the DAG ``submits``, whose task ``storyboard`` has submitted job ``j-1``."""
    transport = httpx.ASGITransport(app=airflow_app)
    async with httpx.AsyncClient(transport=transport, base_url="http://airflow.example.com") as client:
        login = {"username": "receiver", "password": PASSWORDS["receiver"]}
        token = (await client.post("/auth/token", json=login)).json()["access_token"]
        client.headers["Authorization"] = f"Bearer {token}"
        run = await client.post("/api/v2/dags/submits/dagRuns", json={"logical_date": None})
        assert run.is_success, run.text
        task = Submitter(
            conn_id=CONN_ID,
            kind="storyboard",
            dag_id="submits",
            run_id=run.json()["dag_run_id"],
            task_id="storyboard",
            generation=0,
            begun_at=now() - 60,
        )
        airflow = Airflow(client, task)
        if HAS_STATE_STORE:
            await airflow.keep(airflow.intent.accepted("j-1"))
        yield airflow
