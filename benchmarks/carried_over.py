"""Three nights with room for four videos each, on a real Airflow that is killed in the second: which run makes what.

Starts a whole Airflow on PostgreSQL (the cluster of tests/system, whose requirements must be installed), the emulator,
and a feed that publishes 7, then 4 articles, then 1. Each DAG dies at a different moment of its second run. Then one
plan leaves ``--waiting`` videos to the next, which reads all of them.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path
from threading import Thread

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "system"))

from cluster.airflow_cluster import AirflowCluster  # noqa: E402
from cluster.until import until  # noqa: E402

from airflow_video_creation.emulator import Emulator  # noqa: E402

DAGS = {
    "asked_for_the_budget": "after it asked for the budget",
    "reserved_the_budget": "after it reserved the budget",
    "claimed_two_of_three": "while it took what had waited, with its worker",
    "left_to_the_next": "after it left videos to the next run",
    "noted_all": "after its last note",
    "returned": "before its result was stored",
    "making": "the task behind it, with its worker",
}
PUBLISHED = (7, 4, 1)
EXPECTED = ["1 2 3 4", "5 6 7 8", "9 10 11 12"]


class News:
    """A feed, and its pages."""

    def __init__(self) -> None:
        self._items: list[str] = []
        news = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = "<html><body><article><p>The city plants trees, and asks everybody to help.</p>"
                channel = f"<channel><title>News</title>{''.join(news._items)}</channel>"
                feed = f'<rss version="2.0">{channel}</rss>'
                self.send_response(404 if "robots" in self.path else 200)
                self.send_header("Content-Type", "application/xml" if "feed" in self.path else "text/html")
                self.end_headers()
                self.wfile.write((feed if "feed" in self.path else page).encode())

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()

    def publish(self, many: int) -> None:
        """Show so many more entries, each a second after the one before."""
        for _ in range(many):
            number = len(self._items) + 1
            at = datetime.now(UTC) - timedelta(hours=1) + timedelta(seconds=number)
            date = at.strftime("%a, %d %b %Y %H:%M:%S GMT")
            link = f"<link>{self.url}/{number}</link>"
            self._items.insert(0, f"<item><title>{number}</title>{link}<pubDate>{date}</pubDate></item>")


def seconds_of(cluster: AirflowCluster, run_id: str) -> float:
    """How long the plan of many videos took."""
    [(seconds,)] = cluster.database.query(
        "SELECT duration FROM task_instance WHERE dag_id = 'many' AND task_id = 'plan' AND run_id = %s",
        run_id,
    )
    return float(seconds)


def main() -> None:
    """Run the nights of all DAGs side by side."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record-folder", action="store_true", help="keep notes there, not in Variables")
    parser.add_argument("--waiting", type=int, default=5000, help="videos of the plan that leaves many")
    parser.add_argument("--keep-logs", type=Path, help="copy all logs into this folder")
    parser.add_argument("--only-waiting", action="store_true", help="leave the nights out")
    chosen = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, Airflow "
        f"{metadata.version('apache-airflow')}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}\n"
    )
    news = News()
    emulator = Emulator(instant=True, job_seconds=1.0, allow_private_networks=True)
    with tempfile.TemporaryDirectory(prefix="carried-") as folder, emulator:
        variables = {
            "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": emulator.connection_json,
            "CARRIED_FOLDER": folder,
            "CARRIED_FEED": f"{news.url}/feed.xml",
        }
        if chosen.record_folder:
            variables["AIRFLOW__VIDEO_CREATION__RECORD_FOLDER"] = folder
        with AirflowCluster("LocalExecutor", HERE / "carried_dags", {*DAGS, "many"}, variables) as cluster:
            try:
                if not chosen.only_waiting:
                    play_nights(cluster, news)
                    show_nights(cluster, emulator)
                if chosen.waiting:
                    show_waiting(cluster, chosen.waiting)
            finally:
                if chosen.keep_logs:
                    cluster.copy_logs(chosen.keep_logs)


def wait_for_runs(cluster: AirflowCluster, runs: int) -> None:
    """Until so many runs have ended."""

    def ended() -> bool:
        rows = cluster.database.query("SELECT count(*) FROM dag_run WHERE state IN ('success', 'failed')")
        return int(rows[0][0]) == runs

    until(f"the end of {runs} runs", ended, patience=900)


def play_nights(cluster: AirflowCluster, news: News) -> None:
    """Three runs of each DAG, one after the other."""
    for night, published in enumerate(PUBLISHED, 1):
        news.publish(published)
        for dag_id in DAGS:
            cluster.rest.trigger(dag_id, f"night-{night}", {})
        wait_for_runs(cluster, night * len(DAGS))


def show_nights(cluster: AirflowCluster, emulator: Emulator) -> None:
    """What the service was asked to make for each night."""
    tries = dict(
        cluster.database.query(
            "SELECT dag_id, max(try_number) FROM task_instance WHERE run_id = 'night-2' GROUP BY dag_id"
        )
    )
    storyboards = [call["name"] for call in emulator.admin.calls("storyboard") if call["acted"]]
    renders = [call["name"] for call in emulator.admin.calls("render") if call["acted"]]
    print("| night 2 was killed | night 1 | night 2 | night 3 | renders | tries |\n|---|---|---|---|---|---|")
    wrong = []
    for dag_id, moment in DAGS.items():
        made = [name.split()[1] for name in storyboards if name.split()[0] == dag_id]
        nights = [" ".join(made[:4]), " ".join(made[4:8]), " ".join(made[8:])]
        rendered = sum(name.split()[0] == dag_id for name in renders)
        print(f"| {moment} | {' | '.join(nights)} | {rendered} | {tries[dag_id]} |")
        if nights != EXPECTED or rendered != sum(PUBLISHED) or tries[dag_id] < 2:
            wrong.append(dag_id)
    assert not wrong, wrong


def show_waiting(cluster: AirflowCluster, many: int) -> None:
    """How long plans take that leave, and read, many videos."""
    before = int(cluster.database.query("SELECT count(*) FROM dag_run")[0][0])
    for number, (run_id, videos) in enumerate((("leaves", many), ("looks", 0)), 1):
        cluster.rest.trigger("many", run_id, {"videos": videos})
        wait_for_runs(cluster, before + number)
    print(
        f"\nA plan that leaves {many - 1} videos took {seconds_of(cluster, 'leaves'):.0f} s; the next one, which reads "
        f"all of them, {seconds_of(cluster, 'looks'):.0f} s."
    )


if __name__ == "__main__":
    main()
