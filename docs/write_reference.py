"""Writes the schemas, and the fields and settings of docs/reference, from the code. Run by ``make reference``."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel, create_model

from airflow_video_creation.provider.articles.template import StoryboardTemplate
from airflow_video_creation.provider.info import CONFIGURATION
from airflow_video_creation.provider.models.aws_connection import AwsConnection
from airflow_video_creation.provider.models.request_model import RequestModel
from airflow_video_creation.provider.models.storyboard import (
    AiVoiceOver,
    Audio,
    BrandLogo,
    Scene,
    Storyboard,
    TextStyles,
)
from airflow_video_creation.provider.models.voiceover import ElevenlabsVoiceSettings, VoiceoverTrack
from airflow_video_creation.provider.pipelines.settings import PipelineSettings

ROOT = Path(__file__).resolve().parent.parent

INTRODUCTION = """# Every field of every request

Generated from the models in `provider/models` by `make reference`. You may also write the names in snake_case. A field
that you do not set is not sent. An unknown field is refused, with the nearest known name. To send one all the same, put
it into `extra_fields`, a dict of names and JSON values that is sent with the known fields.

| type in the tables below | you may write | what is sent |
|---|---|---|
| text or number | a text or a number | what you wrote: `100` as `100`, and `"100"` as `"100"` |
| text | a text or a number | a text: `1984` as `"1984"` |
| number, whole number | a number, or a text that reads as one (templates make texts) | a number: `"0.3"` as `0.3` |
| true or false | true or false, or a text that reads so: `"True"`, `"no"` | `true` or `false` |
| words such as `top` | one of them | that word |

An optional field with an empty text, such as from a template without a value, is left out. The task's log and `check`
name it. A required field with an empty text is refused.

If your service takes a known field in another form, put that form into `extra_fields` together with
`override_known_fields: true`, or set the flag for all requests on [the connection](connection.md). The value replaces
the field's own and is sent unchanged. The flag is not sent.

Your editor can complete these names: begin a YAML file with a comment that names the schema, as
`# yaml-language-server: $schema=../provider/schemas/storyboard.json`. `python -m airflow_video_creation check FILE`
checks a file without sending it.
"""


_SettingsFile = create_model(
    "_SettingsFile",
    __base__=PipelineSettings,
    __doc__=PipelineSettings.__doc__,
    __module__=__name__,
    dag_id=(str | None, None),
    rules=(StoryboardTemplate, StoryboardTemplate()),
)
"""The settings as they stand in a file: all that a DAG file leaves to ``check`` is in it."""

SCHEMAS: dict[str, type[BaseModel]] = {
    "storyboard": Storyboard,
    "voiceover": VoiceoverTrack,
    "aws_connection": AwsConnection,
    "template": StoryboardTemplate,
    "pipeline": _SettingsFile,
}
"""File name -> what its JSON Schema describes."""

_CHAPTERS: tuple[type[RequestModel], ...] = (
    *(Storyboard, Scene, TextStyles, Audio, AiVoiceOver, BrandLogo),
    *(VoiceoverTrack, ElevenlabsVoiceSettings, AwsConnection),
)
_PARAMETER = re.compile(r"^:param (\w+): (.*?)(?=^:|\Z)", re.MULTILINE | re.DOTALL)


SETTINGS = """# Settings

