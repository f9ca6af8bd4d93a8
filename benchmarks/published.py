"""How long it takes from publication to the video in a whole Airflow: the times of tests/system/test_published.py."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

from figures_kept import ROOT, Measuring, Result, end
from figures_pages import table

ROWS = {
    "first article": "swifts",
    "second article": "mill",
    "published while the triggerer was killed, and another started": "bread",
}


def parts(result: Result) -> Mapping[str, str]:
    """The table."""
    rows = [
        [what, *("-" if seconds is None else f"{seconds:.0f} s" for seconds in took)]
        for what, took in result.found.items()
    ]
    return {"published": table(["", "event", "`.mp4`"], *rows)}


def main() -> None:
    """Run the test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        test = "tests/system/test_published.py"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", test, f"--junit-xml={report}"]
        subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - our own test
        told = {
            each.attrib["name"]: float(each.attrib["value"])
            for each in ET.parse(report).iter("property")  # noqa: S314 - we wrote it
        }
    found = {what: [told.get(f"{title}: event"), told.get(f"{title}: video")] for what, title in ROWS.items()}
    end(measuring.ended(found), parts, chosen.keep)


if __name__ == "__main__":
    main()
