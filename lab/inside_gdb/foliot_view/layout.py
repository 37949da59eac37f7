# SPDX-License-Identifier: Apache-2.0
"""Where the kernel keeps what is shown: its field names, flags and labels, all in this file.

A change of the kernel's structures is answered here, and tests/lab/test_debug.py fails
until it is. Numbers that debug information doesn't tell (they are macros) stand here with
the header they are copied from; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator

import gdb

# include/foliot/thread.h: bits of k_thread.state
PENDING = 0x01
SUSPENDED = 0x02
PRESTART = 0x04
DEAD = 0x08
TIMED = 0x10
PERIOD = 0x20
QUEUED = 0x80
# kernel/sched/sched.h: bits of k_thread.wait_flags
FLAG_JOIN = 0x40
FLAG_MUTEX = 0x80
# kernel/objects/queue.c: a link that leads to a container of the kernel's own
CONTAINER_TAG = 1
# kernel/sched/thread.c: what a stack is filled with (CONFIG_INIT_STACKS)
STACK_FILL = 0xAA
# include/foliot/thread.h: K_THREAD_DEFINE(NAME...) makes an object of that name
STATIC_THREAD_PREFIX = "_k_thread_obj_"
# kernel/start/init.c: the kernel's own threads, and what it calls them
OWN_THREADS = {"main_thread": "main", "idle_thread": "idle"}

# What may be waited for: type, what it is called, its wait queues.
OBJECTS = {
    "struct k_sem": ("semaphore", ("wait_q",)),
    "struct k_mutex": ("mutex", ("wait_q",)),
    "struct k_condvar": ("condition variable", ("wait_q",)),
    "struct k_event": ("event", ("wait_q",)),
    "struct k_msgq": ("message queue", ("wait_q",)),
    "struct k_queue": ("queue", ("wait_q",)),
    "struct k_fifo": ("fifo", ("_queue", "wait_q")),
    "struct k_lifo": ("lifo", ("_queue", "wait_q")),
    "struct k_stack": ("stack", ("wait_q",)),
    "struct k_mem_slab": ("memory slab", ("wait_q",)),
    "struct k_heap": ("heap", ("wait_q",)),
    "struct k_timer": ("timer", ("wait_q",)),
}
LONGEST_WALK = 10_000  # of a list, before it is called damaged


class NoKernel(Exception):
    """The program has no kernel of Foliot, or its debug information was stripped."""


def static(name: str, kind: str) -> gdb.Value:
    """Return a static variable of the kernel's; `kind` is what holds it, for the error."""
    # A file's own first: on `host` there is a clock() of the C library's, too.
    symbol = gdb.lookup_static_symbol(name) or gdb.lookup_global_symbol(name)
    if symbol is None:
        raise NoKernel(f"no {kind} in this program: is it Foliot's, with debug information?")
    return symbol.value()


def field(value: gdb.Value, *path: str) -> gdb.Value:
    """Go down a path of fields."""
    for name in path:
        value = value[name]
    return value


def has(value: gdb.Value, name: str) -> bool:
    """Say whether a structure has a field, which an option may have left out."""
    return any(found.name == name for found in value.type.strip_typedefs().fields())


def address(value: gdb.Value) -> int:
    """Return a pointer's value, or where a structure is."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return int(value)
    return int(value.address)


def cpu() -> gdb.Value:
    """Return what belongs to the CPU: the running thread, the ready queue."""
    return static("k_cpu", "CPU state of the kernel")


def current() -> gdb.Value:
    """Return the pointer to the thread that runs, or was interrupted."""
    return cpu()["current"]


def ready_levels() -> Iterator[tuple[int, gdb.Value]]:
    """Yield (level, head) of the levels that hold threads, the most urgent first."""
    state = cpu()
    bits = int(state["levels"])
    levels = state["level"]
    low, high = levels.type.range()
    for level in range(low, high + 1):
        if bits & (1 << level):
            yield level, levels[level]


def ring(head: gdb.Value, link: str = "next") -> Iterator[gdb.Value]:
    """Yield the pointers of a circular list; a damaged one ends with an error."""
    first = int(head)
    entry = head
    for _ in range(LONGEST_WALK):
        if int(entry) == 0:
            return
        yield entry
        entry = entry[link]
        if int(entry) == first:
            return
    raise gdb.GdbError(f"the list from {first:#x} has no end: it is damaged")


def waiters(wait_q: gdb.Value) -> Iterator[gdb.Value]:
    """Yield the threads in a wait queue, the most urgent first."""
    return ring(wait_q["head"])


def wheel() -> gdb.Value:
    """Return the timeout wheel."""
    return static("wheel", "timeout wheel")


def clock_tick() -> int:
    """Return the tick at the kernel's last look at its clock."""
    return int(static("clock_state", "clock")["tick"])


def pending_timeouts() -> Iterator[gdb.Value]:
    """Yield the timeouts in the wheel, those of a slot in their order.

    In the middle of an alarm's interrupt, what has just been taken out of its slot to move
    down is left out.
    """
    marked = wheel()["marked"]
    slots = static("timeout_slots", "timeout wheel's slots")
    low, high = slots.type.range()
    for index in range(low, high + 1):
        if int(marked[index // 32]) & (1 << (index % 32)):
            yield from _slot_timeouts(slots[index]["ring"])


def _slot_timeouts(slot: gdb.Value) -> Iterator[gdb.Value]:
    """Yield what is in a slot's ring, which goes through the slot itself."""
    for link in ring(slot["next"]):
        if int(link) == int(slot.address):
            continue
        timeout = container(link, "struct timeout", "ring")
        if expiry_name(timeout):  # else it is the place that an expiry has come to
            yield timeout


def container(pointer: gdb.Value, type_name: str, *path: str) -> gdb.Value:
    """Return the pointer to the structure of which `pointer` is the field at `path`."""
    kind = gdb.lookup_type(type_name)
    offset, inner = 0, kind
    for name in path:
        (found,) = (f for f in inner.strip_typedefs().fields() if f.name == name)
        offset += found.bitpos // 8
        inner = found.type
    return gdb.Value(int(pointer) - offset).cast(kind.pointer())


def variable_thread_name(variable: str) -> str:
    """Return what to call the thread that is the variable of that name."""
    name = variable.removeprefix(STATIC_THREAD_PREFIX)
    return OWN_THREADS.get(name, name)


def expiry_name(timeout: gdb.Value) -> str:
    """Return the name of the function that a timeout calls."""
    return symbol_at(int(timeout["expire"]) & ~1 if _is_arm() else int(timeout["expire"]))[0]


def timeout_owner(timeout: gdb.Value) -> tuple[str, gdb.Value | None]:
    """Return what a timeout belongs to: (`thread`, it), (`timer`, it), ... or its function."""
    name = expiry_name(timeout)
    owners = {
        "thread_timed_out": ("thread", "struct k_thread", ("timeout",)),
        "period_expired": ("period", "struct k_thread", ("period", "timeout")),
        "timer_expired": ("timer", "struct k_timer", ("timeout",)),
    }
    if name not in owners:
        return name, None
    kind, type_name, path = owners[name]
    return kind, container(timeout, type_name, *path)


def symbol_at(where: int) -> tuple[str, int]:
    """Return (name, offset) of the symbol that an address is in; an empty name where none is."""
    said = gdb.execute(f"info symbol {where:#x}", to_string=True)
    if said.startswith("No symbol"):
        return "", 0
    name, _, rest = said.partition(" in section ")[0].partition(" + ")
    return name.strip(), int(rest or 0)


def _is_arm() -> bool:
    return str(gdb.selected_inferior().architecture().name()).startswith("arm")
