# SPDX-License-Identifier: Apache-2.0
"""What a page says around its logs: tables of devices, and its own summary of the rows.

Nothing here depends on the page's language. A table of devices is one with a clock in it
(devices.py). A summary is a table whose columns, or lines, are runs of the page; which row
a line of it sums up is found by its figures: the row that has most of them. The cells that
then don't agree are what a doubt is made of (judge/printed.py). A table that is neither is
named, so that nobody thinks it was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from foliot.importers.devices import (
    Device,
    Table,
    bare,
    deepest,
    devices_of,
    is_headed,
    matching,
    named_in,
    plain_name,
)
from foliot.importers.headings import Heading, clean_title
from foliot.importers.numbers import clock_hz
from foliot.model.names import plain, slug
from foliot.model.run import Cell, Run

_RULE = re.compile(r"[|\s:+=-]+")
_MOST_LINES = 500
_UNITS = {"ns": 1.0, "nsec": 1.0, "µs": 1e3, "μs": 1e3, "us": 1e3, "usec": 1e3, "ms": 1e6}
_UNIT = re.compile(r"(?<![A-Za-zµμ])(ns|nsec|µs|μs|us|usec|ms)(?![A-Za-z])", re.IGNORECASE)
_VALUE = re.compile(r"(\d{1,15})(?:\.(\d{1,6}))?\s*(ns|µs|μs|us|ms|cycles|)", re.IGNORECASE)


class Tables:
    """Collects the tables of a page (Markdown's; a rule of dashes may be missing)."""

    def __init__(self) -> None:
        """Begin with no table."""
        self.tables: list[Table] = []
        self._open: list[tuple[str, ...]] = []
        self._first = self._last = 0

    def feed(self, text: str, number: int = 0) -> None:
        """Take a line that has a `|` in it, or any other, which closes a table."""
        cells = tuple(plain(cell).strip() for cell in _cells(text))
        if len(cells) < 2 or (self._open and len(cells) != len(self._open[0])):
            self.close()
        if len(cells) >= 2 and not _RULE.fullmatch(text) and len(self._open) < _MOST_LINES:
            if not self._open:
                self._first = number
            self._last = number
            self._open.append(cells)

    def close(self) -> None:
        """End the table that is open."""
        if len(self._open) > 1 and len(self.tables) < _MOST_LINES:
            head, *lines = self._open
            self.tables.append(Table(head, tuple(lines), self._first, self._last))
        self._open = []


@dataclass(slots=True)
class Page:
    """A page's runs with what its tables say of them, and the tables that say nothing known."""

    runs: list[Run]
    strange: list[Table] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)  # devices of which there is no log


def complete(
    runs: Sequence[Run], tables: Sequence[Table], said: Mapping[int, Sequence[Heading]]
) -> Page:
    """Return the runs with what the page says of them.

    `said` is the text above rows, by the number of the line that follows it.
    """
    headings = [one.text for lines in said.values() for one in lines]
    of_tables = [devices_of(table, headings) for table in tables]
    devices = {name: device for found in of_tables for name, device in found.items()}
    names = {**{bare(name): {"name": name} for table in tables for name in _titles(table)
                if devices and matching(name, devices)}, **devices}  # fmt: skip
    told = [
        _with_device(run, device) if (device := matching(run.origin.title, devices)) else run
        for run in _titled(runs, names, said)
    ]
    titles = {bare(run.origin.title): place for place, run in enumerate(told)}
    summaries: dict[int, list[Cell]] = {}
    strange = []
    for table, found in zip(tables, of_tables, strict=True):
        if not found and not _sum_up_table(table, titles, told, summaries):
            strange.append(table)
    cells = {place: _traced(place, summaries, told) for place in summaries}
    return Page([
        replace(run, origin=replace(run.origin, summary=tuple(cells[place])))
        if place in cells
        else run
        for place, run in enumerate(told)
    ], strange, _absent(devices, told))  # fmt: skip


def _absent(devices: Mapping[str, Device], runs: Sequence[Run]) -> list[str]:
    """Return the devices of the page's tables of which it has no run, where it has of others."""
    there = {run.origin.device["name"] for run in runs if run.origin.device}
    names = [device["name"] for device in devices.values()]
    return [name for name in names if name not in there] if there else []


def _titles(table: Table) -> list[str]:
    return [*table.head, *(line[0] for line in table.lines)]


