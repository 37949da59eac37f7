# SPDX-License-Identifier: Apache-2.0
"""What is asked of a team's database; every question is one project's, and bounded."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from sqlalchemy import Connection, Row, case, func, literal, select, tuple_
from sqlalchemy.dialects.postgresql import array

from foliot.compare.means import fair
from foliot.compare.timeline import MEAN, Point
from foliot.judge.doubts import examine_saved
from foliot.model import archive
from foliot.model.figures import geometric_mean
from foliot.server import tables
from foliot.server.summary import is_trusted, mark
from foliot.store.exchange import Document, Recorded
from foliot.store.selection import Chosen
from foliot.store.sqlite import Kept

MOST_RUNS = 50  # of a page
MOST_POINTS = 1000  # of a history
MOST_LISTED = 5000  # of documents' names in one answer
MOST_KINDS = 500
_PAST = ("id", "name", "title", "document", "recorded", "commit", "dirty", "nominal")


@dataclass(frozen=True, slots=True)
class Past:
    """A run as a history sees it: figures by row, without its JSON."""

    name: str
    title: str
    document: int
    recorded: str
    commit: str
    dirty: bool
    nominal: bool
    figures: Mapping[str, float]
    marks: Mapping[str, str]
    trusted: Mapping[str, float]
    weights: Mapping[str, int]

    def point(self, figure: str, mean: float | None = None) -> Point:
        """Return a row's, a weight's or the given mean's point."""
        value = mean
        if figure != MEAN:
            value = self.weights.get(figure, self.figures.get(figure))
        return Point(self.title or self.name[:8], self.recorded, self.commit, self.dirty, value,
                     self.marks.get(figure, ""))  # fmt: skip


def runs(connection: Connection, project: int, before: str = "", title: str = "") -> list[Kept]:
    """Return the newest runs, at most MOST_RUNS, the newest first; those before a cursor."""
    run = tables.run
    query = _saved_query().where(run.c.project == project)
    if title:
        query = query.where(run.c.title == title)
    cursor = _cursor(before)
    if cursor:
        query = query.where(tuple_(run.c.recorded, run.c.id) < tuple_(*cursor))
    query = query.order_by(run.c.recorded.desc(), run.c.id.desc()).limit(MOST_RUNS)
    return [_saved(one) for one in connection.execute(query)]


def cursor_of(kept: Kept) -> str:
    """Return what `runs` takes to go on behind a run."""
    return f"{kept.recorded},{kept.seq}"


def _cursor(text: str) -> tuple[str, int] | None:
    when, _, number = text.partition(",")
    usable = when and number.isdecimal() and number.isascii() and len(number) < 19
    return (when, int(number)) if usable and "\0" not in when else None


def kinds(connection: Connection, project: int) -> list[Mapping[str, Any]]:
    """Return the kinds of runs of a project, those with the newest runs first."""
    kind = tables.kind
    query = (
        select(kind)
        .where(kind.c.project == project)
        .order_by(kind.c.newest.desc())
        .limit(MOST_KINDS)
    )
    return [dict(one) for one in connection.execute(query).mappings()]


def find(connection: Connection, project: int, names: Iterable[str]) -> list[Kept]:
    """Return runs by their ids, in the order asked for; those that are there."""
    wanted = list(names)
    query = _saved_query().where(tables.run.c.project == project, tables.run.c.name.in_(wanted))
    found = {one.id: one for one in map(_saved, connection.execute(query))}
    return [found[name] for name in wanted if name in found]


def load(connection: Connection, kept: Sequence[Kept]) -> list[Chosen]:
    """Return runs whole, with today's doubts."""
    content = tables.content
    query = select(content).where(content.c.run.in_([one.seq for one in kept]))
    texts = {one.run: one for one in connection.execute(query)}
    chosen = []
    for one in kept:
        text = texts[one.seq]
        run = archive.load(zlib.decompress(text.facts).decode(),
                           zlib.decompress(text.figures).decode())  # fmt: skip
        chosen.append(Chosen(one.name or one.id[:8], examine_saved(run), one))
    return chosen


def kind_of(connection: Connection, kept: Kept) -> int:
    """Return the number of a run's kind."""
    query = select(tables.run.c.kind).where(tables.run.c.id == kept.seq)
    return int(connection.execute(query).scalar_one())


