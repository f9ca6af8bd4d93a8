"""``make test-install``: what installing this provider changes in an Airflow that is already installed.

For each supported Airflow: a new environment with what had been published by its release day, then the provider with
all extras, installed as the README says. `pip freeze` before and after shows what was changed. The table is printed,
and written to ``docs/measured/compatibility.md``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "matrix"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from cells import ROOT, USERS_EXTRAS, find_python, find_uv
from figures_pages import write_part

PYTHON = "3.11"
RELEASED = {"3.1.8": "2026-03-14", "3.2.2": "2026-05-30", "3.3.2": "2026-09-18"}
"""Airflow -> the day before which a package must have been published."""
LOWEST = "3.1.8"
"""The Airflow beside which the lower ends of our bounds are tried."""
INTRODUCTION = f"""`make test-install` makes an environment with Airflow as it was on its release day. It installs
the provider beside it, as the README says, and compares `pip freeze` before and after. Then it imports what users
import.

- **added**: new packages.
- **changed**: packages of Airflow that now have another version or are gone. This must stay 0.
- `[*]` is `[{USERS_EXTRAS}]`."""
LIMITS = """The index that this runs on does not have Airflow's own constraint files. So "Airflow's constraints"
are what `apache-airflow[amazon,http]` takes of everything that had been published by the release day. Airflow's own
files hold more packages.

