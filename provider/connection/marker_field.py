"""The field of a request in which a submission's mark is sent: a text that the service repeats and does not act on."""

from __future__ import annotations

from .extra import ConnectionExtra, quoted

KEY = "marker_field"
_OF_THE_INTERFACE = frozenset(
    (
        *(
            "extrafields",
            "videoname",
            "language",
            "webhook",
            "awsconnectionid",
            "brandlogo",
            "autohighlightkeywords",
        ),
        *("audio", "aivoiceover", "scenes", "textstyles", "videowidth", "videoheight"),
    )
)
"""What means something to the service; of its fields the description alone is free text."""


def marker_field(values: ConnectionExtra) -> str | None:
    """The field in the extra; None if it names none, or one that cannot take a mark.

    :param values: of the connection; what is wrong is added to its problems.
    """
    field = values.text(KEY)
    if field is None:
        return None
    is_name = field.isprintable() and "." not in field
    if is_name and field.replace("_", "").lower() not in _OF_THE_INTERFACE:
        return field
    values.problems.append(
        f"extra {KEY} must be the name of a text field of the request itself, which the service shows but does not act "
        f"on, such as videoDescription, not {quoted(field)}"
    )
    return None
