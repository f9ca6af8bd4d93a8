"""What importing operators costs a DAG file, in CPU milliseconds over ``from airflow.sdk import DAG``.

Each row is the median of several fresh processes. Peers are measured where they are installed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

RUNS = 7
MEASURED = {
    "ours: import of all operators and the sensor": """
import airflow_video_creation.operators.articles
import airflow_video_creation.operators.aws_connection
import airflow_video_creation.operators.download
import airflow_video_creation.operators.render
import airflow_video_creation.operators.storyboard
import airflow_video_creation.operators.voiceover
import airflow_video_creation.sensors.video_job
""",
    "ours: the same, and one storyboard with static content": """
import airflow_video_creation.sensors.video_job
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
CreateStoryboardOperator(task_id="s", storyboard={"videoName": "v", "scenes": [{"text": "t"}]})
""",
    "standard: FileSensor": "from airflow.providers.standard.sensors.filesystem import FileSensor",
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


def milliseconds(statement: str) -> float | None:
    """The median CPU time of a statement, None where it cannot be imported."""
    times = []
    with tempfile.TemporaryDirectory() as home:
        for _ in range(RUNS):
            ended = subprocess.run(  # noqa: S603 - our own program
                [sys.executable, "-c", PROGRAM.format(statement=statement)],
                env={**os.environ, "AIRFLOW_HOME": home},
                capture_output=True,
                text=True,
                check=False,
            )
            if ended.returncode != 0:
                return None
            times.append(float(ended.stdout.splitlines()[-1]))
    return statistics.median(times)


def main() -> None:
    """Print the table."""
    print(f"Python {sys.version.split()[0]}, median of {RUNS} processes")
    for name, statement in MEASURED.items():
        took = milliseconds(statement)
        print(f"{name:56} {'not installed' if took is None else f'{took:7.1f} ms'}")


if __name__ == "__main__":
    main()
