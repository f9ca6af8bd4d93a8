"""The files of a release, each checked as a user meets it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

from .changelog import ReleaseError
from .source import Source

PYTHON = sys.executable
WRITTEN_BY_BUILD = ("PKG-INFO", "setup.cfg", ".egg-info/")


def build(source: Source, dist: Path) -> Path:
    """Build the sdist, and from it the wheel.

    :param source: made ready.
    :param dist: is replaced.
    :return: the wheel.
    :raises ReleaseError: a file of the repository is not in the sdist.
    """
    shutil.rmtree(dist, ignore_errors=True)
    _run(PYTHON, "-m", "build", "--outdir", str(dist), str(source.folder))
    [sdist], [wheel] = dist.glob("*.tar.gz"), dist.glob("*.whl")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    written = {name for name in source.files() if any(part in name for part in WRITTEN_BY_BUILD)}
    if left_out := sorted(source.files() - held - written):
        raise ReleaseError(f"{sdist.name} lacks {', '.join(left_out)}: add them to MANIFEST.in.")
    return wheel


def check(dist: Path) -> None:
    """Check how an index will show the files, and what the wheel holds.

    :param dist: holds the files.
    """
    files = [str(file) for file in sorted(dist.iterdir())]
    _run(PYTHON, "-m", "twine", "check", "--strict", *files)
    _run(PYTHON, "-m", "check_wheel_contents", *[file for file in files if file.endswith(".whl")])


def install(wheel: Path, constraints: Path, folder: Path) -> Path:
    """Install the wheel with what the demo needs into an environment that holds nothing else.

    :param wheel: what was built.
    :param constraints: the versions that were tested.
    :param folder: of the environment; is replaced.
    :return: its Python.
    """
    venv.create(folder, clear=True, with_pip=True)
    python = folder / "bin" / "python"
    what = f"{wheel}[articles,emulator]"
    if uv := shutil.which("uv"):
        command = [uv, "pip", "install", "--quiet", "--python", str(python)]
    else:
        command = [str(python), "-m", "pip", "install", "--quiet"]
    _run(*command, "--constraint", str(constraints), what)
    return python


def try_out(python: Path, folder: Path) -> None:
    """Run the commands for people and the demo far from the clone, as a user does.

    :param python: of the environment that holds the wheel.
    :param folder: is replaced; the demo leaves its videos there.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    storyboard = folder / "storyboard.yaml"
    storyboard.write_text("videoName: first\nscenes:\n  - text: Hello\n", "utf-8")
    run_module = (str(python), "-m")
    _run(*run_module, "airflow_video_creation", "check", storyboard.name, cwd=folder)
    _run(*run_module, "airflow_video_creation.demo", "--width", "320", "--height", "180", cwd=folder)


def write_sbom(python: Path, source: Source, file: Path) -> None:
    """List what was installed beside the wheel, as CycloneDX.

    :param python: of the environment that holds the wheel.
    :param source: whose pyproject.toml names the package that the list is of.
    :param file: is overwritten.
    """
    _run(
        *(PYTHON, "-m", "cyclonedx_py", "environment", str(python), "--output-reproducible"),
        *("--pyproject", str(source.folder / "pyproject.toml"), "--mc-type", "library"),
        *("--output-format", "JSON", "--output-file", str(file)),
    )
    listed = json.loads(file.read_text("utf-8"))
    # It cannot read a version that pyproject.toml leaves to the package.
    listed["metadata"]["component"]["version"] = source.version
    file.write_text(json.dumps(listed, indent=2), "utf-8")


def _run(*command: str, cwd: Path | None = None) -> None:
    print(f"$ {' '.join(command)}", flush=True)
    if subprocess.run(command, cwd=cwd, check=False).returncode:
        raise ReleaseError(f"That failed: {' '.join(command)}")
