"""What a number counts: kilometres, euros, per cent."""
# ruff: noqa: RUF001 - it knows the words of other languages

from __future__ import annotations

import re
from functools import cache

from ....extras import ai_extra

PERCENT = "percent"
MONEY = "money"
"""What the unit of an amount begins with."""
CENT = "cent"
"""The unit of a hundredth of an amount, of whatever currency: 60p."""
_CENTS = 100.0
_UNIT_NAMES = """
area-hectare area-square-kilometer area-square-meter duration-day duration-hour duration-minute duration-month
duration-second duration-week duration-year energy-kilowatt-hour length-centimeter length-foot length-kilometer
length-meter length-mile length-millimeter area-acre mass-gram mass-kilogram mass-pound power-kilowatt power-megawatt
power-watt volume-liter mass-tonne volume-cubic-meter
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
_COUNTERS = {
    **{counter: f"counter {counter}" for counter in "泊食室軒人日台頭匹枚階回冊社件校杯席隻羽曲点票本店棟基"},
    "名": "counter 人",
    "戸": "counter 軒",
    "部屋": "counter 室",
    "年": "duration-year",
    "時間": "duration-hour",
    "分": "duration-minute",
    "秒": "duration-second",
    "か月": "duration-month",
    "カ月": "duration-month",
    "ヶ月": "duration-month",
    "週間": "duration-week",
    "日間": "duration-day",
    "トン": "mass-tonne",
    "キロ": "length-kilometer",
}
"""What stands after a Japanese number, and what it counts."""
_IN_BASE: dict[str, dict[str, float]] = {
    "length": {
        "millimeter": 0.001,
        "centimeter": 0.01,
        "meter": 1,
        "kilometer": 1000,
        "foot": 0.3048,
        "mile": 1609,
    },
    "area": {"square-meter": 0.0001, "hectare": 1, "square-kilometer": 100, "acre": 0.4047},
    "mass": {"gram": 0.001, "kilogram": 1, "tonne": 1000, "pound": 0.4536},
    "power": {"watt": 0.001, "kilowatt": 1, "megawatt": 1000},
    "duration": {
        "second": 1 / 60,
        "minute": 1,
        "hour": 60,
        "day": 1440,
        "week": 7 * 1440,
        "month": 365.25 * 120,
        "year": 365.25 * 1440,
    },
}
_ROUGH = ("foot", "mile", "acre", "pound", "month")
_SYMBOLS = "$€£¥₽"
_SYMBOL_BEFORE = re.compile(rf"([{_SYMBOLS}]) ?$")
_CURRENCY_AFTER = re.compile(
    r"^(?: ?(?:1?0{3,9}|[^\W\d]{1,12}\.?) )?(?:d['\u2019]|de |di )? ?("
    + "|".join(map(re.escape, _CURRENCIES))
    # Europe is no currency.
    + ")(?!p)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"^ ?%")
_CENT_AFTER = re.compile(
    r"^ ?(?:p|¢|pence|cents?|centimes?|céntimos?|centesimi|cêntimos|öre|øre|grosz[ey]?)(?!\w)", re.IGNORECASE
)
_WORDS = re.compile(r"[ -]?([^\W\d_]+(?:[ -][^\W\d_]+)?)")


def unit_of(before: str, after: str, code: str) -> str:
    """What a number counts, as far as it is a unit or a currency; else an empty text (source: ours).

    :param before: some characters before the number.
    :param after: some that stand after it.
    :param code: of the language, such as ``de``.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    if _PERCENT.match(after):
        return PERCENT
    if symbol := _SYMBOL_BEFORE.search(before) or _CURRENCY_AFTER.match(after):
        return f"{MONEY} {_CURRENCIES[symbol[1].lower()]}"
    if _CENT_AFTER.match(after):
        return CENT
    if code == "ja":
        return next((_COUNTERS[after[:size]] for size in (2, 1) if after[:size] in _COUNTERS), "")
    if words := _WORDS.match(after):
        units = _units(code)
        two = words[1].casefold().replace("-", " ")
        return units.get(two) or units.get(two.partition(" ")[0], "")
    return ""


def are_of_one_system(unit: str, other: str) -> bool:
    """Whether one unit is so many of the other exactly: no miles in a kilometre, nor days in a month (source: ours).

    :param unit: as ``unit_of`` names it.
    :param other: as ``unit_of`` names it.
    """
    return unit.endswith(_ROUGH) == other.endswith(_ROUGH)


def times_as_large(unit: str, other: str) -> float:
    """How many of another unit are one: 1000 metres are a kilometre; 0 where that is not known (source: ours).

    :param unit: as ``unit_of`` names it.
    :param other: as ``unit_of`` names it.
    """
    if CENT in (unit, other) and MONEY in (unit[: len(MONEY)], other[: len(MONEY)]):
        return _CENTS if other == CENT else 1 / _CENTS
    kind, _, one = unit.partition("-")
    other_kind, _, another = other.partition("-")
    sizes = _IN_BASE.get(kind, {})
    if unit == other or kind != other_kind or one not in sizes or another not in sizes:
        return 0.0
    return sizes[one] / sizes[another]


@cache
def _units(code: str) -> dict[str, str]:
    with ai_extra():
        from babel import Locale, UnknownLocaleError
        from babel.units import format_unit
    try:
        locale = Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse("en")
    found = dict.fromkeys(("kilo", "kilos"), "mass-kilogram")
    for unit in _UNITS:
        for many in _MANY:
            for length in ("long", "short"):
                written = format_unit(many, unit, length, locale=locale)
                # Kilowatt-hours and kilowatt hours.
                found[re.sub(r"^[\d.,\s]+|\.$", "", written).casefold().replace("-", " ")] = unit
    # British and American.
    if code == "en":
        found |= {
            name.replace("meter", "metre").replace("liter", "litre"): unit for name, unit in found.items()
        }
    return found
