"""``job JOB_ID``: what the service says about a job."""

from __future__ import annotations

import argparse
import os
import sys

from ..provider.info import DEFAULT_CONNECTION_ID
from .command import Argument, Command


def run(arguments: argparse.Namespace) -> int:
    """Print the job, a field a line; the links are capabilities, so they are for your eyes only."""
    # As Airflow's own command line does: connections of its database count too, not only those of a task.
    os.environ.setdefault("_AIRFLOW_PROCESS_CONTEXT", "server")
    from ..hooks.video_creation import VideoCreationHook
    from ..provider.errors import VideoCreationError

    try:
        job, unknown = VideoCreationHook(arguments.conn, arguments.user_id).poll_job(arguments.job_id)
    except VideoCreationError as error:
        print(error, file=sys.stderr)
        return 1
    for name, value in job.to_xcom().items():
        if value is not None:
            print(f"{name:16} {f'{len(value)} fields' if isinstance(value, dict) else value}")
    if unknown:
        print(f"The service calls this state {unknown!r}; add it to the connection's extra state_words.")
    return 0


COMMAND = Command(
    "job",
    "print a job's state and links",
    run,
    (
        Argument("job_id", "of a storyboard or render job"),
        Argument(
            "--conn",
            f"default: {DEFAULT_CONNECTION_ID}",
            {"default": DEFAULT_CONNECTION_ID, "metavar": "CONN_ID"},
        ),
        Argument("--user-id", "instead of the connection's user id"),
    ),
)
