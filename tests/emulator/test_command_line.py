"""`python -m airflow_video_creation.emulator`"""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from airflow_video_creation.emulator.__main__ import main


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "airflow_video_creation.emulator", "--port", "0", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_says_how_it_is_reached_and_stops_cleanly(stop: signal.Signals, tmp_path: Path) -> None:
    process = start("--instant", TMPDIR=str(tmp_path))
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "Ctrl-C" in line:
            break
    text = "".join(said)
    (base_url,) = re.findall(r"^The service is at (http://127\.0\.0\.1:\d+) ", text, re.MULTILINE)
    port = base_url.rpartition(":")[2]
    uri = f"video-creation://http://:emulator-token@127.0.0.1:{port}/?user_id=emulator-user"
    assert f"AIRFLOW_CONN_VIDEO_CREATION_DEFAULT='{uri}'" in text
    assert "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT='{" in text
    assert requests.get(f"{base_url}/", timeout=10).status_code == 200
    process.send_signal(stop)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert errors == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--job-seconds", "-1"], "job_seconds: Input should be greater than or equal to 0"),
        (["--fault", "{"], "--fault needs a JSON object"),
        (["--fault", '{"kind": "explode"}'], "faults.0.kind"),
        (["--dialect", '{"preview": "x"}'], "dialect.preview"),
        (["--retry-after", "soon"], "retry_after"),
        (["--quota-minutes", "-1"], "quota_minutes"),
        (["--webhook-max-length", "-1"], "webhook_max_length"),
        (["--media-folder", "nowhere"], "media_folder: Path does not point to a directory"),
        (["--s3-endpoint", "nowhere"], "s3_endpoint"),
    ],
)
def test_a_wrong_option_is_named_in_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_the_printed_connection_names_further_paths_when_asked_to() -> None:
    process = start("--instant", "--further-paths")
    assert process.stdout is not None
    said = next(line for line in process.stdout if line.startswith("export") and "'{" in line)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert "/api/v1/job/{job_id}/cancel" in said


def test_every_option_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    for option in ("--folder", "--instant", "--fault", "--dialect", "--requests-per-minute", "--job-polls"):
        assert option in said
