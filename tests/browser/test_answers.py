"""Who is asked about a preview watches and answers it on one page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FrameLocator, Page, expect

RUN_TAB, TASK_TAB = "plugin/video_creation_run", "plugin/video_creation"
ASKED = "the-day-of-two-questions"


@pytest.fixture(scope="module")
def asked(site: Any) -> str:
    """A run of the DAG ``asked``, in which a person is asked about two videos."""
    site.asks(ASKED)
    return ASKED


def tile(page: Page, site: Any, run_id: str, name: str) -> Any:
    """The tile of a video, one click from the run."""
    page.goto(site.run_url("", "asked", run_id))
    page.locator(f"a[href$='{RUN_TAB}']").click()
    return page.frame_locator("iframe[title=Videos]").locator("#tiles li").filter(has_text=name)


def dialog(page: Page) -> Any:
    return page.frame_locator("iframe[title=Videos]").get_by_role("dialog")


def preview_in(shown: Any) -> FrameLocator:
    return shown.frame_locator("iframe[title=Preview]")


def test_preview_and_question_are_two_clicks_from_the_run(page_of: Any, site: Any, asked: str) -> None:
    page = page_of("admin")
    waiting = tile(page, site, asked, "harbour")
    expect(waiting).to_contain_text("Open it to watch the preview, and to answer.")
    waiting.get_by_role("button").click()
    expect(preview_in(dialog(page)).get_by_role("heading", name="harbour")).to_be_visible()
    question = dialog(page).get_by_role("group", name="Render this video?")
    expect(question.get_by_role("button")).to_have_text(["Approve", "Reject"])


def test_airflows_form_is_a_click_from_the_preview(page_of: Any, site: Any, asked: str) -> None:
    page = page_of("admin")
    tile(page, site, asked, "heath").get_by_role("button").click()
    dialog(page).get_by_role("link", name="Answer in Airflow's form").click()
    page.wait_for_url(re.compile("/tasks/approve/mapped/1/required_actions"))
    expect(page.get_by_text("Render this video?").first).to_be_visible()
    expect(page.get_by_role("button", name="Approve").first).to_be_visible()


def test_who_may_not_answer_is_told_so_by_airflow(page_of: Any, site: Any, asked: str) -> None:
    page = page_of("viewer")
    page.goto(f"{site.url}/video_creation/tasks/asked/{asked}/approve/1")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("You are not allowed to answer this.")).to_be_visible()
    assert site.task_states("asked", asked)["approve.1"] == "awaiting_input"


@pytest.mark.parametrize("width", [360, 1440])
def test_nobody_is_shut_out_of_the_question(page_of: Any, site: Any, asked: str, width: int) -> None:
    page = page_of("admin")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site.url}/video_creation/tasks/asked/{asked}/approve/1")
    expect(page.get_by_role("group", name="Render this video?")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page, options={"iframes": False})
    assert found.violations_count == 0, found.generate_report()


def test_a_yes_beside_the_preview_lets_the_run_go_on(page_of: Any, site: Any, asked: str) -> None:
    page = page_of("admin")
    tile(page, site, asked, "harbour").get_by_role("button").click()
    dialog(page).get_by_role("button", name="Approve").press("Enter")
    expect(dialog(page).get_by_text("Answered: Approve. The run continues.")).to_be_visible()
    site.until_approvals(asked, {"approve.0": "success", "approve.1": "awaiting_input"})


def test_a_no_on_the_tab_of_the_task_skips_that_video(page_of: Any, site: Any, asked: str) -> None:
    page = page_of("admin")
    page.goto(f"{site.run_url('', 'asked', asked)}/tasks/approve/mapped/1/{TASK_TAB}")
    shown = page.frame_locator("iframe[title=Video]")
    expect(preview_in(shown).get_by_role("heading", name="heath")).to_be_visible()
    shown.get_by_role("button", name="Reject").click()
    expect(shown.get_by_text("Answered: Reject. The run continues.")).to_be_visible()
    site.until_approvals(asked, {"approve.1": "skipped"})


def test_a_question_that_somebody_has_answered_meanwhile_is_not_answered_again(
    page_of: Any, site: Any
) -> None:
    site.asks("the-day-of-two-people")
    pages = [page_of("admin"), page_of("admin")]
    for page in pages:
        page.goto(f"{site.url}/video_creation/tasks/asked/the-day-of-two-people/approve/0")
        expect(page.get_by_role("button", name="Approve")).to_be_visible()
    pages[0].get_by_role("button", name="Reject").click()
    expect(pages[0].get_by_text("Answered: Reject.")).to_be_visible()
    pages[1].get_by_role("button", name="Approve").click()
    expect(pages[1].get_by_text("Someone has already answered.")).to_be_visible()
    site.until_approvals("the-day-of-two-people", {"approve.0": "skipped"})
