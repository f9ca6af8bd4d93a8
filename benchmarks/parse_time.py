"""What importing operators costs a DAG file, in CPU milliseconds over ``from airflow.sdk import DAG``.

Each row is the median of several fresh processes, the rows measured in turn, all with bytecode as an installation has
it. Peers are measured where they are installed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 7
EXAMPLE = Path(__file__).resolve().parent.parent / "example_dags" / "articles_to_videos.py"
SETTINGS_FILE = """
from pathlib import Path
from airflow_video_creation import videos_from_feed
settings = Path("news.yaml")
settings.write_text(
    "feed_url: https://www.example.com/feed.xml\\ndelivery: {destination: /videos/}\\nwatch: no\\n"
)
videos_from_feed(settings.absolute())
"""
MEASURED = {
    "ours: the operators and the sensor": """
from airflow_video_creation import (
    AddVoiceoverTrackOperator,
    CreatePrivateMediaRoleOperator,
    CreateStoryboardOperator,
    CreateVideoOperator,
    DownloadVideoOperator,
    FetchArticlesOperator,
    PlanVideosOperator,
    RegisterAwsConnectionOperator,
    RenderVideoOperator,
    SummarizeVideosOperator,
    VideoJobSensor,
)
""",
    "standard: FileSensor": "from airflow.providers.standard.sensors.filesystem import FileSensor",
    "ours: video_from_storyboard": "from airflow_video_creation import video_from_storyboard",
    "Airflow: task_group": "from airflow.sdk import task_group",
    "ours: ApproveVideoOperator": "from airflow_video_creation import ApproveVideoOperator",
    "standard: ApprovalOperator": "from airflow.providers.standard.operators.hitl import ApprovalOperator",
    "ours: one storyboard with static content": """
from airflow_video_creation import CreateStoryboardOperator
CreateStoryboardOperator(task_id="s", storyboard={"videoName": "v", "scenes": [{"text": "t"}]})
""",
    "ours: the example articles_to_videos": f"import runpy; runpy.run_path({str(EXAMPLE)!r})",
    "ours: the same from a settings file": SETTINGS_FILE,
    "ours: and started by its feed": SETTINGS_FILE.replace("watch: no", "watch: yes"),
    "ours: and with scripts of a model": SETTINGS_FILE.replace("watch: no", "script: {llm_conn_id: llm}"),
    "http": "from airflow.providers.http.operators.http import HttpOperator",
    "databricks": "from airflow.providers.databricks.operators.databricks import DatabricksRunNowOperator",
    "dbt-cloud": "from airflow.providers.dbt.cloud.operators.dbt import DbtCloudRunJobOperator",
    "airbyte": "from airflow.providers.airbyte.operators.airbyte import AirbyteTriggerSyncOperator",
    "openai": "from airflow.providers.openai.operators.openai import OpenAITriggerBatchOperator",
}
PROGRAM = """
import time
from airflow.sdk import DAG
begin = time.process_time()
{statement}
print((time.process_time() - begin) * 1000)
"""


def milliseconds(statement: str, home: str) -> float | None:
    """The CPU time of a statement in a process of its own, None where it cannot be imported."""
    environment = {**os.environ, "AIRFLOW_HOME": home}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    ended = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM.format(statement=statement)],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    return float(ended.stdout.splitlines()[-1]) if ended.returncode == 0 else None


def main() -> None:
    """Print the table."""
    print(f"Python {sys.version.split()[0]}, median of {ROUNDS} processes")
    with tempfile.TemporaryDirectory() as home:
        # The first process writes the bytecode.
        there = {
            name: statement
            for name, statement in MEASURED.items()
            if milliseconds(statement, home) is not None
        }
        rounds = [
            {name: milliseconds(statement, home) or 0.0 for name, statement in there.items()}
            for _ in range(ROUNDS)
        ]
    for name in MEASURED:
        took = (
            f"{statistics.median(each[name] for each in rounds):7.1f} ms"
            if name in there
            else "not installed"
        )
        print(f"{name:56} {took}")


if __name__ == "__main__":
    main()
