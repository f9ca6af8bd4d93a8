"""``make mutants``: breaks the code at places picked by a seed, and shows what no test notices.

Each mutant is one small change of one statement, in a copy of the repository in ``build/mutants``. Its tests are those
that run the statement (``noticing``). It is killed when one of them fails, or does not end in time. Survivors are
printed: each is either a missing test, or the same program in other words. A change that only makes code slower, or a
text that only people read, is no missing test.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mutants import Mutant, Place, places
from noticing import Noticing, learn
from trees import REPOSITORY, Tree

MUTATED = (
    "operators",
    "hooks",
    "sensors",
    "triggers",
    "plugin",
    "provider/protocol",
    "provider/waiting",
    "provider/submission.py",
    "provider/webhooks",
    "provider/spending",
    "provider/delivery",
)
WORK = REPOSITORY / "build" / "mutants"
PROCESSES = 2
TEST_SECONDS = 90.0
"""What the tests of one mutant may take together, by what they took before."""
START_SECONDS, SLOWER = 60.0, 3.0
"""When tests of a mutant are ended: after a start, and when they take so many times as long as before."""
KILLED_BY = ("FAILED ", "ERROR ", "E   ")


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant.

    :param mutant: which.
    :param killer: what noticed it; empty when it has survived.
    :param told: how many tests were run, and how many were not.
    """

    mutant: Mutant
    killer: str
    told: str


def main() -> int:
    """Make a sample of mutants, run their tests and print who survives."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="picks the places")
    parser.add_argument("--sample", type=int, default=100, help="how many places")
    parser.add_argument(
        "paths", nargs="*", default=MUTATED, help="files and folders (default: shells and core)"
    )
    given = parser.parse_args()
    sample = pick(given.paths, given.seed, given.sample)
    WORK.mkdir(parents=True, exist_ok=True)
    trees: queue.SimpleQueue[Tree] = queue.SimpleQueue()
    for number in range(PROCESSES):
        trees.put(Tree(WORK / str(number)))
    say("Which tests run which lines: known, or learned in some minutes")
    first = trees.get()
    noticing = learn(first, WORK / "noticing.json")
    trees.put(first)
    with ThreadPoolExecutor(PROCESSES) as pool:
        try:
            verdicts = list(pool.map(lambda mutant: tried(mutant, noticing, trees), sample))
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    survivors = [verdict for verdict in verdicts if not verdict.killer]
    for verdict in survivors:
        say(
            f"\n{verdict.mutant.path}:{verdict.mutant.line} has survived {verdict.told}\n{verdict.mutant.diff}"
        )
    killed = len(verdicts) - len(survivors)
    share = killed / max(1, len(verdicts))
    say(f"\n{killed} of {len(verdicts)} killed: {share:.0%} (SEED={given.seed} SAMPLE={given.sample})")
    return 0


def pick(paths: list[str], seed: int, sample: int) -> list[Mutant]:
    """A mutant at each of so many places, as the seed has it."""
    chance = random.Random(seed)
    found: list[Place] = []
    for path in sorted(file for given in paths for file in python_files(REPOSITORY / given)):
        found += places(str(path.relative_to(REPOSITORY)), path.read_text("utf-8"))
    chance.shuffle(found)
    picked: list[Mutant] = []
    for place in found:
        if len(picked) == sample:
            break
        if mutant := place.mutant(chance):
            picked.append(mutant)
    say(f"{len(picked)} of {len(found)} places")
    return picked


def python_files(path: Path) -> list[Path]:
    """A file, or those of a folder."""
    return [path] if path.is_file() else list(path.rglob("*.py"))


def tried(mutant: Mutant, noticing: Noticing, trees: queue.SimpleQueue[Tree]) -> Verdict:
    """Run the tests of a mutant in a tree that nobody uses.

    What fails must fail again, with the tests of its file: it may have failed since the machine was slow.
    """
    tests, others = noticing.tests(mutant, TEST_SECONDS)
    seconds = START_SECONDS + SLOWER * sum(noticing.seconds[test] for test in tests)
    tree, started = trees.get(), time.monotonic()
    tree.write(mutant.path, mutant.after)
    try:
        killer = noticed(tree, tests, seconds)
        if killer:
            file = killer.split()[1].partition("::")[0]
            alike = [test for test in tests if test.startswith(f"{file}::")]
            killer = noticed(tree, alike or tests, seconds)
    finally:
        tree.write(mutant.path, mutant.before)
        trees.put(tree)
    told = f"{len(tests)} tests" + (f" ({others} more were not run)" if others else "")
    verdict = Verdict(mutant, killer, told)
    took = time.monotonic() - started
    say(f"{mutant.path}:{mutant.line} {told}, {took:.0f} s: {killer or 'SURVIVED'}")
    if not killer:
        say(mutant.diff)
    return verdict


def noticed(tree: Tree, tests: list[str], seconds: float) -> str:
    """What fails; empty where nothing does."""
    names = tree.root.parent / "tests.txt"
    names.write_text("\n".join(tests), "utf-8")
    run = tree.pytest(["--exitfirst", "--tb=line", "--show-capture=no", f"@{names}"], seconds)
    if run.status is None:
        return "no end in time"
    if run.status == os.EX_OK:
        return ""
    failed = [line for line in run.said.splitlines() if line.startswith(KILLED_BY)]
    return failed[-1] if failed else f"pytest ended with {run.status}"


def say(text: str) -> None:
    """Print at once, also into a pipe."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Stopped.")
