"""What the plans of many runs share: the budgets of a connection, and the videos that found no room."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowException, AirflowFailException

from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.summary import SummarizeVideosOperator
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    SpendingRecordError,
    SpendingStoppedError,
)

NOW = datetime(2026, 11, 22, 22, 30, tzinfo=UTC)
PARIS = ZoneInfo("Europe/Paris")
FOLDER = "AIRFLOW__VIDEO_CREATION__RECORD_FOLDER"
CONNECTION = "video_creation_default"


class Variables:
    """Airflow's Variables, as a worker of 3.3 sees them; away when told so."""

    values: dict[str, str]
    away: bool

    @classmethod
    def _look(cls) -> None:
        if cls.away:
            raise ConnectionError("the API server is away")

    @classmethod
    def keys(cls, prefix: str) -> list[str]:
        cls._look()
        return [key for key in cls.values if key.startswith(prefix)]

    @classmethod
    def get(cls, key: str, default: Any = None) -> Any:
        cls._look()
        return cls.values.get(key, default)

    @classmethod
    def set(cls, key: str, value: str, description: str) -> None:
        cls._look()
        assert len(key) <= 250
        assert description
        cls.values[key] = value

    @classmethod
    def delete(cls, key: str) -> None:
        cls._look()
        cls.values.pop(key, None)


