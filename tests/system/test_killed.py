"""Every row of the table, on each executor."""

from __future__ import annotations

from typing import Any

from scenarios.scenario import Scenario


def test_what_comes_of_it(night: Any, scenario: Scenario) -> None:
    outcome = night.outcomes[scenario.name]
    told = f"{outcome.trouble}\n{outcome.events}\n{outcome.log}"
    counts = f"{outcome.submissions} submitted, {outcome.renders} rendered, {outcome.cancels} cancelled"
    assert scenario.is_met_by(outcome), f"{counts}, {outcome.state}; expected: {scenario}\n{told}"
