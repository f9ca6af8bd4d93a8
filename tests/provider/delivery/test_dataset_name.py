"""Lineage names what was read and made as others do, and no name opens anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.delivery.dataset_name import DatasetName, job_at_service, stored_at


@pytest.mark.parametrize(
    ("address", "namespace", "name"),
    [
        ("https://news.example.com/2026/swifts.html", "https://news.example.com", "/2026/swifts.html"),
        ("https://News.example.com:8443", "https://news.example.com:8443", "/"),
        ("http://reader:pass@news.example.com/a?key=k#top", "http://news.example.com", "/a"),
        ("http://[::1]:8080/a", "http://[::1]:8080", "/a"),
        ("s3://media/ferry.mp4", "s3://media", "ferry.mp4"),
        ("s3://aws_default@media/in/ferry 1#2.mp4", "s3://media", "in/ferry 1#2.mp4"),
        ("s3a://media/ferry.mp4?X-Amz-Signature=7", "s3://media", "ferry.mp4"),
        ("gcs://google@media/ferry.mp4", "gs://media", "ferry.mp4"),
        (
            "https://media.s3.us-east-2.amazonaws.com/in/f%201.mp4?X-Amz-Signature=7",
            "s3://media",
            "in/f 1.mp4",
        ),
        ("https://s3.us-east-2.amazonaws.com/media/in/f.mp4", "s3://media", "in/f.mp4"),
        ("/videos/né ws#1?.mp4", "file", "/videos/né ws#1?.mp4"),
        ("file:///videos/a.mp4", "file", "/videos/a.mp4"),
    ],
)
def test_what_an_address_is_called(address: str, namespace: str, name: str) -> None:
    assert stored_at(address) == DatasetName(namespace, name)


@pytest.mark.parametrize(
    "address",
    ["", "a.mp4", "s3://media", "s3:///a", "file://host/a", "https://", "https://[::1/a", "http://a b/"],
)
def test_what_is_no_address(address: str) -> None:
    assert stored_at(address) is None


@given(
    scheme=st.sampled_from(["http", "https", "s3", "s3a", "gs", "abfs"]),
    path=st.text("abc/%2", max_size=8),
    before=st.sampled_from(["SECRET@", "SECRET:SECRET@", "me:SECRET@"]),
    after=st.sampled_from(["?SECRET", "?sig=SECRET&b=c", "?a=1#SECRET"]),
)
def test_no_name_holds_what_opens_something(scheme: str, path: str, before: str, after: str) -> None:
    assert "SECRET" not in repr(stored_at(f"{scheme}://{before}host.example.com/{path}{after}"))


def test_a_job_is_named_by_the_services_host() -> None:
    named = job_at_service("https://Video.example.com:8443/prefix", "j-1")

    assert named == DatasetName("video-creation://video.example.com:8443", "j-1")
