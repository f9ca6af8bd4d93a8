"""Where the demo's Airflow finds its plugin, and where that writes."""

from pathlib import Path

PLUGIN_FOLDER = Path(__file__).resolve().parent / "plugins"
STEPS_FILE = "VIDEO_CREATION_DEMO_STEPS"
"""The environment variable that names the file of steps."""
