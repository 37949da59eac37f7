# SPDX-License-Identifier: Apache-2.0
"""System calls: from a user thread's jump into the stub to the `mret` behind which it goes on.

Where an ecall leads is no matter of the code but of its number, which the stub puts into a7 in
front of it: so the way in the port's user.S and ipc.S is followed with the number on the stack of
places to return to, as a negative one, and the tables are read where that code jumps by them. The
ends: `return`, the mret behind which the caller goes on; `switch`, arch_switch() in another
thread's call, or the mret of another thread's, which only messages have (to_fast in ipc.S).

Of the fast paths, some end in a function that they name (arch_user_call_masked: a4); these are the
functions whose address that fast path, or what it jumps to, makes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from foliot.bound import call, ibex, never
from foliot.bound.call import Call
from foliot.bound.graph import Graph, Piece, Refused, Stack
from foliot.bound.image import Program
from foliot.bound.instructions import Instruction
from foliot.bound.isr import vector
from foliot.bound.loops import Loops, bind
from foliot.model.errors import FoliotError

CONFIGURATION = ("userspace", "ipc")
STUB = "__wrap_"
_A7, _A4 = 17, 14
_SP, _TP, _WORD = 2, 4, 0xFFFFFFFF
_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "beq": lambda a, b: a == b, "bne": lambda a, b: a != b,
    "bltu": lambda a, b: a < b, "bgeu": lambda a, b: a >= b,
    "blt": lambda a, b: _signed(a) < _signed(b), "bge": lambda a, b: _signed(a) >= _signed(b),
}  # fmt: skip
_MESSAGES = "riscv_ipc"
_MARK = -1000  # so that each number's mark is below 0, those of messages too
_ENTRY = "riscv_user_exception"
_OTHERS_WAY_IN = ("arch_user_call_masked", "arch_user_call_masked_throughout")
_CALLED_NOWHERE = re.compile(r"k_(fatal_raise|busy_wait)$")  # end in a report; are time itself


def _value(what: Instruction, known: Mapping[int, int]) -> int | None:
    """Return what an instruction puts into its register, where that is known."""
    if what.name == "addi" and what.reads and what.reads[0] in known:
        return known[what.reads[0]] + what.imm
    return None


def names(program: Program) -> Sequence[str]:
    """Return the system calls that an image has stubs of, by the functions' names."""
    return [
        name.removeprefix(STUB)
        for _, _, name in program.image.functions()
        if name.startswith(STUB) and not _CALLED_NOWHERE.match(name.removeprefix(STUB))
    ]


def system_call(program: Program, name: str) -> Call:
    """Return a call as a user thread makes it; Refused where it can have no bound."""
    stub = program.image.address(STUB + name)
    if stub is None:
        raise FoliotError(f"{program.name} has no system call {name}")
    ask = program.code[stub]  # `bnez tp`: in user mode it jumps
    if ask.kind != "branch":
        raise Refused(f"the stub of {name} asks for no mode")
    entry = stub + ask.imm
    graph = Graph(program, entry, without=never.of(name, program.names), system=_Tables(program))
    if graph.entry not in graph.edges:
        raise Refused(f"{name} never returns")
    loops = Loops(graph)
    first = ibex.step(call.JUMP, ask, stub, True)
    first += ibex.step(ask, graph.piece(entry)[0][1], entry, True) + graph.inside(entry)
    options = call.options(program.path)
    return Call(program, f"{name} (user)", graph, loops, bind(loops), options, first, STUB + name,
                worlds=graph.worlds)  # fmt: skip


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


