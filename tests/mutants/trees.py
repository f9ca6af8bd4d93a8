"""A copy of the repository, whose files are mutated and whose tests are run; the working tree is only read."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = "airflow_video_creation"


@dataclass(frozen=True)
class Run:
    """How a run of tests went.

    :param status: the exit status of pytest; None when the time was over.
    :param said: what it printed.
    """

    status: int | None
    said: str


class Tree:
    """A copy in a folder of its own, which is named as the package, so that the package is this copy.

    :param folder: where it is made, in place of what is there.
    """

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        self.root = folder / PACKAGE
        asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(asked, cwd=REPOSITORY, capture_output=True, text=True, check=True)
        for name in filter(None, listed.stdout.split("\0")):
            if (REPOSITORY / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, self.root / name)

    def write(self, path: str, code: str) -> None:
        """Replace a file, and forget its compiled form: Python takes that for new within one second.

        :param path: from the root.
        :param code: its new text.
        """
        (self.root / path).write_text(code, "utf-8")
        Path(cache_from_source(str(self.root / path))).unlink(missing_ok=True)

    def pytest(self, arguments: list[str], seconds: float) -> Run:
        """Run pytest in the tree, and end it with all that it started when the time is over.

        :param arguments: of pytest.
        :param seconds: that it may take.
        """
        # The same seed every time: what depends on the order of a set must not look like a mutant.
        environment = {**os.environ, "PYTHONPATH": str(self.root.parent), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *arguments]
        with subprocess.Popen(
            command,
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate(timeout=seconds)
                status: int | None = process.returncode
            except subprocess.TimeoutExpired:
                said, status = "", None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return Run(status, said)
