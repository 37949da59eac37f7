# SPDX-License-Identifier: Apache-2.0
"""The matrix of boards: their main rows and what they weigh, each unit in a section of its own.

Beside them what others published of devices, in cycles as their benchmark printed them. What
has no figure says why: no silicon here, or not among these runs. `times` is the geometric mean of
a board's figures over the section's medians, over those rows that all of its boards have and that
nobody doubts (compare/means.py): the normalised view; `floor` that of its rows over its own
hand-written floor. A figure that is in doubt carries its mark, and is in neither.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from foliot.compare.comparison import MARKS
from foliot.compare.means import Fair, fair
from foliot.compare.overview import MAIN_ROWS
from foliot.judge import doubts
from foliot.model.figures import geometric_mean
from foliot.model.run import Run
from foliot.reference import systems
from foliot.show import markdown as table
from foliot.show.numbers import figure as shown
from foliot.show.terminal import WIDTH, clipped
from foliot.target import boards

TITLES = ("switch", "isr", "suspend", "lock", "take", "malloc", "create")
MEASURED, IMPORTED, NO_SILICON, NO_BOARD, ABSENT = (
    "measured", "imported", "no silicon here", "no board", "not among these runs",
)  # fmt: skip

_SUITE = "latency"
_UNITS = {"cycles": "cycles", "insn": "instructions", "tsc": "TSC ticks"}
_NAME, _CELL = 16, 8
_MARKDOWN = 118
_STAR = str.maketrans({"*": "\\*"})  # in Markdown it is a star only so
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

    @property
    def trusted(self) -> Mapping[str, float]:
        """The figures of the main rows that may be in a mean."""
        known = self.run.trusted() if self.run else {}
        return {row: known[row] for row in MAIN_ROWS if row in known}

    def mark(self, row_id: str) -> str:
        """Return how a row is marked: `*` in doubt, `~` decoded, `?` not known."""
        row = self.run.row(row_id) if self.run else None
        return MARKS[self.run.mark(row)] if self.run and row else ""


@dataclass(frozen=True)
class Section:
    """Lines that can be compared, under a title."""

    title: str
    lines: Sequence[Line]

    @cached_property
    def medians(self) -> Mapping[str, float]:
        """The median of each main row, over the lines that have it and that nobody doubts."""
        known = {
            row: [line.trusted[row] for line in self.lines if row in line.trusted]
            for row in MAIN_ROWS
        }
        return {row: median(found) for row, found in known.items() if found}

    @cached_property
    def fair(self) -> Fair[int]:
        """Over which main rows `times` is, by the lines' places."""
        return fair(self._trusted)

    @cached_property
    def _trusted(self) -> Mapping[int, Mapping[str, float]]:
        return {place: line.trusted for place, line in enumerate(self.lines)}

    @cached_property
    def _times(self) -> Mapping[str, float]:
        scores = self.fair.scores(self._trusted)
        return {self.lines[place].name: score for place, score in scores.items()}

    @property
    def weighed(self) -> bool:
        """Whether what the kernel weighs is known of any line."""
        return any(line.run and line.run.footprint for line in self.lines)

    def ratio(self, line: Line, row: str) -> float | None:
        """Return a figure over its row's median; None without one."""
        value = line.values.get(row, 0)
        return value / self.medians[row] if value > 0 and row in self.medians else None

    def times(self, line: Line) -> str:
        """Return the mean of a line's ratios, in words; `-` without any."""
        return f"{self._times[line.name]:.2f}" if line.name in self._times else "-"

    @property
    def told(self) -> str:
        """Say over which rows `times` is, by their titles, where that is not all of them."""
        if not self.medians:
            return ""
        titles = [title for title, row in zip(TITLES, MAIN_ROWS, strict=True)
                  if row in self.fair.rows]  # fmt: skip
        few = [self.lines[place].name for place in self.fair.left_out]
        if len(titles) == len(TITLES) and not few:
            return ""
        over = f"times is over {', '.join(titles)}, which all have and nobody doubts"
        over = over if titles else "no times: there is no row that all have and nobody doubts"
        return over + (f"; without {', '.join(few)}, with too few of them" if few else "")

    def legend(self) -> list[str]:
        """Say what the section's marks mean, each with its reasons: a line a board."""
        lines = []
        for line in self.lines:
            reasons: dict[str, list[str]] = {}
            for title, row in zip(TITLES, MAIN_ROWS, strict=True):
                if mark := line.mark(row):
                    found = [d.text for d in line.run.doubts if d.row == row] if line.run else []
                    reasons.setdefault(mark, []).append(f"{title} ({'; '.join(found)})")
            lines += [f"{mark} {line.name}: {', '.join(told)}" for mark, told in reasons.items()]
        return lines


