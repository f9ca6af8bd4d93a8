"""An id leads to no other place in Airflow's API than its task."""

from __future__ import annotations

import pytest

from airflow_video_creation.plugin.airflow_api import task_instance_path


@pytest.mark.parametrize("odd", ["a/b", "../connections", "a?b=c", "a#b", "a b", "ä"])
def test_whatever_an_id_holds_is_one_segment_of_the_path(odd: str) -> None:
    for ids in ((odd, "r", "t"), ("d", odd, "t"), ("d", "r", odd)):
        path = task_instance_path(*ids)

        assert path.count("/") == "/api/v2/dags/d/dagRuns/r/taskInstances/t".count("/")
        assert not set("?# ä") & set(path)
