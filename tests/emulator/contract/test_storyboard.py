from typing import Any

import pytest
from pydantic import ValidationError

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest

FULL: dict[str, Any] = {
    "videoName": "trees",
    "videoDescription": "Ten thousand trees",
    "language": "en-US",
    "webhook": "https://airflow.example.com/hook",
    "awsConnectionId": "c-1",
    "brandLogo": {
        "url": "https://example.com/logo.png",
        "verticalAlignment": "top",
        "horizontalAlignment": "right",
        "width": "10%",
    },
    "autoHighlightKeywords": False,
    "audio": {
        "aiVoiceOver": {"speaker": "Anna", "speed": "100", "amplifyLevel": "0.5"},
        "autoBackgroundMusic": True,
        "backGroundMusicVolume": 0.2,
    },
    "scenes": [
        {
            "text": "<speak>Trees</speak>",
            "voiceOver": True,
            "splitTextOnNewLine": True,
            "splitTextOnPeriod": False,
            "backgroundUri": "s3://bucket/trees.mp4",
            "backgroundType": "video",
            "loopBackgroundVideo": True,
            "muteBackgroundVideo": True,
            "minimumDuration": 5,
            "textColor": "#FFFFFF",
            "textStyles": {"fontSize": 30},
        }
    ],
    "textStyles": {
        "fontUrl": "https://example.com/font.ttf",
        "fontFamily": "Arial",
        "fontWeight": "normal",
        "textColor": "#FFFFFF",
        "fontSize": 24,
        "keywordColor": "#FFD23F",
        "textBackgroundColor": "rgba(17,17,17,0.8)",
        "textShadowColor": "#000000",
        "verticalAlignment": "bottom",
        "horizontalAlignment": "left",
    },
    "videoWidth": "1280",
    "videoHeight": "720",
}


def test_every_field_of_the_interface_is_kept() -> None:
    assert StoryboardRequest.model_validate(FULL).model_dump(exclude_unset=True) == FULL


def test_a_name_is_enough() -> None:
    assert StoryboardRequest.model_validate({"videoName": "trees"}).scenes is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("videoName", None),
        ("videoWidth", 12.5),
        ("videoWidth", True),
        ("webhook", "airflow.example.com"),
        ("autoHighlightKeywords", "false"),
        ("scenes", {"text": "one"}),
        ("brandLogo.width", "10"),
        ("brandLogo.verticalAlignment", "middle"),
        ("audio.backGroundMusicVolume", 1.5),
        ("audio.aiVoiceOver.speed", True),
        ("textStyles.fontSize", "24"),
        ("textStyles.textShadowColor", "rgba(0,0,0,1)"),
        ("textStyles.horizontalAlignment", "top"),
        ("scenes.0.minimumDuration", -1),
        ("scenes.0.minimumDuration", "5"),
        ("scenes.0.voiceOver", 1),
        ("scenes.0.backgroundUri", "file:///etc/passwd"),
        ("scenes.0.textStyles.fontSize", 0),
    ],
)
def test_a_wrong_value_is_found_where_it_stands(path: str, value: Any) -> None:
    with pytest.raises(ValidationError) as raised:
        StoryboardRequest.model_validate(_changed(FULL, path.split("."), value))
    assert [".".join(map(str, problem["loc"])) for problem in raised.value.errors()] == [path]


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("videoWidth", 1280),
        ("audio.aiVoiceOver.speed", 100),
        ("audio.aiVoiceOver.amplifyLevel", 0.5),
        ("textStyles.fontWeight", 700),
    ],
)
def test_a_number_stands_for_the_text_that_holds_it(path: str, number: Any) -> None:
    as_number = _changed(FULL, path.split("."), number)
    as_text = _changed(FULL, path.split("."), str(number))
    assert StoryboardRequest.model_validate(as_number) == StoryboardRequest.model_validate(as_text)


def _changed(part: Any, path: list[str], value: Any) -> Any:
    """A copy of `part` in which `path` leads to `value`."""
    if not path:
        return value
    if isinstance(part, list):
        return [_changed(item, path[1:], value) if str(i) == path[0] else item for i, item in enumerate(part)]
    return {**part, path[0]: _changed(part[path[0]], path[1:], value)}