@pytest.fixture(params=["Variables", "record folder"])
def kept(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[type[Variables]]:
    """Where plans keep what they share."""
    Variables.values, Variables.away = {}, False
    monkeypatch.setattr("airflow.sdk.Variable", Variables)
    if request.param == "record folder":
        monkeypatch.setenv(FOLDER, str(tmp_path))
    yield Variables
    assert bool(Variables.values) is (request.param == "Variables")


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> type[Variables]:
    """The same, in Variables."""
    Variables.values, Variables.away = {}, False
    monkeypatch.setattr("airflow.sdk.Variable", Variables)
    return Variables


class Airflow:
    """What a worker can ask of runs: their states, those of their tasks, and what these returned."""

    def __init__(self) -> None:
        self.runs: dict[str, str] = {}
        self.tasks: dict[str, dict[str, str | None]] = {}
        self.returned: dict[tuple[str, int], Any] = {}


class Ti:
    """A running task instance."""

    task_id, map_index, max_tries, try_number = "plan", -1, 0, 1

    def __init__(self, run_id: str, dag_id: str = "d", airflow: Airflow | None = None) -> None:
        self.run_id, self.dag_id = run_id, dag_id
        self.pushed: dict[str, Any] = {}
        self._airflow = airflow or Airflow()

    def xcom_push(self, key: str, value: Any) -> None:
        self.pushed[key] = json.loads(json.dumps(value, allow_nan=False))

    def get_dagrun_state(self, dag_id: str, run_id: str) -> str:
        return self._airflow.runs[run_id]

    def get_task_states(self, *, dag_id: str, task_ids: list[str], run_ids: list[str]) -> Any:
        [run_id] = run_ids
        return {run_id: self._airflow.tasks.get(run_id, {})}

    def xcom_pull(self, *, task_ids: str, dag_id: str, run_id: str, map_indexes: int) -> Any:
        return self._airflow.returned.get((run_id, map_indexes))


def storyboard(name: str, minutes: float = 1.0) -> dict[str, Any]:
    return {"videoName": name, "scenes": [{"text": "x", "minimumDuration": minutes * 60}]}


def plan(ti: Any, *names: str, now: datetime = NOW, minutes: float = 1, **arguments: Any) -> list[str]:
    """The names of what the plan makes."""
    with DAG("d"):
        operator = PlanVideosOperator(
            task_id="plan", storyboards=[storyboard(name, minutes) for name in names], **arguments
        )
        videos = CreateVideosOperator(task_id="videos", storyboards=operator.output, destination="videos/")
        operator >> videos >> SummarizeVideosOperator(task_id="summary")
    operator.now = lambda: now  # type: ignore[method-assign, assignment]
    operator.sleep = lambda _: None  # type: ignore[method-assign, assignment]
    operator.storyboards = [storyboard(name, minutes) for name in names]
    return [made["videoName"] for made in operator.execute({"ti": ti})]  # type: ignore[typeddict-item]


BUDGET: dict[str, Any] = {"max_minutes_per_day": 2, "video_creation_conn_id": CONNECTION}


@pytest.fixture(autouse=True)
def connection(connect: Any) -> None:
    connect()


def test_two_dags_spend_from_one_budget(kept: Any, log: Any) -> None:
    second = Ti("r", dag_id="another")

    assert plan(Ti("r"), "a", **BUDGET) == ["a"]
    assert plan(second, "b", "c", **BUDGET) == ["b"]

    assert second.pushed["left_out"] == [
        {
            "video": "c",
            "reason": "about 1.0 minutes, and 0.0 of max_minutes_per_day=2 were left.",
            "kind": "limit",
        }
    ]
    assert second.pushed["estimate"]["budgets"] == [
        {
            "name": "max_minutes_per_day",
            "minutes": 2,
            "period": "2026-11-22",
            "other_runs": 1.0,
            "by_dag": {"d": 1.0},
            "this_run": 1.0,
            "left": 0.0,
        }
    ]
    assert (
        "Budget of connection 'video_creation_default': max_minutes_per_day=2 (2026-11-22): 1.0 minutes are other "
        "runs' (d 1.0), 1.0 this run's, 0.0 are left"
    ) in log()


def test_each_connection_has_its_own_budget(variables: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_ANOTHER",
        '{"conn_type": "video_creation", "host": "video.example.com", "password": "x"}',
    )
    plan(Ti("r"), "a", "b", **BUDGET)
    assert plan(Ti("s"), "c", **BUDGET | {"video_creation_conn_id": "another"}) == ["c"]


def test_a_used_up_budget_makes_nothing_and_fails_nothing(variables: Any) -> None:
    plan(Ti("r"), "a", "b", **BUDGET)
    assert plan(Ti("s"), "c", **BUDGET) == []


def test_a_budget_that_no_video_ever_fits_into_is_a_mistake(variables: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"max_minutes_per_day=2"):
        plan(Ti("r"), "long", minutes=3, **BUDGET)
    assert not variables.values


@pytest.mark.parametrize("map_index", [-1, 0])
def test_a_retry_or_a_clear_reserves_once(variables: Any, map_index: int) -> None:
    for try_number in (1, 2, 3):
        ti = Ti("r")
        ti.map_index, ti.try_number = map_index, try_number
        assert plan(ti, "a", **BUDGET) == ["a"]
    assert plan(Ti("s"), "b", **BUDGET) == ["b"]


@pytest.mark.parametrize(
    ("zone", "made"), [("UTC", []), (None, []), ("Europe/Paris", ["c"]), ("America/New_York", [])]
)
def test_a_day_begins_at_midnight_of_the_time_zone(variables: Any, zone: str | None, made: list[str]) -> None:
    given = BUDGET | {"budget_timezone": zone}
    plan(Ti("r"), "a", "b", **given)
    assert plan(Ti("s"), "c", now=NOW + timedelta(hours=1), **given) == made


def test_a_month_has_a_budget_too(variables: Any) -> None:
    given = {"max_minutes_per_month": 2, "video_creation_conn_id": CONNECTION}
    plan(Ti("r"), "a", "b", **given)
    assert plan(Ti("s"), "c", now=NOW + timedelta(days=3), **given) == []
    assert plan(Ti("s"), "c", now=NOW + timedelta(days=9), **given) == ["c"]


@pytest.mark.parametrize(
    "begins", [datetime(2026, 3, 29, tzinfo=PARIS), datetime(2026, 10, 25, tzinfo=PARIS)]
)
def test_a_day_of_23_or_25_hours_is_a_day(variables: Any, begins: datetime) -> None:
    given = BUDGET | {"budget_timezone": "Europe/Paris"}
    ends = (begins + timedelta(days=1)).astimezone(UTC)
    assert plan(Ti("r"), "a", "b", now=begins.astimezone(UTC), **given) == ["a", "b"]
    assert plan(Ti("s"), "c", now=ends - timedelta(seconds=1), **given) == []
    assert plan(Ti("s"), "c", now=ends, **given) == ["c"]


def test_a_dry_run_shows_the_budget_and_takes_nothing(variables: Any) -> None:
    ti = Ti("r")
    assert plan(ti, "a", dry_run=True, carry_over=True, **BUDGET) == []
    assert ti.pushed["estimate"]["budgets"][0]["left"] == 1.0
    assert not variables.values


def test_a_plan_that_fails_gives_back_what_it_reserved(
    variables: Any, connect: Any, requests_mock: Any
) -> None:
    connect(paths={"quota": "/quota"})
    quota = requests_mock.get("https://video.example.com/quota", json={"minutes_left": 1})
    with pytest.raises(SpendingStoppedError):
        plan(Ti("r"), "a", "b", carry_over=True, **BUDGET)
    assert quota.called
    assert not variables.values


RETURNED = [
    {"name": "a", "state": "delivered", "render_job_id": "r-1"},
    {"name": "B", "state": "skipped", "message": "nothing was sent"},
]


@pytest.mark.parametrize(
    ("run", "task", "returned", "made"),
    [
        pytest.param("failed", "upstream_failed", None, ["c", "d"], id="failed before it paid"),
        pytest.param("failed", None, None, ["c", "d"], id="ended before it paid"),
        pytest.param("failed", "failed", RETURNED, ["c"], id="what it never sent"),
        pytest.param("failed", "failed", None, [], id="killed: nobody knows"),
        pytest.param("success", "success", RETURNED[:1], [], id="sent, as far as is known"),
        pytest.param("running", None, None, [], id="may still pay"),
    ],
)
def test_a_run_that_has_ended_spends_no_more_than_it_has_sent(
    variables: Any, run: str, task: str | None, returned: Any, made: list[str]
) -> None:
    airflow = Airflow()
    airflow.runs["r"], airflow.tasks["r"] = run, {"videos": task}
    airflow.returned["r", -1] = returned
    plan(Ti("r"), "a", "B", **BUDGET)
    assert plan(Ti("s", airflow=airflow), "c", "d", **BUDGET) == made


def test_of_a_run_that_airflow_does_not_know_all_counts(
    variables: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    plan(Ti("r"), "a", "b", **BUDGET)
    assert plan(Ti("s"), "c", **BUDGET) == []
    assert (
        "What run r of DAG d has spent cannot be told (KeyError): all that it reserved counts" in caplog.text
    )


def test_what_finds_no_room_comes_with_the_next_run(kept: Any) -> None:
    first, tomorrow = Ti("r"), NOW + timedelta(days=1)

    assert plan(first, "a", "b", "c", max_videos=1, carry_over=True) == ["a"]
    left = first.pushed["left_out"][0]
    assert (left["reason"], left["kind"]) == ("more than max_videos=1. A later run makes it.", "later")
    assert plan(Ti("s"), "d", now=tomorrow, max_videos=2, carry_over=True) == ["b", "c"]
    assert plan(Ti("t"), max_videos=2, carry_over=True) == ["d"]
    assert plan(Ti("u"), carry_over=True) == []


def test_what_no_budget_leaves_room_for_comes_when_there_is_some(variables: Any) -> None:
    given = BUDGET | {"carry_over": True}
    assert plan(Ti("r"), "a", "b", "c", **given) == ["a", "b"]
    assert plan(Ti("s"), "d", **given) == []
    assert plan(Ti("t"), now=NOW + timedelta(days=1), **given) == ["c", "d"]


class KilledError(BaseException):
    """Stands for SIGKILL."""


def test_a_plan_that_is_killed_at_any_step_is_made_up_for_by_its_retry(
    variables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = BUDGET | {"max_minutes_per_day": 100, "carry_over": True, "max_videos": 2}
    own = {name: getattr(Variables, name) for name in ("keys", "get", "set", "delete")}
    calls, dies_at = 0, 0

    def watched(name: str) -> Any:
        def call(cls: Any, *args: Any, **kwargs: Any) -> Any:
            nonlocal calls
            result = own[name](*args, **kwargs)
            calls += 1
            if calls == dies_at:
                raise KilledError
            return result

        return classmethod(call)

    for name in own:
        monkeypatch.setattr(Variables, name, watched(name))
    was_killed = True
    while was_killed:
        Variables.values = {}
        dies_at += 1
        calls = -1000
        assert plan(Ti("mon"), "a", "b", "c", "d", **given) == ["a", "b"]
        calls, was_killed = 0, False
        try:
            plan(Ti("tue"), "e", **given)
        except KilledError:
            was_killed = True
        calls = -1000
        assert plan(Ti("tue"), "e", **given) == ["c", "d"]
        assert plan(Ti("wed"), **given) == ["e"]
        last = Ti("thu")
        assert plan(last, **given) == []
        assert last.pushed["estimate"]["budgets"][0]["other_runs"] == 5.0
    assert dies_at > 12


def test_a_night_with_nothing_of_its_own_does_not_fail_for_what_waits(variables: Any) -> None:
    given = BUDGET | {"carry_over": True}
    assert plan(Ti("mon"), "a", "b", minutes=1.5, **given) == ["a"]
    lowered = given | {"max_minutes_per_day": 1}
    assert plan(Ti("tue"), now=NOW + timedelta(days=1), **lowered) == []
    assert plan(Ti("wed"), now=NOW + timedelta(days=2), **given) == ["b"]


def test_it_is_told_which_run_left_a_video(variables: Any, log: Any) -> None:
    plan(Ti("mon"), "a", "b", max_videos=1, carry_over=True)
    ti = Ti("tue")
    plan(ti, "c", carry_over=True)
    assert ti.pushed["estimate"]["each"] == [
        {"video": "b", "minutes": 1.0, "left_by": "mon"},
        {"video": "c", "minutes": 1.0},
    ]
    assert "make (carried over from run mon)" in log()


def test_what_one_map_index_leaves_any_of_them_makes(variables: Any) -> None:
    given: dict[str, Any] = {"max_videos": 1, "carry_over": True}
    first, second = Ti("mon"), Ti("mon")
    first.map_index, second.map_index = 0, 1
    assert plan(first, "a", "b", **given) == ["a"]
    assert plan(second, "c", **given) == ["b"]
    one = Ti("tue")
    one.map_index = 0
    assert plan(one, **given) == ["c"]


def test_those_with_the_highest_score_come_first(variables: Any) -> None:
    def score(video: Any) -> float:
        return {"a": 1, "b": 2, "c": 3}[video["videoName"]]

    given = {"max_videos": 1, "carry_over": True, "score": score}
    assert plan(Ti("r"), "a", "b", **given) == ["b"]
    assert plan(Ti("s"), "c", **given) == ["c"]
    assert plan(Ti("t"), **given) == ["a"]


def test_what_waited_too_long_is_given_up(variables: Any) -> None:
    plan(Ti("r"), "a", "b", max_videos=1, carry_over=True)
    late = Ti("s")
    assert plan(late, now=NOW + timedelta(days=3), carry_over=True, max_age="P2D") == []
    assert late.pushed["left_out"] == [
        {
            "video": "b",
            "reason": "it found no room for max_age=2 days, 0:00:00, and is given up.",
            "kind": "limit",
        }
    ]


def test_without_carry_over_nothing_is_kept(variables: Any) -> None:
    plan(Ti("r"), "a", "b", max_videos=1)
    assert not variables.values


@pytest.mark.parametrize("given", [BUDGET, {"carry_over": True}])
def test_where_it_is_kept_is_away_nothing_is_planned(variables: Any, given: dict[str, Any]) -> None:
    variables.away = True
    ti = Ti("r")
    with pytest.raises(SpendingRecordError, match="API") as away:
        plan(ti, "a", **given)
    assert isinstance(away.value, AirflowException)
    assert not isinstance(away.value, AirflowFailException)
    assert ti.pushed.keys() == {"failure"}


@pytest.mark.parametrize("given", [BUDGET, {"carry_over": True}])
def test_a_record_folder_that_is_away_stops_the_plan(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: dict[str, Any]
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "not-mounted"))
    with pytest.raises(SpendingRecordError, match="record_folder"):
        plan(Ti("r"), "a", **given)


@pytest.mark.parametrize("given", [BUDGET, {"carry_over": True}])
def test_below_airflow_3_3_a_record_folder_is_asked_for(
    variables: Any, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    class VariableOf32:
        get, set, delete = Variables.get, Variables.set, Variables.delete

    monkeypatch.setattr("airflow.sdk.Variable", VariableOf32)
    with pytest.raises(ConfigurationError, match="record_folder below Airflow"):
        plan(Ti("r"), "a", **given)


def test_a_budget_without_a_connection_is_named() -> None:
    with pytest.raises(ConfigurationError, match="give video_creation_conn_id=") as wrong:
        plan(Ti("r"), "a", max_minutes_per_day=2)
    assert isinstance(wrong.value, AirflowFailException)


@pytest.mark.parametrize(
    "given",
    [
        {"max_minutes_per_day": 0},
        {"max_minutes_per_month": "many"},
        {"carry_over": "ture"},
        {"score": 5},
    ],
)
def test_a_wrong_argument_fails_while_the_dag_is_parsed(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(given))):
        PlanVideosOperator(task_id="plan", storyboards=[], **given)


@pytest.mark.parametrize(
    "given", [{"budget_timezone": "Mars/Olympus"}, {"max_age": "soon"}, {"max_age": -1}, {"max_age": True}]
)
def test_a_wrong_time_is_named(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(given))):
        plan(Ti("r"), "a", carry_over=False, **given)


@pytest.mark.parametrize(
    "score", [lambda video: video["no such"], lambda _: float("nan"), lambda _: "high", lambda _: None]
)
def test_a_score_that_is_no_number_is_named(variables: Any, score: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"(?s)the video 'a'.*nothing is paid"):
        plan(Ti("r"), "a", carry_over=True, score=score)


def test_a_score_that_nothing_would_ask_for_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="score= and no carry_over"):
        PlanVideosOperator(task_id="plan", storyboards=[], score=len)


def test_tasks_that_are_mapped_by_themselves_are_looked_at_too(variables: Any) -> None:
    with DAG("d"):
        operator = PlanVideosOperator(task_id="plan", storyboards=[], **BUDGET)
        RenderVideoOperator.partial(task_id="render").expand(storyboard_job_id=operator.output)
    operator.storyboards = [storyboard("a")]
    operator.execute({"ti": Ti("r")})  # type: ignore[typeddict-item]
    [note] = variables.values.values()
    assert json.loads(note)["makers"] == {"render": "any"}
