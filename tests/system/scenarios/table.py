"""The table: what is killed at which moment, and the expected outcome."""

from __future__ import annotations

from . import actions, disturbances
from .scenario import Disturbance, Scenario
from .services import CANCELLING, FETCHING, KEYED, KILLED, LISTING, MARKING
from .words import (
    ANOTHER,
    ATTACHED,
    CANCELLED,
    CLEARED,
    FAILED_BEFORE,
    FOUND,
    GOES_ON,
    IN_DOUBT,
    KEPT_VIDEOS,
    LEFT_ALONE,
    NOT_STORED,
    NOT_THERE,
    REPLACED,
    SAME_KEY,
)

TRIGGERER = Disturbance(disturbances.kill_the_triggerer)
ONE_OF_TWO_TRIGGERERS = Disturbance(disturbances.kill_one_of_two_triggerers)
SCHEDULER = Disturbance(disturbances.kill_the_scheduler)
WORKERS_HOST = Disturbance(disturbances.kill_the_workers_host)
API_SERVER = Disturbance(disturbances.take_the_api_server_away)
TRIGGERER_TWICE = Disturbance(disturbances.kill_the_triggerer_twice)

TASK, WORKER = "task process", "task process and its worker"
CLEARED_BY_A_PERSON, MARKED_FAILED = "cleared by a person", "marked failed by a person"
TRIGGERER_AGAIN, SCHEDULER_AGAIN = "triggerer, restarted", "scheduler, restarted"
WORKERS_HOST_AGAIN = "the workers' host (with LocalExecutor the scheduler's too), restarted"
API_SERVER_AGAIN = "API server, restarted while the task tries to store the record"


def at(moment: str, **more: str) -> dict[str, str]:
    """The configuration of a kill point."""
    return {"kill_at": moment, **more}


# fmt: off
TASK_KILLED = [
    Scenario("before-the-intent", "before the intent is stored", TASK, 1, "success",
             kill=at("before storing intent")),
    Scenario("before-the-post", "between intent and POST", TASK, 0, "failed", IN_DOUBT,
             kill=at("after storing intent")),
    Scenario("before-the-answer", "between POST and answer", TASK, 1, "failed", IN_DOUBT,
             act=actions.kill_during_the_post,
             faults=[{"kind": "delay", "on": "storyboard", "when": "after", "seconds": 60}]),
    Scenario("before-the-record", "between POST and record", TASK, 1, "failed", IN_DOUBT,
             kill=at("before storing submitted"), connection=FETCHING, few=True),
    Scenario("before-the-record-worker", "between POST and record", WORKER, 1, "failed", IN_DOUBT,
             kill=at("before storing submitted", who="worker")),
    Scenario("before-the-deferral", "between record and deferral", TASK, 1, "success", ATTACHED,
             kill=at("before deferring"), connection=FETCHING, few=True),
    Scenario("before-the-deferral-worker", "between record and deferral", WORKER, 1, "success", ATTACHED,
             kill=at("before deferring", who="worker")),
    Scenario("after-the-result", "after the result, before Airflow knows; deferrable", TASK,
             1, "success", ATTACHED,
             kill=at("after the result")),
    Scenario("after-the-result-worker", "after the result, before Airflow knows; deferrable", WORKER,
             1, "success", ATTACHED,
             kill=at("after the result", who="worker")),
    Scenario("after-the-result-on-worker", "after the result, before Airflow knows; waiting on the worker", TASK,
             1, "success", ATTACHED,
             dag="storyboard_on_worker", kill=at("after the result")),
    Scenario("after-the-result-not-waiting", "after the result, before Airflow knows; not waiting", TASK,
             1, "success", ATTACHED,
             dag="submission_only", kill=at("after the result")),
    Scenario("during-the-wait-on-worker", "during the wait on the worker", TASK, 1, "success", ATTACHED,
             dag="storyboard_on_worker", stalled=True, act=actions.kill_during_the_wait),
    Scenario("video-before-the-render", "video: storyboard finished, before the render's intent is stored", TASK,
             1, "success", ATTACHED,
             dag="video", kill=at("before storing intent", stage="render"), renders=1),
    Scenario("video-before-the-renders-record", "video: between the render's POST and its record", TASK,
             1, "failed", IN_DOUBT,
             dag="video", kill=at("before storing submitted", stage="render"), renders=1),
    Scenario("video-in-the-render", "video: between the render's record and deferral", TASK,
             1, "success", ATTACHED,
             dag="video", kill=at("before deferring", stage="render"), connection=FETCHING, renders=1),
]

