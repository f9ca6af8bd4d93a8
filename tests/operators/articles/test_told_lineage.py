"""OpenLineage is told which articles were read, and where their texts were put."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_video_creation.operators.articles import FetchArticlesOperator

extractors = pytest.importorskip(
    "airflow.providers.openlineage.extractors.base",
    reason="apache-airflow-providers-openlineage is not installed",
)


@pytest.mark.usefixtures("slept")
def test_articles_are_read_and_texts_made(site: Any, tmp_path: Path) -> None:
    urls = [f"{site.url}/tide-mill.html", site.url.replace("//", "//me:pass@") + "/gone.html?key=7"]
    site.put("/gone.html?key=7", "", status=404)
    operator = FetchArticlesOperator(task_id="t", urls=urls, text_folder=str(tmp_path))
    ti = SimpleNamespace(dag_id="d", task_id="t", run_id="r", map_index=-1, xcom_push=lambda key, value: None)
    run: Any = SimpleNamespace(run_after=None, run_type="manual")

    articles = operator.execute({"ti": ti, "dag_run": run})

    lineage = extractors.DefaultExtractor(operator).extract_on_complete(None)
    assert [(read.namespace, read.name) for read in lineage.inputs] == [(site.url, "/tide-mill.html")]
    assert [(made.namespace, made.name) for made in lineage.outputs] == [("file", articles[0]["text_url"])]


def test_a_task_that_read_nothing_tells_nothing() -> None:
    lineage = extractors.DefaultExtractor(FetchArticlesOperator(task_id="t", urls=[])).extract_on_failure(
        None
    )

    assert (lineage.inputs, lineage.outputs) == ([], [])
