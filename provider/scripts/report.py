"""What was found when a script was compared with its article."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

WHOLE = "script"
"""The place of what is wrong with all of a script."""
METADATA_KEY = "script"
"""The key of the report in the metadata of the video, and so in its sidecar."""
OF_ARTICLE = "article"
"""What the video is made of where its script was not used."""
MAX_FINDINGS = 20
"""How many a report holds (ours): it goes into XCom and the sidecar."""


@dataclass(frozen=True)
class Finding:
    """One thing in a script that its article does not say (source: ours).

    :param place: ``title``, ``hook``, ``scenes[2]``, ``closing``, or ``script`` for all of it.
    :param kind: ``source``, ``number``, ``date``, ``name``, ``quotation``, ``address``, ``language`` or ``length``.
    :param words: of the script.
    :param reason: what is wrong with them, in words for the model and for people.
    """

    place: str
    kind: str
    words: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: “{self.words}” {self.reason}" if self.words else f"{self.place}: {self.reason}"


@dataclass(frozen=True)
class ScriptReport:
    """What a check of a script has found (source: ours).

    :param findings: in the script's order; none: it passed.
    """

    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def for_model(self) -> str:
        """What a model is told that has written it."""
        lines = "\n".join(f"- {finding}" for finding in self.findings[:MAX_FINDINGS])
        return (
            f"An editor compared your script with the article and found:\n{lines}\n"
            "Write the whole script again without these."
        )

    def to_dict(self) -> list[dict[str, Any]]:
        """The findings, for XCom and the sidecar."""
        return [asdict(finding) for finding in self.findings[:MAX_FINDINGS]]
