"""Names that have moved: the old ones keep working until the next major version, and say so."""

from __future__ import annotations

import warnings


class VideoCreationDeprecationWarning(DeprecationWarning):
    """An old name of this provider is used (source: ours)."""


def warn_of_old_name(old: str, new: str) -> None:
    """Say what to write instead; call it where the old name is looked up.

    :param old: as it is still written, such as ``provider.protocol.errors.JobError``.
    :param new: what to write instead.
    """
    warnings.warn(
        f"airflow_video_creation.{old} is an old name: write airflow_video_creation.{new}. "
        "The old name will be removed in the next major version.",
        VideoCreationDeprecationWarning,
        # Who looked the name up, beyond the place that knows that it is old.
        stacklevel=3,
    )
