"""Whether two numbers or dates of a text have changed places, by the words around them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from .calendar_words import CalendarWord
from .numbers import Number
from .plain_words import are_alike, folded, words_of

Fact = Number | CalendarWord
"""A number, a month or a weekday, as it stands in a text."""

COMPARED_KINDS = ("year", "month", "weekday", "percent")
"""What is easily mistaken for another of its kind; other numbers of a passage count other things."""
_MOST_FACTS = 20
"""How many of a text are compared with each other (ours): a scene of two sentences has fewer."""
_WINDOW = 150
"""Characters on either side of a number in which these words are looked for (ours)."""
_NEAR = 5
"""Words on either side that say what a number counts (ours)."""
_NUMBERS_SAY = 3
"""How much more than a word another number says of which one is meant (ours)."""
_MORE_ALIKE = 0.35
"""How much more like each other's than like their own the words around two numbers must be (measured)."""
_SENTENCE_END = re.compile(r"[.!?…](?=\s)|[。！？\n]")  # noqa: RUF001


def mixed_up(
    text: str, facts: Sequence[Fact], passage: str, its_facts: Sequence[Fact], little: Collection[str] = ()
) -> Iterator[tuple[Fact, Fact]]:
    """Pairs that stand in each other's place (source: ours).

    :param text: of a script.
    :param facts: of it, in order.
    :param passage: of the article.
    :param its_facts: of it, in order.
    :param little: words that say nothing about a number.
    """
    facts, its_facts = facts[:_MOST_FACTS], its_facts[:_MOST_FACTS]
    twins = [
        (mine, its) for mine in facts for its in its_facts if mine.kind == its.kind and mine.is_that_of(its)
    ]
    for (mine, its), (mine_too, its_too) in combinations(twins[: 2 * _MOST_FACTS], 2):
        if mine.kind != mine_too.kind or mine.is_that_of(its_too) or mine_too.is_that_of(its):
            continue
        # Each stands near the other, wherever they are.
        ignored = {*little, *_words_in(mine, its, mine_too, its_too)}
        one, other = _around(text, mine, ignored), _around(text, mine_too, ignored)
        its_one, its_other = _around(passage, its, ignored), _around(passage, its_too, ignored)
        crossed = _likeness(one, its_other) + _likeness(other, its_one)
        if crossed > _likeness(one, its_one) + _likeness(other, its_other) + _MORE_ALIKE:
            yield mine, mine_too
    for mine, its in twins[: 2 * _MOST_FACTS]:
        if mine.kind not in COMPARED_KINDS:
            continue
        for unused in its_facts:
            if unused.kind != its.kind or any(fact.is_that_of(unused) for fact in facts):
                continue
            ignored = {*little, *_words_in(mine, its, unused)}
            around = _around(text, mine, ignored)
            own, crossed = (_likeness(around, _around(passage, fact, ignored)) for fact in (its, unused))
            if crossed > own + _MORE_ALIKE:
                yield mine, unused


def _words_in(*facts: Fact) -> set[str]:
    return {word.text for fact in facts for word in words_of(fact.text)}


def _around(text: str, fact: Fact, ignored: Collection[str]) -> dict[str, float]:
    """The words near a fact in its sentence, the nearer the heavier."""
    start = max(fact.start - _WINDOW, 0)
    text, fact = (
        text[start : fact.end + _WINDOW],
        fact._replace(start=fact.start - start, end=fact.end - start),
    )
    ends = [end.end() for end in _SENTENCE_END.finditer(text) if not fact.start <= end.start() < fact.end]
    first = max((end for end in ends if end <= fact.start), default=0)
    last = min((end for end in ends if end >= fact.end), default=len(text))
    weights: dict[str, float] = {}
    for near in (words_of(text[first : fact.start])[::-1], words_of(text[fact.end : last])):
        for distance, word in enumerate(near[:_NEAR], 1):
            key = folded(word.text)
            if word.text.casefold() not in ignored:
                weight = (_NUMBERS_SAY if key[0].isdigit() else 1) / distance
                weights[key] = max(weights.get(key, 0.0), weight)
    return weights


def _likeness(mine: dict[str, float], its: dict[str, float]) -> float:
    return sum(
        max((min(weight, its[other]) for other in its if are_alike(word, other)), default=0.0)
        for word, weight in mine.items()
    )