# The service lists its jobs, by name or by mark, or takes idempotency keys.
SETTLED = [
    Scenario("listing-before-the-intent", "before the intent is stored; the service lists its jobs", TASK,
             1, "success",
             kill=at("before storing intent"), connection=LISTING),
    Scenario("listing-before-the-post", "between intent and POST; the service lists its jobs", TASK,
             1, "success", NOT_THERE,
             kill=at("after storing intent"), connection=LISTING),
    Scenario("listing-before-the-record", "between POST and record; the service lists its jobs", TASK,
             1, "success", FOUND,
             kill=at("before storing submitted"), connection=LISTING),
    Scenario("listing-before-the-deferral", "between record and deferral; the service lists its jobs", TASK,
             1, "success", ATTACHED,
             kill=at("before deferring"), connection=LISTING),
    Scenario("marking-before-the-post", "between intent and POST; the service lists its jobs, with marks", TASK,
             1, "success", NOT_THERE,
             kill=at("after storing intent"), connection=MARKING),
    Scenario("marking-before-the-record", "between POST and record; the service lists its jobs, with marks", TASK,
             1, "success", FOUND,
             kill=at("before storing submitted"), connection=MARKING),
    Scenario("keyed-before-the-intent", "before the intent is stored; the service takes idempotency keys", TASK,
             1, "success",
             kill=at("before storing intent"), connection=KEYED),
    Scenario("keyed-before-the-post", "between intent and POST; the service takes idempotency keys", TASK,
             1, "success", SAME_KEY,
             kill=at("after storing intent"), connection=KEYED),
    Scenario("keyed-before-the-record", "between POST and record; the service takes idempotency keys", TASK,
             1, "success", SAME_KEY,
             kill=at("before storing submitted"), connection=KEYED),
    Scenario("keyed-before-the-deferral", "between record and deferral; the service takes idempotency keys", TASK,
             1, "success", ATTACHED,
             kill=at("before deferring"), connection=KEYED),
    Scenario("video-listing-before-the-renders-record",
             "video: between the render's POST and its record; the service lists its jobs", TASK,
             1, "success", FOUND,
             dag="video", kill=at("before storing submitted", stage="render"), connection=LISTING, renders=1),
]

MANY = {"dag": "videos_on_worker", "renders": 6}
STALLED_VIDEOS = {"kind": "stall", "on": "storyboard"}


def all_stalled(name: str) -> list[dict[str, str]]:
    """The storyboards of a task that makes many videos do not end by themselves."""
    return [{**STALLED_VIDEOS, "video_name": f"{name} *"}]


# One task that makes six videos, one after the other where it is killed itself.
MANY_VIDEOS = [
    Scenario("videos", "six videos in one task", "nothing", 6, "success", dag="videos_together", renders=6,
             few=True),
    Scenario("videos-before-the-intent", "six videos: before the first intent is stored", TASK, 6, "success",
             kill=at("before storing intent", stage="storyboard"), **MANY),
    Scenario("videos-before-the-record", "six videos: between the first POST and its record", TASK,
             6, "failed", IN_DOUBT,
             kill=at("before storing submitted", stage="storyboard"), dag="videos_on_worker", renders=5, few=True),
    Scenario("videos-before-a-renders-record", "six videos: between a render's POST and its record", TASK,
             6, "failed", IN_DOUBT,
             kill=at("before storing submitted", stage="render"), **MANY),
    Scenario("videos-before-the-record-worker", "six videos: between the first POST and its record", WORKER,
             6, "failed", IN_DOUBT,
             kill=at("before storing submitted", stage="storyboard", who="worker"), dag="videos_on_worker", renders=5),
    Scenario("videos-listing",
             "six videos: between the first POST and its record; the service lists its jobs", TASK,
             6, "success", FOUND,
             kill=at("before storing submitted", stage="storyboard"), connection=LISTING, **MANY),
    Scenario("videos-keyed",
             "six videos: between the first POST and its record; the service takes idempotency keys", TASK,
             6, "success", SAME_KEY,
             kill=at("before storing submitted", stage="storyboard"), connection=KEYED, **MANY),
    Scenario("videos-before-the-deferral", "six videos: before deferral", TASK, 6, "success", ATTACHED,
             kill=at("before deferring"), dag="videos_together", renders=6),
    Scenario("videos-after-the-result", "six videos: after the result, before Airflow knows", TASK, 6, "success",
             KEPT_VIDEOS, kill=at("after the result"), **MANY),
    Scenario("videos-on-worker", "six videos: between a render's record and its end; waiting on the worker", TASK,
             6, "success", ATTACHED,
             dag="videos_on_worker", kill=at("after storing submitted", stage="render"), renders=6),
    Scenario("videos-moved-list", "six videos: between the first record and its end", "the list of videos changes",
             4, "success", LEFT_ALONE,
             dag="videos_moved_list", kill=at("after storing submitted", stage="storyboard", who="nobody"),
             act=actions.move_the_list_of_one, renders=3),
    Scenario("videos-replaced", "six videos: between the first POST and its record",
             "nothing; Airflow misses its heartbeat and replaces the try", 6, "success", REPLACED,
             dag="videos_replaced", kill=at("before storing submitted", stage="storyboard", who="nobody"),
             act=actions.replace_the_try, renders=6),
    Scenario("videos-cleared-while-deferred", "six videos: while deferred", CLEARED_BY_A_PERSON, 6, "success", ATTACHED,
             dag="videos_together", renders=6, faults=all_stalled("videos-cleared-while-deferred"),
             act=actions.clear_many_while_deferred),
    Scenario("videos-cleared-after-success", "six videos: after success",
             CLEARED_BY_A_PERSON, 6, "success", KEPT_VIDEOS,
             act=actions.clear_after_success, **MANY),
    Scenario("videos-marked-failed", "six videos: while deferred", MARKED_FAILED, 6, "failed",
             dag="videos_together", faults=all_stalled("videos-marked-failed"),
             act=actions.mark_failed_while_deferred),
    Scenario("videos-failed-job", "six videos: during a wait", "a job fails", 7, "success",
             FAILED_BEFORE,
             faults=[{"kind": "fail", "on": "storyboard", "nth": [1], "video_name": "videos-failed-job 3"}], **MANY),
]

