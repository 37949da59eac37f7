# SPDX-License-Identifier: Apache-2.0
"""What a path's instructions do with registers and memory, as far as that decides its branches.

Each register is a term of z3's, plus a constant. Memory is what was loaded or stored at such a sum
and can't have changed: while interrupts are masked, and until a store by another base, which may
be the same place. Two things are known to be apart: the frame that a call has on its stack, below
the stack pointer it began with, and whatever else there is, unless the address of that frame was
stored outside of it. And two words last, whoever runs in between, since they are the thread's own
or the handler's: which thread runs, and whether a handler does (`lasting`); the kernel alone writes
them, by their names. What is not known is a new term, so that a path is never thought
impossible that is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from foliot.bound import ibex
from foliot.bound.instructions import GP, SP, Instruction

_WORD = 0xFFFFFFFF
_LIMIT_MS = 200
_WORDS = 4
_SIZES = {"lb": 1, "lbu": 1, "sb": 1, "lh": 2, "lhu": 2, "sh": 2, "lw": 4, "sw": 4}
_CONSTANT, _STACK = -1, -2  # bases of addresses; others are terms' numbers


@dataclass(frozen=True, slots=True)
class Value:
    """A term and a constant; `term` is None for a constant alone."""

    term: Any
    offset: int = 0

    @property
    def constant(self) -> int | None:
        """The number that it is, or None."""
        return self.offset & _WORD if self.term is None else None


@dataclass(slots=True)
class State:
    """Registers, memory, conditions, at some place of a path."""

    registers: dict[int, Value] = field(default_factory=dict)
    memory: dict[tuple[int, int, int], Value] = field(default_factory=dict)
    conditions: tuple[tuple[Any, frozenset[str]], ...] = ()
    is_masked: bool = False
    has_escaped: bool = False
    lasting: dict[int, Value] = field(default_factory=dict)  # words, by their addresses

    def copy(self) -> State:
        """Return another, as this one is."""
        return State(
            dict(self.registers), dict(self.memory), self.conditions, self.is_masked,
            self.has_escaped, dict(self.lasting),
        )  # fmt: skip


class Machine:
    """Follows instructions."""

    def __init__(self, gp: int | None, lasting: Sequence[int] = ()) -> None:
        """Begin; `gp` is what the linker has it for, `lasting` where the words are that last."""
        import z3

        self._z3 = z3
        self._made = 0
        self._stack = z3.BitVec("sp", 32)
        self._gp = gp
        self._lasting = lasting
        self._asked: dict[frozenset[int], bool] = {}
        self._kept: list[Any] = []
        self._bases: dict[int, Any] = {}

    def begin(self) -> State:
        """Return a state of which nothing is known."""
        state = State()
        state.registers = {n: self._new() for n in range(1, 32)}
        state.registers[0] = Value(None, 0)
        state.registers[SP] = Value(self._stack)
        if self._gp is not None:
            state.registers[GP] = Value(None, self._gp)
        state.lasting = {at: self._new() for at in self._lasting}
        return state

    def _new(self, bits: int = 32) -> Value:
        self._made += 1
        made = self._z3.BitVec(f"v{self._made}", bits)
        return Value(made if bits == 32 else self._z3.ZeroExt(32 - bits, made))

    def term(self, value: Value) -> Any:
        """Return a value as one term."""
        if value.term is None:
            return self._z3.BitVecVal(value.offset, 32)
        return value.term if value.offset == 0 else value.term + value.offset

    def step(self, state: State, pc: int, what: Instruction) -> None:
        """Carry an instruction out that does not jump."""
        if what.kind == "load":
            state.registers[what.rd] = self._load(state, what)
        elif what.kind == "store":
            self._store(state, what)
        elif what.kind == "csr":
            self._csr(state, what)
        elif what.rd:
            state.registers[what.rd] = self._computed(state, pc, what)
        state.registers[0] = Value(None, 0)

    # ---- memory ----

    def _place(self, state: State, what: Instruction) -> tuple[int, int]:
        value = state.registers[what.reads[0]]
        at = value.offset + what.imm
        if value.term is None:
            return _CONSTANT, at & _WORD
        if value.term is self._stack:
            return _STACK, at
        number = value.term.get_id()
        self._bases[number] = value.term  # kept, so that no other term gets its number
        return number, at

    def _load(self, state: State, what: Instruction) -> Value:
        base, at = self._place(state, what)
        size = _SIZES[what.name]
        if base == _CONSTANT and size == _WORDS and at in state.lasting:
            return state.lasting[at]
        stays = _stays(state, base == _STACK and at < 0)
        key = base, at, size
        if stays and key in state.memory:
            return self._extended(state.memory[key], what)
        made = self._new(8 * size)
        if stays:
            state.memory[key] = made
        return self._extended(made, what)

    def _extended(self, value: Value, what: Instruction) -> Value:
        size = _SIZES[what.name]
        if size == 4:
            return value
        low = self._z3.Extract(8 * size - 1, 0, self.term(value))
        extend = self._z3.ZeroExt if what.name.endswith("u") else self._z3.SignExt
        return self._plain(extend(32 - 8 * size, low))

    def _store(self, state: State, what: Instruction) -> None:
        base, at = self._place(state, what)
        size = _SIZES[what.name]
        value = state.registers[what.reads[1]]
        own = base == _STACK and at < 0
        if base == _CONSTANT and at in state.lasting:
            state.lasting[at] = value
        if value.term is not None and not own and self._is_of_stack(value):
            state.has_escaped = True
        for key in list(state.memory):
            if key[0] == base:
                apart = key[1] + key[2] <= at or at + size <= key[1]
            else:
                mine = own or (key[0] == _STACK and key[1] < 0)
                apart = mine and not state.has_escaped
            if not apart:
                del state.memory[key]
        if _stays(state, own):
            state.memory[base, at, size] = value

    def _is_of_stack(self, value: Value) -> bool:
        return value.term is self._stack or "sp" in {str(each) for each in _leaves(value.term)}

    def _csr(self, state: State, what: Instruction) -> None:
        if ibex.masks(what):
            state.is_masked = True
            self._forget(state)
        elif ibex.opens(what):
            state.is_masked = False
            self._forget(state)
        if what.rd:
            state.registers[what.rd] = self._new()

    def _forget(self, state: State) -> None:
        """Others may run: what is not on the own stack may be anything."""
        state.memory = {
            key: value
            for key, value in state.memory.items()
            if key[0] == _STACK and key[1] < 0 and not state.has_escaped
        }

    # ---- registers ----

    def _plain(self, term: Any) -> Value:
        term = self._z3.simplify(term)
        if self._z3.is_bv_value(term):
            return Value(None, term.as_long())
        return Value(term)

    def _computed(  # noqa: PLR0911 (a case each)
        self, state: State, pc: int, what: Instruction
    ) -> Value:
        if what.name == "lui":
            return Value(None, what.imm)
        if what.name == "auipc":
            return Value(None, pc + what.imm & _WORD)
        if what.kind in ("jal", "jalr"):
            return Value(None, pc + what.size)
        if what.kind != "alu" or not what.reads:
            return self._new()
        one = state.registers[what.reads[0]]
        if what.name == "addi":
            return Value(one.term, one.offset + what.imm)
        immediate = len(what.reads) == 1
        other = Value(None, what.imm) if immediate else state.registers[what.reads[1]]
        if what.name == "add" and other.term is None:
            return Value(one.term, one.offset + _small(other.offset))
        if what.name == "add" and one.term is None:
            return Value(other.term, other.offset + _small(one.offset))
        made = self._operation(what.name.removesuffix("i") if immediate else what.name,
                               self.term(one), self.term(other))  # fmt: skip
        return self._new() if made is None else self._plain(made)

    def _operation(self, name: str, a: Any, b: Any) -> Any:
        z3 = self._z3
        one, none = z3.BitVecVal(1, 32), z3.BitVecVal(0, 32)
        operations = {
            "add": lambda: a + b, "sub": lambda: a - b, "and": lambda: a & b, "or": lambda: a | b,
            "xor": lambda: a ^ b, "sll": lambda: a << (b & 31), "sra": lambda: a >> (b & 31),
            "srl": lambda: z3.LShR(a, b & 31), "slt": lambda: z3.If(a < b, one, none),
            "sltu": lambda: z3.If(z3.ULT(a, b), one, none),
        }  # fmt: skip
        name = "sltu" if name == "sltiu" else name
        return operations[name]() if name in operations else None

    # ---- branches ----

    def branches(self, state: State, what: Instruction, taken: bool) -> State | None:
        """Return the state behind a branch; None where no values lead there."""
        z3 = self._z3
        a, b = (self.term(state.registers[n]) for n in what.reads)
        condition = {
            "beq": lambda: a == b, "bne": lambda: a != b, "blt": lambda: a < b,
            "bge": lambda: a >= b, "bltu": lambda: z3.ULT(a, b), "bgeu": lambda: z3.UGE(a, b),
        }[what.name]()  # fmt: skip
        condition = z3.simplify(condition if taken else z3.Not(condition))
        if z3.is_false(condition):
            return None
        after = state.copy()
        key = condition.get_id()
        if z3.is_true(condition) or any(key == one.get_id() for one, _ in state.conditions):
            return after
        own = frozenset(str(leaf) for leaf in _leaves(condition) if not z3.is_bv_value(leaf))
        after.conditions = (*state.conditions, (condition, own))
        asked = _about(state.conditions, own)
        return after if not asked or self._is_possible([*asked, condition]) else None

    def _is_possible(self, conditions: Sequence[Any]) -> bool:
        """Say whether some values fulfil all; those that z3 gives up on may."""
        key = frozenset(one.get_id() for one in conditions)
        if key not in self._asked:
            solver = self._z3.SolverFor("QF_BV")
            solver.set("timeout", _LIMIT_MS)
            solver.add(*conditions)
            self._asked[key] = solver.check() != self._z3.unsat
            self._kept += conditions  # so that no other term gets one of these numbers
        return self._asked[key]


def _stays(state: State, own: bool) -> bool:
    """Say whether memory stays as it is: nobody else runs, or knows where it is."""
    return state.is_masked or (own and not state.has_escaped)


def _about(conditions: Sequence[tuple[Any, frozenset[str]]], own: frozenset[str]) -> list[Any]:
    """Return the conditions that share a variable with some, or with one that does."""
    found: list[Any] = []
    left = list(conditions)
    while True:
        near = [one for one in left if one[1] & own]
        if not near:
            return found
        found += [one for one, _ in near]
        own = own.union(*(names for _, names in near))
        left = [one for one in left if not one[1] & own]


def _small(number: int) -> int:
    """Return a word as the number of either sign that it stands for."""
    number &= _WORD
    return number - (1 << 32) if number >> 31 else number


def _leaves(term: Any) -> Iterator[Any]:
    waiting, seen = [term], set()
    while waiting:
        one = waiting.pop()
        if one.get_id() in seen:
            continue
        seen.add(one.get_id())
        if one.num_args() == 0:
            yield one
        waiting += one.children()
