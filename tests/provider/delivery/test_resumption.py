"""The rest of a file is taken only where the host proves that it belongs to the beginning."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.delivery.resumption import (
    NOTHING,
    Partial,
    begun,
    request_headers,
    verdict,
)

OLD = "Sat, 21 Nov 2026 03:00:00 GMT"
NEW = "Sat, 21 Nov 2026 04:00:00 GMT"
HALF = Partial(500, 1000, '"v1"')


@pytest.mark.parametrize(
    ("headers", "validator"),
    [
        ({"ETag": '"v1"'}, '"v1"'),
        ({"ETag": '"v1"', "Last-Modified": OLD, "Date": NEW}, '"v1"'),
        ({"ETag": 'W/"v1"'}, None),
        ({"ETag": 'W/"v1"', "Last-Modified": OLD, "Date": NEW}, OLD),
        ({"Last-Modified": OLD, "Date": NEW}, OLD),
        ({"Last-Modified": NEW, "Date": NEW}, None),
        ({"Last-Modified": OLD}, None),
        ({"Last-Modified": "yesterday", "Date": NEW}, None),
        ({"Last-Modified": "Sat, 21 Nov 2026 03:00:00 -0000", "Date": NEW}, None),
        ({"ETag": '"v1"', "Content-Encoding": "gzip"}, None),
        ({}, None),
    ],
)
def test_what_names_the_version_of_a_file(headers: dict[str, str], validator: str | None) -> None:
    assert begun({**headers, "Content-Length": "1000"}).validator == validator


@pytest.mark.parametrize(
    ("length", "total"), [("1000", 1000), ("", None), ("many", None), ("-1", None), ("²", None)]
)
def test_how_long_the_file_is(length: str, total: int | None) -> None:
    assert begun({"content-length": length}) == Partial(0, total, None)


def test_the_rest_is_asked_for_on_condition() -> None:
    assert request_headers(HALF) == {
        "Accept-Encoding": "identity",
        "Range": "bytes=500-",
        "If-Range": '"v1"',
    }


@pytest.mark.parametrize("partial", [NOTHING, Partial(0, 1000, '"v1"'), Partial(500, 1000, None)])
def test_without_a_beginning_or_a_name_of_its_version_all_of_it_is_asked_for(partial: Partial) -> None:
    assert request_headers(partial) == {"Accept-Encoding": "identity"}


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (200, {}, "whole"),
        (206, {"Content-Range": "bytes 500-999/1000"}, "rest"),
        (206, {"Content-Range": "bytes 500-999/*"}, "rest"),
        (206, {"Content-Range": "bytes 500-699/1000", "ETag": '"v1"'}, "rest"),
        (206, {"Content-Range": "bytes 500-999/1000", "ETag": '"v2"'}, "changed"),
        (206, {"Content-Range": "bytes 500-999/1000", "Content-Encoding": "gzip"}, "changed"),
        (206, {"Content-Range": "bytes 400-999/1000"}, "changed"),
        (206, {"Content-Range": "bytes 500-1099/1100"}, "changed"),
        (206, {"Content-Range": "characters 500-999/1000"}, "changed"),
        (206, {"Content-Type": "multipart/byteranges"}, "changed"),
        (416, {"Content-Range": "bytes */500"}, "complete"),
        (416, {"Content-Range": "bytes */1000"}, "changed"),
        (416, {}, "changed"),
        (403, {}, "refused"),
        (503, {}, "refused"),
        (204, {}, "refused"),
    ],
)
def test_what_a_reply_brings(status: int, headers: dict[str, str], expected: str) -> None:
    assert verdict(status, headers, HALF) == expected


@pytest.mark.parametrize("status", [206, 416])
def test_a_part_that_nobody_asked_for_is_refused(status: int) -> None:
    headers: dict[str, Any] = {"Content-Range": "bytes 0-999/1000"}
    assert verdict(status, headers, NOTHING) == "refused"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"ETag": '"v1"'}, "rest"),
        ({"Last-Modified": OLD}, "rest"),
        ({"Last-Modified": NEW}, "changed"),
        ({"Last-Modified": NEW, "ETag": '"v1"'}, "changed"),
    ],
)
def test_a_date_proves_the_version_as_well(headers: dict[str, str], expected: str) -> None:
    half = Partial(500, None, OLD)
    assert verdict(206, {"Content-Range": "bytes 500-999/1000", **headers}, half) == expected
