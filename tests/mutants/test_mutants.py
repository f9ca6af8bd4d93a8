"""What is mutated, what is left alone, and which tests are run."""

from __future__ import annotations

import random
import sys
from pathlib import Path

# The tool is modules beside this file, which are no package.
sys.path.insert(0, str(Path(__file__).parent))

from mutants import Mutant, places
from noticing import Noticing

LEFT_ALONE = '''
"""A docstring."""
from typing import TYPE_CHECKING, cast
if TYPE_CHECKING:
    A = 1
log = get_logger("name")
__all__ = ["a"]
@lru_cache(maxsize=1)
def f(x: "int"):
    """A docstring."""
    log.info("said %s", 1)
    self.log.info("said %s", 1)
    print
'''


def mutants_of(code: str) -> set[str]:
    """A file of one place, as each of its mutants has it."""
    [place] = places("a.py", code)
    changes, found = place.changes, set()
    for change in changes:
        place.changes = [change]
        if mutant := place.mutant(random.Random(1)):
            found.add(mutant.after)
    return found


def test_what_no_test_should_notice_is_left_alone() -> None:
    assert places("a.py", LEFT_ALONE) == []


def test_words_for_people_are_left_alone() -> None:
    assert mutants_of('say = "No such job"') == {"say = None"}
    assert mutants_of('key = "job_id"') == {"key = None", 'key = "XXjob_idXX"'}


def test_a_call_and_a_raise_can_be_missing() -> None:
    assert mutants_of("budget.take()") == {"pass"}
    assert mutants_of("raise Refused") == {"pass"}


def test_a_condition_can_be_always_and_never_so() -> None:
    assert mutants_of("if late: stop") == {"if (late) and False: stop", "if (late) or True: stop"}


NOTICING = Noticing(
    {"tests/plugin/a.py::slow": 50.0, "tests/plugin/a.py::fast": 1.0, "tests/hooks/b.py::other": 0.5},
    {
        "plugin/a.py": {
            2: ["tests/plugin/a.py::slow"],
            5: ["tests/plugin/a.py::slow", "tests/hooks/b.py::other", "tests/plugin/a.py::failed"],
        }
    },
)


def a_mutant(line: int, *, in_function: bool = True, path: str = "plugin/a.py") -> Mutant:
    return Mutant(path, line, line, in_function, "", "")


def test_the_tests_that_run_the_place_are_run() -> None:
    assert NOTICING.tests(a_mutant(2), 90.0) == (["tests/plugin/a.py::slow"], 0)
    assert NOTICING.tests(a_mutant(5), 90.0) == (["tests/plugin/a.py::slow", "tests/hooks/b.py::other"], 0)


def test_those_that_would_take_too_long_are_counted() -> None:
    assert NOTICING.tests(a_mutant(5), 50.2) == (["tests/plugin/a.py::slow"], 1)


def test_where_no_test_runs_the_place_those_beside_the_file_are_run() -> None:
    beside = ["tests/plugin/a.py::slow", "tests/plugin/a.py::fast"]
    assert NOTICING.tests(a_mutant(9), 90.0) == (beside, 0)
    assert NOTICING.tests(a_mutant(1, path="plugin/deeper/new.py"), 90.0) == (beside, 0)


def test_what_runs_at_import_can_be_noticed_by_any_test_of_the_file() -> None:
    assert NOTICING.tests(a_mutant(1, in_function=False), 90.0) == ([*NOTICING.seconds], 0)
