"""FetchArticlesOperator from run to run: each article to one run only, the same list to the same run, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_video_creation.provider.errors import ArticleError, ArticleMemoryError

from ...told_errors import raises_telling
from .conftest import TONIGHT

DAY = timedelta(days=1)
LATE = "Fri, 20 Nov 2026 23:00:00 GMT"


def pages(articles: list[dict[str, Any]]) -> list[str]:
    return [article["url"].rpartition("/")[2].removesuffix(".html") for article in articles]


def test_a_run_gets_the_same_articles_again_and_no_other_run_gets_them(
    site: Any, fetch_articles: Callable[..., Any], variables: dict[str, str]
) -> None:
    feed = site.put_feed("/own.xml", f"{site.url}/tide-mill.html", f"{site.url}/gone.html", ETag='"1"')
    first, left_out = fetch_articles(feed_url=feed, run="monday")
    assert pages(first) == ["tide-mill"]
    assert [entry["url"] for entry in left_out] == [f"{site.url}/gone.html"]
    assert list(variables) == ["articles_given.night.fetch"]

    # Shown late: published before monday's run. The page that was gone is there now, and still monday's.
    links = [f"{site.url}/{page}.html" for page in ("winter-bread", "tide-mill", "gone")]
    site.put_feed("/own.xml", *links, ETag='"2"')
    site.put("/gone.html", site.pages["/city-swifts.html"][2])
    second, _ = fetch_articles(feed_url=feed, run="tuesday", run_after=TONIGHT + DAY)
    assert pages(second) == ["winter-bread"]

    assert site.asked
    again, left_out = fetch_articles(feed_url=feed, run="monday")
    assert (pages(again), left_out) == (["tide-mill", "gone"], [])
    assert again[0] == first[0]
    assert site.asked == ["/tide-mill.html", "/gone.html"]

    by_hand, _ = fetch_articles(
        feed_url=feed, run="by hand", run_type="manual", run_after=TONIGHT + 1.5 * DAY
    )
    assert by_hand == []
    assert site.requests[-1][1]["If-None-Match"] == '"2"'
    assert site.asked == ["/own.xml"]


def test_a_dry_run_leaves_its_articles_to_the_next(site: Any, fetch_articles: Callable[..., Any]) -> None:
    feed = site.put_feed("/dry.xml", f"{site.url}/tide-mill.html")

    looked, _ = fetch_articles(feed_url=feed, run="dry", dry_run="True")
    taken, _ = fetch_articles(feed_url=feed, run="night", last_success=TONIGHT - timedelta(minutes=1))
    assert pages(looked) == ["tide-mill"]
    assert taken == looked, "the dry run was a success, and made nothing"


def test_a_first_look_by_hand_reaches_back_whatever_succeeded_before(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    feed = site.put_feed("/deleted.xml", f"{site.url}/tide-mill.html")
    given = {"feed_url": feed, "last_success": TONIGHT - timedelta(minutes=1)}

    assert fetch_articles(**given, run="scheduled", dry_run=True)[0] == []
    assert pages(fetch_articles(**given, run="by hand", run_type="manual")[0]) == ["tide-mill"]


def test_a_failed_task_leaves_its_articles_to_its_retry_or_to_the_next_run(
    site: Any, fetch_articles: Callable[..., Any], log: Any
) -> None:
    feed = site.put_feed("/down.xml", f"{site.url}/tide-mill.html", ETag='"1"')
    page = site.pages.pop("/tide-mill.html")
    with pytest.raises(ArticleError, match="None of 1 articles could be read"):
        fetch_articles(feed_url=feed, run="monday")

    # The feed has not changed and is answered with 304; what monday chose is remembered.
    site.pages["/tide-mill.html"] = page
    second, _ = fetch_articles(feed_url=feed, run="tuesday", run_after=TONIGHT + DAY)
    assert pages(second) == ["tide-mill"]
    assert "Took over what earlier runs could not read: monday" in log()
    cleared, _ = fetch_articles(feed_url=feed, run="monday")
    assert cleared == []


def test_what_may_have_left_the_feed_is_told_in_the_log_and_is_no_article(
    site: Any, fetch_articles: Callable[..., Any], log: Any
) -> None:
    feed = site.put_feed("/short.xml", f"{site.url}/gone.html", date="Thu, 19 Nov 2026 22:00:00 GMT")
    fetch_articles(feed_url=feed, run="monday")
    site.put_feed("/short.xml", f"{site.url}/tide-mill.html", date="Sun, 29 Nov 2026 22:00:00 GMT")
    assert "Run the DAG more often" not in log()
    _, left_out = fetch_articles(feed_url=feed, run="later", run_after=TONIGHT + 9 * DAY)
    assert left_out == []
    assert f"{feed} goes back to 2026-11-29T22:00:00+00:00 only" in log()
    assert "Run the DAG more often" in log()


def test_a_feed_that_has_not_changed_is_said_to_be_so(
    site: Any, fetch_articles: Callable[..., Any], log: Any
) -> None:
    feed = site.put_feed("/same.xml", f"{site.url}/tide-mill.html", ETag='"1"')
    fetch_articles(feed_url=feed)
    fetch_articles(feed_url=feed, run="next", run_after=TONIGHT + DAY)
    assert "the feed has not changed" in log()
    assert "of 0 entries" not in log()


def test_the_log_tells_what_was_given_from_what_was_passed_over(
    site: Any, fetch_articles: Callable[..., Any], log: Any
) -> None:
    names = ("tide-mill", "winter-bread", "city-swifts")
    feed = site.put_feed("/three.xml", *(f"{site.url}/{name}.html" for name in names))
    fetch_articles(feed_url=feed, run="monday", max_articles=1)
    assert "new: 3 of 3; given to other runs: 0; passed over earlier: 0" in log()

    fetch_articles(feed_url=feed, run="tuesday", run_after=TONIGHT + DAY, max_articles=1)
    assert "new: 0 of 3; given to other runs: 1; passed over earlier: 2" in log()


def test_what_another_run_could_not_read_counts_as_new_and_not_as_given(
    site: Any, fetch_articles: Callable[..., Any], log: Any
) -> None:
    feed = site.put_feed("/down.xml", f"{site.url}/tide-mill.html")
    page = site.pages.pop("/tide-mill.html")
    with pytest.raises(ArticleError):
        fetch_articles(feed_url=feed, run="monday")
    site.pages["/tide-mill.html"] = page

    fetch_articles(feed_url=feed, run="tuesday", run_after=TONIGHT + DAY)
    assert "new: 1 of 1; given to other runs: 0; passed over earlier: 0" in log()


def test_a_link_that_changes_from_look_to_look_gives_its_article_once(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    given = []
    for number in range(3):
        items = ""
        for page in ("tide-mill", "winter-bread"):
            link = site.put(f"/{page}.html?sid={number}", site.pages[f"/{page}.html"][2])
            items += f"<item><title>{page}</title><link>{link}</link><pubDate>{LATE}</pubDate></item>"
        feed = site.put_feed("/sessions.xml", more=items)
        run_after = TONIGHT + timedelta(hours=number)
        given.append(len(fetch_articles(feed_url=feed, run=str(number), run_after=run_after)[0]))
    assert given == [2, 0, 0]


def test_two_feeds_of_a_mapped_task_have_memories_of_their_own_and_a_variable_can_be_named(
    site: Any, fetch_articles: Callable[..., Any], variables: dict[str, str]
) -> None:
    site.put_feed("/none.xml", f"{site.url}/a.html", date="Fri, 20 Nov 2020 22:00:00 GMT")
    for index, name in enumerate(["none.xml", "none.xml?2"]):
        site.pages[f"/{name}"] = site.pages["/none.xml"]
        fetch_articles(feed_url=f"{site.url}/{name}", map_index=index)
    assert len(variables) == 2
    fetch_articles(feed_url=f"{site.url}/none.xml", remember="what_was_shown")
    assert json.loads(variables["what_was_shown"])["version"] == 1


def test_without_what_was_given_before_nothing_is_taken(
    site: Any,
    fetch_articles: Callable[..., Any],
    variables: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    feed = f"{site.url}/feed.xml"
    variables["articles_given.night.fetch"] = "something else"
    with raises_telling(ArticleMemoryError, r"'articles_given\.night\.fetch' does not hold") as caught:
        fetch_articles(feed_url=feed)
    assert isinstance(caught.value, AirflowException)
    assert site.asked == []

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("API server away")

    variables.clear()
    monkeypatch.setattr("airflow.sdk.Variable.set", refuse)
    with raises_telling(ArticleMemoryError, r"written \(RuntimeError: API server away") as caught:
        fetch_articles(feed_url=feed)
    assert not isinstance(caught.value, AirflowFailException)
    assert site.asked == ["/feed.xml"]

    # As Airflow 3.1 and 3.2 do when they cannot set a Variable.
    monkeypatch.setattr("airflow.sdk.Variable.set", lambda *_, **__: None)
    with raises_telling(ArticleMemoryError, "does not hold what was just written to it"):
        fetch_articles(feed_url=feed)
    assert site.asked == ["/feed.xml"]
