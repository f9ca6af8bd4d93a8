"""What the check catches and what it refuses wrongly, as docs/sources/scripts.md says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("text_to_num", reason="not installed: pip install '.[ai]'")

from airflow_video_creation.provider.scripts.check import check_script


def measured() -> Any:
    spec = importlib.util.spec_from_file_location(
        "measured_scripts", Path(__file__).with_name("measured_scripts.py")
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("named", "missed", "wrongly_refused"),
    [
        ("first", 1, 2),
        ("second", 0, 2),
        ("held_back", 0, 0),
        ("fourth", 1, 0),
        ("fifth", 1, 0),
        ("sixth", 1, 0),
        ("seventh", 1, 0),
        ("eighth", 8, 5),
    ],
)
def test_no_more_is_missed_or_wrongly_refused_than_the_docs_say(
    named: str, missed: int, wrongly_refused: int
) -> None:
    cases = measured().cases(measured().SETS[named])
    passed = [case for case in cases if check_script(case.script, case.article).passed]

    assert len([case for case in passed if case.fault]) <= missed
    assert len([case for case in cases if not case.fault and case not in passed]) <= wrongly_refused


def test_no_more_sentences_are_missed_or_wrongly_refused_than_the_docs_say() -> None:
    cases = measured().sentences()
    passed = [case for case in cases if check_script(case.script, case.article).passed]

    assert len([case for case in passed if case.fault]) <= 6
    assert len([case for case in cases if not case.fault and case not in passed]) <= 1
