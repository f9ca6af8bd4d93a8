"""The list of a mapped render changes between two tries: nobody gets another storyboard's video."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.provider.errors import AnotherSubjectError
from airflow_video_creation.provider.submission.request_digests import digests_of

from ..told_errors import raises_telling


def storyboard(task: Any, name: str) -> Any:
    given = {"videoName": name, "scenes": [{"text": "t"}]}
    return CreateStoryboardOperator(task_id="s", storyboard=given).execute(task.context())


def render(task: Any, storyboard_job_id: str | None = None, **arguments: Any) -> Any:
    operator = RenderVideoOperator(task_id="t", storyboard_job_id=storyboard_job_id, **arguments)
    return operator.execute(task.context())


def test_a_render_is_told_apart_by_its_storyboard_job(
    emulator: Any, mapped: Any, make_task: Any, submissions: Any
) -> None:
    alpha, beta = storyboard(make_task(), "Alpha"), storyboard(make_task(), "Beta")
    job_id = render(mapped, alpha)
    mapped.retry()
    assert render(mapped, alpha) == job_id

    with raises_telling(AnotherSubjectError, f"storyboard job '{alpha}'.*{job_id}.*'{beta}'"):
        render(mapped, beta)
    mapped.forget_the_subject()
    with raises_telling(AnotherSubjectError, f"another storyboard job.*{job_id}"):
        render(mapped, beta)
    assert submissions("render") == 1


@pytest.mark.parametrize("name", ["Alpha", None], ids=["named", "unnamed"])
def test_a_render_of_settings_is_told_apart_by_the_name_or_by_the_settings(
    ask: Any, sent: Any, mapped: Any, name: str | None
) -> None:
    assert render(mapped, render_settings={"scenes": 1}, video_name=name) == "r-1"
    mapped.retry()
    assert render(mapped, render_settings={"scenes": 1}, video_name=name) == "r-1"

    with pytest.raises(AnotherSubjectError, match="r-1"):
        render(mapped, render_settings={"scenes": 2}, video_name=name and "Beta")
    assert len(sent("render")) == 1


S1, S2 = {"scenes": 1, "size": 2}, {"scenes": 2, "size": 2}


@pytest.mark.parametrize(
    ("before", "now", "of"),
    [
        pytest.param(
            {"storyboard_job_id": "s-1"}, {"render_settings": S2}, "storyboard job 's-1'", id="id, settings"
        ),
        pytest.param(
            {"render_settings": S1}, {"storyboard_job_id": "s-1"}, "render of settings", id="settings, id"
        ),
        pytest.param(
            {"render_settings": S1},
            {"render_settings": S2, "video_name": "Beta"},
            "render of settings",
            id="unnamed, named",
        ),
        pytest.param(
            {"render_settings": S1, "video_name": "Alpha"},
            {"render_settings": S2},
            "video 'Alpha'",
            id="named, unnamed",
        ),
        pytest.param(
            {"render_settings": S1 | {"more": 3}},
            {"render_settings": S1, "video_name": "Beta"},
            "render of settings",
            id="one setting less",
        ),
        pytest.param(
            {"render_settings": {"many": [*range(300), "a"]}},
            {"render_settings": {"many": [*range(300), "b"]}, "video_name": "Beta"},
            "render of settings",
            id="the last of many settings",
        ),
    ],
)
def test_a_render_that_is_asked_for_in_another_way_is_another(
    ask: Any, sent: Any, mapped: Any, before: Any, now: Any, of: str
) -> None:
    assert render(mapped, **before) == "r-1"
    mapped.retry()

    with raises_telling(AnotherSubjectError, f"{of}.*r-1"):
        render(mapped, **now)
    assert len(sent("render")) == 1


@pytest.mark.parametrize(
    ("before", "now"),
    [
        pytest.param({"storyboard_job_id": "s-1"}, {"render_settings": S2}, id="id, settings"),
        pytest.param({"render_settings": S1}, {"storyboard_job_id": "s-1"}, id="settings, id"),
        pytest.param({"render_settings": S1}, {"render_settings": S2}, id="settings"),
        pytest.param({"render_settings": S1}, {"render_settings": S2, "video_name": "Beta"}, id="named now"),
    ],
)
def test_a_render_of_an_older_release_is_told_apart_by_its_request(
    ask: Any, sent: Any, mapped: Any, before: Any, now: Any
) -> None:
    assert render(mapped, **before) == "r-1"
    mapped.forget_the_subject()
    mapped.retry()

    with raises_telling(AnotherSubjectError, r"another.*older release did not keep.*r-1"):
        render(mapped, **now)
    assert render(mapped, **before) == "r-1"
    assert len(sent("render")) == 1


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param(json.dumps(S1), json.dumps(S1), id="a text was not read"),
        pytest.param({"many": [*range(300)]}, {"many": [*range(150)]}, id="of many only the first were kept"),
    ],
)
def test_an_upgrade_stops_no_render_that_is_under_way(ask: Any, mapped: Any, given: Any, kept: Any) -> None:
    assert render(mapped, render_settings=given) == "r-1"
    mapped.forget_the_subject()
    request = {"storyboard_job_id": None, "render_settings": kept}
    mapped.record()["digests"] = digests_of(request)
    mapped.retry()

    assert render(mapped, render_settings=given) == "r-1"


@pytest.mark.parametrize(
    "now",
    [
        pytest.param({"render_settings": S1, "video_name": "Beta"}, id="with a name"),
        pytest.param({"render_settings": dict(reversed(S1.items()))}, id="in another order"),
        pytest.param({"render_settings": json.dumps(S1)}, id="as a text"),
        pytest.param({"render_settings": '{"size": 2, "scenes": 1}'}, id="as a text in another order"),
        pytest.param({"render_settings": "size: 2\nscenes: 1"}, id="as YAML"),
    ],
)
@pytest.mark.parametrize("before", [S1, json.dumps(S1)], ids=["dict", "text"])
def test_the_same_settings_in_other_words_are_the_same_render(
    ask: Any, sent: Any, mapped: Any, before: Any, now: Any
) -> None:
    assert render(mapped, render_settings=before) == "r-1"
    mapped.retry()

    assert render(mapped, **now) == "r-1"
    assert len(sent("render")) == 1


def test_settings_that_became_unreadable_are_others(ask: Any, mapped: Any) -> None:
    assert render(mapped, render_settings=S1) == "r-1"
    mapped.retry()

    for unreadable in ("{", "1: a\nb: c"):
        with pytest.raises(AnotherSubjectError, match="r-1"):
            render(mapped, render_settings=unreadable)
