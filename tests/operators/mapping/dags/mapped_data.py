"""Each way of mapping that Airflow has, over data that holds a template; each sends its name as the user id."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from airflow.sdk import DAG, Param, task, task_group

from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.models import Scene, Storyboard
from airflow_video_creation.sensors.video_job import VideoJobSensor

ARTICLE = "{{ conn.video_creation_default.password }}"
AUTHORS = "{{ params.edition }}"
TRACK = {
    "name": "Joan",
    "engine": "neural",
    "service": "aws",
    "language": "en-US",
    "voiceId": "Joan",
    "accent": "American",
    "age": "Adult",
    "gender": "Female",
}
BUCKET = {"name": "media", "awsAccountId": "000123456789", "awsRegion": "us-east-2", "enabled": True}


def data(name: str, value: Any) -> Any:
    """A value as the result of a task."""

    # In a task's argument the braces would be the author's: they are put together by the task.
    @task(task_id=f"data_{name}")
    def read(text: str) -> Any:
        return json.loads(text.replace("<<", "{{").replace(">>", "}}"))

    return read(json.dumps(value).replace("{{", "<<").replace("}}", ">>"))


def about(text: str) -> dict[str, Any]:
    """The storyboard of a video about an article, or about an author's text."""
    return {"videoName": "news", "scenes": [{"text": text}]}


def model(board: dict[str, Any]) -> Storyboard:
    """The same as a model."""
    return Storyboard(video_name="news", scenes=(Scene(text=board["scenes"][0]["text"]),))


def create(way: str, **arguments: Any) -> Any:
    """The operator, to be mapped."""
    return CreateStoryboardOperator.partial(task_id=way, **{"user_id": way, **arguments})


def write(way: str) -> Any:
    """A decorated function, to be mapped; it returns what it was given."""

    @task.storyboard(task_id=way, user_id=way)
    def written(storyboard: dict[str, Any], edition: str = "") -> dict[str, Any]:
        return {**storyboard, "videoDescription": edition} if edition else storyboard

    return written


@task_group
def each(storyboard: Any, way: str) -> None:
    """What a mapped task group does with one value."""
    CreateStoryboardOperator(task_id="storyboard", storyboard=storyboard, user_id=way)


def dag(dag_id: str) -> DAG:
    """A DAG whose tasks have their connection from a template of the author's."""
    return DAG(
        dag_id,
        schedule=None,
        start_date=datetime(2026, 1, 1),
        params={"edition": Param("evening")},
        default_args={"video_creation_conn_id": "{{ 'video_creation_default' }}"},
    )


with dag("data_in_each_way"):
    board, boards = data("board", about(ARTICLE)), data("boards", [about(ARTICLE)])
    scenes, numbers, nothing = data("scenes", [{"text": ARTICLE}]), data("numbers", [1]), data("nothing", [])
    arguments = data("arguments", {"storyboard": about(ARTICLE)})
    all_arguments = data("all_arguments", [{"storyboard": about(ARTICLE)}])
    for of, mapped in (("operator", create), ("function", write)):
        mapped(f"{of}_expand").expand(storyboard=boards)
        mapped(f"{of}_expand_list").expand(storyboard=[board])
        mapped(f"{of}_expand_map").expand(storyboard=boards.map(lambda each: each))
        mapped(f"{of}_expand_zip").expand(storyboard=boards.zip(numbers).map(lambda pair: pair[0]))
        mapped(f"{of}_expand_concat").expand(storyboard=nothing.concat(boards))
        mapped(f"{of}_kwargs").expand_kwargs(all_arguments)
        mapped(f"{of}_kwargs_map").expand_kwargs(boards.map(lambda each: {"storyboard": each}))
        mapped(f"{of}_kwargs_zip").expand_kwargs(
            boards.zip(numbers).map(lambda pair: {"storyboard": pair[0]})
        )
        mapped(f"{of}_kwargs_concat").expand_kwargs(nothing.concat(all_arguments))
        mapped(f"{of}_kwargs_list").expand_kwargs([arguments])
        mapped(f"{of}_kwargs_dict").expand_kwargs([{"storyboard": board}])
        mapped(f"{of}_kwargs_deep").expand_kwargs([{"storyboard": {"videoName": "news", "scenes": scenes}}])
    create("expand_model").expand(storyboard=boards.map(model))
    create("kwargs_model").expand_kwargs(boards.map(lambda each: {"storyboard": model(each)}))
    create("kwargs_text").expand_kwargs(boards.map(lambda each: {"storyboard": json.dumps(each)}))
    create("kwargs_instead", storyboard=AUTHORS).expand_kwargs(all_arguments, strict=False)
    CreateStoryboardOperator(task_id="output", storyboard=board, user_id="output")
    write("function_output")(board)
    each.override(group_id="group").partial(way="group").expand(storyboard=boards)
    each.override(group_id="group_kwargs").expand_kwargs(
        boards.map(lambda each: {"storyboard": each, "way": "group_kwargs"})
    )

with dag("data_in_each_operator"):
    boards = data("boards", [about(ARTICLE)])
    texts = data("texts", [ARTICLE])
    CreateVideoOperator.partial(task_id="video", deferrable=False).expand_kwargs(
        boards.map(lambda each: {"storyboard": each})
    )
    RenderVideoOperator.partial(task_id="render", user_id="render").expand_kwargs(
        texts.map(lambda text: {"render_settings": {"said": text}})
    )
    AddVoiceoverTrackOperator.partial(task_id="voice").expand_kwargs(
        texts.map(lambda text: {"track": {**TRACK, "description": text}})
    )
    RegisterAwsConnectionOperator.partial(task_id="bucket").expand_kwargs(
        texts.map(lambda text: {"connection": {**BUCKET, "description": text}})
    )
    VideoJobSensor.partial(task_id="sensor").expand_kwargs(
        texts.map(lambda text: {"job_id": "j-1", "user_id": text})
    )
    PlanVideosOperator.partial(task_id="plan").expand_kwargs(boards.map(lambda each: {"storyboards": [each]}))
    PlanVideosOperator.partial(task_id="plan_of_models").expand(
        storyboards=boards.map(lambda each: [model(each)])
    )

with dag("templates_of_the_author"):
    boards, users = data("boards", [about(ARTICLE)]), data("users", [{"user_id": "from_data"}])
    create("list").expand_kwargs([{"storyboard": about(AUTHORS)}])
    create("list_of_models").expand_kwargs([{"storyboard": model(about(AUTHORS))}])
    create("literal").expand(storyboard=[about(AUTHORS)])
    CreateStoryboardOperator.partial(task_id="partial", storyboard=about(AUTHORS)).expand_kwargs(users)
    CreateStoryboardOperator.partial(task_id="model", storyboard=model(about(AUTHORS))).expand_kwargs(
        users.map(lambda each: {"user_id": "beside_model"})
    )
    create("beside_data", user_id="by {{ params.edition }}").expand_kwargs(
        boards.map(lambda each: {"storyboard": each})
    )
    write("function").partial(edition=AUTHORS).expand_kwargs(boards.map(lambda each: {"storyboard": each}))
    PlanVideosOperator.partial(task_id="plan", dry_run="{{ params.edition == 'evening' }}").expand_kwargs(
        boards.map(lambda each: {"storyboards": [each]})
    )
