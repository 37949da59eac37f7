# SPDX-License-Identifier: Apache-2.0
"""What the columns of anybody's table are: said by the user, or guessed and then confirmed.

A guess is shown before anything is recorded (table_asked.py), so it may be bold about names
and is strict about units: a column whose unit neither its head nor its cells nor `--unit` tell
is not taken. Several columns of figures, of a board each, are a run each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from foliot.importers.figures import Collected, row_name, told
from foliot.importers.plain_table import Table, figure
from foliot.importers.units import scaled, unit_of
from foliot.model.errors import UsageError
from foliot.model.foreign import single
from foliot.model.names import counted, slug
from foliot.model.run import Origin, Run

_STATISTICS = {
    "min": "min", "minimum": "min", "best": "min", "max": "max", "maximum": "max", "worst": "max",
    "mean": "mean", "avg": "mean", "average": "mean", "median": "p50", "p50": "p50", "p90": "p90",
    "p99": "p99", "first": "first", "cold": "first", "n": "n", "samples": "n", "count": "n",
    "iterations": "n", "runs": "n",
}  # fmt: skip
_NAMES = (
    "name",
    "id",
    "benchmark",
    "test",
    "operation",
    "metric",
    "item",
    "row",
    "case",
    "function",
)
_TEXTS = ("description", "text", "comment")
ROLES = ("name", "text", "value", "unit", "board", "ns", *dict.fromkeys(_STATISTICS.values()))
_NUMERIC = 0.5  # how many of a column's cells have to be figures


@dataclass(frozen=True, slots=True)
class Columns:
    """The places of the columns: of the rows' names, of the figures, and of what else is taken.

    `units` are those of `values` and of `statistics`, by their places, as the table writes them.
    """

    name: int
    values: tuple[int, ...]
    statistics: Mapping[str, int] = field(default_factory=dict)
    others: Mapping[str, int] = field(default_factory=dict)  # text, unit, board, ns
    units: Mapping[int, str] = field(default_factory=dict)

    @property
    def taken(self) -> set[int]:
        """Return the places of all columns that mean something."""
        return {self.name, *self.values, *self.statistics.values(), *self.others.values()}


def said(words: str, table: Table, unit: str) -> Columns:
    """Return the columns that the user named: name=Operation,value=Cycles. UsageError if wrong."""
    found: dict[str, list[int]] = {}
    for word in words.split(","):
        role, equals, title = (part.strip() for part in word.partition("="))
        if not equals or role not in ROLES:
            raise UsageError(
                f"--columns '{word}': it is ROLE=COLUMN, ROLE one of {', '.join(ROLES)}"
            )
        found.setdefault(role, []).append(_place(title, table))
    values = tuple(found.get("value") or found.get("p50") or found.get("mean") or ())
    if "name" not in found or not values:
        raise UsageError("--columns needs a name and a value: name=COLUMN,value=COLUMN")
    statistics = {role: places[0] for role, places in found.items() if role in _STATISTICS.values()}
    named = ("text", "unit", "board", "ns")
    others = {role: places[0] for role, places in found.items() if role in named}
    columns = Columns(found["name"][0], values, statistics, others)
    return _with_units(columns, table, unit)


def _place(title: str, table: Table) -> int:
    lower = [name.lower() for name in table.head]
    if title.lower() in lower:
        return lower.index(title.lower())
    if title.isdecimal() and 1 <= int(title) <= len(lower):
        return int(title) - 1
    raise UsageError(f"there is no column '{title}': there are {', '.join(table.head)[:200]}")


def guessed(table: Table, unit: str) -> Columns | None:
    """Return what the columns probably are; None where there are no names, or no figures."""
    figures = {place for place in range(len(table.head)) if _is_numeric(table, place)}
    words = [_words(title) for title in table.head]
    names = [place for place in range(len(table.head)) if place not in figures]
    if not names or not figures:
        return None
    name = next((place for place in names if set(words[place]) & set(_NAMES)), names[0])
    statistics: dict[str, int] = {}
    others: dict[str, int] = {}
    for place in range(len(table.head)):
        known = next((_STATISTICS[word] for word in words[place] if word in _STATISTICS), None)
        if place in figures and known and known not in statistics:
            statistics[known] = place
        for role, titles in (
            ("text", _TEXTS),
            ("unit", ("unit", "units")),
            ("board", ("board", "platform")),
        ):
            if place in names and place != name and set(words[place]) & set(titles):
                others.setdefault(role, place)
    free = [place for place in sorted(figures) if place not in statistics.values()]
    cycles = [place for place in free if _unit(table, place)[:1] == ("cycles",)]
    times = [place for place in free if _unit(table, place)[:1] == ("ns",)]
    if len(free) == 2 and len(cycles) == len(times) == 1:
        free, others["ns"] = cycles, times[0]
    middle = [statistics[key] for key in ("p50", "mean", "min") if key in statistics]
    values = tuple(free or middle[:1])
    if not values:
        return None
    return _with_units(Columns(name, values, statistics, others), table, unit)


def _words(title: str) -> list[str]:
    return [word for word in re.split(r"[^\w%]+|_", title.lower()) if word]


def _is_numeric(table: Table, place: int) -> bool:
    cells = [line[place] for line in table.lines if place < len(line) and line[place]]
    good = sum(figure(cell) is not None for cell in cells)
    return good > 0 and good >= _NUMERIC * len(cells)


def _with_units(columns: Columns, table: Table, unit: str) -> Columns:
    if unit and unit_of(unit) is None:
        raise UsageError(f"--unit '{unit}' is none of cycles, insn, ns, us, ms, s, bytes")
    units = {}
    for place in {*columns.values, *columns.statistics.values()}:
        own = _unit(table, place)
        units[place] = own[1] if own else unit
    return Columns(columns.name, columns.values, columns.statistics, columns.others, units)


def _unit(table: Table, place: int) -> tuple[str, str] | tuple[()]:
    """Return the unit that a column's head, or all of its cells, name: of a run, and as written."""
    for word in reversed(_words(table.head[place])):
        known = unit_of(word)
        if known is not None and len(table.head[place]) > 1:
            return known[0], word
    written = {
        found[1]
        for line in table.lines
        if place < len(line) and (found := figure(line[place])) is not None
    }
    if len(written) == 1 and (only := written.pop()):
        known = unit_of(only)
        return (known[0], only) if known else ()
    return ()


