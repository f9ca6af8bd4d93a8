"""What a language model writes for an article: the words of a video, scene by scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from ..errors import InvalidRequestError
from ..models.problems import problems_of

SUBJECT = "script"
_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
_Spoken = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
_Source = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]


class _Part(BaseModel):
    # Its names are their own aliases: problems are told with them.
    model_config = ConfigDict(alias_generator=str, extra="ignore", frozen=True)


class ScriptScene(_Part):
    """One scene of a script.

    :param text: what is shown and spoken.
    :param source: the sentence of the article that it rests on.
    """

    # The model reads this in place of the docstring.
    model_config = ConfigDict(json_schema_extra={"description": "One scene of the script."})

    text: _Spoken = Field(description="One or two short sentences that are shown and spoken.")
    source: _Source = Field(
        description="The sentence of the article that the text rests on, copied word for word, not translated."
    )


class VideoScript(_Part):
    """A script for a short video, as ``output_type`` of ``@task.llm`` (source: ours).

    :param title: of the video, shown first.
    :param hook: the first spoken sentence, which makes people stay.
    :param scenes: what happened, in order; each with the sentence of the article that it rests on.
    :param closing: the last spoken sentence.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "description": "The script of a short video about the article. No part of it may be empty."
        }
    )

    title: _Line = Field(description="The title, at most ten words.")
    hook: _Line = Field(
        description="The first spoken sentence, which makes people stay. It holds nothing untrue."
    )
    scenes: Annotated[tuple[ScriptScene, ...], Field(min_length=1, max_length=40)] = Field(
        description="What happened, in order."
    )
    closing: _Line = Field(description="The last spoken sentence.")

    @classmethod
    def read(cls, value: VideoScript | Mapping[str, Any] | str) -> Self:
        """Make a checked script of what a model has answered (source: ours).

        :param value: a script, its fields, or JSON of them.
        :raises InvalidRequestError: it is none; names every problem.
        """
        if isinstance(value, cls):
            return value
        try:
            return cls.model_validate_json(value) if isinstance(value, str) else cls.model_validate(value)
        except ValidationError as error:
            raise InvalidRequestError(SUBJECT, problems_of(cls, error)) from None

    def spoken(self) -> Iterator[tuple[str, str]]:
        """What is spoken, in order, each with its place: ``hook``, ``scenes[0]``, ``closing``."""
        yield "hook", self.hook
        for number, scene in enumerate(self.scenes):
            yield f"scenes[{number}]", scene.text
        yield "closing", self.closing
