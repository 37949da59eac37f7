# SPDX-License-Identifier: Apache-2.0
"""The threads of a stopped program: which there are, what they are at, in words.

Found are the running thread, all that are ready, all with a time-out, all that wait for an
object that is a variable or that another thread leads to, all that are variables
themselves, and with CONFIG_OBJ_CORE all. Without it one is missed that lies in a heap or
inside of a function *and* is suspended, or waits without end for an object of that kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gdb

from foliot_view import globals as variables
from foliot_view import layout


@dataclass(frozen=True)
class Object:
    """An object that threads may wait for."""

    kind: str
    name: str
    value: gdb.Value


class Program:
    """What a stopped program has: its threads and the objects they may wait for, looked up once."""

    def __init__(self) -> None:
        """Look all of it up."""
        self.now = layout.clock_tick()
        self.current = int(layout.current())
        self.wait_queues: dict[int, Object] = dict(self._objects())
        self.threads: dict[int, gdb.Value] = {}
        for thread in self._found():
            self.threads.setdefault(int(thread), thread)
        self._follow()

    def _objects(self) -> Iterator[tuple[int, Object]]:
        for type_name, (kind, path) in layout.OBJECTS.items():
            for name, value in variables.of_type(type_name):
                yield int(layout.field(value, *path).address), Object(kind, name, value)

    def _found(self) -> Iterator[gdb.Value]:
        yield from (thread for thread in (layout.current(),) if int(thread))
        for _, value in variables.of_type("struct k_thread"):
            if int(value["sp"]) or int(value["stack_start"]):  # else it was never created
                yield value.address
        for _, head in layout.ready_levels():
            yield from layout.ring(head)
        for timeout in layout.pending_timeouts():
            kind, owner = layout.timeout_owner(timeout)
            if owner is not None and kind in ("thread", "period"):
                yield owner
        for found in self.wait_queues.values():
            _, path = next(v for v in layout.OBJECTS.values() if v[0] == found.kind)
            yield from layout.waiters(layout.field(found.value, *path))
            if found.kind == "mutex" and int(found.value["owner"]):
                yield found.value["owner"]
        yield from _listed()

    def _follow(self) -> None:
        """Add those that the threads found so far lead to."""
        new = list(self.threads.values())
        while new:
            thread = new.pop()
            for other in _neighbours(thread):
                if int(other) not in self.threads:
                    self.threads[int(other)] = other
                    new.append(other)

    def in_order(self) -> list[gdb.Value]:
        """Return the threads: the running one, then by priority, then by name."""
        return sorted(
            self.threads.values(),
            key=lambda t: (int(t) != self.current, int(t["prio"]), thread_name(t)),
        )

    def state(self, thread: gdb.Value) -> str:
        """Return what a thread is at, in words."""
        state = int(thread["state"])
        if state & layout.DEAD:
            return "ended"
        words = []
        if int(thread) == self.current:
            words.append("running")
        if state & layout.PRESTART:
            words.append("not started")
        if state & layout.PENDING:
            words.append(self._wait(thread, state))
        if state & layout.SUSPENDED:
            words.append("suspended")
        return ", ".join(words) or "ready"

    def _wait(self, thread: gdb.Value, state: int) -> str:
        if state & layout.PERIOD:
            return "waits for its period"
        wait_q = int(thread["pended_on"])
        if wait_q == 0:
            return "sleeps"
        if int(thread["wait_flags"]) & layout.FLAG_JOIN:
            joined = layout.container(thread["pended_on"], "struct k_thread", "joiners")
            return f"joins {thread_name(joined)}"
        found = self.wait_queues.get(wait_q)
        if found is None:
            name, offset = layout.symbol_at(wait_q)
            where = f"{name}+{offset:#x}" if offset else name
            return f"waits for {where or hex(wait_q)}"
        return f"waits for {found.kind} {found.name}{_side(found)}"

    def left(self, thread: gdb.Value) -> int | None:
        """Return the ticks that its time-out has left, at the kernel's last look; or None."""
        state = int(thread["state"])
        if state & layout.TIMED:
            when = int(thread["timeout"]["when"])
        elif state & layout.PERIOD and state & layout.PENDING and layout.has(thread, "period"):
            leader = _leader(thread)
            when = int(leader["period"]["timeout"]["when"])
        else:
            return None
        return ahead(when, self.now)