def over_floor(run: Run | None) -> str:
    """Return the mean of a run's rows over their floor, in words; `-` where it has none."""
    ratios = run.floor_ratios() if run else []
    return f"{geometric_mean(ratios):.2f}" if ratios else "-"


def weight(run: Run | None) -> tuple[str, str]:
    """Return the bytes of the kernel's code, and of its data, in words."""
    if run is None or run.footprint is None:
        return "-", "-"
    return str(run.footprint.kernel_text), str(run.footprint.data + run.footprint.bss)


def figure(line: Line, row: str) -> str:
    """Return a line's figure in words, with its mark; `-` for none."""
    value, mark = line.values.get(row), line.mark(row)
    if value is None:
        return mark or "-"
    return f"{shown(value)}{mark}"


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
        if run.header.suite == _SUITE and not run.published
        and list(run.header.configuration) == ["default"]
    ]  # fmt: skip


def sections(
    runs: Iterable[Run], devices: Collection[str] | None = None, without: bool = True
) -> list[Section]:
    """Put the newest run of each board into its section; all boards that there are have a line.

    With `devices` there is a line of those of the published ones only; `without` it says whether
    boards that have no figure have one.
    """
    newest = {
        (run.header.board, run.header.unit): run for run in runs if run.header.suite == _SUITE
    }
    made = []
    for unit in dict.fromkeys(unit for _, unit in newest):
        here = [Line(board, run.header.core, run, MEASURED)
                for (board, of), run in newest.items() if of == unit]  # fmt: skip
        made.append(Section(f"In {_UNITS.get(unit, unit)}", here))
    measured = {board for board, _ in newest}
    found = [line for line in published() if devices is None or line.name in devices]
    if found:
        made.append(Section(_PUBLISHED, [_with_board(line, measured) for line in found]))
    known = {board_of(line.name) for line in found}
    bare = [
        Line(name, board.core, None, _why_not(board))
        for name in boards.names()
        if name not in measured | known and (board := boards.load(name)).kind != "process"
    ]
    return [*made, Section(_WITHOUT, bare)] if without and bare else made


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


def lines(runs: Sequence[Run], width: int = WIDTH) -> Iterator[str]:
    """Yield the tables as text."""
    told = zip(TITLES, MAIN_ROWS.values(), strict=True)
    legend = ", ".join(f"{title}: {text}" for title, text in told if title not in text)
    yield from textwrap.wrap(
        f"{legend}. Times: over the medians of its table; floor: over its own floor. "
        "Kernel: bytes of code; RAM: of its data.", width)  # fmt: skip
    for section in sections(runs):
        yield ""
        yield section.title
        if section.medians:
            yield from _table(section, width)
        for status, names in _by_status(section).items():
            if status != MEASURED:
                yield from textwrap.wrap(f"{status}: {', '.join(names)}", width)
        for text in filter(None, [section.told, *section.legend()]):
            yield from textwrap.wrap(text, width, subsequent_indent="  ")


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
        cells = "".join(f"{figure(line, row):>{_CELL}}" for row in MAIN_ROWS)
        text, data = weight(line.run)
        weights = f"{text:>8}{data:>7}" if section.weighed else ""
        ends = f"{section.times(line):>7}{over_floor(line.run):>6}{weights}"
        yield f"{clipped(line.name, _NAME - 1):<{_NAME}}{cells}{ends}"[:width].rstrip()


def markdown(runs: Sequence[Run]) -> list[str]:
    """Return the matrix as the README has it: a table a section, each line with its status."""
    heads = [f"`{title}` `{row}`" for title, row in zip(TITLES, MAIN_ROWS, strict=True)]
    made = textwrap.wrap(f"The columns, by their rows: {', '.join(heads)}.", _MARKDOWN,
                         break_long_words=False, break_on_hyphens=False)  # fmt: skip
    for section in sections(runs):
        made += ["", f"{section.title}:", ""]
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
            figures = [figure(line, row).replace("*", r"\*") for row in MAIN_ROWS]
            made.append(table.line([f"`{line.name}`", line.core, *figures, *ends, line.status]))
        told = section.told
        notes = [f"`times` {told.removeprefix('times ')}." if told.startswith("times") else told]
        notes += [_escaped(text) for text in section.legend()]
        made += ["", *(f"* {note}" for note in notes if note)] if any(notes) else []
    return made


def _escaped(text: str) -> str:
    """Return a line of the legend as Markdown: its mark and its board."""
    mark, board, rest = text.split(" ", 2)
    return f"{mark.translate(_STAR)} `{board.removesuffix(':')}`: {rest}"
