"""The emulator's state in a folder: an SQLite file, so that a kill in the middle of a write loses nothing."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..start_errors import UnusableFolderError
from .job import Job, Kind, new_id

DATABASE_FILE = "state.sqlite3"
CACHE_KIBIBYTES = 64 * 1024

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    job_id TEXT PRIMARY KEY, preview_id TEXT, video_name TEXT, kind TEXT, is_open INT, created_at REAL, document TEXT
);
CREATE INDEX IF NOT EXISTS jobs_by_time ON jobs (created_at);
CREATE INDEX IF NOT EXISTS jobs_by_preview ON jobs (preview_id, kind);
CREATE INDEX IF NOT EXISTS jobs_by_video ON jobs (video_name, created_at);
CREATE INDEX IF NOT EXISTS jobs_open ON jobs (created_at) WHERE is_open;
CREATE INDEX IF NOT EXISTS jobs_by_key ON jobs (kind, json_extract(document, '$.idempotency_key'))
    WHERE json_extract(document, '$.idempotency_key') IS NOT NULL;
CREATE TABLE IF NOT EXISTS aws_connections (name TEXT PRIMARY KEY, connection_id TEXT UNIQUE, document TEXT);
CREATE TABLE IF NOT EXISTS voiceover_tracks (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, document TEXT);
CREATE TABLE IF NOT EXISTS keys (name TEXT PRIMARY KEY, value BLOB);
"""


class NameTakenError(Exception):
    """A connection or track of that name exists already."""


