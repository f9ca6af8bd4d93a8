"""What an author wrote is what is sent, and what cannot be sent is told in one InvalidRequestError."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.models import AwsConnection, Storyboard, VoiceoverTrack
from airflow_video_creation.provider.models.render import render_body
from airflow_video_creation.provider.models.request_model import RequestModel
from airflow_video_creation.provider.protocol.calls import create_storyboard

Fields = dict[str, Any]

SENDABLE = st.characters(exclude_categories=["Cs"])
WORDS = st.text(SENDABLE, max_size=20)
NOT_BLANK = st.text(SENDABLE, min_size=1, max_size=20).filter(str.strip)
FLAGS = st.booleans()
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6)
HEX = st.from_regex(re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})", re.ASCII), fullmatch=True)
CHANNEL = st.integers(0, 255)
COLORS = HEX | st.builds(
    "rgba({}, {},{}, {})".format, CHANNEL, CHANNEL, CHANNEL, st.sampled_from(["0", ".5", "1"])
)
VERTICAL = st.sampled_from(["top", "center", "bottom"])
HORIZONTAL = st.sampled_from(["left", "center", "right"])
URLS = st.sampled_from(
    ["https://media.example.com/a.png", "http://127.0.0.1:8080/x?y=z#w", "https://é.example/"]
)
MEDIA = URLS | st.sampled_from(["s3://my-bucket/a b/c.mp4", "https://b.s3.us-east-2.amazonaws.com/k"])
PIXELS = st.integers(1, 9999)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)
EXTRA = {"extra_fields": st.dictionaries(WORDS.map("x-{}".format), JSON, max_size=2)}


def fields(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[Fields]:
    return st.fixed_dictionaries(required, optional=optional)


STYLES: dict[str, Any] = {
    "fontUrl": st.just("https://fonts.example.com/Serif.TTF?v=1"),
    "fontFamily": WORDS,
    "fontWeight": WORDS | st.integers(100, 900),
    "textColor": COLORS,
    "fontSize": st.integers(1, 500),
    "keywordColor": COLORS,
    "textBackgroundColor": COLORS,
    "textShadowColor": HEX,
    "verticalAlignment": VERTICAL,
    "horizontalAlignment": HORIZONTAL,
}
SCENES = fields(
    {"text": NOT_BLANK.filter(lambda text: "<" not in text) | st.just('<p>A &amp; B<break time="1s"/></p>')},
    {
        "voiceOver": FLAGS,
        "splitTextOnNewLine": FLAGS,
        "splitTextOnPeriod": FLAGS,
        "backgroundUri": MEDIA,
        "backgroundType": WORDS,
        "loopBackgroundVideo": FLAGS,
        "muteBackgroundVideo": FLAGS,
        "minimumDuration": st.floats(0, 1e6),
        "textStyles": fields({}, STYLES),
        **STYLES,
        **EXTRA,
    },
)
VOICES = fields({}, {"speaker": WORDS, "speed": WORDS | NUMBERS, "amplifyLevel": WORDS | NUMBERS})
STORYBOARDS = fields(
    {
        "videoName": st.from_regex(re.compile(r"[\wé][\wé. -]{0,20}[\wé]"), fullmatch=True),
        "scenes": st.lists(SCENES, min_size=1, max_size=3),
    },
    {
        "videoDescription": WORDS,
        "language": WORDS,
        "webhook": URLS,
        "awsConnectionId": NOT_BLANK,
        "brandLogo": fields(
            {},
            {
                "url": URLS,
                "verticalAlignment": VERTICAL,
                "horizontalAlignment": HORIZONTAL,
                "width": st.integers(1, 100).map("{}%".format),
            },
        ),
        "autoHighlightKeywords": FLAGS,
        "audio": fields(
            {},
            {"aiVoiceOver": VOICES, "autoBackgroundMusic": FLAGS, "backGroundMusicVolume": NUMBERS, **EXTRA},
        ),
        "textStyles": fields({}, STYLES),
        "videoWidth": PIXELS | PIXELS.map(str),
        "videoHeight": PIXELS | PIXELS.map(str),
        **EXTRA,
    },
)
CONNECTIONS = fields(
    {
        "name": NOT_BLANK,
        "awsAccountId": st.from_regex(re.compile(r"[0-9]{12}"), fullmatch=True),
        "awsRegion": st.sampled_from(["us-east-2", "eu-central-1", "us-gov-west-1"]),
        "enabled": FLAGS,
    },
    {"description": WORDS, **EXTRA},
)
VOICE = dict.fromkeys(("name", "language", "voiceId", "accent", "age", "gender"), NOT_BLANK)
VOICE_OPTIONS = {"description": WORDS, "sample": URLS, **EXTRA}
TRACKS = st.one_of(
    fields(
        {**VOICE, "service": st.just("aws"), "engine": st.sampled_from(["neural", "standard"])}, VOICE_OPTIONS
    ),
    fields(
        {
            **VOICE,
            "service": st.just("google"),
            "engine": st.sampled_from(["standard", "WaveNet", "Neural2"]),
        },
        VOICE_OPTIONS,
    ),
    fields(
        {
            **VOICE,
            "service": st.just("elevenlabs"),
            "engine": st.sampled_from(["eleven_monolingual_v1", "eleven_multilingual_v2"]),
        },
        {
            **VOICE_OPTIONS,
            "publicUserId": NOT_BLANK,
            "elevenlabsVoiceSettings": fields(
                {"similarityBoost": NUMBERS, "stability": NUMBERS}, {"useSpeakerBoost": FLAGS}
            ),
        },
    ),
)
REQUESTS: list[tuple[type[RequestModel], st.SearchStrategy[Fields]]] = [
    (Storyboard, STORYBOARDS),
    (AwsConnection, CONNECTIONS),
    (VoiceoverTrack, TRACKS),
]
ANY_REQUEST = st.sampled_from(REQUESTS).flatmap(lambda pair: st.tuples(st.just(pair[0]), pair[1]))


def without_extra(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_extra(item) for name, item in value.items() if name != "extra_fields"}
    return [without_extra(item) for item in value] if isinstance(value, list) else value


def without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: without_empty(item)
            for name, item in value.items()
            if not isinstance(item, str) or item.strip()
        }
    return [without_empty(item) for item in value] if isinstance(value, list) else value


def in_snake_case(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name if name == "extra_fields" else re.sub(r"(?=[A-Z])", "_", name).lower(): (
                item if name == "extra_fields" else in_snake_case(item)
            )
            for name, item in value.items()
        }
    return [in_snake_case(item) for item in value] if isinstance(value, list) else value


@given(ANY_REQUEST)
def test_a_request_that_went_over_the_wire_reads_as_itself(
    request_: tuple[type[RequestModel], Fields],
) -> None:
    model, written = request_
    request = model.read(without_empty(without_extra(written)))

    assert model.read(json.loads(json.dumps(request.to_wire()))) == request
    assert model.read(json.dumps(request.to_wire())) == request


@given(ANY_REQUEST)
def test_what_is_sent_is_what_was_written_and_of_the_same_json_type(
    request_: tuple[type[RequestModel], Fields],
) -> None:
    model, written = request_
    sent = model.read(without_extra(written)).to_wire()
    expected = without_empty(without_extra(written))
    assert json.dumps(sent, sort_keys=True) == json.dumps(expected, sort_keys=True)


@given(ANY_REQUEST)
def test_a_request_survives_being_a_dict(request_: tuple[type[RequestModel], Fields]) -> None:
    model, written = request_
    request = model.read(written)

    again = model.read(request.to_dict())
    assert again == request
    assert again.warnings() == request.warnings()
    assert model.read(request) is request


@given(ANY_REQUEST)
def test_both_spellings_of_a_name_mean_the_same(request_: tuple[type[RequestModel], Fields]) -> None:
    model, written = request_
    assert model.read(in_snake_case(written)) == model.read(written)
    assert model(**in_snake_case(written)) == model.read(written)


def deep(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


ODD = st.one_of(
    JSON,
    st.floats(),
    st.text(st.characters(exclude_categories=[]), max_size=10),
    st.binary(max_size=5),
    st.dictionaries(st.none() | st.integers() | st.binary(max_size=3), st.none(), max_size=2),
    st.sampled_from(
        [10**400, 10**5000, -(10**5000), object(), deep(90), deep(5000), {1}, "9" * 5000, "é" * 300]
    ),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


@st.composite
def mutated(draw: st.DrawFn) -> tuple[type[RequestModel], Fields]:
    """A valid request in which one value, name or field is something else."""
    model, written = draw(ANY_REQUEST)
    written = copy.deepcopy(written)
    path = draw(st.sampled_from(sorted(places(written), key=repr)))
    within: Any = written
    for step in path[:-1]:
        within = within[step]
    if draw(st.booleans()):
        within[path[-1]] = draw(ODD)
    else:
        value = within.pop(path[-1])
        if isinstance(within, dict):
            within[draw(st.text(max_size=10) | st.just(str(path[-1]).upper()))] = value
    return model, written


def refused(error: InvalidRequestError) -> None:
    assert error.problems
    assert len(str(error)) < 2000


@given(mutated())
@settings(max_examples=300)
def test_a_wrong_request_is_one_error_and_never_sent(request_: tuple[type[RequestModel], Fields]) -> None:
    model, written = request_
    try:
        request = model.read(written)
    except InvalidRequestError as error:
        refused(error)
        return
    profile = ServiceProfile("https://video.example.com", "secret-token")
    call = create_storyboard(profile, request.to_wire())
    sent = call.request(profile, token="secret-token", user_id="u", user_agent="a").body
    assert json.loads(sent) == request.to_wire()


@given(st.one_of(st.text(), ODD, st.dictionaries(st.text(), ODD)))
def test_anything_else_is_one_error(value: Any) -> None:
    for model, _ in REQUESTS:
        with pytest.raises(InvalidRequestError):
            model.read(value)


@given(st.one_of(JSON, ODD, st.dictionaries(st.text(), ODD)))
def test_render_settings_are_sent_as_they_are_or_refused(value: Any) -> None:
    profile = ServiceProfile("https://video.example.com", "secret-token")
    try:
        body = render_body(value)
    except InvalidRequestError:
        return
    sent = create_storyboard(profile, body).request(profile, token="t", user_id="u", user_agent="a").body
    assert json.loads(sent) == body
