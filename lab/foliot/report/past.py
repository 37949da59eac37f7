# SPDX-License-Identifier: Apache-2.0
"""The report's history: the mean, what the kernel weighs and each row, commit by commit.

The runs are those of one kind (kernel, board, suite, configuration), the oldest first. Runs
of one commit that came out the same stand there once. On a simulator every difference is a
change; on a board it may be scatter, and the page says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from foliot.compare.repeats import merged
from foliot.compare.timeline import MEAN, Point, points
from foliot.model.figures import is_nominal
from foliot.store.selection import Chosen

TEXT = "footprint.text"
MOST_COMMITS = 120
_MOST_CHANGES = 300


@dataclass(frozen=True, slots=True)
class Change:
    """A figure that is another one than at the commit before."""

    point: Point
    figure: str
    before: float | None
    after: float | None

    @property
    def ratio(self) -> float | None:
        """The new figure over the old one, where both are positive."""
        both = self.before and self.after and self.before > 0 and self.after > 0
        return self.after / self.before if both and self.after and self.before else None


@dataclass(frozen=True, slots=True)
class Past:
    """Each figure's points by its name, all over the same commits; `left_out` older ones."""

    title: str
    unit: str
    exact: bool
    figures: Mapping[str, Sequence[Point]]
    left_out: int

    @property
    def commits(self) -> Sequence[Point]:
        """A point for each commit."""
        return self.figures[MEAN]

    @property
    def changes(self) -> Sequence[Change]:
        """What changed and where, the newest first; the mean apart, which follows from the rest."""
        found = [
            Change(after, name, before.value, after.value)
            for name, known in self.figures.items()
            for before, after in pairwise(known)
            if name != MEAN and before.value != after.value
        ]
        place = {id(point): n for known in self.figures.values() for n, point in enumerate(known)}
        found.sort(key=lambda change: -place[id(change.point)])
        return found[:_MOST_CHANGES]

    @property
    def moved(self) -> Sequence[str]:
        """The rows that changed, the one that changed most first."""
        most: dict[str, float] = {}
        for change in self.changes:
            if change.figure.startswith("footprint."):
                continue
            size = abs((change.ratio or 2.0) - 1)
            most[change.figure] = max(size, most.get(change.figure, 0.0))
        return sorted(most, key=lambda name: -most[name])


def past(runs: Sequence[Chosen]) -> Past | None:
    """Gather the history of runs of one kind, the oldest first; None where there is none."""
    kept = _different(merged(runs))
    if len(kept) < 2:
        return None
    shown = kept[-MOST_COMMITS:]
    newest = shown[-1].run
    weights = newest.footprint.weights() if newest.footprint else {}
    names = [MEAN, *weights, *(row.id for row in newest.rows)]
    header = newest.header
    return Past(
        title=f"{header.suite} on {header.board} ({', '.join(header.configuration)})",
        unit=header.unit,
        exact=is_nominal(newest),
        figures={name: points(shown, name) for name in dict.fromkeys(names)},
        left_out=len(kept) - len(shown),
    )


def _different(runs: Sequence[Chosen]) -> list[Chosen]:
    """Return the runs without those that repeat the one before them."""
    kept: list[Chosen] = []
    last: object = None
    for one in runs:
        header, footprint = one.run.header, one.run.footprint
        weights = footprint.weights() if footprint else {}
        key = (header.kernel_commit, header.dirty, one.run.values(), weights)
        if key == last:
            kept[-1] = one
        else:
            kept.append(one)
        last = key
    return kept
