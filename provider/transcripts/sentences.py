"""A transcript -> its sentences, and when each is said."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ..speech_rate import spoken_words
from ..text.sentences import sentences_of
from .cue import Cue
from .transcript import Transcript

MAX_SENTENCE = 40
"""Words; what is longer, as where a recogniser writes no full stops, is cut between cues (ours)."""
MAX_PAUSE = 3.0
"""Seconds of silence that no sentence goes across (ours)."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, on one line, and when it is said in the recording.

    :param text: plain text.
    :param start: seconds from the recording's start.
    :param end: seconds from there, not before ``start``.
    :param speaker: who says it, None where the transcript does not tell.
    """

    text: str
    start: float
    end: float
    speaker: str | None = None

    @property
    def seconds(self) -> float:
        """How long it is said in the recording."""
        return self.end - self.start


def spoken_sentences(transcript: Transcript) -> list[Sentence]:
    """Return what is said as whole sentences, in order, no word lost.

    A sentence goes across cues, not across a change of speaker or a pause of 3 seconds. Where it starts or ends
    within a cue, the moment is estimated from its position in the cue's text. What has more than 40 words is cut
    between cues (source: ours).

    :param transcript: from ``parse_transcript``.
    :return: the sentences, each with its time and speaker.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    found: list[Sentence] = []
    for turn in _turns(transcript.cues):
        position = 0
        for sentence in sentences_of(turn.text, transcript.language):
            for start, end in turn.pieces(position, position + len(sentence)):
                if text := turn.text[start:end].strip():
                    begins = max(turn.moment(start), found[-1].start if found else 0.0)
                    ends = max(turn.moment(end, at_end=True), begins)
                    found.append(Sentence(text, begins, ends, turn.cues[0].speaker))
            position += len(sentence)
    return found


class _Turn:
    """Cues that one speaker says without a pause, as one text; ``starts`` says where in it each cue begins."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self.cues = cues
        texts = [f"{cue.text} " for cue in cues]
        self.text = "".join(texts)
        self.starts = [0, *accumulate(map(len, texts))][:-1]

    def moment(self, position: int, *, at_end: bool = False) -> float:
        """When the character at a position is said; at the end: when the one before it has been said."""
        if at_end:
            while position and self.text[position - 1].isspace():
                position -= 1
        index = max(bisect_right(self.starts, position - at_end) - 1, 0)
        cue = self.cues[index]
        share = min((position - self.starts[index]) / len(cue.text), 1.0)
        return cue.start + (cue.end - cue.start) * share

    def pieces(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """A stretch of the text whole, or, where it is too long, cut where cues begin."""
        if spoken_words(self.text[start:end]) > MAX_SENTENCE:
            cuts = self.starts[bisect_right(self.starts, start) : bisect_right(self.starts, end - 1)]
            for cut, following in pairwise([*cuts, end]):
                if spoken_words(self.text[start:following]) > MAX_SENTENCE:
                    yield start, cut
                    start = cut
        yield start, end


def _turns(cues: Sequence[Cue]) -> Iterator[_Turn]:
    turn = [cues[0]]
    for cue in cues[1:]:
        if cue.speaker != turn[-1].speaker or cue.start - turn[-1].end > MAX_PAUSE:
            yield _Turn(turn)
            turn = []
        turn.append(cue)
    yield _Turn(turn)
