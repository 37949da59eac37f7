# SPDX-License-Identifier: Apache-2.0
"""What one message costs: L4Re's page, with our boards and other kernels.

A line is a board or a published core, with its configuration; the columns are those of L4Re's
page: one way inside an address space and between two, the mean of a loop (of seL4, which has no
such mean, a call), and a system call. A second table has what that page has not. Units are
never mixed: instructions and cycles are tables of their own, and so is what x86 counts three
times. What somebody has not measured is a dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from foliot.compare.comparison import MARKS
from foliot.model.run import Run
from foliot.reference import systems
from foliot.show.terminal import clipped
from foliot.store.selection import reference
from foliot.store.sqlite import Store

SUITE = "ipc"
UNITS = {"insn": "instructions", "cycles": "cycles"}
NONE = "\N{EN DASH}"

# A column's rows: ours, then others'. Several of one name are added up, where all are there.
PAGE: Mapping[str, Sequence[Sequence[str]]] = {
    "intra": (("ipc.mean.intra",), ("ipc.intra",)),
    "inter": (("ipc.mean.inter",), ("ipc.inter",)),
    "system call": (("syscall.null.user",), ("ipc.syscall",)),
}
BESIDES: Mapping[str, Sequence[Sequence[str]]] = {
    "call": (("ipc.call.inter.4",), ("ipc.inter",)),
    "reply": (("ipc.reply.inter.4",), ("ipc.reply",)),
    "10 words": (("ipc.call.inter.10",), ("ipc.inter.10_words",)),
    "signal": (("signal.sem.user",), ("ipc.signal",)),
    "and switch": (("signal.sem.wake.inter",), ("ipc.signal.switch",)),
    "fault": (("fault.round.inter",), ("ipc.fault.to_handler", "ipc.fault.from_handler")),
    "2 yields": (("yield.round.inter",),),
}
COUNTERS = {"tsc": "TSC", "cycles": "clocks", "insn": "instructions"}
# A run has one unit, so ours of a PC are three; these configurations say by which counter.
COUNTING = ("clocks", "instructions")

_AARCH64 = re.compile(r"Cortex-(A\d+)")
_NAME = 38
_NAME_LEAST = 20
_X86 = ("amd64", "x86")


@dataclass(frozen=True, slots=True)
class Line:
    """A run of the suite, ours or a reference; `figures` by column, of those it has.

    `marks` are of the columns in which a flagged row has a part: `~` corrected, `*` in doubt.
    """

    name: str
    unit: str
    figures: Mapping[str, float]
    is_ours: bool
    marks: Mapping[str, str] = field(default_factory=dict)
    platform: str = ""  # of x86: what the runs of its three counters have in common


def lines(store: Store) -> list[Line]:
    """Return our newest run of each board and configuration, then the references."""
    newest = {
        (kept.board, kept.configuration, kept.unit): kept
        for kept in store.runs()
        if kept.suite == SUITE and kept.kind == "bench"
    }
    ours = [_line(_own_name(run), run, True) for run in store.load_all(newest.values())]
    others = [reference(name) for name in systems.names()]
    return ours + [
        _line(one.name, one.run, False) for one in others if one.run.header.suite == SUITE
    ]


def as_dict(line: Line) -> dict[str, object]:
    """Return a line as JSON holds it."""
    return {
        "name": line.name, "unit": line.unit, "ours": line.is_ours, "figures": dict(line.figures),
        "marks": dict(line.marks),
    }  # fmt: skip


def text(found: Sequence[Line], width: int) -> Iterator[str]:
    """Yield the tables, unit by unit, and what x86 counts three times."""
    for unit, words in UNITS.items():
        of_unit = [line for line in found if line.unit == unit]
        yield from _table(
            f"one message, one way, and a system call, in {words}", of_unit, PAGE, width
        )
        more = [line for line in of_unit if len(line.figures.keys() & BESIDES.keys()) > 1]
        yield from _table(f"between address spaces, in {words}", more, BESIDES, width)
    yield from _counters([line for line in found if line.platform], width)
    if any(line.marks for line in found):
        yield "~ corrected, * in doubt: `foliot show RUN` says why"


def _line(name: str, run: Run, is_ours: bool) -> Line:
    values = run.values()
    columns = {**PAGE, **BESIDES}
    figures = {column: _figure(rows, values) for column, rows in columns.items()}
    flagged = {row.id: MARKS[run.mark(row)] for row in run.rows}
    marks = {column: mark for column, rows in columns.items()
             if (mark := _mark(rows, values, flagged))}  # fmt: skip
    platform = ""
    if any(mark in f"{run.origin.title} {run.header.board} {run.header.core}" for mark in _X86):
        platform = _own_name(run, COUNTING) if is_ours else run.header.board
    return Line(
        name, run.header.unit, {column: value for column, value in figures.items() if value},
        is_ours, marks, platform,
    )  # fmt: skip


def _own_name(run: Run, but: Sequence[str] = ()) -> str:
    """Return a board with its configuration; of AArch64 with its core and exception level first."""
    rest = [word for word in run.header.configuration if word not in ("default", *but)]
    core = _AARCH64.search(run.header.core)
    if core:
        level = "EL2" if "el2" in rest else "EL1"
        rest = [core[1], level, *(word for word in rest if word != "el2")]
    return f"{run.header.board} ({', '.join(rest)})" if rest else run.header.board


def _parts(rows: Sequence[Sequence[str]], values: Mapping[str, float]) -> Sequence[str]:
    """Return the first rows that are all there."""
    return next((parts for parts in rows if all(part in values for part in parts)), ())


def _figure(rows: Sequence[Sequence[str]], values: Mapping[str, float]) -> float | None:
    parts = _parts(rows, values)
    return sum(values[part] for part in parts) if parts else None


def _mark(
    rows: Sequence[Sequence[str]], values: Mapping[str, float], flagged: Mapping[str, str]
) -> str:
    found = {flagged[part] for part in _parts(rows, values)}
    return next((mark for mark in ("*", "~") if mark in found), "")


def _table(title: str, found: Sequence[Line], columns: Iterable[str], width: int) -> Iterator[str]:
    shown = [column for column in columns if any(column in line.figures for line in found)]
    lines_shown = [line for line in found if any(column in line.figures for column in shown)]
    if not shown:
        return
    rows = [
        (line.name, [_cell(_of(line, column), line.marks.get(column, "")) for column in shown])
        for line in lines_shown
    ]
    yield from _grid(title, shown, rows, width)


def _counters(found: Sequence[Line], width: int) -> Iterator[str]:
    """Yield x86's table: of each platform the three counters, as L4Re's page has them."""
    if not found:
        return
    rows = []
    for platform in dict.fromkeys(line.platform for line in found):
        by_unit = {line.unit: line for line in found if line.platform == platform}
        cells = [
            " / ".join(
                _cell(_of(line, column), line.marks.get(column, "") if line else "")
                for line in map(by_unit.get, COUNTERS)
            )
            for column in PAGE
        ]
        rows.append((platform, cells))
    yield from _grid(f"x86: {' / '.join(COUNTERS.values())}", list(PAGE), rows, width)


def _of(line: Line | None, column: str) -> float | None:
    return line.figures.get(column) if line else None


def _cell(value: float | None, mark: str = "") -> str:
    return NONE if value is None else f"{mark}{value:.0f}"


def _grid(
    title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], width: int
) -> Iterator[str]:
    """Yield a table; where the screen is too narrow, its columns in groups below one another."""
    widths = [
        max(len(column), *(len(cells[at]) for _, cells in rows))
        for at, column in enumerate(columns)
    ]
    longest = min(_NAME, max(len(label) for label, _ in rows))
    name = max(_NAME_LEAST, min(longest, width - sum(widths) - 2 * len(widths)))
    yield clipped(title, width)
    for group in _groups(widths, width - name):
        yield _joined("", columns[group], name, widths[group])
        for label, cells in rows:
            yield _joined(label, cells[group], name, widths[group])
    yield ""


def _groups(widths: Sequence[int], room: int) -> Iterator[slice]:
    """Yield which columns stand side by side: as many as fit, one at least."""
    first = 0
    for at in range(1, len(widths) + 1):
        if at == len(widths) or sum(widths[first : at + 1]) + 2 * (at + 1 - first) > room:
            yield slice(first, at)
            first = at


def _joined(label: str, cells: Sequence[str], name: int, widths: Sequence[int]) -> str:
    padded = (f"{cell:>{wide}}" for cell, wide in zip(cells, widths, strict=True))
    return "  ".join((f"{clipped(label, name):<{name}}", *padded)).rstrip()
