# SPDX-License-Identifier: Apache-2.0
"""What is asked of a recording: who had the CPU, who had to wait for it, and why.

Times are in the recording's unit. A thread's share is what it ran less the handlers that
interrupted it; these have shares of their own, so that all of them add up to the recording.
"""

from __future__ import annotations

import bisect
from collections import Counter
from dataclasses import dataclass, field

from foliot.model.errors import unknown
from foliot.trace.events import Event, Recording
from foliot.trace.timeline import READY, RUNNING, Handler, Interval, Timeline, line_name

_MOST_WAITS = 20


@dataclass(frozen=True, slots=True)
class Share:
    """How much of the recording a thread, or a line's handlers, had the CPU; `times`: how often."""

    name: str
    count: int
    of: int
    times: int
    longest: int

    @property
    def percent(self) -> float:
        """The share in percent."""
        return 100 * self.count / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Wait:
    """A thread that was ready and did not run: since when, why, and who ran instead."""

    thread: int
    name: str
    priority: int
    start: int
    length: int
    why: str
    instead: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line's handlers: how often, how long."""

    line: int
    times: int
    longest: int
    total: int


@dataclass(frozen=True, slots=True)
class Latency:
    """From a line's rise to its handler's first instruction; who ran instead, and in what call."""

    line: int
    start: int
    length: int
    call: str  # that the interrupted thread was in, or ""
    instead: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class MutexWait:
    """A thread that waited for a mutex: for how long, whose it was then, how it ended."""

    waiter: str
    owner: str
    start: int
    length: int
    end: str  # locked, timed out, aborted, still waiting


@dataclass(slots=True)
class Mutex:
    """A mutex: how often it was locked, and who waited."""

    name: str
    locks: int = 0
    waits: list[MutexWait] = field(default_factory=list)


