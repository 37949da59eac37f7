# SPDX-License-Identifier: Apache-2.0
"""What a core shows at a stop, and where its port enters handlers and switches threads.

A port's names of addresses are its own: here is all that a trace knows of arch/. What they mean
is in watched.py's words: `switch` has the threads in two registers, `isr_enter` stands in front
of every handler, `isr_exit` behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from foliot.image.elf import Image
from foliot.model.errors import UsageError
from foliot.target.boards import Board
from foliot.target.gdb_remote import Remote


@dataclass(frozen=True, slots=True)
class Registers:
    """Those that a trace looks at; `exception` is the core's own number of it, if it has one."""

    pc: int
    sp: int
    ra: int
    arguments: tuple[int, ...]
    exception: int | None = None
    scratch: int = 0  # r12 of a Cortex-M: pushed when an exception is taken


@dataclass(frozen=True, slots=True)
class Stop:
    """What an address means; `roles` are the arguments' numbers of who went and who comes."""

    kind: str
    out: int = 0
    next: int = 1


class RiscV:
    """RISC-V: handlers run between two labels of trap.S, and mcause has their line."""

    word: int

    def __init__(self, word: int) -> None:
        """Remember how many bytes a register has."""
        self.word = word
        self._cause: int | None = None

    def stops(self, image: Image) -> dict[int, Stop]:
        """Return the port's addresses, and what they mean."""
        found = {_needed(image, "arch_switch"): Stop("switch")}
        found[_needed(image, "riscv_interrupt")] = Stop("isr_enter")
        first, last = _needed(image, "riscv_interrupt"), _needed(image, "riscv_exception")
        for address, _, name in image.functions():
            if name in ("leave", "resume") and first < address < last:
                found[address] = Stop("isr_exit" if name == "leave" else "isr_exit_nested")
        return found

    def packets(self, remote: Remote) -> list[str]:
        """Return what is asked for the registers at each stop."""
        if self._cause is None:
            self._cause = remote.number("mcause") or 0
        return ["g", f"p{self._cause:x}"]

    def read(self, answers: list[str]) -> Registers:
        """Take the answers to these packets."""
        raw = bytes.fromhex(answers[0])
        words = [
            int.from_bytes(raw[n : n + self.word], "little")
            for n in range(0, 33 * self.word, self.word)
        ]
        cause = answers[1]
        line = int.from_bytes(bytes.fromhex(cause), "little") & 0xFF if len(cause) > 3 else None
        return Registers(words[32], words[2], words[1], tuple(words[10:18]), line)

    def line(self, registers: Registers) -> int:
        """Return the interrupt's line at an isr_enter."""
        return registers.exception or 0

    def in_handler(self, registers: Registers) -> bool | None:
        """Return None: the kernel's own word says so."""
        return None

    def nests(self, registers: Registers) -> bool:
        """Say whether an isr_enter interrupts a handler: here that has an exit of its own."""
        return True

    def frame_place(self, registers: Registers, stack: tuple[int, int]) -> tuple[int, int] | None:
        """Return None: a handler's end has an address of its own."""
        return None

    def frame_return(self, registers: Registers, stack: bytes) -> int | None:
        """Return None, as above."""
        return None


class CortexM:
    """ARMv7-M: IPSR says what handler runs; PendSV switches threads."""

    word = 4
    _PENDSV, _SVC, _FIRST_LINE, _MOST_LINES = 14, 11, 16, 240

    def stops(self, image: Image) -> dict[int, Stop]:
        """Return the port's addresses, and what they mean."""
        found = {
            _needed(image, "arch_switch"): Stop("switch"),
            _needed(image, "pendsv_handler"): Stop("isr_exit"),
        }
        found |= dict.fromkeys(self._handlers(image), Stop("isr_enter"))
        found[_needed(image, "cortex_m_switch_to")] = Stop("switch", out=1, next=0)
        return found

    def _handlers(self, image: Image) -> set[int]:
        """Return the first instructions that the vector table has of interrupts, SysTick's too."""
        table, found = _needed(image, "vectors"), set()
        for number in range(self._FIRST_LINE - 1, self._FIRST_LINE + self._MOST_LINES):
            vector = image.word(table + 4 * number)
            if vector is None or not vector & 1 or image.function(vector & ~1) is None:
                break
            found.add(vector & ~1)
        return found - {_needed(image, "fault_handler")}

    def packets(self, remote: Remote) -> list[str]:
        """Return what is asked for the registers at each stop."""
        return ["g"]

    def read(self, answers: list[str]) -> Registers:
        """Take the answers to these packets: r0 to r15 and xPSR."""
        raw = bytes.fromhex(answers[0])
        words = [int.from_bytes(raw[n : n + 4], "little") for n in range(0, len(raw), 4)]
        ipsr = words[-1] & 0x1FF
        return Registers(words[15], words[13], words[14], tuple(words[:4]), ipsr, words[12])

    def line(self, registers: Registers) -> int:
        """Return the interrupt's line at an isr_enter."""
        return (registers.exception or 0) - self._FIRST_LINE

    def in_handler(self, registers: Registers) -> bool | None:
        """Say whether a handler of an interrupt runs: not a system call, nor the switch."""
        return registers.exception not in (0, None, self._PENDSV, self._SVC)

    def nests(self, registers: Registers) -> bool:
        """Say whether an isr_enter interrupts a handler: EXC_RETURN does. Else that has ended."""
        return not registers.ra & 0x8

    def frame_place(self, registers: Registers, stack: tuple[int, int]) -> tuple[int, int] | None:
        """Return where the frame lies that the core pushed: (address, bytes), known or searched.

        At an isr_enter sp is the main stack's. QEMU's stub does not show the other one, so the
        interrupted thread's `stack` (first byte, bytes) is searched for what was pushed.
        """
        return stack if registers.ra & 0x4 else (registers.sp, 32)

    def frame_return(self, registers: Registers, stack: bytes) -> int | None:
        """Return where the handler goes back to, out of these bytes; None if no frame is in them.

        The registers are still those that were pushed. What lies below the frame may be an
        older one like it; so the last is taken.
        """
        pushed = b"".join(
            word.to_bytes(4, "little") for word in (*registers.arguments, registers.scratch)
        )
        at = stack.rfind(pushed)
        while at >= 0:
            if at % 4 == 0 and at + 32 <= len(stack):
                back = int.from_bytes(stack[at + 24 : at + 28], "little")
                state = int.from_bytes(stack[at + 28 : at + 32], "little")
                if state & 0x01000000 and not back & 1:
                    return back
            at = stack.rfind(pushed, 0, at + len(pushed) - 1)
        return None


