"""The table with a record folder, below Airflow 3.3: the same rows, without what only Airflow's own store can do."""

from __future__ import annotations

from dataclasses import replace

from . import actions, disturbances
from .scenario import Disturbance, Scenario
from .table import TABLE, at
from .words import ATTACHED

UNTIL_RECORDED = {
    "killed": "API server, restarted once the id is recorded",
    "dag": "replaced",
    "says": ATTACHED,
    "disturbance": Disturbance(disturbances.take_the_api_server_away_until_recorded),
}
UNLIKE = {
    # The folder takes the id from the replaced try itself.
    "replaced-try": {"says": ATTACHED},
    "videos-replaced": {"says": ATTACHED},
    # The folder takes it even without the API server. Then the task's next message to Airflow fails,
    # and so does the try.
    "api-server": UNTIL_RECORDED,
    # While it waits on the worker a task of many videos has nothing to tell Airflow, and does not notice.
    "videos-api-server": {**UNTIL_RECORDED, "dag": "videos_replaced", "says": "6 of 6 delivered"},
}
LEFT_OUT = {
    # Nothing calls a trigger's on_kill below 3.3.
    "mark-failed-while-deferred",
    "mark-failed-and-cancel",
}
# fmt: off
REPLACED_EARLY = Scenario("replaced-before-the-intent", "before the intent is stored",
             "nothing; Airflow replaces the try, which continues after the next try has submitted",
             1, "success",
             dag="replaced", kill=at("before storing intent", who="nobody"),
             act=actions.replace_the_try_before_it_sends)
# fmt: on

RECORD_FOLDER_TABLE = [
    *(replace(row, **UNLIKE.get(row.name, {})) for row in TABLE if row.name not in LEFT_OUT),  # type: ignore[arg-type]
    REPLACED_EARLY,
]
