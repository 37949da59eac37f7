# SPDX-License-Identifier: Apache-2.0
"""Backtraces of threads that don't run: the registers that a switch has saved, unwound by gdb.

gdb unwinds from the registers of the core. While a thread is shown, an unwinder of ours
says that whatever runs was called by that thread's saved context, and gdb goes on from
there by itself. No register of the target is written: that ruled out the usual way (write
them all, unwind, write them back), which not every stub can do at every moment.

The frames are those of arch/NAME/switch.S, frames.h, and what lies above them where the
thread was interrupted (trap.S, handlers.S).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import gdb
from gdb.unwinder import Unwinder

# Added to the pc of an interrupted thread: gdb takes one from it, as if it were a return
# address, and would name the function in front where the thread was at a first instruction.
INTERRUPTED = 2
LONGEST = 64
ENDS = (
    "riscv_thread_start",
    "cortex_m_thread_start",
    "aarch64_thread_start",
    "x86_64_thread_start",
)


@dataclass(frozen=True)
class Context:
    """What a thread goes on with: registers by gdb's names, and how it came to be saved."""

    registers: dict[str, int]
    interrupted: bool = False
    entry: int | None = None  # of a thread that has never run


def _words(address: int, count: int) -> list[int]:
    data = gdb.selected_inferior().read_memory(address, 4 * count)
    return list(struct.unpack(f"<{count}I", bytes(data)))


def _long_words(address: int, count: int) -> list[int]:
    data = gdb.selected_inferior().read_memory(address, 8 * count)
    return list(struct.unpack(f"<{count}Q", bytes(data)))


def _symbol(name: str) -> int:
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{name}")) & ~1
    except gdb.error:
        return -1


def thread_exit() -> int:
    """Return where a thread's entry function returns to."""
    return _symbol("thread_exit")


def _riscv(sp: int) -> Context:
    wide = gdb.lookup_type("void").pointer().sizeof == 8
    width, words = (8, _long_words) if wide else (4, _words)
    above = sp + (14 * width + 15) // 16 * 16
    frame = words(sp, 14)
    ra, saved = frame[1], dict(zip((f"s{n}" for n in range(12)), frame[2:14], strict=True))
    saved["fp"] = saved.pop("s0")
    if ra == _symbol("riscv_thread_start"):
        return Context({"pc": ra, "sp": above, **saved}, entry=saved["fp"])
    if ra != _symbol("not_due"):
        return Context({"pc": ra, "sp": above, **saved})
    pc = words(above, 1)[0]
    above += 4 * width
    names = [
        "ra",
        "t0",
        "t1",
        "t2",
        "a0",
        "a1",
        "a2",
        "a3",
        "a4",
        "a5",
        "a6",
        "a7",
        "t3",
        "t4",
        "t5",
        "t6",
    ]
    scratch = dict(zip(names, words(above, 16), strict=True))
    return Context({"pc": pc, "sp": above + 16 * width, **saved, **scratch}, interrupted=True)


def _cortex_m(sp: int) -> Context:
    frame = _words(sp, 10)
    pc = frame[9] & ~1
    v6m = _symbol("resume_preempted_pc") != -1  # there r8 to r11 come first
    order = (8, 9, 10, 11, 4, 5, 6, 7) if v6m else range(4, 12)
    saved = dict(zip((f"r{n}" for n in order), frame[1:9], strict=True))
    if pc == _symbol("cortex_m_thread_start"):
        return Context({"pc": pc, "sp": sp + 40, **saved}, entry=saved["r4"] & ~1)
    at = sp + 40
    if pc == _symbol("resume_fpu"):  # floating_point.inc: FPSCR, where it goes on, s16 to s31
        return Context({"pc": _words(at, 2)[1] & ~1, "sp": at + 72, **saved})
    if pc != _symbol("resume_preempted"):
        return Context({"pc": pc, "sp": at, **saved})
    pushed_bytes = 32
    if frame[0] == 3:  # the key: in user mode, on another stack
        at = _words(at, 1)[0]
    elif frame[0] == 5:  # with s16 to s31, and s0 to s15 in what the core pushed
        at, pushed_bytes = at + 64, 104
    pushed = _words(at, 8)
    names = ("r0", "r1", "r2", "r3", "r12", "lr", "pc", "xpsr")
    scratch = dict(zip(names, pushed, strict=True))
    padding = 4 if scratch.pop("xpsr") & 0x200 else 0
    return Context({"sp": at + pushed_bytes + padding, **saved, **scratch}, interrupted=True)


def _aarch64(sp: int) -> Context:
    frame = _long_words(sp, 14)
    saved = dict(zip((f"x{n}" for n in range(19, 31)), frame[:12], strict=True))
    pc = saved["x30"]
    if pc == _symbol("aarch64_thread_start"):
        return Context({"pc": pc, "sp": sp + 112, **saved}, entry=saved["x19"])
    if pc != _symbol("resume_preempted"):
        return Context({"pc": pc, "sp": sp + 112, **saved})
    names = [*(f"x{n}" for n in range(19)), "x30"]
    scratch = dict(zip(names, _long_words(sp + 144, 20), strict=True))
    [at] = _long_words(sp + 112, 1)
    return Context({"pc": at, "sp": sp + 304, **saved, **scratch}, interrupted=True)


