"""What the demo prints: one line a step."""

from __future__ import annotations

import textwrap
import time
from typing import Any

_RUNNING = {
    "fetch_articles": "reading the feed",
    "create_storyboard": "submitting the storyboard and waiting for its preview",
    "render_video": "submitting the render and waiting for the video",
    "download_video": "downloading the video",
}
_SUCCESS = {
    "fetch_articles": "{count} new articles",
    "make_storyboard": "cut into scenes",
    "plan_videos": "{count} videos are to be made",
    "create_storyboard": "the preview of job {job_id} is there",
    "render_video": "the video of job {job_id} is rendered",
    "download_video": "downloaded",
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

        :param step: as ``airflow_plugin`` tells it.
        """
        if "run" in step:
            self.say(f"The DagRun ended: {step['state']}")
            return
        name = str(step["task"]).rpartition(".")[2]
        key = (str(step["task"]), int(step["map_index"]))
        first_time = key not in self._running
        began = self._running.setdefault(key, step["at"])
        about = f"“{textwrap.shorten(step['article'], 40, placeholder='…')}”: " if step.get("article") else ""
        if step["state"] == "running":
            if first_time and name in _RUNNING:
                self.say(about + _RUNNING[name])
            return
        took = f" ({step['at'] - began:.1f} s)"
        if step["state"] == "failed":
            self.say(f"{about}{name} failed{took}: {step.get('error')}")
        elif name in _SUCCESS:
            self.say(about + _SUCCESS[name].format(**{k: step.get(k) for k in ("job_id", "count")}) + took)
