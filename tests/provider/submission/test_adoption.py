"""The line that adopts a job: pasted into a DAG, it does so in one run and for one map index, and nowhere else."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2.sandbox import SandboxedEnvironment

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.submission.adoption import Adoption, Made

WORDS = st.text(min_size=1, max_size=20)


def rendered(line: str, run_id: str, map_index: int = -1) -> str | None:
    """The job that a task adopts whose DAG holds the line."""
    argument, _, source = line.partition("=")
    assert argument == "adopt_job_id"
    context = {"run_id": run_id, "ti": {"map_index": map_index}}
    text = SandboxedEnvironment().from_string(ast.literal_eval(source)).render(context)
    return Adoption(text).job_id


@given(run_id=WORDS, other=WORDS, job_id=WORDS.filter(lambda text: Adoption(text).job_id == text))
def test_it_adopts_in_its_run_alone(run_id: str, other: str, job_id: str) -> None:
    line = Adoption(argument="adopt_job_id", run_id=run_id).line(job_id)

    assert rendered(line, run_id) == job_id
    assert rendered(line, other) == (job_id if other == run_id else None)


def test_it_adopts_for_its_map_index_alone() -> None:
    line = Adoption(argument="adopt_job_id", run_id="r", map_index=3).line("j-1")

    assert [rendered(line, "r", index) for index in (2, 3)] == [None, "j-1"]
    assert rendered(line, "s", 3) is None


def test_it_reads_as_a_person_would_write_it() -> None:
    adoption = Adoption(argument="adopt_job_id", run_id="scheduled__2026-11-21T00:00:00+00:00")

    assert adoption.line("j-1") == (
        "adopt_job_id=\"{{ {'scheduled__2026-11-21T00:00:00+00:00': 'j-1'}.get(run_id) }}\""
    )


@pytest.mark.parametrize("is_literal", [True, False])
def test_a_literal_id_is_warned_of(is_literal: bool) -> None:
    adoption = Adoption("j-1", "adopt_job_id", is_literal, "r")

    assert ("every later run" in adoption.why_attached()) == is_literal


def test_a_placeholder_that_was_left_in_is_no_job() -> None:
    with pytest.raises(ConfigurationError, match="adopt_job_id= still contains the placeholder JOB_ID"):
        Adoption(" JOB_ID ", "adopt_job_id")


ONE_OF_MANY = Adoption(argument="adopt_render_job_ids", run_id="r", video="news-1")


def test_the_line_of_one_video_among_many_names_it() -> None:
    assert ONE_OF_MANY.line("j-1") == ("adopt_render_job_ids={'news-1': \"{{ {'r': 'j-1'}.get(run_id) }}\"}")


@given(video=WORDS, run_id=WORDS, job_id=WORDS.filter(lambda text: Adoption(text).job_id == text))
@example(video="""it's "new" \\ {{ x }}""", run_id="""'"\\""", job_id="""j'"\\1""")
def test_the_line_of_one_video_is_python_whatever_its_name(video: str, run_id: str, job_id: str) -> None:
    line = Adoption(argument="adopt_job_ids", run_id=run_id, video=video).line(job_id)

    [(name, template)] = ast.literal_eval(line.removeprefix("adopt_job_ids=")).items()
    assert name == video
    assert rendered(f"adopt_job_id={template!r}", run_id) == job_id
    assert rendered(f"adopt_job_id={template!r}", f"{run_id}2") is None


def test_a_doubt_of_one_video_says_what_a_clear_does_to_the_others() -> None:
    assert ONE_OF_MANY.how_to_go_on() == (
        "If the job is there, put its id into the DAG for this run alone, as adopt_render_job_ids={'news-1': "
        "\"{{ {'r': 'JOB_ID'}.get(run_id) }}\"}, and clear this task; if it is not, clear this task to submit it "
        "again. If adopt_render_job_ids= is already set, add the video to it. Clearing keeps the task's other "
        "videos that are delivered or under way."
    )


def test_a_clear_where_nothing_is_kept_pays_for_all_videos_again() -> None:
    told = ONE_OF_MANY.how_to_go_on(keeps_records=False)

    assert told.endswith("Clearing also makes, and pays for, all other videos of this task again.")
    assert "keeps" not in told


def test_one_video_among_many_keeps_the_storyboard_that_was_made_before() -> None:
    adopt = replace(ONE_OF_MANY, made_before=Made("storyboard", "adopt_storyboard_job_ids", "sb-1"))

    assert "adopt_storyboard_job_ids={'news-1': \"{{ {'r': 'sb-1'}.get(run_id) }}\"}" in adopt.how_to_go_on()
    assert adopt.how_to_go_on().endswith("delivered or under way.")


@pytest.mark.parametrize("keeps_records", [True, False])
def test_a_task_of_one_video_speaks_of_no_others(keeps_records: bool) -> None:
    assert "videos" not in Adoption(argument="adopt_job_id").how_to_go_on(keeps_records=keeps_records)


def test_one_video_among_many_is_named_where_its_id_is_a_placeholder_or_stands_for_ever() -> None:
    with pytest.raises(ConfigurationError, match="adopt_ids= for video 'v' still contains the placeholder"):
        Adoption("JOB_ID", "adopt_ids", video="v")
    told = Adoption("j-1", "adopt_ids", is_literal=True, video="v").why_attached()
    assert "given by adopt_ids for video 'v'; nothing is sent" in told
    assert "every later run adopts this job for video 'v' too" in told
