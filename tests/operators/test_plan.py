"""The plan: what a run makes is decided, and shown, before anything is paid for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowFailException
from airflow.sdk.definitions._internal.mixins import ResolveMixin

from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.provider.errors import ConfigurationError, InvalidRequestError
from airflow_video_creation.provider.models import Storyboard

from ..told_errors import raises_telling


def storyboard(name: str, minutes: float = 1.0, text: str = "x") -> dict[str, Any]:
    return {"videoName": name, "scenes": [{"text": text, "minimumDuration": minutes * 60}]}


class Ti:
    """A running task instance: its XComs, and the states of the tasks before it."""

    dag_id, run_id, task_id, map_index, max_tries, try_number = "d", "r", "plan", -1, 0, 1

    def __init__(self, **states: str) -> None:
        self.pushed: dict[str, Any] = {}
        self.states = states

    def xcom_push(self, key: str, value: Any) -> None:
        self.pushed[key] = json.loads(json.dumps(value, allow_nan=False))

    def get_task_states(self, *, dag_id: str, task_ids: list[str], run_ids: list[str]) -> Any:
        return {
            run_ids[0]: {key: state for key, state in self.states.items() if key.split("_")[0] in task_ids}
        }


def plan(ti: Any = None, params: dict[str, Any] | None = None, **arguments: Any) -> Any:
    operator = PlanVideosOperator(task_id="plan", **arguments)
    context: Any = {"ti": ti or Ti(), "params": params or {}}
    operator.render_template_fields(context)
    return operator.execute(context)


def test_what_fits_is_returned_and_the_rest_is_named(log: Any) -> None:
    ti = Ti()
    given = [storyboard("a"), {"videoName": "bad"}, storyboard("long", 9), storyboard("b", 2)]

    assert plan(ti, storyboards=given, max_minutes=4) == [given[0], given[3]]
    told = [(item["video"], item["kind"]) for item in ti.pushed["left_out"]]
    assert told == [("bad", "wrong"), ("long", "limit")]
    assert ti.pushed["estimate"] == {
        "videos": 2,
        "minutes": 3.0,
        "dry_run": False,
        "each": [{"video": "a", "minutes": 1.0}, {"video": "b", "minutes": 2.0}],
    }
    assert "2 of 4 videos are to be made, about 3.0 minutes (an estimate; max_minutes=4)" in log()


def test_metadata_goes_on_with_its_storyboard() -> None:
    given = [
        storyboard("plain"),
        {"storyboard": storyboard("told"), "metadata": {"script": {"findings": []}}},
    ]

    assert plan(storyboards=given) == given


def test_a_dry_run_checks_and_estimates_and_returns_nothing(log: Any) -> None:
    ti = Ti()

    assert plan(ti, storyboards=[storyboard("a")], dry_run=True) == []
    assert ti.pushed["estimate"]["dry_run"] is True
    assert "This is a dry run" in log()


def test_params_may_set_it_all() -> None:
    arguments = {
        "dry_run": "{{ params.dry_run }}",
        "max_videos": "{{ params.most }}",
        "max_minutes": "{{ params.minutes }}",
    }
    given = [storyboard("a"), storyboard("b")]

    params = {"dry_run": False, "most": 1, "minutes": None}
    assert plan(params=params, storyboards=given, **arguments) == [given[0]]
    assert plan(params={**params, "dry_run": True}, storyboards=given, **arguments) == []


def test_a_skipped_one_keeps_its_place_in_the_list() -> None:
    ti = Ti()
    with pytest.raises(InvalidRequestError):
        plan(ti, storyboards=[None, {"scenes": []}])

    assert [item["video"] for item in ti.pushed["left_out"]] == ["storyboard 1"]


def test_all_wrong_fails_the_task_with_what_is_wrong() -> None:
    ti = Ti()
    with pytest.raises(InvalidRequestError, match="bad") as wrong:
        plan(ti, storyboards=[{"videoName": "bad"}, {"videoName": "worse"}])

    assert isinstance(wrong.value, AirflowFailException)
    assert len(ti.pushed["left_out"]) == 2
    assert ti.pushed["failure"]["kind"] == "InvalidRequestError"


def test_a_limit_that_leaves_nothing_is_a_mistake() -> None:
    with raises_telling(ConfigurationError, r"max_minutes=0.1 .* shortest of 2 is about 2.0 minutes"):
        plan(storyboards=[storyboard("a", 2), storyboard("b", 3)], max_minutes=0.1)


def test_one_with_an_endless_break_stops_no_other() -> None:
    endless = f"<break time='{'9' * 400}s'/>x"

    assert plan(storyboards=[storyboard("a", text=endless), storyboard("b")]) == [storyboard("b")]


@pytest.mark.parametrize("limit", ["max_videos", "max_minutes"])
def test_a_limit_that_no_computer_can_hold_is_named(limit: str) -> None:
    with pytest.raises(ConfigurationError, match=f"has {limit}=1000"):
        plan(storyboards=[storyboard("a")], **{limit: 10**400})


@pytest.mark.parametrize("given", [None, [], [None, None]])
def test_nothing_to_plan_is_a_quiet_night(given: Any) -> None:
    assert plan(storyboards=given) == []


@pytest.mark.parametrize("given", ["text", 5, {"videoName": "a"}])
def test_what_is_no_list_is_named(given: Any) -> None:
    with raises_telling(InvalidRequestError, r"storyboards= of task 'plan'.* .*must be a list"):
        plan(storyboards=given)


@pytest.mark.parametrize(
    ("fetched", "made", "named"),
    [
        ({"fetch": "failed"}, "upstream_failed", "fetch"),
        ({"fetch_0": "success", "fetch_1": "failed"}, "upstream_failed", r"fetch\[1\]"),
        ({"fetch": "success"}, "failed", "make"),
        ({"fetch": "failed"}, "failed", "fetch, make"),
        ({"fetch": "success"}, "skipped", None),
        ({"fetch": "failed"}, "success", None),
    ],
)
def test_nothing_to_plan_after_a_failed_feed_is_no_quiet_night_and_the_first_failed_task_is_named(
    fetched: dict[str, str], made: str, named: str | None
) -> None:
    with DAG("d"):
        fetch = CreateStoryboardOperator(task_id="fetch", storyboard=storyboard("a"))
        make = CreateStoryboardOperator(task_id="make", storyboard=storyboard("a"))
        operator = PlanVideosOperator(task_id="plan", storyboards=make.output)
        fetch >> make
    operator.storyboards = []
    context: Any = {"ti": Ti(**fetched, make=made)}

    if named is None:
        assert operator.execute(context) == []
        return
    with raises_telling(ConfigurationError, rf"no storyboard to plan, .* failed \({named}\)"):
        operator.execute(context)


def test_models_are_taken() -> None:
    model = Storyboard.read(storyboard("a"))
    assert plan(storyboards=[model]) == [storyboard("a")]


def test_an_empty_text_goes_on_to_the_task_that_sends_and_warns() -> None:
    given = {**storyboard("a"), "language": ""}
    assert plan(storyboards=[given]) == [given]


def test_what_another_task_returned_is_data() -> None:
    returned = [storyboard("a", text="{{ 1/0 }} <break time='1s'/> {title}")]

    class Returned(ResolveMixin):
        def iter_references(self) -> Any:
            return iter(())

        def resolve(self, context: Any) -> Any:
            return returned

    assert plan(storyboards=Returned()) == returned


def test_airflows_own_dry_run_still_works() -> None:
    PlanVideosOperator(task_id="plan", storyboards=[], dry_run=True).dry_run()
