# SPDX-License-Identifier: Apache-2.0
"""From one stop of the machine to the next: what happened in between.

A stop is at a named address: a call's first instruction, where it returns to, a switch, a
handler's beginning or end. What has no address of its own, since compilers put it into its
callers (waking, blocking, a priority that is lent), is seen in the threads' own blocks, which are
compared with those of the stop before. Whoever ran in between did it: only a switch or an
interrupt changes that, and both are stops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from foliot.image.debug_info import Type
from foliot.trace.cores import Core, Registers
from foliot.trace.events import Event, Object, Recording, Thread
from foliot.trace.memory import Memory
from foliot.trace.watched import Point, Watched

# include/foliot/thread.h; a test holds them against it.
PENDING, SUSPENDED, PRESTART, DEAD, TIMED, PERIOD = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
BLOCKED = PENDING | SUSPENDED | PRESTART | DEAD
FLAG_JOIN = "joiners"

Look = Callable[[Sequence[tuple[int, int]]], Memory]
Rose = Callable[[int], int | None]


@dataclass(slots=True)
class _Frame:
    """A call under way."""

    name: str
    object: int | None
    ra: int
    sp: int
    arguments: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Handler:
    """An interrupt under way; `back` is where it returns to, where that is known."""

    line: int
    back: int | None = None
    frames: list[_Frame] = field(default_factory=list)


@dataclass(slots=True)
class _Seen:
    """What a thread's block said at the last stop."""

    state: int
    priority: int


