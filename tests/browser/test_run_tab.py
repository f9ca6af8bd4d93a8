"""The tab "Videos" of a run and of a DAG, as an administrator sees it in Airflow's UI."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FrameLocator, Page, expect

RUN_TAB, DAG_TAB = "plugin/video_creation_run", "plugin/video_creation_dag"
WIDTHS = [360, 1440]
UNDER_WAY = "night-of-2026-11-22"


def tab(page: Page) -> FrameLocator:
    """What the tab shows."""
    return page.frame_locator("iframe[title=Videos]")


def tile(shown: Any, name: str) -> Any:
    return shown.locator("#tiles li").filter(
        has=shown.locator(".name", has_text=re.compile(f"^{re.escape(name)}$"))
    )


def page_of_run(site: Any, dag_id: str, run_id: str) -> str:
    from urllib.parse import quote

    return f"{site.url}/video_creation/videos/{dag_id}/{quote(run_id, safe='')}"


def test_a_run_shows_each_of_its_videos_and_how_it_stands(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url(RUN_TAB))
    shown = tab(page)
    expect(shown.get_by_role("heading", name="5 of 9 made")).to_be_visible()
    expect(
        shown.get_by_text(re.compile("2 failed · 1 waiting for a person · 1 under way · .* made"))
    ).to_be_visible()
    expect(tile(shown, "slow")).to_contain_text("Under way: the preview is being made")
    expect(tile(shown, "city-swifts")).to_contain_text("videos/city-swifts.mp4")
    expect(tile(shown, "winter-bread")).to_contain_text("Delivered")


def test_the_tab_is_found_by_its_name(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url())
    page.get_by_role("link", name="Videos", exact=True).and_(page.locator(f"[href$='{RUN_TAB}']")).click()
    expect(tab(page).get_by_role("heading", name="5 of 9 made")).to_be_visible()


def test_the_reason_of_a_failed_video_is_two_clicks_from_the_run(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url())
    page.locator(f"a[href$='{RUN_TAB}']").click()
    first = tab(page).locator("#tiles li").first
    expect(first).to_contain_text("NO_FONT: The font cannot be read.")
    first.get_by_role("button").click()
    one = tab(page).get_by_role("dialog")
    expect(one.get_by_text("Correct what it names and submit the job again.").first).to_be_visible()


def test_a_delivered_video_has_its_picture_and_plays(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url(RUN_TAB))
    for name in ("city-swifts", "winter-bread", "film-1"):
        picture = tile(tab(page), name).locator("img")
        picture.scroll_into_view_if_needed()
        expect(tile(tab(page), name).locator(".picture")).to_have_class("picture there")
        assert picture.evaluate("picture => picture.naturalWidth") > 0
    tile(tab(page), "winter-bread").get_by_role("button").click()
    video = tab(page).get_by_role("dialog").locator("video")
    expect(video).to_be_visible()
    expect(video).not_to_have_js_property("readyState", 0)
    assert video.evaluate("video => video.duration") > 1


def test_a_video_leads_to_its_task_and_log(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url(RUN_TAB))
    tile(tab(page), "city-swifts").get_by_role("button").click()
    tab(page).get_by_role("link", name="The task and its log").click()
    page.wait_for_url(re.compile("/tasks/delivered.download_video/mapped/0"))


def test_what_waits_for_a_person_leads_to_the_question(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url(RUN_TAB))
    waiting = tab(page).locator("#tiles li").filter(has_text="Waiting for a person")
    waiting.get_by_role("button").click()
    tab(page).get_by_role("link", name="Answer in Airflow's form").click()
    page.wait_for_url(re.compile("/tasks/approve/required_actions"))
    expect(page.get_by_text("Render this video?").first).to_be_visible()


def test_a_task_that_makes_many_shows_its_own_videos(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.task_url("all", "plugin/video_creation"))
    shown = page.frame_locator("iframe[title=Video]")
    expect(shown.get_by_role("heading", name="1 of 2 delivered")).to_be_visible()
    expect(shown.locator("#tiles li")).to_have_count(2)
    tile(shown, "winter-bread").get_by_role("button").click()
    expect(shown.get_by_role("dialog").locator("video")).to_be_visible()


def test_a_dag_lists_its_last_runs(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(f"{site.url}/dags/films/{DAG_TAB}")
    line = tab(page).locator("#runs li").first
    expect(line).to_contain_text("5 of 9 made")
    expect(line.get_by_role("img", name="2 failed, 1 waiting for a person")).to_be_visible()
    line.get_by_role("link").click()
    page.wait_for_url(re.compile(RUN_TAB))
    expect(tab(page).get_by_role("heading", name="5 of 9 made")).to_be_visible()


def test_a_night_is_filtered_searched_sorted_and_turned_by_keyboard_alone(
    page_of: Any, site: Any, night: str
) -> None:
    page = page_of("admin")
    page.goto(page_of_run(site, "night_of_tasks", night))
    expect(page.get_by_role("heading", name="190 of 200 delivered")).to_be_visible()
    expect(page.locator("#tiles li")).to_have_count(60)
    page.get_by_role("button", name="In doubt 1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#tiles li")).to_have_count(1)
    page.locator("#tiles button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").locator("code")).to_contain_text(
        f"adopt_render_job_id=\"{{{{ {{('{night}', 40): 'JOB_ID'}}"
    )
    expect(page.get_by_text("This task ended without a job")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#tiles button")).to_be_focused()
    page.get_by_role("button", name="All 200").press("Enter")
    page.get_by_label("Search").fill("film-018")
    expect(page.locator("#tiles li")).to_have_count(10)
    page.get_by_label("Search").fill("")
    page.get_by_label("Sort").select_option("name")
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.get_by_text("Page 2 of 4")).to_be_visible()
    expect(page.locator("#tiles .name").first).to_have_text("film-0060")


def test_a_message_is_read_sentence_by_sentence(page_of: Any, site: Any, night: str) -> None:
    from written_nights import FAILED_LINES

    page = page_of("admin")
    page.goto(page_of_run(site, "night_of_tasks", night))
    failed = tile(page, "film-0003")
    expect(failed.locator(".cause")).to_have_text(
        "Job s-3 failed, the service says: NO_FONT: The font cannot be read."
    )
    lines = FAILED_LINES.partition("be read. ")[2].replace(". ", ".\n")
    assert failed.locator(".todo").inner_text() == lines
    failed.get_by_role("button").click()
    told = page.locator("#one-facts")
    assert lines in told.inner_text()


def test_on_a_phone_the_page_opens_alone_as_wide_as_the_screen(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    page.goto(site.run_url(RUN_TAB))
    expect(tab(page).get_by_role("heading", name="5 of 9 made")).to_be_visible()
    expect(tab(page).get_by_role("link", name="Open this page in a new tab")).to_be_hidden()
    page.set_viewport_size({"width": 360, "height": 780})
    page.reload()
    with page.context.expect_page() as opened:
        tab(page).get_by_role("link", name="Open this page in a new tab").click()
    expect(opened.value.get_by_role("heading", name="5 of 9 made")).to_be_visible()
    opened.value.set_viewport_size({"width": 360, "height": 780})
    assert opened.value.evaluate("document.documentElement.scrollWidth") <= 360
    opened.value.close()


def test_names_are_shown_and_never_run(page_of: Any, site: Any, night: str) -> None:
    from written_nights import HOSTILE

    page = page_of("admin")
    page.goto(page_of_run(site, "night_of_tasks", night))
    page.get_by_label("Search").fill("img src")
    expect(page.locator("#tiles .name")).to_have_text(HOSTILE)
    page.locator("#tiles button").click()
    expect(page.locator("#one-name")).to_have_text(HOSTILE)
    expect(page.locator("#one-shown video")).to_be_visible()
    assert page.evaluate("window.ran") is None


def test_pictures_are_read_when_they_come_into_view(page_of: Any, site: Any, night: str) -> None:
    page = page_of("admin")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/poster" in request.url else None)
    page.goto(page_of_run(site, "night_of_one", night))
    page.get_by_label("Sort").select_option("name")
    expect(page.locator("#tiles li").first.locator(".there")).to_be_visible()
    early = len(asked)
    assert 0 < early < 60
    page.locator("#tiles li").nth(59).scroll_into_view_if_needed()
    expect(page.locator("#tiles li").nth(58).locator(".there")).to_be_visible()
    assert len(asked) > early


def test_a_run_that_goes_on_is_followed(page_of: Any, site: Any) -> None:
    from written_nights import WrittenNights

    written = WrittenNights(site)
    written.of_one(UNDER_WAY, 3, state="running", begun=1)
    page = page_of("admin")
    page.goto(page_of_run(site, "night_of_one", UNDER_WAY))
    expect(page.get_by_role("heading", name="1 of 3 delivered")).to_be_visible()
    expect(page.get_by_role("img", name="2 not started, 1 delivered")).to_be_visible()
    expect(tile(page, "film-0002")).to_contain_text("Not started")
    written.ends(UNDER_WAY)
    expect(page.get_by_role("heading", name="3 of 3 delivered")).to_be_visible()
    written.close()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("what", ["run", "one", "dag"])
def test_nobody_is_shut_out(page_of: Any, site: Any, night: str, what: str, width: int, dark: bool) -> None:
    page = page_of("admin")
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if dark else "light")
    if what == "dag":
        page.goto(f"{site.url}/video_creation/videos/night_of_tasks")
        expect(page.get_by_text("190 of 200 delivered")).to_be_visible()
    else:
        page.goto(page_of_run(site, "night_of_tasks", night))
        expect(page.locator("#tiles li").first).to_be_visible()
    if what == "one":
        page.get_by_role("button", name="In doubt 1").click()
        page.locator("#tiles button").click()
        expect(page.locator("#one-shown")).not_to_contain_text("Reading the job at the service.")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
