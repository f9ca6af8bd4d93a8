"""The packages of the extras ``[articles]`` and ``[ai]``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import ConfigurationError


@contextmanager
def articles_extra() -> Iterator[None]:
    """Import a package of the extra ``[articles]`` inside the block (source: ours).

    :raises ConfigurationError: it is not installed, or not whole; says how to install it.
    """
    with _extra("articles", "Reading articles"):
        yield


@contextmanager
def ai_extra() -> Iterator[None]:
    """Import a package of the extra ``[ai]`` inside the block (source: ours).

    :raises ConfigurationError: it is not installed, or not whole; says how to install it.
    """
    with _extra(
        "ai",
        "Making a script",
        " Below Airflow 3.3 it needs newer providers than Airflow brings: docs/sources/scripts.md.",
    ):
        yield


@contextmanager
def _extra(name: str, doing: str, more: str = "") -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError)
        raise ConfigurationError(
            f"{doing} needs {error.name or 'a package'}, which "
            f"{'is not installed' if missing else f'cannot be imported ({error})'}: "
            f"run pip install 'airflow-provider-video-creation[{name}]'.{more}"
        ) from error