class Follower:
    """What is known between two stops; `recording` grows with each."""

    def __init__(
        self, watched: Watched, core: Core, recording: Recording, look: Look, rose: Rose
    ) -> None:
        """Begin before the first stop; `look` reads memory, of the machine as it stands.

        `rose` says when an interrupt's line was raised, which is up now; None: nobody knows.
        """
        self.watched = watched
        self.core = core
        self.recording = recording
        self.look = look
        self.rose = rose
        self._served: dict[int, int] = {}  # when a line's last handler ended
        self._awaited: Counter[int] = Counter()  # where calls and handlers under way go back to
        self._names = dict(watched.threads())
        self._seen: dict[int, _Seen] = {}
        self._current: int | None = None
        self._frames: dict[int, list[_Frame]] = {}
        self._handlers: list[_Handler] = []
        self._timed_out: set[int] = set()
        self._after_handler = False
        self._chained: int | None = None  # the next handler begins where one has ended
        self._counted: dict[int, int] = {}
        self._time = 0

    def stops(self) -> set[int]:
        """Return all addresses to stop at from now on.

        Those that nothing under way goes back to are left out: a loop may pass them all the time.
        """
        return self.watched.points.keys() | +self._awaited

    def ranges(self) -> list[tuple[int, int]]:
        """Return what is read at each stop: (address, bytes)."""
        found = [self.watched.current]
        if self.watched.in_isr:
            found.append(self.watched.in_isr)
        fields = self.watched.fields.values()
        first = min(offset for offset, _ in fields)
        last = max(offset + size for offset, size in fields)
        return found + [(thread + first, last - first) for thread in self._seen]

    def stop(self, registers: Registers, memory: Memory, time: int) -> None:
        """Take a stop at `time`."""
        self._time = time
        point = self.watched.points.get(registers.pc)
        kind = point.kind if point else ""
        self._handlers_that_ended(registers, kind)
        self._look_at_threads(memory)
        if kind != "switch":
            self._look_at_current(memory)
        self._return(registers)
        if point:
            getattr(self, f"_at_{kind}")(registers, point, memory)
        if kind not in ("isr_exit", "switch"):
            self._after_handler = False

    def finish(self, time: int) -> None:
        """End the recording: the machine has ended, or is left."""
        self.recording.end = max(time, self._time)

    # What runs.

    @property
    def _line(self) -> int | None:
        return self._handlers[-1].line if self._handlers else None

    @property
    def _calls(self) -> list[_Frame]:
        if self._handlers:
            return self._handlers[-1].frames
        return self._frames.setdefault(self._current or 0, [])

    def _emit(self, kind: str, **facts: Any) -> None:
        self.recording.events.append(Event(self._time, kind, self._current, self._line, facts))

    # The threads' blocks.

    def _field(self, memory: Memory, thread: int, name: str, signed: bool = False) -> int:
        offset, size = self.watched.fields[name]
        return memory.number(thread + offset, size, signed)

    def _look_at_threads(self, memory: Memory) -> None:
        for thread, seen in self._seen.items():
            state = self._field(memory, thread, "state")
            priority = self._field(memory, thread, "prio", signed=True)
            if priority != seen.priority:
                own = self._field(memory, thread, "base_prio", signed=True)
                self._emit("priority", thread=thread, old=seen.priority, new=priority, own=own)
            was, now = seen.state & BLOCKED, state & BLOCKED
            if thread != self._current:
                if was and not now:
                    self._emit("ready", thread=thread, by=self._cause(thread))
                elif now != was and (now & ~was & (SUSPENDED | DEAD)):
                    self._emit("stopped", thread=thread, **self._why(memory, thread, []))
            seen.state, seen.priority = state, priority

    def _cause(self, thread: int) -> str:
        if thread in self._timed_out:
            self._timed_out.discard(thread)
            return "time-out"
        calls = self._calls
        if calls:
            return calls[0].name
        return self.recording.lines.get(self._line, "") if self._line is not None else ""

    def _look_at_current(self, memory: Memory) -> None:
        """Find a switch that no stop was at: the first thread's, and the straight ones of IPC."""
        now = memory.number(*self.watched.current)
        if now and now != self._current:
            self._switch(memory, self._current, now)

    def _know(self, thread: int) -> None:
        if thread in self._seen:
            return
        fields = self.watched.fields.values()
        memory = self.look([(thread + offset, size) for offset, size in fields])
        state = self._field(memory, thread, "state")
        priority = self._field(memory, thread, "prio", signed=True)
        self._seen[thread] = _Seen(state, priority)
        name = self._names.get(thread, f"{thread:#x}")
        known = self.recording.threads.setdefault(thread, Thread(thread, name))
        known.priority = priority
        known.idle = name == "idle"
        self._name(thread)
        self._emit("thread", thread=thread, priority=priority)

    def _name(self, thread: int) -> None:
        """Read what only a thread's block tells: its own name, its stack."""
        known = self.recording.threads[thread]
        name = self.watched.thread_field("name")
        stack = [self.watched.thread_field(part) for part in ("stack_start", "stack_size")]
        wanted = [(thread + offset, size) for part in (name, *stack) if part
                  for offset, size in (part,)]  # fmt: skip
        memory = self.look(wanted)
        if name:
            known.name = memory.text(thread + name[0], name[1]) or known.name
        if stack[0] and stack[1]:
            begin, size = (memory.number(thread + part[0], part[1]) for part in stack if part)
            known.stack = (begin, size)

    # Switches.

    def _at_switch(self, registers: Registers, point: Point, memory: Memory) -> None:
        if point.stop is None:
            return
        out = registers.arguments[point.stop.out]
        into = registers.arguments[point.stop.next]
        while self._handlers:
            self._leave(unseen=True)
        self._switch(memory, out, into)

    def _switch(self, memory: Memory, out: int | None, into: int) -> None:
        if into == self._current:
            return
        new = into not in self._seen
        self._know(into)
        if out is None or out not in self._seen:
            self._emit("switch", out=out, into=into, reason="start")
        else:
            why = self._why(memory, out, self._frames.get(out, []))
            self._emit("switch", out=out, into=into, **why)
            if why["reason"] == "ended":
                self._drop(self._frames.pop(out, []))
        self._current = into
        self._after_handler = False
        if not new:
            self._name(into)

    def _why(self, memory: Memory, thread: int, frames: list[_Frame]) -> dict[str, Any]:
        """Return why a thread does not go on, by its block: reason, and what it waits for."""
        state = self._field(memory, thread, "state")
        call = frames[0].name if frames and not self._after_handler else ""
        if state & DEAD:
            return {"reason": "ended"}
        if state & PENDING:
            return self._wait(memory, thread, state, frames)
        if state & SUSPENDED:
            return {"reason": "suspended"}
        if state & PRESTART:
            return {"reason": "not started"}
        reason = "yielded" if call in ("k_yield", "k_sleep", "k_msleep") else "preempted"
        return {"reason": reason, "call": call} if call else {"reason": reason}

    def _wait(
        self, memory: Memory, thread: int, state: int, frames: list[_Frame]
    ) -> dict[str, Any]:
        queue = self._field(memory, thread, "pended_on")
        told: dict[str, Any] = {}
        if frames:
            told = {"call": frames[0].name, "arguments": frames[0].arguments}
        if state & PERIOD:
            return told | {"reason": "period"}
        if not queue:
            return told | {"reason": "sleeps"}
        told |= {"reason": "waits", "timed": bool(state & TIMED)}
        found = self._object_of_queue(queue, frames)
        told["object"] = found.address if found else queue
        if found and found.kind == "mutex":
            owner = self.watched.debug.member("k_mutex", "owner")
            if owner:
                place = (found.address + owner[0], owner[1])
                told["owner"] = self.look([place]).number(*place)
        return told

    def _object_of_queue(self, queue: int, frames: list[_Frame]) -> Object | None:
        joiners = self.watched.thread_field("joiners")
        if joiners and queue - joiners[0] in self._seen:
            thread = queue - joiners[0]
            return self._remember(Object(thread, "thread", self.recording.thread_name(thread)))
        for frame in reversed(frames):
            known = self.recording.objects.get(frame.object or 0)
            size = self.watched.debug.size(f"k_{known.kind}") if known else 0
            if known and known.address <= queue < known.address + size:
                return known
        found = self.watched.object_at(queue)
        return self._remember(found) if found else None

    def _remember(self, found: Object) -> Object:
        return self.recording.objects.setdefault(found.address, found)

    # Interrupts.

    def _handlers_that_ended(self, registers: Registers, kind: str) -> None:
        """Notice what has no stop behind it: on a Cortex-M a handler goes back to anywhere."""
        ended, innermost = 0, self._handlers[-1] if self._handlers else None
        if self.core.in_handler(registers) is False and kind not in ("isr_exit", "switch"):
            ended = len(self._handlers)
        elif innermost and kind == "isr_enter":
            ended = not self.core.nests(registers)
            self._chained = innermost.back if ended else None
        elif innermost:
            ended = innermost.back == registers.pc
        for _ in range(ended):
            self._leave(unseen=kind != "isr_enter" and self._handlers[-1].back != registers.pc)

    def _leave(self, unseen: bool = False) -> None:
        self._emit("isr_exit", line=self._line, **({"unseen": True} if unseen else {}))
        self._served[self._handlers[-1].line] = self._time
        self._forget(self._handlers.pop())
        self._after_handler = True

    def _forget(self, handler: _Handler) -> None:
        if handler.back is not None:
            self._awaited[handler.back] -= 1
        self._drop(handler.frames)

    def _drop(self, frames: list[_Frame]) -> None:
        """Forget calls that are over, or never will be."""
        self._awaited.subtract(frame.ra for frame in frames)
        frames.clear()

    def _at_isr_enter(self, registers: Registers, point: Point, memory: Memory) -> None:
        line = self.core.line(registers)
        handler = _Handler(line, self._back(registers))
        if handler.back is not None:
            self._awaited[handler.back] += 1
        self._handlers.append(handler)
        rose = self.rose(line)
        # One that stayed up, or rose again meanwhile, waits since the handler before has ended.
        since = {} if rose is None else {"rose": max(rose, self._served.get(line, 0))}
        self._emit("isr_enter", line=line, **since)

    def _back(self, registers: Registers) -> int | None:
        """Return where a handler goes back to: out of its frame, or where the one before it did."""
        chained, self._chained = self._chained, None
        if chained is not None:
            return chained
        place = self.core.frame_place(registers, self._stack())
        if place is None or not place[1]:
            return None
        return self.core.frame_return(registers, self.look([place]).bytes(*place))

    def _stack(self) -> tuple[int, int]:
        known = self.recording.threads.get(self._current or 0)
        return known.stack if known else (0, 0)

    def _at_isr_exit(self, registers: Registers, point: Point, memory: Memory) -> None:
        while self._handlers:
            self._leave()

    def _at_isr_exit_nested(self, registers: Registers, point: Point, memory: Memory) -> None:
        if len(self._handlers) > 1:
            self._leave()

    # Calls.

    def _at_call(self, registers: Registers, point: Point, memory: Memory) -> None:
        told = self.watched.function(point.name)
        names = told.parameters if told else ()
        arguments: dict[str, int] = {}
        thing: int | None = None
        for (name, kind), value in zip(names, registers.arguments, strict=False):
            if kind.size > self.core.word:
                break
            first = not arguments
            if first and kind.kind == "pointer" and kind.name.startswith("k_") and value:
                found = self.watched.object_at(value, kind.name)
                thing = (
                    self._remember(found).address if found and kind.name != "k_thread" else value
                )
            arguments[name or f"argument_{len(arguments)}"] = self._argument(kind, value)
        ra = registers.ra & (~1 if self.core.word == 4 else ~0)
        self._calls.append(_Frame(point.name, thing, ra, registers.sp, arguments))
        self._awaited[ra] += 1
        self._emit("call", name=point.name, object=thing, arguments=arguments)

    def _argument(self, kind: Type, value: int) -> int:
        """Return an argument as its type has it; what is wrapped in a structure may be negative."""
        whole = kind.signed or kind.kind == "struct"
        return _signed(value, self.core.word) if whole else value

    def _return(self, registers: Registers) -> None:
        """Notice a call that has returned: this is where it goes back to, the stack as it was."""
        calls = self._calls
        first = next(
            (n for n, frame in enumerate(calls)
             if frame.ra == registers.pc and frame.sp == registers.sp), None
        )  # fmt: skip
        if first is None:
            return
        for frame in reversed(calls[first:]):
            whole = frame.ra == registers.pc and frame.sp == registers.sp
            self._awaited[frame.ra] -= 1
            self._returned(frame, registers.arguments[0] if whole else None)
        del calls[first:]

    def _returned(self, frame: _Frame, value: int | None) -> None:
        told = self.watched.function(frame.name)
        facts: dict[str, Any] = {"name": frame.name, "object": frame.object}
        facts["arguments"] = frame.arguments
        if value is None:
            facts["aborted"] = True
        elif told and told.result is not None:
            size = min(told.result.size, self.core.word) or self.core.word
            low = value & ((1 << 8 * size) - 1)
            facts["result"] = _signed(low, size) if told.result.signed else low
        self._emit("return", **facts)
        if frame.name == "k_thread_create" and frame.object:
            self._know(frame.object)
        elif frame.object:
            self._count(frame.object)

    def _count(self, address: int) -> None:
        known = self.recording.objects.get(address)
        counter = self.watched.counter(known.kind) if known else None
        if counter is None:
            return
        place = (address + counter[0], counter[1])
        value = self.look([place]).number(*place)
        if self._counted.get(address) != value:
            self._counted[address] = value
            self._emit("counter", object=address, value=value)

    # The rest.

    def _at_system_call(self, registers: Registers, point: Point, memory: Memory) -> None:
        self._emit("system_call", name=point.name)

    def _at_mark(self, registers: Registers, point: Point, memory: Memory) -> None:
        told = self.watched.function(point.name)
        names = told.parameters if told else ()
        pairs = zip(names, registers.arguments, strict=False)
        given = {name: self._argument(kind, value) for (name, kind), value in pairs}
        self._emit("mark", name=point.name, arguments=given)

    def _at_thread_timeout(self, registers: Registers, point: Point, memory: Memory) -> None:
        offset, _ = self.watched.thread_field("timeout") or (0, 0)
        thread = registers.arguments[0] - offset
        self._timed_out.add(thread)
        self._emit("timeout", thread=thread)

    def _at_timer_timeout(self, registers: Registers, point: Point, memory: Memory) -> None:
        offset, _ = self.watched.debug.member("k_timer", "timeout") or (0, 0)
        found = self.watched.object_at(registers.arguments[0] - offset, "k_timer")
        if found:
            self._emit("timeout", object=self._remember(found).address)

    def _at_fault(self, registers: Registers, point: Point, memory: Memory) -> None:
        names = self.watched.debug.constants("k_fatal_error_reason")
        reason = registers.arguments[0]
        self._emit("fault", reason=names.get(reason, str(reason)).removeprefix("K_ERR_"))


def _signed(value: int, size: int) -> int:
    return value - (1 << 8 * size) if value >> (8 * size - 1) else value