def past(
    connection: Connection, project: int, kind: int, most: int, figure: str = ""
) -> list[Past]:
    """Return the newest runs of a kind, at most `most`, the oldest first; none of others' kinds.

    Runs that `bench --repeat` recorded together are one: the median of each figure. Where `figure`
    is a row's or a weight's name, no other is read.
    """
    run, shape, document = tables.run, tables.shape, tables.document
    newest = (
        select(run)
        .where(run.c.kind == kind, run.c.project == project)
        .order_by(run.c.recorded.desc(), run.c.id.desc())
        .limit(min(most, MOST_POINTS))
        .subquery()
    )
    columns = [newest.c[name] for name in _PAST] + [document.c.kind.label("how")]
    if figure in {"", MEAN}:
        columns += [newest.c.figures, newest.c.marks, newest.c.shape, newest.c.weights]
    else:
        place = func.array_position(shape.c.rows, figure)
        columns += [
            array([newest.c.figures[place]]).label("figures"),
            func.coalesce(func.substr(newest.c.marks, place, 1), "").label("marks"),
            literal(0).label("shape"),
            _weight(newest.c.weights, figure).label("weights"),
        ]
    query = (
        select(*columns)
        .join(shape, shape.c.id == newest.c.shape)
        .join(document, document.c.id == newest.c.document)
        .order_by(newest.c.recorded, newest.c.id)
    )
    found = connection.execute(query).all()
    marked = _Marked(_shapes(connection, {one.shape for one in found}) | {0: [figure]})
    sets: dict[object, list[Past]] = {}
    for one in found:
        repeated = one.how == "bench" and "/" in one.title
        of = one.document if repeated else ("run", one.id)
        sets.setdefault(of, []).append(_past(one, marked))
    return [_together(each) for each in sets.values()]


def _shapes(connection: Connection, numbers: Collection[int]) -> dict[int, Sequence[str]]:
    """Return the names of the rows that runs of these shapes have: once, not with each run."""
    shape = tables.shape
    query = select(shape.c.id, shape.c.rows).where(shape.c.id.in_(numbers))
    return dict(connection.execute(query).tuples().all())


@dataclass(frozen=True, slots=True)
class _Marked:
    """What is to be known of the rows of a shape with these marks: most runs have the same."""

    shapes: Mapping[int, Sequence[str]]
    known: dict[tuple[int, str], tuple[dict[str, str], list[bool]]] = field(default_factory=dict)

    def rows(self, shape: int, marks: str) -> tuple[Sequence[str], dict[str, str], list[bool]]:
        """Return the rows' names, the mark of each, and whether each is trusted."""
        names = self.shapes[shape] if marks else ()
        found = self.known.get((shape, marks))
        if found is None:
            each = zip(names, marks, strict=True)
            found = self.known[shape, marks] = (
                {row: mark(letter) for row, letter in each}, list(map(is_trusted, marks)),
            )  # fmt: skip
        return names, *found


def _weight(weights: Any, figure: str) -> Any:
    """Return the weight of that name alone, as all of them are given: whole they take longest."""
    return case((weights.has_key(figure), func.jsonb_build_object(figure, weights[figure])))


def _past(one: Row[Any], marked: _Marked) -> Past:
    rows, marks, trusted = marked.rows(one.shape, one.marks)
    each = zip(rows, one.figures, trusted, strict=bool(rows))
    known = [(row, value, sure) for row, value, sure in each if value is not None]
    return Past(
        one.name, one.title, one.document, one.recorded, one.commit, one.dirty, one.nominal,
        {row: value for row, value, _ in known}, marks,
        {row: value for row, value, sure in known if sure}, one.weights or {},
    )  # fmt: skip


