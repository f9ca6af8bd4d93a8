"""What the demo prints: one line a step."""

from __future__ import annotations

import time
from typing import Any

_RUNNING = {
    "fetch_articles": "reading the feed",
    "make_videos": "making all videos at the same time: storyboard, preview, render, .mp4",
}
_SUCCESS = {
    "fetch_articles": "{count} new articles",
    "make_storyboards": "cut into scenes, {count} storyboards",
    "plan_videos": "{count} videos planned",
    "make_videos": "{count} videos delivered",
    "summarize": "summary written",
}


class Teller:
    """Prints the steps of a run, with the seconds since its start and what each one took."""

    def __init__(self) -> None:
        self._began = time.time()
        self._running: dict[tuple[str, int], float] = {}

    def say(self, text: str) -> None:
        """Print one line with the seconds since the start.

        :param text: what happened.
        """
        print(f"[{time.time() - self._began:6.1f} s]  {text}", flush=True)

    def step(self, step: dict[str, Any]) -> None:
        """Print one step of the run.

        :param step: as ``airflow_plugin`` reports it.
        """
        if "run" in step:
            self.say(f"The DagRun ended: {step['state']}")
            return
        name = str(step["task"]).rpartition(".")[2]
        key = (str(step["task"]), int(step["map_index"]))
        first_time = key not in self._running
        began = self._running.setdefault(key, step["at"])
        if step["state"] == "running":
            if first_time and name in _RUNNING:
                self.say(_RUNNING[name])
            return
        took = f" ({step['at'] - began:.1f} s)"
        if step["state"] == "failed":
            self.say(f"{name} failed{took}: {step.get('error')}")
        elif name in _SUCCESS:
            self.say(_SUCCESS[name].format(count=step.get("count")) + took)
