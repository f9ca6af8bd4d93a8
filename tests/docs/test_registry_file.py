"""What a provider registry reads names what Airflow reads."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import yaml

from airflow_video_creation.provider.info import get_provider_info

SHOWN = yaml.safe_load((Path(__file__).parents[2] / ".astro-registry.yaml").read_text("utf-8"))
INFO = get_provider_info()


def test_every_module_of_the_provider_info_is_shown_by_a_class_that_is_there() -> None:
    for kind in ("hooks", "operators", "sensors", "triggers"):
        paths = [entry["module"].rpartition(".") for entry in SHOWN[kind]]
        assert all(hasattr(import_module(module), name) for module, _, name in paths)
        assert {module for module, _, _ in paths} == {
            module for entry in INFO[kind] for module in entry["python-modules"]
        }
    assert [entry["module"] for entry in SHOWN["decorators"]] == [
        decorator["class-name"] for decorator in INFO["task-decorators"]
    ]
    assert [entry["module"] for entry in SHOWN["notifications"]] == INFO["notifications"]


def test_the_package_is_this_one() -> None:
    assert (SHOWN["package-name"], SHOWN["display-name"]) == (INFO["package-name"], INFO["name"])
