# SPDX-License-Identifier: Apache-2.0
"""What the columns of anybody's table are: said by the user, or guessed and then confirmed.

A guess is shown before anything is recorded (table_asked.py), so it may be bold about names
and is strict about units: a column whose unit neither its head nor its cells nor `--unit` tell
is not taken. Several columns of figures, of a board each, are a run each; a table whose lines
are the boards, and whose columns are the rows, is turned first. How numbers are written is found
of all columns together (written.py), and what is open is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from typing import Any

from foliot.importers import written
from foliot.importers.figures import Collected, row_name, told
from foliot.importers.plain_table import NAMES, Table
from foliot.importers.units import scaled, unit_of
from foliot.importers.written import Figure, Open, Writing, figure, is_figure_like
from foliot.model.errors import UsageError
from foliot.model.names import counted, slug
from foliot.model.published import single
from foliot.model.run import Origin, Run
from foliot.reference.rows import catalogue

_STATISTICS = {
    "min": "min", "minimum": "min", "best": "min", "max": "max", "maximum": "max", "worst": "max",
    "mean": "mean", "avg": "mean", "average": "mean", "median": "p50", "p50": "p50", "p90": "p90",
    "p99": "p99", "first": "first", "cold": "first", "n": "n", "samples": "n", "count": "n",
    "iterations": "n", "runs": "n", "rounds": "n",
    "stddev": "stddev", "sd": "stddev", "deviation": "stddev",
}  # fmt: skip
# What stands beside figures, and is none of a board's: how sure they are, or what they make.
_BESIDE = frozenset([
    "error", "err", "stderr", "std", "iqr", "ci", "ratio", "ratiosd", "speedup", "rank", "ipc",
    "outliers", "allocated", "gen0", "gen1", "gen2",
])  # fmt: skip
# So many a second; "Latency / us" is how physicists write a quantity over its unit.
_RATE = re.compile(
    r"\b[kmg]?(?:ops?|operations?|calls?|iter(?:ation)?s?|loops?|msgs?|messages?|events?|"
    r"switch(?:es)?|ctxswc?|items?|req(?:uest)?s?|transactions?|packets?|i?b(?:ytes?|its?)?)"
    r"\s*(?:/|\bper\b)\s*(?:s|secs?|seconds?|min|ms|us|µs|μs)\b|\b(?:throughput|bandwidth)\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"(?:/|\bper\b)\s*(?:op|iter|call)", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[\[(](?P<unit>[^\W\d_]{1,20})[\])]\s*$")
_BOARDS = ("board", "platform", "device", "target", "machine", "mcu", "soc", "kernel", "system")
_TEXTS = ("description", "text", "comment")
ROLES = ("name", "text", "value", "unit", "board", "ns", *dict.fromkeys(_STATISTICS.values()))
_LOOKED_AT = 200
_MOST_TOLD = 10
_NUMERIC = 0.5  # how many of a column's cells have to be figures
_WIDE = 8  # columns of figures, and so many times its lines, make a table that lies on its side
_TIMES_WIDER = 3
_CAPITAL = re.compile(r"(?<![(\[])\b[A-Z]\b(?![)\]])")  # a name; in brackets a unit


@dataclass(frozen=True, slots=True)
class Columns:
    """The places of the columns: of the rows' names, of the figures, and of what else is taken.

    `units` are those of `values` and of `statistics`, by their places, as the table writes them.
    """

    name: int
    values: tuple[int, ...]
    statistics: Mapping[str, int] = field(default_factory=dict)
    # text, unit, board, ns; `with` is what tells lines of one name apart
    others: Mapping[str, int] = field(default_factory=dict)
    units: Mapping[int, str] = field(default_factory=dict)
    writings: Mapping[int, Writing] = field(default_factory=dict)

    @property
    def taken(self) -> set[int]:
        """Return the places of all columns that mean something."""
        return {self.name, *self.values, *self.statistics.values(), *self.others.values()}

    def row_name(self, line: Sequence[str]) -> str:
        """Return the name of a line's row."""
        return row_name(_cell(line, self.name), _cell(line, self.others.get("with")))


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
    name = next((place for place in names if set(words[place]) & set(NAMES)), names[0])
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
    left = [place for place in names if place != name and place not in others.values()]
    left += [place for place in sorted(figures) if not _unit(table, place)]
    apart = _apart(table, name, left) if "board" not in others else None
    if apart is not None:
        others["with"] = apart
        statistics = {role: place for role, place in statistics.items() if place != apart}
    free = [
        place for place in sorted(figures)
        if place not in {*statistics.values(), apart} and not _is_beside(table.head[place])
    ]  # fmt: skip
    each = [place for place in free if _EACH.search(table.head[place]) and _unit(table, place)]
    free = each or free  # a tool's table: the others are no boards
    cycles = [place for place in free if _unit(table, place)[:1] == ("cycles",)]
    times = [place for place in free if _unit(table, place)[:1] == ("ns",)]
    if (each or len(free) == 2) and len(cycles) == len(times) == 1:
        free, others["ns"] = cycles, times[0]
    middle = [statistics[key] for key in ("p50", "mean", "min") if key in statistics]
    if middle and len(statistics) > 1 and not any(_unit(table, place) for place in free):
        free = []  # a tool's table: what has no unit beside its statistics is no board
    values = tuple(free or middle[:1])
    if not values:
        return None
    return _with_units(Columns(name, values, statistics, others), table, unit)