class AArch64:
    """AArch64: handlers run between two labels of trap.S; the interrupt controller knows whose."""

    word = 8
    _NOTHING = 1020  # and above: the line has gone

    def __init__(self, pending: int) -> None:
        """Remember where the controller says which line is the most urgent that waits (HPPIR)."""
        self._pending = pending

    def stops(self, image: Image) -> dict[int, Stop]:
        """Return the port's addresses, and what they mean."""
        first, last = _needed(image, "aarch64_interrupt"), _needed(image, "aarch64_exception")
        found = {_needed(image, "arch_switch"): Stop("switch"), first: Stop("isr_enter")}
        for address, _, name in image.functions():
            if name in ("leave", "aarch64_resume") and first < address < last:
                found[address] = Stop("isr_exit" if name == "leave" else "isr_exit_nested")
        return found

    def packets(self, remote: Remote) -> list[str]:
        """Return what is asked for the registers at each stop."""
        return ["g", f"m{self._pending:x},4"]

    def read(self, answers: list[str]) -> Registers:
        """Take the answers to these packets: x0 to x30, sp, pc."""
        raw = bytes.fromhex(answers[0][: 33 * 16])
        words = [int.from_bytes(raw[n : n + 8], "little") for n in range(0, 33 * 8, 8)]
        said = answers[1]
        line = int.from_bytes(bytes.fromhex(said), "little") & 0x3FF if len(said) == 8 else None
        return Registers(words[32], words[31], words[30], tuple(words[:8]), line)

    def line(self, registers: Registers) -> int:
        """Return the interrupt's line at an isr_enter: the controller tells before it is taken."""
        return registers.exception if registers.exception is not None else self._NOTHING

    def in_handler(self, registers: Registers) -> bool | None:
        """Return None: the kernel's own word says so."""
        return None

    def nests(self, registers: Registers) -> bool:
        """Say whether an isr_enter interrupts a handler: here that has an exit of its own."""
        return True

    def frame_place(self, registers: Registers, stack: tuple[int, int]) -> tuple[int, int] | None:
        """Return None: a handler's end has an address of its own."""
        return None

    def frame_return(self, registers: Registers, stack: bytes) -> int | None:
        """Return None, as above."""
        return None


Core = RiscV | CortexM | AArch64


def core_of(image: Image, board: Board) -> Core:
    """Return how stops of a board's core are read; UsageError where nobody knows."""
    if board.arch == "riscv":
        return RiscV(image.word_bytes)
    if board.arch == "cortex_m" and image.label("cortex_m_switch_to") is not None:
        return CortexM()
    controller = _gicv2(board.directory / "board.h") if board.arch == "aarch64" else None
    if controller is not None:
        return AArch64(controller + _HPPIR)
    raise UsageError(
        f"trace knows Ibex, ARMv7-M and AArch64 with a GICv2: not {board.name}",
        "docs/trace.md says on which boards it works",
    )


_HPPIR = 0x18  # of a GICv2's interface to its core: the most urgent interrupt that waits


def _gicv2(header: Path) -> int | None:
    """Return where that interface lies: a board's header says it, or that which it includes."""
    text = header.read_text(encoding="utf-8")
    found = re.search(r"^#define BOARD_GICC_BASE (0x[0-9a-f]+)", text, re.MULTILINE)
    if found:
        return int(found[1], 16)
    other = re.search(r'^#include "(\.\./\w+/board\.h)"', text, re.MULTILINE)
    return _gicv2(header.parent / other[1]) if other else None


def _needed(image: Image, name: str) -> int:
    address = image.label(name)
    if address is None:
        raise UsageError(
            f"{image.path.name} has no {name}: it is none of this kernel's images",
            "trace reads the kernel's own structures; build the application here",
        )
    return address
