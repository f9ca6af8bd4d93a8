"""Numbers that are said in groups: three dozen, four decades, une trentaine."""

from __future__ import annotations

import re

_DOZEN = (
    r"dozen|dutzend|douzaines?|docenas?|dozzin[ae]|dozijn(?:en)?|dussin|dusin|dúzias?|duzias?|tuzin(?:y|ów)?"
)
_DECADES = {
    "en": (r"decades?", "years"),
    "de": (r"jahrzehnte[ns]?|jahrzehnt|dekaden?", "Jahre"),
    "fr": (r"décennies?", "ans"),
    "es": (r"décadas?|decenios?", "años"),
    "it": (r"decenn(?:i|io)", "anni"),
    "nl": (r"decenni(?:a|um)", "jaar"),
    "pt": (r"décadas?", "anos"),
    "sv": (r"decennier|årtionden", "år"),
    "da": (r"årtier", "år"),
    "no": (r"tiår", "år"),
    "nb": (r"tiår", "år"),
    "pl": (r"dekady|dekad", "lat"),
    "ru": (r"десятилети[йя]", "лет"),
}
_CENTURIES = {
    "en": r"centuries",
    "de": r"jahrhunderte[n]?",
    "fr": r"siècles",
    "es": r"siglos",
    "it": r"secoli",
    "nl": r"eeuwen",
    "pt": r"séculos",
    "sv": r"århundraden|sekler",
    "da": r"århundreder",
    "no": r"århundrer",
    "nb": r"århundrer",
    "pl": r"wieki|wieków",
    "ru": r"века|веков",
}
_ABOUT_SO_MANY = {
    "fr": {
        "dizaine": 10,
        "douzaine": 12,
        "quinzaine": 15,
        "vingtaine": 20,
        "trentaine": 30,
        "quarantaine": 40,
        "cinquantaine": 50,
        "soixantaine": 60,
        "centaine": 100,
        "millier": 1000,
    },
    "es": {
        "decena": 10,
        "docena": 12,
        "quincena": 15,
        "veintena": 20,
        "treintena": 30,
        "cuarentena": 40,
        "cincuentena": 50,
        "centenar": 100,
        "millar": 1000,
    },
    "it": {
        "decina": 10,
        "dozzina": 12,
        "quindicina": 15,
        "ventina": 20,
        "trentina": 30,
        "quarantina": 40,
        "cinquantina": 50,
        "centinaio": 100,
        "migliaio": 1000,
    },
    "pt": {"dezena": 10, "dúzia": 12, "vintena": 20, "trintena": 30, "centena": 100, "milhar": 1000},
    "nl": {"tiental": 10, "dozijn": 12, "vijftiental": 15, "twintigtal": 20, "honderdtal": 100},
    "de": {"dutzend": 12},
    "en": {"dozen": 12},
    "sv": {"tiotal": 10, "dussin": 12, "femtontal": 15, "tjugotal": 20, "trettiotal": 30, "hundratal": 100},
    "pl": {"tuzin": 12},
}
_ONE = r"a|an|ein(?:e|em|en)?|une|un|una|uno|uma|um|een|ett|en"


def groups_in_digits(text: str, code: str) -> str:
    """A text with 36 for 3 dozen, 40 years for 4 decades, and about 30 for une trentaine (source: ours).

    :param text: whose numbers are in digits.
    :param code: of its language, such as ``de``.
    """
    if code == "en":
        text = re.sub(r"\bhalf a dozen\b", "6", text, flags=re.IGNORECASE)
    text = re.sub(
        rf"\b(\d{{1,2}})[ -](?:{_DOZEN})\b",
        lambda found: str(12 * int(found[1])),
        text,
        flags=re.IGNORECASE,
    )
    if code in _DECADES:
        words, years = _DECADES[code]
        for many, each in ((words, 10), (_CENTURIES[code], 100)):
            text = re.sub(
                rf"\b(\d{{1,2}}(?:\.5)?) (?:{many})\b",
                lambda found, each=each, years=years: f"circa {each * float(found[1]):.0f} {years}",  # type: ignore[misc]
                text,
                flags=re.IGNORECASE,
            )
    if about := _ABOUT_SO_MANY.get(code):
        text = re.sub(
            rf"\b(?:{_ONE}) ({'|'.join(about)})\b(?: (?:de|di|of)\b| d['\u2019])?",
            lambda found: f"circa {about[found[1].lower()]}",
            text,
            flags=re.IGNORECASE,
        )
    return text
