"""What a submission is of: by this a mapped task sees that its list has changed between two tries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from unicodedata import normalize

from .request_digests import digests_of


@dataclass(frozen=True)
class Subject:
    """What a task submits now, such as the video 'Alpha'.

    :param kind: for messages, such as ``video`` or ``storyboard job``; empty where nothing is submitted.
    :param name: of the video, id of the storyboard job; None where the request is so wrong that it has none.
    :param fields: of the request, with their values: a record of another kind, or without a subject, is compared by
        their digests.
    """

    kind: str
    name: str | None
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str | None:
        """As the record keeps it and as messages name it; None where it cannot be told."""
        return f"{self.kind} {self.name!r}" if self.name else None

    def another(self, recorded: object, digests: Mapping[str, str]) -> str | None:
        """What a record is of, in words, where that is not this; None where it is, or cannot be told.

        :param recorded: the text of the record's subject; None where an older release kept none.
        :param digests: of the record's request: field path -> digest of its value.
        """
        if not self.kind:
            return None
        kept = recorded if isinstance(recorded, str) else None
        in_words = kept or f"another {self.kind}, whose name an older release did not keep"
        if self.text is None:
            return in_words
        if kept and kept.startswith(f"{self.kind} "):
            return None if normalize("NFC", kept) == normalize("NFC", self.text) else kept
        before = {path: digest for path, digest in digests.items() if _field(path) in self.fields}
        now = digests_of(self.fields)
        if kept:
            return None if before == now else kept
        # An older release kept fewer digests of a long request, and one only of settings in a text.
        differs = any(before[path] != now[path] for path in before.keys() & now.keys())
        return in_words if differs else None


NO_SUBJECT = Subject("", None)
"""Where nothing is submitted: the record is only read."""


def _field(path: str) -> str:
    """The request's field in which a digest's path begins."""
    return re.split(r"[.\[ ]", path, maxsplit=1)[0]
