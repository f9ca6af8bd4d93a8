"""An old name works, and says what to write instead."""

from __future__ import annotations

import warnings

import pytest

from airflow_video_creation.provider.deprecation import VideoCreationDeprecationWarning, warn_of_old_name


def old_name() -> None:
    warn_of_old_name("hooks.old.Name", "hooks.new.Name")


def test_it_names_the_old_and_the_new_and_the_line_that_uses_it() -> None:
    with pytest.warns(VideoCreationDeprecationWarning) as told:
        old_name()

    [warning] = told
    assert str(warning.message) == (
        "airflow_video_creation.hooks.old.Name is an old name: write airflow_video_creation.hooks.new.Name. "
        "The old name will be removed in the next major version."
    )
    assert warning.filename == __file__


def test_who_turns_deprecations_into_errors_sees_ours() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        with pytest.raises(VideoCreationDeprecationWarning):
            old_name()
