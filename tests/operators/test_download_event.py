"""The event of an asset among the outlets tells a publishing DAG all about the video."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk import Asset, AssetAlias
from airflow.sdk.execution_time.context import OutletEventAccessors

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.errors import DeliveryError

VIDEOS, AUDIT = Asset("videos"), Asset("audit")


def deliver(path: Path, outlets: list[Any], **arguments: Any) -> tuple[Any, dict[str, Any]]:
    """The events, and what is in XCom."""
    events, pushed = OutletEventAccessors(), {}

    def xcom_push(key: str, value: Any) -> None:
        pushed[key] = value

    ti = SimpleNamespace(
        dag_id="news", task_id="fetch", run_id="r", map_index=0, try_number=1, xcom_push=xcom_push
    )
    operator = DownloadVideoOperator(
        task_id="fetch", job_id="r-1", destination=f"{path}/", outlets=outlets, **arguments
    )
    context: Any = {"ti": ti, "outlet_events": events}
    operator.execute(context)
    return events, pushed


@pytest.mark.usefixtures("served")
def test_each_asset_gets_an_event_that_describes_the_video(tmp_path: Path) -> None:
    events, pushed = deliver(
        tmp_path, [VIDEOS, AUDIT], video_name="harbour", metadata={"title": "The harbour"}
    )

    extra = events[VIDEOS].extra
    assert extra["path"] == f"{tmp_path}/harbour.mp4"
    assert (extra["job_id"], extra["video_name"]) == ("r-1", "harbour")
    assert extra["metadata"] == {"title": "The harbour"}
    assert "only-for-you" not in str(extra)
    assert events[AUDIT].extra == extra == pushed["delivery"]


@pytest.mark.usefixtures("served")
def test_a_retry_that_fetches_nothing_tells_the_same(tmp_path: Path) -> None:
    first, _ = deliver(tmp_path, [VIDEOS], sidecar=True)
    again, _ = deliver(tmp_path, [VIDEOS], sidecar=True)

    assert again[VIDEOS].extra == first[VIDEOS].extra
    assert again[VIDEOS].extra["sidecar"] == f"{tmp_path}/r-1.json"


@pytest.mark.usefixtures("served")
def test_an_alias_is_said_to_get_nothing(tmp_path: Path, log: Callable[[], str]) -> None:
    events, _ = deliver(tmp_path, [AssetAlias("many"), VIDEOS])

    assert "gets no event about what was made. Give an Asset" in log()
    assert events[VIDEOS].extra["job_id"] == "r-1"


@pytest.mark.usefixtures("served")
def test_nothing_is_told_while_a_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(DeliveryError, match="is at"):
        deliver(tmp_path, [VIDEOS], thumbnail=True)
