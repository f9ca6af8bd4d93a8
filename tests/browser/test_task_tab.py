"""The tab and the links of a task, as an administrator sees them in Airflow's UI."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

TAB = "plugin/video_creation"


def tab(page: Page) -> FrameLocator:
    """What the tab shows."""
    return page.frame_locator("iframe[title=Video]")


def plays(player: Any) -> None:
    """The video plays: it has its data, it is some seconds long, and its time moves on."""
    player.wait_for(state="visible")
    player.evaluate(
        """async video => {
            video.muted = true;
            await video.play();
            await new Promise((done, fail) => {
                video.onerror = () => fail(new Error(video.error.message));
                video.ontimeupdate = () => video.currentTime > 0.2 && done();
            });
        }"""
    )
    assert player.evaluate("video => video.readyState") >= 2
    assert player.evaluate("video => video.duration") > 1


@pytest.mark.parametrize("map_index", [None, 0, 1])
def test_a_finished_video_plays_in_the_tab(page_of: Any, site: Any, map_index: int | None) -> None:
    page = page_of("admin")
    page.goto(site.task_url("video" if map_index is None else "many", TAB, map_index))
    name = "tide-mill" if map_index is None else f"film-{map_index + 1}"
    expect(tab(page).get_by_role("heading", name=name)).to_be_visible()
    expect(tab(page).get_by_text("completed")).to_be_visible()
    plays(tab(page).locator("video"))


@pytest.mark.parametrize("task_id", ["preview", "watch"])
def test_a_finished_preview_is_shown_in_the_tab(page_of: Any, site: Any, task_id: str) -> None:
    page = page_of("admin")
    page.goto(site.task_url(task_id, TAB))
    preview = tab(page).frame_locator("iframe[title=Preview]")
    expect(preview.get_by_role("heading", name="tide-mill")).to_be_visible()
    expect(preview.locator(".scenes img")).to_have_count(3)
    expect(preview.locator(".scenes img").first).to_have_js_property("complete", True)
    assert preview.locator(".scenes img").first.evaluate("picture => picture.naturalWidth") > 0


def test_the_tab_is_found_by_its_name(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.task_url("video"))
    page.get_by_role("link", name="Video", exact=True).and_(page.locator(f"[href$='{TAB}']")).click()
    expect(tab(page).get_by_role("heading", name="tide-mill")).to_be_visible()


def test_a_deferred_task_shows_that_its_job_is_under_way(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.task_url("slow", TAB))
    expect(tab(page).get_by_text("The preview is being made.")).to_be_visible()
    expect(tab(page).get_by_text("deferred")).to_be_visible()
    expect(tab(page).locator("main")).to_have_attribute("data-refreshes", "")


def test_a_failed_job_says_why(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.task_url("failing", TAB))
    expect(tab(page).get_by_text("NO_FONT: The font cannot be read.")).to_be_visible()
    expect(tab(page).get_by_text("pays for a new one")).to_be_visible()


def test_another_operators_task_says_that_it_makes_no_video(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.task_url("other", TAB))
    expect(tab(page).get_by_text("This task does not make a video.")).to_be_visible()


@pytest.mark.parametrize(
    ("task_id", "link", "seen"),
    [
        ("preview", "Preview", "tide-mill"),
        ("video", "Preview", "tide-mill"),
        ("watch", "Preview", "tide-mill"),
        ("slow", "Preview", "There is no preview yet."),
        ("watch", "Video", "There is no video here."),
    ],
)
def test_a_link_leads_to_what_it_names_or_says_why_there_is_none(
    page_of: Any, site: Any, task_id: str, link: str, seen: str
) -> None:
    page = page_of("admin")
    page.goto(site.task_url(task_id, "details"))
    button = page.locator(f"a[href*='/video_creation/tasks/'][href$='/{link.lower()}']")
    expect(button).to_have_text(link)
    page.goto(button.get_attribute("href"))
    expect(page.get_by_text(seen).first).to_be_visible()


def test_the_link_to_a_video_plays_it(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.page_url("video", "video"))
    assert page.url.startswith(site.emulator.base_url)
    plays(page.locator("video"))


def test_the_tab_follows_airflows_theme(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.task_url("video", TAB))
    root = tab(page).locator("html")
    expect(root).to_have_attribute("data-theme", "light")
    page.evaluate("document.documentElement.classList.replace('light', 'dark')")
    expect(root).to_have_attribute("data-theme", "dark")
