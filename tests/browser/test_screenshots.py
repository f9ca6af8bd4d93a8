"""The pictures of docs/operate/ui.md; `make screenshots` writes them."""

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


RUN_TAB, DAG_TAB = "plugin/video_creation_run", "plugin/video_creation_dag"


def still(page: Page) -> None:
    page.mouse.move(0, 0)
    page.wait_for_load_state("networkidle")


def test_the_tab_of_a_night(page_of: Any, site: Any, take: Any, night: str) -> None:
    page = page_of("admin")
    page.set_viewport_size({"width": 1280, "height": 1100})
    page.goto(site.run_url(RUN_TAB, "night_of_tasks", night))
    shown = page.frame_locator("iframe[title=Videos]")
    shown.locator(".picture").first.scroll_into_view_if_needed()
    expect(shown.locator(".picture.there").first).to_be_visible()
    shown.locator("#headline").scroll_into_view_if_needed()
    still(page)
    take(page, "run")


def test_a_video_in_doubt(page_of: Any, site: Any, take: Any, night: str) -> None:
    page = page_of("admin")
    page.goto(site.run_url(RUN_TAB, "night_of_tasks", night))
    shown = page.frame_locator("iframe[title=Videos]")
    shown.get_by_role("button", name="In doubt 1").click()
    shown.locator("#tiles button").click()
    expect(shown.locator("#one-shown")).not_to_contain_text("Reading the job at the service.")
    still(page)
    take(page, "doubt")


def test_one_video_of_a_run(page_of: Any, site: Any, take: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url(RUN_TAB))
    shown = page.frame_locator("iframe[title=Videos]")
    shown.get_by_label("Search").fill("winter-bread")
    shown.locator("#tiles button").click()
    video = shown.get_by_role("dialog").locator("video")
    video.evaluate("video => { video.muted = true; video.currentTime = Math.min(2, video.duration / 2); }")
    expect(video).to_have_js_property("seeking", False)
    expect(video).to_have_js_property("readyState", 4)
    still(page)
    take(page, "one")


def test_a_question(page_of: Any, site: Any, take: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url(RUN_TAB))
    shown = page.frame_locator("iframe[title=Videos]")
    shown.locator("#tiles li").filter(has_text="Waiting for a person").get_by_role("button").click()
    expect(shown.get_by_role("button", name="Approve")).to_be_visible()
    preview = shown.frame_locator("iframe[title=Preview]")
    expect(preview.locator(".scenes img").first).to_have_js_property("complete", True)
    still(page)
    take(page, "question")


def test_the_last_runs_of_a_dag(page_of: Any, site: Any, take: Any, night: str) -> None:
    page = page_of("admin")
    page.goto(f"{site.url}/dags/night_of_tasks/{DAG_TAB}")
    expect(page.frame_locator("iframe[title=Videos]").get_by_text("190 of 200 delivered")).to_be_visible()
    still(page)
    take(page, "dag")


def test_a_night_on_a_phone_in_the_dark(page_of: Any, site: Any, take: Any, night: str) -> None:
    page = page_of("admin")
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    page.goto(f"{site.url}/video_creation/videos/night_of_tasks/{night}")
    expect(page.locator("#tiles li").first).to_be_visible()
    still(page)
    take(page, "run-phone")


def test_the_page_by_itself_on_a_phone(page_of: Any, site: Any, take: Any) -> None:
    page = page_of("admin")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(site.page_url("video"))
    expect(page.locator("video")).to_have_js_property("readyState", 4)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    take(page, "phone")


def test_the_connections_form(page_of: Any, site: Any, take: Any) -> None:
    page = page_of("admin")
    page.set_viewport_size({"width": 1280, "height": 1100})
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
