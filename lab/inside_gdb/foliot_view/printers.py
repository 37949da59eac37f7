# SPDX-License-Identifier: Apache-2.0
"""How `print` shows the kernel's structures: what they mean first, then their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gdb
import gdb.printing

from foliot_view import layout, threads


def _names(wait_q: gdb.Value) -> str:
    names = [threads.thread_name(thread) for thread in layout.waiters(wait_q)]
    return ", ".join(names) or "nobody"


def _waiting(value: gdb.Value) -> str:
    return f"waiting: {_names(value['wait_q'])}"


def _thread(value: gdb.Value) -> str:
    return f"thread {threads.thread_name(value.address)}, priority {int(value['prio'])}"


def _sem(value: gdb.Value) -> str:
    return f"semaphore {int(value['count'])} of {int(value['limit'])}, {_waiting(value)}"


def _mutex(value: gdb.Value) -> str:
    if not int(value["owner"]):
        return "mutex, free"
    owner = threads.thread_name(value["owner"])
    return f"mutex of {owner}, locked {int(value['lock_count'])} times, {_waiting(value)}"


def _msgq(value: gdb.Value) -> str:
    used, most, size = (int(value[name]) for name in ("used_msgs", "max_msgs", "msg_size"))
    return f"message queue, {used} of {most} messages of {size} bytes, {_waiting(value)}"


def _stack(value: gdb.Value) -> str:
    used = int(value["next"] - value["base"])
    return f"stack, {used} of {int(value['top'] - value['base'])} words, {_waiting(value)}"


def items(queue: gdb.Value) -> list[int]:
    """Return the addresses of a queue's items, in order."""
    found: list[int] = []
    link = int(queue["head"])
    word = queue["head"].type
    while link > layout.CONTAINER_TAG:  # a container that is the last says so
        if len(found) >= layout.LONGEST_WALK:
            raise gdb.GdbError("a queue without end: it is damaged")
        entry = gdb.Value(link & ~layout.CONTAINER_TAG).cast(word.pointer())
        found.append(int(entry[1]) if link & layout.CONTAINER_TAG else link)
        link = int(entry[0])
    return found


def _queue(value: gdb.Value, kind: str = "queue") -> str:
    held = items(value)
    shown = ", ".join(f"{item:#x}" for item in held[:8]) + (", ..." if len(held) > 8 else "")
    return f"{kind}, {len(held)} items{': ' if held else ''}{shown}, {_waiting(value)}"


def _timeout(value: gdb.Value) -> str:
    # Whether it is armed is known to its owner only.
    return f"timeout at tick {int(value['when'])}, calls {layout.expiry_name(value) or 'nothing'}"


def _timer(value: gdb.Value) -> str:
    if not int(value["running"]):
        return f"timer, stopped, {int(value['status'])} expiries unread"
    period = int(value["period"])
    again = f", then every {period} ticks" if period else ""
    return f"timer, at tick {int(value['timeout']['when'])}{again}, {_waiting(value)}"


_SHOWN: dict[str, Callable[[gdb.Value], str]] = {
    "k_thread": _thread,
    "k_sem": _sem,
    "k_mutex": _mutex,
    "k_msgq": _msgq,
    "k_stack": _stack,
    "k_queue": _queue,
    "k_fifo": lambda value: _queue(value["_queue"], "fifo"),
    "k_lifo": lambda value: _queue(value["_queue"], "lifo"),
    "k_timer": _timer,
    "timeout": _timeout,
    "k_condvar": lambda value: f"condition variable, {_waiting(value)}",
    "k_event": lambda value: f"event {int(value['events']):#x}, {_waiting(value)}",
}


class _Printer:
    """Says what a structure means, and shows its fields as gdb would."""

    def __init__(self, value: gdb.Value, told: Callable[[gdb.Value], str]) -> None:
        self.value = value
        self.told = told

    def to_string(self) -> str:
        """Return the meaning."""
        try:
            return self.told(self.value)
        except gdb.MemoryError as error:
            return f"(damaged: {error})"

    def children(self) -> Iterator[tuple[str, gdb.Value]]:
        """Yield the fields."""
        for field in self.value.type.fields():
            yield field.name or "(union)", self.value[field]


class _WaitQueue:
    """A wait queue is who is in it."""

    def __init__(self, value: gdb.Value) -> None:
        self.value = value

    def to_string(self) -> str:
        """Return the names."""
        return _names(self.value)


def _lookup(value: gdb.Value) -> object | None:
    if value.type.name == "_wait_q_t":
        return _WaitQueue(value)
    kind = value.type.strip_typedefs()
    told = _SHOWN.get(kind.tag or "")
    if told is None or value.address is None or kind.code != gdb.TYPE_CODE_STRUCT:
        return None
    return _Printer(value, told)


def install() -> None:
    """Make the printers known to gdb."""
    gdb.pretty_printers.insert(0, _lookup)
