"""What `check` warns of in settings that are right."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.pipelines.advice import shown_secrets
from airflow_video_creation.provider.pipelines.settings import PipelineSettings


def warned(feed_url: str, **given: Any) -> list[str]:
    settings = PipelineSettings(dag_id="news", feed_url=feed_url, delivery={"destination": "/v/"}, **given)
    return [*shown_secrets(settings)]


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/f.xml?api_key=hush",
        "https://example.com/f.xml?page=2&X-Amz-Signature=hush",
        "https://example.com/f.xml?apiKey=hush",
        "https://hush@example.com/f.xml",
    ],
)
def test_an_address_that_looks_secret_would_stand_on_the_dags_page(address: str) -> None:
    [warning] = warned(address)

    assert warning.startswith("feed_url seems to hold a secret, and the DAG's page shows this file")
    assert "hush" not in warning


def test_a_watched_address_cannot_come_from_a_variable() -> None:
    [warning] = warned("https://example.com/f.xml?token=hush", watch=True)

    assert warning.endswith(
        "the DAG's page shows this file: read that feed on a schedule instead of with watch, and put the whole address "
        "into a Variable, such as {{ var.value.feed_url }}"
    )


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/f.xml?page=2",
        "https://example.com/f.xml?author=7&keyword=ai&design=1",
        "{{ var.value.feed_url }}",
    ],
)
def test_an_ordinary_address_is_no_reason(address: str) -> None:
    assert warned(address) == []
