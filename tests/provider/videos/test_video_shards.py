"""Where the records of many videos stand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.submission.identity.sent_identity import Identity
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.stored_records import frozen, thawed
from airflow_video_creation.provider.videos.cleared_videos import kept_after_clear
from airflow_video_creation.provider.videos.video_shards import (
    OUTCOME,
    SUBMISSIONS,
    VIDEOS_A_SHARD,
    VideoShards,
    asked_for,
    compact,
    identity,
    must_be_stored_first,
    record_in_shard,
    shard_key,
    shard_of_stage,
    stage_of,
)

MOST_BYTES = 64 * 1024
"""Above which Airflow warns of a stored value."""


def stored(shards: VideoShards) -> dict[str, Any]:
    """What stands in the store, as JSON."""
    values = {shard_key(number): shards.shard_json(number) for number in range(shards.count)}
    return dict(json.loads(json.dumps({"index": shards.index_json(), **values})))


def read(values: dict[str, Any]) -> VideoShards:
    shards = VideoShards(values.get("index"))
    for number in range(shards.count):
        shards.take_in(number, values.get(shard_key(number)))
    return shards


@given(st.lists(st.text(max_size=5), unique=True), st.lists(st.text(max_size=5), unique=True))
def test_what_is_kept_is_found_however_the_list_changes(before: list[str], after: list[str]) -> None:
    shards = VideoShards()
    shards.make_room(before)
    for name in before:
        shards.kept(name)[OUTCOME] = {"of": shards.shard_of(name)}

    again = read(stored(shards))
    again.make_room(after)

    for name in before:
        assert again.kept(name) == shards.kept(name)
    for name in after:
        assert again.kept(name) == (shards.kept(name) if identity(name) in shards.names else {})


def test_the_index_says_which_videos_are_asked_for() -> None:
    shards = VideoShards()
    assert shards.make_room(["tide", "mill"])
    assert asked_for(stored(shards)["index"]) == (2, ["tide", "mill"])

    again = read(stored(shards))
    assert not again.make_room(["tide", "mill"]), "a retry writes it once more only when the list has changed"
    assert again.make_room(["mill"])
    assert asked_for(stored(again)["index"]) == (1, ["mill"])


@pytest.mark.parametrize("length", [5, 35, 400])
def test_an_index_of_thousands_stays_below_what_airflow_warns_of(length: int) -> None:
    shards = VideoShards()
    shards.make_room(f"{'é' * (length - 5)}{number:05}" for number in range(2000))
    shards.brake = {"stops": "m" * 1000}

    assert asked_for(stored(shards)["index"])[0] == 2000
    assert len(json.dumps(shards.index_json())) < MOST_BYTES


@pytest.mark.parametrize(
    "index", [None, "half", {"version": 1, "shards": 3}, {"asked": -1}, {"asked": True}, {"names": {}}]
)
def test_an_index_of_another_release_does_not_say_how_many_are_asked_for(index: Any) -> None:
    assert asked_for(index) == (0, [])


def test_a_value_that_was_never_stored_hides_none_behind_it() -> None:
    shards = VideoShards()
    names = [f"v{number}" for number in range(3 * VIDEOS_A_SHARD)]
    shards.make_room(names)
    shards.kept(names[-1])[OUTCOME] = {"state": "failed"}
    values = stored(shards)
    del values[shard_key(0)]

    assert read(values).kept(names[-1])[OUTCOME] == {"state": "failed"}


@pytest.mark.parametrize(
    "spoiled",
    [
        {"index": '{"version": 1, "sha'},
        {"index": {"version": 1}},
        {shard_key(0): '{"version": 1, "vid'},
        {shard_key(0): {"version": 1}},
        {shard_key(0): {"version": 1, "videos": {"v": "half"}}},
    ],
)
def test_what_cannot_be_understood_is_not_taken_for_nothing(spoiled: dict[str, Any]) -> None:
    shards = VideoShards()
    shards.make_room(["v"])
    shards.kept("v")[OUTCOME] = {"state": "delivered"}

    with pytest.raises(ValueError, match="not a record of this provider"):
        read(stored(shards) | spoiled)


def test_letters_that_are_composed_otherwise_are_the_same_name() -> None:
    shards = VideoShards()
    shards.make_room(["caf\u00e9"])
    assert shards.kept("cafe\u0301") is shards.kept("caf\u00e9")


def test_a_full_value_stays_below_what_airflow_warns_of() -> None:
    shards = VideoShards()
    names = [f"a-video-with-a-name-of-some-length-{number:05}" for number in range(VIDEOS_A_SHARD)]
    shards.make_room(names)
    for name in names:
        records = {
            stage_of(0, name, kind): Submission(
                2,
                "completed",
                1763800000.123456,
                1763800000.123456,
                job_id="0f8fad5b-d9cb-469f-a165-70867728950e",
                digests={f"field{number}": "0123456789ab" for number in range(12)},
                subject=f"video {name!r}",
                sent_at=1763800000.654321,
                webhook="video_creation_default",
                identity=Identity("0" * 32, "0" * 64, "0" * 12, "Idempotency-Key", "videoDescription"),
            )
            for kind in ("storyboard", "render")
        }
        shards.kept(name)[SUBMISSIONS] = compact(frozen(records))
        shards.kept(name)[OUTCOME] = {"state": "failed", "message": "m" * 300, "error": "JobFailedError"}

    assert len(json.dumps(shards.shard_json(0))) < MOST_BYTES


def test_the_receiver_finds_a_record_by_its_stage_alone() -> None:
    shards = VideoShards()
    shards.make_room(f"v{number}" for number in range(VIDEOS_A_SHARD + 1))
    stage = stage_of(1, f"v{VIDEOS_A_SHARD}", "render")
    shards.kept(f"v{VIDEOS_A_SHARD}")[SUBMISSIONS] = frozen({stage: Submission(0, "intent", 1.0, 1.0)})

    number = shard_of_stage(stage)
    assert number == 1
    assert record_in_shard(shards.shard_json(number), stage)["state"] == "intent"
    assert record_in_shard(shards.shard_json(number), stage_of(1, "v0", "render")) is None
    assert shard_of_stage("render") is None
    assert shard_of_stage("") is None


def test_what_is_left_out_of_a_record_reads_the_same() -> None:
    record = Submission(1, "submitted", 5.0, 6.0, job_id="j", subject="video 'v'")
    small = compact(frozen({"0.a.render": record}))
    assert thawed(small, ["0.a.render"], 1) == {"0.a.render": record}


def test_a_clear_keeps_what_is_made_or_under_way() -> None:
    before = {
        "made": Submission(1, "completed", 5.0, 5.0, job_id="a"),
        "under way": Submission(1, "submitted", 5.0, 5.0, job_id="b"),
        "failed": Submission(1, "failed", 5.0, 5.0, job_id="c"),
        "in doubt": Submission(1, "intent", 5.0, 5.0),
    }
    kept = kept_after_clear(before, 4, 90.0, told_in_try=1)
    assert [kept[name].generation for name in before] == [4, 4, 1, 1]
    assert kept["under way"].started_at == 90.0
    assert kept_after_clear(kept, 4, 120.0, told_in_try=1) == kept


def test_what_must_be_stored_before_anything_else_is_done() -> None:
    def records(**states: str) -> dict[str, Any]:
        return frozen({kind: Submission(0, state, 1.0, 1.0, job_id="j") for kind, state in states.items()})  # type: ignore[arg-type]

    assert must_be_stored_first(None, records(storyboard="intent"))
    assert must_be_stored_first(records(storyboard="intent"), records(storyboard="submitted"))
    assert must_be_stored_first(records(storyboard="submitted"), records(storyboard="failed"))
    assert must_be_stored_first(
        records(storyboard="completed"), records(storyboard="completed", render="intent")
    )
    assert not must_be_stored_first(records(storyboard="submitted"), records(storyboard="completed"))
    assert not must_be_stored_first(records(storyboard="submitted"), records(storyboard="submitted"))


def test_places_of_videos_of_which_nothing_was_recorded_are_taken_again() -> None:
    names = [f"v{number}" for number in range(4 * VIDEOS_A_SHARD)]
    shards = VideoShards()
    shards.make_room(names)
    shards.kept(names[0])[OUTCOME] = {"state": "delivered"}

    again = read(stored(shards))
    assert not again.make_room(names), "the index must not grow with each try"
    assert again.count == 4
    assert all(len(again.shard_json(number)["videos"]) <= VIDEOS_A_SHARD for number in range(4))


def test_a_doubt_that_no_try_has_told_of_survives_a_clear() -> None:
    before = {"0.a.storyboard": Submission(1, "intent", 5.0, 5.0, try_number=1)}
    untold = kept_after_clear(before, 4, 90.0)
    assert untold["0.a.storyboard"].generation == 4

    told = kept_after_clear(untold, 7, 120.0, told_in_try=2)
    assert told["0.a.storyboard"].generation == 4, "a person has looked, and it is submitted again"
