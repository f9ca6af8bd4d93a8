"""Short digests of a request's fields, by which two requests are compared without keeping what they say."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

MAX_DIGESTS = 200
"""How many fields of a request are remembered one by one, to name what differs on a retry (ours)."""


def digests_of(request: Mapping[str, Any]) -> dict[str, str]:
    """A short digest of each field of a request, by its path; of a long request one more, for the rest.

    :param request: the body that is sent.
    """
    leaves = list(_leaves("", request))
    found = {path: digest_of(value) for path, value in leaves[:MAX_DIGESTS]}
    if rest := leaves[MAX_DIGESTS:]:
        within = re.split(r"[.\[]", rest[0][0], maxsplit=1)[0]
        found[f"{within} (the rest)"] = digest_of(rest)
    return found


def digest_of(value: Any) -> str:
    """A short digest of one value.

    :param value: plain JSON, or what can be shown as text.
    """
    try:
        text = json.dumps(value, sort_keys=True, default=str)
    # Keys of several types, as YAML has them: no request can be sent with them.
    except TypeError:
        text = repr(value)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The paths of the fields that differ, at most ten.

    :param before: from ``digests_of``, of the request that was sent.
    :param after: of the one that would be sent now.
    """
    paths = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return paths if len(paths) <= 10 else [*paths[:10], f"and {len(paths) - 10} more"]


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for name, item in value.items():
            yield from _leaves(f"{path}.{name}" if path else str(name), item)
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(f"{path}[{index}]", item)
    else:
        yield path, value
