"""What is generated from the code is current, and says what the models say."""

import importlib.util
import json
from pathlib import Path

import jsonschema
import pytest

from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.pipelines.template import check_pipeline

ROOT = Path(__file__).parents[2]


def write_reference():
    spec = importlib.util.spec_from_file_location("write_reference", ROOT / "docs" / "write_reference.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


REFERENCE = write_reference()


@pytest.mark.parametrize(
    ("path", "text"), REFERENCE.generated().items(), ids=lambda value: getattr(value, "name", "")
)
def test_a_generated_file_is_current(path, text):
    assert path.read_text("utf-8") == text, "run make reference"


@pytest.mark.parametrize("name", REFERENCE.SCHEMAS)
def test_a_schema_is_one_and_describes_every_field(name):
    schema = REFERENCE.json_schema(REFERENCE.SCHEMAS[name])
    jsonschema.Draft202012Validator.check_schema(schema)
    for part in (schema, *schema.get("$defs", {}).values()):
        undescribed = [field for field, known in part["properties"].items() if not known["description"]]
        assert undescribed == []


def test_an_editor_accepts_what_the_model_accepts_and_marks_a_misspelt_field():
    schema = REFERENCE.json_schema(Storyboard)
    storyboard = {"videoName": "a", "videoWidth": 1920, "scenes": [{"text": "t", "textColor": "#fff"}]}
    jsonschema.validate(storyboard, schema)
    assert Storyboard.read(storyboard)
    storyboard["scenes"][0]["textColour"] = "#fff"
    with pytest.raises(jsonschema.ValidationError, match="textColour"):
        jsonschema.validate(storyboard, schema)


PIPELINE = {
    "feed_url": "https://www.example.com/feed.xml",
    "schedule": "0 3 * * *",
    "tags": "news",
    "rules": {
        "title_scene": False,
        "closing_scene": "Read on",
        "backgrounds": ["https://www.example.com/a.jpg", {"backgroundUri": "https://www.example.com/b.mp4"}],
        "voices": {"en": {"speaker": "Joan"}},
    },
    "budget": {"max_videos": None},
    "delivery": {"destination": "/videos/", "subtitles": "srt"},
}


def test_an_editor_accepts_what_a_pipeline_may_say():
    schema = REFERENCE.json_schema(REFERENCE.SCHEMAS["pipeline"])
    jsonschema.validate(PIPELINE, schema)
    text = json.dumps(PIPELINE)
    assert check_pipeline(text, Path("/dags/news.yaml"), Path).dag_id == "news"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"schedul": "@daily"}, "schedul"),
        ({"budget": {"max_video": 3}}, "max_video"),
        ({"rules": {"max_scene": 3}}, "max_scene"),
        ({"rules": {"title_scene": 3}}, "3 is not valid"),
        ({"delivery": {"destination": "/videos/", "subtitles": "doc"}}, "'doc' is not one of"),
    ],
)
def test_an_editor_marks_what_a_pipeline_may_not_say(wrong, said):
    schema = REFERENCE.json_schema(REFERENCE.SCHEMAS["pipeline"])
    with pytest.raises(jsonschema.ValidationError, match=said):
        jsonschema.validate(PIPELINE | wrong, schema)
