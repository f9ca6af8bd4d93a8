"""What settings need or hold that their checks let pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec

from .settings import PipelineSettings

_SCRIPT_PACKAGES = ("airflow.providers.common.ai", "babel", "sentencex", "text_to_num")
_PIP = "pip install -c airflow.txt"
_PINS = "airflow.txt keeps your Airflow as it is: docs/start/install.md"
_SECRET = re.compile(r"[?&][\w.-]*(?:token|key|secret|passw|auth|sig)[\w.-]*=", re.IGNORECASE)
_USER = re.compile(r"\bhttps?://[^/?#\s]*@", re.IGNORECASE)


def missing_packages(settings: PipelineSettings) -> list[str]:
    """What a pipeline needs and is not installed here, each with how to install it (source: ours).

    :param settings: of the pipeline.
    """
    told = []
    if settings.script and not all(map(find_spec, _SCRIPT_PACKAGES)):
        told.append(
            f"has script, which needs the extra [ai]: run {_PIP} 'airflow-provider-video-creation[ai]', and install "
            f"the package that your model's maker needs (docs/sources/scripts.md; {_PINS})"
        )
    for provider, key, needed in (
        ("slack", "tell.slack_webhook_conn_id", settings.tell.slack_webhook_conn_id),
        ("smtp", "tell.email", settings.tell.email),
    ):
        if needed and find_spec(f"airflow.providers.{provider}") is None:
            told.append(
                f"has {key}, which needs another provider: run {_PIP} apache-airflow-providers-{provider} ({_PINS})"
            )
    return told


def shown_secrets(settings: PipelineSettings) -> Iterator[str]:
    """Addresses that look as if they held a secret, which the DAG's page would show (source: ours).

    :param settings: of the pipeline.
    """
    for name in ("feed_url", "urls"):
        given = getattr(settings, name) or ()
        for address in (given,) if isinstance(given, str) else given:
            if _SECRET.search(address) or _USER.search(address):
                yield (
                    f"{name} seems to hold a secret, and the DAG's page shows this file: put the whole address into a "
                    "Variable, such as {{ var.value.feed_url }}"
                )
                break