def _apart(table: Table, name: int, places: Sequence[int]) -> int | None:
    """Return the column without which lines have the same name, and with which none have."""

    def distinct(*of: int) -> int:
        return len({tuple(_cell(line, one) for one in of) for line in table.lines})

    whole = len(table.lines)
    if distinct(name) == whole:
        return None
    return next((one for one in places if distinct(name, one) == whole > distinct(one)), None)


def _is_beside(title: str) -> bool:
    """Whether a column's title is that of a rate, a share, or what only stands beside figures."""
    share = title.rstrip("]) ").endswith("%")
    return bool(share or _RATE.search(title) or set(_words(title)) & _BESIDE)


def _words(title: str) -> list[str]:
    return [word for word in re.split(r"[^\w%]+|_", title.lower()) if word]


def _words_for_unit(title: str) -> list[str]:
    """Return the words that may be a unit: 'Board B' and 'Core S' are no bytes and no seconds."""
    return _words(_CAPITAL.sub(" ", title) if len(_words(title)) > 1 else title)


def _is_numeric(table: Table, place: int) -> bool:
    cells = [line[place] for line in table.lines if place < len(line) and line[place]]
    good = sum(map(is_figure_like, cells))
    meant = sum(
        any(map(str.isdecimal, cell)) for cell in cells
    )  # the others say that there is none
    return good > 0 and good >= _NUMERIC * meant and good >= _NUMERIC**2 * len(cells)


def upright(table: Table) -> Table:
    """Return a table whose columns are boards: turned, if its columns are rows.

    They are where most of them are called as rows are known, or where the lines are boards and
    nothing else, or where the table is far wider than long.
    """
    numeric = [place for place in range(len(table.head)) if _is_numeric(table, place)]
    rest = [place for place in range(len(table.head)) if place not in numeric]
    if len(numeric) < 2 or len(rest) != 1 or any(_is_statistic(table, one) for one in numeric):
        return table
    known = sum(_is_known(table.head[place]) for place in numeric)
    wide = len(numeric) > max(_WIDE, _TIMES_WIDER * len(table.lines))
    boards = bool(set(_words(table.head[rest[0]])) & set(_BOARDS))
    sides = [words[-1] for line in table.lines if line and (words := _words(line[0]))]
    of_lines = rest[0] == 0 and bool(sides) and all(len(one) > 1 and unit_of(one) for one in sides)
    of_lines = of_lines and (len({unit_of(one) for one in sides}) == 1 or not _by_lines(table, 0))
    last = [words[-1] for one in numeric if (words := _words_for_unit(table.head[one]))]
    units = any(unit_of(word) for word in last)
    if rest[0] == 0 and (2 * known > len(numeric) or wide or ((boards or of_lines) and not units)):
        return table.turned()
    return table


