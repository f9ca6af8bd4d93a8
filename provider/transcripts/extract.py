"""A transcript's sentences -> the ones that matter."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from .sentences import Sentence

Rank = Callable[[Sequence[str]], Sequence[float]]
"""Gives each of a transcript's sentences a number: the higher, the more it matters; 0 or less: not at all."""

SHORTEST_SENTENCE = 4
"""Words; what is shorter says too little on its own to matter (ours)."""
SAME = 0.8
"""The part of its words that makes a sentence a repetition of another (ours)."""


def extract(
    sentences: Sequence[Sentence],
    seconds: float,
    *,
    rank: Rank | None = None,
    length: Callable[[Sentence], float] = attrgetter("seconds"),
) -> list[Sentence]:
    """Return the sentences that matter most, within a target length, in the order in which they are said.

    They are taken by rank, the earlier of equals first, each that still fits and repeats none before it, as long as
    their rank is above 0. No sentence is cut or changed. Where none can be taken so, the one that matters most is
    taken alone. The same sentences always give the same extract (source: ours).

    :param sentences: from ``spoken_sentences``.
    :param seconds: the target length, above 0.
    :param rank: takes the sentences' texts and gives a number for each; default ``centrality``.
    :param length: how long a sentence lasts in the extract, in seconds; default: as long as in the recording.
    :return: some of the sentences, in the order of ``sentences``.
    :raises ValueError: ``seconds`` is not above 0, or ``rank`` gave not one number for each sentence.
    """
    if not seconds > 0:
        raise ValueError(f"seconds is {seconds}: an extract needs a length above 0.")
    ranks = list((rank or centrality)([sentence.text for sentence in sentences]))
    if len(ranks) != len(sentences):
        raise ValueError(
            f"rank= gave {len(ranks)} numbers for {len(sentences)} sentences; it must give one for each."
        )
    by_rank = sorted(range(len(sentences)), key=lambda index: -ranks[index])
    words = [set(_words(sentence.text)) for sentence in sentences]
    chosen: list[int] = []
    left = seconds
    for index in by_rank:
        lasts = length(sentences[index])
        if (
            ranks[index] > 0
            and lasts <= left
            and not any(_repeat(words[index], words[other]) for other in chosen)
        ):
            chosen.append(index)
            left -= lasts
    return [sentences[index] for index in sorted(chosen or by_rank[:1])]


def centrality(texts: Sequence[str]) -> list[float]:
    """Rank sentences by how much they share with all the others: the sum of their cosine similarities.

    A sentence is a vector of its words, or of pairs of characters where no spaces are written, each weighed by how
    rare it is (tf-idf). This is the degree centrality of LexRank (Erkan and Radev, 2004), and needs no model, no word
    list and no language. What has fewer than four words does not matter (source: ours).

    :param texts: the sentences.
    """
    counts = [Counter(_words(text)) for text in texts]
    in_sentences = Counter(word for count in counts for word in count)
    vectors = [
        _unit({word: n * math.log(len(texts) / in_sentences[word]) for word, n in count.items()})
        for count in counts
    ]
    # The similarities to all others add up to that with the sum of all, less the one with itself.
    total: Counter[str] = Counter()
    for vector in vectors:
        total.update(vector)
    return [
        sum(weight * (total[word] - weight) for word, weight in vector.items())
        if count.total() >= SHORTEST_SENTENCE
        else 0.0
        for count, vector in zip(counts, vectors, strict=True)
    ]


def _words(text: str) -> list[str]:
    found: list[str] = []
    for word in re.findall(r"\w+", text.casefold()):
        if any(unicodedata.east_asian_width(character) in "WF" for character in word):
            found += [word[index : index + 2] for index in range(max(len(word) - 1, 1))]
        else:
            found.append(word)
    return found


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    length = math.hypot(*vector.values())
    return {word: weight / length for word, weight in vector.items()} if length else {}


def _repeat(words: set[str], others: set[str]) -> bool:
    return len(words & others) >= SAME * max(len(words), len(others), 1)
