# SPDX-License-Identifier: Apache-2.0
"""What a recording shows of a kernel that schedules by the tick.

The grid is found and not told: the first scheduler run that queues the most threads is a
release of all of them, and the tick is the distance that most releases keep. So a capture
of a board on a desk, of another kernel even, is measured like our own. What the window of
a recording cuts off is left out: half a scheduler run is no length, half a tick no share.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from foliot.model.errors import FoliotError
from foliot.scope import grid
from foliot.scope.signals import Pulse, Recording
from foliot.scope.switches import switches

_IDLE = 1000  # nothing runs for a tick divided by this: the CPU is idle
_AT_ONCE = 8  # an interrupt that begins so soon after a thread stopped has interrupted it


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
    def start(self) -> int:
        """When it began."""
        return self.pulse.start

    @property
    def begin(self) -> int:
        """When the interrupt that it is part of began; its own start where that is unseen."""
        return self.isr.start if self.isr else self.pulse.start

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
    """One whole tick of the grid: its release, and when threads ran until the next."""

    time: int
    run: SchedulerRun
    activations: tuple[tuple[int, int], ...]  # (time, thread): a thread begins to run
    # Who ran, in turn; where not all threads have pins, with how many turns came before.
    order: tuple[tuple[int, int], ...]
    queued_between: tuple[int, ...]  # when other runs than the release queued a thread
    completed: int | None  # when the CPU was first idle, or the tick's end; None: unseen
    saturated: bool  # the CPU was not idle at the tick's end
    rested: bool  # it was idle before the release

    def starts_of(self, thread: int) -> list[int]:
        """Return when a thread began to run in this tick."""
        return [time for time, number in self.activations if number == thread]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The figures of one recording; times in its unit.

    `releases` are the scheduler's runs on the grid, `ticks` those of them whose tick is
    whole. A share is None where there is no whole tick, or no pin to tell it by.
    """

    unit: str
    tick: int
    threads: int
    releases: tuple[SchedulerRun, ...]
    ticks: tuple[Tick, ...]
    switches: tuple[Pulse, ...]
    scheduler_load: float | None
    interrupt_load: float | None
    switch_load: float | None

    def runs(self, queued: int | None = None) -> list[SchedulerRun]:
        """Return the releases, those of `queued` threads alone where that is given."""
        return [run for run in self.releases if queued is None or run.queued == queued]

    @property
    def most_queued(self) -> int:
        """The number of threads that the fullest release queued."""
        return max(run.queued for run in self.releases)

    @property
    def full_run(self) -> SchedulerRun:
        """The median release of those that queue the most."""
        return self.typical(self.most_queued)

    def typical(self, queued: int) -> SchedulerRun:
        """Return the median release of those that queue so many."""
        runs = sorted(self.runs(queued), key=lambda run: run.pulse.length)
        return runs[len(runs) // 2]

    @property
    def gap(self) -> int | None:
        """The median of what lies between two threads' signals; None where none was seen."""
        return round(median(gap.length for gap in self.switches)) if self.switches else None

    def release_offsets(self, thread: int = 0) -> list[int]:
        """Return how long after each tick a thread first ran."""
        starts = [(t.time, t.starts_of(thread)) for t in self.ticks]
        return [found[0] - time for time, found in starts if found]

    def intervals(self, thread: int = 0) -> list[int]:
        """Return the times from activation to activation of a thread."""
        starts = [time for t in self.ticks for time in t.starts_of(thread)]
        return [late - early for early, late in itertools.pairwise(starts)]


def analyse(recording: Recording, tick: int | None = None, ticks: int | None = None) -> Analysis:
    """Measure a recording; `tick` and the number of `ticks` where they are known.

    Raises FoliotError where it shows no scheduler, or too little to find the tick.
    """
    runs = _scheduler_runs(recording)
    most = max((run.queued for run in runs), default=0)
    if most == 0:
        raise FoliotError("the recording shows no scheduler that queues threads")
    runs = runs[next(index for index, run in enumerate(runs) if run.queued == most) :]
    if tick is None:
        tick = grid.find_tick(runs)
    if tick is None:
        raise FoliotError(
            "the recording shows one release only, and a tick is the way from one to the next",
            "record more, or say it: --tick N",
        )
    releases = tuple(grid.on_grid(runs, tick)[:ticks])
    whole = [run for run in releases if run.start + tick <= recording.end]
    # Where some threads are unseen, so is when the CPU idles.
    all_seen = recording.signal("thread_any") or len(recording.threads()) >= most
    found = _ticks(recording, whole, tick, recording.busy() if all_seen else ())
    start = releases[0].begin
    end = start + whole[-1].start + tick - releases[0].start if whole else recording.end
    gaps = tuple(switches(recording, start, end))
    share = _shares(recording, start, end) if whole else {}
    return Analysis(
        recording.unit, tick, len(recording.threads()), releases, found, gaps,
        share.get("scheduler"), share.get("isr"),
        sum(gap.length for gap in gaps) / (end - start) if gaps and whole else None,
    )  # fmt: skip


def _shares(recording: Recording, start: int, end: int) -> dict[str, float]:
    """Return for what time of the window the scheduler and interrupts ran, ticks or not."""
    return {
        name: recording.cut(start, end).time_of(name) / (end - start)
        for name in ("scheduler", "isr")
        if recording.signal(name)
    }


def _scheduler_runs(recording: Recording) -> list[SchedulerRun]:
    """Return the scheduler's whole runs, those too that have nothing to queue."""
    queueing = recording.signal("queueing")
    starts = [pulse.start for pulse in queueing]
    isrs = recording.signal("isr")
    isr_starts = [pulse.start for pulse in isrs]
    found = []
    for pulse in recording.signal("scheduler"):
        if pulse.start <= recording.start or pulse.end >= recording.end:
            continue
        low, high = bisect_left(starts, pulse.start), bisect_left(starts, pulse.end)
        at = bisect_right(isr_starts, pulse.start) - 1
        isr = isrs[at] if at >= 0 and isrs[at].end >= pulse.end else None
        found.append(SchedulerRun(pulse, queueing[low:high], isr))
    return found


def _ticks(
    recording: Recording, runs: Sequence[SchedulerRun], tick: int, busy: Sequence[Pulse]
) -> tuple[Tick, ...]:
    """Return the ticks of whole releases; `busy` are the times of all threads, if seen."""
    starts = _activations(recording)
    queued = [pulse.start for pulse in recording.signal("queueing")]
    idle = max(1, tick // _IDLE)
    ran = [pulse.start for pulse in busy]
    occupied = sorted(
        [*busy, *recording.signal("isr"), *recording.signal("scheduler")], key=lambda p: p.start
    )
    found = []
    all_own = len(recording.threads()) >= max(run.queued for run in runs) if runs else False
    for run in runs:
        end = run.start + tick
        low, high = bisect_left(starts, (run.start, 0)), bisect_left(starts, (end, 0))
        between = queued[bisect_left(queued, run.pulse.end) : bisect_left(queued, end)]
        completed, saturated = _completion(occupied, run.start, end, idle)
        at = bisect_left(ran, run.begin) - 1
        order = tuple((thread, 0 if all_own else bisect_left(ran, time) - at)
                      for time, thread in starts[low:high])  # fmt: skip
        found.append(Tick(
            run.start, run, tuple(starts[low:high]), order, tuple(between),
            completed if busy else None, saturated and bool(busy),
            rested=bool(busy) and (at < 0 or busy[at].end < run.begin - idle),
        ))  # fmt: skip
    return tuple(found)


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


def _completion(occupied: Sequence[Pulse], time: int, end: int, idle: int) -> tuple[int, bool]:
    """Return when the CPU first had nothing to run in the tick; and whether it never had."""
    reached = time
    for pulse in occupied:
        if pulse.end <= time:
            continue
        if pulse.start > reached + idle or pulse.start >= end:
            break
        reached = max(reached, pulse.end)
    return (end, True) if reached + idle >= end else (reached, False)
