"""Parse time is sacred: naming the models' package loads no model."""

from __future__ import annotations

import subprocess
import sys

import pytest

from airflow_video_creation.provider import models


def test_models_are_loaded_when_they_are_used() -> None:
    program = (
        "import sys; from airflow_video_creation.provider import models, info; "
        "heavy = {'pydantic', 'yaml', 'requests', 'aiohttp', 'airflow'}; print(sorted(heavy & sys.modules.keys())); "
        "models.Storyboard; print('pydantic' in sys.modules, 'yaml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["[]", "True False", ""]


def test_every_public_name_is_there() -> None:
    assert all(getattr(models, name).__name__ == name for name in models.__all__ if name != "JobState")
    with pytest.raises(AttributeError, match="no attribute 'Storybored'"):
        models.Storybored  # noqa: B018
