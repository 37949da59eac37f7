# SPDX-License-Identifier: Apache-2.0
"""What each thread was at, and since when; what ran when. Out of a recording's events alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foliot.trace.events import Event, Recording

RUNNING, READY = "running", "ready"


@dataclass(frozen=True, slots=True)
class Interval:
    """A thread from `start` up to `end` in one state; `event` began it: why it is in it."""

    start: int
    end: int
    state: str  # running, ready, or why it can't go on: waits, sleeps, period, suspended, ended
    event: Event

    @property
    def length(self) -> int:
        """How long, in the recording's unit."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Handler:
    """A handler of `line` from `start` up to `end`; `index` is its isr_enter's; `depth` from 0."""

    line: int
    start: int
    end: int
    index: int
    depth: int


class Timeline:
    """The states of all threads, and the handlers, of one recording."""

    def __init__(self, recording: Recording) -> None:
        """Go through the events once."""
        self.recording = recording
        self.states: dict[int, list[Interval]] = {}
        self._open: dict[int, tuple[int, str, Event]] = {}
        for event in recording.events:
            self._take(event)
        for thread in list(self._open):
            self._enter(thread, recording.end, None)
        self.handlers = _handlers(recording)

    def of(self, thread: int, state: str) -> list[Interval]:
        """Return a thread's intervals of a state."""
        return [part for part in self.states.get(thread, []) if part.state == state]

    def instead(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """Return what ran between two times, in order: (start, end, thread or interrupt)."""
        parts = [
            (max(part.start, start), min(part.end, end), self.recording.thread_name(thread))
            for thread in self.states
            for part in self.of(thread, RUNNING)
            if part.start < end and part.end > start
        ]
        found = []
        taken = [h for h in self.handlers if not h.depth and h.start < end and h.end > start]
        for begin, stop, name in parts:
            at = begin
            for handler in taken:
                if begin <= handler.start < stop:
                    found.append((at, handler.start, name))
                    at = min(handler.end, stop)
            found.append((at, stop, name))
        found += [(max(h.start, start), min(h.end, end), line_name(h.line)) for h in taken]
        return sorted(part for part in found if part[0] < part[1])

    def _take(self, event: Event) -> None:
        facts = event.facts
        if event.kind == "thread":
            self._open.setdefault(facts["thread"], (event.time, "not started", event))
        elif event.kind == "ready":
            self._enter(facts["thread"], event.time, (READY, event))
        elif event.kind == "stopped":
            self._enter(facts["thread"], event.time, (facts["reason"], event))
        elif event.kind == "switch":
            if facts["out"] is not None:
                self._enter(facts["out"], event.time, (_left(facts), event))
            self._enter(facts["into"], event.time, (RUNNING, event))

    def _enter(self, thread: int, time: int, new: tuple[str, Event] | None) -> None:
        old = self._open.pop(thread, None)
        if old is not None and time > old[0]:
            states = self.states.setdefault(thread, [])
            states.append(Interval(old[0], time, old[1], old[2]))
        if new is not None:
            self._open[thread] = (time, *new)


def _left(facts: Mapping[str, object]) -> str:
    """Return the state of a thread that was switched from."""
    reason = str(facts["reason"])
    return READY if reason in ("preempted", "yielded", "start") else reason


def _handlers(recording: Recording) -> Sequence[Handler]:
    found, under_way = [], []
    for index, event in enumerate(recording.events):
        if event.kind == "isr_enter":
            under_way.append((index, event))
        elif event.kind == "isr_exit" and under_way:
            begun, enter = under_way.pop()
            line = enter.facts["line"]
            found.append(Handler(line, enter.time, event.time, begun, len(under_way)))
    return sorted(found, key=lambda handler: handler.index)


def line_name(line: int) -> str:
    """Return what an interrupt's line is called."""
    return f"interrupt {line}"
