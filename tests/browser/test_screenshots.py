"""The pictures of docs/ui.md; `make screenshots` writes them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

MAX_BYTES = 150_000
TAB = "plugin/video_creation"


@pytest.fixture
def take(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Page, str], None]:
    """Take a picture of what a page shows, in few colours."""
    folder = Path(request.config.getoption("--write-screenshots") or tmp_path)

    def picture(page: Page, name: str) -> None:
        taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        file = folder / f"ui-{name}.png"
        for colours in (256, 128, 64, 32):
            taken.quantize(colours, dither=Image.Dither.NONE).save(file, optimize=True)
            if file.stat().st_size < MAX_BYTES:
                return
        raise AssertionError(f"{file} has {file.stat().st_size} bytes")

    return picture


def settled(page: Page, *, player: bool) -> None:
    """Wait until the tab's facts are there, and its player has a picture."""
    tab = page.frame_locator("iframe[title=Video]")
    expect(tab.get_by_text("Connection")).to_be_visible()
    if player:
        video = tab.locator("video")
        video.evaluate(
            "video => { video.muted = true; video.currentTime = Math.min(2, video.duration / 2); }"
        )
        expect(video).to_have_js_property("seeking", False)
        expect(video).to_have_js_property("readyState", 4)
    page.mouse.move(0, 0)
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize(
    ("name", "task_id", "player", "dark"),
    [
        ("video", "video", True, False),
        ("preview", "preview", False, False),
        ("deferred", "slow", False, False),
        ("failed", "failing", False, False),
        ("dark", "video", True, True),
    ],
)
def test_the_tab(
    page_of: Any, site: Any, take: Any, name: str, task_id: str, player: bool, dark: bool
) -> None:
    page = page_of("admin")
    if dark:
        page.add_init_script("localStorage.setItem('theme', 'dark')")
    page.goto(site.task_url(task_id, TAB))
    settled(page, player=player)
    take(page, name)
    page.evaluate("localStorage.removeItem('theme')")


def test_the_page_by_itself_on_a_phone(page_of: Any, site: Any, take: Any) -> None:
    page = page_of("admin")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(site.page_url("video"))
    expect(page.locator("video")).to_have_js_property("readyState", 4)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    take(page, "phone")


def test_the_connections_form(page_of: Any, site: Any, take: Any) -> None:
    page = page_of("admin")
    page.goto(f"{site.url}/connections")
    page.get_by_role("button", name="Add Connection").click()
    form = page.get_by_role("dialog")
    form.locator("input[name=connection_id]").fill("video_creation_default")
    form.get_by_role("combobox").first.click()
    page.keyboard.type("Video Creation")
    page.keyboard.press("Enter")
    expect(form.locator("input[name=host]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    take(page, "connection")
