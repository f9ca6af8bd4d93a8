"""Whether a text is in another language than its article, by the little words that every sentence has."""
# ruff: noqa: RUF001 - it knows the words of other languages

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from .plain_words import plain

_LITTLE_WORDS = {
    "cs": (
        "a aby ale být byl byla bylo co do je jejich jeho jsou který která které na nebo od po pro "
        "při se si tak také to v ve z za že"
    ),
    "da": (
        "af at blev de den der det efter eller en er et for fra har havde i ikke kan med men nu og om "
        "på sig som til var ved vil"
    ),
    "de": (
        "aber als am an auch auf aus bei bis das dass dem den der des die dort durch ein eine einem "
        "einen einer er es für hat ihr ihre im in ist mehr mit nach nicht noch nun nur oder sein "
        "seine seit sich sie sind über um und von vor war was wer wie wird wurde zu zum zur"
    ),
    "en": (
        "a about after all an and are as at be been before but by can for from had has have he her "
        "his how in is it its more nor not of on one or our over said she still than that the their "
        "them they this to was we were what when which who will with would you your"
    ),
    "es": (
        "al algo antes como con cuando de del desde donde el ella en entre era es esta este fue ha "
        "hay hasta la las le lo los más muy no nos o para pero por que quien se según ser si sin "
        "sobre son su sus también tiene un una unos y ya"
    ),
    "fr": (
        "à après au aussi aux avec ce ces cette comme dans de depuis des du elle en est et été faire "
        "il ils je l la le les leur leurs lui mais même n ne nous on ont ou par pas plus pour qu "
        "quand que qui s sa se ses son sont sur un une vous y"
    ),
    "it": (
        "a ai al alla alle anche che chi ci come con cosa da dal dalla degli dei del della delle di e "
        "è era gli ha hanno i il in la le lo loro ma nel nella non o per perché più quando quella "
        "questa questo se si sono su sul sulla suo tra un una uno"
    ),
    "nl": (
        "aan al als bij dan dat de deze die dit door een en er het hij hoe hun ik in is je kan maar "
        "me meer met na naar niet nog nu of om ook op over te tot uit van veel voor waar was wat werd "
        "wij worden zich zijn ze zo zou"
    ),
    "no": (
        "av at ble de den der det eller en er et etter for fra har hun i ikke kan med men nå og om på "
        "seg som til var ved vil"
    ),
    "pl": (
        "a aby ale bo by był była było być co czy dla do i ich im jak jako już jednak jego jej jest "
        "ma na nad nie o od po pod przed przez przy są się tak także to tu tym w we z za że"
    ),
    "pt": (
        "a ao aos as até com como da das de depois do dos e é ela ele em entre era está foi há isso "
        "já mais mas mesmo muito na não nas no nos o os ou para pela pelo por quando que quem se sem "
        "ser seu seus são sua também um uma"
    ),
    "ru": (
        "а без бы был была были было в во вот где для до его ее ещё и из или их к как когда которые "
        "который ли между на над не но о об он она они от по под при с со так также то у уже через "
        "что это"
    ),
    "sv": (
        "att av blev de den det där efter eller en ett för från han har hon i inte kan med men nu när "
        "och om på sig som till var vid är"
    ),
    "tr": (
        "ama ancak ben bir bu çok da daha de en gibi göre ile için kadar ki ne o olan olarak oldu "
        "sonra şu ve veya ya"
    ),
    "uk": (
        "а але без був була було в від вже він вона вони де для до є за з і із її його й як який коли "
        "на над не ні о по під при про та так також те у це що ще"
    ),
}
_KNOWN = {code: frozenset(words.split()) for code, words in _LITTLE_WORDS.items()}
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_MORE = 2
"""How many more little words of the other language there must be (ours)."""
_LONG_ENOUGH = 6
"""Words that a text needs to tell its language (ours)."""


def little_words(code: str) -> frozenset[str]:
    """The little words of a language, none where they are not known here (source: ours).

    :param code: such as ``de``.
    """
    return _KNOWN.get(code, frozenset())


def language_of(text: str) -> str | None:
    """The language of a text, None where its little words do not tell (source: ours).

    :param text: some sentences.
    """
    counts = _counts(text)
    best = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    return best[0] if best and counts[best[0]] > (counts[best[1]] if best[1:] else 0) else None


def in_other_language(text: str, article_text: str, language: str | None = None) -> str | None:
    """The language of a text where it is not its article's, or its script (``Cyrillic``); else None (source: ours).

    :param text: of a script.
    :param article_text: in whose language it belongs.
    :param language: the article's, as its page says; its words are believed more.
    """
    mine, its = _writing(text), _writing(article_text)
    if mine and its and mine != its:
        return mine
    code = language_of(article_text) or re.split("[-_]", language or "")[0].lower()
    if code not in _KNOWN or len(_WORD.findall(text)) < _LONG_ENOUGH:
        return None
    counts = _counts(text)
    other = max(counts, key=counts.__getitem__, default=code)
    return other if counts[other] >= counts[code] + _LEAST_MORE else None


@lru_cache(maxsize=16)
def _counts(text: str) -> Counter[str]:
    words = Counter(word.casefold() for word in _WORD.findall(plain(text)))
    found = {code: sum(n for word, n in words.items() if word in known) for code, known in _KNOWN.items()}
    return Counter({code: number for code, number in found.items() if number})


# The article is asked about with each sentence of its script.
@lru_cache(maxsize=16)
def _writing(text: str) -> str | None:
    """The kind of letters that most of a text has."""
    kinds = Counter(
        unicodedata.name(letter, "").partition(" ")[0] for letter in plain(text) if letter.isalpha()
    )
    for kind in ("CJK", "HIRAGANA", "KATAKANA"):
        kinds["East Asian"] += kinds.pop(kind, 0)
    kind, number = kinds.most_common(1)[0]
    return kind.capitalize() if number > sum(kinds.values()) / 2 else None
