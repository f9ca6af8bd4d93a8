"""The sidecar can be read again, by us and by others, and whatever else stands there is no record of ours."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.delivery.delivered_video import (
    DeliveredFile,
    DeliveredVideo,
    is_by_another_task,
)

VIDEO = DeliveredVideo(
    job_id="r-1",
    video_name="né ws",
    duration=12.5,
    files={
        "video": DeliveredFile("né ws.mp4", 4096, "ab" * 32),
        "srt": DeliveredFile("né ws.srt", 70, "cd" * 32),
        "thumbnail": DeliveredFile("né ws.jpg", 900, "ef" * 32),
    },
    metadata={"title": "{{ 1/0 }}"},
    made_by={"dag_id": "news", "task_id": "download", "run_id": "r", "map_index": 3, "try_number": 1},
    delivered_at="2026-11-21T03:00:00+00:00",
)


def test_the_sidecar_as_it_is_documented() -> None:
    document = json.loads(VIDEO.to_json())

    assert document.pop("provider").startswith("airflow-provider-video-creation/")
    assert document == {
        "version": 1,
        "job_id": "r-1",
        "video_name": "né ws",
        "duration": 12.5,
        "files": {
            "video": {"file": "né ws.mp4", "size": 4096, "sha256": "ab" * 32},
            "srt": {"file": "né ws.srt", "size": 70, "sha256": "cd" * 32},
            "thumbnail": {"file": "né ws.jpg", "size": 900, "sha256": "ef" * 32},
        },
        "metadata": {"title": "{{ 1/0 }}"},
        "made_by": {"dag_id": "news", "task_id": "download", "run_id": "r", "map_index": 3, "try_number": 1},
        "delivered_at": "2026-11-21T03:00:00+00:00",
    }


def test_it_is_read_again() -> None:
    assert DeliveredVideo.from_json(VIDEO.to_json().encode()) == VIDEO


def test_keys_of_a_later_release_are_passed_over() -> None:
    document = {**json.loads(VIDEO.to_json()), "chapters": []}
    assert DeliveredVideo.from_json(json.dumps(document).encode()) == VIDEO


@pytest.mark.usefixtures("nothing_to_finalize")
@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'"version"',
        b'{"version": 2, "job_id": "r-1", "files": {}}',
        b'{"version": 1, "job_id": "r-1", "files": []}',
        b'{"version": 1, "job_id": "r-1", "files": {"video": {"file": "a.mp4"}}}',
        b'{"version": 1, "job_id": "r-1", "files": {"video": {"file": "../a", "size": 1, "sha256": ""}}}',
        b'{"version": 1, "job_id": "r-1", "files": {}, "metadata": [1]}',
        b"[" * 100_000,
    ],
)
def test_what_is_none_of_ours_is_no_record(content: bytes | None) -> None:
    assert DeliveredVideo.from_json(content) is None


@given(st.binary(max_size=100))
def test_nothing_that_stands_there_is_an_error(content: bytes) -> None:
    assert DeliveredVideo.from_json(content) is None


@pytest.mark.parametrize("folder", ["/videos/", "s3://aws_default@bucket/videos/"])
def test_the_event_names_every_file_by_its_path(folder: str) -> None:
    extra = VIDEO.event_extra(f"{folder}né ws.mp4", f"{folder}né ws.json")

    assert extra == {
        "version": 1,
        "path": f"{folder}né ws.mp4",
        "job_id": "r-1",
        "video_name": "né ws",
        "duration": 12.5,
        "size": 4096,
        "sha256": "ab" * 32,
        "subtitles": {"srt": f"{folder}né ws.srt"},
        "thumbnail": f"{folder}né ws.jpg",
        "sidecar": f"{folder}né ws.json",
        "metadata": {"title": "{{ 1/0 }}"},
    }


def test_the_event_has_the_same_keys_without_them() -> None:
    bare = DeliveredVideo("r-1", files={"video": DeliveredFile("a.mp4", 1, "00")})
    extra = bare.event_extra("/a.mp4", None)

    assert extra.keys() == VIDEO.event_extra("/a.mp4", None).keys()
    assert (extra["subtitles"], extra["thumbnail"], extra["sidecar"]) == ({}, None, None)


@pytest.mark.parametrize(
    ("this", "expected"),
    [
        ({}, False),
        ({"try_number": 2}, False),
        ({"map_index": 4}, True),
        ({"task_id": "deliver"}, True),
        ({"run_id": "r2"}, False),
        ({"dag_id": "weather", "map_index": 4}, False),
    ],
)
def test_another_task_of_the_same_run(this: dict[str, object], expected: bool) -> None:
    assert is_by_another_task(VIDEO.made_by, {**VIDEO.made_by, **this}) == expected


def test_who_has_no_run_has_no_others_in_it() -> None:
    assert not is_by_another_task({}, {})
