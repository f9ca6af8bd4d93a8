"""`python -m airflow_video_creation.emulator`: starts an emulator and says how Airflow reaches it."""

from __future__ import annotations

import argparse
import json
import logging
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from .airflow_connection import ENVIRONMENT_VARIABLE, airflow_connection, as_json, as_uri
from .extra import MissingExtraError, require_extra
from .process.listening import base_url_of, open_listener
from .start_errors import CannotStartError

if TYPE_CHECKING:
    from .settings import Settings

DEFAULT_PORT = 8123


def main(arguments: list[str] | None = None) -> int:
    """Run an emulator until Ctrl-C.

    :param arguments: of the command line; absent: those of this process
    :return: exit status
    """
    options = vars(_parser().parse_args(arguments))
    try:
        require_extra()
        _serve(_settings(options))
    except (MissingExtraError, CannotStartError, ValueError) as error:
        return _refuse(error)
    except KeyboardInterrupt:
        return 0
    return 0


def _settings(options: dict[str, Any]) -> Settings:
    from .settings import Settings

    asked_for = {name: value for name, value in options.items() if value is not None}
    asked_for["faults"] = [_json("--fault", fault) for fault in options["faults"] or ()]
    asked_for["dialect"] = _json("--dialect", options["dialect"] or "{}")
    return Settings.of(**asked_for)


def _json(option: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{option} needs a JSON object, which this is not ({error}): {text}") from None


def _serve(settings: Settings) -> None:
    from .process.serving import serve

    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M:%S"
    )
    # The server hands a SIGTERM on when it has stopped; as an exception it lets the temporary folder go.
    signal.signal(signal.SIGTERM, _interrupt)
    with open_listener(settings.host, settings.port) as listener:
        base_url = base_url_of(listener)
        serve(settings, listener, lambda _server: _announce(base_url, settings))


def _announce(base_url: str, settings: Settings) -> None:
    connection = airflow_connection(base_url, behaviour=settings, further_paths=settings.further_paths)
    lines = (
        f"The service is at {base_url} (its index page: {base_url}/, its operations: {base_url}/docs).",
        f"Jobs and videos are kept in {settings.folder}."
        if settings.folder
        else "Jobs and videos are deleted when it stops; --folder keeps them.",
        "The connection for Airflow, as a URI or as JSON; set one of them where Airflow starts:",
        f"export {ENVIRONMENT_VARIABLE}='{as_uri(connection)}'",
        f"export {ENVIRONMENT_VARIABLE}='{as_json(connection)}'",
        "Or add it to Airflow's database:",
        f"airflow connections add video_creation_default --conn-json '{as_json(connection)}'",
        "Ctrl-C stops it.",
    )
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _refuse(error: Exception) -> int:
    sys.stderr.write(f"{error}\n")
    return 2


def _interrupt(_signal: int, _frame: Any) -> NoReturn:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m airflow_video_creation.emulator",
        description="A stand-in for the text-to-video service, with real previews and real .mp4 files.",
    )
    place = parser.add_argument_group("where")
    place.add_argument("--host", help="address to bind (127.0.0.1)")
    place.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port to bind; 0 takes a free one (8123)"
    )
    place.add_argument("--folder", type=Path, help="where jobs and media are kept for the next start too")
    place.add_argument(
        "--allow-private-networks",
        action="store_true",
        help="fetch background pictures from, and deliver webhooks to, addresses that are not public",
    )
    place.add_argument(
        "--media-folder",
        type=Path,
        metavar="DIR",
        help="stands in for private storage: s3://a/b.mp4 is DIR/a/b.mp4",
    )
    place.add_argument(
        "--s3-endpoint",
        metavar="URL",
        help="stands in for private storage: s3://a/b.mp4 is URL/a/b.mp4, unsigned",
    )
    place.add_argument(
        "--further-paths",
        action="store_true",
        help="the printed connection includes what comparable services have, such as the list of jobs",
    )
    jobs = parser.add_argument_group("jobs")
    jobs.add_argument(
        "--instant", action="store_true", help="tiny placeholder media, and no time unless asked for"
    )
    jobs.add_argument(
        "--job-seconds", type=float, metavar="S", help="the least number of seconds that a job takes (2)"
    )
    jobs.add_argument(
        "--job-spread", type=float, metavar="SIGMA", help="log-normal spread around --job-seconds (0)"
    )
    jobs.add_argument("--job-polls", type=int, metavar="N", help="a job is complete at its N-th poll")
    jobs.add_argument("--render-slots", type=int, metavar="N", help="videos made at the same time (2)")
    jobs.add_argument(
        "--job-slots",
        type=int,
        metavar="N",
        help="jobs of both kinds under way at the same time, instead",
    )
    wrong = parser.add_argument_group("misbehaviour (docs/reference/emulator.md shows each)")
    wrong.add_argument("--fault", action="append", dest="faults", metavar="JSON", help="may be given again")
    wrong.add_argument("--seed", type=int, help="seed for everything random (0)")
    wrong.add_argument("--token-seconds", type=float, metavar="S", help="validity of a fetched token (3600)")
    wrong.add_argument(
        "--requests-per-minute", type=float, metavar="N", help="calls above this limit are answered 429"
    )
    wrong.add_argument("--burst", type=int, metavar="N", help="size of a burst that the limit allows (20)")
    wrong.add_argument("--retry-after", help="header of a 429: seconds (the default), date, absent or absurd")
    wrong.add_argument(
        "--idempotency-header", metavar="NAME", help="header whose repeated value gets the first reply again"
    )
    wrong.add_argument(
        "--quota-minutes", type=float, metavar="N", help="minutes of video; above that the answer is 402"
    )
    wrong.add_argument(
        "--webhook-max-length", type=int, metavar="N", help="a longer webhook is answered with 400"
    )
    wrong.add_argument("--dialect", metavar="JSON", help="how replies are worded")
    return parser


if __name__ == "__main__":
    sys.exit(main())
