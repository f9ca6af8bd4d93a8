"""Links of the README, as a package index needs them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from airflow_video_creation.release.addresses import PLACEHOLDER, absolute_links

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://git.example.com/videos"


@pytest.mark.parametrize(
    ("link", "absolute"),
    [
        ("![Frames](docs/images/frames.jpg)", f"![Frames]({REPOSITORY}/raw/v1.0.0/docs/images/frames.jpg)"),
        (
            "[Start](docs/start/first-videos.md)",
            f"[Start]({REPOSITORY}/blob/v1.0.0/docs/start/first-videos.md)",
        ),
        (
            "[Errors](docs/operate/errors.md#lost)",
            f"[Errors]({REPOSITORY}/blob/v1.0.0/docs/operate/errors.md#lost)",
        ),
        ("[`[core] x`](docs/a.md)", f"[`[core] x`]({REPOSITORY}/blob/v1.0.0/docs/a.md)"),
        ("[here](#install)", "[here](#install)"),
        ("[there](https://example.com/a)", "[there](https://example.com/a)"),
        ("```python\ncall[0](value)\n```", "```python\ncall[0](value)\n```"),
    ],
)
def test_a_link_names_the_file_at_the_release(link: str, absolute: str) -> None:
    assert absolute_links(f"Text. {link}" if "```" not in link else link, REPOSITORY, "v1.0.0").endswith(
        absolute
    )


def test_no_image_of_our_readme_is_relative_on_an_index() -> None:
    readme = absolute_links((ROOT / "README.md").read_text("utf-8"), REPOSITORY, "v1.0.0")

    assert f"]({REPOSITORY}/raw/v1.0.0/docs/images/frames.jpg)" in readme
    assert "](docs/" not in readme


def test_every_address_of_the_package_is_the_one_that_a_release_replaces() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]

    assert all(url.startswith(PLACEHOLDER) for url in urls.values())
