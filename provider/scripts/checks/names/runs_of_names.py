"""The words of a text with a capital, those together that are one name as it seems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..plain_words import Word, folded, words_of

_WITHIN_NAME = re.compile(
    r"[ -]?(?:(?:van|von|de|den|des|del|della|di|da|dos|du|la|le|ter|zu|of|for|the|al|bin) )*"
)
_WITHIN_GERMAN_NAME = re.compile(r"[ -]?(?:(?:von|van|zu|de) )*")
_AFTER_INITIALS = re.compile(r"\. ?")
_INITIALS_WORDS = "dr mr mrs ms st ste jr sr sra dra hr fr hl ing mme mlle jp ch th ph chr prof"
_INITIALS = frozenset(_INITIALS_WORDS.split())


def runs_of_names(text: str, code: str) -> Iterator[list[Word]]:
    """The words with a capital, those together that are one name as it seems (source: ours).

    :param text: plain text.
    :param code: of its language, such as ``de``.
    """
    within = _WITHIN_GERMAN_NAME if code == "de" else _WITHIN_NAME
    run: list[Word] = []
    for word in words_of(text):
        if not word.text[0].isupper():
            continue
        if run and not _is_within_name(run[-1], text[run[-1].end : word.start], within):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def folded_name(run: Sequence[Word]) -> tuple[str, ...]:
    """The words of a name as they can be compared (source: ours).

    :param run: from ``runs_of_names``.
    """
    return tuple(folded(word.text) for word in run)


def _is_within_name(before: Word, between: str, within: re.Pattern[str]) -> bool:
    is_short = len(before.text) == 1 or before.text.casefold() in _INITIALS
    return bool(within.fullmatch(between) or (is_short and _AFTER_INITIALS.fullmatch(between)))
