"""What the docs say of other Airflows is no older than the release before the last."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_matrix_was_run_after_the_last_release_or_the_one_before():
    releases = re.findall(
        r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    page = (ROOT / "docs" / "measured" / "compatibility.md").read_text("utf-8")

    run_after = re.search(r"^Run on \S+, commit \w+, after release (\S+)\.$", page, re.MULTILINE)

    assert run_after, "run make test-matrix"
    assert run_after[1] in releases[:2], "run make test-matrix again"