def _x86_64(sp: int) -> Context:
    frame = _long_words(sp, 8)
    saved = dict(zip(("r15", "r14", "r13", "r12", "rbp", "rbx", "rip"), frame[1:], strict=True))
    pc = saved.pop("rip")
    if pc & ~1 == _symbol("x86_64_thread_start"):
        return Context({"pc": pc, "sp": sp + 64, **saved}, entry=saved["rbx"])
    if pc & ~1 != _symbol("resume_preempted"):
        return Context({"pc": pc, "sp": sp + 64, **saved})
    names = ("r11", "r10", "r9", "r8", "rdi", "rsi", "rdx", "rcx", "rax", "pc", "cs", "flags", "sp")
    scratch = dict(zip(names, _long_words(sp + 64, len(names)), strict=True))
    del scratch["cs"], scratch["flags"]
    return Context({**saved, **scratch}, interrupted=True)


def saved_context(sp: int) -> Context:
    """Return what was saved at `sp`, a thread's stack pointer while it doesn't run."""
    name = gdb.selected_inferior().architecture().name()
    read = {"riscv": _riscv, "arm": _cortex_m, "aarch64": _aarch64, "i386:x86-64": _x86_64}
    for prefix, function in read.items():
        if name.startswith(prefix):
            return function(sp)
    raise gdb.GdbError(f"no saved contexts are known of {name}")


class _FrameId:
    def __init__(self, sp: gdb.Value, pc: gdb.Value) -> None:
        self.sp = sp
        self.pc = pc


class _Saved(Unwinder):
    """Says of the innermost frame that the shown thread's context called it."""

    def __init__(self) -> None:
        super().__init__("foliot")
        self.context: Context | None = None

    def __call__(self, pending: gdb.PendingFrame) -> gdb.UnwindInfo | None:
        if self.context is None or pending.level() != 0:
            return None
        pointer = gdb.lookup_type("void").pointer()
        values = dict(self.context.registers)
        if self.context.interrupted:
            values["pc"] += INTERRUPTED
        frame_id = _FrameId(gdb.Value(0).cast(pointer), pending.read_register("pc"))
        info = pending.create_unwind_info(frame_id)
        for name, value in values.items():
            kind = pending.read_register(name).type
            info.add_saved_register(name, gdb.Value(value).cast(kind))
        return info


class _Ends:
    """Ends gdb's own backtraces where a thread began: behind that nothing called anything."""

    name, priority, enabled = "foliot", 100, True

    def filter(self, decorated: Iterator[Any]) -> Iterator[Any]:
        """Return the frames up to the first that is an end."""
        return takewhile(lambda one: not _is_end(one.inferior_frame()), decorated)


def _is_end(frame: gdb.Frame) -> bool:
    if frame.level() == 0:
        return False
    return frame.name() in ENDS or frame.pc() & ~1 in (0, thread_exit())


_unwinder = _Saved()


def install() -> None:
    """Make the unwinder and the end of backtraces known to gdb."""
    gdb.unwinder.register_unwinder(None, _unwinder, replace=True)
    gdb.frame_filters[_Ends.name] = _Ends()


def show(context: Context | None) -> None:
    """Have gdb's frames be that context's, from frame 1 on; None: the core's again."""
    _unwinder.context = context
    gdb.invalidate_cached_frames()


def _described(frame: gdb.Frame, pc: int) -> str:
    place = frame.find_sal()
    name = frame.name() or "??"
    if place.symtab is None:
        return f"{pc:#010x} {name}"
    file = place.symtab.filename.rsplit("/", 1)[-1]
    return f"{pc:#010x} {name} at {file}:{place.line}"


def _walk(frame: gdb.Frame | None, off: int) -> Iterator[str]:
    for _ in range(LONGEST):
        if frame is None or not frame.is_valid() or frame.name() in ENDS:
            return
        if frame.pc() & ~1 == thread_exit():
            return
        yield _described(frame, frame.pc() - off)
        off = 0
        try:
            frame = frame.older()
        except gdb.error as error:
            yield f"(no further: {error})"
            return
    yield "..."


def of_running() -> list[str]:
    """Return the core's own frames as lines."""
    return list(_walk(gdb.newest_frame(), 0))


def of_saved(context: Context) -> list[str]:
    """Return a saved thread's frames as lines."""
    if context.entry is not None:
        name = gdb.execute(f"info symbol {context.entry:#x}", to_string=True).split(" ")[0]
        return [f"{context.entry:#010x} {name} (not begun)"]
    show(context)
    try:
        return list(_walk(gdb.newest_frame().older(), INTERRUPTED if context.interrupted else 0))
    finally:
        show(None)
