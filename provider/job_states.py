"""The states of a job, in our words; a connection's ``state_words`` translate a service's own (source: DESIGN.md).

| state       | the job                                              |
|-------------|------------------------------------------------------|
| in-progress | goes on, or the service tells a word that is unknown |
| completed   | has a result                                         |
| failed      | has ended without a result                           |
| cleaned     | had a result, which the service has removed          |
"""

from __future__ import annotations

from typing import Literal, get_args

JobState = Literal["in-progress", "completed", "failed", "cleaned"]
JOB_STATES: tuple[JobState, ...] = get_args(JobState)
