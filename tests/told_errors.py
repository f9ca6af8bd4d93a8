"""What an error says, on one line: the log has short lines, and no test minds where they end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


def told(error: BaseException) -> str:
    """The message of an error, with a text that Python would put together again in one piece."""
    whole = re.sub(r'"\n\s*"', "", str(error))
    return " ".join(whole.split())


@contextmanager
def raises_telling(
    kind: type[BaseException] | tuple[type[BaseException], ...], pattern: str
) -> Iterator[pytest.ExceptionInfo[BaseException]]:
    """As ``pytest.raises`` with ``match``, by what the error says on one line."""
    with pytest.raises(kind) as caught:
        yield caught
    assert re.search(pattern, told(caught.value)), told(caught.value)