def _titled(
    runs: Sequence[Run], names: Mapping[str, Device], said: Mapping[int, Sequence[Heading]]
) -> list[Run]:
    """Name each run by the heading above it that names a device of the page's tables.

    Several logs may stand under one heading of a device, each under a deeper one of its own.
    """
    found: list[Run] = []
    before, above = 0, None
    for run in runs:
        first, last = run.origin.lines or (0, 0)
        lines = [one for number, segment in said.items() if before < number <= first
                 for one in segment]  # fmt: skip
        named = named_in(lines, names)
        torn = bool(run.header.extra.get("torn"))
        inherits = above and (torn or not is_headed(lines) or deepest(lines) > above.level)
        if named is None and above and inherits and not matching(run.origin.title, names):
            named = above
        title = named.title if named else plain_name(run.origin.title, names)
        found.append(run if title == run.origin.title else _renamed(run, title))
        before, above = max(last, before), named
    return found


def _renamed(run: Run, title: str) -> Run:
    """Return a run under another heading; a board that its own lines name is kept."""
    own = run.header.board not in ("unnamed", slug(clean_title(run.origin.title)))
    if own or not run.published or not title:
        return run
    return replace(
        run, header=replace(run.header, board=slug(title)), origin=replace(run.origin, title=title)
    )


def _sum_up_table(
    table: Table,
    titles: Mapping[str, int],
    runs: Sequence[Run],
    summaries: dict[int, list[Cell]],
) -> bool:
    """Take a table that sums up runs, which are its columns or its lines; True where it does."""
    for one in (table, table.turned()):
        columns = _columns(one, titles)
        if len(columns) > 1:
            for line in one.lines:
                _sum_up(line, one.head, columns, runs, summaries)
            return True
    return False


def _columns(table: Table, titles: Mapping[str, int]) -> dict[int, int]:
    """Map the columns of a summary to the runs that they sum up."""
    names = [bare(_UNIT.sub("", title)) for title in table.head]
    return {column: titles[name] for column, name in enumerate(names) if name and name in titles}


def _sum_up(
    line: tuple[str, ...],
    head: Sequence[str],
    columns: Mapping[int, int],
    runs: Sequence[Run],
    summaries: dict[int, list[Cell]],
) -> None:
    """Find the row that a line of a summary is about, and keep its cells."""
    item = next((cell for place, cell in enumerate(line) if place not in columns), "")
    told = _UNIT.search(item)
    item = re.sub(r"[\[(]\s*[\])]", "", _UNIT.sub("", item)).strip() if told else item
    cells = {
        place: _cell(line[column], (told or _UNIT.search(head[column]) or _UNIT.search(head[0])))
        for column, place in columns.items()
    }
    votes: dict[str, int] = {}
    for place, cell in cells.items():
        for row in runs[place].rows:
            if cell.value is not None and cell.is_of(row):
                votes[row.id] = votes.get(row.id, 0) + 1
    if votes:
        row_id = max(votes, key=lambda name: votes[name])
        for place, cell in cells.items():
            summaries.setdefault(place, []).append(replace(cell, item=item, row=row_id))


def _cell(text: str, unit: re.Match[str] | None) -> Cell:
    """Return the figure of a cell, in ns; its step is what a last digit of it is worth."""
    found = _VALUE.fullmatch(re.sub(r"(?<=\d),(?=\d{3})|[*`_]", "", text).strip())
    if not found:
        return Cell("", "", None)
    name = found[3].lower() or (unit[1].lower() if unit else "ns")
    scale = _UNITS.get(name, 1.0)
    value = round(float(f"{found[1]}.{found[2] or 0}") * scale, 6)
    step = scale / 10 ** len(found[2] or "")
    return Cell("", "", value, step=step if scale > 1 else 0.0)


def _traced(place: int, summaries: Mapping[int, Sequence[Cell]], runs: Sequence[Run]) -> list[Cell]:
    """Say of each cell that is not its row's figure where else in the summary it stands."""
    return [
        cell
        if cell.value is None or _is_figure_of(runs[place], cell.row, cell)
        else replace(cell, elsewhere=_elsewhere(cell, place, summaries, runs))
        for cell in summaries[place]
    ]


def _elsewhere(
    cell: Cell, place: int, summaries: Mapping[int, Sequence[Cell]], runs: Sequence[Run]
) -> str:
    for other in (place, *(other for other in summaries if other != place)):
        for candidate in summaries[other]:
            if cell.value is not None and _is_figure_of(runs[other], candidate.row, cell):
                whose = "its own" if other == place else f"{runs[other].origin.title}'s"
                return f"{whose} '{candidate.item}'"
    return ""


def _is_figure_of(run: Run, row_id: str, cell: Cell) -> bool:
    row = run.row(row_id)
    return row is not None and cell.is_of(row)


def _cells(text: str) -> list[str]:
    return text.strip().strip("|").split("|")


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
