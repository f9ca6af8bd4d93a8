"""What a pipeline needs to be installed."""

from __future__ import annotations

from importlib.util import find_spec

from ..provider.pipelines.settings import PipelineSettings

SCRIPT_PACKAGES = ("airflow.providers.common.ai", "babel", "sentencex", "simplemma", "text_to_num")
"""Those of the extra ``[ai]``, as they are imported."""
_PIP = "pip install -c airflow.txt"
_PINS = "airflow.txt keeps your Airflow as it is: docs/start/install.md"


def missing_packages(settings: PipelineSettings) -> list[str]:
    """What a pipeline needs and is not installed here, each with how to install it (source: ours).

    :param settings: of the pipeline.
    """
    told = []
    if settings.script and not all(map(find_spec, SCRIPT_PACKAGES)):
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
