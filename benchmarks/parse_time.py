"""What importing operators costs a DAG file, in CPU milliseconds over ``from airflow.sdk import DAG``.

Each row is the median of several fresh processes. The rows are measured in turn, with compiled bytecode, as in an
installation. Peers are measured where they are installed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from figures_kept import Measuring, Result, end
from figures_pages import table

FURTHER = 10
IN_PYTHON, FROM_SETTINGS = "ours: the example articles_to_videos", "ours: the same from a settings file"
FURTHER_ONES, RULES_TOO = "ours: further settings files", "ours: a settings file, its rules checked"
WITH_SCRIPT, WITH_WATCH = "ours: and with scripts of a model", "ours: and started by its feed"
PIPELINES = (IN_PYTHON, FROM_SETTINGS, WITH_SCRIPT, WITH_WATCH, FURTHER_ONES, RULES_TOO)
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
    IN_PYTHON: f"import runpy; runpy.run_path({str(EXAMPLE)!r})",
    FROM_SETTINGS: SETTINGS_FILE,
    WITH_SCRIPT: SETTINGS_FILE.replace("watch: no", "script: {llm_conn_id: llm}"),
    WITH_WATCH: SETTINGS_FILE.replace("watch: no", "watch: yes"),
    FURTHER_ONES: f"""
from pathlib import Path
from airflow_video_creation import videos_from_feed
for number in range({FURTHER + 1}):
    settings = Path(f"news{{number}}.yaml")
    settings.write_text("feed_url: https://www.example.com/feed.xml\\ndelivery: {{destination: /videos/}}\\n")
    videos_from_feed(settings.absolute())
""",
    RULES_TOO: """
from pathlib import Path
from airflow_video_creation import videos_from_feed
from airflow_video_creation.provider.pipelines.template import check_pipeline
settings = Path("news.yaml")
settings.write_text("feed_url: https://www.example.com/feed.xml\\ndelivery: {destination: /videos/}\\n")
videos_from_feed(settings.absolute())
check_pipeline(settings.read_text(), settings.absolute(), Path)
""",
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
    """The CPU time of a statement in a separate process, None where it cannot be imported."""
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


def parts(result: Result) -> Mapping[str, str]:
    """The tables of importing, and of pipelines from settings files."""
    took = {name: statistics.median(each) for name, each in result.found.items()}
    imports = [[name, f"{took[name]:.1f}"] for name in MEASURED if name in took and name not in PIPELINES]
    missing = [name for name in MEASURED if name not in took]
    written, read = took[IN_PYTHON], took[FROM_SETTINGS]
    pipelines = [
        ["the example `articles_to_videos`, written in Python", f"{written:.0f}"],
        ["the same from `news.yaml`", f"{read:.0f}"],
        ["the same with `script`", f"{took[WITH_SCRIPT]:.0f}"],
        ["the same with `watch`", f"{took[WITH_WATCH]:.0f}"],
        ["each further pipeline in the same DAG file", f"{(took[FURTHER_ONES] - read) / FURTHER:.0f}"],
        ["checking the rules too, which the DAG file leaves out", f"{took[RULES_TOO] - read:.0f} more"],
    ]
    rounds = f"Medians of {len(next(iter(result.found.values())))} processes."
    left_out = f" Not measured: {', '.join(missing)}." if missing else ""
    return {
        "parse-time": f"{table(['', 'CPU ms'], *imports)}\n\n{rounds}{left_out}",
        "parse-time-pipelines": f"{table(['', 'CPU ms'], *pipelines)}\n\n{rounds}",
    }


def main() -> None:
    """Measure in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as home:
        # The first process writes the bytecode.
        there = [name for name in MEASURED if milliseconds(MEASURED[name], home) is not None]
        for _ in range(chosen.rounds):
            for name in there:
                found.setdefault(name, []).append(round(milliseconds(MEASURED[name], home) or 0.0, 2))
    end(measuring.ended(found), parts, chosen.keep)


if __name__ == "__main__":
    main()
