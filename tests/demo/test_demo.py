"""The demo, as far as it takes no minute; tests/system/test_demo.py plays it to the end."""

import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from urllib.request import urlopen

import pytest

from airflow_video_creation.demo.sample_site import last_night, sample_site

DEMO = [sys.executable, "-m", "airflow_video_creation.demo"]


def test_being_stopped_leaves_nothing_running(tmp_path):
    demo = subprocess.Popen([*DEMO, "--folder", str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert demo.stdout
    first_lines = [demo.stdout.readline() for _ in range(3)]
    demo.send_signal(signal.SIGINT)
    assert demo.wait(timeout=60) == 130
    address = re.search(r"http://127.0.0.1:\d+", "".join(first_lines))
    assert address
    with pytest.raises(OSError, match="refused"):
        urlopen(address[0])
    left = [
        path.parent
        for path in Path("/proc").glob("[0-9]*/environ")
        if str(tmp_path).encode() in environ(path)
    ]
    assert left == [], "a process of the demo goes on"


def test_serving_prints_the_address_of_the_emulators_page(tmp_path):
    command = [*DEMO, "--serve", "--port", str(two_free_ports()), "--folder", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout
        try:
            printed = "".join(takewhile(lambda line: not line.startswith("--conf"), demo.stdout))
            address = re.search(r"^The emulator's page: (http://\S+/)$", printed, re.MULTILINE)
            assert address, printed
            assert "<html" in urlopen(address[1]).read().decode()
        finally:
            demo.send_signal(signal.SIGINT)


def two_free_ports():
    while True:
        with socket.create_server(("127.0.0.1", 0)) as listener, suppress(OSError, OverflowError):
            port = listener.getsockname()[1]
            socket.create_server(("127.0.0.1", port + 1)).close()
            return port


def environ(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_the_sample_feed_is_news_to_a_night_run_and_to_a_run_by_hand():
    with sample_site() as site:
        feed = urlopen(f"{site}/feed.xml").read().decode()
    published = [
        datetime.strptime(text, "%a, %d %b %Y %H:%M:%S %z") for text in re.findall("<pubDate>(.*?)<", feed)
    ]
    now = datetime.now(UTC)
    assert len(published) == 3
    for moment in published:
        assert moment < last_night(now), "a run that was due last night would not see it"
        assert (now - moment).days < 2, "a run by hand would not see it"


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (datetime(2026, 3, 1, 3, 0, tzinfo=UTC), datetime(2026, 3, 1, 3, 0, tzinfo=UTC)),
        (datetime(2026, 3, 1, 2, 59, tzinfo=UTC), datetime(2026, 2, 28, 3, 0, tzinfo=UTC)),
        (datetime(2026, 3, 1, 23, 0, tzinfo=UTC), datetime(2026, 3, 1, 3, 0, tzinfo=UTC)),
    ],
)
def test_the_last_night_is_the_last_0300_utc(now, due):
    assert last_night(now) == due
