"""FetchArticlesOperator against a web server of this machine: what is new, and what is read of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.articles import fetch as article_fetch
from airflow_video_creation.operators.articles import FetchArticlesOperator
from airflow_video_creation.provider.errors import ConfigurationError

from ...told_errors import raises_telling

TONIGHT = datetime(2026, 11, 21, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize("name", ["feed.xml", "atom.xml"])
def test_a_night_reads_what_is_new_oldest_first(
    site: Any, fetch_articles: Callable[..., Any], name: str
) -> None:
    articles, left_out = fetch_articles(feed_url=f"{site.url}/{name}")

    assert left_out == []
    assert [article["url"] for article in articles] == [
        f"{site.url}/{page}.html" for page in ("winter-bread", "city-swifts", "tide-mill")
    ]
    last = articles[-1]
    assert last["title"] == "After 140 years, the tide mill makes electricity again"
    assert last["published"] == "2026-11-20T22:00:00+00:00"
    assert last["author"] == "Marguerite Vallé"
    assert last["language"] == "en-GB"
    assert last["picture"] == f"{site.url}/tide-mill.jpg"
    assert last["text"].startswith("At eleven minutes past six")
    assert {headers["User-Agent"] for _, headers in site.requests} == {article_fetch.USER_AGENT}


@pytest.mark.parametrize(
    ("run_type", "last_success", "lookback", "pages"),
    [
        ("scheduled", TONIGHT - 6 * HOUR, timedelta(days=1), ["city-swifts", "tide-mill"]),
        ("scheduled", None, "PT3H", ["tide-mill"]),
        ("manual", TONIGHT - HOUR, 3 * 3600, ["tide-mill"]),
    ],
)
def test_without_a_memory_new_is_what_was_published_since_the_last_successful_run(
    site: Any,
    fetch_articles: Callable[..., Any],
    run_type: str,
    last_success: datetime | None,
    lookback: Any,
    pages: list[str],
) -> None:
    articles, _ = fetch_articles(
        feed_url=f"{site.url}/feed.xml",
        lookback=lookback,
        run_type=run_type,
        last_success=last_success,
        remember=False,
    )
    assert [article["url"] for article in articles] == [f"{site.url}/{page}.html" for page in pages]


def test_a_run_for_an_earlier_night_takes_nothing_of_a_later_one(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    articles, _ = fetch_articles(
        feed_url=f"{site.url}/feed.xml", run_after=TONIGHT - 4 * HOUR, last_success=TONIGHT - 6 * HOUR
    )
    assert [article["url"] for article in articles] == [f"{site.url}/city-swifts.html"]


def test_the_newest_are_kept_when_there_are_too_many_and_the_log_says_how_to_make_the_others(
    site: Any, fetch_articles: Callable[..., Any], log: Any
) -> None:
    articles, left_out = fetch_articles(feed_url=f"{site.url}/feed.xml", max_articles=1)
    assert [article["url"] for article in articles] == [f"{site.url}/tide-mill.html"]
    assert [entry["url"] for entry in left_out] == [
        f"{site.url}/winter-bread.html",
        f"{site.url}/city-swifts.html",
    ]
    assert "more than max_articles=1 are new, and no later run takes it" in left_out[0]["reason"]
    assert left_out[0]["kind"] == "limit"
    assert "To read the ones left out, run a DAG with their addresses in urls=" in log()


def test_pages_can_be_given_by_address(site: Any, fetch_articles: Callable[..., Any]) -> None:
    urls = [f"{site.url}/{page}.html" for page in ("tide-mill", "winter-bread", "tide-mill", "city-swifts")]
    articles, left_out = fetch_articles(urls=urls, max_articles=2)
    assert [article["url"] for article in articles] == urls[:2]
    assert [entry["url"] for entry in left_out] == [urls[3]]


@pytest.mark.parametrize("as_given", [str, json.dumps, "\n".join, lambda urls: [str(urls)]])
def test_a_list_that_a_template_made_text_is_a_list_again(
    site: Any, fetch_articles: Callable[..., Any], as_given: Any
) -> None:
    urls = [f"{site.url}/{page}.html" for page in ("tide-mill", "winter-bread")]
    articles, left_out = fetch_articles(urls=as_given(urls))
    assert ([article["url"] for article in articles], left_out) == (urls, [])
    assert fetch_articles(urls="[]") == ([], [])


def test_redirects_are_followed_and_the_feeds_address_is_kept(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    moved = site.put("/old.html", "", status=301, Location="/tide-mill.html")
    ((article,), _) = fetch_articles(urls=[moved])
    assert article["url"] == moved
    assert article["picture"] == f"{site.url}/tide-mill.jpg"


def test_the_charset_of_the_header_counts(site: Any, fetch_articles: Callable[..., Any]) -> None:
    text = "Le café de la gare est fermé depuis l'été, et personne ne sait s'il rouvrira avant Noël. " * 3
    html = f"<html><head><title>T</title></head><body><article><p>{text}</p></article></body></html>"
    url = site.put("/fr.html", html.encode("latin-1"), Content_Type="text/html; charset=ISO-8859-1")
    ((article,), _) = fetch_articles(urls=[url])
    assert "fermé depuis l'été" in article["text"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "Task 'fetch' needs one of feed_url=, urls= and files=; none was given"),
        ({"feed_url": "https://example.com/feed.xml", "urls": []}, "feed_url and urls was given"),
        ({"urls": ["https://example.com/a"], "max_articles": 0}, "max_articles=0"),
        ({"urls": ["https://example.com/a"], "pause": -1}, "pause=-1"),
    ],
)
def test_wrong_arguments_are_refused_when_the_dag_is_parsed(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as caught:
        FetchArticlesOperator(task_id="fetch", **arguments)
    assert isinstance(caught.value, AirflowFailException)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"urls": "None"}, "a text in urls= that names no addresses"),
        ({"urls": ["[https://example.com/a]"]}, "a text in urls= that names no addresses"),
        ({"urls": 5}, "urls=5; give a list of addresses"),
        ({"urls": {"https://example.com/a": 1}}, "give a list of addresses"),
        ({"urls": [5]}, "urls=.5.; give a list of addresses"),
        ({"files": 5}, "files=5; give a folder"),
        ({"files": ""}, "files=''; give a folder"),
        ({"files": [None]}, "files=.None.; give a folder"),
        ({"files": "None"}, "files='None'; give a folder"),
        ({"files": " "}, "files=' '; give a folder"),
        ({"feed_url": 5}, "feed_url=5; give the address"),
        ({"lookback": "a week"}, "lookback='a week'"),
        ({"lookback": -5}, "lookback=-5"),
        ({"lookback": "-P1D"}, "lookback='-P1D'"),
        ({"lookback": True}, "lookback=True"),
        ({"lookback": float("nan")}, "lookback=nan"),
    ],
)
def test_wrong_values_of_templates_fail_the_task(
    site: Any, fetch_articles: Callable[..., Any], arguments: dict[str, Any], says: str
) -> None:
    given = {"feed_url": f"{site.url}/feed.xml"} if "lookback" in arguments else {}
    with raises_telling(AirflowFailException, says):
        fetch_articles(**given, **arguments)


@pytest.mark.parametrize("lookback", [timedelta(days=10**6), "P5000Y", 1e9])
@pytest.mark.parametrize("remember", [True, False])
def test_a_lookback_of_thousands_of_years_takes_all(
    site: Any, fetch_articles: Callable[..., Any], lookback: Any, remember: bool
) -> None:
    articles, _ = fetch_articles(feed_url=f"{site.url}/feed.xml", lookback=lookback, remember=remember)
    assert len(articles) == 3


def test_white_space_and_none_among_the_addresses_are_dropped(
    site: Any, fetch_articles: Callable[..., Any]
) -> None:
    page = site.url.replace("://", "://reader:hunter2@") + "/tide-mill.html"
    outcome = fetch_articles(urls=[None, f" {page}", f"\n{page}"])
    assert [article["url"] for article in outcome[0]] == [f"{site.url}/tide-mill.html"]
    assert fetch_articles(urls=[None]) == ([], [])
    feed = site.url.replace("://", "://reader:hunter2@") + "/feed.xml"
    assert len(fetch_articles(feed_url=f" {feed} ")[0]) == 3


def test_importing_the_operator_imports_nothing_heavy() -> None:
    program = (
        "import sys; import airflow.providers.common.compat.sdk as sdk; sdk.BaseOperator; before = set(sys.modules);"
        "import airflow_video_creation.operators.articles; print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    added = {name.split(".")[0] for name in done.stdout.split()}
    assert not added & {"requests", "feedparser", "trafilatura", "sentencex", "lxml", "pydantic", "aiohttp"}
