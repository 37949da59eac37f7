# SPDX-License-Identifier: Apache-2.0
"""Recording a document on the server: all of it in one transaction, and never twice.

The project's row is changed first, so that documents of one project become visible in the order
of their numbers: whoever has all up to a number has missed none.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine, Table, insert, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError

from foliot.model.run import Run
from foliot.server import people, tables
from foliot.server.people import Person
from foliot.server.summary import Summary, summary
from foliot.store.exchange import NOT_SOUND, Document, Recorded, Refused, runs_of


class Conflict(Refused):
    """Another document has this one's id, or that of one of its runs."""


class Full(Refused):
    """The project has no room for more."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run with all that is to be written of it, made before the project is locked."""

    kept: Recorded
    run: Run
    summary: Summary
    facts: bytes
    figures: bytes


def keep(
    engine: Engine, person: Person, address: str, document: Document, log: bytes, most: int
) -> bool:
    """Record a document; False where it is there already.

    `most` is what a project may hold, in bytes, compressed. Raises Refused where the document is
    not what foliot writes, Conflict and Full.
    """
    ready = [prepared(one, run) for one, run in zip(document.runs, runs_of(document), strict=True)]
    packed = zlib.compress(log) if log else b""
    size = len(packed) + sum(len(one.facts) + len(one.figures) for one in ready)
    try:
        with engine.begin() as connection:
            number, total = _locked(connection, person.project, size)
            if _is_there(connection, person.project, document):
                connection.rollback()
                return False
            if total > most:
                raise Full(f"the project holds {most >> 20} MiB, and has no room for this")
            _insert(connection, person, document, packed, number, ready)
            what = f"{document.id} {document.identity[:16]}: {len(ready)} runs"
            who = (person.person, address)
            people.note(connection, who, person.project, "record", what)
    except IntegrityError:
        raise Conflict(f"another document has the id {document.id}, or a run's of it") from None
    return True


def prepared(one: Recorded, run: Run) -> Prepared:
    """Return a run with what is to be written of it; Refused where it can't be judged."""
    try:
        known = summary(run)
    except NOT_SOUND:
        raise Refused(f"run {one.id} can't be judged: nobody measured it") from None
    packed = [zlib.compress(text.encode()) for text in (one.facts, one.figures)]
    return Prepared(one, run, known, *packed)


def _locked(connection: Connection, project: int, size: int) -> tuple[int, int]:
    table = tables.project
    found = connection.execute(
        update(table)
        .where(table.c.id == project)
        .values(documents=table.c.documents + 1, bytes=table.c.bytes + size)
        .returning(table.c.documents, table.c.bytes)
    ).one()
    return int(found[0]), int(found[1])


def _is_there(connection: Connection, project: int, document: Document) -> bool:
    table = tables.document
    query = select(table.c.id).where(
        table.c.project == project, table.c.sha256 == bytes.fromhex(document.identity)
    )
    return connection.execute(query).first() is not None


def _insert(
    connection: Connection,
    person: Person,
    document: Document,
    log: bytes,
    number: int,
    ready: list[Prepared],
) -> None:
    project = person.project
    if log:
        connection.execute(postgresql.insert(tables.log).values(
            project=project, sha256=bytes.fromhex(document.log_sha256), content=log,
        ).on_conflict_do_nothing())  # fmt: skip
    inserted = connection.execute(
        insert(tables.document)
        .values(
            project=project, number=number, sha256=bytes.fromhex(document.identity),
            name=document.id, recorded=document.recorded, kind=document.kind,
            source=document.source, log_sha256=document.log_sha256,
            log_bytes=document.log_bytes, person=person.person,
        )
        .returning(tables.document.c.id)
    ).scalar_one()  # fmt: skip
    when = in_utc(document.recorded)
    for place, one in enumerate(ready):
        _insert_run(connection, project, inserted, place, when, one)


def _insert_run(
    connection: Connection, project: int, document: int, place: int, when: str, one: Prepared
) -> None:
    header, known = one.run.header, one.summary
    kind = _kind(connection, project, one.run)
    run = connection.execute(
        insert(tables.run)
        .values(
            project=project, document=document, place=place, name=one.kept.id,
            title=one.kept.name, kind=kind, recorded=when, version=one.run.origin.kernel_version,
            commit=header.kernel_commit, dirty=header.dirty, nominal=known.nominal,
            valid=known.valid, shape=_shape(connection, known), figures=known.figures,
            marks=known.marks, weights=dict(known.weights), row_count=len(known.rows),
        )
        .returning(tables.run.c.id)
    ).scalar_one()  # fmt: skip
    connection.execute(insert(tables.content).values(run=run, facts=one.facts, figures=one.figures))
    connection.execute(
        update(tables.kind)
        .where(tables.kind.c.id == kind)
        .values(runs=tables.kind.c.runs + 1, newest=run)
    )


def _kind(connection: Connection, project: int, run: Run) -> int:
    header = run.header
    return _one_of(connection, tables.kind, {
        "project": project, "kernel": run.origin.kernel, "board": header.board,
        "suite": header.suite, "unit": header.unit, "configuration": ",".join(header.configuration),
    })  # fmt: skip


def _shape(connection: Connection, known: Summary) -> int:
    table = tables.shape
    query = select(table.c.id).where(table.c.sha256 == known.shape)
    found = connection.execute(query).scalar()
    if found is None:
        made = postgresql.insert(table).values(sha256=known.shape, rows=list(known.rows))
        connection.execute(made.on_conflict_do_nothing())
        found = connection.execute(query).scalar_one()
    return int(found)


def _one_of(connection: Connection, table: Table, values: dict[str, object]) -> int:
    """Return the row of a table that has these values, made where there is none."""
    query = select(table.c.id).where(*(table.c[name] == value for name, value in values.items()))
    found = connection.execute(query).scalar()
    if found is None:
        connection.execute(postgresql.insert(table).values(values).on_conflict_do_nothing())
        found = connection.execute(query).scalar_one()
    return int(found)


def in_utc(recorded: str) -> str:
    """Return a time in the form in which texts sort as times do; Refused where it is none."""
    try:
        return datetime.fromisoformat(recorded).astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        raise Refused("a document's time is no time") from None
