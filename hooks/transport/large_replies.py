"""Keeps the reading of large replies off the event loop, since it would block every other trigger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ...provider.protocol.messages import HttpReply

LARGE_REPLY = 64 * 1024
"""Bytes from which a reply is read in a thread; a smaller one takes at most about 5 ms (ours)."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


async def beside_the_loop(
    reply: object, read: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
) -> Result:
    """Read a reply, in a thread if it is large (source: ours).

    :param reply: decides where.
    :param read: what reads it.
    :param arguments: of ``read``.
    :param named: of ``read``.
    """
    if isinstance(reply, HttpReply) and len(reply.body) > LARGE_REPLY:
        return await asyncio.to_thread(read, *arguments, **named)
    return read(*arguments, **named)
