"""What is said of a scene's text: SSML put such that espeak-ng understands it, and where each letter of it is read.

What espeak-ng knows by another name is renamed; what it does not know is left out, and its text is spoken as it
stands. Source: ours, after espeak-ng's list of supported SSML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

MAX_BREAK_SECONDS = 10.0
DEEPEST = 12
"""Tags within tags: more than anybody writes, and fewer than espeak-ng has room for."""

_SAY_AS = {
    "characters": "characters",
    "spell-out": "characters",
    "verbatim": "characters",
    "digits": "tts:digits",
    "telephone": "tts:digits",
}
_PLAIN = {"speak", "mark", "w", "token", "paragraph", "sentence"}
_BLOCKS = {"s", "p", "paragraph", "sentence", "break", "speak"}
_TIME = re.compile(r"\+?(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(ms|s)")
_DECIBELS = re.compile(r"([+-]?\d{1,3}(?:\.\d{1,3})?)dB")
_SEMITONES = re.compile(r"([+-]\d{1,2}(?:\.\d{1,3})?)st")

_PROSODY_VALUE = re.compile(
    r"[+-]?(\d{1,6}(\.\d{0,6})?|\.\d{1,6})(%|Hz)?|default|silent|medium|(x-)?(slow|fast|low|high|soft|loud)"
)


@dataclass(frozen=True)
class SpokenText:
    """What is said.

    :param visible: what a viewer reads
    :param said: plain text, or SSML as espeak-ng understands it
    :param is_ssml: whether `said` is SSML
    :param positions: for each letter of SSML its position in `visible`; empty for plain text, where they agree
    :param left_out: the SSML that is not heard, in words for the log
    """

    visible: str
    said: str
    is_ssml: bool = False
    positions: tuple[int, ...] = field(default=(), repr=False)
    left_out: frozenset[str] = frozenset()

    def visible_position(self, index: int) -> int:
        """Find the letter that a viewer reads.

        :param index: of a letter in `said`; one beyond the end means the last letter
        """
        if not self.positions:
            return min(index, len(self.visible))
        return self.positions[min(index, len(self.positions) - 1)]


def put_for_espeak(root: Element) -> SpokenText:
    """Put SSML for espeak-ng.

    :param root: the whole text of a scene
    """
    writer = _Writer()
    writer.write(root)
    visible, found = _tidy("".join(writer.visible))
    positions = tuple(found[place] for place in writer.places)
    return SpokenText(visible, "".join(writer.said), True, positions, frozenset(writer.left_out))


class _Writer:
    """Writes an SSML document for espeak-ng, and beside it what is read.

    `places` holds, for each letter of `said`, how many letters of `visible` stood before it.
    """

    def __init__(self) -> None:
        self.said: list[str] = []
        self.visible: list[str] = []
        self.places: list[int] = []
        self.left_out: set[str] = set()
        self._read = 0

    def write(self, element: Element, depth: int = 0) -> None:
        name = element.tag.rpartition("}")[2]
        tag = self._tag(element, name)
        if name in _BLOCKS:
            self._show(" ")
        if tag:
            self._say(f"<{tag}>")
        alias = element.get("alias") if name == "sub" else None
        if alias is None:
            self._text(element.text or "")
            for child in element:
                if depth < DEEPEST:
                    self.write(child, depth + 1)
                else:
                    self.left_out.add(f"tags within more than {DEEPEST} others")
                    self._text("".join(child.itertext()))
                self._text(child.tail or "")
        else:
            self._say(escape(alias))
            self._show("".join(element.itertext()))
        if tag:
            self._say(f"</{tag.partition(' ')[0]}>")
        if name in _BLOCKS:
            self._show(" ")

    def _text(self, text: str) -> None:
        for letter in text:
            self._say(escape(letter))
            self._show(letter)

    def _say(self, text: str) -> None:
        self.said.append(text)
        self.places.extend([self._read] * len(text))

    def _show(self, text: str) -> None:
        self.visible.append(text)
        self._read += len(text)

    def _tag(self, element: Element, name: str) -> str:
        """The tag that espeak-ng gets; empty for none."""
        given = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
        attributes: dict[str, str] = {}
        if name == "break":
            attributes = {key: given[key] for key in ("strength",) if key in given}
            if "time" in given:
                attributes["time"] = self._break_time(given["time"])
        elif name == "prosody":
            attributes = {key: given[key] for key in ("rate", "pitch", "volume") if key in given}
            for key in ("volume", "pitch"):
                if key in attributes:
                    attributes[key] = _as_percentage(attributes[key])
            self.left_out |= {
                f"prosody {key} {value[:20]!r}"
                for key, value in attributes.items()
                if not _PROSODY_VALUE.fullmatch(value.strip())
            }
            self.left_out |= {f"prosody {key}" for key in ("contour", "range", "duration") if key in given}
        elif name == "emphasis":
            attributes = {key: given[key] for key in ("level",) if key in given}
        elif name == "say-as":
            kind = given.get("interpret-as", "")
            if kind not in _SAY_AS:
                self.left_out.add(f"say-as {kind}".rstrip())
                return ""
            attributes = {"interpret-as": _SAY_AS[kind]}
        elif name not in ("s", "p"):
            if name not in _PLAIN and not (name == "sub" and "alias" in given):
                self.left_out.add(name)
            return "speak" if element.tag == "speak" and not self.said else ""
        return " ".join([name, *(f"{key}={quoteattr(value)}" for key, value in attributes.items())])

    def _break_time(self, text: str) -> str:
        found = _TIME.fullmatch(text.strip())
        if found is None:
            self.left_out.add(f"break of {text[:20]!r}")
            return "0ms"
        seconds = float(found[1]) / (1000 if found[2] == "ms" else 1)
        if seconds > MAX_BREAK_SECONDS:
            self.left_out.add(f"breaks beyond {MAX_BREAK_SECONDS:.0f} s")
        return f"{round(min(seconds, MAX_BREAK_SECONDS) * 1000)}ms"


def _as_percentage(value: str) -> str:
    """Loudness and pitch in the percents that espeak-ng knows, where they are in decibels or semitones."""
    if found := _DECIBELS.fullmatch(value.strip()):
        return f"{min(round(100 * 10 ** (float(found[1]) / 20)), 200)}"
    if found := _SEMITONES.fullmatch(value.strip()):
        return f"{round(100 * (2 ** (float(found[1]) / 12) - 1)):+}%"
    return value


def _tidy(text: str) -> tuple[str, list[int]]:
    """Leave out superfluous spaces; with the new position of each letter, and of the end."""
    kept: list[str] = []
    positions: list[int] = []
    for letter in text:
        letter = " " if letter == "\t" else letter
        if letter in ".,;:!?":
            while kept and kept[-1] == " ":
                kept.pop()
        positions.append(len(kept))
        if letter != " " or (kept and kept[-1] != " "):
            kept.append(letter)
    tidy = "".join(kept)
    start, end = len(tidy) - len(tidy.lstrip()), len(tidy.rstrip())
    return tidy.strip(), [min(max(place - start, 0), end - start) for place in (*positions, len(kept))]
