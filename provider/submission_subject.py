"""What a submission is of: by this a mapped task sees that its list has changed between two tries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .submission import Submission


@dataclass(frozen=True)
class Subject:
    """What a task submits now, such as the video 'Alpha'.

    :param kind: for messages, such as ``video`` or ``storyboard job``.
    :param name: of the video, id of the storyboard job; None where it cannot be told.
    :param path: the request's field that holds the name, by which a record without a subject is compared.
    """

    kind: str = "video"
    name: str | None = None
    path: str = ""

    @property
    def text(self) -> str | None:
        """As the record keeps it and as messages name it; None where it cannot be told."""
        return f"{self.kind} {self.name!r}" if self.name else None

    def another(self, record: Submission, digests: Mapping[str, str]) -> str | None:
        """What a record is of, in words, where that is not this; None where it is, or cannot be told.

        An adopted job is what the person who named it says.

        :param record: of an earlier try.
        :param digests: of the request that would be sent now, for records of releases that kept no subject.
        """
        if record.adopted is not None and record.adopted == record.job_id:
            return None
        if isinstance(record.subject, str) and self.text:
            same_kind = record.subject.startswith(f"{self.kind} ")
            return record.subject if same_kind and record.subject != self.text else None
        before, now = record.digests.get(self.path), digests.get(self.path)
        if before is None or now is None or before == now:
            return None
        return f"another {self.kind}, whose name an older release did not keep"


UNKNOWN = Subject()