Generated from `provider/info.py` by `make reference`. Put a setting into `airflow.cfg`, or into an environment variable
`AIRFLOW__SECTION__OPTION`, on every machine that runs tasks. `airflow config list --section video_creation` shows them.
Settings of the service are on [the connection](connection.md). Settings of one task are arguments of its operator.
"""


def settings() -> str:
    """The page of the settings."""
    parts = [SETTINGS]
    for section, about in CONFIGURATION.items():
        for name, option in about["options"].items():
            parts.append(
                f"## [{section}] {name}\n\n{option['description'].strip()}\n\n"
                f"- type: {option['type']}; default: {option['default'] or 'none'}; since {option['version_added']}\n"
                f"- example: `AIRFLOW__{section.upper()}__{name.upper()}={option['example']}`\n"
            )
    return "\n".join(parts)


def generated() -> dict[Path, str]:
    """The files and what should be in them."""
    files = {
        ROOT / "provider" / "schemas" / f"{name}.json": json.dumps(json_schema(model), indent=2) + "\n"
        for name, model in SCHEMAS.items()
    }
    docs = ROOT / "docs"
    return files | {
        docs / "reference" / "fields.md": f"{INTRODUCTION}\n{field_reference()}\n",
        docs / "reference" / "settings.md": settings(),
    }


def json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a request or a settings file, for editors that complete YAML and JSON.

    :param model: of the request, with the interface's names, or of the file.
    """
    schema = model.model_json_schema(by_alias=True)
    described = {kind.__name__: kind for kind in _kinds_of(BaseModel)}
    for name, part in {model.__name__: schema, **schema.get("$defs", {})}.items():
        _tidy(part, described[name])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _kinds_of(base: type[BaseModel]) -> list[type[BaseModel]]:
    # The emulator has models of the same names.
    homes = ("airflow_video_creation.provider.", __name__)
    ours = [kind for kind in base.__subclasses__() if kind.__module__.startswith(homes)]
    return [*ours, *(deeper for kind in ours for deeper in _kinds_of(kind))]


def field_reference() -> str:
    """Every field of every request as Markdown tables."""
    return "\n\n".join(_chapter(model) for model in _CHAPTERS)


def _tidy(part: dict[str, Any], model: type[BaseModel]) -> None:
    """Take out what pydantic says of Python (null, titles), and put in what our docstrings say."""
    summary, parameters = _described(model)
    part.pop("title", None)
    part["description"] = summary
    properties = part["properties"]
    for attribute, field in model.model_fields.items():
        known = properties.pop(field.alias or attribute)
        name = "extra_fields" if attribute == "extra_fields" else field.alias or attribute
        choices = known.pop("anyOf", [])
        # In a request null is a field that is not set; in a settings file it may stand for no limit.
        if "extra_fields" in model.model_fields:
            choices = [choice for choice in choices if choice != {"type": "null"}]
        known.update(choices[0] if len(choices) == 1 else {"anyOf": choices} if choices else {})
        for key in ("title", "default"):
            known.pop(key, None)
        properties[name] = {**known, "description": parameters.get(attribute, "")}
    if "extra_fields" in properties:
        properties["extra_fields"] = properties.pop("extra_fields")


def _chapter(model: type[RequestModel]) -> str:
    summary, parameters = _described(model)
    rows = [
        f"| `{field.alias}` | {_type(model, attribute)} | {'yes' if field.is_required() else ''} "
        f"| {parameters.get(attribute, '')} |"
        for attribute, field in model.model_fields.items()
        if attribute != "extra_fields"
    ]
    table = "\n".join(["| field | type | required | |", "|---|---|---|---|", *rows])
    return f"## {model.__name__}\n\n{summary}\n\n{table}"


def _type(model: type[RequestModel], attribute: str) -> str:
    schema = json_schema(model)["properties"][model.model_fields[attribute].alias or attribute]
    return _type_words(schema)


def _type_words(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    if schema["type"] == "array":
        return f"list of {_type_words(schema['items'])}"
    if isinstance(schema["type"], list):
        return str(schema.get("$comment", "text"))
    words = {"string": "text", "boolean": "true or false", "integer": "whole number"}
    return words.get(schema["type"], str(schema["type"]))


def _described(model: type[BaseModel]) -> tuple[str, dict[str, str]]:
    """The docstring's text, and what it says of each attribute; inherited attributes are looked up too."""
    parameters: dict[str, str] = {}
    for kind in reversed(model.__mro__):
        for name, text in _PARAMETER.findall(inspect.cleandoc(kind.__doc__ or "")):
            parameters[name] = " ".join(text.split()).replace("``", "`")
    text = inspect.cleandoc(model.__doc__ or "")
    return " ".join(text.partition("\n:")[0].split()).replace("``", "`"), parameters


if __name__ == "__main__":
    for path, text in generated().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
