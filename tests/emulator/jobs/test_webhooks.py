"""Completions are delivered to the webhooks that requests name."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.emulator.jobs.webhooks import Webhooks


def test_both_kinds_of_job_deliver_what_a_poll_gets(
    caller: Any, emulator: Emulator, receiver: Any, wait_until: Any
) -> None:
    storyboard_id = caller.storyboard(webhook=f"{receiver.url}/storyboard")
    settings = caller.job(storyboard_id)["data"]["render_settings"]
    render_id = caller.post("/api/v1/video/render", {**settings, "webhook": f"{receiver.url}/render"}).json()[
        "job_id"
    ]
    wait_until(lambda: len(receiver.posted), lambda count: count == 2)
    delivered = {body["job_id"]: body for body in map(json.loads, receiver.posted)}
    assert delivered == {job_id: caller.job(job_id) for job_id in (storyboard_id, render_id)}
    wait_until(emulator.admin.deliveries, lambda deliveries: len(deliveries) == 2)
    assert {delivery["status"] for delivery in emulator.admin.deliveries()} == {200}


def test_a_failed_job_is_delivered_too(
    caller: Any, emulator: Emulator, receiver: Any, wait_until: Any
) -> None:
    emulator.admin.add_fault("fail")
    caller.storyboard(webhook=receiver.url)
    wait_until(lambda: receiver.posted, bool)
    assert json.loads(receiver.posted[0])["success"] is False


def test_a_completion_that_was_not_delivered_before_a_stop_is_delivered_after_it(
    tmp_path: Path, receiver: Any, call_emulator: Any, wait_until: Any
) -> None:
    options = {"instant": True, "allow_private_networks": True, "folder": tmp_path}
    receiver.statuses = [503]
    with Emulator(**options) as emulator:
        job_id = call_emulator(emulator).storyboard(webhook=receiver.url)
        wait_until(lambda: receiver.posted, bool)
    with Emulator(**options) as emulator:
        wait_until(lambda: len(receiver.posted), lambda count: count == 2)
        wait_until(emulator.admin.deliveries, bool)
        assert json.loads(receiver.posted[1])["job_id"] == job_id
    with Emulator(**options) as emulator:
        call_emulator(emulator).storyboard()
    assert len(receiver.posted) == 2


async def test_a_delivery_is_repeated_until_it_is_taken(receiver: Any) -> None:
    hang_up = 0
    receiver.statuses = [500, 302, hang_up]
    webhooks = Webhooks(allow_private_networks=True, pauses=(0, 0, 0))
    assert await webhooks.deliver(receiver.url, "7", {"job_id": "7"})
    assert [(delivery.attempt, delivery.status) for delivery in webhooks.deliveries] == [
        (1, 500),
        (2, 302),
        (3, None),
        (4, 200),
    ]


async def test_a_delivery_is_given_up_in_the_end() -> None:
    webhooks = Webhooks(allow_private_networks=True, pauses=(0,))
    assert not await webhooks.deliver("http://127.0.0.1:1/closed", "7", {})
    assert [delivery.status for delivery in webhooks.deliveries] == [None, None]
    assert all(delivery.error for delivery in webhooks.deliveries)


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "169.254.169.254", "10.0.0.1", "[::1]"])
async def test_private_networks_are_out_of_reach_unless_allowed(address: str) -> None:
    webhooks = Webhooks(allow_private_networks=False, pauses=())
    assert not await webhooks.deliver(f"http://{address}:9/", "7", {})
    assert "is not public" in (webhooks.deliveries[0].error or "")
