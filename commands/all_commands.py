"""Every command for people, in the order of the help."""

from __future__ import annotations

from . import check, job, private_media

ALL_COMMANDS = (check.COMMAND, job.COMMAND, private_media.COMMAND)
