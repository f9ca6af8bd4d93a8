"""A storyboard with private media names the connection that may read it."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.private_media.connection import with_connection

S3 = "s3://bucket/key.mp4"
BUCKET = "https://bucket.s3.eu-central-1.amazonaws.com/key.mp4"
ELSEWHERE = "https://media.example.com/key.mp4"


def storyboard(*backgrounds: str, **fields: str) -> Storyboard:
    return Storyboard.read(
        {
            "videoName": "x",
            "scenes": [{"text": "x"}, *({"backgroundUri": uri} for uri in backgrounds)],
            **fields,
        }
    )


@pytest.mark.parametrize("background", [S3, BUCKET])
def test_a_connections_default_is_sent(background: str) -> None:
    request, warnings = with_connection(storyboard(background), "c-1", "my_conn")
    assert request.to_wire()["awsConnectionId"] == "c-1"
    assert not warnings


@pytest.mark.parametrize("background", [S3, BUCKET])
def test_the_storyboards_own_goes_before_the_default(background: str) -> None:
    own = storyboard(background, awsConnectionId="own")
    assert with_connection(own, "c-1", "my_conn") == (own, [])


def test_public_media_needs_none() -> None:
    public = storyboard(ELSEWHERE)
    assert with_connection(public, "c-1", "my_conn") == (public, [])


def test_s3_without_a_connection_is_refused() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        with_connection(storyboard(ELSEWHERE, S3, S3), None, "my_conn")
    assert [problem.path for problem in caught.value.problems] == [
        "scenes[2].backgroundUri",
        "scenes[3].backgroundUri",
    ]
    assert "set awsConnectionId on the storyboard or on the scene, or extra aws_connection_id on" in str(
        caught.value
    )
    assert "'my_conn'" in str(caught.value)


def own_connection(*backgrounds: str) -> list[dict[str, str]]:
    return [{"backgroundUri": uri, "awsConnectionId": "own"} for uri in backgrounds]


def test_a_scenes_own_connection_needs_none_for_the_storyboard() -> None:
    request = Storyboard.read({"videoName": "x", "scenes": own_connection(S3, BUCKET)})
    for default in (None, "c-1"):
        same, warnings = with_connection(request, default, "my_conn")
        assert same is request
        assert not warnings
    assert [scene["awsConnectionId"] for scene in request.to_wire()["scenes"]] == ["own", "own"]


def test_scenes_without_a_connection_of_their_own_still_need_one() -> None:
    scenes = [*own_connection(S3), {"backgroundUri": S3}]
    request = Storyboard.read({"videoName": "x", "scenes": scenes})
    with pytest.raises(InvalidRequestError, match=r"scenes\[1\]\.backgroundUri: is private media") as caught:
        with_connection(request, None, "my_conn")
    assert len(caught.value.problems) == 1
    assert with_connection(request, "c-1", "my_conn")[0].aws_connection_id == "c-1"


@pytest.mark.parametrize(
    "url",
    [
        BUCKET,
        "https://bucket.s3.amazonaws.com/key",
        "https://my.bucket.S3-us-west-2.amazonaws.com/key",
        "https://s3.us-east-2.amazonaws.com/bucket/key",
    ],
)
def test_a_buckets_https_url_without_a_connection_is_a_warning(url: str) -> None:
    request = storyboard(ELSEWHERE, url)
    same, warnings = with_connection(request, None, "my_conn")
    assert same is request
    assert len(warnings) == 1
    assert "scenes[2]" in warnings[0]
    assert url not in warnings[0]
