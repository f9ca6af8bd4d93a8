"""What a number counts: kilometres, euros, per cent."""
# ruff: noqa: RUF001 - it knows the words of other languages

from __future__ import annotations

import re
from functools import cache

from ...extras import ai_extra

PERCENT = "percent"
MONEY = "money"
"""What the unit of an amount begins with."""
_UNIT_NAMES = """
area-hectare area-square-kilometer area-square-meter duration-day duration-hour duration-minute duration-month
duration-second duration-week duration-year energy-kilowatt-hour length-centimeter length-foot length-kilometer
length-meter length-mile length-millimeter mass-gram mass-kilogram mass-pound power-kilowatt power-megawatt
power-watt volume-liter
"""
_UNITS = _UNIT_NAMES.split()
_MANY = (1, 2, 5, 1.5)
"""Numbers after which languages write a unit in all its forms."""
_CURRENCIES = {
    "$": "dollar",
    "€": "euro",
    "£": "pound",
    "¥": "yen",
    "₽": "ruble",
    "円": "yen",
    "元": "yuan",
    "dollar": "dollar",
    "dólar": "dollar",
    "dolar": "dollar",
    "euro": "euro",
    "pound": "pound",
    "pfund": "pound",
    "livres sterling": "pound",
    "sterlin": "pound",
    "yen": "yen",
    "yuan": "yuan",
    "fran": "franc",
    "руб": "ruble",
    "rub": "ruble",
    "złot": "zloty",
    "zlot": "zloty",
    "peso": "peso",
    "kronor": "krona",
    "kroner": "krona",
}
_SYMBOLS = "$€£¥₽"
_SYMBOL_BEFORE = re.compile(rf"([{_SYMBOLS}]) ?$")
_CURRENCY_AFTER = re.compile(
    r"^(?: ?(?:1?0{3,9}|[^\W\d]{1,12}\.?) )?(?:d['\u2019]|de |di )? ?("
    + "|".join(map(re.escape, _CURRENCIES))
    + ")",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"^ ?%")
_WORDS = re.compile(r"[ -]?([^\W\d_]+(?: [^\W\d_]+)?)")


def unit_of(before: str, after: str, code: str) -> str:
    """What a number counts, as far as it is a unit or a currency; else an empty text (source: ours).

    :param before: some characters that stand before the number.
    :param after: some that stand after it.
    :param code: of the language, such as ``de``.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    if _PERCENT.match(after):
        return PERCENT
    if symbol := _SYMBOL_BEFORE.search(before) or _CURRENCY_AFTER.match(after):
        return f"{MONEY} {_CURRENCIES[symbol[1].lower()]}"
    if words := _WORDS.match(after):
        units = _units(code)
        two = words[1].casefold()
        return units.get(two) or units.get(two.partition(" ")[0], "")
    return ""


@cache
def _units(code: str) -> dict[str, str]:
    with ai_extra():
        from babel import Locale, UnknownLocaleError
        from babel.units import format_unit
    try:
        locale = Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse("en")
    found = {}
    for unit in _UNITS:
        for many in _MANY:
            for length in ("long", "short"):
                written = format_unit(many, unit, length, locale=locale)
                found[re.sub(r"^[\d.,\s]+|\.$", "", written).casefold()] = unit
    # British and American.
    if code == "en":
        found |= {
            name.replace("meter", "metre").replace("liter", "litre"): unit for name, unit in found.items()
        }
    return found
