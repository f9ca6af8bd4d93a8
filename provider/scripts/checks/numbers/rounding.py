"""Which word says that a number is rounded, and how far a number may be rounded."""

from __future__ import annotations

import re
from typing import Literal

Rounding = Literal["", "about", "over", "under"]

_TOLERANCE = 0.06
"""How far "about 3,100" may be from the number that it rounds (ours); "more than" and "nearly" a little more."""
_TOLERANCE_ONE_SIDE = 0.1
_TOLERANCE_ROUNDER = 0.15
"""How far "about 3,000" may be, which has fewer figures than what it rounds (ours); "more than" a little more."""
_TOLERANCE_ROUNDER_OVER = 0.2
_TOLERANCE_NO_WORD = 0.04
"""How far a number of one figure may be where no word says that it is rounded: 3 for 3.1 (ours)."""
_LEAST_HALF = 10
_LEAST_FIGURES = 2
_WINDOW = 32
_MOST_WORDS = 4

_ROUNDINGS: dict[Rounding, str] = {
    "about": "about around some roughly approximately circa ca cca approx etwa rund zirka ungefähr gegen um grob "
    "environ quelque quelques vers autour unos unas cerca alrededor aproximadamente intorno sui attorno "
    "approssimativamente ongeveer rond omstreeks zowat zo'n pakweg omkring runt ungefär omtrent cirka rundt "
    "około jakieś aproximadamente uns umas volta около примерно порядка 約 约 およそ ほぼ",
    "over": "over more exceeding above upwards over über mehr gut reichlich plus más oltre più meer ruim boven drygt "
    "över mer mere godt drøyt ponad więcej przeszło mais acima более больше свыше 超",
    "under": "nearly almost under fewer less below close fast knapp beinahe nahezu unter weniger près presque "
    "moins casi menos apenas quasi meno quase bijna minder krap nagenoeg nästan knappt närmare mindre næsten knap "
    "annähernd nesten niemal prawie blisko mniej niespełna niecałe niecałych почти менее меньше до",
}
_ROUNDING_OF = {word: kind for kind, words in _ROUNDINGS.items() for word in words.split()}
_BETWEEN_WORDS = """
than of to a an the as de des à d que els la le als zu den die der di del della il do da dos das os de o a
dan van het en de än at som av end niż od чем one on in su
"""
_BETWEEN = frozenset(_BETWEEN_WORDS.split())
"""What may stand between such a word and the number: more than, cerca de."""
_EAST_ASIAN: tuple[tuple[Rounding, re.Pattern[str]], ...] = (
    ("over", re.compile(r"^\w{0,2}?(?:あまり|余り|余|強|以上|超)")),
    ("under", re.compile(r"^\w{0,2}?(?:近く|弱|足らず|未満|以下)")),
    ("about", re.compile(r"^\w{0,2}?(?:前後|ほど|程度|くらい|ぐらい)")),
)
_AFTER = re.compile(r"^(?:-odd| [^\W\d_]+ or so| or so)\b")


def rounding_at(text: str, start: int, end: int) -> Rounding:
    """What the words beside a number say of its being rounded (source: ours).

    :param text: that has the number.
    :param start: of the number.
    :param end: of it.
    """
    before = text[max(0, start - _WINDOW) : start].casefold()
    # Not beyond another number or the beginning of a clause.
    before = re.split(r"[\d,.;:()!?]", before)[-1]
    for word in reversed(re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*", before)[-_MOST_WORDS:]):
        if kind := _ROUNDING_OF.get(word) or _ROUNDING_OF.get(word[-1:] if word[-1:] in "約约超" else ""):
            return kind
        if word not in _BETWEEN:
            break
    after = text[end : end + 8]
    if found := next((kind for kind, words in _EAST_ASIAN if words.match(after)), None):
        return found
    return "about" if _AFTER.match(text[end : end + _WINDOW]) else ""


def is_rounded_to(mine: float, its: float, rounding: Rounding, *, is_rounder: bool = False) -> bool:
    """Whether a number may be said for another one, given the word before it (source: ours).

    :param mine: of a script.
    :param its: of the source.
    :param rounding: what that word says.
    :param is_rounder: whether it is known to be less exact, as a third is.
    """
    if not its or mine == its:
        return False
    gap = (its - mine) / its
    is_rounder = is_rounder or _is_rounder(mine, its)
    if rounding == "over" and _figures(mine) == 1 and _first_figure(mine) == _first_figure(its):
        # "More than a hundred" is said of 126, too.
        return mine < its < 2 * mine
    if rounding == "over":
        return 0 < gap <= (_TOLERANCE_ROUNDER_OVER if is_rounder else _TOLERANCE_ONE_SIDE)
    if rounding == "under":
        most = _TOLERANCE_ROUNDER if is_rounder else _TOLERANCE_ONE_SIDE
        return -most <= gap < _TOLERANCE_ONE_SIDE / 2
    if rounding == "about":
        return abs(gap) <= (_TOLERANCE_ROUNDER if is_rounder else _TOLERANCE)
    return False


def is_cut(mine: float, its: float) -> bool:
    """Whether a number is another one with fewer figures: 1.2 million for 1,234,567, or 11.5 for 11.4 (source: ours).

    :param mine: of a script.
    :param its: of the source.
    """
    if mine >= _LEAST_HALF and mine % 1 == 0.5 and abs(its - mine) <= mine / 100:
        return True
    figures = _figures(mine)
    if not figures or float(f"{its:.{figures - 1}e}") != mine:
        return False
    return figures >= _LEAST_FIGURES or abs(its - mine) <= _TOLERANCE_NO_WORD * its


def _is_rounder(mine: float, its: float) -> bool:
    """Whether a number has fewer figures than another, or as many and a five at the end: 1,500 for 1,400."""
    fewer = _figures(its) - _figures(mine)
    return fewer > 0 or (fewer == 0 and _last_figure(mine) == "5" != _last_figure(its))


def _first_figure(value: float) -> float:
    """The number with all figures but the first as noughts."""
    return float(f"{value:.9e}"[0] + "e" + f"{value:.9e}".partition("e")[2])


def _figures(value: float) -> int:
    return len(_significant(value))


def _last_figure(value: float) -> str:
    return _significant(value)[-1:]


def _significant(value: float) -> str:
    digits = f"{value:.9e}".partition("e")[0].replace(".", "")
    return digits.rstrip("0")
