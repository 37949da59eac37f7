# SPDX-License-Identifier: Apache-2.0
"""A team's server as its users start it, on a PostgreSQL of its own, and people who use it.

Nothing of the server is imported before a test runs: its packages may not be there yet.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import itertools
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import logs
from foliot.log.reader import parse
from foliot.remote import remotes
from foliot.remote.client import Client
from foliot.store.sqlite import Store
from foliot.store.writer import Recording

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 240
_PROJECTS = itertools.count(1)


class Asker:
    """Whoever asks a server on this machine by hand."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(
        self, method: str, path: str, token: str = "", body: bytes | Iterator[bytes] | None = None,
        **headers: str,
    ) -> tuple[int, dict[str, str], bytes]:  # fmt: skip
        """Ask as anybody may, by hand; return the status, the headers and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)
        if token:
            headers["Authorization"] = f"Bearer {token}"
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, told, answer.read()


class Server(Asker):
    """`foliot serve` on data of its own; `start` and `kill` as often as need be."""

    def __init__(self, *words: str) -> None:
        self.place = Path(tempfile.mkdtemp(prefix="foliot-team-"))
        self.place.chmod(0o755)  # PostgreSQL's user goes through it
        self.data = self.place / "data"
        self.words = words
        super().__init__(0)
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, on the port that it had before, and wait until it says where it is."""
        words = [sys.executable, "-P", "-m", "foliot", "serve", "--data", str(self.data),
                 "--port", str(self.port), *self.words]  # fmt: skip
        said = self.place / "said"
        with said.open("wb") as errors:
            self.child = subprocess.Popen(
                words, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(ROOT / "lab")},
            )  # fmt: skip
        line = self._line()
        found = re.search(r"serves https?://[^:]+:(\d+)/", line)
        assert found, line + said.read_text(errors="replace")
        self.port = int(found[1])

    def _line(self) -> str:
        assert self.child is not None and self.child.stdout is not None
        ready, _, _ = select.select([self.child.stdout], [], [], LIMIT_S)
        assert ready, "the server says nothing"
        return self.child.stdout.readline().decode()

    def kill(self) -> None:
        """End it and its database as a power cut does."""
        assert self.child is not None
        database = int((self.data / "postgresql" / "postmaster.pid").read_text().split()[0])
        self.child.kill()
        with contextlib.suppress(ProcessLookupError):  # the server's watcher was faster
            os.killpg(database, signal.SIGKILL)
        self.child.wait(timeout=LIMIT_S)

    def stop(self) -> int:
        """End it as an administrator does; return its exit status."""
        assert self.child is not None
        self.child.send_signal(signal.SIGTERM)
        return self.child.wait(timeout=LIMIT_S)

    def remove(self) -> None:
        """End what runs, and take its data away."""
        if self.child is not None and self.child.poll() is None:
            self.stop()
        shutil.rmtree(self.place, ignore_errors=True)

    @contextmanager
    def database(self) -> Iterator[Any]:
        """Yield the database, opened as the server does."""
        from foliot.server import postgres
        from foliot.server.database import open_database

        with postgres.running(self.data) as url:
            engine = open_database(url)
            try:
                yield engine
            finally:
                engine.dispose()

    def project(self, *roles: str) -> tuple[str, list[str]]:
        """Make a project that no other test has; return its name, and a token of each role."""
        from foliot.server import people

        name = f"project-{next(_PROJECTS)}"
        with self.database() as engine, engine.begin() as connection:
            number = people.project(connection, name, make=True)
            tokens = [
                people.issue(connection, number, f"{role}-{place}", role)
                for place, role in enumerate(roles)
            ]
        return name, tokens

    def store(self, place: Path, project: str, token: str) -> tuple[Store, Client]:
        """Return a store that knows the project, and who asks for it."""
        store = Store(place)
        url = f"http://127.0.0.1:{self.port}/p/{project}"
        return store, Client(remotes.add(store, "team", url, token, None), patience_s=120)

    def json(self, method: str, path: str, token: str = "", told: object = None) -> tuple[int, Any]:
        """Ask with JSON; return the status and what was answered, read."""
        body = None if told is None else json.dumps(told).encode()
        status, _, said = self.ask(
            method, path, token, body, **{"Content-Type": "application/json"}
        )
        return status, json.loads(said) if said else None


def log(shift: int = 0, rows: int = 6, text: str = "Some operation", **header: object) -> bytes:
    """Return a log of ours; another shift makes other figures."""
    records = [
        logs.row(f"semaphore.take.{place}", [100 + shift + place] * 9 + [120], text)
        for place in range(rows)
    ]
    return logs.log(records, header={**logs.HEADER, **header}).encode()


def keep(store: Store, count: int = 1, name: str = "", shift: int = 0, **header: object) -> str:
    """Record runs in a store at once, as `bench` does; return the document's id."""
    with Recording(store, "bench", "ibex") as recording:
        said = b""
        for number in range(count):
            one = log(shift + number, **header)
            recording.add(parse(one), f"{name}/{number}" if count > 1 else name)
            said += one
        recording.keep(io.BytesIO(said))
        return recording.document


def wait_for(what: Any, limit_s: float = LIMIT_S) -> Any:
    """Ask until the answer is true; fail after a generous while."""
    until = time.monotonic() + limit_s
    while not (found := what()):
        assert time.monotonic() < until, "it never comes"
        time.sleep(0.05)
    return found
