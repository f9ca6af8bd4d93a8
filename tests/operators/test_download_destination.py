"""A destination that is empty is refused before anything is asked, and an odd name in one is logged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.provider.errors import ConfigurationError

from ..told_errors import raises_telling


def download(destination: Any, **variables: Any) -> Any:
    operator = DownloadVideoOperator(task_id="fetch", job_id="r-1", destination=destination)
    operator.render_template_fields(variables)
    return operator.execute(variables)


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("destination", "advice"),
    [
        ("", "needs destination="),
        (None, "needs destination="),
        ("  ", "needs destination="),
        ("None", "needs destination=.*'None'"),
        ("None/", "needs destination=.*'None/'"),
        ("{{ nothing }}", "needs destination=.*'None'"),
        ("{{ nothing or '' }}", "needs destination="),
        ("s3://", "needs destination=.*'s3://'"),
        ("s3://conn_id@", "needs destination=.*which is empty or has no bucket"),
        ("s3://{{ nothing }}/", "needs destination=.*'s3://None/'"),
        ("s3://conn_id@{{ nothing or '' }}/videos/", "needs destination=.*which is empty or has no bucket"),
        ("file://", "needs destination=.*'file://'"),
        ("s3://aws_default@bucket/a.mp4", r"pip install 'apache-airflow-providers-amazon\[s3fs\]'"),
        ("gs://bucket/a.mp4", "pip install 'apache-airflow-providers-google'"),
        ("nowhere://bucket/a.mp4", "nowhere"),
    ],
)
def test_a_destination_that_cannot_be_used_is_said_before_anything_is_asked(
    served: Any, destination: Any, advice: str
) -> None:
    with raises_telling(ConfigurationError, f"'fetch'.*{advice}"):
        download(destination, nothing=None)
    assert not served.seen


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("destination", "why"),
    [
        ("{folder}/None.mp4", "'None' is what a template makes of a missing value"),
        ("{folder}/None/", "'None' is what a template makes of a missing value"),
        ("{folder}/gpj\u202e4pm.mp4", "is not allowed, since it cannot be seen"),
        ("file://{folder}/ne\u200bws/", "is not allowed, since it cannot be seen"),
        ("{folder}/nul.mp4", "Windows keeps 'nul' for a device"),
        ("{folder}/weekly./", "it may not end with a space or a dot"),
    ],
)
def test_a_destination_with_an_odd_name_is_used_with_a_warning(
    tmp_path: Path, log: Callable[[], str], destination: str, why: str
) -> None:
    download(destination.format(folder=tmp_path))

    assert "'warning'" in log()
    assert "The destination of task 'fetch' has an odd name" in log()
    assert why in log()


@pytest.mark.usefixtures("served")
def test_a_destination_with_a_plain_name_is_used_without_a_warning(
    tmp_path: Path, log: Callable[[], str]
) -> None:
    download(f"{tmp_path}/../{tmp_path.name}/a b/né ws#1?.mp4")

    assert "odd name" not in log()
