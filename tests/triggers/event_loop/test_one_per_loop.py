"""Triggers of one event loop share an object; those of another loop have their own."""

from __future__ import annotations

import asyncio

from airflow_video_creation.triggers.event_loop.one_per_loop import OnePerLoop


def test_one_loop_shares_and_another_does_not() -> None:
    kept: OnePerLoop[object] = OnePerLoop()

    async def asked() -> tuple[object, object, object]:
        return kept.get("a", object), kept.get("a", object), kept.get("b", object)

    first, same, other = asyncio.run(asked())
    in_another_loop, _, _ = asyncio.run(asked())

    assert first is same
    assert len({id(each) for each in (first, other, in_another_loop)}) == 3


def test_what_is_dropped_is_made_again() -> None:
    kept: OnePerLoop[object] = OnePerLoop()

    async def asked() -> tuple[object, object]:
        before = kept.get("a", object)
        kept.drop("a")
        kept.drop("a")
        return before, kept.get("a", object)

    before, after = asyncio.run(asked())
    assert before is not after
