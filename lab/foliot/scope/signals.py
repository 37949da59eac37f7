# SPDX-License-Identifier: Apache-2.0
"""Recordings of signals: levels over time, wherever they come from.

A recording knows nothing of kernels. Times are integers in its own unit: cycles or
instructions for our boards, nanoseconds for a capture of a logic analyser. As a file it
is a VCD: vcd.py.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foliot.model.errors import FoliotError, LogError

FOUR = ("thread_any", "scheduler", "queueing", "thread_0")


@dataclass(frozen=True, slots=True)
class Pulse:
    """One time that a signal was high: from `start` until `end`."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """How long it was high."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Recording:
    """Signals by name, each as its pulses in order, over `start` to `end`."""

    unit: str
    start: int
    end: int
    pulses: Mapping[str, tuple[Pulse, ...]] = field(default_factory=dict)

    def signal(self, name: str) -> tuple[Pulse, ...]:
        """Return a signal's pulses; none where it was not recorded."""
        return self.pulses.get(name, ())

    def busy(self) -> tuple[Pulse, ...]:
        """Return when a thread ran, by the pin that shows any of them.

        Where there is no such pin, those of the threads that have pins of their own.
        """
        found = self.signal("thread_any")
        own = (pulse for _, pulses in self.threads() for pulse in pulses)
        return found or tuple(sorted(own, key=lambda pulse: pulse.start))

    def threads(self) -> list[tuple[int, tuple[Pulse, ...]]]:
        """Return the numbers of the threads that ran, each with its pulses."""
        found = [
            (int(name.removeprefix("thread_")), pulses)
            for name, pulses in self.pulses.items()
            if name.removeprefix("thread_").isdigit() and pulses
        ]
        return sorted(found)

    def others(self) -> tuple[Pulse, ...]:
        """Return when a thread ran that has no pin of its own, by the pin that shows any."""
        own = {pulse.start for _, pulses in self.threads() for pulse in pulses}
        return tuple(pulse for pulse in self.signal("thread_any") if pulse.start not in own)

    def time_of(self, name: str) -> int:
        """Return for how long a signal was high in all."""
        return sum(pulse.length for pulse in self.signal(name))

    def cut(self, start: int, end: int) -> Recording:
        """Return the part from `start` to `end`, times counted from its beginning."""

        def inside(pulses: Sequence[Pulse]) -> tuple[Pulse, ...]:
            first = bisect_right([pulse.end for pulse in pulses], start)
            kept = []
            for pulse in pulses[first:]:
                if pulse.start >= end:
                    break
                kept.append(Pulse(max(pulse.start, start) - start, min(pulse.end, end) - start))
            return tuple(kept)

        cut = {name: inside(pulses) for name, pulses in self.pulses.items()}
        return Recording(self.unit, 0, end - start, cut)


def from_changes(
    unit: str, changes: Iterable[tuple[int, str, bool]], start: int, end: int
) -> Recording:
    """Make a recording of (time, signal, level) in the order of time."""
    since: dict[str, int] = {}
    pulses: dict[str, list[Pulse]] = {}
    for time, name, level in changes:
        pulses.setdefault(name, [])
        if level:
            since.setdefault(name, time)
        elif name in since:
            began = since.pop(name)
            if time > began:
                pulses[name].append(Pulse(began, time))
    for name, began in since.items():
        if end > began:
            pulses[name].append(Pulse(began, end))
    return Recording(unit, start, end, {name: tuple(found) for name, found in pulses.items()})


def from_records(unit: str, records: Sequence[Mapping[str, Any]], end: int) -> Recording:
    """Read "signals" records, as boards without pins print them; see suites/periodic."""
    changes: list[tuple[int, str, bool]] = []
    before = 0
    for record in records:
        names, events = record.get("names"), record.get("events")
        if not isinstance(names, list) or not isinstance(events, list):
            raise LogError("a 'signals' record without names or events")
        if record.get("lost"):
            raise FoliotError(
                f"the target's ring of signals was too small: {record['lost']} events are lost",
                "make CONFIG_TRACE_RING_SIZE larger in suites/periodic/prj.scope.conf",
            )
        for time, mask in events:
            for bit, name in enumerate(names):
                if (mask ^ before) >> bit & 1:
                    changes.append((time, name, bool(mask >> bit & 1)))
            before = mask
    return from_changes(unit, changes, 0, end)
