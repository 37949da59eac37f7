# SPDX-License-Identifier: Apache-2.0
"""The record of all runs: one SQLite file, and beside it the logs they were read from.

    DIRECTORY/foliot.db             one row a run, one a document (what was recorded at once)
    DIRECTORY/logs/ab/abcd….log     each log as it came, named by its SHA-256

Nothing is ever changed or taken away: triggers refuse it. What is recorded at once is one
transaction, and its log is on the disk before that begins, so a process that is killed
leaves its whole document or nothing of it. SQLite's plain rollback journal is used and not
its write-ahead log: the store stays one file, and can be read where it can't be written.
A second process that records waits for the first; a transaction lasts as long as the
insertion does, never as long as the measurement or the reading of a log (writer.py).
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from foliot.judge.doubts import examine_saved
from foliot.model import archive
from foliot.model.errors import FoliotError
from foliot.model.run import Run

SCHEMA = 1
APPLICATION = 0x464F4C49  # "FOLI", where SQLite keeps whose file it is
BUSY_S = 30.0
ENVIRONMENT = "FOLIOT_STORE"
_ELSEWHERE = f"choose another place with --store DIR or ${ENVIRONMENT}"

_TABLES = """
CREATE TABLE document (
    id TEXT PRIMARY KEY, recorded TEXT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL,
    log_sha256 TEXT NOT NULL, log_bytes INTEGER NOT NULL
);
CREATE TABLE run (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL REFERENCES document, name TEXT NOT NULL,
    suite TEXT NOT NULL, board TEXT NOT NULL, unit TEXT NOT NULL, kernel TEXT NOT NULL,
    version TEXT NOT NULL, configuration TEXT NOT NULL, row_count INTEGER NOT NULL,
    facts TEXT NOT NULL, figures TEXT NOT NULL
);
CREATE INDEX run_name ON run (name);
"""
_FIXED = "".join(
    f"CREATE TRIGGER {table}_{action.lower()} BEFORE {action} ON {table} "
    f"BEGIN SELECT RAISE (ABORT, 'the store is append-only'); END;\n"
    for table in ("document", "run")
    for action in ("UPDATE", "DELETE")
)
_KEPT = (
    "SELECT run.seq, run.id, run.document, run.name, run.suite, run.board, run.unit, run.kernel, "
    "run.version, run.configuration, run.row_count, document.recorded, document.kind, "
    "document.source, document.log_sha256 FROM run JOIN document ON run.document = document.id "
)


# Which lines of its document a run was read from, as archive.py writes it.
_LINES = re.compile(r'"lines":\[(\d+),(\d+)\],')
_REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Kept:
    """What the store's list says of one run; `Store.load` returns the run itself.

    `seq` grows with each run, `document` is shared by the runs that were recorded at once,
    `recorded` is UTC in ISO 8601, `kind` is `bench` or `import`, `log_sha256` is empty
    where there was no log.
    """

    seq: int
    id: str
    document: str
    name: str
    suite: str
    board: str
    unit: str
    kernel: str
    version: str
    configuration: tuple[str, ...]
    row_count: int
    recorded: str
    kind: str
    source: str
    log_sha256: str


def default_directory() -> Path:
    """Return where the store is unless said otherwise: $FOLIOT_STORE, or the user's data."""
    if os.environ.get(ENVIRONMENT):
        return Path(os.environ[ENVIRONMENT])
    import platformdirs

    return Path(platformdirs.user_data_dir("foliot", appauthor=False))