class Answers:
    """The answers to all questions of one recording."""

    def __init__(self, recording: Recording) -> None:
        """Make the time line that all of them come from."""
        self.recording = recording
        self.timeline = Timeline(recording)
        first = next((e.time for e in recording.events if e.kind == "switch"), 0)
        self.start, self.length = first, recording.end - first

    def shares(self) -> list[Share]:
        """Return the shares of threads, then of interrupts, each by size."""
        outer = [handler for handler in self.timeline.handlers if not handler.depth]
        threads = [self._share(thread, outer) for thread in self.recording.threads]
        found = sorted((s for s in threads if s.times), key=lambda share: -share.count)
        for line in self.lines():
            own = sum(h.end - h.start for h in outer if h.line == line.line)
            found.append(Share(line_name(line.line), own, self.length, line.times, line.longest))
        return found

    def waits(self, thread: str | None = None) -> list[Wait]:
        """Return the longest wait of each thread, longest first; of one by name its 20 longest.

        UsageError where no thread has that name.
        """
        found = []
        for address, known in self.recording.threads.items():
            if known.idle or (thread is not None and known.name != thread):
                continue
            parts = sorted(self.timeline.of(address, READY), key=lambda part: -part.length)
            most = 1 if thread is None else _MOST_WAITS
            found += [self._wait(address, part) for part in parts[:most]]
        names = [known.name for known in self.recording.threads.values()]
        if thread is not None and thread not in names:
            raise unknown("thread", thread, names)
        return sorted(found, key=lambda wait: -wait.length)

    def lines(self) -> list[Line]:
        """Return what is known of each interrupt's line."""
        lines = sorted({handler.line for handler in self.timeline.handlers})
        return [self._line(line) for line in lines]

    def latencies(self, line: int | None = None) -> list[Latency]:
        """Return the longest latency of each interrupt's line; of one its 20 longest.

        Empty where the machine does not tell when a line rose. UsageError where the line had no
        interrupt.
        """
        known = [h.line for h in self.timeline.handlers]
        if line is not None and line not in known:
            raise unknown("interrupt", str(line), [str(one) for one in sorted(set(known))])
        found = sorted(
            (
                (event.time - event.facts["rose"], index)
                for index, event in enumerate(self.recording.events)
                if event.kind == "isr_enter" and "rose" in event.facts
            ),
            key=lambda one: (-one[0], one[1]),
        )
        taken: Counter[int] = Counter()
        longest = []
        for _, index in found:
            of = self.recording.events[index].facts["line"]
            taken[of] += 1
            if (line is None and taken[of] == 1) or (of == line and taken[of] <= _MOST_WAITS):
                longest.append(self._latency(index))
        return longest

    def mean_latency(self, line: int) -> float | None:
        """Return the mean latency of a line, None where it is not known."""
        lengths = [
            event.time - event.facts["rose"]
            for event in self.recording.events
            if event.kind == "isr_enter" and event.facts["line"] == line and "rose" in event.facts
        ]
        return sum(lengths) / len(lengths) if lengths else None

    def _latency(self, index: int) -> Latency:
        events = self.recording.events
        enter = events[index]
        rose = enter.facts["rose"]
        calls: list[str] = []  # of whom was interrupted: a thread, or a handler
        for event in events[:index]:
            if (event.thread, event.line) == (enter.thread, enter.line):
                if event.kind == "call":
                    calls.append(event.facts["name"])
                elif event.kind == "return" and calls:
                    calls.pop()
        instead = tuple(self.timeline.instead(rose, enter.time))
        return Latency(
            enter.facts["line"], rose, enter.time - rose, calls[0] if calls else "", instead
        )

    def mutexes(self) -> list[Mutex]:
        """Return the mutexes that were locked, the most waited for first."""
        found: dict[int, Mutex] = {}
        wakes = self._wakes()
        for event in self.recording.events:
            known = self.recording.objects.get(event.facts.get("object") or 0)
            if known is None or known.kind != "mutex":
                continue
            mutex = found.setdefault(known.address, Mutex(known.name))
            if event.kind == "return" and event.facts["name"] == "k_mutex_lock":
                mutex.locks += event.facts.get("result") == 0
            elif event.kind == "switch" and event.facts["reason"] == "waits":
                mutex.waits.append(self._mutex_wait(event, wakes))
        return sorted(found.values(), key=lambda mutex: -sum(w.length for w in mutex.waits))

    def _share(self, thread: int, handlers: list[Handler]) -> Share:
        own = self.timeline.of(thread, RUNNING)
        spans = [part.length - _within(part, handlers) for part in own]
        name = self.recording.thread_name(thread)
        return Share(name, sum(spans), self.length, len(own), max(spans, default=0))

    def _wait(self, thread: int, part: Interval) -> Wait:
        known = self.recording.threads[thread]
        instead = tuple(self.timeline.instead(part.start, part.end))
        priority = self._priority(thread, part.start)
        return Wait(
            thread, known.name, priority, part.start, part.length, self._why(part.event), instead
        )

    def _priority(self, thread: int, time: int) -> int:
        found = self.recording.threads[thread].priority
        for event in self.recording.events:
            if event.time > time:
                break
            if event.kind == "priority" and event.facts["thread"] == thread:
                found = event.facts["new"]
        return found

    def _why(self, event: Event) -> str:
        """Say what made a thread ready, or took the CPU from it."""
        facts = event.facts
        if event.kind == "ready":
            by = facts["by"]
            if by == "time-out":
                return "its time was over"
            who = self.waker(event)
            return f"woken by {who}" + (f" ({by})" if by and by != who else "")
        into = self.recording.thread_name(facts["into"])
        if facts["reason"] == "yielded":
            return f"yielded to {into}"
        return f"preempted by {into}"

    def waker(self, event: Event) -> str:
        """Return who made a thread ready: a thread or an interrupt."""
        if event.line is not None:
            return line_name(event.line)
        return self.recording.thread_name(event.thread)

    def _line(self, line: int) -> Line:
        own = [handler for handler in self.timeline.handlers if handler.line == line]
        spans = [handler.end - handler.start for handler in own]
        return Line(line, len(own), max(spans), sum(spans))

    def _wakes(self) -> dict[int, list[Event]]:
        """Return what made each thread ready, or ended it, in order of time."""
        found: dict[int, list[Event]] = {}
        for event in self.recording.events:
            if event.kind in ("ready", "stopped"):
                found.setdefault(event.facts["thread"], []).append(event)
        return found

    def _mutex_wait(self, event: Event, wakes: dict[int, list[Event]]) -> MutexWait:
        waiter = event.facts["out"]
        name, owner = (self.recording.thread_name(t) for t in (waiter, event.facts.get("owner")))
        own = wakes.get(waiter, [])
        after = bisect.bisect_right(own, event.time, key=lambda wake: wake.time)
        if after == len(own):
            length = self.recording.end - event.time
            return MutexWait(name, owner, event.time, length, "still waiting")
        woken = own[after]
        ended = "locked" if woken.kind == "ready" else "aborted"
        if woken.facts.get("by") == "time-out":
            ended = "timed out"
        return MutexWait(name, owner, event.time, woken.time - event.time, ended)


def _within(part: Interval, handlers: list[Handler]) -> int:
    """Return how long handlers ran within an interval."""
    return sum(
        max(0, min(handler.end, part.end) - max(handler.start, part.start)) for handler in handlers
    )
