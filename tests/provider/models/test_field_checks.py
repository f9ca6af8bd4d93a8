"""Field by field: what an author may write, what goes over the wire, and what is refused before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.models import AwsConnection, Storyboard, VoiceoverTrack
from airflow_video_creation.provider.models.request_model import RequestModel

VALID: dict[type[RequestModel], dict[str, Any]] = {
    Storyboard: {"videoName": "evening-news", "scenes": [{"text": "Good evening."}]},
    AwsConnection: {
        "name": "media",
        "awsAccountId": "012345678901",
        "awsRegion": "us-east-2",
        "enabled": True,
    },
    VoiceoverTrack: {
        "name": "Ada",
        "service": "elevenlabs",
        "engine": "eleven_multilingual_v2",
        "language": "en-US",
        "voiceId": "v-1",
        "accent": "american",
        "age": "Adult",
        "gender": "Female",
    },
}
SETTINGS = {"similarityBoost": 0.5, "stability": 0.5}


def given(model: type[RequestModel], path: str, value: Any) -> dict[str, Any]:
    """A valid request with one more value, at a path such as ``scenes.0.text``."""
    first, *rest = path.split(".")
    tree = value
    for step in reversed(rest):
        tree = {step: tree}
    if first == "scenes" and rest:
        return {**VALID[model], "scenes": [{**VALID[model]["scenes"][0], **tree["0"]}]}
    return {**VALID[model], first: tree}


def at(body: Any, path: str) -> Any:
    for step in path.split("."):
        body = body[int(step)] if step.isdigit() else body[step]
    return body


@pytest.mark.parametrize(
    ("model", "path", "written", "sent"),
    [
        (Storyboard, "videoName", "Été 2026 (é–€)", "Été 2026 (é–€)"),
        (Storyboard, "videoName", "क्\u200dष 👩\u200d💻", "क्\u200dष 👩\u200d💻"),
        (Storyboard, "videoName", "icon", "icon"),
        (Storyboard, "videoName", 1984, "1984"),
        (Storyboard, "videoName", "n" * 240, "n" * 240),
        (Storyboard, "videoDescription", 3.5, "3.5"),
        (
            Storyboard,
            "webhook",
            "https://airflow.example.com/hook?a=b",
            "https://airflow.example.com/hook?a=b",
        ),
        (Storyboard, "awsConnectionId", 42, "42"),
        (Storyboard, "scenes.0.awsConnectionId", "c-1", "c-1"),
        (Storyboard, "autoHighlightKeywords", "False", False),
        (Storyboard, "videoWidth", 1920, 1920),
        (Storyboard, "videoWidth", "1920", "1920"),
        (Storyboard, "videoWidth", 1920.0, 1920),
        (Storyboard, "videoHeight", 1080, 1080),
        (Storyboard, "videoHeight", " 1080 ", "1080"),
        (Storyboard, "scenes", ({"text": "a tuple"},), [{"text": "a tuple"}]),
        (Storyboard, "scenes.0.text", "Rock & roll, 1 < 2 <3", "Rock & roll, 1 < 2 <3"),
        (
            Storyboard,
            "scenes.0.text",
            '<speak>Hi<break time="1s"/></speak>',
            '<speak>Hi<break time="1s"/></speak>',
        ),
        (Storyboard, "scenes.0.text", '<?xml version="1.0"?><p>Hi</p>', '<?xml version="1.0"?><p>Hi</p>'),
        (Storyboard, "scenes.0.text", "<amazon:breath/>Hi", "<amazon:breath/>Hi"),
        (Storyboard, "scenes.0.backgroundUri", "s3://my.bucket/a/b c.mp4", "s3://my.bucket/a/b c.mp4"),
        (Storyboard, "scenes.0.voiceOver", "true", True),
        (Storyboard, "scenes.0.minimumDuration", 3, 3),
        (Storyboard, "scenes.0.minimumDuration", 3.0, 3.0),
        (Storyboard, "scenes.0.minimumDuration", "2.5", 2.5),
        (Storyboard, "scenes.0.fontWeight", 700, 700),
        (Storyboard, "scenes.0.fontWeight", "700", "700"),
        (Storyboard, "textStyles.fontWeight", "bold", "bold"),
        (Storyboard, "scenes.0.fontSize", "24", 24),
        (Storyboard, "scenes.0.fontSize", 24.0, 24),
        (Storyboard, "scenes.0.textStyles", {"textColor": "#fff"}, {"textColor": "#fff"}),
        (Storyboard, "textStyles.textColor", " #FFAA0080 ", "#FFAA0080"),
        (Storyboard, "textStyles.textColor", "rgba(0, 127.5,255,.5)", "rgba(0, 127.5,255,.5)"),
        (Storyboard, "textStyles.fontUrl", "https://e.example/A.TTF?v=1", "https://e.example/A.TTF?v=1"),
        (Storyboard, "brandLogo.width", "12.5%", "12.5%"),
        (Storyboard, "audio.aiVoiceOver.speed", 110, 110),
        (Storyboard, "audio.aiVoiceOver.speed", "110", "110"),
        (Storyboard, "audio.aiVoiceOver.speed", 1234567.5, 1234567.5),
        (Storyboard, "audio.aiVoiceOver.amplifyLevel", 0, 0),
        (Storyboard, "audio.aiVoiceOver.amplifyLevel", "0", "0"),
        (Storyboard, "audio.aiVoiceOver.amplifyLevel", -0.25, -0.25),
        (Storyboard, "audio.backGroundMusicVolume", 1, 1),
        (Storyboard, "audio.backGroundMusicVolume", "0.5", 0.5),
        (AwsConnection, "awsAccountId", "000000000001", "000000000001"),
        (AwsConnection, "awsAccountId", 123456789012, "123456789012"),
        (AwsConnection, "enabled", "true", True),
        (VoiceoverTrack, "elevenlabsVoiceSettings", SETTINGS, SETTINGS),
        (VoiceoverTrack, "publicUserId", 7, "7"),
        (VoiceoverTrack, "sample", "https://voices.example.com/a.mp3", "https://voices.example.com/a.mp3"),
    ],
)
def test_what_an_author_may_write(model: type[RequestModel], path: str, written: Any, sent: Any) -> None:
    body = model.read(given(model, path, written)).to_wire()
    assert at(body, path) == sent
    assert type(at(body, path)) is type(sent)


@pytest.mark.parametrize(
    ("model", "path", "written", "allowed"),
    [
        (Storyboard, "videoName", "", "must not be empty"),
        (Storyboard, "videoName", "a/b", "usable as a file name; '/' is not allowed"),
        (Storyboard, "videoName", "a\x00b", r"usable as a file name; '\x00' is not allowed"),
        (
            Storyboard,
            "videoName",
            "gpj\u202e4pm.exe",
            r"file name; '\u202e' is not allowed, since it cannot be seen",
        ),
        (
            Storyboard,
            "videoName",
            "ne\u200bws",
            r"file name; '\u200b' is not allowed, since it cannot be seen",
        ),
        (Storyboard, "videoName", "CON", "usable as a file name; Windows keeps 'CON' for a device"),
        (Storyboard, "videoName", ".hidden", "may not begin or end with a space or a dot"),
        (Storyboard, "videoName", "é" * 121, "longer than 240 bytes"),
        (Storyboard, "videoName", "half \ud83d", "half of a surrogate pair"),
        (Storyboard, "videoName", True, "must be text"),
        (Storyboard, "webhook", "airflow.example.com/hook", "must be an http(s) URL"),
        (Storyboard, "webhook", "https://example.com:port/", "must be an http(s) URL"),
        (Storyboard, "webhook", "https://example.com/a b", "must be an http(s) URL"),
        (Storyboard, "webhook", "https://[::1/", "must be an http(s) URL"),
        (Storyboard, "autoHighlightKeywords", "perhaps", "must be true or false"),
        (Storyboard, "videoWidth", "wide", "whole number of pixels, such as 1280"),
        (Storyboard, "videoWidth", 1280.5, "whole number of pixels, such as 1280"),
        (Storyboard, "videoWidth", 0, "whole number of pixels, such as 1280"),
        (Storyboard, "videoWidth", "\uff11\uff12", "whole number of pixels, such as 1280"),
        (Storyboard, "scenes", [], "must have at least one element"),
        (Storyboard, "scenes", {"text": "x"}, "must be a list"),
        (Storyboard, "scenes", ["x"], "must be an object with fields"),
        (Storyboard, "scenes", [{"voiceOver": True}], "has neither text nor backgroundUri"),
        (Storyboard, "scenes", [{"text": " "}], "has neither text nor backgroundUri"),
        (Storyboard, "scenes.0.text", "<p>one", "SSML that cannot be read (mismatched tag)"),
        (Storyboard, "scenes.0.text", "<b>A & B</b>", "write &amp; and &lt; for a plain & or <"),
        (Storyboard, "scenes.0.text", "<!DOCTYPE a><a/>", "SSML that cannot be read"),
        (Storyboard, "scenes.0.text", "x:y <x:y/>", "SSML that cannot be read (unbound prefix)"),
        (Storyboard, "scenes.0.backgroundUri", "ftp://h/x", "must be 's3://bucket/key' or an http(s) URL"),
        (Storyboard, "scenes.0.backgroundUri", "s3://My_Bucket/x", "bucket name of 3 to 63"),
        (Storyboard, "scenes.0.backgroundUri", "s3://bucket/", "'s3://bucket/key' with a key"),
        (Storyboard, "scenes.0.backgroundUri", "s3://bucket/a\nb", "'s3://bucket/key' with a key"),
        (Storyboard, "scenes.0.minimumDuration", -1, "must be greater than or equal to 0"),
        (Storyboard, "scenes.0.minimumDuration", True, "must be a number"),
        (Storyboard, "scenes.0.minimumDuration", "long", "must be a number"),
        (Storyboard, "scenes.0.minimumDuration", float("inf"), "must be a finite number"),
        (Storyboard, "scenes.0.fontSize", 0, "must be greater than 0"),
        (Storyboard, "scenes.0.fontSize", True, "must be a number"),
        (Storyboard, "scenes.0.fontSize", 12.5, "must be a whole number"),
        (Storyboard, "scenes.0.fontSize", 10**400, "must be less than 1000000000"),
        (Storyboard, "textStyles.textColor", "red", "hex code such as '#FFAA00' or 'rgba(r,g,b,a)'"),
        (Storyboard, "textStyles.textColor", "#ggg", "hex code such as '#FFAA00' or 'rgba(r,g,b,a)'"),
        (Storyboard, "textStyles.textColor", "rgba(1,2,3)", "hex code such as '#FFAA00' or 'rgba(r,g,b,a)'"),
        (Storyboard, "textStyles.textColor", "rgba(1,2,,1)", "hex code such as '#FFAA00' or 'rgba(r,g,b,a)'"),
        (Storyboard, "textStyles.textColor", "rgba(1,2,256,1)", "r, g, b from 0 to 255"),
        (Storyboard, "textStyles.textColor", "rgba(1,2,3,1.5)", "a from 0 to 1"),
        (Storyboard, "textStyles.textShadowColor", "rgba(1,2,3,1)", "must be a hex code such as '#FFAA00'"),
        (Storyboard, "textStyles.verticalAlignment", "middle", "must be 'top', 'center' or 'bottom'"),
        (Storyboard, "textStyles.fontUrl", "https://e.example/a.woff", "URL of a .ttf font file"),
        (Storyboard, "brandLogo.width", "10", "percentage above 0% and up to 100%, such as '10%'"),
        (Storyboard, "brandLogo.width", "0%", "percentage above 0% and up to 100%, such as '10%'"),
        (Storyboard, "brandLogo.width", "101%", "percentage above 0% and up to 100%, such as '10%'"),
        (Storyboard, "audio.aiVoiceOver.speed", float("nan"), "must be a finite number"),
        (Storyboard, "audio.aiVoiceOver.speed", 10**400, "contains a number with too many digits"),
        (Storyboard, "audio.aiVoiceOver.speed", True, "must be text or a number"),
        (Storyboard, "audio.aiVoiceOver.speed", [100], "must be text or a number"),
        (Storyboard, "audio.aiVoiceOver.speed", "half \ud83d", "half of a surrogate pair"),
        (Storyboard, "audio.backGroundMusicVolume", float("nan"), "must be a finite number"),
        (Storyboard, "audio.backGroundMusicVolume", True, "must be a number"),
        (AwsConnection, "name", "", "must not be empty"),
        (AwsConnection, "enabled", "", "must be true or false"),
        (AwsConnection, "awsAccountId", 12345678901, "must be 12 digits; write it in quotes"),
        (AwsConnection, "awsAccountId", "١٢٣٤٥٦٧٨٩٠١٢", "must be 12 digits"),
        (AwsConnection, "awsRegion", "Ohio", "must be a region such as 'us-east-2'"),
        (AwsConnection, "enabled", None, "must be true or false"),
        (VoiceoverTrack, "service", "azure", "must be 'aws', 'google' or 'elevenlabs'"),
        (VoiceoverTrack, "voiceId", " ", "must not be empty"),
        (VoiceoverTrack, "sample", "sample.mp3", "must be an http(s) URL"),
        (VoiceoverTrack, "elevenlabsVoiceSettings.stability", "high", "must be a number"),
    ],
)
def test_what_is_refused(model: type[RequestModel], path: str, written: Any, allowed: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        model.read(given(model, path, written))
    field = path.replace(".0", "[0]")
    assert any(
        problem.path.startswith(field) and allowed in problem.message for problem in caught.value.problems
    )


@pytest.mark.parametrize(
    ("model", "path"),
    [
        (Storyboard, "videoDescription"),
        (Storyboard, "webhook"),
        (Storyboard, "awsConnectionId"),
        (Storyboard, "autoHighlightKeywords"),
        (Storyboard, "videoWidth"),
        (Storyboard, "brandLogo.url"),
        (Storyboard, "brandLogo.verticalAlignment"),
        (Storyboard, "audio"),
        (Storyboard, "audio.aiVoiceOver.speed"),
        (Storyboard, "audio.backGroundMusicVolume"),
        (Storyboard, "scenes.0.minimumDuration"),
        (Storyboard, "scenes.0.textStyles.fontUrl"),
        (AwsConnection, "description"),
        (VoiceoverTrack, "sample"),
        (VoiceoverTrack, "publicUserId"),
    ],
)
@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_text_of_an_optional_field_is_left_out_with_a_warning(
    model: type[RequestModel], path: str, empty: str
) -> None:
    request = model.read(given(model, path, empty))

    beside, _, name = path.rpartition(".")
    assert name not in (at(request.to_wire(), beside) if beside else request.to_wire())
    assert request.warnings() == [
        f"The {model.subject} has empty texts in optional fields, which are not sent: "
        f"{path.replace('.0', '[0]')}. Set them, or remove them from the request."
    ]


def test_a_request_without_empty_texts_has_no_warning() -> None:
    assert not Storyboard.read({**VALID[Storyboard], "language": "en", "webhook": None}).warnings()


def test_of_many_empty_texts_ten_are_named() -> None:
    scenes = [{"text": "x", "textColor": ""}] * 12
    (warning,) = Storyboard.read({**VALID[Storyboard], "scenes": scenes}).warnings()
    assert "scenes[9].textColor and 2 more. " in warning


@pytest.mark.parametrize(
    ("model", "path"),
    [
        (Storyboard, "extra_fields"),
        (Storyboard, "scenes.0.extra_fields"),
        (Storyboard, "audio.extra_fields"),
        (AwsConnection, "extraFields"),
        (VoiceoverTrack, "extra_fields"),
    ],
)
def test_extra_fields_are_sent_beside_the_known_ones(model: type[RequestModel], path: str) -> None:
    body = model.read(given(model, path, {"newField": {"deep": [1, None]}})).to_wire()
    beside = path.rpartition(".")[0]
    assert (at(body, beside) if beside else body)["newField"] == {"deep": [1, None]}
    assert "extra" not in str(body)


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"a": {"b": [1, float("nan")]}}, "contains nan at a.b[1], which JSON cannot represent"),
        ({"a": object()}, "contains a value of type object at a"),
        ({"a": "half \ud800"}, "contains half of a surrogate pair at a"),
        ({"a": 10**400}, "contains a number at a with too many digits"),
        ({"a": {1: 2}}, "contains a field name at a that is not text"),
        ({"\ud800": 2}, "contains a field name that is not text"),
        ({"override_known_fields": "yes"}, "contains override_known_fields, which must be true or false"),
        (["a"], "must be an object with fields"),
    ],
)
def test_extra_fields_must_be_json(extra: Any, message: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Storyboard.read({**VALID[Storyboard], "extra_fields": extra})
    assert [problem.path for problem in caught.value.problems] == ["extra_fields"]
    assert message in caught.value.problems[0].message


def test_extra_fields_may_not_be_nested_without_end() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(InvalidRequestError, match="extra_fields: is nested more than 100 levels deep"):
        Storyboard.read({**VALID[Storyboard], "extra_fields": {"a": value}})


@pytest.mark.parametrize(
    ("path", "field", "value"),
    [
        ("extra_fields", "videoWidth", {"pixels": 1280}),
        ("audio.aiVoiceOver.extra_fields", "speed", [100]),
        ("scenes.0.extra_fields", "text", ["a", "b"]),
        ("brandLogo.extra_fields", "width", 10),
    ],
)
def test_a_known_field_is_sent_as_it_is_where_extra_fields_say_so(path: str, field: str, value: Any) -> None:
    extra = {"override_known_fields": True, field: value}
    request = Storyboard.read(given(Storyboard, path, extra))
    request.require_no_known_extra()

    beside = path.rpartition(".")[0]
    sent = at(request.to_wire(), beside) if beside else request.to_wire()
    assert sent[field] == value
    assert "override_known_fields" not in str(request.to_wire())
    assert Storyboard.read(request.to_dict()) == request


@pytest.mark.parametrize("flag", [{}, {"override_known_fields": False}])
def test_a_known_field_in_extra_fields_is_refused_otherwise(flag: dict[str, bool]) -> None:
    extra = {**flag, "text": "x", "mood": "calm", "backgroundUri": "x"}
    request = Storyboard.read(given(Storyboard, "scenes.0.extra_fields", extra))
    with pytest.raises(InvalidRequestError) as caught:
        request.require_no_known_extra()
    assert [str(problem) for problem in caught.value.problems] == [
        "scenes[0].extra_fields: contains backgroundUri, text, which the interface has: set it as a normal field; or, "
        "to send it unchanged, add override_known_fields: true to these extra_fields or to the connection's extra"
    ]
