"""The line that adopts a job: pasted into a DAG, it does so in one run and for one map index, and nowhere else."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2.sandbox import SandboxedEnvironment

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.submission.adoption import Adoption

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
    with pytest.raises(ConfigurationError, match="adopt_job_id= still holds the placeholder JOB_ID"):
        Adoption(" JOB_ID ", "adopt_job_id")
