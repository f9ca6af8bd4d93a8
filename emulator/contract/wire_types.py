"""The scalar types of requests, each with the form that the service demands of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    field_validator,
)

_HEX_COLOUR = r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})"
_RGBA_COLOUR = r"rgba\( *[0-9]{1,3} *, *[0-9]{1,3} *, *[0-9]{1,3} *, *(?:0|1|0?\.[0-9]{1,6}|1\.0{1,6}) *\)"
_IN_FILE_NAMES = r'[^\x00-\x1f\x7f<>:"/\\|?*]'
_AT_THE_ENDS = r'[^\x00-\x1f\x7f<>:"/\\|?* .]'
_IN_URLS = r"[^\x00-\x20\x7f]"
_WEB_URL = rf"https?://[A-Za-z0-9\[]{_IN_URLS}*"

FILE_NAME = rf"^{_AT_THE_ENDS}(?:{_IN_FILE_NAMES}*{_AT_THE_ENDS})?$"
HEX_COLOUR = rf"^{_HEX_COLOUR}$"
COLOUR = rf"^(?:{_HEX_COLOUR}|{_RGBA_COLOUR})$"
WEB_URL = rf"^{_WEB_URL}$"
MEDIA_URI = rf"^(?:{_WEB_URL}|s3://[a-z0-9.-]{{3,63}}/{_IN_URLS}+)$"
PIXELS = r"^(?:[1-9][0-9]{1,2}|[1-3][0-9]{3})$"
PERCENTAGE = r"^(?:100|[1-9]?[0-9])(?:\.[0-9]{1,3})?%$"
ACCOUNT_ID = r"^[0-9]{12}$"
REGION = r"^[a-z]{2}(?:-[a-z]{2,12}){1,3}-[1-9][0-9]?$"
LANGUAGE_CODE = r"^[a-z]{2,3}-(?:[A-Z]{2}|[0-9]{3})$"

MEANINGS = {
    FILE_NAME: 'a file name: none of <>:"/\\|?* or control characters in it, no space or dot at its ends',
    HEX_COLOUR: "a colour such as #1A2B3C",
    COLOUR: "a colour such as #1A2B3C or rgba(26,43,60,0.5)",
    WEB_URL: "an http or https URL",
    MEDIA_URI: "an https or s3://bucket/key address",
    PIXELS: 'a number of pixels from 10 to 3999, such as 1280 or "1280"',
    PERCENTAGE: "a percentage such as 10%",
    ACCOUNT_ID: "an account id of 12 digits",
    REGION: "a region such as us-east-2",
    LANGUAGE_CODE: "a language code such as en-US",
}
"""Pattern -> what a value is that matches it."""

FileName = Annotated[str, StringConstraints(max_length=255, pattern=FILE_NAME)]
HexColour = Annotated[str, StringConstraints(pattern=HEX_COLOUR)]
Colour = Annotated[str, StringConstraints(pattern=COLOUR)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=255)]
WebUrl = Annotated[str, StringConstraints(max_length=2048, pattern=WEB_URL)]
MediaUri = Annotated[str, StringConstraints(max_length=2048, pattern=MEDIA_URI)]
Percentage = Annotated[str, StringConstraints(pattern=PERCENTAGE)]
AccountId = Annotated[str, StringConstraints(pattern=ACCOUNT_ID)]
Region = Annotated[str, StringConstraints(pattern=REGION)]
LanguageCode = Annotated[str, StringConstraints(pattern=LANGUAGE_CODE)]
Number = Annotated[float, Field(allow_inf_nan=False)]


def _number_as_text(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


# The interface calls these texts, and they hold a number: services of this form take either.
NumberText = Annotated[str, BeforeValidator(_number_as_text), WithJsonSchema({"type": ["string", "number"]})]
Weight = Annotated[
    Name,
    BeforeValidator(_number_as_text),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1, "maxLength": 255}, {"type": "number"}]}),
]
Pixels = Annotated[
    str,
    StringConstraints(pattern=PIXELS),
    BeforeValidator(_number_as_text),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": PIXELS},
                {"type": "integer", "minimum": 10, "maximum": 3999},
            ]
        }
    ),
]


def _without_fraction(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


FontSize = Annotated[int, Field(ge=1, le=1000), BeforeValidator(_without_fraction)]
"""An integer as JSON Schema sees it: `24.0` is one."""

VerticalAlignment = Literal["top", "center", "bottom"]
HorizontalAlignment = Literal["left", "center", "right"]


class WireModel(BaseModel):
    """A JSON object of a request: types are strict, fields that are not known are dropped silently."""

    model_config = ConfigDict(strict=True, extra="ignore")

    @field_validator("*")
    @classmethod
    def _can_be_written(cls, value: Any) -> Any:
        """JSON can name halves of letters, which no file can hold."""
        if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise ValueError("contains half a letter (a surrogate)")
        return value
