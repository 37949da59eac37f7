# SPDX-License-Identifier: Apache-2.0
"""The overview: devices, their main rows in ns, and who is how fast.

The three tables of an article that compares boards, from its own logs. Figures that were
decoded stand in it with what they really are, and a cell that the article's summary has
otherwise says so. The ranking leaves out every figure that is in doubt: each board is held
against the median of all boards row by row, so that a missing row weighs on nobody.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

from foliot.model.errors import UsageError
from foliot.model.figures import in_unit
from foliot.model.run import Run
from foliot.show.terminal import WIDTH
from foliot.store.selection import Chosen, titles

MAIN_ROWS = {
    "thread.yield.preemptive.ctx.k_to_k": "Context switch",
    "isr.resume.interrupted.thread.kernel": "ISR resume",
    "thread.suspend.kernel.from.kernel": "Suspend thread",
    "mutex.lock.immediate.recursive.kernel": "Mutex lock",
    "semaphore.take.blocking.k_to_k": "Semaphore take",
    "heap.malloc.immediate": "Heap malloc",
    "thread.create.kernel.from.kernel": "Thread create",
}
_DEVICE = ("core", "clock", "ram", "rom", "fpu")
_DOUBTFUL = ("row-far", "row-near-zero", "row-zero")
_CLOSE, _FAR = 1.1, 1.5
_CELL = 8


def print_overview(chosen: Sequence[Chosen]) -> None:
    """Print the tables; UsageError where the runs are no times of several boards."""
    if len(chosen) < 2:
        raise UsageError("--overview takes the runs of two boards or more")
    for one in chosen:
        header = one.run.header
        if header.unit not in ("cycles", "ns") or not _clock(one.run):
            raise UsageError(f"{one.name} is in {header.unit} and has no clock: it is no time")
    for line in overview_lines(chosen):
        print(line)


def overview_lines(chosen: Sequence[Chosen]) -> Iterator[str]:
    """Yield the three tables."""
    names = titles(chosen)
    runs = [one.run for one in chosen]
    rows = _main_rows(runs)
    yield "Devices"
    yield from _devices(names, runs)
    yield ""
    yield "Main rows, in ns"
    yield from _main(names, runs, rows)
    yield ""
    yield "Ranking"
    yield from _ranking(names, runs, rows)


def _clock(run: Run) -> int:
    return run.header.clock_measured_hz or run.header.clock_hz


def _main_rows(runs: Sequence[Run]) -> dict[str, str]:
    """Return the rows that the documents themselves sum up; else the usual ones."""
    told = {cell.row: cell.item for run in runs for cell in run.origin.summary}
    return told or MAIN_ROWS


def _devices(names: Sequence[str], runs: Sequence[Run]) -> Iterator[str]:
    lines = []
    notes = []
    for name, run in zip(names, runs, strict=True):
        told = run.origin.device
        clock = f"{_clock(run) / 1e6:g} MHz"
        declared = run.header.clock_hz
        if any(doubt.name == "clock-rate" for doubt in run.doubts):
            clock += " *"
            notes.append(f"* {name}: declared as {declared / 1e6:g} MHz; its rows imply the other")
        known = [told.get("core") or run.header.core, clock,
                 *(told.get(key, "") for key in _DEVICE[2:])]  # fmt: skip
        lines.append((told.get("name") or name, *known))
    yield from columns(("device", *_DEVICE), lines, "llrrrl")
    yield from notes


def _main(names: Sequence[str], runs: Sequence[Run], rows: Mapping[str, str]) -> Iterator[str]:
    """Yield the rows by boards; `~` decoded, `*` in doubt, `!` otherwise in the summary."""
    values = [in_unit(run, "ns") for run in runs]
    marks = [_marks(run) for run in runs]
    notes: list[str] = []
    for run, name in zip(runs, names, strict=True):
        notes += [
            f"{_mark_of(doubt.name)} {name}: {doubt.text}"
            for doubt in run.doubts
            if doubt.row in rows and doubt.name != "foreign-figures"
        ]
    for places in _fitting(names, max(map(len, rows.values()))):
        lines = [
            (item, *(_cell(values[place].get(row), marks[place].get(row, "")) for place in places))
            for row, item in rows.items()
        ]
        yield from columns(
            ("", *(names[place] for place in places)), lines, "l" + "r" * len(places)
        )
        yield ""
    for note in notes:
        yield from textwrap.wrap(note, WIDTH, subsequent_indent="  ")


def _fitting(names: Sequence[str], first_width: int) -> Iterator[list[int]]:
    """Yield the places of the columns that fit beside the first one, block by block."""
    block: list[int] = []
    width = first_width
    for place, name in enumerate(names):
        wanted = 2 + max(len(name), _CELL)
        if block and width + wanted > WIDTH:
            yield block
            block, width = [], first_width
        block.append(place)
        width += wanted
    yield block


def _marks(run: Run) -> dict[str, str]:
    found: dict[str, str] = {}
    for doubt in run.doubts:
        if doubt.row and _mark_of(doubt.name) not in found.get(doubt.row, ""):
            found[doubt.row] = found.get(doubt.row, "") + _mark_of(doubt.name)
    return found


def _mark_of(name: str) -> str:
    return {"counter-wrapped": "~", "summary-differs": "!"}.get(name, "*")


def _cell(value: float | None, marks: str) -> str:
    return f"{'---' if value is None else round(value)}{marks:<2}"


def _ranking(names: Sequence[str], runs: Sequence[Run], rows: Mapping[str, str]) -> Iterator[str]:
    trusted = [
        {
            row: value
            for row, value in in_unit(run, "ns").items()
            if row in rows and value > 0 and not _is_doubtful(run, row)
        }
        for run in runs
    ]
    middle = {row: median(known) for row in rows
              if (known := [own[row] for own in trusted if row in own])}  # fmt: skip
    scores = {
        name: math.exp(sum(math.log(own[row] / middle[row]) for row in own) / len(own))
        for name, own in zip(names, trusted, strict=True)
        if own
    }
    ordered = sorted(scores, key=lambda name: scores[name])
    best = scores[ordered[0]]
    text = ordered[0]
    for faster, slower in pairwise(ordered):
        step = scores[slower] / scores[faster]
        text += f" {'>=' if step < _CLOSE else '>' if step < _FAR else '>>'} {slower}"
    yield from textwrap.wrap(text, WIDTH, subsequent_indent="  ")
    lines = [
        (name, f"{scores[name] / best:.2f}", str(len(trusted[names.index(name)])))
        for name in ordered
    ]
    yield from columns(("board", "times the fastest", "rows"), lines, "lrr")


def _is_doubtful(run: Run, row_id: str) -> bool:
    row = run.row(row_id)
    return row is not None and any(name in _DOUBTFUL for name in row.doubts)


def columns(titles: Sequence[str], lines: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    """Yield a table as wide as it has to be; `sides` is l or r for each column."""
    widths = [max(len(line[place]) for line in (titles, *lines)) for place in range(len(titles))]
    for line in (titles, *lines):
        cells = [
            f"{cell:<{width}}" if side == "l" else f"{cell:>{width}}"
            for cell, width, side in zip(line, widths, sides, strict=True)
        ]
        yield "  ".join(cells).rstrip()
