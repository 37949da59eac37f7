# SPDX-License-Identifier: Apache-2.0
"""The matrix of boards: their main rows and what they weigh, each unit in a section of its own.

Beside them what others published of devices, in cycles as their benchmark printed them. What
has no figure says why: no silicon here, or not among these runs. `times` is the geometric mean of
a board's figures over the section's medians, row by row: the normalised view; `floor` that
of its rows over its own hand-written floor.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from foliot.compare.overview import MAIN_ROWS
from foliot.judge import doubts
from foliot.model.figures import geometric_mean
from foliot.model.run import Run
from foliot.reference import systems
from foliot.show import markdown as table
from foliot.show.terminal import WIDTH, clipped
from foliot.target import boards

TITLES = ("switch", "isr", "suspend", "lock", "take", "malloc", "create")
MEASURED, IMPORTED, NO_SILICON, NO_BOARD, ABSENT = (
    "measured", "imported", "no silicon here", "no board", "not among these runs",
)  # fmt: skip

_SUITE = "latency"
_UNITS = {"cycles": "cycles", "insn": "instructions", "tsc": "TSC ticks"}
_NAME, _CELL = 16, 8
_PUBLISHED = "Devices as others published them, Zephyr, in cycles: stamps not taken out"
_WITHOUT = "Boards without a figure"


@dataclass(frozen=True, slots=True)
class Line:
    """A board or device: its name, what it is, its run if there is one, and its status."""

    name: str
    core: str
    run: Run | None
    status: str

    @property
    def values(self) -> Mapping[str, float]:
        """The run's figures that can be reckoned with, by row."""
        return self.run.values() if self.run else {}


@dataclass(frozen=True)
class Section:
    """Lines that can be compared, under a title."""

    title: str
    lines: Sequence[Line]

    @cached_property
    def medians(self) -> Mapping[str, float]:
        """The median of each main row, over the lines that have it."""
        known = {
            row: [line.values[row] for line in self.lines if line.values.get(row, 0) > 0]
            for row in MAIN_ROWS
        }
        return {row: median(found) for row, found in known.items() if found}

    @property
    def weighed(self) -> bool:
        """Whether what the kernel weighs is known of any line."""
        return any(line.run and line.run.footprint for line in self.lines)

    def ratio(self, line: Line, row: str) -> float | None:
        """Return a figure over its row's median; None without one."""
        value = line.values.get(row, 0)
        return value / self.medians[row] if value > 0 else None

    def times(self, line: Line) -> str:
        """Return the mean of a line's ratios, in words; `-` without any."""
        ratios = [ratio for row in MAIN_ROWS if (ratio := self.ratio(line, row))]
        return f"{geometric_mean(ratios):.2f}" if ratios else "-"


def over_floor(run: Run | None) -> str:
    """Return the mean of a run's rows over their floor, in words; `-` where it has none."""
    ratios = [ratio for row in run.rows if (ratio := row.floor_ratio)] if run else []
    return f"{geometric_mean(ratios):.2f}" if ratios else "-"


def weight(run: Run | None) -> tuple[str, str]:
    """Return the bytes of the kernel's code, and of its data, in words."""
    if run is None or run.footprint is None:
        return "-", "-"
    return str(run.footprint.kernel_text), str(run.footprint.data + run.footprint.bss)


def figure(value: float | None) -> str:
    """Return a figure in words; `-` for none."""
    return "-" if value is None else f"{value:g}"


def published() -> list[Line]:
    """Return the devices of which others published figures, one line a device."""
    found: dict[str, Line] = {}
    for run in systems.published():
        header = run.header
        if header.board != "unnamed" and "default" in header.configuration:
            examined = doubts.examine(run, doubts.context_of(run))
            line = Line(header.board, header.core, examined, IMPORTED)
            found.setdefault(header.board, line)
    return list(found.values())


def own(runs: Iterable[Run]) -> list[Run]:
    """Return those runs that the matrix is of: our kernel as it is by default."""
    return [
        run for run in runs
        if run.header.suite == _SUITE and not run.foreign
        and list(run.header.configuration) == ["default"]
    ]  # fmt: skip


