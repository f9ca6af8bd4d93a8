"""Which words of a language are names wherever they stand: of countries, and those that its dictionary has not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ....extras import ai_extra
from ..other_language import little_words
from ..plain_words import folded

_SHORTEST_UNKNOWN = 5
"""Letters of the shortest word that is a name because no dictionary has it: aujourd', novanta (ours)."""
_SHORTEST_PART = 3
_COMPOUNDING = ("da", "de", "fi", "nb", "nl", "no", "sv")
_TOO_LARGE = ("fi", "pl", "ru", "tr", "uk")
"""Languages whose dictionary takes some seconds to read."""
_SHORTENED = re.compile(r"(?:n?['\u2019](?:ll|d|ve|re|m|t)|['\u2019]s?)$")
"""What a word has of the one after it, or of possession: it'll, isn't, Ann's."""
_LINK = re.compile(r"(?:s|n|en|es|er)?$")
_GERMAN_ENDINGS = ("e", "n", "en", "nen", "er", "ern", "es", "se")
"""Of plurals and cases: a name has none but s."""
_SHORTEST_ADJECTIVE = 6
_NOT_LISTED_WORDS = {
    "es": "desaladora jamás ojalá veintidós veintitrés veintiséis",
    "fr": """
        ailleurs alors aujourd auparavant aussitôt autrefois beaucoup brebis certes choix cinquante concours
        corps davantage debout dehors désormais dorénavant douze dès envers exprès gratis hélas hors jadis
        jamais jusqu longtemps lors mieux moins naguère néanmoins onze parcours parfois partout pays
        plusieurs plutôt pourquoi pourtant presque printemps puisqu quarante quatorze quelquefois quiconque
        quinze repas rendez-vous seize sitôt soixante sous souvent succès tandis tantôt tellement temps
        toujours treize trente vite voix volontiers vraiment
    """,
    "it": """
        abbastanza adesso allora almeno altrimenti cento chissà cioè davvero diciannove diciassette diciotto
        dodici domani dopodomani eppure finora gratis giovedì inoltre invano laggiù lunedì magari martedì
        mercoledì nonostante novanta oramai ottanta perciò perfino purtroppo quaranta quattordici quattro
        quindici sedici sempre sessanta settanta soprattutto stasera stavolta talvolta terme tredici trenta
        tuttora undici venerdì venti
    """,
}
"""Words that have one form only, which a dictionary of forms does not list."""
_NOT_LISTED = {code: frozenset(words.split()) for code, words in _NOT_LISTED_WORDS.items()}
_NOT_LISTED_FORMS = {
    "es": re.compile(r"\w+(?:mente|[áéí]\w+(?:te|nos|se|lo|la|me))"),
    "fr": re.compile(r"\w+ment"),
    "it": re.compile(r"\w+(?:mente|teci|tevi|telo|tela)"),
    "pt": re.compile(r"\w+mente"),
}
"""Adverbs, and imperatives with a pronoun: síguenos, raccontateci."""
_SMALL_NATIONALITIES = ("da", "es", "fr", "it", "nb", "no", "pt", "sv")
_MOST_COUNTRIES = 4
"""A language of more countries says little about one: English, Spanish, Arabic (ours)."""
_ENDING = re.compile(r"(?:[aeio]s?|t|es|as|os|s)$")
_OTHER_NAMES = {
    "america": "US",
    "amerika": "US",
    "britain": "GB",
    "british": "GB",
    "holland": "NL",
    "uk": "GB",
    "us": "US",
    "usa": "US",
    "washington": "US",
}
"""Of countries: those that Babel does not have."""


def countries_of(word: str, code: str) -> frozenset[str]:
    """The countries that a word names, or whose language: Dutch is of the Netherlands (source: ours).

    :param word: with or without a capital.
    :param code: of its language, such as ``de``.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    return _countries(code).get(folded(word), frozenset())


def names_of_countries(countries: frozenset[str], code: str) -> list[str]:
    """All words that name some countries, or their languages (source: ours).

    :param countries: as ``countries_of`` names them.
    :param code: of the language of the words.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    return [name for name, named in _countries(code).items() if named & countries]


def is_name_anywhere(word: str, code: str) -> bool:
    """Whether a word is a name even where all words have a capital (source: ours).

    :param word: with a capital.
    :param code: of its language, such as ``de``.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    bare = _SHORTENED.sub("", word)
    if folded(bare) in little_words(code):
        return False
    if bare.casefold() not in _OTHER_NAMES and countries_of(bare, code):
        return True
    known = _dictionary(code)
    if not known or is_common(bare, code):
        return False
    if bare in known:
        # German writes all nouns like names.
        return code != "de"
    return len(bare) >= _SHORTEST_UNKNOWN and not (code in _COMPOUNDING and _is_compound(bare, known))


def is_unknown(word: str, code: str) -> bool:
    """Whether no dictionary has a word, nor is it a little one (source: ours).

    :param word: with a capital.
    :param code: of its language, such as ``de``.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    bare = re.sub(r"['\u2019]\w*$", "", word)
    return folded(bare) not in little_words(code) and not is_common(bare, code)


