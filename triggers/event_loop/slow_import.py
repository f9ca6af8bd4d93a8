"""Imports that take so long that they would block the triggerer's event loop, which all triggers share."""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module


async def import_beside_the_loop(module: str) -> None:
    """Import a module in a thread, since it would block the loop for a moment.

    :param module: of this package, such as ``triggers.polling.job_waiter``.
    """
    name = f"airflow_video_creation.{module}"
    if name not in sys.modules:
        await asyncio.to_thread(import_module, name)
