"""Where the plugin's pages and its webhook receiver are, below Airflow's address (ours)."""

from __future__ import annotations

URL_PREFIX = "/video_creation"
TASK_PAGES, RUN_PAGES, WEBHOOK = "/tasks", "/videos", "/webhook"
"""Below the prefix."""
TASK_PAGES_PATH = f"{URL_PREFIX}{TASK_PAGES}"
RUN_PAGES_PATH = f"{URL_PREFIX}{RUN_PAGES}"
WEBHOOK_PATH = f"{URL_PREFIX}{WEBHOOK}"
RUN_TAB = "video_creation_run"
"""The tab of a run, in the address that Airflow's UI gives it."""
