"""Work in the triggerer's event loop that belongs to no single trigger."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine
from typing import Any


def detached(work: Coroutine[Any, Any, None], name: str | None = None) -> asyncio.Task[None]:
    """Run beside the trigger that happens to begin it, without the marks that Airflow puts on that trigger's log.

    :param work: what is done.
    :param name: of the task, for whoever looks at the loop.
    """
    return asyncio.get_running_loop().create_task(work, context=contextvars.Context(), name=name)
