"""A commit made ready for a release, in a folder of its own."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from airflow_video_creation.release.changelog import ReleaseError
from airflow_video_creation.release.source import Source, commit_and_tag, git

DAY = date(2026, 12, 1)
FILES = {
    "CHANGELOG.md": (
        "# Changes\n\n## 0.2.0 (not yet released)\n\n- [New](docs/new.md).\n\n## 0.1.0 (2026-11-22)\n\nFirst.\n"
    ),
    "provider/info.py": 'VERSION = "0.1.0"\n',
    "tests/releases/0.2.0.json": "{}",
    "README.md": "![Frames](docs/frames.jpg)\n",
    "pyproject.toml": 'Source = "https://git.example.com/airflow-provider-video-creation"\n',
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "init", "--quiet")
    git(folder, "config", "user.name", "Ada")
    git(folder, "config", "user.email", "ada@example.com")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "First")
    return folder


@pytest.fixture
def source(repository: Path, tmp_path: Path) -> Source:
    return Source.export(repository, "HEAD", tmp_path / "source")


def test_only_what_is_committed_is_released(repository: Path, tmp_path: Path) -> None:
    (repository / "notes-to-self.txt").write_text("not yet")

    assert Source.export(repository, "HEAD", tmp_path / "source").files() == FILES.keys()


def test_the_version_comes_from_the_open_section(source: Source) -> None:
    source.open_release(DAY)

    assert source.version == "0.2.0"
    assert "## 0.2.0 (2026-12-01)" in (source.folder / "CHANGELOG.md").read_text()


def test_the_release_is_a_commit_of_two_files_with_a_tag(repository: Path, source: Source) -> None:
    source.open_release(DAY)
    commit_and_tag(repository, source.released_files(), "0.2.0")

    assert git(repository, "show", "--name-only", "--format=%s", "v0.2.0^{commit}").split("\n") == [
        "Release 0.2.0",
        "",
        "CHANGELOG.md",
        "provider/info.py",
    ]
    Source.export(repository, "v0.2.0", source.folder).check_tag("v0.2.0")


def test_what_cannot_be_tagged_twice_says_so(repository: Path, source: Source) -> None:
    git(repository, "tag", "v0.2.0")
    source.open_release(DAY)

    with pytest.raises(ReleaseError, match=r"git tag failed: .*already exists"):
        commit_and_tag(repository, source.released_files(), "0.2.0")


def test_the_notes_are_what_changelog_says(source: Source) -> None:
    source.open_release(DAY)

    assert source.notes() == "- [New](docs/new.md)."


def test_what_was_made_ready_is_what_its_tag_says(source: Source) -> None:
    source.open_release(DAY)
    source.check_tag("v0.2.0")

    with pytest.raises(ReleaseError, match=r"v0\.3\.0 is not what its files say"):
        source.check_tag("v0.3.0")


def test_a_commit_that_is_no_release_fits_no_tag(source: Source) -> None:
    with pytest.raises(ReleaseError, match="Make tags with make release"):
        source.check_tag("v0.2.0")


def test_a_release_writes_down_what_it_stores(source: Source) -> None:
    (source.folder / "tests/releases/0.2.0.json").unlink()

    with pytest.raises(ReleaseError, match=r"tests/releases/0\.2\.0\.json is missing"):
        source.open_release(DAY)


def test_links_lead_to_the_repository_that_is_named(source: Source) -> None:
    source.open_release(DAY)
    source.name_repository("https://forge.example.com/videos")

    readme = (source.folder / "README.md").read_text()
    assert readme == "![Frames](https://forge.example.com/videos/raw/v0.2.0/docs/frames.jpg)\n"
    assert 'Source = "https://forge.example.com/videos"' in (source.folder / "pyproject.toml").read_text()
    assert source.notes() == "- [New](https://forge.example.com/videos/blob/v0.2.0/docs/new.md)."
