"""The emulator's preview page in a real browser: it plays, scene after scene, also in an iframe and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from cluster.until import until
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from airflow_video_creation.emulator import TOKEN, USER_ID, Emulator

STORYBOARD = {
    "videoName": "Ten thousand trees",
    "videoDescription": "How a city plants a forest",
    "autoHighlightKeywords": True,
    "audio": {"autoBackgroundMusic": True},
    "scenes": [
        {
            "text": "The city plants ten thousand trees.",
            "fontSize": 36,
            "verticalAlignment": "center",
            "horizontalAlignment": "center",
        },
        {"text": "The first oaks go to the river bank, where volunteers have dug the holes since March."},
        {"text": "They cost €5 million – says a café owner.", "textColor": "#FFD23F"},
        {"text": "Not everybody is <emphasis>happy</emphasis>: parking spaces will <lang>go</lang>."},
        {"text": "Planting ends in 2030.", "verticalAlignment": "top"},
    ],
}
CURRENT = ".scenes button[aria-current]"
MAX_BYTES = 150_000


class Service:
    """Storyboards and renders of an emulator, waited for."""

    def __init__(self, emulator: Emulator) -> None:
        self.url = emulator.base_url
        self._http = requests.Session()
        self._http.headers.update({"Authorization": TOKEN, "X-Service-User-Id": USER_ID})

    def finished(self, path: str, body: Any) -> dict[str, Any]:
        job_id = self._http.post(self.url + path, json=body, timeout=10).json()["job_id"]
        return dict(until("the end of the job", lambda: self._result(job_id), patience=60))

    def _result(self, job_id: str) -> dict[str, Any] | None:
        job = self._http.get(f"{self.url}/api/v1/job/{job_id}", timeout=10).json()["data"]
        return job if job["status"] == "completed" else None


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Emulator(job_seconds=0) as emulator:
        yield Service(emulator)


@pytest.fixture(scope="module")
def data(service: Service) -> dict[str, Any]:
    """What the storyboard's job yields."""
    return service.finished("/api/v1/video/storyboard", STORYBOARD)


@pytest.fixture(params=[1280, 390], ids=["wide", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": request.param, "height": 844})
    yield page
    page.close()


def plays_from_scene_to_scene(page: Any) -> None:
    """Play is pressed, and the second scene comes in its time."""
    expect(page.locator(".scenes li")).to_have_count(5)
    expect(page.locator(CURRENT)).to_contain_text("ten thousand")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(CURRENT)).to_contain_text("first oaks")
    assert page.locator("audio").evaluate("audio => audio.currentTime") >= 3


def test_it_plays_and_a_click_on_a_scene_jumps(page: Page, data: dict[str, Any]) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(data["preview"])
    plays_from_scene_to_scene(page)
    page.get_by_role("button", name="café owner").click()
    expect(page.locator(CURRENT)).to_contain_text("café owner")
    shown = page.locator(".stage").get_attribute("src")
    assert shown == page.locator(f"{CURRENT} img").get_attribute("src")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert errors == []


def test_it_shows_texts_durations_and_what_is_left_out(page: Page, data: dict[str, Any]) -> None:
    page.goto(data["preview"])
    texts = page.locator(".scenes li").all_inner_texts()
    assert "They cost €5 million – says a café owner." in texts[2]
    assert all(" s ·" in text for text in texts)
    expect(page.get_by_text("SSML (its text is spoken as it is): lang")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    widths = page.locator(".scenes img").evaluate_all("images => images.map(image => image.naturalWidth)")
    assert min(widths) > 0


def test_it_names_nothing_outside_the_emulator(page: Page, service: Service, data: dict[str, Any]) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(data["preview"])
    expect(page.locator(".stage")).to_be_visible()
    assert [url for url in asked if not url.startswith((service.url, "data:"))] == []


def test_it_plays_in_an_iframe_that_allows_nothing_but_scripts(page: Page, data: dict[str, Any]) -> None:
    page.set_content(
        f'<iframe sandbox="allow-scripts" width="380" height="800" src="{data["preview"]}"></iframe>'
    )
    plays_from_scene_to_scene(page.frame_locator("iframe"))


def test_what_a_storyboard_says_is_shown_and_never_run(page: Page, service: Service) -> None:
    hostile = """</script><script>window.ran = 1</script><img src=x onerror="window.ran = 1">'{{ 1 + 1 }}"""
    said = {
        "videoName": "{{ 1 + 1 }}",
        "videoDescription": hostile,
        "language": hostile,
        "textStyles": {"fontFamily": hostile, "fontWeight": hostile},
        "audio": {"aiVoiceOver": {"speed": hostile}},
    }
    small = {"videoWidth": "160", "videoHeight": "90", "scenes": [{"text": hostile, "voiceOver": False}]}
    data = service.finished("/api/v1/video/storyboard", {**said, **small})
    page.goto(data["preview"])
    expect(page.locator(".scenes span").first).to_have_text(hostile)
    expect(page.locator("h1")).to_have_text("{{ 1 + 1 }}")
    expect(page.locator("ul.quiet")).to_contain_text(hostile)
    assert page.evaluate("window.ran") is None


def test_the_video_plays_there_once_it_is_rendered(page: Page, service: Service) -> None:
    small = {**STORYBOARD, "videoWidth": "160", "videoHeight": "90", "scenes": STORYBOARD["scenes"][:2]}
    data = service.finished("/api/v1/video/storyboard", small)
    service.finished("/api/v1/video/render", data["render_settings"])
    page.goto(data["preview"])
    page.locator(".scenes button").nth(1).click()
    page.wait_for_function("document.querySelector('video').currentTime > 3.5")
    expect(page.locator(CURRENT)).to_contain_text("first oaks")


@pytest.mark.parametrize(("name", "width"), [("emulator-preview", 1280), ("emulator-preview-phone", 390)])
def test_pictures_for_the_documentation(
    browser: Browser, data: dict[str, Any], name: str, width: int, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 860})
    page.goto(data["preview"])
    page.get_by_role("button", name="café owner").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    taken = tmp_path / "taken.png"
    page.screenshot(path=taken)
    page.close()
    folder = Path(pytestconfig.getoption("--write-screenshots") or tmp_path)
    picture = folder / f"{name}.png"
    whole = Image.open(taken).convert("RGB")
    palette = whole.quantize(256, Image.Quantize.MAXCOVERAGE)
    whole.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(picture, optimize=True)
    assert picture.stat().st_size < MAX_BYTES