# Changed by Airflow itself, or between two tries.
CHANGED_UNDER_WAY = [
    Scenario("moved-list", "between record and deferral; two mapped jobs", "both tasks, and their list is reversed",
             2, "failed", ANOTHER,
             dag="moved_list", kill=at("before deferring", who="nobody"),
             act=actions.move_the_list),
    Scenario("replaced-try", "between POST and record", "nothing; Airflow misses its heartbeat and replaces the try",
             1, "success", REPLACED,
             dag="replaced", kill=at("before storing submitted", who="nobody"), act=actions.replace_the_try),
]

# Airflow stops a cleared task that runs, then raises its max_tries as if it were cleared after its end. Seen: with
# retries=2 always (6 of 6), with retries=0 in 3 of 6; otherwise the next try counts as a retry.
STOPPED_BY_A_PERSON = [
    Scenario("clear-while-deferred", "while deferred", CLEARED_BY_A_PERSON, 2, "success", CLEARED,
             stalled=True, act=actions.clear_while_deferred),
    Scenario("clear-while-deferred-no-retries", "while deferred; retries=0", CLEARED_BY_A_PERSON,
             2, "success", CLEARED,
             dag="storyboard_no_retries", stalled=True, act=actions.clear_while_deferred),
    Scenario("clear-while-running", "while it waits on the worker", CLEARED_BY_A_PERSON,
             2, "success", CLEARED,
             dag="storyboard_on_worker", stalled=True, act=actions.clear_while_running,
             instead=(1, ATTACHED)),
    Scenario("clear-while-running-no-retries", "while it waits on the worker; retries=0", CLEARED_BY_A_PERSON,
             2, "success", CLEARED,
             dag="storyboard_on_worker_no_retries", stalled=True, act=actions.clear_while_running,
             instead=(1, ATTACHED)),
    Scenario("clear-after-success", "after success", CLEARED_BY_A_PERSON, 2, "success", CLEARED,
             act=actions.clear_after_success),
    Scenario("clear-after-success-no-retries", "after success; retries=0", CLEARED_BY_A_PERSON,
             2, "success", CLEARED,
             dag="storyboard_no_retries", act=actions.clear_after_success),
    Scenario("mark-failed-while-deferred", "while deferred", MARKED_FAILED, 1, "failed", GOES_ON,
             stalled=True, act=actions.mark_failed_while_deferred),
    Scenario("mark-failed-and-cancel", "while deferred; the service can cancel jobs", MARKED_FAILED,
             1, "failed", CANCELLED,
             stalled=True, act=actions.mark_failed_while_deferred, connection=CANCELLING, cancels=1),
]

