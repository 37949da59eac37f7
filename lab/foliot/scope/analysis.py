# SPDX-License-Identifier: Apache-2.0
"""What a recording shows of a kernel that schedules by the tick.

The grid is found and not told: the first scheduler run that queues the most threads is a
release of all of them, and the tick is the distance of the next ones. So a capture of a
board on a desk, of another kernel even, is measured like our own.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from foliot.model.errors import FoliotError
from foliot.scope.signals import Pulse, Recording

_SWITCH_SPREAD = 4  # a gap of at most so many times the least is a switch, a longer one idle
_IDLE = 1000  # nothing runs for a tick divided by this: the CPU is idle
_AT_ONCE = 8  # an interrupt that begins so soon after a thread stopped has interrupted it
_OFF_GRID = 50  # a release is at most a tick divided by this away from the grid


@dataclass(frozen=True, slots=True)
class SchedulerRun:
    """One run of the scheduler, and the times at which it queued a thread."""

    pulse: Pulse
    queueing: tuple[Pulse, ...]
    isr: Pulse | None

    @property
    def queued(self) -> int:
        """How many threads it put into the ready queue."""
        return len(self.queueing)

    @property
    def length(self) -> int:
        """How long it took."""
        return self.pulse.length

    @property
    def queueing_time(self) -> int:
        """How long it did that."""
        return sum(pulse.length for pulse in self.queueing)

    @property
    def checking_time(self) -> int:
        """The rest of its time."""
        return self.pulse.length - self.queueing_time


@dataclass(frozen=True, slots=True)
class Tick:
    """One tick of the grid: its release, and when threads ran until the next."""

    time: int
    run: SchedulerRun
    activations: tuple[tuple[int, int], ...]  # (time, thread): a thread begins to run
    completed: int  # when the last thread stopped before the CPU was idle, or the tick's end
    saturated: bool  # the CPU was not idle at the tick's end

    def starts_of(self, thread: int) -> list[int]:
        """Return when a thread began to run in this tick."""
        return [time for time, number in self.activations if number == thread]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The figures of one recording; times in its unit."""

    unit: str
    tick: int
    threads: int
    ticks: tuple[Tick, ...]
    switches: tuple[int, ...]

    def runs(self, queued: int | None = None) -> list[SchedulerRun]:
        """Return the releases, those of `queued` threads alone where that is given."""
        return [t.run for t in self.ticks if queued is None or t.run.queued == queued]

    @property
    def most_queued(self) -> int:
        """The number of threads that the fullest release queued."""
        return max(run.queued for run in self.runs())

    @property
    def full_run(self) -> SchedulerRun:
        """The median release of those that queue the most."""
        runs = sorted(self.runs(self.most_queued), key=lambda run: run.pulse.length)
        return runs[len(runs) // 2]

    @property
    def switch(self) -> int | None:
        """The median switch."""
        return round(median(self.switches)) if self.switches else None

    @property
    def scheduler_load(self) -> float:
        """The scheduler's share of the time."""
        return sum(run.pulse.length for run in self.runs()) / (len(self.ticks) * self.tick)

    @property
    def interrupt_load(self) -> float | None:
        """The share of the whole interrupts, with their entries and exits."""
        isrs = [run.isr for run in self.runs()]
        if not all(isrs):
            return None
        return sum(isr.length for isr in isrs if isr) / (len(self.ticks) * self.tick)

    @property
    def switch_load(self) -> float:
        """The share of the switches between threads."""
        return sum(self.switches) / (len(self.ticks) * self.tick)

    def release_offsets(self, thread: int = 0) -> list[int]:
        """Return how long after each tick a thread first ran."""
        starts = [(t.time, t.starts_of(thread)) for t in self.ticks]
        return [found[0] - time for time, found in starts if found]

    @property
    def completions(self) -> list[int]:
        """How long after its tick each round was done."""
        return [t.completed - t.time for t in self.ticks]

    def intervals(self, thread: int = 0) -> list[int]:
        """Return the times from activation to activation of a thread."""
        starts = [time for t in self.ticks for time in t.starts_of(thread)]
        return [late - early for early, late in itertools.pairwise(starts)]


def jitter(values: Sequence[int]) -> int:
    """Return how far the greatest is from the least."""
    return max(values) - min(values) if values else 0


def analyse(recording: Recording, tick: int | None = None, ticks: int | None = None) -> Analysis:
    """Measure a recording; `tick` and the number of `ticks` where they are known.

    Raises FoliotError where it shows no scheduler.
    """
    runs = _scheduler_runs(recording)
    most = max((run.queued for run in runs), default=0)
    if most == 0:
        raise FoliotError("the recording shows no scheduler that queues threads")
    first = next(run.pulse.start for run in runs if run.queued == most)
    if tick is None:
        later = [run.pulse.start for run in runs if run.pulse.start >= first and run.queued]
        gaps = [b - a for a, b in itertools.pairwise(later)]
        tick = round(median(gaps)) if gaps else recording.end - first
    on_grid = _on_grid(runs, first, tick)[:ticks]
    starts = _activations(recording)
    switches = _switches(recording, on_grid[0].pulse.start, on_grid[-1].pulse.start + tick)
    found = tuple(_tick(recording, run, tick, starts) for run in on_grid)
    return Analysis(recording.unit, tick, len(recording.threads()), found, tuple(switches))


def _scheduler_runs(recording: Recording) -> list[SchedulerRun]:
    """Return the scheduler's runs, those too that have nothing to queue."""
    queueing = recording.signal("queueing")
    starts = [pulse.start for pulse in queueing]
    isrs = recording.signal("isr")
    isr_starts = [pulse.start for pulse in isrs]
    found = []
    for pulse in recording.signal("scheduler"):
        low, high = bisect_left(starts, pulse.start), bisect_left(starts, pulse.end)
        at = bisect_right(isr_starts, pulse.start) - 1
        isr = isrs[at] if at >= 0 and isrs[at].end >= pulse.end else None
        found.append(SchedulerRun(pulse, queueing[low:high], isr))
    return found


def _on_grid(runs: Sequence[SchedulerRun], first: int, tick: int) -> list[SchedulerRun]:
    """Return for each tick from the first on the run that queues the most."""
    slack = tick // _OFF_GRID
    best: dict[int, SchedulerRun] = {}
    for run in runs:
        place, off = divmod(run.pulse.start - first + slack, tick)
        if place >= 0 and off <= 2 * slack:
            known = best.get(place)
            if known is None or run.queued > known.queued:
                best[place] = run
    return [best[place] for place in sorted(best)]


def _activations(recording: Recording) -> list[tuple[int, int]]:
    """Return (time, thread) where a thread begins to run, and not where one goes on.

    One goes on where nothing but an interrupt, in which no other thread ran, lies between
    two of its pulses.
    """
    pulses = sorted(
        (pulse.start, pulse.end, number) for number, found in recording.threads() for pulse in found
    )
    isrs = sorted(pulse.start for name in ("isr", "scheduler") for pulse in recording.signal(name))
    began: list[tuple[int, int]] = []
    last_end, last_thread = -1, -1
    for start, end, number in pulses:
        at = bisect_left(isrs, last_end)
        interrupted = at < len(isrs) and isrs[at] <= min(start, last_end + _AT_ONCE)
        if not (number == last_thread and interrupted):
            began.append((start, number))
        last_end, last_thread = end, number
    return began


def _switches(recording: Recording, start: int, end: int) -> list[int]:
    """Return the gaps between two threads that are switches, nothing else between them."""
    pulses = sorted(
        (pulse for _, found in recording.threads() for pulse in found), key=lambda p: p.start
    )
    busy = sorted(pulse.start for name in ("isr", "scheduler") for pulse in recording.signal(name))
    gaps = []
    for before, after in itertools.pairwise(pulses):
        if before.end < start or after.start > end:
            continue
        at = bisect_left(busy, before.end)
        if after.start > before.end and not (at < len(busy) and busy[at] < after.start):
            gaps.append(after.start - before.end)
    if not gaps:
        return []
    return [gap for gap in gaps if gap <= _SWITCH_SPREAD * min(gaps)]


def _tick(
    recording: Recording, run: SchedulerRun, tick: int, starts: Sequence[tuple[int, int]]
) -> Tick:
    time = run.pulse.start
    end = min(time + tick, recording.end)
    low, high = bisect_left(starts, (time, 0)), bisect_left(starts, (end, 0))
    completed, saturated = _completion(recording, time, end, max(1, tick // _IDLE))
    return Tick(time, run, tuple(starts[low:high]), completed, saturated)


def _completion(recording: Recording, time: int, end: int, idle: int) -> tuple[int, bool]:
    """Return when the CPU first had nothing to run in the tick; and whether it never had."""
    pulses = [
        pulse
        for name in ("thread_any", "isr", "scheduler")
        for pulse in recording.signal(name)
        if pulse.end > time and pulse.start < end
    ]
    reached = time
    for pulse in sorted(pulses, key=lambda p: p.start):
        if pulse.start > reached + idle:
            break
        reached = max(reached, pulse.end)
    return (end, True) if reached + idle >= end else (reached, False)
