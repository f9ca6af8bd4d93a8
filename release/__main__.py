"""``make release``: build, check and try out the version that CHANGELOG.md opens, then commit and tag it.

Nothing is pushed and nothing is uploaded: the last line says how you, or the workflow, can do that.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

from .addresses import PLACEHOLDER
from .artifacts import build, check, install, try_out, write_sbom
from .changelog import ReleaseError
from .source import Source, commit_and_tag, git

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "release"


def main() -> int:
    """Release, and return the exit status: 1 when something must be fixed first."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="do all but the commit and the tag")
    parser.add_argument("--tag", help="build a tagged version again, such as v1.2.3, and commit nothing")
    parser.add_argument("--repository", help="address of the repository, for links on a package index")
    given = parser.parse_args()
    try:
        release(given.dry_run, given.tag, given.repository)
    except ReleaseError as error:
        print(f"Not released: {error}", file=sys.stderr)
        return 1
    return 0


def release(dry_run: bool, tag: str | None, repository: str | None) -> None:
    """Make the files of a release in ``dist``.

    :param dry_run: whether to commit nothing.
    :param tag: to build again; None for the version that CHANGELOG.md opens.
    :param repository: address of the repository.
    :raises ReleaseError: something must be fixed first.
    """
    if not (repository or dry_run):
        raise ReleaseError("name the repository: make release REPOSITORY=https://...")
    if not (tag or dry_run) and git(ROOT, "status", "--porcelain"):
        raise ReleaseError("commit or stash what has changed.")
    source = Source.export(ROOT, tag or "HEAD", WORK / "source")
    if tag:
        source.check_tag(tag)
    else:
        source.open_release(datetime.now(UTC).date())
    files = source.released_files()
    source.name_repository(repository or PLACEHOLDER)
    dist = ROOT / "dist"
    wheel = build(source, dist)
    check(dist)
    python = install(wheel, source.folder / "constraints.txt", WORK / "venv")
    try_out(python, WORK / "try")
    write_sbom(python, source, WORK / "sbom.cdx.json")
    (WORK / "notes.md").write_text(source.notes(), "utf-8")
    shutil.rmtree(WORK / "venv")
    print(f"\n{source.version} is in {dist}:", *sorted(file.name for file in dist.iterdir()), sep="\n  ")
    if dry_run or tag:
        return
    commit_and_tag(ROOT, files, source.version)
    print(f"Committed, and tagged v{source.version}. Check it, then publish it: git push --follow-tags")


if __name__ == "__main__":
    sys.exit(main())
