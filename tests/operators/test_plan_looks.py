"""With a connection the plan looks at what is left and at the voices before anything is paid for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    InvalidRequestError,
    ServiceFailureError,
    SpendingStoppedError,
)

from ..told_errors import raises_telling

BASE = "https://video.example.com"
CONNECTION = "video_creation_default"


@pytest.fixture
def left(connect: Any, requests_mock: Any) -> Any:
    """Say how many minutes are left: ``left(587.5)``."""
    connect(paths={"quota": "/v2/quota"})
    return lambda minutes: requests_mock.get(f"{BASE}/v2/quota", json={"data": {"minutes_left": minutes}})


def storyboard(name: str, minutes: float = 1.0, speaker: str | None = None) -> dict[str, Any]:
    voice = {"audio": {"aiVoiceOver": {"speaker": speaker}}} if speaker else {}
    return {"videoName": name, "scenes": [{"text": "x", "minimumDuration": minutes * 60}], **voice}


class Ti:
    """A running task instance and its XComs."""

    dag_id, run_id, task_id, map_index, max_tries, try_number = "d", "r", "plan", -1, 0, 1

    def __init__(self) -> None:
        self.pushed: dict[str, Any] = {}

    def xcom_push(self, key: str, value: Any) -> None:
        self.pushed[key] = json.loads(json.dumps(value, allow_nan=False))


@pytest.fixture
def ti() -> Ti:
    return Ti()


def plan(ti: Ti, params: dict[str, Any] | None = None, **arguments: Any) -> list[str]:
    """The names of what is made."""
    operator = PlanVideosOperator(
        **{"task_id": "plan", "video_creation_conn_id": CONNECTION, **arguments},
    )
    context: Any = {"ti": ti, "params": params or {}}
    operator.render_template_fields(context)
    return [made["videoName"] for made in operator.execute(context)]


def test_a_plan_that_fits_is_made_and_what_is_left_is_shown(ti: Ti, left: Any, log: Any) -> None:
    left("587.5")

    assert plan(ti, storyboards=[storyboard("a", 2), storyboard("b", 3)]) == ["a", "b"]
    assert (ti.pushed["estimate"]["quota_minutes"], ti.pushed["estimate"]["minutes"]) == (587.5, 5.0)
    assert "about 5.0 minutes (an estimate; quota_minutes=587.5)" in log()


def test_a_plan_that_does_not_fit_stops_before_anything_is_sent(ti: Ti, left: Any) -> None:
    left(4)

    with raises_telling(
        SpendingStoppedError, r"needs about 5\.0 minutes .* that 4\.0 minutes are left"
    ) as stopped:
        plan(ti, storyboards=[storyboard("a", 2), storyboard("b", 3)])
    assert isinstance(stopped.value, AirflowFailException)
    assert ti.pushed["failure"]["kind"] == "SpendingStoppedError"
    assert ti.pushed["estimate"]["quota_minutes"] == 4


def test_or_it_makes_what_fits_and_names_the_rest(ti: Ti, left: Any, log: Any) -> None:
    left(4)
    given = [storyboard("a", 2), storyboard("long", 3), storyboard("b", 2)]

    assert plan(ti, storyboards=given, on_low_quota="make_what_fits") == ["a", "b"]
    assert ti.pushed["left_out"] == [
        {"video": "long", "reason": "about 3.0 minutes, and 2.0 of the quota were left.", "kind": "limit"}
    ]
    assert "2 of 3 videos are to be made, about 4.0 minutes (an estimate; quota_minutes=4)" in log()


def test_a_third_of_a_minute_three_times_fits_into_one(ti: Ti, left: Any) -> None:
    left(1)
    given = [storyboard(name, 1 / 3) for name in "abc"]

    assert plan(ti, storyboards=given, on_low_quota="make_what_fits") == ["a", "b", "c"]


@pytest.mark.parametrize("minutes", [0, -5, "0"])
@pytest.mark.parametrize("on_low_quota", ["fail", "make_what_fits"])
def test_where_nothing_is_left_nothing_is_made(ti: Ti, left: Any, minutes: Any, on_low_quota: Any) -> None:
    left(minutes)

    with raises_telling(SpendingStoppedError, "nothing is paid"):
        plan(ti, storyboards=[storyboard("a")], on_low_quota=on_low_quota)


def test_the_limits_of_the_task_come_first(ti: Ti, left: Any) -> None:
    left(3)
    given = [storyboard("a", 2), storyboard("b", 2)]

    assert plan(ti, storyboards=given, max_videos=1) == ["a"]
    with raises_telling(ConfigurationError, r"max_minutes=0\.5 .* shortest of 2 is about 2\.0"):
        plan(ti, storyboards=given, max_minutes=0.5)


def test_a_dry_run_shows_what_is_left_and_what_is_needed(ti: Ti, left: Any, log: Any) -> None:
    left(9)

    assert plan(ti, storyboards=[storyboard("a", 2)], dry_run=True) == []
    assert ti.pushed["estimate"]["quota_minutes"] == 9
    assert "about 2.0 minutes (an estimate; quota_minutes=9)" in log()


def test_a_quota_that_cannot_be_read_fails_the_plan_with_the_names_of_the_fields(
    ti: Ti, left: Any, requests_mock: Any
) -> None:
    left("NaN")

    with raises_telling(ConfigurationError, r"its fields: data\.minutes_left\. Set .*quota_minutes"):
        plan(ti, storyboards=[storyboard("a")])


def test_an_outage_is_for_a_retry(ti: Ti, left: Any, requests_mock: Any) -> None:
    left(1)
    requests_mock.get(f"{BASE}/v2/quota", status_code=503, headers={"Retry-After": "3000"})

    with pytest.raises(ServiceFailureError) as error:
        plan(ti, storyboards=[storyboard("a")])
    assert isinstance(error.value, AirflowException)
    assert not isinstance(error.value, AirflowFailException)


@pytest.mark.parametrize("connection", [None, "{{ params.connection }}"])
def test_without_a_connection_nothing_is_asked(ti: Ti, requests_mock: Any, connection: str | None) -> None:
    made = plan(ti, {"connection": None}, storyboards=[storyboard("a")], video_creation_conn_id=connection)

    assert made == ["a"]
    assert requests_mock.call_count == 0
    assert "quota_minutes" not in ti.pushed["estimate"]


def test_the_connection_may_be_a_template(ti: Ti, left: Any) -> None:
    left(0)

    with pytest.raises(SpendingStoppedError):
        plan(
            ti,
            {"connection": CONNECTION},
            storyboards=[storyboard("a")],
            video_creation_conn_id="{{ params.connection }}",
        )


def test_a_connection_that_names_no_lists_is_not_asked(
    ti: Ti, connect: Any, requests_mock: Any, log: Any
) -> None:
    connect()

    assert plan(ti, storyboards=[storyboard("a", speaker="anyone")]) == ["a"]
    assert requests_mock.call_count == 0
    assert "names no paths.quota" in log()


def test_a_night_without_storyboards_asks_nothing(ti: Ti, left: Any, requests_mock: Any) -> None:
    assert plan(ti, storyboards=[None]) == []
    assert requests_mock.call_count == 0


def test_a_user_id_of_the_task_is_sent(ti: Ti, left: Any, requests_mock: Any) -> None:
    left(9)

    plan(ti, storyboards=[storyboard("a")], user_id="editor-2")
    assert requests_mock.last_request.headers["X-Service-User-Id"] == "editor-2"


def test_what_to_do_on_a_low_quota_is_one_of_two_words() -> None:
    with pytest.raises(ConfigurationError, match="give 'fail' or 'make_what_fits'"):
        PlanVideosOperator(task_id="plan", storyboards=[], on_low_quota="ignore")  # type: ignore[arg-type]


@pytest.fixture
def voices(connect: Any, requests_mock: Any) -> Any:
    """The requests for the voices, of which there is one."""
    connect(paths={"voices": "/v2/voices"})
    return requests_mock.get(f"{BASE}/v2/voices", json={"voices": [{"name": "Joanna"}]})


def test_a_storyboard_of_an_unknown_speaker_is_left_out_with_the_nearest_names(ti: Ti, voices: Any) -> None:
    given = [storyboard("a", speaker="Joanna"), storyboard("b", speaker="Johanna"), storyboard("c")]

    assert plan(ti, storyboards=given) == ["a", "c"]
    [left_out] = ti.pushed["left_out"]
    assert left_out["video"] == "b"
    assert "did you mean 'Joanna'?" in left_out["reason"]
    assert voices.call_count == 1


def test_where_all_speakers_are_unknown_the_plan_fails(ti: Ti, voices: Any) -> None:
    with pytest.raises(InvalidRequestError, match="1 problem"):
        plan(ti, storyboards=[storyboard("b", speaker="Johanna")])


def test_voices_that_cannot_be_listed_leave_nothing_out(
    ti: Ti, voices: Any, requests_mock: Any, log: Any
) -> None:
    requests_mock.get(f"{BASE}/v2/voices", status_code=404)

    assert plan(ti, storyboards=[storyboard("a", speaker="x"), storyboard("b", speaker="y")]) == ["a", "b"]
    assert log().count("could not be listed") == 1
