"""A settings file -> a DAG."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from airflow.providers.common.compat.sdk import DAG, Param

from ..hooks.airflow.errors import airflow_errors
from ..provider.errors import ConfigurationError, InvalidRequestError
from ..provider.pipelines.field_types import is_lines
from ..provider.pipelines.settings import PipelineSettings, missing_file, subject_of
from .needed_packages import missing_packages
from .schedule import schedule_of
from .steps import add_steps
from .told_people import told_of_runs

if TYPE_CHECKING:
    from os import PathLike

MADE_BY = {"feed_url": "videos_from_feed", "urls": "videos_from_feed", "files": "videos_from_files"}
"""Source -> the function that takes it."""
START = datetime(2026, 1, 1)
"""Before every run; Airflow reads the time zone of the schedule from it (ours)."""


def videos_from_feed(settings: str | PathLike[str] | PipelineSettings) -> DAG:
    """Return a DAG that makes videos of what a feed has published, or of pages, as a settings file says.

    ``dag = videos_from_feed("news.yaml")`` is a whole DAG file. docs/recipes/pipelines-from-yaml.md lists the keys, and
    ``python -m airflow_video_creation check news.yaml`` names every mistake. The tasks are those of
    ``example_dags/articles_to_videos.py``. Without ``schedule`` and ``watch`` it runs only when somebody triggers it
    (source: ours).

    :param settings: a YAML or JSON file, whose path may be relative to the DAG file; or the settings themselves, whose
        relative paths are relative to the working folder.
    :return: the DAG.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    :raises ConfigurationError: the file cannot be read, names files as its source, or needs a provider that is not
        installed.
    """
    return _made(settings, "videos_from_feed", Path(sys._getframe(1).f_code.co_filename))


def videos_from_files(settings: str | PathLike[str] | PipelineSettings) -> DAG:
    """Return a DAG that makes videos of .html, .txt and Markdown files, as a settings file says.

    As ``videos_from_feed``, with ``files`` as the source (source: ours).

    :param settings: as of ``videos_from_feed``.
    :return: the DAG.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    :raises ConfigurationError: the file cannot be read, names a feed or pages as its source, or needs a provider that
        is not installed.
    """
    return _made(settings, "videos_from_files", Path(sys._getframe(1).f_code.co_filename))


def _made(given: str | PathLike[str] | PipelineSettings, function: str, dag_file: Path) -> DAG:
    with airflow_errors():
        about = None
        if isinstance(given, PipelineSettings):
            settings = given
        else:
            file = dag_file.parent / given
            about = _text_of(file)
            settings = PipelineSettings.read(about, file)
            if missing := [
                missing_file(*named) for named in _files_of(settings) if not Path(named[1]).is_file()
            ]:
                raise InvalidRequestError(subject_of(file), missing)
        if MADE_BY[settings.source] != function:
            raise ConfigurationError(
                f"The pipeline {settings.dag_id!r} has {settings.source}, which {function} does not take: write "
                f"{MADE_BY[settings.source]}(...) in {dag_file.name}."
            )
        if told := missing_packages(settings):
            raise ConfigurationError(f"The pipeline {settings.dag_id!r} {told[0]}.")
        dag = _dag(settings, about)
        # Airflow takes the file that calls DAG() for the DAG's own.
        dag.fileloc = str(dag_file)
        with dag:
            add_steps(settings)
    return dag


def _files_of(settings: PipelineSettings) -> Iterator[tuple[str, str]]:
    """Key -> file, for the files beside the settings."""
    if settings.template:
        yield "template", settings.template
    if settings.script and settings.script.instructions and not is_lines(settings.script.instructions):
        yield "script.instructions", settings.script.instructions


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8: save it as such"
        raise ConfigurationError(
            f"The settings of the pipeline, {file}, cannot be read: {reason}. A relative path begins at the DAG file."
        ) from error


def _dag(settings: PipelineSettings, about: str | None) -> DAG:
    told: Any = told_of_runs(settings.tell)
    return DAG(
        settings.dag_id,
        schedule=schedule_of(settings),
        start_date=START.replace(tzinfo=ZoneInfo(settings.timezone)),
        catchup=False,
        max_active_runs=1,
        default_args=settings.default_args.to_airflow(),
        params=_params(settings),
        tags=list(settings.tags),
        # A summary that ends well tells it itself; of all else Airflow tells.
        on_failure_callback=told or None,
        doc_md=about and f"Made of these settings:\n\n```yaml\n{about}\n```",
    )


def _params(settings: PipelineSettings) -> dict[str, Param]:
    budget = settings.budget
    return {
        "lookback": Param(
            settings.lookback, type="string", description="How far back the first and manual runs look"
        ),
        "max_videos": Param(
            budget.max_videos, type=["integer", "null"], description="The most videos of a run"
        ),
        "max_minutes": Param(
            budget.max_minutes, type=["number", "null"], description="Minutes of video, by the estimate"
        ),
        "dry_run": Param(False, type="boolean", description="Check and estimate, send nothing"),
    }
