"""CHANGELOG.md as a text: which version is open, which was released last, and what changed in one."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

OPEN = "not yet released"
_HEADING = re.compile(r"^## (?P<version>\S+) \((?P<when>[^)]*)\)$", re.MULTILINE)
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")


class ReleaseError(Exception):
    """Nothing was released; the message says what to fix."""


class Section(NamedTuple):
    """What changed in one version.

    :param version: of the heading.
    :param when: the day of the release; None while the section is open.
    :param text: below the heading.
    """

    version: str
    when: date | None
    text: str


def sections(changelog: str) -> list[Section]:
    """All versions, the newest first.

    :param changelog: the whole text.
    :return: a section a heading.
    :raises ReleaseError: a heading is not ``## VERSION (YYYY-MM-DD)`` or ``## VERSION (not yet released)``.
    """
    headings = list(_HEADING.finditer(changelog))
    if len(headings) != len(re.findall(r"^## ", changelog, re.MULTILINE)):
        raise ReleaseError(f"CHANGELOG.md has a heading that is neither '## X.Y.Z (DAY)' nor '({OPEN})'.")
    ends = [*(heading.start() for heading in headings[1:]), len(changelog)]
    return [
        Section(heading["version"], _day(heading), changelog[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=False)
    ]


def _day(heading: re.Match[str]) -> date | None:
    try:
        return None if heading["when"] == OPEN else date.fromisoformat(heading["when"])
    except ValueError:
        raise ReleaseError(f"CHANGELOG.md: {heading[0]!r} has no date: write YYYY-MM-DD.") from None


def newest_released(changelog: str) -> Section:
    """The version that was released last.

    :param changelog: the whole text.
    :return: its section.
    :raises ReleaseError: there is none, or an older section is still open.
    """
    found = sections(changelog)
    released = found[1:] if found and found[0].when is None else found
    if not released or any(section.when is None for section in released):
        raise ReleaseError(f"CHANGELOG.md: only the first heading may be '({OPEN})'; date the others.")
    return released[0]


def to_release(changelog: str) -> Section:
    """The version that is open.

    :param changelog: the whole text.
    :return: its section.
    :raises ReleaseError: no version is open, its name is not a version, or nothing has changed in it.
    """
    found = sections(changelog)
    if not found or found[0].when is not None:
        raise ReleaseError(f"CHANGELOG.md: start the next version with '## X.Y.Z ({OPEN})'.")
    section = found[0]
    if not _VERSION.fullmatch(section.version):
        raise ReleaseError(f"CHANGELOG.md: {section.version!r} is not a version such as 1.2.3 or 1.2.3rc1.")
    if not section.text:
        raise ReleaseError(f"CHANGELOG.md says nothing about {section.version}: write what changed.")
    return section


def dated(changelog: str, version: str, day: date) -> str:
    """The text in which a version is released.

    :param changelog: the whole text, in which it is open.
    :param version: of the heading.
    :param day: of the release.
    :return: the new text.
    """
    return changelog.replace(f"## {version} ({OPEN})", f"## {version} ({day})", 1)
