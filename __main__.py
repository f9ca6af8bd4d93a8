"""For people, beside the DAGs: check a request, look at a job, prepare private media."""

from __future__ import annotations

import argparse
import sys

from .commands import check, job, private_media


def main() -> int:
    """Run one command and return the exit status: 0 fine, 1 not fine, 2 the command itself is wrong."""
    parser = argparse.ArgumentParser(prog="python -m airflow_video_creation", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="{check,job,private-media}")
    for command in (check, job, private_media):
        command.add_to(commands)
    arguments = parser.parse_args()
    status: int = arguments.run(arguments)
    return status


if __name__ == "__main__":
    sys.exit(main())
