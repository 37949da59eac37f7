# SPDX-License-Identifier: Apache-2.0
"""What a page says around its logs: tables of devices, and its own summary of the rows.

Nothing here depends on the page's language. A table of devices is one with a clock in it.
A summary is a table whose columns are runs of the page; which row a line of it sums up is
found by its figures: the row that has most of them. The cells that then don't agree are
what a doubt is made of (judge/doubts.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from foliot.importers.numbers import clock_hz
from foliot.model.names import plain
from foliot.model.run import Cell, Run

_RULE = re.compile(r"[|\s:+=-]+")
_MOST_LINES = 500
_COLUMNS = (("clock", ("clock", "frequency", "mhz")), ("core", ("core", "コア", "cpu")),
            ("ram", ("ram",)), ("rom", ("rom", "flash")), ("fpu", ("fpu",)))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it was read: its head, and its lines, all of the head's length."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


class Tables:
    """Collects the tables of a page (Markdown's; a rule of dashes may be missing)."""

    def __init__(self) -> None:
        """Begin with no table."""
        self.tables: list[Table] = []
        self._open: list[tuple[str, ...]] = []

    def feed(self, text: str) -> None:
        """Take a line that has a `|` in it, or any other, which closes a table."""
        cells = tuple(plain(cell).strip() for cell in text.strip().strip("|").split("|"))
        if len(cells) < 2 or (self._open and len(cells) != len(self._open[0])):
            self.close()
        if len(cells) >= 2 and not _RULE.fullmatch(text) and len(self._open) < _MOST_LINES:
            self._open.append(cells)

    def close(self) -> None:
        """End the table that is open."""
        if len(self._open) > 1 and len(self.tables) < _MOST_LINES:
            self.tables.append(Table(self._open[0], tuple(self._open[1:])))
        self._open = []


def complete(runs: Sequence[Run], tables: Sequence[Table]) -> list[Run]:
    """Return the runs with what the page's tables say of them."""
    devices = _devices(tables)
    told = [
        _with_device(run, device) if (device := _matching(run.origin.title, devices)) else run
        for run in runs
    ]
    titles = {_bare(run.origin.title): place for place, run in enumerate(told)}
    summaries: dict[int, list[Cell]] = {}
    for table in tables:
        columns = _columns(table, titles)
        if len(columns) > 1:
            for line in table.lines:
                _sum_up(line, columns, told, summaries)
    cells = {place: _traced(place, summaries, told) for place in summaries}
    return [
        replace(run, origin=replace(run.origin, summary=tuple(cells[place])))
        if place in cells
        else run
        for place, run in enumerate(told)
    ]


def _devices(tables: Sequence[Table]) -> dict[str, dict[str, str]]:
    """Map the devices that the page names to what it says of them."""
    found: dict[str, dict[str, str]] = {}  # by their bare names
    for table in tables:
        keys = [_column(title) for title in table.head]
        if "clock" in keys[1:]:
            for line in table.lines:
                if clock_hz(line[keys.index("clock")]):
                    known = {key: value for key, value in zip(keys, line, strict=True) if key}
                    found[_bare(line[0])] = {"name": line[0], **known}
    return found


def _column(title: str) -> str:
    lower = title.lower()
    for key, words in _COLUMNS:
        if any(word in lower for word in words):
            return key
    return ""


def _matching(title: str, devices: Mapping[str, dict[str, str]]) -> dict[str, str] | None:
    """Return the device that a title is about: the same name, or the one that begins with it."""
    wanted = _bare(title)
    if not wanted:
        return None
    if wanted in devices:
        return devices[wanted]
    longer = [name for name in devices if name.startswith(wanted)]
    return devices[longer[0]] if len(longer) == 1 else None


def _bare(name: str) -> str:
    """Return a name without what stands in brackets, spaces and marks, in lower case."""
    return re.sub(r"[\W_]", "", re.sub(r"\(.*?\)", "", name)).lower()


def _columns(table: Table, titles: Mapping[str, int]) -> dict[int, int]:
    """Map the columns of a summary to the runs that they sum up."""
    names = [_bare(title) for title in table.head]
    return {
        column: titles[name]
        for column, name in enumerate(names)
        if column > 0 and name and name in titles
    }


def _sum_up(
    line: tuple[str, ...],
    columns: Mapping[int, int],
    runs: Sequence[Run],
    summaries: dict[int, list[Cell]],
) -> None:
    """Find the row that a line of a summary is about, and keep its cells."""
    values = {place: _number(line[column]) for column, place in columns.items()}
    votes: dict[str, int] = {}
    for place, value in values.items():
        for row in runs[place].rows:
            if value is not None and value in (row.ns, row.p50):
                votes[row.id] = votes.get(row.id, 0) + 1
    if votes:
        row_id = max(votes, key=lambda name: votes[name])
        for place, value in values.items():
            summaries.setdefault(place, []).append(Cell(line[0], row_id, value))


def _traced(place: int, summaries: Mapping[int, Sequence[Cell]], runs: Sequence[Run]) -> list[Cell]:
    """Say of each cell that is not its row's figure where else in the summary it stands."""
    return [
        cell
        if cell.value is None or _is_figure_of(runs[place], cell.row, cell.value)
        else replace(cell, elsewhere=_elsewhere(cell, place, summaries, runs))
        for cell in summaries[place]
    ]


def _elsewhere(
    cell: Cell, place: int, summaries: Mapping[int, Sequence[Cell]], runs: Sequence[Run]
) -> str:
    for other in (place, *(other for other in summaries if other != place)):
        for candidate in summaries[other]:
            if cell.value is not None and _is_figure_of(runs[other], candidate.row, cell.value):
                whose = "its own" if other == place else f"{runs[other].origin.title}'s"
                return f"{whose} '{candidate.item}'"
    return ""


def _is_figure_of(run: Run, row_id: str, value: float) -> bool:
    row = run.row(row_id)
    return row is not None and value in (row.ns, row.p50)


def _number(text: str) -> float | None:
    figures = text.replace(",", "").strip()
    return float(figures) if re.fullmatch(r"\d{1,15}(?:\.\d{1,6})?", figures) else None


def _with_device(run: Run, device: dict[str, str]) -> Run:
    """Return the run with what its document says of its device."""
    core, declared = device.get("core", ""), clock_hz(device.get("clock", ""))
    memory = [f"{name.upper()} {device[name]}" for name in ("ram", "rom") if device.get(name)]
    header = replace(
        run.header,
        core=core or run.header.core,
        clock_hz=declared or run.header.clock_hz,
        memory=", ".join(memory) or run.header.memory,
    )
    return replace(run, header=header, origin=replace(run.origin, device=device))
