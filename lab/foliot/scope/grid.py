# SPDX-License-Identifier: Apache-2.0
"""The grid of a recording: how far releases lie apart, and which runs are releases.

Between two releases a scheduler may run too, and may queue a thread: one that a UART or a
timer wakes. So the tick is the distance whose grid holds most of the queued threads, and
not simply the way from one run to the next. The grid is followed from release to release:
a tick known to a thousandth would be off it after some dozen steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from statistics import median
from typing import Protocol, TypeVar

_OFF_GRID = 50  # a release is at most a tick divided by this away from the grid
_FILLED = 0.8  # so much of a grid's places hold a release
_LOOKED_AT = 40  # runs from which distances are taken


class Run(Protocol):
    """What is asked of a scheduler's run here."""

    @property
    def start(self) -> int:
        """When it began."""

    @property
    def queued(self) -> int:
        """How many threads it queued."""


R = TypeVar("R", bound=Run)


def find_tick(runs: Sequence[R]) -> int | None:
    """Return the tick of runs of which the first is a release; None for a single release."""
    queueing = [run for run in runs if run.queued]
    if len(queueing) < 2:
        return None
    head = queueing[:_LOOKED_AT]
    distances = {
        late.start - early.start
        for step in (1, 2, 3)
        for early, late in zip(head, head[step:], strict=False)
    }
    best, most = None, 0
    for distance in sorted(distances, reverse=True):
        found = on_grid(queueing, distance)
        queued = sum(run.queued for run in found)
        if len(found) > 1 and queued > most and len(found) >= _FILLED * _places(found, distance):
            best, most = found, queued
    if best is None:
        gaps = [late.start - early.start for early, late in itertools.pairwise(queueing)]
        return round(median(gaps))
    distance = round(median(b.start - a.start for a, b in itertools.pairwise(best)))
    return round((best[-1].start - best[0].start) / (_places(best, distance) - 1))


def _places(found: Sequence[R], distance: int) -> int:
    """Return how many places of the grid lie from the first release to the last."""
    return round((found[-1].start - found[0].start) / max(1, distance)) + 1


def on_grid(runs: Sequence[R], tick: int) -> list[R]:
    """Return for each tick from the first run on the run that queues the most."""
    slack = tick // _OFF_GRID
    found: list[R] = []
    base = runs[0].start
    for run in runs:
        places, off = divmod(run.start - base + slack, tick)
        if places < 0 or off > 2 * slack:
            continue
        if places == 0 and found:
            if run.queued > found[-1].queued:
                found[-1] = run
        else:
            found.append(run)
            base = run.start
    return found
