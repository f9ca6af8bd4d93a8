"""``python -m airflow_video_creation.demo``: from an article feed to .mp4 files, on this machine alone.

The last printed line is the path of a video. With ``--serve`` it only serves the sample site and the emulator, and
prints what your own Airflow needs to run the example DAG against them.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import threading
from pathlib import Path

from ..emulator import CannotStartError, Emulator
from ..emulator.extra import MissingExtraError
from .airflow_run import DemoFailedError, airflow_environment, migrate, run_dag, throw_away_home
from .interruption import listen
from .sample_site import sample_site
from .telling import Teller

JOB_SECONDS = 2.0


def main() -> int:
    """Run the demo and return the exit status."""
    arguments = _arguments()
    listen()
    try:
        if arguments.serve:
            return _serve(arguments.folder, arguments.port)
        return _demo(arguments.folder, {"video_width": arguments.width, "video_height": arguments.height})
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except (DemoFailedError, MissingExtraError, CannotStartError) as error:
        print(f"The demo failed: {error}", file=sys.stderr)
        return 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m airflow_video_creation.demo", description=__doc__)
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("build/demo"),
        help="folder for the videos and the log (default: build/demo)",
    )
    parser.add_argument(
        "--width", type=int, default=1280, help="width of the videos in pixels (default: 1280)"
    )
    parser.add_argument(
        "--height", type=int, default=720, help="height of the videos in pixels (default: 720)"
    )
    parser.add_argument("--serve", action="store_true", help="serve the sample site and the emulator only")
    parser.add_argument(
        "--port",
        type=int,
        default=8123,
        help="port of the emulator with --serve; the sample site uses the next port (default: 8123)",
    )
    return parser.parse_args()


def _demo(folder: Path, params: dict[str, int]) -> int:
    folder = folder.resolve()
    videos = folder / "videos"
    videos.mkdir(parents=True, exist_ok=True)
    for earlier in videos.glob("*.mp4"):
        earlier.unlink()
    log_path = folder / "airflow.log"
    teller = Teller()
    teller.say(f"Airflow's own log: {log_path}")
    succeeded = False
    delivered: list[str] = []
    with (
        log_path.open("w", encoding="utf-8") as log,
        throw_away_home() as home,
        sample_site() as site,
        Emulator(job_seconds=JOB_SECONDS, allow_private_networks=True) as emulator,
    ):
        logging.basicConfig(stream=log)
        teller.say(f"The emulator of the service is at {emulator.base_url}, the sample site at {site}")
        environment = airflow_environment(
            home, connection=emulator.connection_json, feed_url=f"{site}/feed.xml", videos_folder=videos
        )
        teller.say("Creating a temporary Airflow database")
        try:
            migrate(environment, log)
            teller.say("Running the DAG articles_to_videos in Airflow")
            for step in run_dag(environment, log, home / "steps.jsonl", params):
                teller.step(step)
                if "run" in step:
                    succeeded = step["state"] == "success"
                elif step["state"] == "success":
                    delivered += step["files"]
        except (DemoFailedError, MissingExtraError, CannotStartError) as error:
            raise DemoFailedError(f"{error}; see {log_path}") from None
    if not succeeded or not delivered:
        raise DemoFailedError(f"the DagRun did not succeed; see {log_path}")
    for path in delivered:
        teller.say(f"{Path(path).stat().st_size / 1e6:5.1f} MB  {Path(path).name}")
    print(delivered[0], flush=True)
    return 0


def _serve(folder: Path, port: int) -> int:
    videos = folder.resolve() / "videos"
    with (
        sample_site(port + 1) as site,
        Emulator(port=port, job_seconds=JOB_SECONDS, allow_private_networks=True) as emulator,
    ):
        lines = (
            "The sample site and the emulator are running. Ctrl-C stops them.",
            f"The emulator's page: {emulator.base_url}/",
            "",
            "Start your Airflow with:",
            "",
            f"export AIRFLOW_CONN_VIDEO_CREATION_DEFAULT='{json.dumps(json.loads(emulator.connection_json))}'",
            f"export AIRFLOW_VAR_ARTICLES_FEED_URL='{site}/feed.xml'",
            f"export AIRFLOW_VAR_PODCAST_FEED_URL='{site}/podcast.xml'",
            f"export AIRFLOW_VAR_VIDEOS_FOLDER='{videos}'",
            "",
            "For subtitled_video and video_summary add a video and its transcript to `airflow dags test`:",
            "",
            f"--conf '{json.dumps({'video_url': f'{site}/ferry.mp4', 'transcript': f'{site}/ferry.srt'})}'",
        )
        print("\n".join(lines), flush=True)
        threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
