"""Reads feeds, pages and transcripts in a process of its own: one that is made to be slow to read cannot hold the task.

Started as a program, this module is that process. No check of size or shape beforehand keeps the parsers fast: 240 kB
of one-letter paragraphs can take them 10 s, 100 kB of empty lines a minute, and nothing in the same process can
interrupt them.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from ...provider.errors import ArticleError
from .fetch import without_secrets

MAX_CPU_SECONDS = 20.0
"""Seconds that reading one thing may take; articles take a tenth of a second (ours)."""
MAX_MEMORY = 1 << 30
"""Bytes of address space that the process may have; a podcast's feed of 9 MB takes a tenth of it (ours)."""
OUT_OF_MEMORY = errno.ENOMEM
"""The exit code of a process that needs more."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class ReadingProcess:
    """A process that reads things one after the other, in at most 1 GiB of memory; it starts with the first.

    :param cpu_seconds: seconds that one thing may take, counted in computing time, so that a busy machine makes no
        difference.
    """

    def __init__(self, cpu_seconds: float | None = None) -> None:
        self._cpu_seconds = cpu_seconds or MAX_CPU_SECONDS
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()

    def end(self) -> None:
        """End the reading and all that would follow, from any thread."""
        self._ended = True
        if process := self._process:
            process.kill()

    def run(
        self,
        url: str,
        read: Callable[Arguments, Result],
        /,
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Result:
        """Call a function in that process (source: ours).

        :param url: of what is read, for messages.
        :param read: a function of a module; raises what it raises.
        :param arguments: of ``read``.
        :param named: of ``read``.
        :raises ArticleError: it took too long or too much memory, or ended the process.
        """
        process = self._running()
        assert process.stdin
        assert process.stdout
        try:
            pickle.dump((read, arguments, named), process.stdin)
            process.stdin.flush()
            result, error = pickle.load(process.stdout)  # noqa: S301 - from our own process
        except (EOFError, OSError, pickle.UnpicklingError):
            raise self._failure(url) from None
        if error:
            raise error
        value: Result = result
        return value

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            # -P: a module in the task's working folder must not replace a library's.
            command = [sys.executable, "-P", "-W", "ignore", "-m", __name__, str(self._cpu_seconds)]
            self._process = subprocess.Popen(  # noqa: S603 - this module
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        if self._ended:
            self._process.kill()
        return self._process

    def _failure(self, url: str) -> ArticleError:
        assert self._process
        self._process.communicate()
        code, self._process = self._process.returncode, None
        if code == -signal.SIGPROF:
            return ArticleError(
                f"Reading {without_secrets(url)} takes more than {self._cpu_seconds:.3g} s of computing time. Leave "
                "it out, or check what is there."
            )
        if code == OUT_OF_MEMORY:
            return ArticleError(
                f"Reading {without_secrets(url)} takes more than {MAX_MEMORY >> 30} GiB of memory. Leave it out, or "
                "check what is there."
            )
        return ArticleError(
            f"{without_secrets(url)} cannot be read: the process that read it ended with {code}. Leave it out, or "
            "check the memory of the worker."
        )


def main() -> None:
    """Run the calls that come on standard input until it ends."""
    cpu_seconds = float(sys.argv[1])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # The parsers would log whole addresses.
    logging.disable()
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _limit_memory()
    while True:
        try:
            read, arguments, named = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        try:
            answer: tuple[Any, Exception | None] = (read(*arguments, **named), None)
        except Exception as error:
            # The readers turn any error of a parser into their own.
            if MemoryError in (type(error), type(error.__context__)):
                raise MemoryError from None
            answer = (None, error)
        signal.setitimer(signal.ITIMER_PROF, 0)
        pickle.dump(answer, answers)
        answers.flush()


def _limit_memory() -> None:
    """Keep reading from using up the memory of other tasks, if the system supports that."""
    # macOS knows the limit and refuses it.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MAX_MEMORY if hard == resource.RLIM_INFINITY else min(MAX_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
