# SPDX-License-Identifier: Apache-2.0
"""A comparison as text for people, or as JSON or CSV for programs."""

from __future__ import annotations

import csv
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from foliot.compare.comparison import Column, Comparison
from foliot.model.names import counted
from foliot.show.numbers import figure
from foliot.show.terminal import clipped, result_width

_VALUE = 10
_LEGEND = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_NOTES = 12
_LEAST_NAME = 12


def as_dict(comparison: Comparison) -> dict[str, object]:
    """Return the comparison for JSON; a figure that nobody knows is null."""
    return {
        "schema": 1,
        "unit": comparison.unit,
        "runs": [
            {
                "title": column.title,
                "board": column.run.header.board,
                "kernel": column.run.origin.kernel,
                "version": column.run.origin.kernel_version,
                "configuration": list(column.run.header.configuration),
            }
            for column in comparison.columns
        ],
        "rows": [
            {
                "id": row,
                "values": [column.values.get(row) for column in comparison.columns],
                "marks": [column.run.mark(known) if (known := column.run.row(row)) else ""
                          for column in comparison.columns],
            }
            for row in comparison.rows
        ],
        "rows_of_means": list(comparison.fair.rows),
        "geometric_means": {
            name: [mean and round(mean[0], 4) for mean in means]
            for name, means in comparison.means().items()
        },
        "notes": list(comparison.notes),
    }  # fmt: skip


def write_csv(comparison: Comparison) -> None:
    """Write a line a row to stdout; where a row is flagged, columns behind the figures say how."""
    columns = comparison.columns
    flagged = [column for column in columns if column.marks.keys() & {*comparison.rows}]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    heads = [*(column.title for column in columns), *(f"mark {one.title}" for one in flagged)]
    writer.writerow(["row", *heads])
    for row in comparison.rows:
        figures = [column.values.get(row, "") for column in columns]
        writer.writerow([row, *figures, *(_flag(column, row) for column in flagged)])


def _flag(column: Column, row_id: str) -> str:
    row = column.run.row(row_id)
    return column.run.mark(row) if row else ""


def lines(comparison: Comparison) -> Iterator[str]:
    """Yield the comparison in at most 100 columns; more runs than fit go below one another."""
    yield from _wrapped(f"in {comparison.unit}; ratios are to {comparison.columns[0].title}")
    for note in comparison.notes:
        yield from _wrapped(note)
    yield ""
    room, column = result_width(), _VALUE + 2
    together = 3 if len(comparison.columns) == 2 else 1  # a pair and its ratio stay side by side
    width = max(map(len, (*comparison.rows, "geometric mean, all")))
    width = min(width, max(_LEAST_NAME, room - together * column))
    fitting = max(1, (room - width) // column - (together == 3))
    lettered = _letters(comparison)
    means = comparison.means()
    for first in range(0, len(comparison.columns), fitting):
        columns = comparison.columns[first : first + fitting]
        yield from _block(comparison, range(first, first + len(columns)), lettered, means, width)
        yield ""
    names = {place: column.title for place, column in enumerate(comparison.columns)}
    if len(comparison.fair.rows) < len(comparison.rows) or comparison.fair.left_out:
        yield from _wrapped(f"geometric means: {comparison.fair.told(names)}")
    if any(letter != title for title, letter in lettered.items()):
        for title, letter in lettered.items():
            yield f"{letter:>3}  {title}"
    yield from _readings(comparison)


def _letters(comparison: Comparison) -> dict[str, str]:
    """Give each run a letter or a number where its title is too long to stand over a column."""
    names = [column.title for column in comparison.columns]
    if all(len(name) <= _VALUE for name in names):
        return {name: name for name in names}
    few = len(names) <= len(_LEGEND)
    return {name: _LEGEND[place] if few else f"#{place + 1}" for place, name in enumerate(names)}


def _block(
    comparison: Comparison,
    places: Sequence[int],
    lettered: Mapping[str, str],
    means: Mapping[str, Sequence[tuple[float, int] | None]],
    width: int,
) -> Iterator[str]:
    pair = len(comparison.columns) == 2
    columns = [comparison.columns[place] for place in places]
    heads = [lettered[column.title] for column in columns]
    if pair:
        heads.append(f"{heads[1]}/{heads[0]}" if len(heads[0] + heads[1]) < _VALUE else "ratio")
    yield _line("row", heads, width)
    yield "-" * (width + (_VALUE + 2) * len(heads))
    ratios = comparison.ratios(comparison.columns[-1])
    for row in comparison.rows:
        cells = [_cell(column, row) for column in columns]
        if pair:
            cells.append(f"{ratios[row]:.2f}" if row in ratios else "")
        yield _line(row, cells, width)
    yield "-" * (width + (_VALUE + 2) * len(heads))
    for name, known in means.items():
        cells = [f"{mean[0]:.2f}" if (mean := known[place]) else "" for place in places]
        if pair:
            cells = ["", "", cells[1]]
        title = f"geometric mean, {name}" if name == "all" else f"  {name}"
        yield _line(title, cells, width)


def _line(title: str, cells: Sequence[str], width: int) -> str:
    return (
        f"{clipped(title, width):<{width}}" + "".join(f"  {cell:>{_VALUE}}" for cell in cells)
    ).rstrip()


def _cell(column: Column, row_id: str) -> str:
    """Return a figure; `~` marks one that was decoded, `?` one nobody knows, `*` a doubted one."""
    value = column.values.get(row_id)
    mark = column.marks.get(row_id, "")
    return mark if value is None else mark + figure(value)


def _readings(comparison: Comparison) -> Iterator[str]:
    """Say of each figure that is flagged, why; equal reasons of a run stand there once."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for column in comparison.columns:
        for doubt in sorted(column.run.doubts, key=lambda doubt: not doubt.invalidates):
            if doubt.row and doubt.row in comparison.rows:
                mark = column.marks[doubt.row]
                grouped.setdefault((mark, column.title, doubt.text), []).append(doubt.row)
    order = {"?": 0, "~": 1, "*": 2}
    notes = [
        f"{mark} {title}, {_several(rows)}: {text}"
        for (mark, title, text), rows in sorted(grouped.items(), key=lambda one: order[one[0][0]])
    ]
    for note in notes[:_MOST_NOTES]:
        yield from _wrapped(note)
    if len(notes) > _MOST_NOTES:
        yield f"and {len(notes) - _MOST_NOTES} more: `foliot show RUN` says all of them"


def _several(rows: Sequence[str]) -> str:
    return rows[0] if len(rows) == 1 else f"{rows[0]} and {counted(len(rows) - 1, 'more row')}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, result_width(), subsequent_indent="  ")
