"""What the reference says of each public name: which arguments are templated, and what comes back."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import airflow_video_creation

NAMES = sorted(name for name in dir(airflow_video_creation) if not name.startswith("_"))
PUBLIC: dict[str, Any] = {name: getattr(airflow_video_creation, name) for name in NAMES}
TEMPLATED = {name: kind for name, kind in PUBLIC.items() if getattr(kind, "template_fields", ())}


def described(kind: type) -> dict[str, str]:
    """What the docstrings of a class and its bases say of each argument, the class's own first."""
    found: dict[str, str] = {}
    for base in kind.__mro__:
        if base.__module__.startswith("airflow_video_creation."):
            found = params(base.__doc__) | found
    return found


def params(docstring: str | None) -> dict[str, str]:
    parts = re.split(r"^\s*:(?:param (\w+)|\w+[^:]*):", inspect.cleandoc(docstring or ""), flags=re.MULTILINE)
    return {name: text for name, text in zip(parts[1::2], parts[2::2], strict=True) if name}


def functions() -> dict[str, Any]:
    """Public functions, and public methods of public classes that are not data."""
    found: dict[str, Any] = {}
    for name, thing in PUBLIC.items():
        if inspect.isfunction(thing):
            found[name] = thing
        elif name.endswith("Hook"):
            methods = inspect.getmembers(thing, inspect.isfunction)
            ours = [(key, method) for key, method in methods if method.__qualname__.startswith(name)]
            found |= {f"{name}.{key}": method for key, method in ours if not key.startswith("_")}
    return found


@pytest.mark.parametrize("name", TEMPLATED)
def test_what_is_templated_is_said_to_be(name: str) -> None:
    said = described(TEMPLATED[name])
    # Airflow has a method dry_run, so that the attribute is another than the argument.
    fields = [field.replace("is_dry_run", "dry_run") for field in TEMPLATED[name].template_fields]
    silent = [field for field in fields if "emplated" not in said.get(field, "")]
    assert silent == []


@pytest.mark.parametrize("name", functions())
def test_what_comes_back_is_said(name: str) -> None:
    function = functions()[name]
    returns = inspect.signature(function).return_annotation
    if returns not in (None, "None", "Iterator[None]", inspect.Signature.empty):
        assert ":return:" in (function.__doc__ or "")
