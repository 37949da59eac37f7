# SPDX-License-Identifier: Apache-2.0
"""What an image of CONFIG_TRACE_RING prints of its ring, as a recording: see trace_ring.h.

The same events as a simulator's recorder makes, but for what the ring does not hold. What an
event costs is measured on the board, and printed first: it is taken out of each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from foliot.image.elf import Image
from foliot.model.errors import FoliotError
from foliot.model.names import counted
from foliot.target.boards import Board
from foliot.trace.events import Event, Object, Recording, Thread
from foliot.trace.follow import DEAD, PENDING, PERIOD, PRESTART, SUSPENDED
from foliot.trace.printed import Printed
from foliot.trace.watched import KINDS, Watched

_SWITCH, _READY, _ISR_ENTER, _ISR_EXIT, _CALL, _RETURN, _CREATED = range(1, 8)
_BEGIN = re.compile(
    rb"@trace begin 1 events (\d+) lost (\d+) cost (\d+) call (\d+) clock (\d+)\s*$"
)
_EVENT = re.compile(
    rb"@trace ([0-9a-f]{1,8}) ([0-9a-f]{1,8}) ([0-9a-f]{1,16}) ([0-9a-f]{1,16})\s*$"
)
_END = re.compile(rb"@trace end\s*$")
_NOT_COUNTING = 0xFFFF_FFFF  # a counter that counts down, before it was started
_NOT_IN_IT = (
    "arguments of calls, priorities that were lent, and calls that kernel/inspect/trace_calls.c"
    " does not name"
)


def read(lines: Iterable[bytes]) -> Printed:
    """Find the ring in a program's console; FoliotError where it is not there, or not whole."""
    head: re.Match[bytes] | None = None
    events: list[tuple[int, int, int, int]] = []
    for line in lines:
        if begin := _BEGIN.match(line):
            head, events = begin, []
        elif head and (event := _EVENT.match(line)):
            time, what, a, b = (int(word, 16) for word in event.groups())
            events.append((time, what, a, b))
        elif head and _END.match(line):
            count, lost, cost, call, clock = (int(word) for word in head.groups())
            if count != len(events):
                raise FoliotError(f"of {count} events in the ring {len(events)} came whole")
            return Printed(tuple(events), lost, cost, call, clock)
    if head:
        raise FoliotError("the ring's last line did not come")
    raise FoliotError(
        "the program printed no ring of events",
        "it is built with --conf ring, and prints them in k_exit() or k_trace_ring_print()",
    )


def decode(printed: Printed, board: Board, image: Image, program: str) -> Recording:
    """Return what the kernel did. UsageError for an image that is none of this kernel's."""
    return _Decoder(printed, board, image, program).recording


