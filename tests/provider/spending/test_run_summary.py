"""What a person who is paged at night reads, and how the run ends."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.spending.failure import Failure
from airflow_video_creation.provider.spending.run_summary import summarize
from airflow_video_creation.provider.spending.run_task import TaskEnd

SHARE = "https://video.example.com/share?signature=only-for-you"


def rendered(seconds: float) -> dict[str, Any]:
    return {"job_id": "j", "video_url": "https://x", "share_url": SHARE, "duration": seconds}


def night() -> list[TaskEnd]:
    """Of five videos two are made, one is refused, one failed in a way that nobody told, one is rejected."""
    refused = Failure("RequestRefusedError", "refused (400).", "render", 2, video="lamp", status=400)
    names = ["kettle", "radio", "lamp", "teapot", "toaster"]
    return [
        TaskEnd("write", {0: "success", 1: "success", 2: "success", 3: "failed", 4: "success"}, names=names),
        TaskEnd(
            "render",
            {0: "success", 1: "success", 2: "failed", 3: "upstream_failed", 4: "skipped"},
            {0: rendered(90), 1: rendered(30)},
            {2: refused},
            names=names,
        ),
        TaskEnd(
            "download",
            {0: "success", 1: "success", 2: "upstream_failed", 3: "upstream_failed", 4: "skipped"},
            {0: "s3://bucket/kettle.mp4", 1: "s3://bucket/radio.mp4"},
            makes=("render", "download"),
            names=names,
        ),
    ]


def test_it_counts_what_was_made_and_names_what_was_not() -> None:
    summary = summarize(night(), left_out=[{"url": "https://example.com/a", "reason": "robots.txt"}])

    assert summary.headline() == (
        "2 of 6 videos were made, 2.0 minutes; 2 failed, 1 skipped, 1 left out before anything was sent (1 wrong)."
    )
    assert summary.text().splitlines()[1:] == [
        "FAILED in write (1 x failed): teapot",
        "    The log of write[3] says why.",
        "FAILED in render (1 x RequestRefusedError): lamp",
        "    refused (400).",
        "made: kettle, 1.5 min, s3://bucket/kettle.mp4",
        "made: radio, 30 s, s3://bucket/radio.mp4",
        "left out: https://example.com/a: robots.txt",
    ]


def test_the_headline_says_why_so_many_rows_are_no_videos() -> None:
    left_out = [{"video": f"row-{n}", "reason": "too many.", "kind": "limit"} for n in range(2)]
    left_out += [{"video": "row-2", "reason": "no scene.", "kind": "wrong"}]
    left_out += [{"url": "https://example.com/b", "reason": "busy.", "kind": "later"}]
    left_out += [{"url": "https://example.com/c", "reason": "taken.", "kind": "other"}]
    made = TaskEnd("render", {0: "success"}, {0: rendered(90)}, makes=("render",))
    summary = summarize([made], left_out=left_out)

    # Another run's article is not one that this run was asked for.
    assert summary.headline() == (
        "1 of 5 videos were made, 1.5 minutes; 0 failed, 0 skipped, 5 left out before anything was sent "
        "(1 wrong, 2 over a limit, 1 for the next run, 1 perhaps not this run's)."
    )
    assert summary.text().splitlines()[2] == "left out: row-2: no scene."


@pytest.mark.parametrize(
    ("seconds", "headline", "line"),
    [
        (1.4, "1 of 1 videos were made, 1 s; ", "made: render[0], 1 s"),
        (59.4, "1 of 1 videos were made, 59 s; ", "made: render[0], 59 s"),
        (59.7, "1 of 1 videos were made, 1.0 minutes; ", "made: render[0], 1.0 min"),
        (90, "1 of 1 videos were made, 1.5 minutes; ", "made: render[0], 1.5 min"),
    ],
)
def test_a_short_video_has_seconds(seconds: float, headline: str, line: str) -> None:
    summary = summarize([TaskEnd("render", {0: "success"}, {0: rendered(seconds)}, makes=("render",))])

    assert summary.headline().startswith(headline)
    assert line in summary.text().splitlines()


@pytest.mark.parametrize(
    ("video", "headline", "line"),
    [
        (
            "lamp",
            "0 failed, 1 in doubt, 0 skipped",
            "IN DOUBT in create (1 x AmbiguousSubmissionError): lamp",
        ),
        (None, "1 failed, 0 skipped", "FAILED in create (1 x AmbiguousSubmissionError): create[0]"),
    ],
    ids=["a video", "a registration"],
)
def test_a_video_in_doubt_is_counted_as_such(video: str | None, headline: str, line: str) -> None:
    doubt = Failure("AmbiguousSubmissionError", "may be paid for.", "create", 0, video=video)
    ends = [
        TaskEnd("create", {0: "failed"}, failures={0: doubt}),
        TaskEnd("render", {0: "upstream_failed"}, makes=("render",)),
    ]
    summary = summarize(ends)

    assert headline in summary.headline()
    assert line in summary.text().splitlines()
    assert summary.is_failure("any")


def test_share_links_are_in_the_dict_and_not_in_the_text() -> None:
    summary = summarize(night())

    assert [video["share_url"] for video in summary.to_xcom()["videos"]] == [SHARE, SHARE]
    assert "signature" not in summary.text() + repr(summary)


def test_those_that_failed_alike_are_told_once_and_the_cause_before_those_it_stopped() -> None:
    def failed(index: int) -> Failure:
        kind = "AuthenticationError" if index < 3 else "SpendingStoppedError"
        return Failure(kind, f"{kind} says.", "create", index, video=f"v{index}")

    states: dict[int, str | None] = dict.fromkeys(range(20), "failed")
    ends = [TaskEnd("create", states, failures={i: failed(i) for i in range(20)}, makes=("create",))]
    lines = summarize(ends).text().splitlines()

    assert lines[1] == "FAILED in create (3 x AuthenticationError): v0, v1, v2"
    assert lines[3].startswith("FAILED in create (17 x SpendingStoppedError): v3, v4")
    assert lines[3].endswith("and 9 more")


def test_what_most_videos_failed_of_is_told_first() -> None:
    kinds = ["RequestRefusedError"] + 2 * ["AuthenticationError"]
    failures = {i: Failure(kind, f"{kind} says.", "create", i, video=f"v{i}") for i, kind in enumerate(kinds)}
    states: dict[int, str | None] = dict.fromkeys(failures, "failed")

    lines = summarize([TaskEnd("create", states, failures=failures, makes=("create",))]).text().splitlines()

    assert [line for line in lines if line.startswith("FAILED")] == [
        "FAILED in create (2 x AuthenticationError): v1, v2",
        "FAILED in create (1 x RequestRefusedError): v0",
    ]


@pytest.mark.parametrize(
    ("states", "ends"),
    [
        ({0: "success", 1: "success"}, {"none": False, "any": False, "never": False}),
        ({0: "success", 1: "failed"}, {"none": False, "any": True, "never": False}),
        ({0: "failed", 1: "upstream_failed"}, {"none": True, "any": True, "never": False}),
        ({-1: "upstream_failed"}, {"none": True, "any": True, "never": False}),
        ({-1: "skipped"}, {"none": False, "any": False, "never": False}),
        ({0: "skipped", 1: "skipped"}, {"none": False, "any": False, "never": False}),
    ],
    ids=["all made", "one failed", "none made", "nothing to map over", "a quiet night", "all rejected"],
)
def test_how_the_run_ends(states: dict[int, str | None], ends: dict[Any, bool]) -> None:
    summary = summarize([TaskEnd("render", states, makes=("render",))])

    assert {when: summary.is_failure(when) for when in ends} == ends


def test_a_failed_feed_fails_the_run_though_all_that_follows_is_skipped() -> None:
    ends = [TaskEnd("fetch", {-1: "failed"}), TaskEnd("render", {-1: "skipped"}, makes=("render",))]

    assert summarize(ends).is_failure("none")


def test_a_dry_run_tells_the_estimate() -> None:
    summary = summarize(
        [TaskEnd("render", {-1: "skipped"}, makes=("render",))],
        estimate={"videos": 3, "minutes": 4.5, "dry_run": True},
    )

    assert (
        summary.headline()
        == "Dry run: 3 videos would be made, about 4.5 minutes; 0 left out; nothing was sent."
    )
    assert summary.to_xcom()["dry_run"] is True


def test_long_lists_are_cut_in_the_text_only() -> None:
    left_out = [{"video": f"v{number}", "reason": "too many"} for number in range(50)]
    summary = summarize([TaskEnd("render", {-1: "skipped"}, makes=("render",))], left_out=left_out)

    assert len(summary.text().splitlines()) == 22
    assert summary.text().endswith("... and 30 more, in the XCom of this task")
    assert len(summary.to_xcom()["left_out"]) == 50
