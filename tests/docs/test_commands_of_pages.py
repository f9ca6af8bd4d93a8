"""The commands of the pages run in bash; what ``airflow`` gets is run by the one Airflow process of the tests."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from airflow.sdk import Connection

from airflow_video_creation import VideoCreationHook

from ..airflow_process import AirflowProcess, Run, needs_airflow_process
from .code_blocks import ROOT, block, blocks, not_told

pytestmark = needs_airflow_process

PIP = "installs, and needs the network: tests/install does it"
MAKE = "runs all of the repository; each target is run by its own test or by CI"
SERVER = "needs a whole Airflow that keeps running: tests/system and tests/browser start one"
ELSEWHERE = "run by a test of its own: "
NOT_RUN = {
    ("README.md", "make demo"): MAKE,
    ("README.md", "pip install"): PIP,
    ("CONTRIBUTING.md", "make demo"): MAKE,
    ("docs/operate/webhooks.md", "curl -i -X POST"): SERVER,
    ("docs/operate/webhooks.md", "airflow standalone"): SERVER,
    ("docs/operate/webhooks.md", "airflow dags trigger"): SERVER,
    ("docs/pipelines/approved_videos.md", "airflow standalone"): SERVER,
    ("docs/pipelines/articles_to_videos.md", "airflow dags test"): ELSEWHERE + "tests/system/test_demo.py",
    ("docs/recipes/pipelines-from-yaml.md", 'cat > "$AIRFLOW_HOME'): ELSEWHERE
    + "tests/pipelines/test_runs.py",
    ("docs/reference/emulator.md", "python3 -m airflow"): ELSEWHERE + "tests/emulator/test_docs.py",
    ("docs/sources/scripts.md", "pip install"): PIP,
    ("docs/start/first-videos.md", "make demo"): MAKE,
    ("docs/start/first-videos.md", "pip install"): PIP,
    ("docs/start/first-videos.md", "demo --serve"): ELSEWHERE + "tests/demo/test_demo.py",
    ("docs/start/first-videos.md", "airflow standalone"): SERVER,
    ("docs/start/install.md", "'.[amazon]'"): PIP,
    ("docs/start/install.md", "python3 -m venv"): PIP,
}
"""Page and words of a block -> why it is not run here."""
CONNECTIONS = [
    ("README.md", "airflow connections add"),
    ("docs/operate/webhooks.md", "--conn-host airflow-api"),
]
EXAMPLES = [
    ("docs/pipelines/new_voices.md", "airflow dags test"),
    ("docs/pipelines/podcast_to_video.md", "airflow dags test"),
    ("docs/pipelines/publish_videos.md", "airflow dags test"),
    ("docs/pipelines/published_to_videos.md", "airflow dags test"),
    ("docs/pipelines/quota_and_voices.md", "airflow dags test"),
    ("docs/pipelines/scripted_videos.md", "airflow dags test"),
    ("docs/pipelines/storyboards_to_videos.md", "airflow dags test"),
    ("docs/pipelines/subtitled_video.md", "airflow dags test"),
    ("docs/pipelines/video_summary.md", "airflow dags test"),
]
RUN = {
    ("docs/operate/scale.md", "airflow pools set"),
    ("docs/recipes/operators.md", "job JOB_ID"),
    ("docs/recipes/pipelines-from-yaml.md", "check dags/news.yaml"),
    ("docs/recipes/pipelines-from-yaml.md", "airflow dags test news --conf '{\"dry_run\": true}'\n"),
    ("docs/recipes/pipelines-from-yaml.md", "schemas=$("),
    ("docs/reference/connection.md", "export AIRFLOW_CONN"),
    ("docs/reference/emulator.md", "/admin/jobs/JOB_ID"),
    ("docs/reference/emulator.md", "/admin/behaviour"),
    ("docs/sources/private-media.md", "vc trust-policy"),
    ("docs/sources/scripts.md", "export AIRFLOW_CONN"),
    ("docs/start/first-videos.md", "eval "),
}


def test_every_command_is_run_or_listed() -> None:
    assert not_told("sh", {*NOT_RUN, *CONNECTIONS, *EXAMPLES, *RUN}) == []


class Ended(NamedTuple):
    """What a block printed, and what it gave to ``airflow``: arguments, and the environment."""

    printed: str
    airflow: list[tuple[list[str], dict[str, str]]]


STANDING_IN = r"""
airflow() {
    local call; call="$CALLS/$(ls "$CALLS" | wc -l)"
    mkdir "$call"; printf '%s\0' "$@" > "$call/arguments"; env -0 > "$call/environment"
}
aws() { echo aws "$@"; }
"""


@pytest.fixture
def shell(tmp_path: Path) -> Callable[..., Ended]:
    """Runs a block in bash in the test's folder, and gives what came of it."""

    def run(text: str, **environment: str) -> Ended:
        calls = tmp_path / "calls"
        calls.mkdir()
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        ended = subprocess.run(
            ["bash", "-eu", "-c", STANDING_IN + text],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "CALLS": str(calls), **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        told = []
        for call in sorted(calls.iterdir(), key=lambda path: int(path.name)):
            arguments, given = (
                call.joinpath(name).read_text("utf-8").split("\0")[:-1]
                for name in ("arguments", "environment")
            )
            told.append((arguments, dict(line.split("=", 1) for line in given)))
        return Ended(ended.stdout, told)

    return run


@pytest.fixture
def airflow(airflow_process: AirflowProcess, tmp_path: Path) -> Callable[..., str]:
    """Runs a command of Airflow, and gives what it printed."""

    def run(*arguments: str) -> str:
        log = tmp_path / "command.log"
        told = airflow_process.command(arguments, dags=tmp_path, environment={}, log=log)
        assert told["status"] == 0, log.read_text()
        return log.read_text()

    return run


@pytest.mark.parametrize(("page", "words"), CONNECTIONS)
def test_a_connection_is_added(
    shell: Callable[..., Ended], airflow: Callable[..., str], page: str, words: str
) -> None:
    [(arguments, _)] = shell(block(page, words), TOKEN="a-token", PASSWORD="a-password").airflow
    airflow(*arguments)
    try:
        [added] = json.loads(airflow("connections", "get", arguments[2], "--output", "json").splitlines()[-1])
    finally:
        airflow("connections", "delete", arguments[2])
    assert added["password"] in ("a-token", "a-password")
    assert added["host"] in ("https://video.example.com", "airflow-api-server")


def test_a_pool_is_set(shell: Callable[..., Ended], airflow: Callable[..., str]) -> None:
    [(arguments, _)] = shell(block("docs/operate/scale.md", "airflow pools set")).airflow
    airflow(*arguments)
    assert "Submissions to the video service" in airflow("pools", "list")


@pytest.mark.parametrize(("page", "words"), EXAMPLES)
def test_the_command_of_an_example_names_its_dag_and_its_params(
    shell: Callable[..., Ended], tmp_path: Path, page: str, words: str
) -> None:
    """What tests/example_dags run with small videos."""
    conf = {"video_url": "https://video.example.com/v.mp4", "transcript": "https://video.example.com/v.srt"}
    tmp_path.joinpath("serve.txt").write_text(f"--conf '{json.dumps(conf)}'\n")
    environment = {"AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": json.dumps({"extra": {}})}
    source = (ROOT / "example_dags" / f"{Path(page).stem}.py").read_text("utf-8")
    run_by = "".join(file.read_text("utf-8") for file in (ROOT / "tests" / "example_dags").glob("*.py"))
    ended = shell(block(page, words), **environment)
    for arguments, given in ended.airflow:
        assert arguments[:2] == ["dags", "test"]
        asked = json.loads(arguments[arguments.index("--conf") + 1]) if "--conf" in arguments else {}
        dag_id = arguments[2]
        assert re.search(rf'^def {dag_id}\(|^    "{dag_id}",$', source, re.MULTILINE)
        assert [name for name in asked if f'"{name}": Param(' not in source] == []
        assert f'"{dag_id}"' in run_by
        assert json.loads(given["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"])["extra"].keys() <= {"paths"}


def test_the_first_video_is_made(
    shell: Callable[..., Ended],
    run_dag: Callable[..., Run],
    video_creation_emulator: Any,
    tmp_path: Path,
) -> None:
    (tmp_path / "example_dags").symlink_to(ROOT / "example_dags")
    videos = tmp_path / "videos"
    videos.mkdir()
    tmp_path.joinpath("serve.txt").write_text(
        f"The sample site runs.\nexport AIRFLOW_VAR_VIDEOS_FOLDER='{videos}'\n", "utf-8"
    )
    ended = shell(block("docs/start/first-videos.md", "eval "))
    migrate, (arguments, given) = ended.airflow
    assert migrate[0] == ["db", "migrate"]
    assert arguments[:2] == ["dags", "test"]

    ran = run_dag(
        arguments[2],
        dags=Path(given["AIRFLOW_HOME"]) / "dags",
        variables={"videos_folder": given["AIRFLOW_VAR_VIDEOS_FOLDER"]},
        params={"video_width": 96, "video_height": 64},
    )
    assert ran.state == "success", ran.log[-3000:]
    assert [file.name for file in videos.glob("*.mp4")] == ["first-video.mp4"]


def test_our_own_commands_print_what_they_say(
    shell: Callable[..., Ended], video_creation_emulator: Any, tmp_path: Path
) -> None:
    storyboard = {"videoName": "known", "scenes": [{"text": "A job."}]}
    tmp_path.joinpath("storyboard.yaml").write_text(json.dumps(storyboard), "utf-8")
    job_id = VideoCreationHook().create_storyboard(storyboard)
    text = block("docs/recipes/operators.md", "job JOB_ID").replace("CONN_ID", "video_creation_default")
    printed = shell(text.replace("JOB_ID", job_id)).printed

    assert "completed" in printed
    assert "usage: python -m airflow_video_creation private-media" in printed


def test_the_settings_of_the_page_are_checked_and_dry_run(
    shell: Callable[..., Ended], tmp_path: Path
) -> None:
    page = "docs/recipes/pipelines-from-yaml.md"
    dags = tmp_path / "dags"
    dags.mkdir()
    (dags / "article_style.yaml").write_text("max_scenes: 2\n", "utf-8")
    (dags / "news.yaml").write_text(block(page, "yaml-language-server"), "utf-8")
    check, schemas = block(page, "check dags/news.yaml"), block(page, "schemas=$(")
    dry_run = "airflow dags test news --conf '{\"dry_run\": true}'\n"
    assert dry_run in [found.text for found in blocks("sh")]
    ended = shell(check + schemas + dry_run)

    assert json.loads((dags / "pipeline.json").read_text("utf-8"))["$schema"]
    assert json.loads((dags / "template.json").read_text("utf-8"))
    assert ended.airflow[0][0] == ["dags", "test", "news", "--conf", '{"dry_run": true}']


def test_both_forms_of_the_connection_say_the_same(shell: Callable[..., Ended]) -> None:
    lines = block("docs/reference/connection.md", "export AIRFLOW_CONN").replace(
        "\nexport", "\nairflow x\nexport"
    )
    (_, first), (_, second) = shell(lines + "airflow x\n").airflow
    as_json, as_uri = (given["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"] for given in (first, second))
    read = Connection.from_json(as_json), Connection.from_uri(as_uri, conn_id="c")
    told = [(c.conn_type.replace("-", "_"), c.host, c.password, c.extra_dejson) for c in read]
    assert told[0] == told[1]


def test_the_connection_of_a_model_can_be_read(shell: Callable[..., Ended]) -> None:
    text = block("docs/sources/scripts.md", "export AIRFLOW_CONN")
    [(_, given)] = shell(text + "airflow x\n").airflow
    assert json.loads(given["AIRFLOW_CONN_PYDANTICAI_DEFAULT"])["extra"]["model"].startswith("openai:")


@pytest.mark.skipif(shutil.which("curl") is None, reason="the commands are written for curl")
def test_a_running_emulator_is_told_what_to_do(
    shell: Callable[..., Ended], video_creation_emulator: Any
) -> None:
    page = "docs/reference/emulator.md"
    job_id = VideoCreationHook().create_storyboard({"videoName": "trees", "scenes": [{"text": "A tree."}]})
    text = block(page, "/admin/jobs/JOB_ID") + block(page, "/admin/behaviour")
    text = text.replace("http://127.0.0.1:8123", video_creation_emulator.base_url).replace("JOB_ID", job_id)
    printed = shell(text.replace("curl ", "curl -sfw '\\n' ")).printed

    assert "completed" in printed
    assert '"trees"' in printed.splitlines()[-1]


def test_the_role_for_private_media_is_written(shell: Callable[..., Ended], tmp_path: Path) -> None:
    printed = shell(block("docs/sources/private-media.md", "vc trust-policy")).printed

    assert printed.count("AcmeCloudIntegrationRole") == 2
    for name in ("trust", "permissions"):
        assert json.loads((tmp_path / f"{name}.json").read_text("utf-8"))["Statement"]
