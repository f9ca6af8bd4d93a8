"""Runs the benchmarks, and writes their figures and plots into the docs.

    python benchmarks/figures.py                        # all except the very long ones
    python benchmarks/figures.py --only waiting faults
    python benchmarks/figures.py --only parse-time -- --rounds 15
    python benchmarks/figures.py --render               # only writes the last results
    python benchmarks/figures.py --trial                # checks that each works, with the smallest settings
    python benchmarks/figures.py --list

Each benchmark runs in a separate process. Its result is kept in benchmarks/results, with date, commit and machine. If a
benchmark fails, its last result stays, and the others run. ``figures_table.py`` lists them all.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import util
from pathlib import Path

from figures_kept import RESULTS, ROOT, kept
from figures_pages import write_part
from figures_table import FIGURES

HERE = Path(__file__).parent
BUSY = 1.0
"""Load average above which figures are of little use."""
MUCH_TOO_LONG = 5
"""Times the expected minutes after which a benchmark is ended."""


def measured(name: str, file: Path, further: Sequence[str]) -> bool:
    """Run a benchmark, and say how it went.

    :param name: of its figures.
    :param file: for its result.
    :param further: arguments.
    """
    script, *arguments = FIGURES[name].command
    command = [sys.executable, str(HERE / script), *arguments, *further, "--keep", str(file)]
    began = time.monotonic()
    print(f"\n{name}: about {FIGURES[name].minutes:g} min", flush=True)
    # In a new session, so that it can be ended with all that it has started.
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)  # noqa: S603 - our own programs
    try:
        code = process.wait(max(MUCH_TOO_LONG * FIGURES[name].minutes, 10) * 60)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    well = code == 0
    how = (
        "measured"
        if well
        else "FAILED, because it did not end,"
        if code is None
        else f"FAILED (exit code {code})"
    )
    print(f"\n{name}: {how} after {(time.monotonic() - began) / 60:.1f} min", flush=True)
    return well


def render(names: Sequence[str]) -> None:
    """Write the parts of the pages, and draw the plots."""
    drawable = util.find_spec("matplotlib") is not None
    for name in names:
        if result := kept(name):
            for part, text in FIGURES[name].parts(name, result).items():
                print(f"{name}: {write_part(part, text).relative_to(ROOT)}")
            if drawable:
                for path in FIGURES[name].draw(result):
                    print(f"{name}: {path.relative_to(ROOT)}")
            elif FIGURES[name].plots:
                print(f"{name}: its plots stay as they were, since matplotlib is not installed")


def main() -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=FIGURES, metavar="NAME", help="which ones, see --list")
    parser.add_argument(
        "further", nargs="*", metavar="-- ARGUMENT", help="passed to each benchmark, after --"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--render", action="store_true", help="only write the last results")
    what.add_argument("--trial", action="store_true", help="smallest settings; keeps and writes nothing")
    what.add_argument("--list", action="store_true", help="name all figures")
    chosen = parser.parse_args()
    if chosen.list:
        for name, figures in FIGURES.items():
            print(
                f"{name:16} {figures.minutes:5g} min{', only when it is named' if figures.asked_for else ''}"
            )
        return 0
    if chosen.render:
        render(chosen.only or list(FIGURES))
        return 0
    if (load := os.getloadavg()[0]) > BUSY and not chosen.trial:
        print(
            f"This machine is busy (load {load:.1f}), so the figures will be too high. The pages name the load."
        )
    failed = []
    with tempfile.TemporaryDirectory() as trials:
        for name in chosen.only or [name for name, figures in FIGURES.items() if not figures.asked_for]:
            folder, settings = (Path(trials), FIGURES[name].trial) if chosen.trial else (RESULTS, ())
            if not measured(name, folder / f"{name}.json", [*settings, *chosen.further]):
                failed.append(name)
            elif not chosen.trial:
                try:
                    render([name])
                except LookupError as error:
                    print(error)
                    failed.append(name)
    if failed:
        print(f"\nFailed, so the pages keep their last figures: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
