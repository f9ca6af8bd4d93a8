"""Which tests can notice a mutant: those that run its lines, as one run of all tests under coverage has shown."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData
from mutants import Mutant
from trees import Tree

FOLDERS = (
    "commands",
    "contract",
    "example_dags",
    "hooks",
    "operators",
    "plugin",
    "provider",
    "sensors",
    "triggers",
)
"""Of ``tests/``: those that run the code which is mutated."""
HERE = Path(__file__).parent
RUN_SECONDS = 3600
DURATION = re.compile(r"^([\d.]+)s (?:setup|call|teardown) +(tests/.+)$", re.MULTILINE)
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)
GROUP = re.compile(r"@\w+$")
"""What pytest-xdist puts behind the name of a test that has a group."""


@dataclass(frozen=True)
class Noticing:
    """What the run has shown.

    :param seconds: each test that passed, in their order, and how long it took.
    :param running: the tests that run each line of each file.
    """

    seconds: dict[str, float]
    running: dict[str, dict[int, list[str]]]

    def tests(self, mutant: Mutant, most_seconds: float) -> tuple[list[str], int]:
        """The tests to run, and how many more there are that would take too long.

        Those beside the file come first, then the fastest; they run in their usual order, since some are slow or fail
        where others have not run before. Code that runs at import runs in no test: any of the file can notice it.

        :param mutant: that they may notice.
        :param most_seconds: that they may take together.
        """
        lines = self.running.get(mutant.path, {})
        wanted = range(mutant.first, mutant.last + 1) if mutant.in_function else lines
        found = {test for line in wanted for test in lines.get(line, []) if test in self.seconds}
        mirror = self._mirror(mutant.path)
        if not found or not mutant.in_function:
            found |= {test for test in self.seconds if test.startswith(mirror)}
        taken: set[str] = set()
        spent = 0.0
        for test in sorted(found, key=lambda test: (not test.startswith(mirror), self.seconds[test])):
            spent += self.seconds[test]
            if taken and spent > most_seconds:
                break
            taken.add(test)
        ordered = [test for test in self.seconds if test in taken]
        return sorted(ordered, key=lambda test: not test.startswith(mirror)), len(found) - len(taken)

    def _mirror(self, path: str) -> str:
        """The folder of tests that mirrors a file's, or the nearest above it."""
        folder = Path(path).parent
        while folder.name and not any(test.startswith(f"tests/{folder}/") for test in self.seconds):
            folder = folder.parent
        return f"tests/{folder}/" if folder.name else "tests/"


def learn(tree: Tree, kept: Path) -> Noticing:
    """Run the tests once under coverage, or read what the last run has shown of the same files.

    :param tree: a copy without a mutant.
    :param kept: the file where it is kept.
    """
    key = hashlib.sha256()
    for path in sorted(tree.root.rglob("*.py")):
        if path.parent.name != HERE.name:
            key.update(path.read_bytes())
    if kept.exists() and (known := json.loads(kept.read_text()))["key"] == key.hexdigest():
        running = {
            path: {int(line): of for line, of in lines.items()} for path, lines in known["running"].items()
        }
        return Noticing(known["seconds"], running)
    data = tree.root / ".coverage"
    folders = [f"tests/{folder}" for folder in FOLDERS]
    measured = ["--numprocesses=2", "--dist=loadgroup", "--durations=0", "--durations-min=0", "--cov"]
    measured += ["--cov-context=test", "--cov-report=", f"--cov-config={HERE / 'coverage.ini'}"]
    said = tree.pytest([*folders, *measured], RUN_SECONDS).said
    listed = tree.pytest([*folders, "--collect-only"], RUN_SECONDS).said.splitlines()
    seconds: dict[str, float] = {test: 0.0 for test in listed if "::" in test}
    for duration, test in DURATION.findall(said):
        name = GROUP.sub("", test)
        seconds[name] = seconds.get(name, 0.0) + float(duration)
    for test in FAILED.findall(said):
        seconds.pop(GROUP.sub("", test), None)
    noticing = Noticing(seconds, _running(data, tree.root))
    if not noticing.seconds or not noticing.running:
        raise SystemExit(f"The tests did not run:\n{said[-3000:]}")
    kept.write_text(
        json.dumps({"key": key.hexdigest(), "seconds": noticing.seconds, "running": noticing.running})
    )
    return noticing


def _running(data_file: Path, root: Path) -> dict[str, dict[int, list[str]]]:
    data = CoverageData(str(data_file))
    data.read()
    return {
        str(path): {
            line: sorted({GROUP.sub("", context.rpartition("|")[0]) for context in contexts if context})
            for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
        if (path := Path(file)) and (root / path).exists()
    }
