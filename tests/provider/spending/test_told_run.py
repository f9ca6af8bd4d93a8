"""What is sent of a run: short enough for a chat, whole enough to act on, and with nothing to watch a video by."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.spending.told_run import RunAddresses, is_summary, told_run

PAGE = "https://airflow/dags/d/runs/r/plugin/video_creation_run"
AT = RunAddresses("d", "r", PAGE, lambda task, index: f"https://airflow/{task}/{index}")


def failure(number: int, **fields: Any) -> dict[str, Any]:
    """A video of a cause of its own."""
    told = {"video": f"v{number}", "kind": f"Error{number}", "message": "It broke.\nMend it.", **fields}
    return {"task": "make", "map_index": -1, **told}


def summary(**fields: Any) -> dict[str, Any]:
    return {"headline": "1 of 3 videos were made.", "videos": [], "failures": [], "left_out": [], **fields}


def test_what_must_not_be_cut_off_comes_first() -> None:
    left_out = [
        {"video": "long", "reason": "too long.", "kind": "limit"},
        {"video": "bad", "reason": "no scene.", "kind": "wrong"},
    ]
    told = told_run(AT, summaries=[summary(failures=[failure(1)], left_out=left_out)])

    assert told.text.splitlines() == [
        "d: 1 of 3 videos were made.",
        f"Videos of the run: {PAGE}",
        "",
        "FAILED in make (1 x Error1): v1",
        "    It broke.",
        "    Mend it.",
        "    Log: https://airflow/make/-1",
        "",
        "Left out: bad: no scene.",
    ]


def test_an_e_mail_shows_what_others_wrote_as_text() -> None:
    told = told_run(AT, summaries=[summary(failures=[failure(1, message="<script>\nMend it.")])])

    assert "&lt;script&gt;<br>Mend it." in told.html
    assert f'<a href="{PAGE}">Videos of the run</a>' in told.html


def test_a_bad_night_stays_short() -> None:
    left_out = [{"url": f"https://news/{n}", "reason": "gone.", "kind": "wrong"} for n in range(7)]
    told = told_run(AT, summaries=[summary(failures=[failure(n) for n in range(9)], left_out=left_out)])

    assert told.text.count("FAILED") == told.html.count("FAILED") == 5
    assert told.text.endswith("And 4 more causes and 2 more rows: see the log of the summary's task.")
    assert (len(told.causes), len(told.left_out)) == (9, 7)


def test_two_summaries_of_one_run_are_told_as_one() -> None:
    told = told_run(
        AT,
        "The run failed.",
        [summary(failures=[failure(1)]), summary(headline="2 of 2 videos were made.")],
    )

    assert told.headline == "The run failed. 1 of 3 videos were made. 2 of 2 videos were made."
    assert len(told.causes) == 1


@pytest.mark.parametrize("value", [None, 3, "text", [3], {}, {"headline": 5}, [{"headline": "x"}]])
def test_what_is_no_summary_is_not_taken_for_one(value: Any) -> None:
    assert not is_summary(value)


@pytest.mark.parametrize("value", [None, 3, "text", [3], [None], [{"video": 5}], {"a": 1}])
def test_a_summary_of_another_release_has_its_headline(value: Any) -> None:
    told = told_run(AT, summaries=[summary(failures=value, videos=value)])

    assert told.headline == "1 of 3 videos were made."
    assert not told.causes
    assert not told.videos
