"""Nights as they stand in Airflow's database, without the hours that they take."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import Any

from sqlalchemy import create_engine, make_url, text

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.spending.failure import Failure
from airflow_video_creation.provider.submission.shown_job import JOB_KEY, ShownJob
from airflow_video_creation.provider.submission.task_try import TaskTry
from airflow_video_creation.provider.videos.video_outcome import VideoOutcome
from airflow_video_creation.provider.videos.video_shards import INDEX_KEY, OUTCOME, VideoShards, shard_key

CONN = "video_creation_default"
DOUBT = (
    "Render video {name!r}: the connection ended before an answer was there, so it may have been accepted, and may be "
    "paid for. Nothing was sent again. Look at the service. If the job is there, put its id into the DAG for this run "
    "alone, as adopt_render_job_id=\"{{{{ {{('{run}', {index}): 'JOB_ID'}}.get((run_id, ti.map_index)) }}}}\", and "
    "clear this task; if it is not, clear this task to submit again."
)
FAILED = (
    "Job s-{n} failed, the service says: NO_FONT: The font cannot be read. Correct what it names and submit the job "
    "again. A retry pays for a new job."
)
FAILED_LINES = (
    "Job s-{n} failed, the service says: NO_FONT: The font cannot be read. "
    "Correct the font, and clear the task: it submits, and pays for, a new job. "
    "The failed job may be paid for."
)
HOSTILE = '<img src=x onerror="window.ran=1">{{ 1 + 1 }}</script>'
"""The name of one of them: names are other people's words."""