def sections(runs: Iterable[Run], with_published: bool = True) -> list[Section]:
    """Put the newest run of each board into its section; all boards that there are have a line."""
    newest = {
        (run.header.board, run.header.unit): run for run in runs if run.header.suite == _SUITE
    }
    made = []
    for unit in dict.fromkeys(unit for _, unit in newest):
        here = [Line(board, run.header.core, run, MEASURED)
                for (board, of), run in newest.items() if of == unit]  # fmt: skip
        made.append(Section(f"In {_UNITS.get(unit, unit)}", here))
    if not with_published:
        return made
    measured = {board for board, _ in newest}
    devices = [_with_board(line, measured) for line in published()]
    known = {board_of(line.name) for line in published()}
    without = [
        Line(name, board.core, None, _why_not(board))
        for name in boards.names()
        if name not in measured | known and (board := boards.load(name)).kind != "process"
    ]
    made.append(Section(_PUBLISHED, devices))
    return [*made, Section(_WITHOUT, without)] if without else made


def board_of(device: str) -> str:
    """Return the name of our board for a device that others published; empty without one."""
    wanted = _bare(device)
    found = [name for name in boards.names() if wanted in _names(boards.load(name))]
    longer = [name for name in boards.names() if _bare(name).startswith(wanted)]
    return next(iter(found or longer), "")


def _names(board: boards.Board) -> set[str]:
    return {_bare(board.name), _bare(board.published)} - {""}


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _with_board(line: Line, measured: set[str]) -> Line:
    """Say of a device what our own kernel has there."""
    board = board_of(line.name)
    ours = NO_BOARD if not board else f"{MEASURED}, too" if board in measured else NO_SILICON
    return Line(line.name, line.core, line.run, f"{IMPORTED}, {ours}")


def _why_not(board: boards.Board) -> str:
    return NO_SILICON if board.kind == "device" else ABSENT


def lines(runs: Sequence[Run], width: int = WIDTH, with_published: bool = True) -> Iterator[str]:
    """Yield the tables as text."""
    told = zip(TITLES, MAIN_ROWS.values(), strict=True)
    legend = ", ".join(f"{title}: {text}" for title, text in told if title not in text)
    yield from textwrap.wrap(
        f"{legend}. Times: over the medians of its table; floor: over its own floor. "
        "Kernel: bytes of code; RAM: of its data.", width)  # fmt: skip
    for section in sections(runs, with_published):
        yield ""
        yield section.title
        if section.medians:
            yield from _table(section, width)
        for status, names in _by_status(section).items():
            if status != MEASURED:
                yield from textwrap.wrap(f"{status}: {', '.join(names)}", width)


def _by_status(section: Section) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in section.lines:
        found.setdefault(line.status, []).append(line.name)
    return found


def _table(section: Section, width: int) -> Iterator[str]:
    titles = "".join(f"{title:>{_CELL}}" for title in TITLES)
    more = f"{'kernel':>8}{'RAM':>7}" if section.weighed else ""
    yield f"{'board':<{_NAME}}{titles}{'times':>7}{'floor':>6}{more}"[:width].rstrip()
    for line in section.lines:
        cells = "".join(f"{figure(line.values.get(row)):>{_CELL}}" for row in MAIN_ROWS)
        text, data = weight(line.run)
        weights = f"{text:>8}{data:>7}" if section.weighed else ""
        ends = f"{section.times(line):>7}{over_floor(line.run):>6}{weights}"
        yield f"{clipped(line.name, _NAME - 1):<{_NAME}}{cells}{ends}"[:width].rstrip()


def markdown(runs: Sequence[Run]) -> list[str]:
    """Return the matrix as the README has it: a table a section, each line with its status."""
    made: list[str] = []
    for section in sections(runs):
        made += ["", f"{section.title}:", ""] if made else [f"{section.title}:", ""]
        if not section.medians:
            made += [f"* {status}: {', '.join(f'`{name}`' for name in names)}"
                     for status, names in _by_status(section).items()]  # fmt: skip
            continue
        weights = ("kernel", "RAM") if section.weighed else ()
        floors = ("floor",) if any(over_floor(line.run) != "-" for line in section.lines) else ()
        head = ("board", "core", *TITLES, "times", *floors, *weights, "")
        made += table.head(head, f"ll{'r' * (len(head) - 3)}l")
        for line in section.lines:
            ends = [section.times(line), *([over_floor(line.run)] if floors else []),
                    *(weight(line.run) if weights else ())]  # fmt: skip
            figures = [figure(line.values.get(row)) for row in MAIN_ROWS]
            made.append(table.line([f"`{line.name}`", line.core, *figures, *ends, line.status]))
    return made
