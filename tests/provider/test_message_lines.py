"""What a person reads in Airflow's log: short lines, in order, and nothing broken that is to be pasted."""

from __future__ import annotations

import ast
import shlex

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_video_creation.provider.message_lines import ARGUMENT, WIDTH, in_lines, sentences
from airflow_video_creation.provider.submission.adoption import Adoption

LONG = "x" * 150
JOB = "0b7cce7e-6f63-4a8d-9c5e-1f0f3d1c2b4a"
RUN = "scheduled__2026-11-22T03:00:00+00:00"
WORDS = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=130)


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        ("Short.", ["Short."]),
        ("It failed. Try again.", ["It failed.", "Try again."]),
        ("Is it there? Look at it.", ["Is it there?", "Look at it."]),
        ('Set it to "A. B". Go.', ['Set it to "A. B".', "Go."]),
        ("It failed (No room. Sorry.). Go.", ["It failed (No room. Sorry.).", "Go."]),
        ("Take one, e.g. 'a'. Go.", ["Take one, e.g. 'a'.", "Go."]),
        ("Wait 0.5 s. Go.", ["Wait 0.5 s.", "Go."]),
        ("It is 3 problems:\n  - a: no\n  - b: no", ["It is 3 problems:", "  - a: no", "  - b: no"]),
        ("One:\n  - it is None. Look at it.", ["One:", "  - it is None.", "    Look at it."]),
        (f"See {LONG} there.", ["See", f"  {LONG}", "  there."]),
        ("word " * 17 + "end.", ["word " * 15 + "word", "  word end."]),
        (
            "If it is there, put adopt_job_id=\"{{ {'r': 'JOB_ID'}.get(run_id) }}\", and clear this task. Go.",
            [
                "If it is there, put",
                "    adopt_job_id=\"{{ {'r': 'JOB_ID'}.get(run_id) }}\"",
                "and clear this task.",
                "Go.",
            ],
        ),
    ],
)
def test_a_message_has_a_line_for_each_sentence(message: str, lines: list[str]) -> None:
    assert in_lines(message).splitlines() == lines


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        ("It failed.", ["It failed.", "Video 'v'."]),
        ("It failed. Go on.", ["It failed.", "Video 'v'.", "Go on."]),
        ("word " * 17 + "end. Go.", ["word " * 15 + "word", "  word end.", "Video 'v'.", "Go."]),
        ("2 problems:\n  - a\n  - b", ["2 problems:", "  - a", "  - b", "Video 'v'."]),
        ("Lost. Look with:\n    airflow x", ["Lost.", "Video 'v'.", "Look with:", "    airflow x"]),
        ("It failed (No room. Sorry). Go.", ["It failed (No room. Sorry).", "Video 'v'.", "Go."]),
    ],
)
def test_what_it_is_about_stands_second_and_cuts_nothing_apart(message: str, lines: list[str]) -> None:
    assert in_lines(message, "Video 'v'.").splitlines() == lines


def test_a_command_is_divided_as_a_shell_allows_it() -> None:
    command = f"python -m airflow_video_creation job {JOB} --conn video_creation_default"
    lines = in_lines(f"Look again with:\n    {command}\nThen clear it.").splitlines()

    assert lines == [
        "Look again with:",
        f"    python -m airflow_video_creation job {JOB} \\",
        "        --conn video_creation_default",
        "Then clear it.",
    ]
    # A shell takes a backslash at the end of a line away, with the end.
    assert shlex.split("\n".join(lines[1:3]).replace("\\\n", "")) == shlex.split(command)


@given(st.lists(WORDS, min_size=1).map(" ".join), WORDS)
@example("A (b. C", "D")
@example('Say "a. B', "D")
def test_no_word_is_lost_and_no_line_is_long(message: str, about: str) -> None:
    lines = in_lines(message, f"About {about}.").splitlines()

    assert " ".join(in_lines(message).split()) == " ".join(message.split())
    assert sorted(" ".join(lines).split()) == sorted(f"{message} About {about}.".split())
    assert all(len(line) <= WIDTH or " " not in line.strip() for line in lines)


@given(st.lists(st.lists(WORDS, min_size=1).map(" ".join), min_size=1))
def test_the_sentences_of_a_text_are_the_text(parts: list[str]) -> None:
    text = ". ".join(parts)

    assert " ".join(" ".join(sentences(text)).split()) == " ".join(text.split())


@given(
    run_id=st.text(
        st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="\"'\\{}"), max_size=250
    ),
    map_index=st.integers(-1, 5000),
    video=st.none()
    | st.text(st.characters(categories=("L", "N"), include_characters=" -"), min_size=1, max_size=60),
)
@example(run_id=RUN, map_index=7, video=None)
@example(run_id=RUN, map_index=7, video="The news of the day")
def test_what_is_pasted_into_a_dag_means_the_same(run_id: str, map_index: int, video: str | None) -> None:
    argument = Adoption(argument="adopt_job_id", run_id=run_id, map_index=map_index, video=video).line(JOB)
    assert ARGUMENT.fullmatch(argument)
    lines = in_lines(f"If it is there, put {argument}, and clear this task.").splitlines()
    assert (lines[0], lines[-1]) == ("If it is there, put", "and clear this task.")

    pasted = "\n".join(lines[1:-1])
    assert ast.literal_eval(f"({pasted.partition('=')[2]})") == ast.literal_eval(argument.partition("=")[2])
