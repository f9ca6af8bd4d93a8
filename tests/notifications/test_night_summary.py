"""What a person reads at seven in the morning; Airflow runs the DAGs beside this file, against the emulator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from airflow.providers.common.compat.sdk import DAG, BaseNotifier, BaseOperator

from airflow_video_creation import CreateVideoOperator, NightSummaryNotifier, SummarizeVideosOperator
from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.spending.failure import Failure

from ..airflow_process import AirflowProcess, needs_airflow_process

HERE = Path(__file__).parent
pytestmark = needs_airflow_process
BASE_URL = "https://airflow.example.com/team"


@pytest.fixture
def told(
    airflow_process: AirflowProcess, video_creation_emulator: Any, tmp_path: Path
) -> Callable[[str], dict[str, str]]:
    """Runs a DAG once, in which the storyboard "lamp" fails: callback -> what it sent."""
    video_creation_emulator.admin.add_fault(
        "fail", on="storyboard", video_name="lamp", error_code="NO_FONT", error_message="<b> is no font."
    )

    def run(dag_id: str) -> dict[str, str]:
        messages = tmp_path / f"{dag_id}.jsonl"
        environment = {
            "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": video_creation_emulator.connection_json,
            "AIRFLOW_VAR_VIDEOS_FOLDER": str(tmp_path),
            "AIRFLOW__API__BASE_URL": f"{BASE_URL}/",
            "MESSAGES": str(messages),
        }
        airflow_process.run(dag_id, dags=HERE / "dags", environment=environment, log=tmp_path / "log")
        assert messages.exists(), (tmp_path / "log").read_text()[-5000:]
        lines = [json.loads(line) for line in messages.read_text().splitlines()]
        return {line["callback"]: line["text"] for line in lines}

    return run


def page(message: str, dag_id: str) -> str:
    """The address in a message that leads to the tab of the run."""
    found = re.search(rf"{BASE_URL}/dags/{dag_id}/runs/([^/]+)/plugin/video_creation_run", message)
    assert found, message
    return found[0]


def test_the_message_of_a_night_says_what_was_made_and_what_to_mend(told: Callable[[str], Any]) -> None:
    message = told("green")["task succeeded"]
    tab = page(message, "green")
    lines = message.splitlines()

    assert lines[0].startswith("green: 2 of 5 videos were made, ")
    assert lines[0].endswith(
        "1 failed, 0 skipped, 2 left out before anything was sent (1 wrong, 1 over a limit)."
    )
    assert lines[1] == f"Videos of the run: {tab}"
    assert lines[3] == "FAILED in make (1 x JobFailedError): lamp"
    assert "the service says: NO_FONT: <b> is no font." in lines[4]
    assert f"    Log: {tab.removesuffix('/plugin/video_creation_run')}/tasks/make" in lines
    # What is over a limit is no mistake.
    assert [line.split(":")[:2] for line in lines if line.startswith("Left out")] == [["Left out", " bad"]]


def test_a_wrong_row_turns_the_run_red_and_an_e_mail_has_links(told: Callable[[str], Any]) -> None:
    message = told("red")["task failed"]

    assert "<b>red: 2 of 5 videos were made" in message
    assert f'<a href="{page(message, "red")}">Videos of the run</a>' in message
    assert "NO_FONT: &lt;b&gt; is no font." in message


def test_a_single_task_tells_its_cause(told: Callable[[str], Any]) -> None:
    message = told("one")["task failed"]

    assert message.startswith("one: Task film failed.\nVideos of the run: https://")
    assert "FAILED in film (1 x JobFailedError): lamp" in message


class Ti:
    """A task instance of a run in the DAG processor, which reads states and XComs of the whole run."""

    dag_id, run_id, task_id, map_index = "d", "r", "film", -1

    def __init__(self, states: dict[str, str], xcoms: dict[tuple[str, str], Any], task: Any = None) -> None:
        self.states = states
        self.xcoms = xcoms
        self.task = task

    def get_task_states(self, *, dag_id: str, task_ids: list[str], run_ids: list[str]) -> Any:
        return {"r": {name: state for name, state in self.states.items() if name in task_ids}}

    def xcom_pull(self, *, task_ids: Any, key: str, map_indexes: int = -1) -> Any:
        if isinstance(task_ids, str):
            return self.xcoms.get((task_ids, key))
        return [self.xcoms.get((task_ids[0], key))]


SUMMARY = {
    "headline": "1 of 2 videos were made, 1.5 minutes; 1 failed.",
    "videos": [{"video": "kettle", "place": "s3://b/kettle.mp4", "minutes": 1.5, "share_url": "https://s/x"}],
    "failures": [
        {"video": "lamp", "task": "film", "map_index": -1, "kind": "JobFailedError", "message": "no font."}
    ],
    "left_out": [{"video": "bad", "reason": "no scene.", "kind": "wrong"}],
}


@pytest.fixture
def dag() -> DAG:
    """film -> summarize -> publish."""
    with DAG("d") as dag:
        film = CreateVideoOperator(
            task_id="film", storyboard={"videoName": "lamp", "scenes": [{"text": "t"}]}
        )
        film >> SummarizeVideosOperator(task_id="summarize") >> BaseOperator(task_id="publish")
    return dag


def sent(dag: DAG, **context: Any) -> Any:
    """What a callback gets to send."""
    got: list[Any] = []
    NightSummaryNotifier(lambda context: got.append(context["night"]))(
        {"dag": dag, "run_id": "r", **context}  # type: ignore[arg-type]
    )
    return got[0]


def test_a_dags_callback_reads_the_summary_of_the_run(dag: DAG) -> None:
    ti = Ti({"film": "failed", "summarize": "success"}, {("summarize", "return_value"): SUMMARY})

    night = sent(dag, ti=ti, reason="success")
    assert night.headline == SUMMARY["headline"]
    assert [cause.message for cause in night.causes] == ["no font."]
    assert [video.place for video in night.videos] == ["s3://b/kettle.mp4"]
    assert sent(dag, ti=ti, reason="task_failure").headline == f"The run failed. {SUMMARY['headline']}"


def test_nobody_can_watch_a_video_by_what_is_sent(dag: DAG) -> None:
    ti = Ti({}, {("summarize", "return_value"): SUMMARY})

    assert "https://s/x" not in repr(sent(dag, ti=ti, reason="success"))


def test_what_fails_behind_the_summary_is_told_beside_it(dag: DAG) -> None:
    states = {"film": "failed", "summarize": "success", "publish": "failed"}
    night = sent(dag, ti=Ti(states, {("summarize", "return_value"): SUMMARY}), reason="task_failure")

    assert [cause.headline for cause in night.causes] == [
        "FAILED in publish (1 x failed): publish",
        "FAILED in film (1 x JobFailedError): lamp",
    ]
    assert night.causes[0].log.endswith("/dags/d/runs/r/tasks/publish")


def test_a_run_without_a_summary_names_the_tasks_that_failed(dag: DAG) -> None:
    told = Failure("JobFailedError", "no font.", "film", video="lamp").to_json()
    ti = Ti({"film": "failed", "summarize": "failed"}, {("film", "failure"): told})
    night = sent(dag, ti=ti, reason="task_failure")

    assert night.headline == "The run failed."
    assert [(cause.headline, cause.message) for cause in night.causes] == [
        ("FAILED in film (1 x JobFailedError): lamp", "no font."),
        ("FAILED in summarize (1 x failed): summarize", "It gave no reason. Its log may say more."),
    ]


def test_where_nothing_can_be_read_the_addresses_are_sent_all_the_same(dag: DAG) -> None:
    class Away(Ti):
        def xcom_pull(self, **asked: Any) -> Any:
            raise RuntimeError("a text that may hold anything")

    for night in (sent(dag, ti=Away({}, {}), reason="task_failure"), sent(dag, reason="task_failure")):
        assert night.headline.startswith("The run failed. ")
        assert "cannot be read" in night.headline
        assert night.page.endswith("/dags/d/runs/r/plugin/video_creation_run")
        assert "hold anything" not in night.text


def test_of_an_error_of_the_authors_only_the_class_is_told(dag: DAG) -> None:
    ti = Ti({}, {}, dag.get_task("film"))
    night = sent(dag, ti=ti, exception=ValueError("the password is hunter2"))

    assert "ValueError; the log of the task says more." in night.text
    assert "hunter2" not in night.text + night.html


def test_a_lost_worker_leaves_the_address_of_the_log(dag: DAG) -> None:
    """Then Airflow calls back from the DAG processor, and there is no exception to tell."""
    night = sent(dag, ti=Ti({}, {}, dag.get_task("film")))

    assert night.headline == "Task film failed."
    assert [cause.log[-len("/runs/r/tasks/film") :] for cause in night.causes] == ["/runs/r/tasks/film"]


def test_a_notifier_can_be_called_twice(dag: DAG) -> None:
    class Kept(BaseNotifier):
        template_fields = ("text",)
        sent: ClassVar[list[str]] = []

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

        def notify(self, context: Any) -> None:
            self.sent.append(self.text)

    notifier = NightSummaryNotifier(Kept("{{ night.headline }}"))
    for reason in ("task_failure", "success"):
        notifier({"dag": dag, "run_id": "r", "ti": Ti({}, {}), "reason": reason})

    assert Kept.sent == ["The run failed.", "The run succeeded."]


def test_what_is_no_callback_is_refused_while_the_dag_is_parsed() -> None:
    through: Any = "slack"
    with pytest.raises(
        ConfigurationError, match="NightSummaryNotifier has through='slack'\\. Give a notifier"
    ):
        NightSummaryNotifier(through)
