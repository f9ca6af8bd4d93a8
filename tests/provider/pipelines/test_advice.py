"""What `check` warns of in settings that are right."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.pipelines.advice import shown_secrets
from airflow_video_creation.provider.pipelines.settings import PipelineSettings


def warned(feed_url: str) -> list[str]:
    settings = PipelineSettings(dag_id="news", feed_url=feed_url, delivery={"destination": "/v/"})
    return [*shown_secrets(settings)]


@pytest.mark.parametrize(
    "address", ["https://example.com/f.xml?api_key=hush", "https://hush@example.com/f.xml"]
)
def test_an_address_that_looks_secret_would_stand_on_the_dags_page(address: str) -> None:
    [warning] = warned(address)

    assert warning.startswith("feed_url seems to hold a secret, and the DAG's page shows this file")
    assert "hush" not in warning


@pytest.mark.parametrize("address", ["https://example.com/f.xml?page=2", "{{ var.value.feed_url }}"])
def test_an_ordinary_address_is_no_reason(address: str) -> None:
    assert warned(address) == []
