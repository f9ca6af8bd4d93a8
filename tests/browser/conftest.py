"""A real Airflow and a real browser, which the tests of this folder share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

HERE = Path(__file__).parent
# The site, and the cluster of the system tests, are modules beside the tests, which are no package.
sys.path[:0] = [str(HERE), str(HERE.parent / "system")]

if TYPE_CHECKING:
    from airflow_site import AirflowSite
    from playwright.sync_api import Browser, BrowserContext, Page

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 60_000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("browser tests")
    group.addoption("--write-screenshots", metavar="FOLDER", help="keep the pictures that are taken in it")


@pytest.fixture(scope="session")
def site() -> Iterator[AirflowSite]:
    """Airflow, with a run of the DAG ``films`` that is over but for the task ``slow``."""
    from airflow_site import AirflowSite

    with AirflowSite() as started:
        yield started


@pytest.fixture(scope="session")
def night(site: AirflowSite) -> Iterator[str]:
    """The run of a night of 200 mapped videos, and of one of 2,000 videos of one task; see ``dags/nights.py``."""
    from written_nights import WrittenNights

    written, run_id = WrittenNights(site), "night-of-2026-11-21"
    written.of_tasks(run_id)
    written.of_one(run_id, 2000)
    yield run_id
    written.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, from the system's packages."""
    from cluster.software import program
    from playwright.sync_api import expect, sync_playwright

    chromium = program("chromium", package="chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def logged_in(site: AirflowSite, browser: Browser) -> Iterator[Callable[[str | None], BrowserContext]]:
    """A browser's profile in which somebody, or nobody, has logged in by Airflow's own form."""
    profiles: dict[str | None, BrowserContext] = {}

    def of(user: str | None) -> BrowserContext:
        if user not in profiles:
            profiles[user] = browser.new_context(viewport={"width": 1280, "height": 800})
            profiles[user].set_default_timeout(PATIENCE_MS)
            if user is not None:
                page = profiles[user].new_page()
                page.goto(f"{site.url}/auth/login/")
                page.fill("#username", user)
                page.fill("#password", user)
                page.locator("input[type=submit], button[type=submit]").first.click()
                page.wait_for_url(lambda url: "/login" not in url)
                page.close()
        return profiles[user]

    yield of
    for profile in profiles.values():
        profile.close()


@pytest.fixture
def page_of(logged_in: Callable[[str | None], BrowserContext]) -> Iterator[Callable[[str | None], Page]]:
    """A new page of somebody's, or nobody's, browser."""
    pages: list[Page] = []

    def of(user: str | None) -> Page:
        pages.append(logged_in(user).new_page())
        return pages[-1]

    yield of
    for page in pages:
        page.close()