class StateStore:
    """Jobs, connections and voiceover tracks. All methods are for one thread, which made the store.

    Jobs are handed out as a caller sees them now, see `Job.state_at`.

    :param folder: holds the database; made when absent
    :param clock: the time in epoch seconds
    :raises UnusableFolderError: when it cannot be made or opened, as when another emulator has it open
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(folder / DATABASE_FILE, isolation_level=None, timeout=0.2)
        except (OSError, sqlite3.Error) as error:
            raise UnusableFolderError(
                f"The folder {folder} cannot be used: {error}. Choose another one."
            ) from error
        try:
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing that it wrote; only a power cut would.
            self._database.execute("PRAGMA synchronous = OFF")
            self._database.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
            self._database.executescript(_SCHEMA)
        except sqlite3.Error as error:
            self._database.close()
            raise UnusableFolderError(
                f"The folder {folder} cannot be used ({error}): another emulator may be working in it, or its "
                f"{DATABASE_FILE} is from another version. Stop that emulator or choose another folder."
            ) from error

    def close(self) -> None:
        """Close the database; the folder is free for another emulator."""
        self._database.close()

    def save_job(self, job: Job) -> None:
        """Store a job, new or changed.

        :param job: any
        """
        row = (
            job.job_id,
            job.preview_id,
            job.video_name,
            job.kind,
            job.is_open,
            job.created_at,
            job.to_json(),
        )
        self._database.execute("INSERT OR REPLACE INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def job(self, job_id: str) -> Job | None:
        """Look a job up.

        :param job_id: any string
        """
        return self._one_job("SELECT document FROM jobs WHERE job_id = ?", job_id)

    def storyboard_of_preview(self, preview_id: str) -> Job | None:
        """Look up the storyboard job which made a preview.

        :param preview_id: any string
        """
        query = "SELECT document FROM jobs WHERE preview_id = ? AND kind = 'storyboard'"
        return self._one_job(query, preview_id)

    def renders_of_preview(self, preview_id: str) -> list[Job]:
        """List the render jobs of a preview, newest first.

        :param preview_id: any string
        """
        query = "SELECT document FROM jobs WHERE preview_id = ? AND kind = 'render' ORDER BY created_at DESC"
        return self._jobs(query, preview_id)

    def open_jobs(self) -> list[Job]:
        """List the jobs which are in progress, or whose webhook has not been told of their end, oldest first."""
        query = "SELECT document FROM jobs WHERE is_open ORDER BY created_at"
        return self._jobs(query)

    def latest_jobs(self, limit: int, video_name: str | None = None, before: Job | None = None) -> list[Job]:
        """List jobs, newest first.

        :param limit: at most that many
        :param video_name: only jobs of this video
        :param before: only jobs that came before this one
        """
        wheres: list[str] = []
        values: list[str | float] = []
        if video_name is not None:
            wheres, values = ["video_name = ?"], [video_name]
        if before is not None:
            wheres.append("(created_at, job_id) < (?, ?)")
            values += [before.created_at, before.job_id]
        where = f"WHERE {' AND '.join(wheres)}" if wheres else ""
        # Two jobs of the same moment stay in the same order on every page.
        query = f"SELECT document FROM jobs {where} ORDER BY created_at DESC, job_id DESC LIMIT ?"  # noqa: S608 - fixed words
        return self._jobs(query, *values, limit)

    def job_of_key(self, kind: Kind, idempotency_key: str) -> Job | None:
        """Look up the job which was submitted under a key.

        :param kind: storyboards and renders have keys of their own
        :param idempotency_key: any string
        """
        query = "SELECT document FROM jobs WHERE kind = ? AND json_extract(document, '$.idempotency_key') = ?"
        return next(iter(self._jobs(query, kind, idempotency_key)), None)

    def charged_seconds(self) -> float:
        """Sum up what all jobs have taken of the quota; a failed one has taken nothing."""
        query = (
            "SELECT total(json_extract(document, '$.charged_seconds')) FROM jobs "
            "WHERE kind = 'render' AND json_extract(document, '$.state') != 'failed'"
        )
        return float(self._database.execute(query).fetchone()[0])

    def count_jobs(self) -> int:
        """Count all jobs."""
        return int(self._database.execute("SELECT count(*) FROM jobs").fetchone()[0])

    def add_aws_connection(self, request: dict[str, Any]) -> dict[str, Any]:
        """Register a connection and return it with `connectionId` and `version`.

        :param request: the fields of the request
        :raises NameTakenError: when one of that name exists
        """
        connection = {**request, "connectionId": new_id(), "version": 1}
        row = (connection["name"], connection["connectionId"], json.dumps(connection))
        try:
            self._database.execute("INSERT INTO aws_connections VALUES (?, ?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise NameTakenError(connection["name"]) from error
        return connection

    def aws_connection(self, connection_id: str) -> dict[str, Any] | None:
        """Look a connection up.

        :param connection_id: any string
        """
        query = "SELECT document FROM aws_connections WHERE connection_id = ?"
        row = self._database.execute(query, (connection_id,)).fetchone()
        return json.loads(row[0]) if row else None

    def aws_connections(self) -> list[dict[str, Any]]:
        """List the connections, oldest first."""
        rows = self._database.execute("SELECT document FROM aws_connections ORDER BY rowid")
        return [json.loads(document) for (document,) in rows]

    def change_aws_connection(self, connection: dict[str, Any]) -> dict[str, Any]:
        """Replace a connection and return it with its next `version`.

        :param connection: with the `connectionId` and `version` of the one that there is
        :raises NameTakenError: when another one has its name
        """
        changed = {**connection, "version": connection["version"] + 1}
        values = (changed["name"], json.dumps(changed), changed["connectionId"])
        try:
            self._database.execute(
                "UPDATE aws_connections SET name = ?, document = ? WHERE connection_id = ?", values
            )
        except sqlite3.IntegrityError as error:
            raise NameTakenError(changed["name"]) from error
        return changed

    def delete_aws_connection(self, connection_id: str) -> bool:
        """Forget a connection; tell whether there was one.

        :param connection_id: any string
        """
        query = "DELETE FROM aws_connections WHERE connection_id = ?"
        return self._database.execute(query, (connection_id,)).rowcount > 0

    def delete_voiceover_track(self, track_id: int) -> None:
        """Forget a track; its id is not given again.

        :param track_id: of a track
        """
        self._database.execute("DELETE FROM voiceover_tracks WHERE id = ?", (track_id,))

    def voiceover_tracks(self) -> dict[int, dict[str, Any]]:
        """Return the tracks by their ids, oldest first."""
        rows = self._database.execute("SELECT id, document FROM voiceover_tracks ORDER BY id")
        return {track_id: json.loads(document) for track_id, document in rows}

    def add_voiceover_track(self, request: dict[str, Any]) -> int:
        """Add a track to the library and return its id.

        :param request: the fields of the request
        :raises NameTakenError: when one of that name exists
        """
        row = (request["name"], json.dumps(request))
        try:
            done = self._database.execute("INSERT INTO voiceover_tracks (name, document) VALUES (?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise NameTakenError(request["name"]) from error
        return int(done.lastrowid or 0)

    def delete_everything(self) -> None:
        """Forget all jobs, connections and tracks; signing keys stay."""
        for table in ("jobs", "aws_connections", "voiceover_tracks"):
            self._database.execute(f"DELETE FROM {table}")  # noqa: S608 - the names above

    def key(self, name: str) -> bytes:
        """Return the signing key of that name, made at its first use.

        :param name: what it signs
        """
        self._database.execute("INSERT OR IGNORE INTO keys VALUES (?, ?)", (name, secrets.token_bytes(32)))
        return bytes(self._database.execute("SELECT value FROM keys WHERE name = ?", (name,)).fetchone()[0])

    def _one_job(self, query: str, value: str) -> Job | None:
        return next(iter(self._jobs(query, value)), None)

    def _jobs(self, query: str, *values: str | float) -> list[Job]:
        jobs = [Job.from_json(document) for (document,) in self._database.execute(query, values)]
        now = self._clock()
        for job in jobs:
            job.state = job.state_at(now)
        return jobs
