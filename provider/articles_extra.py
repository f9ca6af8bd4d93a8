"""The packages of the extra ``[articles]``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import ConfigurationError


@contextmanager
def articles_extra() -> Iterator[None]:
    """Import a package of the extra ``[articles]`` inside the block (source: ours).

    :raises ConfigurationError: it is not installed, or not whole; says how to install it.
    """
    try:
        yield
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError)
        raise ConfigurationError(
            f"Reading articles needs {error.name or 'a package'}, which "
            f"{'is not installed' if missing else f'cannot be imported ({error})'}: "
            "run pip install 'airflow-provider-video-creation[articles]'."
        ) from error
