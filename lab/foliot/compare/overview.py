# SPDX-License-Identifier: Apache-2.0
"""The overview: devices, their main rows in ns, and who is how fast.

The three tables of an article that compares boards, from its own logs. Figures that were
decoded stand in it with what they really are, and a cell that the article's summary has
otherwise says so. The ranking is over the rows that all boards have and nobody doubts
(compare/means.py). Runs that are equal stand there once, so that a log that repeats itself a
thousand times is one.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from foliot.compare.means import fair
from foliot.model.errors import UsageError
from foliot.model.figures import clock_of, in_unit, is_disproved, is_nominal
from foliot.model.names import counted
from foliot.model.run import Run
from foliot.reference.devices import contradictions
from foliot.show.terminal import clipped, result_width
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
_CLOSE, _FAR = 1.1, 1.5
_CELL = 8
_LEAST_CELL = 6


def print_overview(chosen: Sequence[Chosen]) -> None:
    """Print the tables; UsageError where the runs are no times of several boards."""
    if len(chosen) < 2:
        raise UsageError("--overview takes the runs of two boards or more")
    for one in chosen:
        if one.run.header.unit not in ("cycles", "ns"):
            raise UsageError(f"{one.name} is in {one.run.header.unit}, which is no time")
        if not clock_of(one.run):
            raise UsageError(f"{one.name} has no clock: its cycles are no time")
    for line in overview_lines(chosen):
        print(line)


def overview_lines(chosen: Sequence[Chosen]) -> Iterator[str]:
    """Yield the three tables."""
    chosen, equal = _different(chosen)
    names = titles(chosen)
    runs = [one.run for one in chosen]
    rows = _main_rows(runs)
    yield "Devices"
    yield from _devices(names, runs)
    for name, count in zip(names, equal, strict=True):
        if count > 1:
            yield f"= {name}: the last of {counted(count, 'equal run')}"
    yield ""
    yield "Main rows, in ns"
    yield from _main(names, runs, rows)
    yield ""
    yield "Ranking"
    yield from _ranking(names, runs, rows)


def _different(chosen: Sequence[Chosen]) -> tuple[list[Chosen], list[int]]:
    """Return one run of each that are equal, the last, and how many each stands for."""
    found: dict[object, Chosen] = {}
    count = Counter[object]()
    for one in chosen:
        header = one.run.header
        key = (header.board, header.clock_hz, header.configuration, one.run.origin.kernel_version,
               tuple((row.id, row.p50, row.ns) for row in one.run.rows))  # fmt: skip
        found[key] = one
        count[key] += 1
    return list(found.values()), [count[key] for key in found]


def _main_rows(runs: Sequence[Run]) -> dict[str, str]:
    """Return the rows that the documents themselves sum up; else the usual ones."""
    told = {cell.row: cell.item for run in runs for cell in run.origin.summary}
    return told or MAIN_ROWS


def _devices(names: Sequence[str], runs: Sequence[Run]) -> Iterator[str]:
    lines = []
    notes = []
    nominal = []
    for name, run in zip(names, runs, strict=True):
        told = run.origin.device
        clock = f"{clock_of(run) / 1e6:g} MHz"
        if is_disproved(run):
            clock += " *"
            declared = run.header.clock_hz
            notes.append(f"* {name}: declared as {declared / 1e6:g} MHz; its rows imply the other")
        elif is_nominal(run):
            clock += " ^"
            nominal.append(name)
        cells = {**told, "core": told.get("core") or run.header.core, "clock": clock}
        title = told.get("name") or name
        for key, text in contradictions(f"{title} {name}", told, run.header.clock_hz):
            cells[key] += " !"
            notes.append(f"! {name}: {text}")
        lines.append((title, *(cells.get(key, "") for key in _DEVICE)))
    yield from columns(("device", *_DEVICE), lines, "llrrrl")
    for note in notes:
        yield from _wrapped(note)
    if nominal:
        yield from _wrapped(
            f"^ simulated, at a nominal clock, which a chip has not: {', '.join(nominal)}"
        )


def _main(names: Sequence[str], runs: Sequence[Run], rows: Mapping[str, str]) -> Iterator[str]:
    """Yield the rows by boards; `~` decoded, `*` in doubt, `!` otherwise in the summary."""
    values = [in_unit(run, "ns") for run in runs]
    marks = [_marks(run) for run in runs]
    shown = [_marked(name, run) for name, run in zip(names, runs, strict=True)]
    notes: list[str] = []
    for run, name in zip(runs, names, strict=True):
        notes += [
            f"{_mark_of(doubt.name)} {name}, {rows.get(doubt.row or '')}: {doubt.text}"
            for doubt in run.doubts
            if doubt.row in rows and doubt.name != "foreign-figures"
        ]
    for places in _fitting(shown, max(map(len, rows.values()))):
        lines = [
            (item, *(_cell(values[place].get(row), marks[place].get(row, "")) for place in places))
            for row, item in rows.items()
        ]
        yield from columns(
            ("", *(shown[place] for place in places)), lines, "l" + "r" * len(places)
        )
        yield ""
    for note in notes:
        yield from _wrapped(note)


def _marked(name: str, run: Run) -> str:
    """Return a name, marked where its ns are of a simulator."""
    return f"{name} ^" if is_nominal(run) else name


def _fitting(names: Sequence[str], first_width: int) -> Iterator[list[int]]:
    """Yield the places of the columns that fit beside the first one, block by block."""
    block: list[int] = []
    width, room = first_width, result_width()
    for place, name in enumerate(names):
        wanted = 2 + max(len(name), _CELL)
        if block and width + wanted > room:
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
    """Yield who is how fast, the fastest first, and how far each is behind the one before."""
    ns = [in_unit(run, "ns") for run in runs]
    trusted = {
        place: {row: ns[place][row] for row in run.trusted() if row in rows and row in ns[place]}
        for place, run in enumerate(runs)
    }
    over = fair(trusted)
    scores = over.scores(trusted)
    told = over.told(dict(enumerate(names)))
    if not scores:
        yield from _wrapped(told)
        return
    ordered = sorted(scores, key=lambda place: scores[place])
    shown = [_marked(name, run) for name, run in zip(names, runs, strict=True)]
    best = scores[ordered[0]]
    gaps = [1.0, *(scores[slower] / scores[faster] for faster, slower in pairwise(ordered))]
    text = shown[ordered[0]]
    for place, gap in zip(ordered[1:], gaps[1:], strict=True):
        text += f" {'>=' if gap < _CLOSE else '>' if gap < _FAR else '>>'} {shown[place]}"
    yield from _wrapped(text)
    lines = [
        (shown[place], f"{scores[place] / best:.2f}", "" if not number else f"{gap:.2f}")
        for number, (place, gap) in enumerate(zip(ordered, gaps, strict=True))
    ]  # fmt: skip
    yield from columns(("board", "times the fastest", "the one before"), lines, "lrr")
    yield from _wrapped(f"Geometric means {told}.")
    if len(lines) > 1:
        yield f">= less than {_CLOSE:g} times apart, >> {_FAR:g} times or more"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, result_width(), subsequent_indent="  ")


def columns(titles: Sequence[str], lines: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    """Yield a table as wide as it has to be, and no wider than the terminal.

    `sides` is l or r for each column; where there is no room, the longest texts (l) are cut.
    """
    widths = [max(len(line[place]) for line in (titles, *lines)) for place in range(len(titles))]
    texts = [place for place, side in enumerate(sides) if side == "l"]
    while sum(widths) + 2 * (len(widths) - 1) > result_width():
        widest = max(texts, key=lambda place: widths[place])
        if widths[widest] <= _LEAST_CELL:
            break
        widths[widest] -= 1
    for line in (titles, *lines):
        cells = [
            f"{clipped(cell, width):<{width}}" if side == "l" else f"{cell:>{width}}"
            for cell, width, side in zip(line, widths, sides, strict=True)
        ]
        yield "  ".join(cells).rstrip()
