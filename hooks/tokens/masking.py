"""Keeps a token that was fetched at run time out of Airflow's logs, without blocking the event loop."""

from __future__ import annotations


async def mask_token(token: str) -> None:
    """Let Airflow's logs show a token as ``***``.

    :param token: fetched at run time.
    """
    try:
        from airflow.sdk.log import amask_secret
    except ImportError:
        from airflow.sdk.log import mask_secret
        from asgiref.sync import sync_to_async

        # Below 3.3 a call of any other thread to the supervisor ends the triggerer ("Response read out of order",
        # apache/airflow#64620); that of asgiref's thread is made on the triggerer's own loop.
        await sync_to_async(mask_secret)(token)
    else:
        await amask_secret(token)
