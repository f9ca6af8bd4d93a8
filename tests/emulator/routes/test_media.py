import http.client
from typing import Any
from urllib.parse import urlsplit

import pytest

from airflow_video_creation.emulator import Emulator


def test_a_video_can_be_had_in_ranges(caller: Any) -> None:
    url = caller.finished(caller.render())["data"]["videoURL"]
    whole = caller.get(url)
    assert whole.headers["Content-Type"] == "video/mp4"
    assert int(whole.headers["Content-Length"]) == len(whole.content)
    part = caller.get(url, headers={"Range": "bytes=4-7"})
    assert (part.status_code, part.content) == (206, b"ftyp")
    assert part.headers["Content-Range"] == f"bytes 4-7/{len(whole.content)}"


def test_a_link_needs_no_token_but_its_signature(caller: Any) -> None:
    url = caller.finished(caller.render())["data"]["videoURL"]
    caller.http.headers.clear()
    assert caller.get(url).status_code == 200
    assert caller.get(url.partition("?")[0]).status_code == 403
    assert caller.get(url.replace("video.mp4", "thumbnail.jpg")).status_code == 403


@pytest.mark.parametrize(
    "way_out",
    ["../../state.sqlite3", "%2e%2e/%2e%2e/state.sqlite3", "..%2f..%2fstate.sqlite3", "%2fetc%2fpasswd"],
)
def test_no_link_leads_out_of_the_folder(caller: Any, way_out: str) -> None:
    address = urlsplit(caller.finished(caller.render())["data"]["videoURL"])
    folder = address.path.removesuffix("video.mp4")

    def status_of(file_name: str) -> int:
        """Ask for a path as it stands: requests would rewrite it."""
        connection = http.client.HTTPConnection(address.netloc, timeout=10)
        connection.request("GET", f"{folder}{file_name}?{address.query}")
        status = connection.getresponse().status
        connection.close()
        return status

    assert status_of("video.mp4") == 200
    assert status_of(way_out) in (403, 404)


def test_media_of_a_purged_job_are_gone(caller: Any, emulator: Emulator) -> None:
    job_id = caller.render()
    url = caller.job(job_id)["data"]["videoURL"]
    emulator.admin.set_job_state(job_id, "cleaned")
    assert caller.get(url).status_code == 404
