"""A pipeline is refused before its first run where a package of its own is not installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

from airflow_video_creation.pipelines.needed_packages import SCRIPT_PACKAGES

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
IMPORTED_AS = {"apache-airflow-providers-common-ai": "airflow.providers.common.ai", "text2num": "text_to_num"}


def test_each_package_of_the_extra_ai_is_looked_for() -> None:
    names = [requirement.partition(">=")[0] for requirement in EXTRAS["ai"]]

    assert set(SCRIPT_PACKAGES) == {IMPORTED_AS.get(name, name) for name in names}
