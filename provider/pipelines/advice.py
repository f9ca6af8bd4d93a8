"""What settings hold that their checks let pass."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .settings import PipelineSettings

_SECRET = re.compile(
    r"[?&](?:[\w.-]*[_.-])?"
    r"(?:(?:api|access|auth|secret)?(?:token|key)|secret|passw|password|passwd|auth|authorization|sig|signature)=",
    re.IGNORECASE,
)
_USER = re.compile(r"\bhttps?://[^/?#\s]*@", re.IGNORECASE)


def shown_secrets(settings: PipelineSettings) -> Iterator[str]:
    """Addresses that look as if they held a secret, which the DAG's page would show (source: ours).

    :param settings: of the pipeline.
    """
    # Airflow must know a watched address when it reads the file.
    todo = "read that feed on a schedule instead of with watch, and put" if settings.watch else "put"
    for name in ("feed_url", "urls"):
        given = getattr(settings, name) or ()
        for address in (given,) if isinstance(given, str) else given:
            if _SECRET.search(address) or _USER.search(address):
                yield (
                    f"{name} seems to hold a secret, and the DAG's page shows this file: {todo} the whole "
                    "address into a Variable, such as {{ var.value.feed_url }}"
                )
                break
