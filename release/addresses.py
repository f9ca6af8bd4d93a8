"""Links that work on a package index, which shows the README without the files that it links to."""

from __future__ import annotations

import re

PLACEHOLDER = "https://git.example.com/airflow-provider-video-creation"
"""The placeholder in pyproject.toml for the address of the repository, which each release fills in."""
_LINK = re.compile(r"(?P<image>!?)(?P<text>\[(?:[^\[\]]|\[[^\[\]]*\])*\])\((?P<target>[^)\s]+)\)")
_ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|#|/")


def absolute_links(readme: str, repository: str, tag: str) -> str:
    """The README with the addresses of its files at one release.

    :param readme: Markdown with relative links; code is left alone.
    :param repository: address of the repository.
    :param tag: of the release.
    :return: the same with absolute ones: images raw, other files as pages.
    """

    def absolute(link: re.Match[str]) -> str:
        if _ELSEWHERE.match(link["target"]):
            return link[0]
        view = "raw" if link["image"] else "blob"
        return f"{link['image']}{link['text']}({repository}/{view}/{tag}/{link['target']})"

    parts = re.split(r"(^```.*?^```$)", readme, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _LINK.sub(absolute, part) for part in parts)
