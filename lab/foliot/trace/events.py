# SPDX-License-Identifier: Apache-2.0
"""What a trace is made of.

Times are counts of the recording's unit since the machine's reset: clocks in RTL, instructions
in QEMU. An event belongs to who ran: a thread, by its address, or the handler of an interrupt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# The kinds of events, and the facts that each has beside its time and its context.
KINDS = {
    "switch": "out, in: threads; reason; what: the object or call, where there is one",
    "ready": "thread; by: the call, interrupt or time-out that made it so",
    "stopped": "thread; reason; what: it was suspended, or ended, by another",
    "priority": "thread; old, new: effective; own: without what was lent to it",
    "isr_enter": "line; rose: when it was raised, on its own or again since its last handler",
    "isr_exit": "line; unseen: its last instruction was not seen, so it ended before this",
    "call": "name; object; arguments",
    "return": "name; object; result; aborted",
    "system_call": "name: of the call that user mode made",
    "timeout": "thread or object whose time it was",
    "fault": "reason",
    "counter": "object; value",
    "mark": "name; arguments: of an application's function",
    "thread": "thread: it was created",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at `time`, while `thread` ran, or a handler of `line`."""

    time: int
    kind: str
    thread: int | None
    line: int | None
    facts: Mapping[str, Any]


@dataclass(slots=True)
class Thread:
    """A thread of the traced program; an address that is created anew is the same one."""

    address: int
    name: str
    priority: int = 0  # at its first sight
    idle: bool = False
    stack: tuple[int, int] = (0, 0)  # first byte, bytes


@dataclass(frozen=True, slots=True)
class Object:
    """An object of the kernel's: `kind` is its structure without `k_`."""

    address: int
    kind: str
    name: str


@dataclass(slots=True)
class Recording:
    """A trace as it was recorded; `cut` says why it ended before the program did, or is ""."""

    board: str
    program: str
    unit: str  # cycles, or insn
    count_ns: float  # how long one of them is, nominally, in the machine's own time
    word: int  # bytes of an address
    events: list[Event] = field(default_factory=list)
    threads: dict[int, Thread] = field(default_factory=dict)
    objects: dict[int, Object] = field(default_factory=dict)
    lines: dict[int, str] = field(default_factory=dict)  # interrupts' names
    end: int = 0
    status: int | None = None
    cut: str = ""
    lacks: tuple[str, ...] = ()  # what this board's machine does not tell, in sentences

    def ns(self, time: int) -> int:
        """Return a time in nanoseconds."""
        return round(time * self.count_ns)

    def thread_name(self, address: int | None) -> str:
        """Return a thread's name; its address where nobody told of it."""
        if address is None:
            return "nobody"
        known = self.threads.get(address)
        return known.name if known else f"{address:#x}"

    def object_name(self, address: int | None) -> str:
        """Return an object's name, or its address."""
        if not address:
            return ""
        known = self.objects.get(address)
        if known:
            return known.name
        return self.threads[address].name if address in self.threads else f"{address:#x}"
