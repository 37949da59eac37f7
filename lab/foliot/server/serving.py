# SPDX-License-Identifier: Apache-2.0
"""What `foliot serve` does: the server with its database, and what its administrator needs."""

from __future__ import annotations

import contextlib
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from sqlalchemy import Engine, inspect

from foliot.model.errors import FoliotError
from foliot.model.names import counted
from foliot.server import people, postgres
from foliot.server.application import Place, Settings, application, server
from foliot.server.database import open_database, plain_errors, upgrade
from foliot.show.terminal import Progress
from foliot.target import provision

_BY_HAND = ("administrator", "this machine")


class Team:
    """A team's data: a PostgreSQL of our own in `data`, or the one at `url`."""

    def __init__(self, data: Path | None, url: str | None, progress: Progress) -> None:
        """Name them; nothing is opened yet."""
        self._data = data or postgres.default_directory()
        self._url, self._progress = url, progress

    @contextmanager
    def _address(self) -> Iterator[str]:
        """Yield the database's URL, while it runs."""
        if self._url:
            yield self._url
            return
        provision.install(provision.POSTGRES_PACKAGES, self._progress)
        with postgres.running(self._data) as url:
            yield url

    @contextmanager
    def _database(self) -> Iterator[Engine]:
        """Yield the database with this release's schema."""
        with self._address() as url:
            engine = open_database(url)
            try:
                upgrade(engine)
                yield engine
            finally:
                engine.dispose()

    def serve(self, place: Place, settings: Settings) -> None:
        """Serve until a signal ends it."""
        place.check()
        with contextlib.closing(_listening(place)) as listening, self._database() as engine:
            host, port = listening.getsockname()[:2]
            scheme = "https" if place.certificate else "http"
            shown = f"[{host}]" if ":" in host else host
            print(f"foliot serves {scheme}://{shown}:{port}/ (Ctrl-C ends it)", flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                server(application(engine, settings), place, settings).run(sockets=[listening])

    def token(self, project: str, person: str, role: str, days: int | None) -> str:
        """Return a new token; the project is made where there is none of that name."""
        with self._database() as engine, plain_errors(), engine.begin() as connection:
            number = people.project(connection, project, make=True)
            made = people.issue(connection, number, person, role, days)
            people.note(connection, _BY_HAND, number, "token", f"{person} may {role}")
        return made

    def revoke(self, project: str, person: str) -> int:
        """End all tokens of a person in a project; return how many there were."""
        with self._database() as engine, plain_errors(), engine.begin() as connection:
            number = people.project(connection, project)
            ended = people.revoke(connection, number, person)
            people.note(connection, _BY_HAND, number, "revoke", person)
        return ended

    def backup(self, file: Path) -> int:
        """Write all that there is to a file; return its size in bytes."""
        with self._address() as url:
            postgres.backup(url, file)
        return file.stat().st_size

    def restore(self, file: Path) -> None:
        """Fill an empty database from a backup; FoliotError where it is not empty."""
        if not file.is_file() or not stat.S_ISREG(file.stat().st_mode):
            raise FoliotError(f"there is no file {file}")
        with self._address() as url:
            engine = open_database(url)
            try:
                with plain_errors(), engine.connect() as connection:
                    there = inspect(connection).get_table_names()
                if there:
                    raise FoliotError(
                        f"the database has {counted(len(there), 'table')}: it is restored only "
                        "into an empty one", "choose another --data DIR",
                    )  # fmt: skip
                postgres.restore(url, file)
                upgrade(engine)
            finally:
                engine.dispose()


def _listening(place: Place) -> socket.socket:
    """Return the socket that the server listens on, before its database is started."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            place.host, place.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family, backlog=128)
    except OSError as error:
        _no_port(place, error)


def _no_port(place: Place, error: OSError) -> NoReturn:
    why = error.strerror or str(error)
    raise FoliotError(
        f"{place.host}:{place.port}: {why}", "--port takes another, 0 any that is free"
    ) from None