SERVICE = [
    Scenario("failed-job", "during the wait", "the job fails", 2, "success", FAILED_BEFORE,
             faults=[{"kind": "fail", "on": "storyboard", "nth": [1]}]),
    Scenario("killed-service", "during the wait", "the service, restarted", 1, "success",
             stalled=True, act=actions.kill_the_service, connection=KILLED),
]

ROLE_KILLED = [
    Scenario("triggerer", "during the wait", TRIGGERER_AGAIN, 1, "success",
             stalled=True, act=actions.wait_deferred, disturbance=TRIGGERER, after=actions.complete,
             connection=FETCHING, few=True),
    Scenario("triggerer-sensor", "during the wait of a sensor", TRIGGERER_AGAIN, 1, "success",
             dag="sensor", stalled=True, act=actions.wait_deferred, disturbance=TRIGGERER,
             after=actions.complete),
    Scenario("triggerer-video", "video: during the storyboard's wait", TRIGGERER_AGAIN, 1, "success",
             dag="video", stalled=True, act=actions.wait_deferred, disturbance=TRIGGERER,
             after=actions.complete, renders=1),
    Scenario("one-of-two-triggerers", "during the wait", "one of two triggerers, the one that waits; not restarted",
             1, "success",
             stalled=True, act=actions.wait_deferred, disturbance=ONE_OF_TWO_TRIGGERERS,
             after=actions.complete),
    Scenario("scheduler-deferred", "during the wait", SCHEDULER_AGAIN, 1, "success",
             stalled=True, act=actions.wait_deferred, disturbance=SCHEDULER, after=actions.complete),
    Scenario("scheduler-on-worker", "during the wait on the worker", SCHEDULER_AGAIN, 1, "success",
             dag="storyboard_on_worker", stalled=True, act=actions.wait_polled, disturbance=SCHEDULER,
             after=actions.complete),
    Scenario("workers-host-on-worker", "during the wait on the worker", WORKERS_HOST_AGAIN, 1, "success", ATTACHED,
             dag="storyboard_on_worker", stalled=True, act=actions.wait_polled, disturbance=WORKERS_HOST,
             after=actions.complete),
    Scenario("api-server", "between POST and record", API_SERVER_AGAIN, 1, "success", NOT_STORED,
             kill=at("before storing submitted", who="nobody"), act=actions.wait_held,
             disturbance=API_SERVER),
    Scenario("videos-triggerer", "six videos: while deferred", TRIGGERER_AGAIN, 6, "success",
             dag="videos_together", renders=6, faults=all_stalled("videos-triggerer"),
             act=actions.wait_for_a_triggerer,
             disturbance=TRIGGERER, after=actions.complete),
    Scenario("videos-two-triggerers", "six videos: while deferred",
             "one of two triggerers, the one that waits; not restarted", 6, "success",
             dag="videos_together", renders=6, faults=all_stalled("videos-two-triggerers"),
             act=actions.wait_for_a_triggerer,
             disturbance=ONE_OF_TWO_TRIGGERERS, after=actions.complete),
    Scenario("videos-scheduler", "six videos: while deferred", SCHEDULER_AGAIN, 6, "success",
             dag="videos_together", renders=6, faults=all_stalled("videos-scheduler"),
             act=actions.wait_for_a_triggerer,
             disturbance=SCHEDULER, after=actions.complete),
    Scenario("videos-workers-host", "six videos: while it waits on the worker", WORKERS_HOST_AGAIN, 6, "success",
             ATTACHED,
             dag="videos_on_worker", renders=6, faults=[{**STALLED_VIDEOS, "video_name": "videos-workers-host 0"}],
             act=actions.wait_polled, disturbance=WORKERS_HOST, after=actions.complete),
    Scenario("videos-api-server", "six videos: between the first POST and its record", API_SERVER_AGAIN, 6, "success",
             NOT_STORED,
             dag="videos_on_worker", renders=6,
             kill=at("before storing submitted", stage="storyboard", who="nobody"), act=actions.wait_held,
             disturbance=API_SERVER),
    Scenario("night", "200 mapped jobs: while they are submitted, and while all wait", "triggerer, twice",
             200, "success",
             dag="night", faults=[{"kind": "stall", "on": "storyboard", "video_name": "night *"}],
             disturbance=TRIGGERER_TWICE, after=actions.complete, patience=900),
]
# fmt: on

TABLE = [
    *TASK_KILLED,
    *SETTLED,
    *MANY_VIDEOS,
    *CHANGED_UNDER_WAY,
    *STOPPED_BY_A_PERSON,
    *SERVICE,
    *ROLE_KILLED,
]
