"""The table with a record folder, below Airflow 3.3: the same rows, but for what only Airflow's own store can do."""

from __future__ import annotations

from dataclasses import replace

from . import actions
from .scenario import Scenario
from .table import TABLE, at
from .words import ATTACHED, DEFERRED

UNLIKE = {
    # The folder takes the id from the replaced try itself.
    "replaced-try": {"says": ATTACHED},
    # The folder takes it though the API server is away; the deferral must wait for that, or be tried again.
    "api-server": {"says": DEFERRED, "killed": "API server, started again when the id is recorded"},
}
LEFT_OUT = {
    # Nothing calls a trigger's on_kill below 3.3.
    "mark-failed-while-deferred",
    "mark-failed-and-cancel",
}
# fmt: off
REPLACED_EARLY = Scenario("replaced-before-the-intent", "before the intent is stored",
             "nobody: Airflow replaces the try, which goes on once the next one has submitted",
             1, "success",
             dag="replaced", kill=at("before storing intent", who="nobody"),
             act=actions.replace_the_try_before_it_sends)
# fmt: on

RECORD_FOLDER_TABLE = [
    *(replace(row, **UNLIKE.get(row.name, {})) for row in TABLE if row.name not in LEFT_OUT),  # type: ignore[arg-type]
    REPLACED_EARLY,
]
