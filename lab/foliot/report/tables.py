# SPDX-License-Identifier: Apache-2.0
"""The large tables' cells, written straight: fifty runs make a hundred thousand of them.

HTML lets the end tags of rows and cells be left out, which halves the page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from foliot.compare.boards_table import Line, Section, over_floor, weight
from foliot.compare.combined import Interval
from foliot.compare.comparison import MARKS
from foliot.compare.overview import MAIN_ROWS
from foliot.model.run import Doubt, Row, Run
from foliot.report import sketch
from foliot.report.content import Group, Subject, Test, number, ratio, varies

# A cell's colour is one of so many, the middle one for a figure at the row's median; each
# step is a factor of the cube root of two.
SHADES = 11
_STEPS_A_DOUBLING = 3
_MEDIAN = 3  # its place among the cells of a measured row
_BREAKS = re.compile(r"(?<=\w[./@+-])(?=\w)")
_WORDS = {"*": "in doubt", "~": "corrected", "?": "not known"}


def shade(over_median: float) -> int:
    """Return the colour for a ratio: 0 much less, SHADES - 1 much more."""
    middle = SHADES // 2
    steps = round(_STEPS_A_DOUBLING * math.log2(over_median))
    return max(0, min(SHADES - 1, middle + steps))


def matrix(group: Group) -> str:
    """Return the body of the matrix: a row a row, a column a run.

    Class `aN` colours a figure over the row's median, `bN` the same with the run's own
    speed divided out.
    """
    flags = {subject.key: flagged(subject.run) for subject in group.subjects}
    lines = []
    for row_id in group.shared:
        cells = [
            _matrix_cell(group, subject, row_id, flags[subject.key].get(row_id))
            for subject in group.subjects
        ]
        text = escape(group.texts[row_id])
        lines.append(f'<tr><th scope=row title="{text}">{parted(row_id)}{"".join(cells)}\n')
    return "".join(lines)


@dataclass(frozen=True, slots=True)
class Flag:
    """How a flagged row is marked in tables, and why."""

    mark: str
    text: str

    @property
    def html(self) -> str:
        """The mark, which is the word for those who hear it."""
        word = _WORDS[self.mark]
        return f'<abbr class=f title="{word}: {escape(self.text)}">{self.mark}</abbr>'


def flagged(run: Run) -> Mapping[str, Flag]:
    """Return the flags of a run's rows, by their ids."""
    texts: dict[str, list[str]] = {}
    for doubt in run.doubts:
        if doubt.row:
            texts.setdefault(doubt.row, []).append(doubt.text)
    marks = run.marks()
    return {
        row.id: Flag(MARKS[marks[row.id]], "; ".join(texts[row.id]))
        for row in run.rows
        if row.id in texts
    }


def _matrix_cell(group: Group, subject: Subject, row_id: str, flag: Flag | None) -> str:
    value = group.values[subject.key].get(row_id)
    middle = group.medians.get(row_id)
    mark = flag.html if flag else ""
    if value is None:
        return f"<td>{mark}"
    if value <= 0 or not middle:
        return f"<td>{number(value)}{mark}"
    own = group.scores.get(subject.key, 1.0)
    over, over_own = shade(value / middle), shade(value / middle / own)
    if over == over_own == SHADES // 2:
        return f"<td>{number(value)}{mark}"
    return f'<td class="a{over} b{over_own}">{number(value)}{mark}'


def board_cells(section: Section, line: Line) -> str:
    """Return a board's cells in the matrix of boards: each figure, and how it stands in its row.

    Class `aN` colours it by that, and both are there: the page shows one of the two.
    """
    cells = []
    flags = flagged(line.run) if line.run else {}
    for row in MAIN_ROWS:
        over = section.ratio(line, row)
        mark = flags[row].html if row in flags else ""
        if over is None:
            value = line.values.get(row)
            cells.append(f"<td class=n>{'' if value is None else number(value)}{mark}")
            continue
        plain = f"<span class=plain>{number(line.values[row])}</span>"
        colour = f' a{level}"' if (level := shade(over)) != SHADES // 2 else '"'
        cells.append(f'<td class="n{colour}>{plain}<span class=norm>{ratio(over)}</span>{mark}')
    ends = [section.times(line), over_floor(line.run)]
    ends += weight(line.run) if section.weighed else ()
    return "".join(cells) + "".join(f"<td class=n>{escape(end)}" for end in ends)