class Store:
    """The runs in one directory; made by the first that is recorded, not by looking.

    Every method raises FoliotError, with what to do, where the store can't be used.
    """

    def __init__(self, directory: Path | None = None) -> None:
        """Name the store in `directory` (or the default one); nothing is opened yet."""
        self.directory = directory or default_directory()
        self.path = self.directory / "foliot.db"

    def runs(self) -> Sequence[Kept]:
        """Return all runs, the oldest first; none where nothing was ever recorded."""
        return self._select("ORDER BY run.seq")

    def by_id(self, prefix: str) -> Sequence[Kept]:
        """Return the runs whose id begins with `prefix`."""
        return self._select("WHERE substr(run.id, 1, ?) = ?", len(prefix), prefix)

    def recent(self, back: int = 0) -> Kept | None:
        """Return the last run (back=0), the one before it (1)...; None where there is none."""
        found = self._select("ORDER BY run.seq DESC LIMIT 1 OFFSET ?", back)
        return found[0] if found else None

    def named(self, name: str) -> Sequence[Kept]:
        """Return the newest runs of that name, or of its group (`name/...`), in order."""
        found = self._select(
            "WHERE run.name = ? OR substr(run.name, 1, ?) = ? ORDER BY run.seq",
            name, len(name) + 1, f"{name}/",
        )  # fmt: skip
        return [kept for kept in found if kept.document == found[-1].document]

    def load(self, kept: Kept) -> Run:
        """Return a run, with its doubts."""
        return next(self.load_all([kept]))

    def load_all(self, wanted: Iterable[Kept]) -> Iterator[Run]:
        """Yield runs, with their doubts, in the order asked for.

        Of runs that are equal but for where they stand in their document, one is examined: a
        log that repeats itself a thousand times is read in no time.
        """
        with self.reading() as database:
            for kept in wanted:
                query = "SELECT facts, figures FROM run WHERE seq = ?"
                found = database and database.execute(query, (kept.seq,)).fetchone()
                if not found:
                    raise FoliotError(f"run {kept.id} is no longer in {self.path}")
                yield _examined_as(*found)

    def log_path(self, sha256: str) -> Path:
        """Return where the log of that hash is kept."""
        return self.directory / "logs" / sha256[:2] / f"{sha256}.log"

    def has_log(self, sha256: str) -> bool:
        """Whether a document of the store was read from the log of that hash."""
        with self.reading() as database:
            query = "SELECT 1 FROM document WHERE log_sha256 = ?"
            return bool(database and database.execute(query, (sha256,)).fetchone())

    def check_writable(self) -> None:
        """Raise FoliotError unless a run can be recorded: before minutes are spent on one."""
        with self.writing() as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("CREATE TABLE probe (x)")
            database.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open the store to record, made if need be; transactions are the caller's."""
        with self.plain_errors():
            self.directory.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, BUSY_S, isolation_level=None)) as database:
                database.execute("PRAGMA synchronous = FULL")
                if self._is_new(database):
                    self._create(database)
                yield database

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """Open the store to read; None where it doesn't exist yet."""
        with self.plain_errors():
            if not self.path.exists():
                yield None
                return
            # "rw", since a killed process leaves a journal, which only a writer can roll
            # back; SQLite itself falls back to reading where the file can't be written.
            address = f"{self.path.resolve().as_uri()}?mode=rw"
            with closing(
                sqlite3.connect(address, BUSY_S, uri=True, isolation_level=None)
            ) as database:
                database.text_factory = _text
                yield None if self._is_new(database) else database

    def _select(self, condition: str, *values: object) -> Sequence[Kept]:
        with self.reading() as database:
            if database is None:
                return []
            found = database.execute(_KEPT + condition, values).fetchall()
        return [_saved(row) for row in found]

    def _is_new(self, database: sqlite3.Connection) -> bool:
        """Look whose file it is: True for an empty one; FoliotError for a stranger's."""
        (owner,) = database.execute("PRAGMA application_id").fetchone()
        (schema,) = database.execute("PRAGMA user_version").fetchone()
        if (owner, schema) == (0, 0):
            (tables,) = database.execute("SELECT count (*) FROM sqlite_master").fetchone()
            if tables == 0:
                return True
        if owner != APPLICATION:
            raise FoliotError(f"{self.path} is a database, but no store of foliot's", _ELSEWHERE)
        if schema > SCHEMA:
            raise FoliotError(
                f"the store {self.path} was written by a newer foliot "
                f"(schema {schema}, this one reads {SCHEMA})",
                f"update foliot, or {_ELSEWHERE}",
            )
        return False

    def _create(self, database: sqlite3.Connection) -> None:
        database.execute("BEGIN IMMEDIATE")
        if self._is_new(database):  # and nobody else was quicker
            for statement in _statements(_TABLES + _FIXED):
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            database.execute(f"PRAGMA user_version = {SCHEMA}")
        database.execute("COMMIT")

    @contextmanager
    def plain_errors(self) -> Iterator[None]:
        """Turn what SQLite and the system say into one line and what to do about it."""
        try:
            yield
        except sqlite3.OperationalError as error:
            text = str(error)
            if "locked" in text:
                text = f"another process has been recording for {BUSY_S:.0f} s"
            raise FoliotError(f"the store {self.path}: {text}", _ELSEWHERE) from None
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise FoliotError(
                f"the store {self.path} is damaged: {' '.join(str(error).split())}",
                f"move it away, or {_ELSEWHERE}; the logs beside it can be imported anew",
            ) from None
        except OSError as error:
            place = error.filename or self.directory
            raise FoliotError(
                f"the store can't be used: {place}: {error.strerror}", _ELSEWHERE
            ) from None


def _examined_as(facts: str, figures: str) -> Run:
    """Return a run with its doubts; what is equal is examined once."""
    where = _LINES.search(facts)
    if where is None:
        return _examined(facts, figures)
    run = _examined(facts[: where.start()] + facts[where.end() :], figures)
    return replace(run, origin=replace(run.origin, lines=(int(where[1]), int(where[2]))))


@lru_cache(maxsize=_REMEMBERED)
def _examined(facts: str, figures: str) -> Run:
    return examine_saved(archive.load(facts, figures))


def _saved(row: tuple[Any, ...]) -> Kept:
    fields = list(row)
    if not all(isinstance(fields[place], str) for place in (1, 2, 3, 9, 11)):
        raise FoliotError(f"the store's list is damaged at run {fields[0]}")
    fields[9] = tuple(fields[9].split(","))
    return Kept(*fields)


def _text(content: bytes) -> str:
    """Decode what a damaged disk may have left of a text."""
    return content.decode("utf-8", "replace")


def _statements(script: str) -> Iterator[str]:
    """Take a script apart (executescript would commit the transaction that is open)."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
