"""The mutants of a source file: mutmut's, and three of ours that find missing wires.

A *place* is a statement, for a compound one its head. Some code is left alone, since no test could or should notice it:
docstrings, annotations, imports, decorators, blocks of ``TYPE_CHECKING``, calls of a log, ``cast``, and texts with a
space in them, which are words for people.
"""

from __future__ import annotations

import ast
import difflib
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators, operator_if_exp, operator_string

LOG = m.Name("log") | m.Attribute(attr=m.Name("log") | m.Name("_log"))
LOGS = m.Call(func=m.Attribute(value=LOG))
DOCSTRING = m.Expr(m.SimpleString() | m.ConcatenatedString())
LEFT_ALONE = (
    m.Annotation()
    | m.Decorator()
    | m.Import()
    | m.ImportFrom()
    | DOCSTRING
    | m.If(test=m.Name("TYPE_CHECKING"))
    | LOGS
    | m.Expr(LOGS)
    | m.Call(func=m.Name("cast") | m.Name("TypeVar"))
    | m.Assign(targets=[m.AssignTarget(target=m.Name("log") | m.Name("__all__"))])
)
GONE = m.Raise() | m.Expr(m.Call() | m.Await())


def _removed(node: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    """Without a call whose result nobody takes, or without a raise."""
    if len(node.body) == 1 and m.matches(node.body[0], GONE) and not _is_left_alone(node.body[0]):
        yield node.with_changes(body=[cst.Pass()])


def _nothing_returned(node: cst.Return) -> Iterator[cst.CSTNode]:
    if node.value is not None and not m.matches(node.value, m.Name("None")):
        yield node.with_changes(value=cst.Name("None"))


def _one_text(node: cst.SimpleString) -> Iterator[cst.CSTNode]:
    """Of the texts that mutmut makes the first: other cases are the same text to HTTP, and to many a reader of ours."""
    if " " not in node.value:
        yield from list(operator_string(node))[:1]


OPERATORS: list[tuple[type[cst.CSTNode], Callable[[Any], Iterable[cst.CSTNode]]]] = [
    *((kind, operator) for kind, operator in mutation_operators if operator is not operator_string),
    (cst.SimpleString, _one_text),
    (cst.SimpleStatementLine, _removed),
    (cst.Return, _nothing_returned),
    # Always taken, never taken: mutmut does that to ``a if b else c`` alone.
    (cst.If, cast("Callable[[Any], Iterable[cst.CSTNode]]", operator_if_exp)),
]


@dataclass(frozen=True)
class Mutant:
    """One file, changed at one place.

    :param path: of the file, from the root of the repository.
    :param first: line of the place.
    :param last: line of the place.
    :param in_function: whether the place runs when a function does, not when the file is imported.
    :param before: the file's text.
    :param after: its text as a mutant.
    """

    path: str
    first: int
    last: int
    in_function: bool
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The lines that differ."""
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), n=0, lineterm="")
        return "\n".join(line for line in list(lines)[2:] if not line.startswith("@@"))

    @property
    def line(self) -> int:
        """The first line that differs."""
        pairs = zip(self.before.splitlines(), self.after.splitlines(), strict=False)
        return next((number for number, (one, other) in enumerate(pairs, 1) if one != other), self.first)


@dataclass
class Place:
    """A statement, and what can be changed in it."""

    path: str
    module: cst.Module
    first: int
    last: int
    in_function: bool
    changes: list[tuple[cst.CSTNode, cst.CSTNode]] = field(default_factory=list)

    def mutant(self, chance: random.Random) -> Mutant | None:
        """One of the mutants here; None when none of them is another program.

        :param chance: picks it.
        """
        before = self.module.code
        for original, changed in chance.sample(self.changes, len(self.changes)):
            after = cast("cst.Module", self.module.deep_replace(original, changed)).code
            if _is_another_program(before, after):
                return Mutant(self.path, self.first, self.last, self.in_function, before, after)
        return None


def places(path: str, code: str) -> list[Place]:
    """Every place of a file that can be mutated.

    :param path: of the file, from the root of the repository.
    :param code: its text.
    """
    wrapper = MetadataWrapper(cst.parse_module(code), unsafe_skip_copy=True)
    visitor = _Places(path, wrapper.module)
    wrapper.visit(visitor)
    return [place for place in visitor.found if place.changes]


class _Places(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, path: str, module: cst.Module) -> None:
        super().__init__()
        self.found: list[Place] = []
        self._path = path
        self._module = module
        self._within: list[tuple[cst.CSTNode, Place]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _is_left_alone(node):
            return False
        if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            self._enter(node)
        if self._within:
            self._within[-1][1].changes += [
                (node, changed)
                for kind, operator in OPERATORS
                if isinstance(node, kind)
                for changed in operator(node)
            ]
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if self._within and self._within[-1][0] is original_node:
            self._within.pop()

    def _enter(self, node: cst.SimpleStatementLine | cst.BaseCompoundStatement) -> None:
        whole = self.get_metadata(PositionProvider, node)
        last = whole.end.line
        if not isinstance(node, cst.SimpleStatementLine | cst.Match):
            last = max(whole.start.line, self.get_metadata(PositionProvider, node.body).start.line - 1)
        in_function = any(isinstance(outer, cst.FunctionDef) for outer, _ in self._within)
        self.found.append(Place(self._path, self._module, whole.start.line, last, in_function))
        self._within.append((node, self.found[-1]))


def _is_left_alone(node: cst.CSTNode) -> bool:
    return m.matches(node, LEFT_ALONE)


def _is_another_program(before: str, after: str) -> bool:
    try:
        return ast.dump(ast.parse(before)) != ast.dump(ast.parse(after)) and bool(compile(after, "", "exec"))
    except SyntaxError:
        return False
