"""For people, beside the DAGs: check a request, look at a job, prepare private media."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .commands.all_commands import ALL_COMMANDS
from .commands.command import Command, CommandGroup


def main() -> int:
    """Run one command.

    :return: the exit status: 0 fine, 1 not fine, 2 the command itself is wrong.
    """
    parser = argparse.ArgumentParser(prog="python -m airflow_video_creation", description=__doc__)
    _add(ALL_COMMANDS, parser)
    arguments = parser.parse_args()
    status: int = arguments.run(arguments)
    return status


def _add(commands: Sequence[Command | CommandGroup], parser: argparse.ArgumentParser) -> None:
    names = ",".join(command.name for command in commands)
    parsers = parser.add_subparsers(required=True, metavar=f"{{{names}}}")
    for command in commands:
        its_parser = parsers.add_parser(command.name, help=command.help, description=command.help)
        if isinstance(command, CommandGroup):
            _add(command.commands, its_parser)
            continue
        for argument in command.arguments:
            its_parser.add_argument(argument.name, help=argument.help, **argument.options)
        its_parser.set_defaults(run=command.run)


if __name__ == "__main__":
    sys.exit(main())
