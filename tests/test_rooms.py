"""How much a folder holds, and that all of it is in the wheel."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRODUCT = (
    *("provider", "hooks", "operators", "sensors", "triggers"),
    *("plugin", "emulator", "commands", "example_dags", "demo"),
)
MAX_MODULES = 12
"""As many as one reads at a glance."""
NOT_COUNTED = {
    "provider/protocol/errors.py": "holds nothing: it keeps the imports of 0.1.0 working",
}
"""Module -> why."""
TOO_MANY = {
    "operators": "one module an operator: their paths are public (DESIGN.md)",
    "example_dags": "one module an example, to be copied: docs/pipelines/index.md lists them",
}
"""Folder -> why it may hold more."""


def product_folders() -> list[Path]:
    folders = [ROOT / name for name in PRODUCT]
    found = [folder for top in folders for folder in (top, *top.rglob("*/")) if folder.name != "__pycache__"]
    return [folder for folder in found if any(item.is_file() for item in folder.iterdir())]


def test_no_folder_holds_more_than_one_reads_at_a_glance() -> None:
    holds = {
        str(folder.relative_to(ROOT)): [
            module.name
            for module in folder.glob("*.py")
            if module.name != "__init__.py" and str(module.relative_to(ROOT)) not in NOT_COUNTED
        ]
        for folder in product_folders()
    }
    crowded = {folder: held for folder, held in holds.items() if len(held) > MAX_MODULES}
    assert not {folder: held for folder, held in crowded.items() if folder not in TOO_MANY}
    assert crowded.keys() >= TOO_MANY.keys(), "an exception that nothing needs any more"


def test_what_is_not_counted_is_there() -> None:
    assert not [name for name in NOT_COUNTED if not (ROOT / name).is_file()]


def test_the_wheel_holds_every_folder_and_every_file() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packages = {
        ".".join(["airflow_video_creation", *folder.relative_to(ROOT).parts]): folder
        for folder in product_folders()
    }
    assert {"airflow_video_creation", *packages} == set(setuptools["packages"])
    left_out = []
    for package, folder in packages.items():
        data = setuptools["package-data"].get(package, [])
        files = [file for file in folder.iterdir() if file.is_file() and file.suffix not in (".py", ".pyc")]
        left_out += [file for file in files if not any(file.match(pattern) for pattern in data)]
    assert not left_out
