"""A PostgreSQL server of a cluster's own, which logs every statement that writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from .role import Role
from .software import program
from .until import until

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "max_connections": "200",
    # Workers hold the database sockets of a scheduler that was killed: its transaction would stay open.
    "idle_in_transaction_session_timeout": "20s",
    "log_statement": "mod",
    "logging_collector": "on",
    "log_destination": "jsonlog",
    "log_directory": "statements",
    "log_file_mode": "0644",
}


class Postgres:
    """The server, with one database ``airflow``.

    :param folder: for its data; made here.
    :param port: to listen on.
    :raises NotInstallableError: there is no PostgreSQL.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self._bin = Path(program("postgres", package="postgresql", folders=["usr/lib/postgresql/*/bin"]))
        self._data = folder / "postgres"
        self._port = port
        self._data.mkdir(mode=0o755)
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            shutil.chown(self._data, "postgres", "postgres")
        options = [f"-c{name}={value}" for name, value in SETTINGS.items()]
        postgres = [str(self._bin), "-D", str(self._data / "data"), "-p", str(port), "-k", "", *options]
        self.role = Role("postgres", self._as_owner(postgres), os.environ, folder)

    @property
    def url(self) -> str:
        """The database's URL, without the name of a driver."""
        return f"postgresql://airflow@127.0.0.1:{self._port}/airflow"

    def start(self) -> None:
        """Make the database and serve it."""
        initdb = [str(self._bin.with_name("initdb")), "-U", "airflow", "-A", "trust", "-E", "UTF8"]
        command = self._as_owner([*initdb, "-D", str(self._data / "data")])
        subprocess.run(command, check=True, capture_output=True, cwd=self._data)
        self.role.start()
        until(
            "a connection to PostgreSQL",
            lambda: self._query_in("postgres", "CREATE DATABASE airflow") or True,
        )

    def stop(self) -> None:
        """End it."""
        self.role.stop()

    def query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a statement and give its rows.

        :param statement: with ``%s`` for each value.
        :param values: of the placeholders.
        """
        return self._query_in("airflow", statement, *values)

    def written(self) -> Iterator[str]:
        """Every statement that was to write something, with its values."""
        for file in sorted((self._data / "data" / "statements").glob("*.json")):
            for line in file.read_text(errors="replace").splitlines():
                entry = json.loads(line)
                if entry.get("message", "").startswith(("statement:", "execute")):
                    yield f"{entry['message']} {entry.get('detail', '')}"

    def _query_in(self, database: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
        # Only there when the system tests' requirements are installed.
        psycopg2: Any = import_module("psycopg2")
        try:
            connection = psycopg2.connect(
                host="127.0.0.1", port=self._port, user="airflow", dbname=database, connect_timeout=5
            )
        except psycopg2.OperationalError as error:
            raise ConnectionError(str(error)) from error
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(statement, values)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def _as_owner(self, command: list[str]) -> list[str]:
        return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command
