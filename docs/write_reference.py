"""Writes what is generated from the models: provider/schemas/*.json and docs/fields.md. Run by ``make reference``."""

from __future__ import annotations

import json
from pathlib import Path

from airflow_video_creation.provider.models.reference import REQUESTS, field_reference, json_schema

ROOT = Path(__file__).resolve().parent.parent

INTRODUCTION = """# Every field of every request

Generated from the models in `provider/models` by `make reference`. Attributes in snake_case are accepted as well as
these names; what is not set is not sent; a field that is not here is refused with the nearest known name, unless it
stands in `extra_fields`, a dict of names and JSON values that is sent beside the known fields.

For completion in an editor, begin a YAML file with a comment that names the schema, as
`# yaml-language-server: $schema=../provider/schemas/storyboard.json`.
`python -m airflow_video_creation check FILE` checks a file without sending it.
"""


def generated() -> dict[Path, str]:
    """The files and what should be in them."""
    files = {
        ROOT / "provider" / "schemas" / f"{name}.json": json.dumps(json_schema(model), indent=2) + "\n"
        for name, model in REQUESTS.items()
    }
    return files | {ROOT / "docs" / "fields.md": f"{INTRODUCTION}\n{field_reference()}\n"}


if __name__ == "__main__":
    for path, text in generated().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
