"""What the client sends keeps to the contract, which was read from the interface independently of it."""

import json
from pathlib import Path

import jsonschema
import pytest

from airflow_video_creation.provider.models import AwsConnection, Storyboard, VoiceoverTrack
from airflow_video_creation.provider.models.render import render_body

OPENAPI = json.loads((Path(__file__).parents[2] / "emulator" / "openapi.json").read_text("utf-8"))

STYLES = {
    "fontUrl": "https://fonts.example.com/a.ttf",
    "fontFamily": "Arial",
    "fontWeight": "bold",
    "textColor": "rgba(255, 0, 0, 0.5)",
    "fontSize": "30",
    "keywordColor": "#ff0",
    "textBackgroundColor": "#11111180",
    "textShadowColor": "#000000",
    "verticalAlignment": "top",
    "horizontalAlignment": "center",
}
FULLEST_STORYBOARD = {
    "videoName": "everything",
    "videoDescription": "All fields at once",
    "language": "en",
    "webhook": "https://airflow.example.com/hook",
    "awsConnectionId": 17,
    "brandLogo": {
        "url": "https://media.example.com/logo.png",
        "verticalAlignment": "bottom",
        "horizontalAlignment": "left",
        "width": "12.5%",
    },
    "autoHighlightKeywords": False,
    "audio": {
        "aiVoiceOver": {"speaker": "Joanna", "speed": 110, "amplifyLevel": 0.5},
        "autoBackgroundMusic": True,
        "backGroundMusicVolume": "0.3",
    },
    "scenes": [
        {
            "text": "<p>One &amp; two</p>",
            "voiceOver": True,
            "splitTextOnNewLine": False,
            "splitTextOnPeriod": True,
            "backgroundUri": "s3://bucket/clip.mp4",
            "backgroundType": "video",
            "loopBackgroundVideo": True,
            "muteBackgroundVideo": True,
            "minimumDuration": 3,
            **STYLES,
        },
        {"text": "styles as an object", "textStyles": STYLES},
        {"backgroundUri": "https://bucket.s3.us-east-2.amazonaws.com/clip.mp4"},
    ],
    "textStyles": STYLES,
    "videoWidth": 1920,
    "videoHeight": 1080.0,
}
VOICE = {"name": "n", "language": "en-US", "voiceId": "v", "accent": "a", "age": "Adult", "gender": "Female"}


def assert_in_contract(path, body):
    reference = OPENAPI["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    jsonschema.validate(body, {**reference, "components": OPENAPI["components"]})


@pytest.mark.parametrize(
    "storyboard",
    [FULLEST_STORYBOARD, {"videoName": "least", "scenes": [{"text": "t"}]}],
    ids=["fullest", "least"],
)
def test_a_storyboard(storyboard):
    body = Storyboard.read(storyboard).to_wire()
    assert body.keys() == storyboard.keys()
    assert_in_contract("/api/v1/video/storyboard", body)


@pytest.mark.parametrize(
    "track",
    [
        VOICE | {"service": "aws", "engine": "neural", "description": "d"},
        VOICE | {"service": "google", "engine": "WaveNet", "sample": "https://media.example.com/v.mp3"},
        VOICE
        | {
            "service": "elevenlabs",
            "engine": "eleven_multilingual_v2",
            "publicUserId": "p",
            "elevenlabsVoiceSettings": {"similarityBoost": 0.5, "stability": 1, "useSpeakerBoost": True},
        },
    ],
    ids=lambda track: track["service"],
)
def test_a_voiceover_track(track):
    assert_in_contract("/serviceapis/v1/voiceovers/tracks", VoiceoverTrack.read(track).to_wire())


def test_an_aws_connection():
    connection = {"name": "n", "awsAccountId": "012345678901", "awsRegion": "us-east-2", "enabled": True}
    assert_in_contract("/serviceapis/v1/awsconnections", AwsConnection.read(connection).to_wire())


def test_a_render(video_creation_emulator):
    from airflow_video_creation.hooks.video_creation import VideoCreationHook

    hook = VideoCreationHook()
    job = hook.get_job(hook.create_storyboard({"videoName": "v", "scenes": [{"text": "t"}]}))
    assert job.render_settings
    body = render_body(job.render_settings, "https://airflow.example.com/hook")
    assert_in_contract("/api/v1/video/render", body)


def test_a_fullest_storyboard_is_accepted_by_the_emulator(video_creation_emulator):
    from airflow_video_creation.hooks.video_creation import VideoCreationHook

    hook = VideoCreationHook()
    connection = hook.register_aws_connection(
        {"name": "n", "awsAccountId": "012345678901", "awsRegion": "us-east-2", "enabled": True}
    )
    storyboard = FULLEST_STORYBOARD | {"awsConnectionId": connection["connectionId"]}
    del storyboard["webhook"]
    assert hook.get_job(hook.create_storyboard(storyboard)).state == "completed"
