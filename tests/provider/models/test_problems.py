"""All mistakes of a request in one error, each with its path, what was given and what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.models import Scene, Storyboard, TextStyles

SCENES = [{"text": "Good evening."}]


def message(value: Any) -> str:
    with pytest.raises(InvalidRequestError) as caught:
        Storyboard.read(value)
    return str(caught.value)


def test_one_error_tells_of_all_problems() -> None:
    wrong = {
        "videoName": "a/b",
        "scenes": [
            {"text": "fine"},
            {"text": "<b>bold", "textColour": "#fff"},
            {"text_color": "red", "text": "x"},
            {"text": "x", "textStyles": {"fontSize": "huge"}},
        ],
        "audio": {"aiVoiceOver": {"spede": 1}},
        "audoi": {},
        "tempo": "allegro",
    }
    assert message(wrong) == (
        "The storyboard has 8 problems; nothing was sent:\n"
        "  - videoName: must be usable as a file name; '/' is not allowed (given: 'a/b')\n"
        "  - audio.aiVoiceOver.spede: is not a field of the interface; did you mean 'speed'? (given: 1)\n"
        "  - scenes[1].text: holds SSML that cannot be read (mismatched tag): close every tag, "
        "and write &amp; and &lt; for a plain & or < (given: '<b>bold')\n"
        "  - scenes[1].textColour: is not a field of the interface; did you mean 'textColor'? (given: '#fff')\n"
        "  - scenes[2].text_color: must be a hex code such as '#FFAA00' or 'rgba(r,g,b,a)' "
        "with r, g, b from 0 to 255 and a from 0 to 1 (given: 'red')\n"
        "  - scenes[3].textStyles.fontSize: must be a whole number (given: 'huge')\n"
        "  - audoi: is not a field of the interface; did you mean 'audio'?\n"
        "  - tempo: is not a field of the interface; if your service takes it, put it in extra_fields "
        "(given: 'allegro')"
    )


def test_what_is_missing_is_named_as_on_the_wire() -> None:
    assert message({}) == (
        "The storyboard has 2 problems; nothing was sent:\n  - videoName: is required\n  - scenes: is required"
    )


@pytest.mark.usefixtures("nothing_to_finalize")
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "the request: must be an object with fields, but is None"),
        ([], "the request: must be an object with fields, not list"),
        (Scene(text="x"), "the request: must be an object with fields, not Scene"),
        ("", "the request: must be an object with fields, but is empty"),
        ("[1]", "the request: must be an object with fields, but is a list"),
        ("storyboards/news.yaml", "it looks like the name of a file"),
        ('{"videoName": }', "is text that is not JSON: Expecting value"),
        ("{'videoName': 'x'}", "another task's result is passed as its .output, not inside a template"),
        ("a: [", "neither JSON nor YAML: line 1, column 5: expected the node content"),
        ("a: !!int ''", "is text that is neither JSON nor YAML"),
        ("[" * 100_000, "has lists or objects that lie too deeply in each other"),
        ({1: "x"}, "[1]: is not text, and the name of a field must be"),
        ({"scenes": Scene(text="x")}, "scenes: must be a list"),
        ({"textStyles": 3}, "textStyles: must be an object with fields (given: 3)"),
        ({"text styles": 3}, "'text styles': is not a field of the interface; did you mean 'textStyles'?"),
        ({"TEXT_STYLES": 3}, "TEXT_STYLES: is not a field of the interface; did you mean 'textStyles'?"),
        ({"z" * 5000: 3}, "zzz…: is not a field"),
        ({"videoName": "x" * 5000}, "xxx…)"),
        ({"videoDescription": [10**5000]}, "(given: list, too long to show)"),
    ],
)
def test_anything_else_is_told_in_a_few_words(value: Any, words: str) -> None:
    assert words in message(value)
    assert len(message(value)) < 1000


def bomb(list_of: str) -> str:
    """A YAML text of some hundred characters that stands for nine to the ninth values."""
    first, *others = "abcdefghi"
    names = dict(zip(others, "abcdefghi", strict=False))
    lines = [f"{name}: &{name} {list_of % ', '.join(['*' + before] * 9)}" for name, before in names.items()]
    return "\n".join([f"{first}: &{first} {{x: 1}}", *lines])


@pytest.mark.parametrize(
    "text",
    [
        bomb("[%s]"),
        bomb("{<<: [%s]}"),
        "a: &a [*a]",
        f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 100)}]",
    ],
    ids=["lists", "merged", "itself", "long-text"],
)
def test_a_small_text_does_not_stand_for_a_huge_request(text: str) -> None:
    assert "expands to more than 2,000,000 characters" in message(text)


def test_aliases_are_written_out() -> None:
    read = Storyboard.read("videoName: a\nscenes: [&s {text: x, fontSize: 9}, *s, {<<: *s, text: y}]")
    assert [(scene.text, scene.font_size) for scene in read.scenes] == [("x", 9), ("x", 9), ("y", 9)]


def test_of_a_huge_value_only_the_beginning_is_looked_at() -> None:
    value: list[Any] = ["x"]
    for _ in range(9):
        value = [value] * 9
    assert "videoDescription: must be text (given: [[[" in message({"videoDescription": value})


def test_yaml_is_read_like_json() -> None:
    text = "videoName: news\nscenes:\n  - text: Good evening.\n    voiceOver: yes\n"
    assert Storyboard.read(text) == Storyboard(
        video_name="news", scenes=(Scene(text="Good evening.", voice_over=True),)
    )


def test_making_a_model_raises_the_same_error() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Storyboard(video_name="a/b", scenes=(Scene(text="x"), {"text": "x", "fontSize": "huge"}))  # type: ignore[arg-type]
    assert [problem.path for problem in caught.value.problems] == ["video_name", "scenes[1].fontSize"]
    with pytest.raises(InvalidRequestError, match="The scene has 1 problem"):
        Scene(text_color="red")


SIGNED = "https://media.example.com/a.mp4?X-Amz-Signature=5ec7e7"


@pytest.mark.parametrize(
    "value",
    [
        {"webhook": "ftp://ada:5ec7e7@example.com/"},
        {"webhook": "https://example.com/a b?key=5ec7e7"},
        {"webhook": ["https://example.com/?key=5ec7e7"]},
        {"scenes": [{"backgroundUri": "s4://bucket/key?sig=5ec7e7"}]},
        {"scenes": [{"backgroundUri": "s3://id:5ec7e7@bucket/key"}]},
        {"scenes": [{"text": "Bearer 5ec7e7 <p>"}]},
        {"videoName": "a/token=5ec7e7"},
        {"textStyles": TextStyles(font_url="https://f.example/a.ttf?sig=5ec7e7"), "scenes": 3},
        {"brandLogo": Scene(background_uri=SIGNED)},
        "a: {\nhttps://example.com/?key=5ec7e7",
        {"webhook": [f"https://example.com/{'x' * 60}?sig=5ec7e7"]},
        {"webhook": [f"https://example.com/?sig={'x' * 200}5ec7e7"]},
    ],
)
def test_a_message_holds_no_secret_of_a_wrong_value(value: Any) -> None:
    assert "5ec7e7" not in message(value)


def test_a_request_shows_no_signed_url() -> None:
    request = Storyboard.read(
        {
            "videoName": "news",
            "webhook": SIGNED,
            "brandLogo": {"url": SIGNED},
            "textStyles": {"fontUrl": SIGNED.replace("mp4", "ttf")},
            "scenes": [{"backgroundUri": SIGNED}],
            "extra_fields": {"token": "5ec7e7"},
        }
    )
    assert "5ec7e7" not in repr(request)
