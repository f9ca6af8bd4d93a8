"""Values that requests may and may not hold."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from airflow_video_creation.emulator.contract import wire_types


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (
            wire_types.FileName,
            ["trees", "Trees – part 2.final", "é", "x" * 255],
            ["", "a/b", "a\\b", ".hidden", " a", "a ", "a.", "why?", 'a"b', "a\nb", "x" * 256, 7],
        ),
        (
            wire_types.Colour,
            ["#fff", "#FFFFFF", "#FFFFFF80", "rgba(1,2,3,0.5)", "rgba(1, 2, 3, 1)", "rgba(1,2,3,.5)"],
            ["red", "#ff", "#GGGGGG", "rgb(1,2,3)", "rgba(1,2,3)", "rgba(1,2,3,2)", "#fff "],
        ),
        (wire_types.HexColour, ["#fff", "#00000080"], ["rgba(1,2,3,0.5)", "000000"]),
        (
            wire_types.MediaUri,
            [
                "s3://my-bucket/a/b.jpg",
                "https://b.s3.us-east-2.amazonaws.com/k",
                "http://127.0.0.1:8000/a.jpg",
            ],
            [
                "file:///etc/passwd",
                "s3://bucket",
                "s3://B/k",
                "ftp://example.com/a",
                "https://",
                "a.jpg",
                "https://a b",
            ],
        ),
        (
            wire_types.WebUrl,
            ["https://example.com/é?a=b#c", "http://[::1]/"],
            ["s3://bucket/key", "example.com"],
        ),
        (
            wire_types.Pixels,
            ["10", "1280", "3999", 1280, 1280.0],
            ["9", "4000", "0720", "12.5", "720px", 9, 12.5, True],
        ),
        (wire_types.Percentage, ["10%", "0%", "100%", "12.5%"], ["10", "101%", "-1%", "%"]),
        (wire_types.AccountId, ["123456789012"], ["12345678901", "1234567890123", "12345678901x"]),
        (wire_types.Region, ["us-east-2", "eu-west-1", "us-gov-west-1"], ["us-east", "US-EAST-2", "useast2"]),
        (wire_types.LanguageCode, ["en-US", "fil-PH", "es-419"], ["en", "en_US", "EN-us"]),
        (wire_types.FontSize, [1, 24, 24.0, 1000], [0, 1001, 24.5, "24", True]),
        (wire_types.Number, [0, 1.5, -3], ["1", float("nan"), float("inf"), True]),
    ],
)
def test_what_a_value_may_be(kind: Any, good: list[Any], bad: list[Any]) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(kind, config={"strict": True})
    for value in good:
        adapter.validate_python(value)
    for value in bad:
        with pytest.raises(ValidationError):
            adapter.validate_python(value)
