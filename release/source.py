"""The files of one commit in a folder of their own, made ready for a release."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from .addresses import PLACEHOLDER, absolute_links
from .changelog import ReleaseError, dated, newest_released, to_release

CHANGELOG = "CHANGELOG.md"
VERSION_FILE = "provider/info.py"
_VERSION = re.compile(r'^VERSION = "(.*)"$', re.MULTILINE)


def git(repository: Path, *arguments: str) -> str:
    """What git says.

    :param repository: where.
    :param arguments: of git.
    :return: its answer.
    :raises ReleaseError: git cannot do that.
    """
    told = subprocess.run(["git", *arguments], cwd=repository, capture_output=True, text=True, check=False)
    if told.returncode:
        raise ReleaseError(f"git {arguments[0]} failed: {told.stderr.strip()}")
    return told.stdout.strip()


def commit_and_tag(repository: Path, files: Mapping[str, str], version: str) -> None:
    """Write down in the repository what was released.

    :param repository: where.
    :param files: what changed, by path.
    :param version: of the release.
    :raises ReleaseError: git cannot do that.
    """
    for name, text in files.items():
        (repository / name).write_text(text, "utf-8")
    git(repository, "commit", "--quiet", "--message", f"Release {version}", "--", *files)
    git(repository, "tag", "--annotate", f"v{version}", "--message", f"Release {version}")


class Source:
    """A copy of a commit.

    :param folder: where it is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def export(cls, repository: Path, commit: str, folder: Path) -> Source:
        """Copy what git tracks, so that nothing else gets into a release.

        :param repository: where the commit is.
        :param commit: or tag.
        :param folder: is replaced.
        :return: the copy.
        :raises ReleaseError: there is no such commit.
        """
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        archive = folder.with_suffix(".tar")
        git(repository, "archive", "--format=tar", f"--output={archive}", commit)
        with tarfile.open(archive) as files:
            files.extractall(folder, filter="data")
        return cls(folder)

    @property
    def version(self) -> str:
        """What the package says it is."""
        found = _VERSION.search(self._read(VERSION_FILE))
        if not found:
            raise ReleaseError(f"{VERSION_FILE} has no line VERSION = ...")
        return found[1]

    def open_release(self, day: date) -> None:
        """Put the date into CHANGELOG.md, and the version into the package.

        :param day: of the release.
        :raises ReleaseError: no version is open, or no file describes what the release stores in Airflow.
        """
        changelog = self._read(CHANGELOG)
        version = to_release(changelog).version
        stored = f"tests/releases/{version}.json"
        if not (self.folder / stored).is_file():
            raise ReleaseError(f"{stored} is missing: write down what {version} stores in Airflow.")
        self._write(CHANGELOG, dated(changelog, version, day))
        self._write(VERSION_FILE, _VERSION.sub(f'VERSION = "{version}"', self._read(VERSION_FILE)))

    def released_files(self) -> dict[str, str]:
        """What a release changes in the repository, by path."""
        return {name: self._read(name) for name in (CHANGELOG, VERSION_FILE)}

    def notes(self) -> str:
        """What changed in the version that was released last."""
        return newest_released(self._read(CHANGELOG)).text

    def check_tag(self, tag: str) -> None:
        """Check that this is what a tag says.

        :param tag: such as ``v1.2.3``.
        :raises ReleaseError: it is another version, or CHANGELOG.md has not released it.
        """
        released = newest_released(self._read(CHANGELOG)).version
        if not f"v{self.version}" == tag == f"v{released}":
            raise ReleaseError(
                f"The tag {tag} is not what its files say: {VERSION_FILE} {self.version}, "
                f"{CHANGELOG} {released}. Make tags with make release."
            )

    def name_repository(self, address: str) -> None:
        """Make links lead to the repository, from wherever they are read.

        :param address: of the repository.
        """
        tag = f"v{self.version}"
        for name in ("README.md", CHANGELOG):
            self._write(name, absolute_links(self._read(name), address, tag))
        self._write("pyproject.toml", self._read("pyproject.toml").replace(PLACEHOLDER, address))

    def files(self) -> set[str]:
        """All files, by their paths in it."""
        return {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()}

    def _read(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")
