"""A text -> the same with its numbers in digits, whatever language they are written in."""

from __future__ import annotations

import re

from ....extras import ai_extra
from .groups import groups_in_digits
from .number_words import LANGUAGES, with_digits

SPELLED_OUT = ("de", "en", "es", "fr", "it", "nl", "pt")
"""Languages whose numbers in words a library reads; some others have a table of ours, the rest are taken for words."""

_GERMAN_HALF = re.compile(
    r"\b(andert|zwei|drei|vier|fünf|sechs|sieben|acht|neun)(?:und)?(?:ein)?halb\w*", re.IGNORECASE
)
_GERMAN_DIGITS = dict(
    zip(
        ["andert", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"],
        range(1, 10),
        strict=True,
    )
)
_GERMAN_UNITS = "zwei|drei|vier|fünf|sechs|sieben|acht|neun"
_GERMAN_TENS = "zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig"
_GERMAN_COMPOUND = re.compile(
    rf"\b((?:(?:ein|{_GERMAN_UNITS})und)?(?:{_GERMAN_TENS})|{_GERMAN_UNITS}|zehn|elf|zwölf"
    r"|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn)"
    r"(?=(?:mal|fach|köpfig|stündig|jährig|tägig|wöchig|monatig|stöckig|seitig|minütig|teilig)(?:e[mnrs]?)?\b)",
    re.IGNORECASE,
)
_ONE_OR_TWO = re.compile(r"\ban? (hour|day|week|month|year|minute)s? or two\b", re.IGNORECASE)
_PERCENT_WORDS = re.compile(
    r"\b(?:per ?cent|pour ?cent|prozent|por ?ciento|por ?cento|per ?cento|procent\w*|процент\w*)\b",
    re.IGNORECASE,
)
_PART_OF_MANY = re.compile(
    r"\b(?:(?P<half>half an?|(?:eine? )?halbe|un demi|medio|mezzo|meio|een half)"
    r"|(?P<three>3 quarters of an?|(?:eine )?dreiviertel|3 viertel|(?:een )?driekwart"
    r"|3 quarts d['\u2019]un|3 cuartos de|3 quarti di)"
    r"|(?:a quarter of an?|a quarter|eine viertel|un quart de|un cuarto de|un quarto di|een kwart))"
    r"[ -](?P<many>10{3,9})\b",
    re.IGNORECASE,
)
_AND_A_PART = (
    (re.compile(r" and a quarter(?= (?:thousand|million|billion))", re.IGNORECASE), " point two five"),
    (re.compile(r" and a half(?= (?:thousand|million|billion))", re.IGNORECASE), " point five"),
    (
        re.compile(r" and three[ -]quarters(?= (?:thousand|million|billion))", re.IGNORECASE),
        " point seven five",
    ),
)
_GERMAN_PART = re.compile(r"\b(halb|viertel)e?(?=million|milliarde|tausend)", re.IGNORECASE)
_MANY_OF_NO_NUMBER = re.compile(
    r"(?P<before>(?:^|\b[^\W\d_]+|[^\w\s]) ?)\b(?:thousands|millions|billions|tausende[nr]?|millionen"
    r"|milliarden|milliers|millones|miles|migliaia|milioni|miliardi|duizenden|miljoenen)\b",
    re.IGNORECASE,
)
_HYPHENATED = re.compile(
    r"(?<=[a-z])-(?=(?:year|month|week|day|hour|minute|mile|met(?:er|re)|foot|storey|story|page|seat|bed)s?\b)"
)
_UP_TO_TWELVE = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER_AND_NOUN = re.compile(
    rf"\b(?!one)({_UP_TO_TWELVE})-(?=[a-z]{{3}})"
    rf"(?!(?:and|all|nil|love|{_UP_TO_TWELVE})\b|hal(?:f|ves)|third|quarter|\w+ths?\b|hundred|thousand|[mb]illion|fold)",
    re.IGNORECASE,
)
"""Three-pointer has a number; two-thirds is one, and two-all is two."""
_TIME = re.compile(
    r"(?<![\d.,:])([01]?\d|2[0-4])(?: ?h ?|\.)([0-5]\d)(?= ?(?:[ap]\.?m\b|uhr\b|uur\b|heures?\b))"
    r"|(?<![\d.,:])([01]?\d|2[0-4]) ?h ?([0-5]\d)(?!\d)",
    re.IGNORECASE,
)
_PRICE_IN_TWO = re.compile(
    r"(?<![\d.,])(\d{1,4}|one|ein(?:en)?|un|een|uno) (euros?|pounds?|dollars?|francs?|€|£) (\d\d)"
    r"(?=[.,;:!?)»”]|$| (?:a|an|for|each|per|pro|par|le|la|pour|et|and|und|to|from|in|at|now|today|instead|more"
    r"|less|rather|je|statt|mehr|de|por|al|per|voor|om)\b)",
    re.IGNORECASE,
)
_QUARTER_OF_AN_HOUR = re.compile(r"(?<![\w-])(every )?(?:a )?quarter of an hour\b", re.IGNORECASE)
_KANJI = re.compile(
    r"[一二三四五六七八九十百千]{2,}|[一二三四五六七八九十](?=[年月日人時分本冊割円社件回歳台頭匹枚戸室泊階億万])"
)
_KANJI_DIGITS = {digit: number for number, digit in enumerate("一二三四五六七八九", 1)}
_KANJI_POWERS = {"十": 10, "百": 100, "千": 1000}


def in_digits(text: str, language: str | None) -> str:
    """A text whose numbers are written in digits (source: ours).

    :param text: as ``plain`` makes it.
    :param language: of the text; where its number words are not known the text stays as it is.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    code = re.split("[-_]", language or "en")[0].lower()
    if code == "de":
        text = _GERMAN_HALF.sub(lambda found: f"{_GERMAN_DIGITS[found[1].lower()]}.5", text)
        text = _GERMAN_PART.sub(lambda found: f"{found[1]}e ", text)
        text = _GERMAN_COMPOUND.sub(r"\1 ", text)
    if code == "en":
        text = _QUARTER_OF_AN_HOUR.sub(r"\g<1>15 minutes", text)
        text = _ONE_OR_TWO.sub(r"2 \1s", text)
        text = _NUMBER_AND_NOUN.sub(r"\1 ", text)
    if code == "ja":
        text = _KANJI.sub(lambda found: str(_of_kanji(found[0])), text)
    text = _PERCENT_WORDS.sub("%", text)
    text = _TIME.sub(lambda found: f"{found[1] or found[3]}:{found[2] or found[4]}", text)
    if code in LANGUAGES:
        text = with_digits(text, code)
    if code not in SPELLED_OUT:
        return groups_in_digits(text, code)
    with ai_extra():
        from text_to_num import alpha2digit
    text = _HYPHENATED.sub(" ", text)
    for words, spoken in _AND_A_PART:
        text = words.sub(spoken, text)
    if code in ("es", "pt"):
        # "Unas" is no one.
        text = re.sub(r"\bun(?:[oa]s|s)\b|\bumas\b", "circa", text, flags=re.IGNORECASE)
    # "Millions" alone is no number.
    text = _MANY_OF_NO_NUMBER.sub(
        lambda found: (
            found["before"]
            if alpha2digit(found["before"], code, threshold=0) == found["before"]
            else found[0]
        ),
        text,
    )
    # "One" is more often a word than a number.
    converted: str = alpha2digit(text, code, threshold=1.5)
    converted = _PRICE_IN_TWO.sub(
        lambda found: f"{found[1] if found[1].isdigit() else 1}.{found[3]} {found[2]}", converted
    )
    parts = _PART_OF_MANY.sub(_part_of_many, converted)
    return groups_in_digits(parts, code)


def _part_of_many(found: re.Match[str]) -> str:
    quarters = 2 if found["half"] else 3 if found["three"] else 1
    return str(int(found["many"]) * quarters // 4)


def _of_kanji(digits: str) -> int:
    whole = last = 0
    for digit in digits:
        if power := _KANJI_POWERS.get(digit):
            whole, last = whole + (last or 1) * power, 0
        else:
            last = 10 * last + _KANJI_DIGITS[digit]
    return whole + last
