"""A command as data: Python's own command line and Airflow's are both built from it.

Every ``airflow`` command imports the files that hold such data, so they load what they run only when it runs. A named
tuple is made in a fraction of the time of a data class.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Argument(NamedTuple):
    """What a command takes.

    :param name: such as ``file``, or ``--kind``.
    :param help: a line for people.
    :param options: the others of ``ArgumentParser.add_argument``.
    """

    name: str
    help: str
    options: Mapping[str, Any] = MappingProxyType({})


class Command(NamedTuple):
    """One command.

    :param name: as it is typed.
    :param help: a line for people.
    :param run: returns the exit status: 0 fine, 1 not fine, 2 the command itself is wrong.
    :param arguments: what it takes.
    """

    name: str
    help: str
    run: Callable[[argparse.Namespace], int]
    arguments: tuple[Argument, ...]


class CommandGroup(NamedTuple):
    """Commands under one name.

    :param name: as it is typed.
    :param help: a line for people.
    :param commands: those in it.
    """

    name: str
    help: str
    commands: tuple[Command, ...]
