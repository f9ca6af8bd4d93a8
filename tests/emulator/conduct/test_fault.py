import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from airflow_video_creation.emulator.conduct.fault import Fault, FaultPlan


def kinds(
    plan: FaultPlan, operation: str = "job", path: str = "/api/v1/job/7", job_id: str = "7"
) -> list[str]:
    return [hit.fault.kind for hit in plan.for_call(operation, path, "trees", job_id)]


@pytest.mark.parametrize(
    ("fault", "befalls"),
    [
        (Fault(kind="reset"), True),
        (Fault(kind="reset", on="job"), True),
        (Fault(kind="reset", on="render"), False),
        (Fault(kind="reset", on="/api/v1/job/*"), True),
        (Fault(kind="reset", on="/api/v1/video/*"), False),
        (Fault(kind="reset", video_name="tr*"), True),
        (Fault(kind="reset", video_name="rivers"), False),
        (Fault(kind="reset", probability=0), False),
        (Fault(kind="fail"), False),
    ],
    ids=str,
)
def test_a_fault_befalls_the_calls_it_names(fault: Fault, befalls: bool) -> None:
    assert kinds(FaultPlan((fault,), seed=0)) == (["reset"] if befalls else [])


def test_the_nth_call_is_counted_among_those_that_fit() -> None:
    plan = FaultPlan((Fault(kind="status", on="job", nth=(2, 4)),), seed=0)
    assert kinds(plan, operation="render") == []
    assert [bool(kinds(plan)) for _ in range(5)] == [False, True, False, True, False]


def test_calls_of_each_job_can_be_counted_by_themselves() -> None:
    plan = FaultPlan((Fault(kind="status", on="job", nth=(1,), per_job=True),), seed=0)
    assert [bool(kinds(plan, job_id=job_id)) for job_id in "aabb"] == [True, False, True, False]


@given(seed=st.integers(), probability=st.floats(0, 1))
def test_the_same_seed_decides_alike(seed: int, probability: float) -> None:
    fault = Fault(kind="delay", probability=probability, jitter=5)
    first, second = (
        [[(hit.fault, hit.seconds) for hit in plan.for_call("job", "/", None, "7")] for _ in range(20)]
        for plan in (FaultPlan((fault,), seed), FaultPlan((fault,), seed))
    )
    assert first == second


def test_a_probability_is_about_as_often() -> None:
    plan = FaultPlan((Fault(kind="reset", probability=0.3),), seed=1)
    assert 250 < sum(bool(kinds(plan)) for _ in range(1000)) < 350


def test_a_job_meets_the_first_fault_of_a_job_that_fits() -> None:
    plan = FaultPlan((Fault(kind="reset"), Fault(kind="fail", on="render"), Fault(kind="stall")), seed=0)
    fate = {kind: plan.for_job(kind, "trees") for kind in ("storyboard", "render")}
    assert {kind: fault.kind if fault else None for kind, fault in fate.items()} == {
        "storyboard": "stall",
        "render": "fail",
    }


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": "explode"}, "kind"),
        ({"kind": "reset", "on": "works"}, "on is one of storyboard, job"),
        ({"kind": "fail", "on": "job"}, "a fault of a job is on storyboard, render"),
        ({"kind": "reset", "probability": 2}, "probability"),
        ({"kind": "reset", "nth": [0]}, "nth"),
        ({"kind": "reset", "sometimes": True}, "sometimes"),
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(fields: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Fault.model_validate(fields)