class WrittenNights:
    """Writes runs of the DAGs in ``dags/nights.py``."""

    def __init__(self, site: Any) -> None:
        self._site = site
        self._engine = create_engine(make_url(site.database_url).set(drivername="postgresql+psycopg2"))
        self._jobs = cycle(self._real_jobs())

    def of_tasks(self, run_id: str) -> None:
        """200 videos of a mapped group: 190 delivered, 6 failed, 1 in doubt, 2 under way, 1 not started."""
        rows: list[tuple[str, int, str | None, dict[str, Any]]] = []
        for index in range(200):
            name = HOSTILE if index == 7 else f"film-{index:04}"
            rows += self._video_of_tasks(run_id, index, name)
        self._write("night_of_tasks", run_id, rows)

    def close(self) -> None:
        """Leave the database."""
        self._engine.dispose()

    def of_one(self, run_id: str, videos: int, state: str = "success", begun: int | None = None) -> None:
        """So many videos of one task: all delivered, but for one of a hundred.

        :param run_id: of the run.
        :param videos: how many.
        :param state: of the task.
        :param begun: of how many of them there is a record; None for all.
        """
        outcomes = [
            VideoOutcome(
                f"film-{n:04}", "failed", f"s-{n}", error="JobFailedError", message=FAILED.format(n=n)
            )
            if n % 100 == 99
            else VideoOutcome(
                f"film-{n:04}", "delivered", f"s-{n}", next(self._jobs), f"s3://videos/film-{n:04}.mp4", 0.75
            )
            for n in range(videos)
        ]
        result = [outcome.to_xcom() for outcome in outcomes]
        self._write("night_of_one", run_id, [("all", -1, state, {"return_value": result})])
        self._store("night_of_one", run_id, "all", outcomes, len(outcomes) if begun is None else begun)

    def ends(self, run_id: str) -> None:
        """Let the task of such a run end.

        :param run_id: of the run.
        """
        with self._engine.begin() as database:
            database.execute(
                text("UPDATE task_instance SET state = 'success' WHERE run_id = :run"), {"run": run_id}
            )

    def _video_of_tasks(
        self, run_id: str, index: int, name: str
    ) -> Iterable[tuple[str, int, str | None, Any]]:
        job = next(self._jobs)
        told = {JOB_KEY: ShownJob(f"s-{index}", "storyboard", CONN, video_name=name).to_json()}
        render = {
            JOB_KEY: ShownJob(job, "render", CONN, storyboard_job_id=f"s-{index}", video_name=name).to_json()
        }
        states: Sequence[str | None] = ("success", "success", "success")
        xcoms: list[Any] = [
            told,
            render,
            {**render, "delivery": {"path": f"/videos/{name}.mp4", "duration": 45.0}},
        ]
        if index % 33 == 3:
            failed = Failure("JobFailedError", FAILED_LINES.format(n=index, name=name), video=name).to_json()
            states, xcoms = (
                ("failed", "upstream_failed", "upstream_failed"),
                [{**told, "failure": failed}, {}, {}],
            )
        elif index == 40:
            words = DOUBT.format(name=name, run=run_id, index=index)
            doubt = Failure("AmbiguousSubmissionError", words, video=name).to_json()
            states, xcoms = ("success", "failed", "upstream_failed"), [told, {"failure": doubt}, {}]
        elif index in (50, 51):
            states, xcoms = ("success", "deferred", None), [told, render, {}]
        elif index == 199:
            states, xcoms = (None, None, None), [{}, {}, {}]
        for step, state, xcom in zip(
            ("create_storyboard", "render_video", "download_video"), states, xcoms, strict=True
        ):
            yield f"film.{step}", index, state, xcom

    def _write(
        self, dag_id: str, run_id: str, rows: Iterable[tuple[str, int, str | None, dict[str, Any]]]
    ) -> None:
        self._site.api("POST", f"/api/v2/dags/{dag_id}/dagRuns", {"dag_run_id": run_id, "logical_date": None})
        rows = list(rows)
        where = {"dag": dag_id, "run": run_id}
        instances = [
            {**where, "task": task, "index": index, "state": state} for task, index, state, _ in rows
        ]
        xcoms = [
            {**where, "task": task, "index": index, "key": key, "value": json.dumps(json.dumps(value))}
            for task, index, _, xcom in rows
            for key, value in xcom.items()
        ]
        with self._engine.begin() as database:
            database.execute(
                text(
                    "UPDATE task_instance SET state = :state, try_number = 1 WHERE dag_id = :dag AND run_id = :run AND "
                    "task_id = :task AND map_index = :index"
                ),
                instances,
            )
            database.execute(
                text(
                    "INSERT INTO rendered_task_instance_fields (dag_id, run_id, task_id, map_index, rendered_fields) "
                    "VALUES (:dag, :run, :task, :index, :fields)"
                ),
                [{**instance, "fields": _rendered(str(instance["task"]))} for instance in instances],
            )
            database.execute(
                text(
                    "INSERT INTO xcom (dag_run_id, dag_id, run_id, task_id, map_index, key, value, timestamp) "
                    "SELECT id, :dag, :run, :task, :index, :key, CAST(:value AS JSONB), now() FROM dag_run "
                    "WHERE dag_id = :dag AND run_id = :run"
                ),
                xcoms,
            )

    def _store(
        self, dag_id: str, run_id: str, task_id: str, outcomes: Sequence[VideoOutcome], begun: int
    ) -> None:
        """Write the records, as the task keeps them."""
        shards = VideoShards()
        shards.make_room(outcome.name for outcome in outcomes)
        for outcome in outcomes[:begun]:
            shards.kept(outcome.name)[OUTCOME] = outcome.to_json(TaskTry(number=1, generation=0))
        values = {shard_key(number): shards.shard_json(number) for number in range(shards.count)}
        values[INDEX_KEY] = shards.index_json()
        with self._engine.begin() as database:
            database.execute(
                text(
                    "INSERT INTO task_state_store "
                    "(dag_run_id, dag_id, run_id, task_id, map_index, key, value, updated_at) "
                    "SELECT id, :dag, :run, :task, -1, :key, :value, now() FROM dag_run "
                    "WHERE dag_id = :dag AND run_id = :run"
                ),
                [
                    {"dag": dag_id, "run": run_id, "task": task_id, "key": key, "value": json.dumps(value)}
                    for key, value in values.items()
                ],
            )

    def _real_jobs(self) -> list[str]:
        """The render jobs of the run of the DAG ``films``, which have pictures."""
        with self._engine.begin() as database:
            found = database.execute(
                text("SELECT value FROM xcom WHERE key = :key AND dag_id = 'films'"), {"key": JOB_KEY}
            )
            jobs = [json.loads(value) if isinstance(value, str) else value for (value,) in found]
        return sorted({job["job_id"] for job in jobs if job.get("kind") == "render"})


def _rendered(task_id: str) -> str:
    """The template fields of a task, as Airflow keeps them."""
    step = task_id.rpartition(".")[2]
    fields = {
        "create_storyboard": CreateStoryboardOperator,
        "render_video": RenderVideoOperator,
        "download_video": DownloadVideoOperator,
        "all": CreateVideosOperator,
    }[step].template_fields
    return json.dumps({**dict.fromkeys(fields), "video_creation_conn_id": CONN})
