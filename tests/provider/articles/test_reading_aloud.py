"""What of a page is read aloud: sentences, wherever a page keeps them, and nothing that is none."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.articles.feed import FeedEntry
from airflow_video_creation.provider.articles.page import read_page
from airflow_video_creation.provider.errors import ArticleError

FIRST = "The mill stands where the river meets the sea, and it has turned there since the winter of 1886."
SECOND = "Twice a day the tide fills the pond behind the dam, and the gate falls shut by its own weight."
THIRD = "The miller counts the sacks in the evening, and writes the number into a book with a green cover."
SENTENCES = (FIRST, SECOND, THIRD)


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def read(body: str, *, language: str = "en", title: str = "The mill at the sea") -> list[str]:
    page = (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body>{body}</body></html>"
    )
    article = read_page(page.encode(), entry=FeedEntry("https://almanac.example.com/mill", title=title))
    return article.text.splitlines()


def test_an_article_in_a_frame_named_after_its_advertisements_is_read_without_them() -> None:
    assert read(
        f"""
        <div class="container ad-wide-expanding">
          <div class="ad-top"><p>Buy two sacks of flour now, and the third one costs you nothing at all.</p></div>
          <div><h1>The mill at the sea</h1>{paragraphs(*SENTENCES)}</div>
          <div class="box ad-bottom"><p>This offer ends on Sunday, so be quick and call our friendly team.</p></div>
        </div>
        """
    ) == [*SENTENCES]


def test_an_old_page_that_is_laid_out_with_tables_is_read_without_its_navigation() -> None:
    assert read(
        f"""
        <table width="900"><tr><td colspan="3"><table><tr><td><a href="/">Home</a></td>
            <td><a href="/mills">Mills</a></td></tr></table></td></tr>
          <tr><td width="160"><a href="/1">Wind mills</a> <a href="/2">Water mills</a> <a href="/3">Hand mills</a>
              <script>var a_slot = "0764542773"; a_width = 160; show_advertisement_in_this_column(a_slot);</script></td>
            <td>{"<br><br>".join(SENTENCES)}</td>
            <td><table><tr><td><b>Today</b></td></tr><tr><td>High water 11:52</td></tr></table></td></tr>
        </table>
        """
    ) == [*SENTENCES]


def test_a_japanese_story_in_a_table_is_read() -> None:
    story = (
        "むかしむかし、海のそばの小さな村に、年をとった粉ひきが住んでいました。",
        "粉ひきは毎朝、潮が満ちるのを待って、水車の門をしずかに閉めました。",
        "ある日、門のそばで一羽の白い鳥が、足をいためて動けなくなっていました。",
    )
    assert read(
        f"""
        <table><tr><td><a href="/">昔話の部屋</a> <a href="/a">きょうの話</a></td></tr>
          <tr><td><font size="2">{"<br><br>".join(story)}</font></td></tr></table>
        """,
        language="ja",
        title="粉ひきと鳥",
    ) == [*story]


def test_a_table_of_sentences_is_read_and_one_of_numbers_is_not() -> None:
    assert read(
        f"""
        <article>{paragraphs(FIRST, SECOND)}
          <table><tr><th>Day</th><th>What we do</th></tr>
            <tr><td>Saturday</td><td>We walk along the dam, and eat where the boats are mended.</td></tr>
            <tr><td>Sunday</td><td>The miller opens the gate at eleven and shows how he grinds.</td></tr></table>
          <p>{THIRD}</p>
          <table><caption>Sacks a year</caption><tr><th>Year</th><th>Wheat</th><th>Rye</th></tr>
            <tr><td>1886</td><td>2,140</td><td>310</td></tr><tr><td>1887</td><td>2,395</td><td>288</td></tr>
            <tr><td colspan="3">The figures are the miller's own, from the green book of that year.</td></tr></table>
        </article>
        """
    ) == [
        FIRST,
        SECOND,
        "Day",
        "What we do",
        "Saturday",
        "We walk along the dam, and eat where the boats are mended.",
        "Sunday",
        "The miller opens the gate at eleven and shows how he grinds.",
        THIRD,
    ]


def test_a_table_that_numbers_the_lines_of_code_is_not_read() -> None:
    code = (
        "send(new Sack('wheat')); // The miller takes it. He asks for no receipt, and gives none to anybody."
    )
    table = f"<table><tr><td>1 2</td><td><pre>{code}\n{code}</pre></td></tr></table>"
    assert read(f"<article>{paragraphs(FIRST, SECOND)}{table}<p>{THIRD}</p></article>") == [*SENTENCES]


def test_a_page_of_an_encyclopedia_is_read_without_notes_boxes_and_marks() -> None:
    assert read(
        """
        <div id="content"><h1>Tide mill</h1><div id="mw-content-text">
        <div id="siteSub" class="noprint">From the free almanac</div><div class="mw-parser-output">
        <table class="infobox"><tr><th colspan="2">Tide mill</th></tr><tr><th>First built</th><td>619</td></tr>
          <tr><th>Power</th><td>20 kW</td></tr></table>
        <p>A <b>tide mill</b> is driven by the rise and fall of the tide.<sup><a href="#n1">[1]</a></sup>
          A dam with a gate stands across a bay of some 300 m<sup>2</sup>.<sup>[<a href="/h">who says so?</a>]</sup></p>
        <div id="toc" class="toc"><div><h2>Contents</h2></div><ul><li><a href="#History">1 History</a></li></ul></div>
        <h2>History<span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2>
        <p>The oldest one stood on an island in a lough, and its timbers were cut in the year 619.</p>
        <h2>See also</h2><ul><li><a href="/w">Water mill</a></li><li><a href="/p">Tidal power</a></li></ul>
        <div class="mw-heading"><h2>References</h2></div>
        <div class="reflist"><ol class="references"><li>^ Early tide mills, volume 20, pages 777 to 786.</li></ol></div>
        <div class="navbox"><a href="/x">Mills</a> <a href="/y">Dams</a></div></div></div>
        <div id="catlinks" class="catlinks">Categories: <a href="/c">Mills</a></div></div>
        """,
        title="Tide mill",
    ) == [
        "A tide mill is driven by the rise and fall of the tide. "
        "A dam with a gate stands across a bay of some 300 m².",
        "History",
        "The oldest one stood on an island in a lough, and its timbers were cut in the year 619.",
    ]


def test_a_list_is_read_without_its_marks_and_links_to_other_pages_are_not() -> None:
    assert read(
        f"""
        <article>{paragraphs(*SENTENCES)}
          <h2>For one loaf</h2><ul><li>500 g of flour</li><li>350 g of water, lukewarm</li><li>10 g of salt</li></ul>
          <h3>Our readers also liked</h3>
          <ul><li><a href="/a">Ten mills that you can visit in a weekend</a></li>
            <li><a href="/b">Why rye bread keeps for a fortnight</a></li></ul></article>
        """
    ) == [*SENTENCES, "For one loaf", "500 g of flour", "350 g of water, lukewarm", "10 g of salt"]


def test_comments_of_readers_are_not_read() -> None:
    comments = (
        "My grandfather carried sacks there when he was a boy, and he never liked the stairs.",
        "You should have told us what they pay for the flour, since that is what matters.",
    )
    talk = f"<div class='reader-comments'>{paragraphs(*comments)}</div>"
    assert read(f"<div id='content'>{paragraphs(*SENTENCES)}{talk}</div>") == [*SENTENCES]


def test_a_short_page_is_an_article_where_the_author_wants_it() -> None:
    page = (
        b"<html><body><article><h1>Tide</h1><p>High water is at 11:52, and again at midnight.</p></article>"
    )
    entry = FeedEntry("https://almanac.example.com/tide", title="Tide")

    with pytest.raises(ArticleError, match=r"at least 100 characters.*set a smaller shortest_text"):
        read_page(page, entry=entry)
    assert (
        read_page(page, entry=entry, shortest_text=20).text
        == "High water is at 11:52, and again at midnight."
    )


def test_a_power_of_ten_is_no_larger_number() -> None:
    shown = (
        "The dam holds 10<sup>6</sup> m<sup>3</sup> of water, and lost 10<sup>&minus;2</sup> of it "
        "on the 3<sup>rd</sup> day."
    )
    read_as = "The dam holds 10⁶ m³ of water, and lost 10⁻² of it on the 3rd day."
    assert read(f"<article>{paragraphs(FIRST, shown, SECOND)}</article>") == [FIRST, read_as, SECOND]


def test_a_formula_is_read_as_it_is_shown() -> None:
    formula = (
        "<math><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi></mrow>"
        r"<annotation encoding='application/x-tex'>{\displaystyle E=m}</annotation></semantics></math>"
    )
    assert read(f"<article>{paragraphs(FIRST, f'They say that {formula} is true.', SECOND)}</article>") == [
        FIRST,
        "They say that E=m is true.",
        SECOND,
    ]


def test_a_paragraph_that_comes_again_is_read_once() -> None:
    shown = f"<article>{paragraphs(FIRST, 'No.', SECOND)}<blockquote>{FIRST}</blockquote>{paragraphs('No.')}</article>"
    assert read(shown) == [FIRST, "No.", SECOND, "No."]


def test_points_below_points_lose_their_dashes_too() -> None:
    points = "<ol><li>Mix the flour.<ul><li>Rye, if you have some of it.</li></ul></li><li>Bake it.</li></ol>"
    assert read(f"<article>{paragraphs(*SENTENCES)}{points}</article>") == [
        *SENTENCES,
        "Mix the flour.",
        "Rye, if you have some of it.",
        "Bake it.",
    ]


def test_what_nobody_sees_and_what_leads_to_other_pages_is_left_out() -> None:
    body = f"""
        <div class="hatnote navigation-not-searchable">For the town in Ohio, see <a href="/o">Mill (Ohio)</a>.</div>
        <p>{FIRST} <a href="/map">See the map<span class="sr-only"> (opens in a new window)</span></a></p>
        <p hidden>You have read all of your free articles of this month, so please subscribe now.</p>
        <p class="advertisement">Advertisement</p>
        {paragraphs(SECOND, THIRD)}
    """
    assert read(f"<article>{body}</article>") == [f"{FIRST} See the map", SECOND, THIRD]