def without_unit(columns: Columns, table: Table) -> list[str]:
    """Return the titles of the columns of figures whose unit nobody tells."""
    if "unit" in columns.others:
        return []
    return [table.head[place] for place in columns.values if not columns.units.get(place)]


def runs_of(table: Table, columns: Columns, source: str) -> list[Run]:
    """Return the runs of a table: one a column of figures, a board, and a unit."""
    runs: list[Run] = []
    for value in columns.values:
        collected: dict[str, Collected] = {}
        for number, line in zip(table.numbers, table.lines, strict=True):
            board = _cell(line, columns.others.get("board"))
            found = collected.setdefault(board, Collected())
            _take(line, number, value, columns, found)
        several = len(columns.values) > 1
        title = table.head[value] if several else ""
        for board, found in collected.items():
            origin = Origin(
                title=title or board or table.kind, source=source, format="table",
                lines=(table.numbers[0], table.numbers[-1]) if table.numbers else None,
            )  # fmt: skip
            name = "_".join(filter(None, (slug(board), slug(title)))) or "unnamed"
            runs += found.runs(origin, "table", board=name)
    return [run for run in runs if run.rows or run.failures]


def _cell(line: Sequence[str], place: int | None) -> str:
    return line[place] if place is not None and place < len(line) else ""


def _take(line: Sequence[str], number: int, value: int, columns: Columns, found: Collected) -> None:
    """Take one line's figure, or say why that is none."""
    name = row_name(_cell(line, columns.name))
    if not _cell(line, columns.name):
        found.fail(f"line_{number}", "a line without a name")
        return
    cell = _cell(line, value)
    read = figure(cell)
    if read is None:
        found.fail(
            name,
            f"line {number}: '{cell[:24]}' is no figure" if cell else f"line {number}: no figure",
        )
        return
    written = _cell(line, columns.others.get("unit")) or read[1] or columns.units.get(value, "")
    known = unit_of(written)
    if known is None:
        found.fail(name, f"line {number}: in '{written[:24]}', which is no time, and no count")
        return
    row = single(
        name, _cell(line, columns.others.get("text")), scaled(read[0], known[1]), _ns(line, columns)
    )
    found.add(known[0], told(row, **dict(_statistics(line, columns, written, known[0]))))


def _ns(line: Sequence[str], columns: Columns) -> float | None:
    read = figure(_cell(line, columns.others.get("ns")))
    return read[0] if read else None


def _statistics(
    line: Sequence[str], columns: Columns, written: str, unit: str
) -> Iterator[tuple[str, float]]:
    for role, place in columns.statistics.items():
        read = figure(_cell(line, place))
        if read is None:
            continue
        if role == "n":
            yield role, read[0]
            continue
        known = unit_of(read[1] or (columns.units.get(place) or written))
        if known is not None and known[0] == unit:
            yield role, scaled(read[0], known[1])


def described(table: Table, columns: Columns, runs: Sequence[Run]) -> list[str]:
    """Say what a table is taken for, and show its first rows."""

    def line(role: str, place: int) -> str:
        unit = columns.units.get(place, "")
        factor = unit_of(unit)
        turned = f", turned into {factor[0]}" if factor and factor[1] != 1 else ""
        return f"  {role:<6} '{table.head[place]}'" + (f", in {unit}{turned}" if unit else "")

    lines = [f"{table.kind} of {len(table.lines)} lines, taken as", line("name", columns.name)]
    lines += [line("value", place) for place in columns.values]
    rest = {**columns.statistics, **columns.others}
    lines += [line(role, place) for role, place in rest.items() if place not in columns.values]
    left = [title for place, title in enumerate(table.head) if place not in columns.taken]
    if left:
        lines.append(f"  not taken: {', '.join(left)[:80]}")
    for run in runs[:3]:
        lines.append(
            f"  {run.header.board}, in {run.header.unit}, {counted(len(run.rows), 'row')}:"
        )
        lines += [f"    {row.id[:60]:<44} {row.p50:>14g}" for row in run.rows[:3]]
        lines += [f"    not taken: {failure.id}: {failure.reason}" for failure in run.failures[:3]]
    return lines
