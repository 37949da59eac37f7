# SPDX-License-Identifier: Apache-2.0
"""Recording runs in the store: prepared aside, then all at once with the log they came from.

A log may hold thousands of runs, so they wait in a database of their own, which SQLite
moves to the disk when it grows; the store is locked only while they are copied over. The
log is copied first: a log without a run is harmless, a run without its log would not be.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from foliot.model import archive
from foliot.model.errors import FoliotError
from foliot.model.run import Row, Run
from foliot.store.sqlite import Store

_COLUMNS = (
    "id, document, name, suite, board, unit, kernel, version, configuration, row_count, "
    "facts, figures"
)
_SHARED_ROWS = 20_000
_ABANDONED_S = 3600


class Recording:
    """What is to be recorded at once: `add` each run, then `keep` them; or let it be.

    Nothing is written to the store before `keep`. Use it in a `with` block.
    """

    def __init__(self, store: Store, kind: str, source: str) -> None:
        """Begin a document of `kind` (bench or import) that came from `source`."""
        self.store = store
        self.kind = kind
        self.source = source
        self.document = secrets.token_hex(6)
        self.count = 0
        self.again = False  # whether the same log was on record before
        self._texts: dict[int, tuple[Row, str]] = {}
        self._waiting = sqlite3.connect("", isolation_level=None)
        self._waiting.execute(f"CREATE TABLE run ({_COLUMNS})")
        self._waiting.execute("BEGIN")

    def __enter__(self) -> Recording:
        """Return the recording itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Forget what was not kept."""
        self._waiting.close()

    def add(self, run: Run, name: str = "") -> str:
        """Prepare one run; return the id that it will have."""
        run_id = secrets.token_hex(6)
        header, origin = run.header, run.origin
        figures = ",".join(map(self._row, run.rows))
        values = (
            run_id, self.document, name, header.suite, header.board, header.unit, origin.kernel,
            origin.kernel_version, ",".join(header.configuration), len(run.rows),
            archive.dump_facts(run), f"[{figures}]",
        )  # fmt: skip
        with self.store.plain_errors():
            self._waiting.execute(
                "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values
            )
        self.count += 1
        return run_id

    def rename(self, name: str) -> None:
        """Call all runs by this name: the only run of a document has the document's."""
        self._waiting.execute("UPDATE run SET name = ?", (name,))

    def keep(self, log: BinaryIO | None) -> None:
        """Write the log and all runs to the store, or nothing; FoliotError says why not."""
        if not self.count:
            raise FoliotError("there is no run to record")
        sha256, size, made = keep_log(self.store, log) if log else ("", 0, None)
        self.again = log is not None and made is None
        recorded = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            self._insert((self.document, recorded, self.kind, self.source, sha256, size))
        except FoliotError:
            if made is not None and not self.store.has_log(sha256):
                made.unlink(missing_ok=True)
            raise

    def _insert(self, document: tuple[object, ...]) -> None:
        with self.store.writing() as database, closing(
            self._waiting.execute(f"SELECT {_COLUMNS} FROM run ORDER BY rowid")  # noqa: S608
        ) as waiting:  # fmt: skip
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)", document)
            database.executemany(
                f"INSERT INTO run ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                waiting,
            )
            database.execute("COMMIT")

    def _row(self, row: Row) -> str:
        """Return a row's text; a log that repeats itself has many equal rows."""
        shared = self._texts.get(id(row))
        if shared is None:
            if len(self._texts) >= _SHARED_ROWS:
                self._texts.clear()
            shared = self._texts[id(row)] = (row, archive.dump_row(row))
        return shared[1]


def record(
    store: Store, run: Run, log: BinaryIO | None, kind: str, source: str, name: str = ""
) -> str:
    """Record one run with its log; return its id."""
    with Recording(store, kind, source) as recording:
        run_id = recording.add(run, name)
        recording.keep(log)
    return run_id


def keep_log(store: Store, log: BinaryIO) -> tuple[str, int, Path | None]:
    """Copy a log to its place; return its hash, its size in bytes, and the file if it is new."""
    digest, size = hashlib.sha256(), 0
    with store.plain_errors():
        place = store.directory / "logs"
        place.mkdir(parents=True, exist_ok=True)
        _sweep(place)
        unfinished = place / f"{secrets.token_hex(6)}.part"
        try:
            with unfinished.open("xb") as part:
                while block := log.read(1 << 20):
                    digest.update(block)
                    size += part.write(block)
                part.flush()
                os.fsync(part.fileno())
            target = store.log_path(digest.hexdigest())
            known = target.exists()
            target.parent.mkdir(exist_ok=True)
            unfinished.replace(target)
            _sync_directory(target.parent)
        finally:
            unfinished.unlink(missing_ok=True)
    return digest.hexdigest(), size, None if known else target


def _sweep(place: Path) -> None:
    """Take away what a process that was killed left unfinished, an hour ago or more."""
    for path in place.glob("*.part"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _ABANDONED_S:
                path.unlink()


def _sync_directory(place: Path) -> None:
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
