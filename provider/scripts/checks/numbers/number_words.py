"""The number words of languages that text2num does not read."""

from __future__ import annotations

import re
from functools import cache

_VALUES = (*range(1, 21), *range(30, 100, 10), *range(100, 1000, 100), 1000)
# Forms of each value in order; "-": none.
_WORDS = {
    "sv": "en|ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton "
    "tjugo|tjugi trettio fyrtio femtio sextio sjuttio åttio nittio hundra - - - - - - - - tusen",
    "da": "en|et to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten "
    "tyve tredive fyrre halvtreds tres halvfjerds firs halvfems hundrede - - - - - - - - tusind|tusinde",
    "no": "en|ett|én to tre fire fem seks sju|syv åtte ni ti elleve tolv tretten fjorten femten seksten sytten atten "
    "nitten tjue|tyve tretti|tredve førti femti seksti sytti åtti nitti hundre - - - - - - - - tusen",
    "pl": "jeden dwa|dwie|dwóch|dwu|dwoje trzy|trzech|troje cztery|czterech|czworo pięć|pięciu sześć|sześciu "
    "siedem|siedmiu osiem|ośmiu dziewięć|dziewięciu dziesięć|dziesięciu jedenaście|jedenastu dwanaście|dwunastu "
    "trzynaście|trzynastu czternaście|czternastu piętnaście|piętnastu szesnaście|szesnastu siedemnaście|siedemnastu "
    "osiemnaście|osiemnastu dziewiętnaście|dziewiętnastu dwadzieścia|dwudziestu trzydzieści|trzydziestu "
    "czterdzieści|czterdziestu pięćdziesiąt|pięćdziesięciu sześćdziesiąt|sześćdziesięciu "
    "siedemdziesiąt|siedemdziesięciu osiemdziesiąt|osiemdziesięciu dziewięćdziesiąt|dziewięćdziesięciu sto|stu "
    "dwieście|dwustu trzysta|trzystu czterysta|czterystu pięćset|pięciuset sześćset|sześciuset siedemset|siedmiuset "
    "osiemset|ośmiuset dziewięćset|dziewięciuset tysiąc|tysiące|tysięcy",
    "ru": "один|одна|одного два|две|двух три|трёх|трех четыре|четырёх|четырех пять|пяти шесть|шести семь|семи "
    "восемь|восьми девять|девяти десять|десяти одиннадцать|одиннадцати двенадцать|двенадцати тринадцать|тринадцати "
    "четырнадцать|четырнадцати пятнадцать|пятнадцати шестнадцать|шестнадцати семнадцать|семнадцати "
    "восемнадцать|восемнадцати девятнадцать|девятнадцати двадцать|двадцати тридцать|тридцати сорок|сорока "
    "пятьдесят|пятидесяти шестьдесят|шестидесяти семьдесят|семидесяти восемьдесят|восьмидесяти девяносто|девяноста "
    "сто|ста двести|двухсот триста|трёхсот четыреста|четырёхсот пятьсот|пятисот шестьсот|шестисот семьсот|семисот "
    "восемьсот|восьмисот девятьсот|девятисот тысяча|тысячи|тысяч",
}
_WORDS["nb"] = _WORDS["no"]
LANGUAGES = tuple(_WORDS)
_JOINED = {"sv": "", "da": "og", "no": "og", "nb": "og"}
"""Languages that write a number as one word, and what may stand within: enogtyve."""
_LONGEST = 40
_HUNDRED = 100
_THOUSAND = 1000


def with_digits(text: str, code: str) -> str:
    """A text whose number words are digits; "one" stays (source: ours).

    :param text: as ``plain`` makes it.
    :param code: of its language, one of ``LANGUAGES``.
    """
    made: list[str] = []
    end = 0
    run: list[int] = []
    start = 0

    def flush() -> None:
        nonlocal run, end
        if run and (run != [1]):
            made.append(text[end:start] + str(_sum(run)))
            end = last
        run = []

    last = 0
    for word in re.finditer(r"[^\W\d_]+", text):
        values = _values(word[0].casefold(), code)
        if run and (not values or text[last : word.start()] != " " or not _goes_on(run, values)):
            flush()
        if values:
            start = start if run else word.start()
            run += values
            last = word.end()
    flush()
    return "".join(made) + text[end:]


def _goes_on(run: list[int], values: list[int]) -> bool:
    """Whether two number words are one number: two hundred, fifty one; not ten twelve."""
    return values[0] >= _HUNDRED or (run[-1] >= 20 and values[0] < run[-1])


def _values(word: str, code: str) -> list[int]:
    """The numbers that a word is made of; none where it is another word."""
    known = _known(code)
    if word in known:
        return [known[word]]
    if code not in _JOINED or len(word) > _LONGEST:
        return []
    values: list[int] = []
    while word:
        part = next((word[:size] for size in range(len(word), 1, -1) if word[:size] in known), "")
        if not part:
            return []
        values.append(known[part])
        word = word[len(part) :]
        if word and _JOINED[code]:
            word = word.removeprefix(_JOINED[code])
    return values


@cache
def _known(code: str) -> dict[str, int]:
    forms = zip(_VALUES, _WORDS[code].split(), strict=True)
    return {form: value for value, each in forms for form in each.split("|") if form != "-"}


def _sum(values: list[int]) -> int:
    whole = part = 0
    for value in values:
        if value == _THOUSAND:
            whole, part = whole + (part or 1) * value, 0
        elif value == _HUNDRED:
            part = (part or 1) * value
        else:
            part += value
    return whole + part
