"""Finds the servers that a cluster needs, and installs them with apt-get when that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

APT_SECONDS = 600


class NotInstallableError(Exception):
    """Something that the cluster needs cannot be installed; the message says what and why."""


def program(name: str, *, package: str, folders: Sequence[str] = ()) -> str:
    """The path of a program, installed from its Debian package when absent.

    :param name: of the program.
    :param package: that brings it.
    :param folders: where it may lie beside the PATH, below the root; may hold ``*``.
    :raises NotInstallableError: it is absent, and cannot be installed.
    """
    if not (found := _found(name, folders)):
        _install(package)
        found = _found(name, folders)
    if not found:
        raise NotInstallableError(f"{name} is not there after apt-get install {package}")
    return found


def require_modules(modules: Sequence[str], *, requirements: str) -> None:
    """Check that Python packages are installed.

    :param modules: import names.
    :param requirements: the file that names their packages, for the message.
    :raises NotInstallableError: some are absent.
    """
    absent = [name for name in modules if not _is_there(name)]
    if absent:
        raise NotInstallableError(
            f"no module {', '.join(absent)}: `make system-test` installs {requirements}, "
            "or did not succeed, and said why"
        )


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _found(name: str, folders: Sequence[str]) -> str | None:
    beside = [str(path) for pattern in folders for path in sorted(Path("/").glob(pattern), reverse=True)]
    return shutil.which(name, path=os.pathsep.join([*beside, os.environ.get("PATH", "")]))


def _install(package: str) -> None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise NotInstallableError(f"{package} is not installed, and only root can install it, with apt-get")
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", package]):
        try:
            done = subprocess.run(
                ["apt-get", "--quiet", *command],
                env=quietly,
                capture_output=True,
                text=True,
                timeout=APT_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise NotInstallableError(f"apt-get {command[0]} took longer than {APT_SECONDS} s") from error
        if done.returncode:
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            raise NotInstallableError(f"apt-get {' '.join(command)} failed: {' '.join(last)}")
