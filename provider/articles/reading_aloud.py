"""A page's tree -> the same tree without what nobody would read aloud."""

from __future__ import annotations

import re
from typing import Any


def _of_class(*names: str) -> str:
    return " or ".join(f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')" for name in names)


_ASIDE = (
    # trafilatura recognizes these itself from 2.3 on; older Airflows keep an older one.
    "//*[starts-with(@class, 'ad-') or contains(@class, ' ad-')]"
    f" | //*[{_of_class('advert', 'advertisement')}]"
    f" | //*[{_of_class('catlinks', 'dablink', 'hatnote', 'mw-editsection', 'navbox', 'noprint', 'toc')}]"
    f" | //*[@hidden or {_of_class('sr-only', 'screen-reader-text', 'visually-hidden', 'visuallyhidden')}]"
    " | //sup[.//a[starts-with(@href, '#')] or starts-with(normalize-space(), '[')]"
    " | //*[@role='doc-noteref']"
)
_NOTES = f"//*[@role='doc-endnotes' or @role='doc-footnotes' or {_of_class('references', 'reflist')}]"
_HEADING = f"self::h1|self::h2|self::h3|self::h4|self::h5|self::h6|self::div[{_of_class('mw-heading')}]"
_LISTS_BELOW_HEADINGS = f"//*[(self::ul or self::ol) and preceding-sibling::*[1][{_HEADING}]]"
_POWER = re.compile(r"[+−-]?\d+")  # noqa: RUF001 - the minus sign of formulas
_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")  # noqa: RUF001
_CELLS = ("caption", "th", "td")
_TABLE_PARTS = (*_CELLS, "colgroup", "tbody", "thead", "tfoot", "tr", "table")
# Such as Thai, whose sentences have no mark at their end.
_LONG_CELL = 200
_SENTENCE = re.compile(r"\w.{30,}?[.!?…۔।](?=[\s\"'”’»)\]]|$)|\w.{10,}?[。！？]", re.DOTALL)  # noqa: RUF001 - Japanese


def leave_out_what_is_not_spoken(tree: Any) -> None:
    """Remove from a page what makes no sense read aloud (source: ours).

    Removed are: advertisements; what no browser shows; footnotes and their marks; links to edit a section or to another
    page of that name; lists of links below their own heading; tables of names, numbers or code. A table that holds
    sentences, which old pages use for layout, stays as paragraphs. Powers stay raised, and formulas as they are shown.

    :param tree: of the whole page, as lxml.html has it; it is changed.
    """
    _drop_asides(tree)
    _keep_as_shown(tree)
    _unnest_lists(tree)
    for notes in tree.xpath(_NOTES):
        _drop_with_heading(notes)
    for links in tree.xpath(_LISTS_BELOW_HEADINGS):
        if _is_navigation(links):
            _drop_with_heading(links)
    # An inner table is judged before the outer one.
    for table in reversed(list(tree.iter("table"))):
        if _is_prose(table):
            _unfold(table)
        else:
            _drop(table)


def _drop_asides(tree: Any) -> None:
    whole = len(_text(tree))
    for element in tree.xpath(_ASIDE):
        # Some sites name the frame of the whole article after the space that it leaves for advertisements.
        if len(_text(element)) * 2 <= whole:
            _drop(element)


def _keep_as_shown(tree: Any) -> None:
    for raised in list(tree.iter("sup")):
        # As plain text 10 to the power of 6 would be 106.
        if _POWER.fullmatch(_text(raised)):
            _replace(raised, _text(raised).translate(_RAISED))
    for formula in list(tree.iter("math")):
        # Otherwise trafilatura takes the formula's TeX source.
        _replace(formula, "".join(formula.xpath(".//text()[not(ancestor::annotation)]")))
        formula.tag = "span"


def _unnest_lists(tree: Any) -> None:
    # trafilatura below 2.2 gives a point and those below it as one line.
    for inner in reversed(list(tree.xpath("//li/ul | //li/ol"))):
        point = inner.getparent()
        for below in reversed(list(inner.iterchildren("li"))):
            point.addnext(below)
        inner.drop_tree()


def _replace(element: Any, text: str) -> None:
    element.clear(keep_tail=True)
    element.text = text


def _is_prose(table: Any) -> bool:
    cells = [(cell, text) for cell in table.iter(*_CELLS) if (text := _text(cell))]
    texts = [text for _, text in cells]
    sentences = sum(
        len(text)
        for cell, text in cells
        if (len(text) >= _LONG_CELL or _SENTENCE.search(text)) and not _is_code(cell, text)
    )
    numbers = sum(not any(map(str.isalpha, text)) for text in texts)
    return sentences * 2 > sum(map(len, texts)) and numbers * 3 < len(texts)


def _is_code(cell: Any, text: str) -> bool:
    listings = cell.xpath(".//pre | .//code[not(ancestor::pre)]")
    return sum(len(_text(listing)) for listing in listings) * 2 > len(text)


def _unfold(table: Any) -> None:
    for cell in list(table.iter(*_CELLS)):
        if _is_navigation(cell):
            _drop(cell)
    for part in list(table.iter(*_TABLE_PARTS)):
        part.tag = "div"


def _is_navigation(element: Any) -> bool:
    links = [len(_text(link)) for link in element.iter("a")]
    text = _text(element)
    return len(links) > 1 and sum(links) * 5 >= len(text) * 4 and not _SENTENCE.search(text)


def _text(element: Any) -> str:
    parts = element.xpath(".//text()[not(parent::script or parent::style)]")
    return " ".join("".join(parts).split())


def _drop_with_heading(element: Any) -> None:
    for heading in element.xpath(f"preceding-sibling::*[1][{_HEADING}]"):
        _drop(heading)
    _drop(element)


def _drop(element: Any) -> None:
    if element.getparent() is not None:
        element.drop_tree()
