"""The first wait of a triggerer imports what it needs in a thread, so that no other wait stands still."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

FIRST_WAIT = """
import asyncio, sys, threading

from airflow_video_creation.triggers.video_job import VideoJobTrigger

loop_thread = threading.get_ident()
on_the_loop = []


class Watch:
    def find_spec(self, name, path=None, target=None):
        if threading.get_ident() == loop_thread:
            on_the_loop.append(name)


async def wait():
    sys.meta_path.insert(0, Watch())
    return [event.payload["outcome"] async for event in VideoJobTrigger("j-1").run()]


assert asyncio.run(wait()) == ["completed"]
print("imported:", *on_the_loop)
"""
SLOW = ("aiohttp", "certifi", "pydantic", "requests", "ssl", "airflow_video_creation.provider.models")


def test_slow_imports_happen_beside_the_loop(service: Any) -> None:
    service.will("completed")
    connection = {
        "conn_type": "video_creation",
        "host": service.url,
        "password": "secret",
        "extra": {"user_id": "u"},
    }

    ran = subprocess.run(
        [sys.executable, "-c", FIRST_WAIT],
        env={**os.environ, "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": json.dumps(connection)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert ran.returncode == 0, ran.stderr
    imported = ran.stdout.rpartition("imported:")[2].split()
    assert [name for name in imported if name.startswith(SLOW)] == []