class _Tables:
    """Where system calls lead, as the image has it."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.entry = vector(program, 0)

    def number(self, pc: int, stack: Stack) -> int:
        """Return the mark of the call that the ecall at `pc` is."""
        number = self._put_before(pc)
        if number is None and stack and stack[-1] >= 0:  # `li a7`, then a jump to the one ecall
            number = self._put_before(stack[-1] - 4)
            number = self._put_before(stack[-1] - 2) if number is None else number
        if number is None:
            raise Refused(f"which system call it is that {self._program.where(pc)} makes")
        return _MARK + number

    def branches(self, piece: Piece, stack: Stack) -> tuple[bool | None, Stack]:
        """Follow a piece of the way in: what it leaves in a7, and whether its branch is taken."""
        last, what = piece[-1]
        if what.reads == (_TP, 0) and self._program.function(last).startswith(STUB):
            return all(one >= 0 for one in stack), stack  # a stub asks for the mode
        if not stack or stack[-1] >= 0 or not self._is_way_in(last):
            return None, stack
        known: dict[int, int] = {0: 0, _A7: stack[-1] - _MARK}
        for _, each in piece[:-1]:
            if each.rd:
                value = _value(each, known)
                known.pop(each.rd, None)
                if value is not None:
                    known[each.rd] = value
        stack = (*stack[:-1], _MARK + known[_A7]) if _A7 in known else stack
        if what.kind != "branch":
            return None, stack
        if (what.name, what.reads) in (("beq", (_SP, 0)), ("bne", (_TP, 0))):
            return False, stack  # mscratch is 0 in machine mode alone; the cause is a call
        if any(one not in known for one in what.reads):
            return None, stack
        one, other = (known[each] for each in what.reads)
        return _COMPARE[what.name](one & _WORD, other & _WORD), stack

    def _is_way_in(self, pc: int) -> bool:
        return self._program.frames(pc)[0].file.endswith(("user.S", "ipc.S"))

    def targets(self, pc: int, stack: Stack) -> Sequence[int] | None:
        """Return where the jump by a4 at `pc` leads: by the number's tables, in user.S only."""
        what = self._program.code[pc]
        if what.reads != (_A4,) or not self._program.frames(pc)[0].file.endswith("user.S"):
            return None
        number = next((one - _MARK for one in reversed(stack) if one < 0), None)
        if number is None:
            return None
        if what.rd == 0:
            return self._at("fast_table", number)
        if self._label_before(pc) in _OTHERS_WAY_IN:
            return self._named_by_fast(number)
        return [*self._at("checked_table", number), *self._at("syscall_table", number)]

    def may_be_anothers(self, pc: int) -> bool:
        """Say whether the mret at `pc` is in the way of messages, which ends in either thread."""
        return self._program.function(pc) == _MESSAGES

    def _put_before(self, pc: int) -> int | None:
        """Return the constant that the instruction in front of `pc` puts into a7."""
        for size in (2, 4):
            before = self._program.code.get(pc - size)
            if before is not None and before.size == size and before.rd == _A7:
                return before.imm if before.name == "addi" and before.reads == (0,) else None
        return None

    def _at(self, table: str, number: int) -> Sequence[int]:
        at, end = self._program.extent(table)
        if number < 0 or at + 4 * number >= end:
            return []
        target = self._program.image.word(at + 4 * number)
        return [target] if target is not None else []

    def _label_before(self, pc: int) -> str:
        below = [(at, name) for at, name in self._labels if at <= pc]
        return max(below)[1] if below else ""

    @cached_property
    def _labels(self) -> Sequence[tuple[int, str]]:
        names = (
            "arch_user_call_done", "arch_user_call_cleared", "arch_user_call_masked",
            "arch_user_call_switch_and_store", "arch_user_call_switch",
            "arch_user_call_masked_throughout", "arch_user_call_checked",
            "arch_user_call_verified", _ENTRY,
        )  # fmt: skip
        found = [(self._program.image.label(name), name) for name in names]
        return [(at, name) for at, name in found if at is not None]

    def _named_by_fast(self, number: int) -> Sequence[int]:
        """Return the functions that a fast path, or what it jumps to, makes an address of."""
        seen: set[str] = set()
        waiting = [self._program.function(target) for target in self._at("fast_table", number)]
        while waiting:
            name = waiting.pop()
            if name in seen or not name.startswith("fast_"):
                continue
            seen.add(name)
            waiting += self._jumped_to(name)
        found = self._program.made_in(seen, _A4)
        labels = {at for at, _ in self._labels}  # of the ways in, which call and are not called
        return [target for target in found if target not in labels]

    def _jumped_to(self, name: str) -> list[str]:
        return [
            self._program.function(pc + what.imm)
            for pc, what in self._program.of_function.get(name, ())
            if what.kind in ("jal", "branch")
        ]
