"""How many times as much, or how often: whether a script has it as its source has."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TIMES = re.compile(
    r"\b(\d{1,3}(?:[.,]\d)?)[ -](?:times?|fold|mal|fache[ns]?|fois|veces"
    r"|volte|keer|vezes|gånger|ganger|gange|razy|raza?)\b",
    re.IGNORECASE,
)
_IN_A_WORD = {
    2.0: re.compile(
        r"\b(?:twice|doubl|doppelt|verdoppel|doble|duplic|doppio|raddopp|dubbel|verdubbel|dobro|dobbel|fördubbl|fordobl)"
        r"(?!e?-)\w*",
        re.IGNORECASE,
    ),
    3.0: re.compile(r"\b(?:thrice|tripl|trebl|verdreifach|verdrievoud|tredubbl|tredobl)\w*", re.IGNORECASE),
    4.0: re.compile(r"\b(?:quadrupl|vervierfach|verviervoud|fyrdubbl|firedobl)\w*", re.IGNORECASE),
}


def wrong_multiples_in(text: str, source: str, around: str) -> Iterator[tuple[str, str]]:
    """Each "twice" of a text whose source has "three times", with what the source has (source: ours).

    :param text: of a script, as ``in_digits`` makes it.
    :param source: that it rests on, as ``in_digits`` makes it.
    :param around: the same with the sentences before and after it.
    """
    mine, its = dict(_multiples(text)), dict(_multiples(source))
    unused = [words for value, words in its.items() if value not in mine]
    near = dict(_multiples(around))
    for value, words in mine.items():
        if unused and value not in near:
            yield words, unused[0]


def _multiples(text: str) -> Iterator[tuple[float, str]]:
    for found in _TIMES.finditer(text):
        yield float(found[1].replace(",", ".")), found[0]
    for value, words in _IN_A_WORD.items():
        if said := words.search(text):
            yield value, said[0]