def is_common(word: str, code: str) -> bool:
    """Whether a word is one that is written without a capital, too (source: ours).

    :param word: in any case.
    :param code: of its language, such as ``de``.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    lower = word.lower()
    form = _NOT_LISTED_FORMS.get(code)
    return (
        lower in _dictionary(code)
        or lower in _NOT_LISTED.get(code, ())
        or bool(form and form.fullmatch(lower))
    )


def is_place_adjective(word: str, noun: str) -> bool:
    """Whether a German word says of which place the noun after it is: Salzburger Firma (source: ours).

    :param word: with a capital.
    :param noun: that follows it.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    known = _dictionary("de")
    if not word.endswith("er") or len(word) < _SHORTEST_ADJECTIVE or noun not in known:
        return False
    place = word.removesuffix("er")
    if countries_of(place, "de") or (place in known and has_forms_of_names(place, "de")):
        return True
    # An occupation has a form for a woman, too: Lehrer, Lehrerin.
    return not has_forms_of_names(noun, "de") and f"{word}in" not in known


def nationalities_in(text: str, code: str) -> list[str]:
    """The words of a text that name a nation without a capital: une entreprise polonaise (source: ours).

    :param text: plain text.
    :param code: of its language; of some others too little is known.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    if code not in _SMALL_NATIONALITIES:
        return []
    names = _nationalities(code)
    words = re.findall(r"\b[^\W\d_]{5,20}\b", text)
    once = [_without_ending(folded(word)) for word in words if word.islower()]
    return [names[form] for each in once for form in {each, _without_ending(each)} if form in names]


def has_forms_of_names(word: str, code: str, *, or_unknown: bool = False) -> bool:
    """Whether a noun has no other form than a name has: Berlin, Berlins (source: ours).

    :param word: with a capital.
    :param code: of its language, such as ``de``.
    :param or_unknown: what an unknown word that may be made of others is.
    :raises ConfigurationError: the extra ``[ai]`` is not installed.
    """
    known = _dictionary(code)
    if not known or word.lower() in known or known.get(word, word) != word:
        return False
    if word not in known and not or_unknown and _is_compound(word, known):
        return False
    return not any(known.get(word + ending) == word for ending in _GERMAN_ENDINGS)


def _is_compound(word: str, known: Mapping[str, str]) -> bool:
    """Whether a word is made of two that are known, such as Seilbahnchef."""
    return any(
        _knows(word[cut:], known)
        and any(_knows(first, known) for first in {word[:cut], _LINK.sub("", word[:cut], count=1)})
        for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    )


def _knows(part: str, known: Mapping[str, str]) -> bool:
    return len(part) >= _SHORTEST_PART and (part.capitalize() in known or part.lower() in known)


@cache
def _dictionary(code: str) -> Mapping[str, str]:
    if code in _TOO_LARGE:
        return {}
    with ai_extra():
        from simplemma.strategies.dictionaries import StreamDictionaryFactory
    try:
        return StreamDictionaryFactory().get_dictionary(code)
    except ValueError:
        return {}


@cache
def _countries(code: str) -> dict[str, frozenset[str]]:
    with ai_extra():
        from babel import Locale, UnknownLocaleError
        from babel.languages import get_official_languages
    try:
        locale = Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse("en")
    found: dict[str, set[str]] = {}
    for territory, name in locale.territories.items():
        if not territory.isalpha():
            continue
        found.setdefault(folded(name), set()).add(territory)
        for language in get_official_languages(territory):
            spoken = folded(locale.languages.get(language, ""))
            if spoken and " " not in spoken:
                found.setdefault(spoken, set()).add(territory)
    for name, territory in _OTHER_NAMES.items():
        found.setdefault(name, set()).add(territory)
    return {name: frozenset(territories) for name, territories in found.items()}


@cache
def _nationalities(code: str) -> dict[str, str]:
    """The languages of a few countries, without their endings, and with them."""
    with ai_extra():
        from babel import Locale
        from babel.languages import get_official_languages
    locale = Locale.parse(code)
    spoken_in: dict[str, int] = {}
    for territory in map(str, locale.territories):
        if territory.isalpha():
            for language in get_official_languages(territory):
                spoken_in[language] = spoken_in.get(language, 0) + 1
    found = {}
    for language, countries in spoken_in.items():
        name = locale.languages.get(language, "")
        stem = _without_ending(folded(name))
        is_of_few = language != code and countries <= _MOST_COUNTRIES
        if is_of_few and " " not in name and len(stem) >= _SHORTEST_UNKNOWN:
            found[stem] = name
    return found


def _without_ending(word: str) -> str:
    return re.sub(r"(.)\1$", r"\1", _ENDING.sub("", word))