def _is_statistic(table: Table, place: int) -> bool:
    return bool(set(_words(table.head[place])) & set(_STATISTICS))


def _is_known(title: str) -> bool:
    letters = re.sub(r"[^a-z]", "", title.lower())
    return title.lower() in _row_names() or letters in _row_names()


@cache
def _row_names() -> frozenset[str]:
    """Return what rows are called in the catalogue: ids, and texts by their letters."""
    texts = {re.sub(r"[^a-z]", "", row.text.lower()) for row in catalogue()}
    return frozenset({row.id.lower() for row in catalogue()} | texts)


def _with_units(columns: Columns, table: Table, unit: str) -> Columns:
    if unit and unit_of(unit) is None:
        raise UsageError(f"--unit '{unit}' is none of cycles, insn, ns, us, ms, s, bytes")
    units = {}
    ns = {columns.others["ns"]} if "ns" in columns.others else set()
    for place in {*columns.values, *columns.statistics.values(), *ns}:
        own = _unit(table, place)
        units[place] = own[1] if own else unit
    return replace(columns, units=units)


def with_writings(
    columns: Columns, table: Table, likely: Sequence[Writing]
) -> tuple[Columns, dict[int, Open]]:
    """Return the columns with how each one's numbers are written, and those where that is open.

    `likely` is what the user left; a column that can be read in one way only speaks for the
    others too, since one program or one person wrote the table.
    """
    cells = {place: _cells_of(table, place) for place in _measured(columns)}
    left = tuple(likely)
    others = [one for one in range(len(table.head)) if one not in cells and _is_numeric(table, one)]
    for column in (*cells.values(), *(_cells_of(table, place) for place in others)):
        best = written.reading(column, likely)
        agreed = tuple(one for one in best if one in left)
        if agreed and len(best) < len(likely):
            left = agreed
    writings: dict[int, Writing] = {}
    still: dict[int, Open] = {}
    for place, column in cells.items():
        known = [columns.units.get(place, "")] + [
            one.unit for cell in column[:_LOOKED_AT] if (one := figure(cell))
        ]
        own = written.reading(column, likely)
        agreed = tuple(one for one in own if one in left) or own
        found = written.inferred(column, agreed, table.decimal, written.is_count(known))
        if isinstance(found, Open):
            still[place] = found
        else:
            writings[place] = found
    return replace(columns, writings=writings), still


def _measured(columns: Columns) -> list[int]:
    ns = [columns.others["ns"]] if "ns" in columns.others else []
    return sorted({*columns.values, *columns.statistics.values(), *ns})


def _cells_of(table: Table, place: int) -> list[str]:
    return [line[place] for line in table.lines if place < len(line) and line[place]]


def left_out(table: Table, columns: Columns) -> list[str]:
    """Say which figures of a table are not taken: of whole columns, and cells of those taken."""
    found = []
    for place, title in enumerate(table.head):
        cells = _cells_of(table, place)
        if place in _measured(columns):
            odd = [(cell, why) for cell in cells if (why := _why(cell, place, columns))]
        elif place not in columns.taken and 2 * sum(map(written.is_measured, cells)) > len(cells):
            odd = [(cell, "not taken") for cell in cells]
        else:
            continue
        if odd:
            cell, why = odd[0]
            told = f"{counted(len(odd), 'cell')}, as '{cell[:24]}': {why}"
            found.append(f"column '{title[:40]}': {told}")
    return found


def _why(cell: str, place: int, columns: Columns) -> str:
    """Say why a cell of a measured column is no figure; nothing where it is one, or empty."""
    writing = columns.writings.get(place)
    return "" if figure(cell, writing) else written.why_none(cell, writing)


