"""Each fault as a caller meets it on the wire."""

import http.client
import json
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
import requests

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.emulator.process.admin_client import AdminError

STORYBOARD_PATH = "/api/v1/video/storyboard"


def create(caller: Any, **options: Any) -> requests.Response:
    reply: requests.Response = caller.post(STORYBOARD_PATH, {"videoName": "trees"}, **options)
    return reply


def test_without_faults_nothing_goes_wrong(caller: Any, emulator: Emulator) -> None:
    assert create(caller).status_code == 200
    assert [call["faults"] for call in emulator.admin.calls()] == [[]]


@pytest.mark.parametrize(
    ("fault", "status", "body"),
    [
        ({"kind": "status"}, 503, '{"code":'),
        ({"kind": "status", "status": 500}, 500, '{"code":'),
        ({"kind": "html"}, 502, "<html>"),
        ({"kind": "html", "status": 200}, 200, "<html>"),
        ({"kind": "empty"}, 200, ""),
        ({"kind": "empty", "status": 204}, 204, ""),
        ({"kind": "redirect"}, 302, ""),
    ],
    ids=str,
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_replies_that_are_not_the_services_own(
    caller: Any, emulator: Emulator, fault: dict[str, Any], when: str, status: int, body: str
) -> None:
    emulator.admin.add_fault(**fault, when=when, on="storyboard")
    reply = create(caller, allow_redirects=False)
    assert reply.status_code == status
    assert reply.text[: len(body)] == body
    assert bool(reply.text) == bool(body)
    # Whether the service has acted is what makes such a reply dangerous.
    assert len(emulator.admin.jobs("trees")) == (1 if when == "after" else 0)
    (call,) = emulator.admin.calls("storyboard")
    assert (call["acted"], call["status"], call["faults"]) == (when == "after", status, [fault["kind"]])


def test_a_redirect_leads_where_it_is_told(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("redirect", location="https://login.example.com/", status=307)
    reply = create(caller, allow_redirects=False)
    assert (reply.status_code, reply.headers["Location"]) == (307, "https://login.example.com/")


def test_a_status_may_say_when_to_come_again(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("status", seconds=7)
    assert create(caller).headers["Retry-After"] == "7"


@pytest.mark.parametrize(("when", "jobs"), [("before", 0), ("after", 1)])
def test_a_reset_connection(caller: Any, emulator: Emulator, when: str, jobs: int) -> None:
    emulator.admin.add_fault("reset", when=when, on="storyboard")
    with pytest.raises(requests.ConnectionError, match="reset"):
        create(caller)
    assert len(emulator.admin.jobs("trees")) == jobs
    assert emulator.admin.calls("storyboard")[0]["status"] is None


@pytest.mark.parametrize(("when", "jobs"), [("before", 0), ("after", 1)])
def test_a_hang_outlasts_the_callers_patience(caller: Any, emulator: Emulator, when: str, jobs: int) -> None:
    emulator.admin.add_fault("hang", when=when, on="storyboard")
    with pytest.raises(requests.ReadTimeout):
        caller.http.post(caller.base_url + STORYBOARD_PATH, json={"videoName": "trees"}, timeout=0.2)
    assert len(emulator.admin.jobs("trees")) == jobs


def test_a_hang_may_end_by_itself_without_an_answer(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("hang", seconds=0.05)
    with pytest.raises(requests.ConnectionError):
        create(caller)


@pytest.mark.parametrize(("when", "jobs"), [("before", 0), ("after", 1)])
def test_a_delay_may_be_before_or_after_acting(caller: Any, emulator: Emulator, when: str, jobs: int) -> None:
    emulator.admin.add_fault("delay", seconds=1.0, when=when, on="storyboard")
    with pytest.raises(requests.ReadTimeout):
        caller.http.post(caller.base_url + STORYBOARD_PATH, json={"videoName": "trees"}, timeout=0.3)
    assert len(emulator.admin.jobs("trees")) == jobs


def test_what_was_held_up_before_a_reset_is_not_acted_on_after(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("delay", seconds=0.3, on="storyboard")
    with pytest.raises(requests.ReadTimeout):
        caller.http.post(caller.base_url + STORYBOARD_PATH, json={"videoName": "trees"}, timeout=0.1)
    emulator.admin.reset()
    # Answered when the first call has been held up long enough.
    emulator.admin.add_fault("delay", seconds=0.4, on="storyboard")
    assert create(caller).status_code == 200
    assert len(emulator.admin.jobs()) == 1


def test_a_delay_ends_with_the_answer(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("delay", seconds=0.05, jitter=0.05)
    assert create(caller).json()["success"] is True
    assert [call["faults"] for call in emulator.admin.calls()] == [["delay"]]


def test_a_dripping_body_is_whole_in_the_end(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("drip", seconds=0.3, on="job")
    connection = http.client.HTTPConnection(emulator.base_url.removeprefix("http://"), timeout=10)
    connection.request("GET", f"/api/v1/job/{caller.storyboard()}", headers=dict(caller.http.headers))
    reply = connection.getresponse()
    drops = list(iter(reply.read1, b""))
    connection.close()
    assert reply.headers["Content-Length"] == str(sum(map(len, drops)))
    assert len(drops) > 3
    assert json.loads(b"".join(drops))["success"] is True


def test_a_truncated_body_ends_before_its_length(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("truncate", on="storyboard")
    with pytest.raises(requests.exceptions.ChunkedEncodingError, match="IncompleteRead"):
        create(caller)
    assert len(emulator.admin.jobs("trees")) == 1


def test_a_malformed_body_is_no_json(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("malformed", on="storyboard")
    reply = create(caller)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "application/json"
    with pytest.raises(requests.exceptions.JSONDecodeError):
        reply.json()


def test_a_truncated_download(caller: Any, emulator: Emulator) -> None:
    url = caller.finished(caller.render())["data"]["videoURL"]
    emulator.admin.add_fault("truncate", on="media", nth=[1])
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        caller.get(url)
    assert caller.get(url).content[4:8] == b"ftyp"


def test_faults_can_be_for_one_video(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("status", on="job", video_name="riv*")
    replies = {
        name: caller.get(f"/api/v1/job/{caller.storyboard(videoName=name)}") for name in ("rivers", "trees")
    }
    assert {name: reply.status_code for name, reply in replies.items()} == {"rivers": 503, "trees": 200}


def test_the_nth_poll_of_each_job(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("status", on="job", status=404, nth=[1], per_job=True)
    jobs = [caller.storyboard() for _ in range(2)]
    statuses = [[caller.get(f"/api/v1/job/{job}").status_code for _ in range(2)] for job in jobs]
    assert statuses == [[404, 200], [404, 200]]


def test_clearing_the_faults_ends_them(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("status")
    emulator.admin.clear_faults()
    assert create(caller).status_code == 200


def test_a_rate_limit_answers_429(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(requests_per_minute=1, burst=2)
    replies = [create(caller) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert 1 <= int(replies[2].headers["Retry-After"]) <= 60
    assert replies[2].json()["code"] == "rate_limited"
    emulator.admin.change(retry_after="date", burst=1)
    create(caller)
    assert parsedate_to_datetime(create(caller).headers["Retry-After"])


def test_pages_and_the_admin_api_have_no_faults(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("reset", on="*")
    assert caller.get("/").status_code == 200
    assert caller.get("/admin/behaviour").json()["faults"][0]["kind"] == "reset"


def test_wrong_behaviour_is_refused_and_changes_nothing(caller: Any, emulator: Emulator) -> None:
    before = emulator.admin.behaviour()
    with pytest.raises(AdminError, match="burst"):
        emulator.admin.change(burst=0)
    with pytest.raises(AdminError, match="tea"):
        emulator.admin.add_fault("status", tea=True)
    assert emulator.admin.behaviour() == before


def test_a_dialect_words_all_replies(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(
        dialect={
            "success_status": 201,
            "job_id": "data.jobId",
            "unknown_job": 200,
            "errors": "error",
            "token_prefix": "Bearer",
            "user_id_header": "X-Tenant",
            "state_words": {"completed": "DONE"},
        }
    )
    caller.http.headers.update({"Authorization": "Bearer emulator-token", "X-Tenant": "emulator-user"})
    reply = create(caller)
    assert reply.status_code == 201
    job_id = reply.json()["data"]["jobId"]
    assert caller.job(job_id)["data"]["status"] == "DONE"
    unknown = caller.get("/api/v1/job/nonesuch")
    assert unknown.status_code == 200
    assert unknown.json()["success"] is False


def test_a_success_without_a_body(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(dialect={"success_status": 204})
    reply = create(caller)
    assert (reply.status_code, reply.content) == (204, b"")


def test_every_call_is_counted_with_its_identity(caller: Any, emulator: Emulator) -> None:
    job_id = caller.storyboard()
    for _ in range(3):
        caller.job(job_id)
    caller.post("/serviceapis/v1/awsconnections", {"name": "media"})
    (submission,) = emulator.admin.calls("storyboard", name="trees")
    assert (submission["job_id"], submission["status"]) == (job_id, 200)
    assert len(emulator.admin.calls("job", job_id=job_id)) == 3
    assert emulator.admin.calls("aws_connections")[0]["status"] == 400
    assert {"operation": "job", "name": None, "job_id": job_id, "count": 3} in emulator.admin.totals()
    assert [job["video_name"] for job in emulator.admin.jobs()] == ["trees"]


def test_a_reply_may_say_anything(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("reply", on="job", body={"job_id": "{job_id}", "error": ["odd", None]}, nth=[1])
    job_id = caller.storyboard()

    assert caller.job(job_id) == {"job_id": job_id, "error": ["odd", None]}
    assert caller.job(job_id)["data"]["status"] == "completed"


def test_a_reply_may_come_with_a_status(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("reply", on="storyboard", body="no", status=202, when="after")

    reply = create(caller)

    assert (reply.status_code, reply.json()) == (202, "no")
    assert len(emulator.admin.jobs("trees")) == 1


def test_what_is_merged_stands_beside_the_services_own(caller: Any, emulator: Emulator) -> None:
    patch = {"success": None, "data": {"preview": "https://p.example/{job_id}", "error": {"code": 0}}}
    emulator.admin.add_fault("merge", on="job", body=patch)
    job_id = caller.storyboard()

    reply = caller.job(job_id)

    assert "success" not in reply
    assert reply["data"]["preview"] == f"https://p.example/{job_id}"
    assert reply["data"]["error"] == {"code": 0}
    assert reply["data"]["status"] == "completed"


def test_only_an_object_can_be_merged(emulator: Emulator) -> None:
    with pytest.raises(AdminError, match="body must be an object"):
        emulator.admin.add_fault("merge", on="job", body=["x"])
