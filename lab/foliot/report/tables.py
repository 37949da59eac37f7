# SPDX-License-Identifier: Apache-2.0
"""The large tables' cells, written straight: fifty runs make a hundred thousand of them.

HTML lets the end tags of rows and cells be left out, which halves the page.
"""

from __future__ import annotations

import math

from markupsafe import escape

from foliot.compare.boards_table import Line, Section, over_floor, weight
from foliot.compare.overview import MAIN_ROWS
from foliot.model.run import Doubt, Row
from foliot.report import sketch
from foliot.report.content import Group, Subject, number, ratio, varies

# A cell's colour is one of so many, the middle one for a figure at the row's median; each
# step is a factor of the cube root of two.
SHADES = 11
_STEPS_A_DOUBLING = 3


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
    doubts = {
        subject.key: {doubt.row: doubt for doubt in subject.run.doubts if doubt.invalidates}
        for subject in group.subjects
    }
    lines = []
    for row_id in group.shared:
        cells = [
            _matrix_cell(group, subject, row_id, doubts[subject.key].get(row_id))
            for subject in group.subjects
        ]
        text = escape(group.texts[row_id])
        lines.append(f'<tr><th scope=row title="{text}">{escape(row_id)}{"".join(cells)}\n')
    return "".join(lines)


def _matrix_cell(group: Group, subject: Subject, row_id: str, doubt: Doubt | None) -> str:
    value = group.values[subject.key].get(row_id)
    middle = group.medians.get(row_id)
    if value is None:
        return "<td>?" if doubt else "<td>"
    if value <= 0 or not middle:
        return f"<td>{number(value)}"
    own = group.scores.get(subject.key, 1.0)
    over, over_own = shade(value / middle), shade(value / middle / own)
    if doubt is None and over == over_own == SHADES // 2:
        return f"<td>{number(value)}"
    classes = f"a{over} b{over_own}"
    if doubt is None:
        return f'<td class="{classes}">{number(value)}'
    return f'<td class="{classes} read" title="{escape(doubt.text)}">{number(value)}'


def board_cells(section: Section, line: Line) -> str:
    """Return a board's cells in the matrix of boards: each figure, and how it stands in its row.

    Class `aN` colours it by that, and both are there: the page shows one of the two.
    """
    cells = []
    for row in MAIN_ROWS:
        over = section.ratio(line, row)
        if over is None:
            cells.append("<td class=n>")
            continue
        plain = f"<span class=plain>{number(line.values[row])}</span>"
        colour = f' a{level}"' if (level := shade(over)) != SHADES // 2 else '"'
        cells.append(f'<td class="n{colour}>{plain}<span class=norm>{ratio(over)}</span>')
    ends = [section.times(line), over_floor(line.run)]
    ends += weight(line.run) if section.weighed else ()
    return "".join(cells) + "".join(f"<td class=n>{escape(end)}" for end in ends)


def titles(subject: Subject) -> list[str]:
    """Return the titles of a run's table of rows, between `row` and `doubts`."""
    if not subject.run.foreign:
        return ["n", "first", "min", "median", "p90", "p99", "max", "floor", "over floor",
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
    readings, wanted = _readings(subject), titles(subject)
    lines = []
    for row in subject.run.rows:
        cells = _measured(row)
        if subject.run.foreign:
            cells = [number(row.p50)]
            cells += [number(row.ns)] if "ns as printed" in wanted else []
            cells += [number(readings.get(row.id))] if "really" in wanted else []
        cells.append(_names(doubts.get(row.id, [])))
        lines.append(f"<tr><th scope=row>{escape(row.id)}<td>{'<td>'.join(cells)}\n")
    return "".join(lines)


def _readings(subject: Subject) -> dict[str, float]:
    """Return what figures really are, where a doubt says so."""
    return {d.row: d.reading for d in subject.run.doubts if d.row and d.reading is not None}


def _measured(row: Row) -> list[str]:
    reference = row.reference.value if row.reference else None
    shown = (row.n, row.first, row.min, row.p50, row.p90, row.p99, row.max, row.floor)
    cells = [*map(number, shown), ratio(row.floor_ratio), number(reference)]
    return [*cells, ratio(row.reference_ratio), sketch.spark(row) if varies(row) else "one value"]


def _names(doubts: list[Doubt]) -> str:
    found = {doubt.name: doubt.text for doubt in doubts}
    return " ".join(
        f'<a href="#doubt-{escape(name)}" title="{escape(text)}">{escape(name)}</a>'
        for name, text in found.items()
    )
