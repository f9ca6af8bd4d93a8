"""The errors of articles, under ArticleError of the provider's tree, and the one for a missing extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..protocol.errors import ArticleError, ConfigurationError


class ArticleUnreachableError(ArticleError):
    """A feed or a page did not answer, or answered that it cannot now; later it may."""

    retryable = True

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        """Keep what the site asked for.

        :param message: what happened, on what, what to do next.
        :param retry_after: seconds after which the site wants to be asked again, None where it did not say.
        """
        super().__init__(message)
        self.retry_after = retry_after


class ArticleMemoryError(ArticleError):
    """What earlier runs were given cannot be read or written, so nothing was taken: nothing is paid for twice."""

    retryable = True


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
