"""What stands in quotation marks."""

from __future__ import annotations

import re

_MARKED = re.compile(
    r"[\"\u201c\u201d\u201e\u201f](?P<double>[^\"\u201c\u201d\u201e\u201f]{1,600})[\"\u201c\u201d\u201f]"
    r"|[«»](?P<angled>[^«»]{1,600})[«»]"
    r"|「(?P<corner>[^「」]{1,600})」|『(?P<white>[^『』]{1,600})』"
    # One word within single ones may be an apostrophe's.
    r"|(?<!\w)['\u2018\u201a](?P<single>\w[^'\u2018\u2019\u201a]{2,600} [^'\u2018\u2019]{1,600})['\u2019](?!\w)"
)


def quotations_in(text: str) -> list[str]:
    """What a text quotes, without the marks (source: ours).

    :param text: plain text.
    """
    return [next(filter(None, found.groups())).strip() for found in _MARKED.finditer(text)]
