# SPDX-License-Identifier: Apache-2.0
"""Recordings made by the book: a kernel of four threads whose every time is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from foliot.scope import signals
from foliot.scope.signals import Recording

TICK, THREADS, WORK = 100_000, 4, 15_000
SWITCH, ISR, CHECK, QUEUE = 60, 10, 100, 8
FIRST = 500  # the first release


@dataclass
class Kernel:
    """What happens when; each field but the first four disturbs it."""

    ticks: int = 3
    tick: int = TICK
    work: int = WORK
    due: Sequence[int] = (THREADS,)  # threads released, tick by tick and over again
    order: Sequence[int] | None = None
    late: Sequence[int] = ()  # by tick: how late its release is
    slower: Mapping[int, int] = field(default_factory=dict)  # by tick: more work of its last thread
    heavy: Mapping[int, int] = field(default_factory=dict)  # by tick: the work of each thread
    looks: Sequence[tuple[int, int, int]] = ()  # tick, when, how long: a run that queues nobody
    wakes: Sequence[tuple[int, int]] = ()  # tick, when: a run that queues one thread
    waits: set[int] = field(default_factory=set)  # ticks in which thread 0 waits, to go on later
    goes_on: set[int] = field(default_factory=set)  # ticks whose release queues thread 0 last
    idle: Mapping[int, int] = field(default_factory=dict)  # by thread: idling behind it
    yields: Mapping[int, int] = field(default_factory=dict)  # by thread: it is off for so long
    glitches: Sequence[tuple[int, int]] = ()  # tick, when: "any thread" is low for a moment

    def recording(self) -> Recording:
        """Return the recording, as a kernel with pins for everything makes it."""
        self._changes: list[tuple[int, str, bool]] = []
        busy_until = 0
        for tick in range(self.ticks):
            time = FIRST + tick * self.tick + (self.late[tick] if self.late else 0)
            busy_until = self._round(tick, time, max(time, busy_until))
        for tick, at in self.glitches:
            time = FIRST + tick * self.tick + at
            self._changes += [(time, "thread_any", False), (time + 1, "thread_any", True)]
        self._changes.sort(key=lambda change: (change[0], change[2]))
        return signals.from_changes("cycles", self._changes, 0, FIRST + self.ticks * self.tick)

    def _round(self, tick: int, time: int, now: int) -> int:
        due = self.due[tick % len(self.due)]
        order = list(self.order or range(THREADS))[:due]
        order = order[1:] + order[:1] if tick in self.goes_on else order
        waits = tick in self.waits
        queued = due - waits
        length = THREADS * (CHECK + QUEUE)
        self._release(time, length, queued if now == time else 0)
        if now == time:
            now = time + length + ISR
        for n in [n for n in order if n or not waits]:
            work = self.heavy.get(tick, self.work)
            now = self._run(n, now + SWITCH, work + self.slower.get(tick, 0) * (n == order[-1]))
        for at, spent in [(at, spent) for number, at, spent in self.looks if number == tick]:
            self._pulse("scheduler", time + at, spent)
        for at in [at for number, at in self.wakes if number == tick]:
            self._wake(time + at)
        if waits:
            self._wake(time + 80_000)
            now = self._run(0, time + 80_000 + 100, self.work // 10)
        return now

    def _release(self, time: int, length: int, queued: int) -> None:
        self._pulse("isr", time - ISR, length + 2 * ISR)
        self._pulse("scheduler", time, length)
        for n in range(queued):
            self._pulse("queueing", time + n * (CHECK + QUEUE) + CHECK, QUEUE)

    def _wake(self, time: int) -> None:
        self._pulse("scheduler", time, 50)
        self._pulse("queueing", time + 20, QUEUE)

    def _run(self, n: int, now: int, work: int) -> int:
        off = self.yields.get(n, 0)
        for part in (work // 2, work - work // 2) if off else (work,):
            self._pulse("thread_any", now, part)
            now = self._pulse(f"thread_{n}", now, part) + off
        return now - off + self.idle.get(n, 0)

    def _pulse(self, name: str, start: int, length: int) -> int:
        self._changes += [(start, name, True), (start + length, name, False)]
        return start + length


def recording(ticks: int = 3, work: int = WORK, order: list[int] | None = None) -> Recording:
    """Return the recording of a kernel that nothing disturbs."""
    return Kernel(ticks=ticks, work=work, order=order).recording()
