"""A message as short lines: Airflow's log view cuts off what is beyond the edge of the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

WIDTH = 80
"""The most characters of a line, as Airflow shows them on a laptop; a longer word gets its own line (ours)."""
_TEMPLATE = r"\"\{\{ \{.{1,900}?\}\.get\((?:run_id|\(run_id, ti\.map_index\))\) \}\}\""
ARGUMENT = re.compile(
    rf"\badopt_\w{{1,40}}=(?:{_TEMPLATE}|\{{(?:'[^'\n]{{0,300}}'|\"[^\"\n]{{0,300}}\"): {_TEMPLATE}\}})"
)
"""What a person pastes into a DAG, as ``submission.adoption`` writes it; bounded, since other words are around it."""
_COMMAND = re.compile(r" {4,}(?:airflow|pip|python) ")
"""A line that a person pastes into a shell."""
_WHOLE_OR_END = re.compile(r"\"[^\"\n]*\"|\([^()\n]*\)|(?P<end>(?<=[.!?])(?<!e\.g\.)\s+(?=[A-Z(\"']))")
_CODE = "    "


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text; what is in double quotes, or in parentheses, does not end one.

    :param text: on one line.
    """
    begin = 0
    for found in _WHOLE_OR_END.finditer(text):
        if found["end"]:
            yield text[begin : found.start()]
            begin = found.end()
    yield text[begin:]


def in_lines(message: str, about: str = "", *, after: str = "") -> str:
    """A message with a line for each sentence, and more where one is long (source: ours).

    Lines that it has already are kept. What a person pastes into a DAG gets lines of its own, divided as Python
    allows it; a line with a command is divided as a shell allows it.

    :param message: what happened first, and what to do after it.
    :param about: what it happened to, in a sentence; comes after the first one, or at the end if a list follows
        that.
    :param after: what Airflow writes before it on the first line.
    """
    lines: list[str] = []
    for line in message.splitlines():
        if _COMMAND.match(line):
            lines += _command(line)
            continue
        text = line.lstrip(" -")
        first = line[: len(line) - len(text)]
        indent = " " * len(first)
        for sentence in sentences(text):
            is_first = not lines
            # Only its length counts: wrap() would take spaces at the beginning away.
            begun = after.replace(" ", "_") if is_first else ""
            found = [*_sentence(sentence, begun + first, indent)]
            lines += [found[0][len(begun) :], *found[1:]] if found else []
            first = indent
            if is_first and not sentence.endswith(":"):
                lines += _wrapped(about, "", "  ")
                about = ""
    return "\n".join([*lines, *_wrapped(about, "", "  ")])


def _sentence(sentence: str, first: str, indent: str) -> Iterator[str]:
    begin = 0
    for found in ARGUMENT.finditer(sentence):
        yield from _wrapped(sentence[begin : found.start()].rstrip(), first, f"{indent}  ")
        yield from _divided(found[0], indent + _CODE)
        # The comma or full stop of the sentence would be pasted with it.
        rest = sentence[found.end() :].lstrip(",.;: ")
        begin, first = len(sentence) - len(rest), indent
    yield from _wrapped(sentence[begin:], first, f"{indent}  ")


def _wrapped(text: str, first: str, others: str) -> list[str]:
    return wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _divided(argument: str, indent: str) -> list[str]:
    """An argument with a template, as strings that Python joins again."""
    if len(indent) + len(argument) <= WIDTH:
        return [indent + argument]
    before, template = argument.split('"{{', 1)
    # The key of a dict gets a line of its own.
    is_dict = before.endswith(" ")
    lines = [indent + before.rstrip()] if is_dict else []
    rest = f'{indent}{_CODE}"{{{{{template}' if is_dict else indent + argument
    while len(rest) > WIDTH and (cut := rest.rfind(" ", rest.index('"') + 4, WIDTH - 1) + 1):
        lines.append(f'{rest[:cut]}"')
        rest = f'{indent}{_CODE}"{rest[cut:]}'
    return [*lines, rest]


def _command(line: str) -> Iterator[str]:
    """A line with a command, as lines that a shell joins again."""
    indent = line[: len(line) - len(line.lstrip())] + _CODE
    begun, *options = line.split(" --")
    for option in options:
        if len(f"{begun} --{option} \\") <= WIDTH:
            begun += f" --{option}"
        else:
            yield f"{begun} \\"
            begun = f"{indent}--{option}"
    yield begun
