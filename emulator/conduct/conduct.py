"""The service's behaviour at this moment, and what it counts on the way."""

from __future__ import annotations

from typing import Any

from .behaviour import Behaviour
from .call_log import CallLog
from .fault import FaultPlan
from .rate_limit import TokenBucket


class Conduct:
    """Holds the behaviour, and with it the fault plan, the token bucket and the call log.

    :param start: the behaviour at the start, to which `reset` returns
    """

    def __init__(self, start: Behaviour) -> None:
        self._start = start
        self.calls = CallLog()
        self.resets = 0
        """How often all was forgotten: what arrived before is not acted on after."""
        self._begin(start)

    def change(self, changes: dict[str, Any]) -> Behaviour:
        """Change some options; those which are not named stay. Fault counts and the bucket begin again.

        :param changes: fields of `Behaviour`
        :raises pydantic.ValidationError: when an option is wrong; then nothing changes
        """
        self._begin(Behaviour.model_validate({**self.behaviour.model_dump(), **changes}))
        return self.behaviour

    def reset(self) -> None:
        """Return to the behaviour at the start and forget all calls."""
        self.calls.clear()
        self.resets += 1
        self._begin(self._start)

    def _begin(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.faults = FaultPlan(behaviour.faults, behaviour.seed)
        limit = behaviour.requests_per_minute
        self.bucket = TokenBucket(limit, behaviour.burst) if limit else None
