"""A script and its article -> what an editor would strike out, before anything is paid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import urlsplit

from ..articles.page import Article
from ..speech_rate import seconds_to_say, spoken_words
from ..text.language_code import language_code
from .article_data import speaks_to_models, without_orders
from .checks.calendar_words import calendar_words
from .checks.names.in_place_of_another import ArticleLeads
from .checks.names.missing_names import ArticleNames
from .checks.names.wrong_person import ArticlePersons
from .checks.numbers.in_digits import in_digits
from .checks.other_language import in_other_language, language_of, little_words
from .checks.passages import LEAST_LIKENESS, ArticleText
from .checks.plain_words import are_alike, folded, folded_words, plain
from .checks.quotations import quotations_in, unmarked_quotations_in
from .fact_check import FactCheck
from .report import WHOLE, Finding, ScriptReport
from .script import VideoScript

LONGER_THAN_ASKED = 1.25
"""How much longer than asked a script may be, by the estimate (ours)."""
_SHORTEST = 3
"""Words of the shortest sentence (ours)."""
_ADDRESS = re.compile(
    r"https?://\S+|\bwww\.\S+|(?<!\S)[^\s@]+@[^\s@]+\.\w+|(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|shop|example|info|biz|app|ai|co|de|fr|es|it|nl|pl|ru|eu|uk)\b",
    re.IGNORECASE,
)


def check_script(script: VideoScript, article: Article, *, seconds: float | None = None) -> ScriptReport:
    """Compare a script with its article (source: ours).

    The article must have every scene's source, and every number, date, name and quotation of the script; and the
    script must be in the article's language, about as long as asked, and hold no address of another site. What speaks
    to a language model in the article supports nothing.

    :param script: that a model has written.
    :param article: that it was written for.
    :param seconds: how long it was to be; None: any length.
    :raises ConfigurationError: the extra ``[ai]`` or ``[articles]`` is not installed.
    """
    return ScriptReport(tuple(dict.fromkeys(_Check(script, article, seconds).findings())))


class _Check:
    """One script beside one article."""

    def __init__(self, script: VideoScript, article: Article, seconds: float | None) -> None:
        self._script = script
        self._article = article
        self._seconds = seconds
        self._text = without_orders(article.text)
        self._language = language_code(article.language) or language_of(self._text)

    def findings(self) -> Iterator[Finding]:
        """All that is wrong, in the script's order."""
        script = self._script
        languages = list(self._of_language())
        yield from languages
        # The words of another language can be compared with nothing.
        if any(finding.place == WHOLE for finding in languages):
            return
        yield from self._of_length()
        yield from self._of_text("title", script.title, ())
        yield from self._of_text("hook", script.hook, ())
        for number, scene in enumerate(script.scenes):
            place = f"scenes[{number}]"
            likeness, passage = self._sentences.likeness_and_passage(scene.source)
            if likeness < LEAST_LIKENESS or spoken_words(scene.source) < _SHORTEST:
                yield Finding(
                    place,
                    "source",
                    scene.source,
                    "is no sentence of the article: copy the one that the scene rests on",
                )
                passage = ()
            elif not self._is_about(scene.text, self._sentences.around(passage)):
                yield Finding(place, "source", scene.text, "has nothing in common with its source")
            if spoken_words(scene.text) < _SHORTEST:
                yield Finding(place, "source", scene.text, "is no sentence")
            yield from self._of_text(place, scene.text, passage, has_source=True)
        yield from self._of_text("closing", script.closing, ())

    @cached_property
    def _code(self) -> str:
        return (self._language or "en").replace("_", "-").partition("-")[0].lower()

    @cached_property
    def _sentences(self) -> ArticleText:
        return ArticleText(self._text, self._language)

    @cached_property
    def _all_words(self) -> str:
        article = self._article
        return plain(
            "\n".join(
                filter(
                    None, [article.title, article.author, _site(article.url), article.published, self._text]
                )
            )
        )

    @cached_property
    def _names(self) -> ArticleNames:
        return ArticleNames(self._all_words, self._language)

    @cached_property
    def _persons(self) -> ArticlePersons:
        return ArticlePersons(self._sentences, self._code)

    @cached_property
    def _leads(self) -> ArticleLeads:
        return ArticleLeads(self._sentences, self._code)

    @cached_property
    def _facts(self) -> FactCheck:
        return FactCheck(self._all_words, self._sentences, self._language, self._code)

    def _of_language(self) -> Iterator[Finding]:
        whole = " ".join([self._script.title, *(text for _, text in self._script.spoken())])
        if other := in_other_language(whole, self._text, self._language):
            yield Finding(
                WHOLE,
                "language",
                "",
                f"is in another language ({other}) than the article ({self._language})",
            )
            return
        for place, text in self._script.spoken():
            if other := in_other_language(text, self._text, self._language):
                yield Finding(
                    place,
                    "language",
                    text,
                    f"is in another language ({other}) than the article ({self._language})",
                )

    def _of_length(self) -> Iterator[Finding]:
        if self._seconds is None:
            return
        spoken = sum(seconds_to_say(text, self._language) for _, text in self._script.spoken())
        if spoken > self._seconds * LONGER_THAN_ASKED:
            yield Finding(
                WHOLE,
                "length",
                "",
                f"takes about {spoken:.0f} seconds to say: {self._seconds:.0f} were asked for",
            )

    def _is_about(self, text: str, passage: tuple[int, ...]) -> bool:
        """Whether a scene has any word in common with its source or the sentences around, little ones aside."""
        little = little_words(self._code)
        mine, its = (
            folded_words(in_digits(plain(part), self._language)) - little
            for part in (text, self._sentences.passage(passage))
        )
        # Numbers are compared on their own.
        return (
            not mine
            or any(word[0].isdigit() for word in mine)
            or any(are_alike(word, other) for word in mine for other in its)
        )

    def _of_text(
        self, place: str, text: str, passage: tuple[int, ...], *, has_source: bool = False
    ) -> Iterator[Finding]:
        text = plain(text)
        if speaks_to_models(text):
            yield Finding(place, "source", text, "obeys what the article says to models: it is no news")
        for address in _ADDRESS.findall(text):
            if not _site(self._article.url) or _site(self._article.url) not in address.casefold():
                yield Finding(place, "address", address, "is an address: leave it out")
        for quotation in (*quotations_in(text), *unmarked_quotations_in(text, self._code)):
            if not self._sentences.says(quotation) and folded(quotation) not in folded(self._all_words):
                yield Finding(place, "quotation", quotation, "is quoted, and stands nowhere in the article")
        yield from self._facts.findings(place, text, passage, has_source)
        named = self._without_calendar(text)
        for name in self._names.missing(named, is_title=place == "title"):
            yield Finding(place, "name", name, "is a name that the article does not have")
        replaced = [] if place == "title" else list(self._leads.mistaken(named, passage))
        for name, other in (*self._persons.mistaken(named, passage), *replaced):
            yield Finding(place, "name", name, f"stands where the article has {other}")

    def _without_calendar(self, text: str) -> str:
        """A text whose numbers are digits, and whose addresses and capitals of months and days are gone."""
        text = in_digits(_ADDRESS.sub(" ", text), self._language)
        for word in calendar_words(text, self._language):
            text = text[: word.start] + text[word.start : word.end].lower() + text[word.end :]
        return text


def _site(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
