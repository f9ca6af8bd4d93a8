"""A connection is read in an event loop without blocking it, on Airflows old and new."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook

from airflow_video_creation.hooks.async_connection import aget_connection, aget_extra


class ConnectionBeforeAirflow332:
    """Its extra is read by a property, which calls Airflow's supervisor and waits for it."""

    def __init__(self) -> None:
        self.read_in: int | None = None

    @property
    def extra_dejson(self) -> dict[str, Any]:
        self.read_in = threading.get_ident()
        return {"user_id": "u-1"}


class ConnectionSinceAirflow332(ConnectionBeforeAirflow332):
    async def aextra_dejson(self) -> dict[str, Any]:
        return {"user_id": "u-2"}


async def test_a_connection_and_its_extra_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_VIDEOS", '{"conn_type": "http", "password": "p", "extra": {"a": 1}}')

    connection = await aget_connection("videos")

    assert (connection.password, await aget_extra(connection)) == ("p", {"a": 1})


class HookInDagsTest(BaseHook):
    """In `airflow dags test`, which runs triggers itself, only the blocking reader finds Airflow's database."""

    @classmethod
    async def aget_connection(cls, conn_id: str) -> Any:
        raise AirflowNotFoundException(conn_id)

    @classmethod
    def get_connection(cls, conn_id: str) -> Any:
        return conn_id, threading.get_ident()


async def test_a_connection_of_the_database_is_found_in_dags_test_too() -> None:
    found, read_in = await aget_connection("videos", HookInDagsTest)

    assert found == "videos"
    assert read_in != threading.get_ident()


async def test_a_connection_that_is_nowhere_is_not_found() -> None:
    with pytest.raises(AirflowNotFoundException):
        await aget_connection("nowhere")


async def test_an_extra_that_must_be_waited_for_is_read_outside_the_event_loop() -> None:
    connection = ConnectionBeforeAirflow332()

    assert await aget_extra(connection) == {"user_id": "u-1"}
    assert connection.read_in not in (None, threading.get_ident())


async def test_an_extra_that_can_be_awaited_is() -> None:
    connection = ConnectionSinceAirflow332()

    assert await aget_extra(connection) == {"user_id": "u-2"}
    assert connection.read_in is None
