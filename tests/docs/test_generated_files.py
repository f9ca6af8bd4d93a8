"""What is generated from the code is current, and says what the models say."""

import importlib.util
from pathlib import Path

import jsonschema
import pytest

from airflow_video_creation.provider.models import Storyboard

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


@pytest.mark.parametrize("name", REFERENCE.REQUESTS)
def test_a_schema_is_one_and_describes_every_field(name):
    schema = REFERENCE.json_schema(REFERENCE.REQUESTS[name])
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
