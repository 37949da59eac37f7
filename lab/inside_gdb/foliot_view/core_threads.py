# SPDX-License-Identifier: Apache-2.0
"""gdb's own list of threads: at each stop, what it is told of those that don't run.

What stands between gdb and the machine answers `info threads` from it: its packets these are
(lab/foliot/target/thread_stub.py). A connection without it, straight to a stub, is left as it is.
"""

from __future__ import annotations

import gdb

from foliot_view import frames, layout, threads

_PACKETS = "qFoliotThreads"
_CORE = 1  # the stub's only thread
_RAW = {"i386:x86-64": {"pc": "rip", "sp": "rsp"}}
_RETURN = ("lr", "ra", "x30")  # where a function returns to, if not on the stack
_THUMB = 1 << 24  # in xPSR: Cortex-M knows no other state, and a switch keeps none


# By which number gdb is told of each: it takes no more than 31 bits, and an address has them all.
_numbers: dict[int, int] = {}


def install() -> None:
    """Tell at each stop from now on."""
    gdb.execute("set print thread-events off")  # they come and go with each switch
    gdb.events.stop.connect(_tell)


def _sent(packet: str) -> bool:
    """Send a packet; False where nobody knows it, or the target has no packets.

    By a command, since gdb 13 aborts at its end where Python holds a connection that is open.
    """
    try:
        return 'received: "OK"' in gdb.execute(f"maint packet {packet}", to_string=True)
    except gdb.error:
        return False


def _tell(_: gdb.Event) -> None:
    if not _sent(_PACKETS):
        return
    _sent(f"{_PACKETS}:begin")
    try:
        for line in _lines():
            _sent(f"{_PACKETS}:{line}")
    except (gdb.error, gdb.GdbError, UnicodeError, KeyError):
        # Before the kernel began, or where it is damaged: the core alone.
        _sent(f"{_PACKETS}:begin")
    _sent(f"{_PACKETS}:end")


def _lines() -> list[str]:
    """Return each thread: its number, what it is at, and where it does not run its registers."""
    if not int(layout.current()):
        return []
    program = threads.Program()
    places = _places()
    return [
        _line(program, thread, places)
        for thread in program.in_order()
        if program.state(thread) != "ended"
    ]


def _line(program: threads.Program, thread: gdb.Value, places: dict[str, tuple[int, int]]) -> str:
    told = f"{threads.thread_name(thread)}: {program.state(thread)}"
    if int(thread) == program.current:
        return f"{_CORE:x}:{told.encode().hex()}:"
    context = frames.saved_context(int(thread["sp"]))
    registers = dict(context.registers)
    if context.entry is not None:  # what it goes on with is the port's code that calls this
        registers["pc"] = context.entry
        registers |= {name: frames.thread_exit() for name in _RETURN if name in places}
        told += ", not begun"
    if "xpsr" in places:
        registers["xpsr"] = _THUMB
    number = _numbers.setdefault(int(thread), _CORE + 1 + len(_numbers))
    return f"{number:x}:{told.encode().hex()}:{','.join(_digits(registers, places))}"


def _digits(registers: dict[str, int], places: dict[str, tuple[int, int]]) -> list[str]:
    """Return registers as OFFSET=BYTES, in the order of a packet."""
    architecture = gdb.selected_inferior().architecture().name()
    raw = _RAW.get(architecture, {})
    placed = sorted((*places[raw.get(name, name)], value) for name, value in registers.items())
    return [f"{at}={value.to_bytes(size, 'little').hex()}" for at, size, value in placed]


def _places() -> dict[str, tuple[int, int]]:
    """Return where a packet of all registers has each: its offset and size, in bytes."""
    found = {}
    for line in gdb.execute("maint print remote-registers", to_string=True).splitlines():
        words = line.split()
        if len(words) > 7 and words[-1].isdecimal() and words[-2].isdecimal():
            found[words[0]] = (int(words[-1]), int(words[4]))
    return found