class _Decoder:
    def __init__(self, printed: Printed, board: Board, image: Image, program: str) -> None:
        self.watched = Watched(image)
        self.printed, self.board = printed, board
        unit = (
            board.unit if printed.clock_hz == board.clock_hz and board.kind != "qemu" else "counts"
        )
        self.recording = Recording(
            board.name, program, unit, 1e9 / printed.clock_hz, image.word_bytes
        )
        self.names = dict(self.watched.threads())
        self.functions = {address: name for address, _, name in image.functions()}
        self.current: int | None = None
        self.handlers: list[int] = []
        self.blocked: dict[int, bool] = {}
        self.calls: dict[tuple[int | None, int], list[tuple[str, int | None]]] = {}
        self.owners: dict[int, int | None] = {}
        self.time = 0
        self._take_all()

    def _take_all(self) -> None:
        spent, last = 0, None
        gaps = {gap.at: gap.lost for gap in self.printed.gaps}
        for number, (raw, what, a, b) in enumerate(self.printed.events):
            kind = what & 0xFF
            if raw != _NOT_COUNTING or last is not None:
                self.time += 0 if last is None else (raw - last) & 0xFFFF_FFFF
                self.time += raw if last is None else 0
                last = raw
            at, self.time = self.time, max(0, self.time - spent)
            if number in gaps:
                self._resume(number, gaps[number])
            self._take(kind, what >> 8, a, b)
            self.time = at
            if last is not None:
                call = kind in (_CALL, _RETURN)
                spent += self.printed.call_cost if call else self.printed.cost
        self.recording.end = max((e.time for e in self.recording.events), default=0)
        self.recording.lacks = (
            _NOT_IN_IT,
            (
                f"{spent} {self.recording.unit}, which its own events cost ({self.printed.cost}"
                f" each, a call's {self.printed.call_cost}): they are taken out of the times"
            ),
            *self._lost(),
        )
        lost = self.printed.lost
        full = lost and not self.printed.gaps
        self.recording.cut = f"where the ring was full ({lost} events lost)" if full else ""

    def _lost(self) -> list[str]:
        lost, places = self.printed.lost, len(self.printed.gaps)
        if not lost:
            return []
        if not places:
            return [f"the last {lost} events, which found the ring full"]
        where = f"in {counted(places, 'place')}"
        return [f"{lost} events, {where}: what is told of those times may be wrong"]

    def _resume(self, number: int, lost: int) -> None:
        """Go on behind a gap: who runs is known by the next switch, no handler is."""
        self.handlers.clear()
        self.calls.clear()
        self.owners.clear()
        nxt = next((e[2] for e in self.printed.events[number:] if e[1] & 0xFF == _SWITCH), None)
        self._emit("mark", name=f"{lost} events lost", arguments={})
        if nxt is not None and nxt != self.current and self.current is not None:
            self._ready(nxt)
            self._emit("switch", out=self.current, into=nxt, reason="lost")
            self.current = nxt
        self.blocked = {thread: thread != self.current for thread in self.blocked}

    def _emit(self, kind: str, **facts: Any) -> None:
        line = self.handlers[-1] if self.handlers else None
        self.recording.events.append(Event(self.time, kind, self.current, line, facts))

    def _take(self, kind: int, more: int, a: int, b: int) -> None:
        if kind == _CREATED:
            self._know(a, more - 256 if more > 127 else more)
        elif kind == _SWITCH:
            self._switch(more, a, b)
        elif kind == _READY:
            self._ready(a)
            if self.current is None:  # the idle thread, and then the first one begins
                first = next((e[2] for e in self.printed.events if e[1] & 0xFF == _SWITCH), None)
                if first is not None:
                    self._begin(first)
        elif kind == _ISR_ENTER:
            self.handlers.append(self._line(a))
            self._emit("isr_enter", line=self.handlers[-1])
        elif kind == _ISR_EXIT:
            self._leave()
        elif kind in (_CALL, _RETURN):
            self._call(kind == _CALL, a, b)

    def _ready(self, thread: int) -> None:
        if self.blocked.get(thread):  # else it moves within the queue
            self.blocked[thread] = False
            frames = self._frames()
            self._emit("ready", thread=thread, by=frames[0][0] if frames else "")

    def _begin(self, thread: int) -> None:
        """Go on with the first thread, to which nobody switched."""
        self._emit("switch", out=None, into=thread, reason="start")
        self.blocked[thread] = False
        self.current = thread

    def _line(self, number: int) -> int:
        return number - 16 if self.board.arch == "cortex_m" else number & 0xFF

    def _leave(self) -> None:
        if self.handlers:  # else a thread goes on that was switched from in one
            self._emit("isr_exit", line=self.handlers[-1])
            self.calls.pop((None, len(self.handlers)), None)
            self.handlers.pop()

    def _know(self, thread: int, priority: int = 0) -> None:
        name = self.names.get(thread, f"{thread:#x}")
        known = self.recording.threads.setdefault(thread, Thread(thread, name))
        known.priority, known.idle = priority, name == "idle"
        self.blocked[thread] = True
        self._emit("thread", thread=thread, priority=priority)

    # Calls.

    def _frames(self) -> list[tuple[str, int | None]]:
        context = (None, len(self.handlers)) if self.handlers else (self.current, 0)
        return self.calls.setdefault(context, [])

    def _call(self, begins: bool, a: int, function: int) -> None:
        name = self._name(function)
        frames = self._frames()
        if begins:
            thing = self._object(name, a)
            frames.append((name, thing))
            self._emit("call", name=name, object=thing, arguments={})
            return
        if not frames or frames[-1][0] != name:
            return
        _, thing = frames.pop()
        self._emit("return", name=name, object=thing, arguments={}, **self._result(name, a))
        if name == "k_mutex_lock" and not a and thing:
            self.owners[thing] = self.current

    def _name(self, function: int) -> str:
        place = function & ~1 if self.board.arch == "cortex_m" else function
        return self.functions.get(place, f"{function:#x}")

    def _result(self, name: str, value: int) -> dict[str, int]:
        told = self.watched.function(name)
        if told is None or told.result is None:
            return {}
        size = told.result.size or self.recording.word
        low = value & ((1 << 8 * size) - 1)
        negative = told.result.signed and low >> (8 * size - 1)
        return {"result": low - (1 << 8 * size) if negative else low}

    def _object(self, name: str, address: int) -> int | None:
        told = self.watched.function(name)
        first = told.parameters[0][1] if told and told.parameters else None
        if not address or first is None or first.kind != "pointer":
            return None
        if first.name == "k_thread":
            return address
        found = self.watched.object_at(address, first.name if first.name in KINDS else "")
        if found is None:
            found = Object(address, first.name.removeprefix("k_"), f"{address:#x}")
        return self.recording.objects.setdefault(found.address, found).address

    # Switches.

    def _switch(self, more: int, out: int, into: int) -> None:
        self._ready(into)  # who is switched to at once comes into no queue
        interrupted = bool(self.handlers)
        while self.handlers:
            self._leave()
        if self.current is None:
            self._begin(out)
        why = self._why(more & 0xFF, bool(more >> 8 & 1), interrupted)
        self._emit("switch", out=out, into=into, **why)
        self.blocked[out] = why["reason"] not in ("preempted", "yielded")
        self.blocked[into] = False
        self.current = into

    def _why(self, state: int, queued: bool, interrupted: bool) -> dict[str, Any]:
        frames = self._frames()
        told: dict[str, Any] = {"call": frames[0][0]} if frames and not interrupted else {}
        if state & DEAD:
            return {"reason": "ended"}
        if state & PENDING and state & PERIOD:
            return told | {"reason": "period"}
        if state & PENDING and not queued:
            return told | {"reason": "sleeps"}
        if state & PENDING:
            thing = next((thing for _, thing in reversed(frames) if thing), None)
            told |= {"reason": "waits", "object": thing}
            return told | ({"owner": self.owners[thing]} if thing in self.owners else {})
        if state & (SUSPENDED | PRESTART):
            return {"reason": "suspended" if state & SUSPENDED else "not started"}
        yields = told.get("call") in ("k_yield", "k_sleep", "k_msleep")
        return told | {"reason": "yielded" if yields else "preempted"}