def parted(name: str) -> Markup:
    """Return a name that a narrow column may break behind its dots and lines, not in a word."""
    return Markup("<wbr>").join(_BREAKS.split(name))


def ranktest(test: Test) -> str:
    """Return the body of a rank test's table."""
    lines = []
    runs = [one.run for one in (*test.before.runs, *test.after.runs)]
    flags = {row: flag for run in runs for row, flag in flagged(run).items()}
    for row, one in test.rows.items():
        times = ratio(one.after / one.before) if one.before > 0 and one.after > 0 else ""
        shift = "" if one.low is None or one.high is None else f"{one.low:+.4g} to {one.high:+.4g}"
        told = ("more" if one.shift > 0 else "less") if one.shown else "not shown"
        cells = (number(one.before), number(one.after), times, shift, f"{one.p:.2g}")
        mark = flags[row].html if row in flags else ""
        figures = "".join(f"<td class=n>{cell}" for cell in cells)
        lines.append(f"<tr><th scope=row>{parted(row)}{mark}{figures}<td>{told}\n")
    return "".join(lines)


def titles(subject: Subject) -> list[str]:
    """Return the titles of a run's table of rows, between `row` and `doubts`."""
    if not subject.run.published:
        repeats = ["between"] if subject.repeats else []
        return ["n", "first", "min", "median", *repeats, "p90", "p99", "max", "floor", "over floor",
                "reference", "over reference", "distribution"]  # fmt: skip
    more = [
        ("ns as printed", any(row.ns for row in subject.run.rows)),
        ("really", bool(_readings(subject))),
    ]
    return [subject.unit, *(title for title, is_known in more if is_known)]


def rows(subject: Subject) -> str:
    """Return the body of a run's table of rows."""
    doubts: dict[str | None, list[Doubt]] = {}
    for doubt in subject.run.doubts:
        doubts.setdefault(doubt.row, []).append(doubt)
    readings, wanted, flags = _readings(subject), titles(subject), flagged(subject.run)
    intervals = subject.intervals
    lines = []
    for row in subject.run.rows:
        cells = _measured(row)
        if subject.repeats:
            cells.insert(_MEDIAN + 1, _between(intervals.get(row.id)))
        if subject.run.published:
            cells = [number(row.p50)]
            cells += [number(row.ns)] if "ns as printed" in wanted else []
            cells += [number(readings.get(row.id))] if "really" in wanted else []
        cells.append(_names(doubts.get(row.id, [])))
        mark = flags[row.id].html if row.id in flags else ""
        lines.append(f"<tr><th scope=row>{parted(row.id)}{mark}<td>{'<td>'.join(cells)}\n")
    return "".join(lines)


def _between(found: Interval | None) -> str:
    return f"{number(found.low)} to {number(found.high)}" if found else ""


def _readings(subject: Subject) -> dict[str, float]:
    """Return what figures really are, where a doubt says so."""
    return {d.row: d.reading for d in subject.run.doubts if d.row and d.reading is not None}


def _measured(row: Row) -> list[str]:
    reference = row.reference.value if row.reference else None
    shown = (row.n, row.first, row.min, row.p50, row.p90, row.p99, row.max, row.floor)
    doubted = "*" * bool(row.reference and row.reference.doubted)
    cells = [*map(number, shown), ratio(row.floor_ratio), number(reference) + doubted]
    return [*cells, ratio(row.reference_ratio), sketch.spark(row) if varies(row) else "one value"]


def _names(doubts: list[Doubt]) -> str:
    found = {doubt.name: doubt.text for doubt in doubts}
    return " ".join(
        f'<a href="#doubt-{escape(name)}" title="{escape(text)}">{escape(name)}</a>'
        for name, text in found.items()
    )