def _unit(table: Table, place: int) -> tuple[str, str] | tuple[()]:
    """Return the unit that a column's head, or all of its cells, name: of a run, and as written."""
    rate = _RATE.search(table.head[place])
    for word in reversed(_words_for_unit(table.head[place]) if not rate else ()):
        known = unit_of(word)
        if known is not None and len(table.head[place]) > 1:
            return known[0], word
    units = {
        found.unit
        for cell in _cells_of(table, place)
        for writing in written.conventions()
        if (found := figure(cell, writing)) is not None
    }
    if len(units) == 1 and (only := units.pop()):
        known = unit_of(only)
        return (known[0], only) if known else ()
    return ()


def without_unit(columns: Columns, table: Table) -> list[str]:
    """Return the titles of the columns of figures whose unit nobody tells."""
    if "unit" in columns.others or _by_lines(table, columns.name):
        return []
    return [
        table.head[place]
        for place in columns.values
        if not columns.units.get(place) and not _say_their_own(table, place)
    ]


def _by_lines(table: Table, name: int) -> bool:
    """Whether each line's name has the line's unit in brackets behind it, and they are of many."""
    names = [_cell(line, name) for line in table.lines]
    bare = {_IN_BRACKETS.sub("", one).strip() for one in names}
    return bool(names) and all(map(_unit_of_name, names)) and len(bare) == len(names)


def _unit_of_name(name: str) -> str:
    """Return the unit in brackets behind a row's name, or nothing."""
    found = _IN_BRACKETS.search(name)
    return found["unit"] if found and unit_of(found["unit"]) else ""


def _say_their_own(table: Table, place: int) -> bool:
    """Whether each figure of a column has its unit with it, one this and another that."""
    read = [
        next(filter(None, (figure(cell, one) for one in written.conventions())), None)
        for cell in _cells_of(table, place)
    ]
    units = [found.unit for found in read if found is not None]
    return bool(units) and all(units)


def runs_of(table: Table, columns: Columns, source: str) -> list[Run]:
    """Return the runs of a table: one a column of figures, a board, and a unit."""
    runs: list[Run] = []
    titles = [_without_unit(table, value) for value in columns.values]
    if len(set(titles)) < len(titles):
        titles = [table.head[value] for value in columns.values]
    for value, own in zip(columns.values, titles, strict=True):
        collected: dict[str, Collected] = {}
        for number, line in zip(table.numbers, table.lines, strict=True):
            board = _cell(line, columns.others.get("board"))
            found = collected.setdefault(board, Collected())
            _take(line, f"{table.what} {number}", value, columns, found)
        title = own if len(columns.values) > 1 else ""
        for board, found in collected.items():
            origin = Origin(
                title=title or board or table.kind, source=source, format="table",
                lines=(table.numbers[0], table.numbers[-1]) if table.numbers else None,
            )  # fmt: skip
            name = "_".join(filter(None, (slug(board), slug(title)))) or "unnamed"
            runs += found.runs(origin, "table", board=name)
    return [run for run in runs if run.rows or run.failures]


def _without_unit(table: Table, place: int) -> str:
    """Return a column's title without the unit in it, unless it is nothing else."""
    title, unit = table.head[place], _unit(table, place)
    if not unit:
        return title
    ends = rf"[\[(\s,_]+{re.escape(unit[1])}\s*[\])]?\s*$"
    return re.sub(ends, "", title, flags=re.IGNORECASE).strip() or title


def _cell(line: Sequence[str], place: int | None) -> str:
    return line[place] if place is not None and place < len(line) else ""