def ahead(when: int, now: int) -> int:
    """Return how far tick `when` is ahead of `now`; ticks count modulo 2^32."""
    return (when - now + (1 << 31)) % (1 << 32) - (1 << 31)


def thread_name(thread: gdb.Value) -> str:
    """Return a thread's name: its own, its variable's, or its address."""
    if layout.has(thread.dereference(), "name"):
        own = thread["name"].string(errors="replace").split("\0")[0]
        if own:
            return str(own)
    variable = variables.thread_names().get(int(thread))
    if variable:
        return variable
    name, offset = layout.symbol_at(int(thread))  # one inside of a function has a symbol, too
    return layout.variable_thread_name(name) if name and not offset else f"{int(thread):#x}"


def _side(found: Object) -> str:
    """Say of a message queue's waiters what they want."""
    if found.kind == "mutex" and int(found.value["owner"]):
        return f" of {thread_name(found.value['owner'])}"
    if found.kind != "message queue":
        return ""
    return " (full)" if int(found.value["used_msgs"]) else " (empty)"


def _leader(thread: gdb.Value) -> gdb.Value:
    """Return the thread whose timeout stands for its group of the same period."""
    member = thread
    for _ in range(layout.LONGEST_WALK):
        if int(member["period"]["leads"]):
            return member
        member = member["period"]["next"]
        if int(member) in (0, int(thread)):
            break
    return thread


def _neighbours(thread: gdb.Value) -> Iterator[gdb.Value]:
    state = int(thread["state"])
    yield from layout.waiters(thread["joiners"])
    waits = state & layout.PENDING and int(thread["pended_on"])
    if state & layout.QUEUED or waits:
        yield from layout.ring(thread)
    if waits and int(thread["wait_flags"]) & layout.FLAG_JOIN:
        yield layout.container(thread["pended_on"], "struct k_thread", "joiners")


def _listed() -> Iterator[gdb.Value]:
    """Yield the threads that CONFIG_OBJ_CORE lists."""
    symbol = gdb.lookup_global_symbol("obj_type_thread")
    symbol = symbol or gdb.lookup_static_symbol("obj_type_thread")
    if symbol is None:
        return
    core = symbol.value()["objects"]
    for _ in range(layout.LONGEST_WALK):
        if int(core) == 0:
            return
        yield layout.container(core, "struct k_thread", "obj_core")
        core = core["next"]
    raise gdb.GdbError("the list of threads has no end: it is damaged")


def stack_use(thread: gdb.Value, sp: int) -> tuple[int, int | None, int] | None:
    """Return bytes of its stack (now, most, size); None where `sp` lies elsewhere.

    `most` is None where the stack was not filled at its creation.
    """
    start, size = int(thread["stack_start"]), int(thread["stack_size"])
    if start == 0 or not start <= sp <= start + size:
        return None
    used = start + size - sp
    memory = bytes(gdb.selected_inferior().read_memory(start, size))
    # A guard's sentinel may lie at the end that is used last.
    filled = next((at for at in range(0, min(size, 256), 4) if memory[at] == layout.STACK_FILL), 0)
    unused = filled
    while unused < size and memory[unused] == layout.STACK_FILL:
        unused += 1
    return used, None if unused - filled < 16 else size - unused, size


def stack(thread: gdb.Value, sp: int) -> str:
    """Return `now/size`, or `now, most/size` where the stack was filled at its creation."""
    told = stack_use(thread, sp)
    if told is None:
        return f"?/{int(thread['stack_size'])}" if int(thread["stack_start"]) else "?"
    used, most, size = told
    return f"{used}/{size}" if most is None else f"{used}, {most}/{size}"
