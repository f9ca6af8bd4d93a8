"""What an emulator is told when it is started."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import DirectoryPath, Field, ValidationError

from .conduct.behaviour import Behaviour
from .contract.wire_types import WEB_URL


class SettingsError(ValueError):
    """A start option is wrong; the message names it."""


class Settings(Behaviour):
    """The start options of an emulator; the command line and `Emulator(...)` take the same ones.

    :param host: address to bind
    :param port: port to bind; 0 takes a free one
    :param folder: where jobs and media are kept; absent: a temporary folder, removed at the end
    :param render_slots: videos made at the same time; further ones wait in the order they came
    :param job_slots: jobs under way at the same time, storyboards and renders alike, instead of `render_slots`;
        absent: a storyboard waits for nothing
    :param allow_private_networks: whether pictures may be fetched from, and completions delivered to, addresses
        that are not public
    :param media_folder: stands in for private storage: its subfolders are the buckets of `s3://` addresses
    :param further_paths: the ready-made connection also names what comparable services have and the interface does
        not show, such as the list of jobs
    :param s3_endpoint: stands in for private storage: an address that answers `GET /<bucket>/<key>` unsigned
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    folder: Path | None = None
    render_slots: Annotated[int, Field(ge=1)] = 2
    job_slots: Annotated[int, Field(ge=1)] | None = None
    allow_private_networks: bool = False
    further_paths: bool = False
    media_folder: DirectoryPath | None = None
    s3_endpoint: Annotated[str, Field(pattern=WEB_URL)] | None = None

    @classmethod
    def of(cls, **options: object) -> Self:
        """Read start options.

        :param options: the fields
        :raises SettingsError: names each option that is wrong
        """
        try:
            return cls.model_validate(options)
        except ValidationError as error:
            raise SettingsError(described(error)) from None

    def behaviour(self) -> Behaviour:
        """The options which may be changed while the emulator runs."""
        return Behaviour.model_validate(self.model_dump(include=set(Behaviour.model_fields)))


def described(error: ValidationError) -> str:
    """Say in one line which options are wrong and why.

    :param error: of a model of this package
    """
    problems = (
        f"{'.'.join(map(str, problem['loc'])) or 'options'}: {problem['msg']} (given: {problem['input']!r})"
        for problem in error.errors()
    )
    return f"The emulator's options are wrong: {'; '.join(problems)}."