def _take(line: Sequence[str], where: str, value: int, columns: Columns, found: Collected) -> None:
    """Take one line's figure, or say why that is none."""
    name = columns.row_name(line)
    if not _cell(line, columns.name):
        found.fail(where.replace(" ", "_"), "a line without a name")
        return
    cell = _cell(line, value)
    read = figure(cell, columns.writings.get(value))
    if read is None:
        why = written.why_none(cell, columns.writings.get(value)) or "no figure"
        shown = f"'{cell[:24]}' is {why}" if cell else "no figure"
        found.fail(name, f"{where}: {shown}")
        return
    own = _cell(line, columns.others.get("unit")) or read.unit
    unit = own or _unit_of_name(_cell(line, columns.name)) or columns.units.get(value, "")
    known = unit_of(unit)
    if known is None:
        found.fail(name, f"{where}: in '{unit[:24]}', which is no time, and no count")
        return
    row = single(
        name, _cell(line, columns.others.get("text")), scaled(read.value, known[1]),
        _ns(line, columns), **_remarks(read, known[1]),
    )  # fmt: skip
    statistics = dict(_statistics(line, columns, unit, known[0]))
    if (deviation := statistics.pop("stddev", None)) is not None:
        row = replace(row, extra={**row.extra, "stddev": deviation})
    found.add(known[0], told(row, **statistics))


def _remarks(read: Figure, factor: int | Decimal) -> dict[str, Any]:
    """Return what stands around a figure, for its row."""
    remarks: dict[str, Any] = {"remark": read.remark} if read.remark else {}
    if read.deviation is not None:
        remarks["stddev"] = scaled(read.deviation, factor)
    return remarks


def _ns(line: Sequence[str], columns: Columns) -> float | None:
    """Return a line's time, which stands beside its cycles, in ns."""
    place = columns.others.get("ns")
    if place is None:
        return None
    read = figure(_cell(line, place), columns.writings.get(place))
    known = unit_of(read.unit or columns.units.get(place, "") or "ns") if read else None
    return scaled(read.value, known[1]) if read and known and known[0] == "ns" else None


def _statistics(
    line: Sequence[str], columns: Columns, own: str, unit: str
) -> Iterator[tuple[str, float]]:
    for role, place in columns.statistics.items():
        read = figure(_cell(line, place), columns.writings.get(place))
        if read is None:
            continue
        if role == "n":
            yield role, read.value
            continue
        known = unit_of(read.unit or (columns.units.get(place) or own))
        if known is not None and known[0] == unit:
            yield role, scaled(read.value, known[1])


def _shown_writings(table: Table, columns: Columns) -> set[Writing]:
    """Return how the columns are written in which it makes a difference."""
    return {
        writing
        for place, writing in columns.writings.items()
        if any(re.search(r"\d[.,' ]\d", written.normal(cell)) for cell in _cells_of(table, place))
    }


def described(table: Table, columns: Columns, runs: Sequence[Run]) -> list[str]:
    """Say what a table is taken for, and show its first rows."""

    def line(role: str, place: int) -> str:
        unit = columns.units.get(place, "")
        factor = unit_of(unit)
        turned = f", turned into {factor[0]}" if factor and factor[1] != 1 else ""
        return f"  {role:<6} '{table.head[place]}'" + (f", in {unit}{turned}" if unit else "")

    lines = [f"{table.kind} of {len(table.lines)} lines, taken as", line("name", columns.name)]
    lines += [f"  above   not taken: '{said[:60]}'" for said in table.above[:3]]
    for one in sorted(_shown_writings(table, columns), key=str)[:2]:
        grouped = f", '{one.thousands}' between thousands" if one.thousands else ""
        lines.append(f"  numbers with '{one.decimal}' before the fraction{grouped}")
    lines += [line("value", place) for place in columns.values]
    rest = {**columns.statistics, **columns.others}
    lines += [line(role, place) for role, place in rest.items() if place not in columns.values]
    left = [title for place, title in enumerate(table.head) if place not in columns.taken]
    if left:
        lines.append(f"  not taken: {', '.join(left)[:80]}")
    lines += [f"  LEFT OUT {one}" for one in left_out(table, columns)[:_MOST_TOLD]]
    for run in runs[:3]:
        lines.append(
            f"  {run.header.board}, in {run.header.unit}, {counted(len(run.rows), 'row')}:"
        )
        lines += [f"    {row.id[:60]:<44} {row.p50:>14g}" for row in run.rows[:3]]
        lines += [f"    not taken: {failure.id}: {failure.reason}" for failure in run.failures[:3]]
    return lines
