"""One role of a cluster, such as the scheduler: a session of processes that can be killed and restarted."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from .until import until

STOP_SECONDS = 10


class Role:
    """A program and all that it starts, in a separate session.

    Processes are found by their session: Airflow's overwrite their environment and arguments with a title.

    :param name: of the role, and of its log file.
    :param command: the program and its arguments.
    :param environment: of the program.
    :param logs: the folder for what it prints.
    """

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str], logs: Path) -> None:
        self.name = name
        self._command = list(command)
        self._environment = dict(environment)
        self._log = logs / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._sessions: list[int] = []

    def start(self) -> None:
        """Start it; what it prints is appended to its log."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                cwd=self._log.parent,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._sessions.append(self._process.pid)

    def kill_alone(self) -> None:
        """SIGKILL the program itself; what it started keeps running."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def kill(self) -> None:
        """SIGKILL the program and all that it started, as when its machine is lost."""
        self._signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
        until(f"the end of {self.name}", lambda: not self.alive())

    def stop(self) -> None:
        """End the program and all that it ever started."""
        self._signal(signal.SIGTERM)
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        self.kill()

    def alive(self) -> list[int]:
        """The processes of the program, and of all that it ever started, which have not ended."""
        return [pid for session in self._sessions for pid in processes_of(session)]

    def _signal(self, how: signal.Signals) -> None:
        for pid in self.alive():
            with suppress(ProcessLookupError):
                os.kill(pid, how)


def processes_of(session: int) -> list[int]:
    """The processes of a session that have not ended.

    :param session: the id of the process that began it.
    """
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # The name in brackets may hold spaces; what follows it is: state, parent, group, session.
            state, _, _, of_session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(of_session) == session and state != "Z":
            found.append(int(entry.name))
    return found
