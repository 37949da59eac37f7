# SPDX-License-Identifier: Apache-2.0
"""Whole documents of the store, verbatim: what is sent to a server, and what came from one."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Iterator

from foliot.store.exchange import Document, Recorded, Refused, runs_of
from foliot.store.sqlite import Store
from foliot.store.writer import keep_log

_DOCUMENT = "id, recorded, kind, source, log_sha256, log_bytes"
_RUN = (
    "INSERT INTO run (id, document, name, suite, board, unit, kernel, version, configuration, "
    "row_count, facts, figures) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def documents(store: Store) -> Iterator[Document]:
    """Yield all documents of the store, the oldest first, as they are at the beginning."""
    with store.reading() as database:
        if database is None:
            return
        for (name,) in database.execute("SELECT id FROM document ORDER BY rowid").fetchall():
            found = _read(database, name)
            if found is not None:
                yield found


def _read(database: sqlite3.Connection, name: str) -> Document | None:
    query = f"SELECT {_DOCUMENT} FROM document WHERE id = ?"  # noqa: S608 - our own words
    found = database.execute(query, (name,)).fetchone()
    if found is None:
        return None
    runs = database.execute(
        "SELECT id, name, facts, figures FROM run WHERE document = ? ORDER BY seq", (name,)
    )
    fields = dict(zip(_DOCUMENT.split(", "), found, strict=True))
    return Document(**fields, runs=tuple(Recorded(*one) for one in runs))


def log_of(store: Store, document: Document) -> bytes:
    """Return a document's log; empty where it had none, or it is gone."""
    if not document.log_sha256:
        return b""
    with store.plain_errors():
        path = store.log_path(document.log_sha256)
        return path.read_bytes() if path.is_file() else b""


def keep(store: Store, document: Document, log: bytes) -> bool:
    """Record a document that came from elsewhere, whole or not at all; False where it is there.

    Raises Refused where it is not what foliot writes, or where another one has its id.
    """
    runs = runs_of(document)
    if log:
        keep_log(store, io.BytesIO(log))
    with store.writing() as database:
        database.execute("BEGIN IMMEDIATE")
        if _is_there(database, document):
            database.execute("ROLLBACK")
            return False
        fields = (document.id, document.recorded, document.kind, document.source,
                  document.log_sha256, document.log_bytes)  # fmt: skip
        database.execute("INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)", fields)
        for one, run in zip(document.runs, runs, strict=True):
            header, origin = run.header, run.origin
            database.execute(_RUN, (
                one.id, document.id, one.name, header.suite, header.board, header.unit,
                origin.kernel, origin.kernel_version, ",".join(header.configuration),
                len(run.rows), one.facts, one.figures,
            ))  # fmt: skip
        database.execute("COMMIT")
    return True


def _is_there(database: sqlite3.Connection, document: Document) -> bool:
    """Whether the document is in the store already; Refused where others have its ids."""
    known = _read(database, document.id)
    if known is not None:
        if known.identity == document.identity:
            return True
        raise Refused(f"document {document.id} is in the store, and is another one")
    for one in document.runs:
        if database.execute("SELECT 1 FROM run WHERE id = ?", (one.id,)).fetchone():
            raise Refused(f"run {one.id} is in the store, in another document")
    return False
