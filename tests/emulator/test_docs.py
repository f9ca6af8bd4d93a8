"""docs/reference/emulator.md: its session runs, its examples are valid, and nothing is left out."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import get_args

import av
import pytest

from airflow_video_creation.emulator.__main__ import main
from airflow_video_creation.emulator.conduct.behaviour import Behaviour
from airflow_video_creation.emulator.conduct.dialect import Dialect
from airflow_video_creation.emulator.conduct.fault import CallFaultKind, Fault, JobFaultKind
from airflow_video_creation.emulator.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "emulator.md").read_text("utf-8")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.mark.skipif(shutil.which("curl") is None, reason="the session is written for curl")
def test_the_session_with_curl_ends_with_a_video(tmp_path: Path) -> None:
    session = PAGE.split("## A session with curl")[1].split("```sh\n")[1].split("```")[0]
    subprocess.run(
        ["bash", "-eu", "-c", session.replace("8123", str(free_port()))],
        cwd=tmp_path,
        check=True,
        timeout=60,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
    )
    with av.open(str(tmp_path / "trees.mp4")) as video:
        assert (video.streams.video[0].width, video.streams.video[0].height) == (320, 180)
        assert video.streams.audio[0].codec_context.name == "aac"


def test_every_example_of_a_fault_is_valid() -> None:
    examples = re.findall(r"`(\{\"kind\".*?\})`", PAGE)
    assert len(examples) > 10
    for example in examples:
        Fault.model_validate(json.loads(example))


def test_every_kind_of_fault_has_an_example() -> None:
    for kind in (*get_args(CallFaultKind), *get_args(JobFaultKind)):
        assert f'{{"kind": "{kind}"' in PAGE, kind


@pytest.mark.parametrize("model", [Fault, Dialect, Behaviour, Settings])
def test_every_option_is_described(model: type[Fault | Dialect | Behaviour]) -> None:
    for field in set(model.model_fields) - {"faults", "dialect"}:
        assert f"`{field}`" in PAGE, field


def test_every_option_of_the_command_line_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert len(options) > 10
    for option in options:
        assert f"`{option}" in PAGE, option
