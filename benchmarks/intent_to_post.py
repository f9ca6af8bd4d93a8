"""How long a paid operation is in doubt: from the stored intent to the first byte of its POST.

Each figure comes from a fresh process, as a worker is, on loopback. So it includes what Python imports late. If the
worker dies within this time, nobody knows whether the service was reached.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from figures_kept import Measuring, Result, end
from figures_pages import table

OPERATIONS = ("storyboard", "render", "connection", "voiceover")
STORYBOARD = {
    "videoName": "v",
    "scenes": [{"text": f"Scene {number} has a sentence."} for number in range(20)],
}
AWS = {"name": "media", "awsAccountId": "000123456789", "awsRegion": "us-east-2", "enabled": True}
VOICE = {
    "name": "Joanna",
    "engine": "neural",
    "service": "aws",
    "language": "en-US",
    "voiceId": "Joanna",
    "accent": "US",
    "age": "Adult",
    "gender": "Female",
}


class Service(BaseHTTPRequestHandler):
    """Takes everything, and notes when the first byte of each POST came."""

    protocol_version = "HTTP/1.1"
    posts: list[float] = []  # noqa: RUF012 - shared on purpose

    def handle_one_request(self) -> None:
        """Note when the first byte of a request arrives."""
        self.rfile.peek(1)
        self.began = time.time()
        super().handle_one_request()

    def do_POST(self) -> None:
        """Take what is submitted, or give a token."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/token":
            self._answer({"access_token": "fetched", "expires_in": 3600})
            return
        assert json.loads(body)
        self.posts.append(self.began)
        self._answer({"job_id": "j-1", "id": 7, "connectionId": "c-1"})

    def _answer(self, reply: dict[str, Any]) -> None:
        content = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def operate(operation: str) -> None:
    """Run one paid operation in a separate process, and print when its intent was stored."""
    from datetime import UTC, datetime
    from types import SimpleNamespace

    from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
    from airflow_video_creation.operators.render import RenderVideoOperator
    from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
    from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator

    stored: list[float] = []

    class Store(dict[str, Any]):
        def set(self, key: str, value: Any) -> None:
            self[key] = value
            if value["state"] == "intent":
                stored.append(time.time())

    ti = SimpleNamespace(
        dag_id="d",
        run_id="r",
        task_id="t",
        map_index=-1,
        max_tries=2,
        try_number=1,
        task=SimpleNamespace(retries=2),
        start_date=datetime.now(UTC),
        xcom_push=lambda key, value: None,
    )
    make: dict[str, Any] = {
        "storyboard": lambda: CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD),
        "render": lambda: RenderVideoOperator(task_id="t", render_settings={"storyboard": STORYBOARD}),
        "connection": lambda: RegisterAwsConnectionOperator(task_id="t", connection=AWS),
        "voiceover": lambda: AddVoiceoverTrackOperator(task_id="t", track=VOICE),
    }
    make[operation]().execute({"ti": ti, "task_state_store": Store()})
    print(stored[-1])


def measured(operation: str, url: str) -> float:
    """Milliseconds from the intent to the first byte, in a fresh process."""
    connection = {
        "conn_type": "video_creation",
        "host": url,
        "login": "client",
        "password": "secret",
        "extra": {"user_id": "u", "auth_url": f"{url}/token"},
    }
    environment = {**os.environ, "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": json.dumps(connection)}
    before = len(Service.posts)
    ran = subprocess.run(  # noqa: S603 - this file
        [sys.executable, __file__, operation], env=environment, capture_output=True, text=True, check=True
    )
    [post] = Service.posts[before:]
    return (post - float(ran.stdout.split()[-1])) * 1000


def parts(result: Result) -> Mapping[str, str]:
    """The table."""
    head = ["operation", "from intent to first byte, ms: median", "worst"]
    rows = [
        [operation, f"{statistics.median(took):.1f}", f"{max(took):.1f}"]
        for operation, took in result.found.items()
    ]
    runs = len(next(iter(result.found.values())))
    return {"intent-to-post": f"{table(head, *rows)}\n\n{runs} processes for each operation."}


def main() -> None:
    """Measure each operation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    os.environ["AIRFLOW_HOME"] = tempfile.mkdtemp(prefix="airflow-home-")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    found = {
        operation: [round(measured(operation, url), 3) for _ in range(chosen.runs)]
        for operation in OPERATIONS
    }
    server.shutdown()
    end(measuring.ended(found), parts, chosen.keep)


if __name__ == "__main__":
    operate(sys.argv[1]) if sys.argv[1:2] and sys.argv[1] in OPERATIONS else main()
