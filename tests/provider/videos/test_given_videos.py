"""What a task that makes many videos is given, as an author writes it and as a template renders it."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Environment

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.videos.given_videos import names_of


@pytest.mark.parametrize(
    "given", [["a", "it's b"], ("a", "it's b"), ["a", None, "it's b", ""], '["a", "it\'s b"]']
)
def test_names_come_as_a_list_or_as_the_text_of_one(given: Any) -> None:
    assert names_of(given, "make_again", "t") == ["a", "it's b"]


@pytest.mark.parametrize("again", [["a", "it's b", "<c>"], [], None])
def test_a_template_names_them_through_tojson(again: list[str] | None) -> None:
    rendered = (
        Environment(autoescape=True)
        .from_string("{{ params.again | tojson }}")
        .render(params={"again": again})
    )

    assert names_of(rendered, "make_again", "t") == (again or [])


@pytest.mark.parametrize("nothing", [None, "", " ", "None", "[]", " [ ] ", "null", [], ()])
def test_what_renders_to_nothing_names_none(nothing: Any) -> None:
    assert names_of(nothing, "make_again", "t") == []


@pytest.mark.parametrize("other", ["a", "['a']", '{"a": 1}', '"a"', "3", "[", {"a": 1}, 5])
def test_anything_else_is_refused_with_what_to_write(other: Any) -> None:
    with pytest.raises(ConfigurationError) as refused:
        names_of(other, "make_again", "t")

    assert "make_again= as a list of video names" in str(refused.value)
    assert '"{{ params.names | tojson }}"' in str(refused.value)
    assert "nothing was paid" in str(refused.value)
