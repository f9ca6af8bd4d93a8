"""A submission is sent again under its key only where the same would be sent to the same place."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.protocol import calls
from airflow_video_creation.provider.submission.identity.sent_identity import Identity, honours

PROFILE = ServiceProfile(
    "https://video.example.com", "secret", user_id="ada", idempotency_header="Idempotency-Key"
)
CALL = replace(calls.create_storyboard(PROFILE, {"videoName": "v"}), key="k")


def identity(profile: ServiceProfile = PROFILE, call: Any = CALL, user_id: str | None = None) -> Identity:
    return Identity.of(call, "k", profile, user_id, "storyboard")


def test_the_same_request_has_the_same_identity() -> None:
    assert identity() == identity(replace(PROFILE, secret="another token", read_timeout=1.0), user_id="ada")


@pytest.mark.parametrize(
    "other",
    [
        identity(replace(PROFILE, base_url="https://other.example.com")),
        identity(replace(PROFILE, user_id="bob")),
        identity(replace(PROFILE, client_id="c")),
        identity(user_id="bob"),
        identity(replace(PROFILE, idempotency_header="X-Key")),
        identity(call=replace(CALL, key=None)),
        identity(call=replace(CALL, path="/v2/storyboard")),
        identity(call=replace(CALL, body={"videoName": "w"})),
        identity(call=replace(CALL, body={"videoName": "v", "webhook": "https://w"})),
    ],
)
def test_what_differs_makes_another_identity(other: Identity) -> None:
    assert other != identity()


def test_an_identity_holds_no_secret_and_no_content() -> None:
    assert not [word for word in ("secret", "videoName", "ada", "example") if word in str(asdict(identity()))]


@pytest.mark.parametrize(
    ("profile", "kept", "now", "is_honoured"),
    [
        (PROFILE, identity(), 10.0, True),
        (PROFILE, identity(), 10.0 + 6 * 3600, False),
        (PROFILE, identity(), 10.0 - 6 * 3600, False),
        (replace(PROFILE, idempotency_hours=24), identity(), 10.0 + 23 * 3600, True),
        (replace(PROFILE, idempotency_hours=0.5), identity(), 10.0 + 3600, False),
        (PROFILE, None, 10.0, False),
        (PROFILE, replace(identity(), header=None), 10.0, False),
        (replace(PROFILE, idempotency_header=None), identity(), 10.0, False),
        (replace(PROFILE, idempotency_header="X-Key"), identity(), 10.0, False),
        (replace(PROFILE, user_id="bob"), identity(), 10.0, False),
    ],
)
def test_when_a_service_honours_a_key(
    profile: ServiceProfile, kept: Identity | None, now: float, is_honoured: bool
) -> None:
    assert honours(profile, None, kept, 10.0, now) is is_honoured


@pytest.mark.parametrize("stored", [None, 3, {}, {"key": "k"}, {**asdict(identity()), "place": 5}])
def test_what_cannot_be_understood_is_no_identity(stored: Any) -> None:
    assert Identity.from_json(stored) is None


def test_a_stored_identity_is_the_same_one() -> None:
    assert Identity.from_json({**asdict(identity()), "of a later release": 1}) == identity()


def test_the_key_stands_in_the_header_that_the_connection_names() -> None:
    def headers(profile: ServiceProfile) -> Any:
        return CALL.request(profile, token="t", user_id="u", user_agent="a").headers

    assert headers(PROFILE)["Idempotency-Key"] == "k"
    assert "Idempotency-Key" not in headers(replace(PROFILE, idempotency_header=None))
