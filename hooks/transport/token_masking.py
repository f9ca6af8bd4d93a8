"""Keeps a token that was fetched at run time out of Airflow's logs, without blocking the event loop."""

from __future__ import annotations

import asyncio


async def mask_token(token: str) -> None:
    """Let Airflow's logs show a token as ``***``.

    :param token: fetched at run time.
    """
    try:
        from airflow.sdk.log import amask_secret
    except ImportError:
        from airflow.providers.common.compat.sdk import mask_secret

        await asyncio.to_thread(mask_secret, token)
    else:
        await amask_secret(token)