"The lowest" is the lower end of every bound in `pyproject.toml`, by uv's `lowest-direct`. Airflow is installed
together with the provider there, so nothing can change."""
HEAD = """| Airflow | as of | how | added | changed | imports |
|---|---|---|---|---|---|"""
ALWAYS_USED = """
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.operators import approval, articles, download, render, storyboard, storyboard_decorator
from airflow_video_creation.operators import video
from airflow_video_creation.plugin import VideoCreationPlugin
from airflow_video_creation.provider.articles import storyboard
from airflow_video_creation.sensors import video_job
from airflow_video_creation.triggers import video_job
"""
USED_WITH_EXTRAS = """
import feedparser, protego, trafilatura
from airflow.providers.amazon.aws.hooks.base_aws import AwsBaseHook
from airflow_video_creation.emulator import Emulator
Emulator()
"""


class InstallError(Exception):
    """A command failed; the message is its output."""


@dataclass(frozen=True)
class Found:
    """The result of one installation.

    :param how: the command, in short.
    :param before: name -> version of what was there before the provider.
    :param after: name -> version of what is there with it.
    :param trouble: why it cannot be installed or used; empty when it can.
    """

    airflow: str
    how: str
    before: dict[str, str]
    after: dict[str, str]
    trouble: str = ""

    @property
    def changed(self) -> list[str]:
        """Packages that Airflow had installed and that have changed."""
        return [
            f"{name} {version} -> {self.after.get(name, 'gone')}"
            for name, version in self.before.items()
            if self.after.get(name) != version
        ]

    @property
    def good(self) -> bool:
        """Whether nothing of Airflow was changed, and all imports work."""
        return not self.changed and not self.trouble

    def row(self) -> str:
        """One line of the table."""
        added = len(self.after.keys() - self.before.keys())
        changed = "; ".join(self.changed) or 0
        columns = [self.airflow, RELEASED[self.airflow], self.how, added, changed, self.trouble or "ok"]
        return f"| {' | '.join(map(str, columns))} |"


@dataclass(frozen=True)
class Installer:
    """Makes environments and installs into them.

    :param uv: the path of uv.
    :param work: a folder for the environments.
    :param wheel: the provider.
    """

    uv: str
    work: Path
    wheel: Path

    @property
    def with_extras(self) -> str:
        """The provider with all extras."""
        return f"{self.wheel}[{USERS_EXTRAS}]"

    def beside(self, airflow: str) -> Iterator[Found]:
        """Install beside an Airflow as it was on its release day, in each way of the README.

        :param airflow: its version.
        """
        its_own, frozen = self.constraints(airflow), self.work / "airflow.txt"
        same, every = f"apache-airflow=={airflow}", self.with_extras
        for how, arguments in {
            "pip, no constraints": ["pip", same, str(self.wheel)],
            "pip `[*]`, `pip freeze` as constraints": ["pip", "--constraint", str(frozen), every],
            "pip `[*]`, Airflow's constraints": ["pip", "--constraint", its_own, same, every],
            "uv, no constraints": ["uv", same, str(self.wheel)],
            "uv `[*]`, `pip freeze` as constraints": ["uv", "--constraint", str(frozen), every],
        }.items():
            python = self.environment(RELEASED[airflow])
            self.install(python, "uv", "--exclude-newer", RELEASED[airflow], same)
            frozen.write_text(run(python, "-m", "pip", "freeze"), "utf-8")
            yield self.tried(python, airflow, how, arguments)

    def lowest(self) -> Found:
        """Install the lower ends of our bounds into an empty environment."""
        arguments = ["uv", "--resolution", "lowest-direct", f"apache-airflow=={LOWEST}", self.with_extras]
        return self.tried(self.environment(RELEASED[LOWEST]), LOWEST, "uv `[*]`, the lowest", arguments)

    def constraints(self, airflow: str) -> str:
        """A file in place of Airflow's own constraints: what Airflow and its providers took on the release day."""
        resolved = run(
            *(self.uv, "pip", "compile", "--quiet", "-", "--python", find_python(PYTHON)),
            *("--exclude-newer", RELEASED[airflow], "--no-header", "--no-annotate"),
            given=f"apache-airflow[amazon,http]=={airflow}",
        )
        file = self.work / f"constraints-{airflow}.txt"
        file.write_text(resolved.replace("[amazon,http]", ""), "utf-8")
        return str(file)

    def environment(self, day: str) -> str:
        """The interpreter of an environment with nothing but the pip of a day."""
        place = self.work / "environment"
        seed = ["--seed", "--exclude-newer", day, "--python", find_python(PYTHON)]
        run(self.uv, "venv", "--quiet", "--clear", *seed, str(place))
        return str(place / "bin" / "python")

    def install(self, python: str, tool: str, *arguments: str) -> None:
        """Install into an environment.

        :param tool: ``uv`` or ``pip``.
        """
        command = [self.uv, "pip", "install", "--python", python]
        run(*(command if tool == "uv" else [python, "-m", "pip", "install"]), "--quiet", *arguments)

    def tried(self, python: str, airflow: str, how: str, arguments: list[str]) -> Found:
        """Install the provider, and import what users import."""
        before, trouble = self.packages(python), ""
        try:
            self.install(python, *arguments)
            run(
                python,
                "-W",
                "ignore",
                "-c",
                ALWAYS_USED + (USED_WITH_EXTRAS if self.with_extras in arguments else ""),
            )
        except InstallError as error:
            say(f"{airflow}, {how}: {error}")
            trouble = str(error).strip().splitlines()[-1]
        return Found(airflow, how, before, self.packages(python), trouble)

    def packages(self, python: str) -> dict[str, str]:
        """Name -> version of what is installed."""
        listed = run(self.uv, "pip", "freeze", "--quiet", "--python", python)
        return dict(line.split("==", 1) for line in listed.splitlines() if "==" in line)


def run(*command: str, given: str = "") -> str:
    """Run a command and return its output.

    :raises InstallError: it failed.
    """
    ended = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise InstallError(ended.stderr or ended.stdout or f"it ended with {ended.returncode}")
    return ended.stdout


def table(found: Iterable[Found]) -> str:
    """The part of the page."""
    rows = "\n".join(result.row() for result in found)
    return f"{INTRODUCTION}\n\n{HEAD}\n{rows}\n\n{LIMITS}"


def say(text: str) -> None:
    """Print at once, even into a pipe."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Install in every way and return the exit status: 1 when one of them is not good."""
    uv, found = find_uv(), []
    with tempfile.TemporaryDirectory(prefix="install-") as folder:
        work = Path(folder)
        run(uv, "build", "--quiet", "--wheel", "--out-dir", str(work), str(ROOT))
        [wheel] = work.glob("*.whl")
        installer = Installer(uv, work, wheel)
        for airflow in RELEASED:
            for result in installer.beside(airflow):
                say(result.row())
                found.append(result)
        found.append(installer.lowest())
        say(found[-1].row())
    page = write_part("install", table(found))
    say(f"Written to {page}")
    return 0 if all(result.good for result in found) else 1


if __name__ == "__main__":
    sys.exit(main())