def _together(each: Sequence[Past]) -> Past:
    """Return one for runs that repeat one another."""
    last = each[-1]
    if len(each) == 1:
        return last

    def middle(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
        rows = dict.fromkeys(row for part in parts for row in part)
        return {row: median(part[row] for part in parts if row in part) for row in rows}

    trusted = middle([one.trusted for one in each])
    figures = {**middle([one.figures for one in each]), **trusted}
    title = last.title.rpartition("/")[0]
    return Past(last.name, title, last.document, last.recorded, last.commit, last.dirty,
                last.nominal, figures, last.marks, trusted, last.weights)  # fmt: skip


def points(of: Sequence[Past], figure: str) -> list[Point]:
    """Return one figure over runs: a row, a weight, or the mean over the oldest's."""
    means = _means(of) if figure == MEAN else {}
    return [one.point(figure, means.get(place)) for place, one in enumerate(of)]


def _means(of: Sequence[Past]) -> dict[int, float]:
    trusted = dict(enumerate(one.trusted for one in of))
    over = fair(trusted, always=(0,))
    return {
        place: round(
            geometric_mean([trusted[place][row] / trusted[0][row] for row in over.rows]), 4
        )
        for place in over.compared
        if over.rows
    }


def names(connection: Connection, project: int, after: int) -> list[tuple[int, str]]:
    """Return documents' numbers and identities, at most MOST_LISTED, those after a number."""
    document = tables.document
    query = (
        select(document.c.number, document.c.sha256)
        .where(document.c.project == project, document.c.number > after)
        .order_by(document.c.number)
        .limit(MOST_LISTED)
    )
    return [(number, bytes(sha256).hex()) for number, sha256 in connection.execute(query)]


def missing(connection: Connection, project: int, identities: Sequence[str]) -> list[str]:
    """Return which of these documents are not there."""
    document = tables.document
    wanted = [bytes.fromhex(one) for one in identities]
    query = select(document.c.sha256).where(
        document.c.project == project, document.c.sha256.in_(wanted)
    )
    there = {bytes(one).hex() for one in connection.execute(query).scalars()}
    return [one for one in identities if one not in there]


def document(connection: Connection, project: int, identity: str) -> tuple[Document, bytes] | None:
    """Return a document as it came, and its log; None where there is none of that name."""
    table, run, content = tables.document, tables.run, tables.content
    query = select(table).where(table.c.project == project,
                                table.c.sha256 == bytes.fromhex(identity))  # fmt: skip
    found = connection.execute(query).one_or_none()
    if found is None:
        return None
    query_runs = (
        select(run.c.name, run.c.title, content.c.facts, content.c.figures)
        .join(content, content.c.run == run.c.id)
        .where(run.c.document == found.id)
        .order_by(run.c.place)
    )
    runs_there = tuple(
        Recorded(name, title, zlib.decompress(facts).decode(), zlib.decompress(figures).decode())
        for name, title, facts, figures in connection.execute(query_runs)
    )
    made = Document(found.name, found.recorded, found.kind, found.source, found.log_sha256,
                    found.log_bytes, runs_there)  # fmt: skip
    return made, log(connection, project, found.log_sha256) or b""


def log(connection: Connection, project: int, sha256: str) -> bytes | None:
    """Return a project's log; None where there is none of that name."""
    if not sha256:
        return None
    table = tables.log
    query = select(table.c.content).where(table.c.project == project,
                                          table.c.sha256 == bytes.fromhex(sha256))  # fmt: skip
    found = connection.execute(query).scalar()
    return None if found is None else zlib.decompress(found)


def audit(connection: Connection, project: int, before: int | None) -> list[Mapping[str, Any]]:
    """Return the newest entries of a project's audit, at most MOST_RUNS; those before a number."""
    table = tables.audit
    query = select(table).where(table.c.project == project)
    if before is not None:
        query = query.where(table.c.id < before)
    found = connection.execute(query.order_by(table.c.id.desc()).limit(MOST_RUNS)).mappings()
    return [{**one, "at": one["at"].isoformat(timespec="seconds")} for one in found]


def _saved_query() -> Any:
    run, kind, document = tables.run, tables.kind, tables.document
    return (
        select(
            run.c.id, run.c.name, document.c.name.label("document_name"), run.c.title, kind.c.suite,
            kind.c.board, kind.c.unit, kind.c.kernel, run.c.version, kind.c.configuration,
            run.c.row_count, run.c.recorded, document.c.kind.label("how"), document.c.source,
            document.c.log_sha256,
        )
        .join(kind, kind.c.id == run.c.kind)
        .join(document, document.c.id == run.c.document)
    )  # fmt: skip


def _saved(one: Row[Any]) -> Kept:
    fields = list(one)
    fields[9] = tuple(fields[9].split(","))
    return Kept(*fields)


def kind(connection: Connection, project: int, number: int) -> Mapping[str, Any] | None:
    """Return a kind of runs of a project; None where it has none of that number."""
    table = tables.kind
    query = select(table).where(table.c.id == number, table.c.project == project)
    found = connection.execute(query).mappings().one_or_none()
    return None if found is None else dict(found)
