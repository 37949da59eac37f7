# SPDX-License-Identifier: Apache-2.0
"""The switches in a recording: the gaps between two threads, nothing else between them.

One pin that shows any thread is enough: it falls where a thread stops and rises where the
next one begins. A gap with an interrupt or the scheduler in it is none, nor is one in
which the CPU idles, which is much longer than most.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right

from foliot.scope.signals import Pulse, Recording

_SPREAD = 4  # a switch lasts at most so many times the lower quartile, and not less than its part


def switches(recording: Recording, start: int, end: int) -> list[Pulse]:
    """Return the gaps between `start` and `end` that are switches."""
    busy = recording.busy()
    if not recording.signal("thread_any") and len(recording.threads()) < 2:
        return []
    between = sorted(p.start for name in ("isr", "scheduler") for p in recording.signal(name))
    whose = _Whose(recording)
    gaps = []
    for before, after in itertools.pairwise(busy):
        if before.end < start or after.start > end or after.start <= before.end:
            continue
        at = bisect_left(between, before.end)
        interrupted = at < len(between) and between[at] <= after.start
        if not interrupted and not whose.same(before, after):
            gaps.append(Pulse(before.end, after.start))
    if not gaps:
        return []
    usual = sorted(gap.length for gap in gaps)[len(gaps) // 4]
    return [gap for gap in gaps if usual <= _SPREAD * gap.length <= _SPREAD**2 * usual]


class _Whose:
    """Tells which thread a pulse is of, as far as threads have pins of their own."""

    def __init__(self, recording: Recording) -> None:
        self._own = [
            (number, pulses, [pulse.start for pulse in pulses])
            for number, pulses in recording.threads()
        ]

    def same(self, before: Pulse, after: Pulse) -> bool:
        """Tell whether both are surely of one thread, which only yielded."""
        one = self._of(before)
        return one is not None and one == self._of(after)

    def _of(self, pulse: Pulse) -> int | None:
        for number, pulses, starts in self._own:
            at = bisect_right(starts, pulse.start) - 1
            if at >= 0 and pulses[at].end > pulse.start:
                return number
        return None
