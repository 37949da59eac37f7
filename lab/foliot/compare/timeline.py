# SPDX-License-Identifier: Apache-2.0
"""One figure over the commits on record, and at which of them it changed.

The store's runs of one kind, the oldest first. A run with changes that were not committed is
marked: its figure belongs to no commit. A change is told between simulators' runs only where
the figure differs, which there is always real; what a board's runs show, `compare` judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foliot.compare.comparison import MARKS
from foliot.compare.means import fair
from foliot.model.errors import unknown
from foliot.model.figures import geometric_mean
from foliot.model.run import Run
from foliot.show.numbers import figure
from foliot.store.selection import Chosen

MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Point:
    """A figure of one run; None where the run has no such row. `mark` as in Run.mark()."""

    name: str
    recorded: str
    commit: str
    dirty: bool
    value: float | None
    mark: str = ""


def points(runs: Sequence[Chosen], row: str) -> list[Point]:
    """Return the figure in each run; UsageError where no run has such a row."""
    means = _means(runs) if row == MEAN else {}
    found = []
    for place, one in enumerate(runs):
        header = one.run.header
        recorded = one.kept.recorded if one.kept else ""
        value = means.get(place) if row == MEAN else _value(one.run, row)
        measured = one.run.row(row)
        mark = one.run.mark(measured) if measured else ""
        found.append(Point(one.name, recorded, header.kernel_commit, header.dirty, value, mark))
    if all(point.value is None for point in found):
        known = [MEAN, *_weights(runs[-1].run), *runs[-1].run.values()]
        raise unknown("row", row, known, "foliot show last")
    return found


def _value(run: Run, row: str) -> float | None:
    return _weights(run).get(row, run.values().get(row))


def _means(runs: Sequence[Chosen]) -> dict[int, float]:
    """Return each run's mean over the first one's, over the rows that all have (means.py)."""
    trusted = {place: one.run.trusted() for place, one in enumerate(runs)}
    over = fair(trusted, always=(0,))
    return {
        place: round(
            geometric_mean([trusted[place][row] / trusted[0][row] for row in over.rows]), 4
        )
        for place in over.compared
        if over.rows
    }


def _weights(run: Run) -> dict[str, int]:
    return run.footprint.weights() if run.footprint else {}


def lines(of: Sequence[Point]) -> Iterator[str]:
    """Yield a line a run, each change marked with what it is."""
    yield f"{'recorded':<17}{'commit':<15}{'value':>11}  change"
    before: float | None = None
    for point in of:
        when = point.recorded[:16].replace("T", " ")
        commit = point.commit[:12] + ("+" if point.dirty else "")
        shown = MARKS[point.mark] + ("-" if point.value is None else figure(point.value))
        change = ""
        if point.value is not None and before is not None and point.value != before:
            over = f", {point.value / before:.3f} times" if before > 0 else ""
            change = f"  {point.value - before:+.6g}{over}"
        before = before if point.value is None else point.value
        yield f"{when:<17}{commit:<15}{shown:>11}{change}"
    if any(point.mark for point in of):
        yield "* in doubt, ~ corrected, ? not known: `foliot show RUN` says why"
    if any(point.dirty for point in of):
        yield "+ with changes that were not committed: the figure belongs to no commit"


def as_dict(point: Point) -> dict[str, object]:
    """Return a point for JSON."""
    return {name: getattr(point, name) for name in Point.__slots__}
