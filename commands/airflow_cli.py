"""``airflow video-creation ...``: the commands as Airflow's own command line takes them (3.2 and newer).

Every ``airflow`` command imports this file, so it must stay cheap.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from airflow.cli.cli_config import ActionCommand, Arg, CLICommand, GroupCommand

from .all_commands import ALL_COMMANDS
from .command import Command, CommandGroup

NAME = "video-creation"


def get_airflow_commands() -> list[CLICommand]:
    """Tell Airflow our commands (source: ``cli`` of Airflow's ``provider_info.schema.json``).

    :return: one group that holds them all.
    """
    help_line = "Check a request, look at a job, prepare private media"
    return [GroupCommand(NAME, help_line, [_as_airflows(command) for command in ALL_COMMANDS])]


def _as_airflows(command: Command | CommandGroup) -> CLICommand:
    if isinstance(command, CommandGroup):
        return GroupCommand(command.name, command.help, [_as_airflows(each) for each in command.commands])
    arguments = [
        Arg((argument.name,), help=argument.help, **argument.options)  # type: ignore[no-untyped-call]
        for argument in command.arguments
    ]
    return ActionCommand(command.name, command.help, _exits(command.run), arguments)


def _exits(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], None]:
    """Airflow drops what a command returns, so the status must be raised."""

    def run_and_exit(arguments: argparse.Namespace) -> None:
        if status := run(arguments):
            sys.exit(status)

    return run_and_exit
