# SPDX-License-Identifier: Apache-2.0
"""Jitter: how far ticks that are alike lie apart, and nothing else.

Alike are ticks that queue as many threads and run the same ones in the same order, so
that an alternation of full and half ticks is none. A tick counts only where the CPU had
come to rest before it, since what the round before left over is a delay and no jitter;
for the completion it has to be done within its time, too. A thread that goes on after a
wait was not released by the tick.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from foliot.scope.analysis import Analysis, Tick


def spread(values: Sequence[int]) -> int:
    """Return how far the greatest is from the least."""
    return max(values) - min(values) if values else 0


def release_jitter(analysis: Analysis, thread: int = 0) -> int | None:
    """Return how much the beginning of a thread varies against its release.

    None where no two ticks are alike, or the thread has no pin.
    """
    usual: dict[int, Hashable] = {}  # who runs before it, by the number of threads queued
    alike = []
    for tick in analysis.ticks:
        offset = _released(tick, thread)
        if tick.rested and offset is not None:
            before = _before(tick, thread)
            if usual.setdefault(tick.run.queued, before) == before:
                alike.append((tick.run.queued, offset))
    return _among_like(alike)


def completion_jitter(analysis: Analysis) -> int | None:
    """Return how much the end of the last thread's work varies; None as above."""
    return _among_like(
        ((tick.run.queued, tick.order), tick.completed - tick.time)
        for tick in analysis.ticks
        if tick.rested and not tick.saturated and tick.completed is not None
    )


def _among_like(found: Iterable[tuple[Hashable, int]]) -> int | None:
    alike: defaultdict[Hashable, list[int]] = defaultdict(list)
    for kind, value in found:
        alike[kind].append(value)
    return max((spread(values) for values in alike.values() if len(values) > 1), default=None)


def _released(tick: Tick, thread: int) -> int | None:
    """Return how long after its release a thread began; None where it went on, or did not run.

    It went on where another run of the scheduler queued somebody before. Where the release
    itself queued it, behind those that it released, release_jitter() sees it by its place.
    """
    starts = tick.starts_of(thread)
    if not starts or any(time < starts[0] for time in tick.queued_between):
        return None
    return starts[0] - tick.time


def _before(tick: Tick, thread: int) -> Hashable:
    """Return who ran in the tick before a thread first did."""
    place = [number for number, _ in tick.order].index(thread)
    return tick.order[: place + 1]
