# SPDX-License-Identifier: Apache-2.0
"""What registers are known to hold, wherever a graph's code is: branches that are never taken.

A call that gives a constant to another (K_NO_WAIT, no wait queue, a key that says "open") decides
branches there, and each function is in the graph anew for each place that calls it. So known bits
of registers, and of words in the call's own frame, go along the edges until nothing changes
(conditional constant propagation, Wegman and Zadeck 1991, with bits for constants); where ways
join, what is known on both stays. An edge that nothing gets to is no edge.

What is loaded from anywhere but the own frame is unknown, since others may have written it. A
frame's words are forgotten where a store may be to them: by what may be an address in it
(`SOMEWHERE`: joined with another, or computed with), and, once such an address was stored
elsewhere, by any that is not known. From then on nothing of it is known while interrupts are open,
since others run, and may do the same.

An address of one of the kernel's structures that a call is given is a word's. And a word may be
known from the start, wherever it is loaded (`words`): a call is a thread's or a handler's
throughout, and which of both is told by one (`worlds`).

Bit 3 of what masks interrupts says whether they were open. What a caller has them is not known,
unless the question is how long a call itself keeps them masked (`OPEN`): then a key says so.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from foliot.bound.image import Program
from foliot.bound.instructions import GP, SP, Instruction
from foliot.bound.nodes import Edge, Node, Piece

# Bits that are known, and what they are; an address in the frame has a base below 0, and an offset.
Value = tuple[int, int]
SOMEWHERE: Value = (-(1 << 40), 0)  # may be an address in the frame, or anything else
NOT_ZERO: Value = (0, 1)  # of which no more is known

_Key = TypeVar("_Key", int, Value)

MASKED, OPEN, UNKNOWN = 0, 1, 2  # whether interrupts are
_ALL = 0xFFFFFFFF
_ZERO: Value = (_ALL, 0)
_AT_A_WORD: Value = (3, 0)
_NOTHING: Value = (0, 0)  # is known
_MSTATUS, _MIE = 0x300, 8
_IN_RAM: Value = (1 << 31, 1 << 31)  # an address there, of which no more is known
_PATIENCE = 12  # visits of a place, until what still changes there is unknown
_LOW = {"lbu": 0xFF, "lhu": 0xFFFF}
_WORDS = ("lw", "sw")


class Graph(Protocol):
    """What is asked of a graph."""

    program: Program
    entry: Node
    edges: dict[Node, list[Edge]]

    def piece(self, pc: int) -> Piece:
        """Return the instructions from `pc` to the first that may go elsewhere."""

    def is_switch(self, pc: int) -> bool:
        """Say whether the instruction at `pc` is of the function that switches."""


@dataclass(slots=True)
class State:
    """What is known at a place. A register that is not there is unknown."""

    registers: dict[int, Value] = field(default_factory=dict)
    frame: dict[Value, Value] = field(default_factory=dict)  # words, by their addresses
    interrupts: int = UNKNOWN
    has_escaped: bool = False  # the frame's address: stores to elsewhere may be to it
    words: Mapping[int, Value] = field(default_factory=dict)  # that nobody changes meanwhile
    one_less: dict[int, int] = field(default_factory=dict)  # registers, than others are

    def copy(self) -> State:
        """Return another, as this one is."""
        return State(
            dict(self.registers), dict(self.frame), self.interrupts, self.has_escaped, self.words,
            dict(self.one_less),
        )  # fmt: skip


def worlds(graph: Graph, interrupts: int = UNKNOWN) -> list[frozenset[int]]:
    """Return the edges that nothing gets to where a thread makes a call, and where a handler does.

    While a handler runs a word says where it goes back to: to a stack. Else it is 0. It is written
    as a handler begins and ends, which no call sees: who has been interrupted finds it as it was.
    """
    at = graph.program.in_isr
    if at is None:
        return [frozenset(never_taken(graph, interrupts))]
    both = [never_taken(graph, interrupts, {at: value}) for value in (_ZERO, _IN_RAM)]
    return [frozenset(each) for each in both] if both[0] != both[1] else [frozenset(both[0])]


def of_thread(graph: Graph, interrupts: int) -> set[int]:
    """Return the edges that nothing gets to where a thread makes the call."""
    at = graph.program.in_isr
    return never_taken(graph, interrupts, {} if at is None else {at: _ZERO})


def never_taken(
    graph: Graph, interrupts: int = UNKNOWN, words: Mapping[int, Value] | None = None
) -> set[int]:
    """Return the edges, by identity, that nothing gets to; `interrupts` as at the entry."""
    begun = State({0: _ZERO, SP: (-1, 0)}, interrupts=interrupts, words=words or {})
    # In the middle of something its frame is there already, and others may know of it.
    begun.has_escaped = bool(graph.entry.stack) or graph.entry.pc not in graph.program.entries
    if not graph.entry.stack:
        for register in graph.program.at_words(graph.entry.pc):
            begun.registers[register] = _AT_A_WORD
    gp = graph.program.global_pointer
    if gp is not None:
        begun.registers[GP] = _ALL, gp
    order = _order(graph)
    states: dict[Node, State] = {graph.entry: begun}
    visits: dict[Node, int] = {}
    taken: set[int] = set()
    waiting = [(0, graph.entry)] if graph.entry in order else []
    queued = {graph.entry}
    while waiting:
        _, node = heapq.heappop(waiting)
        queued.discard(node)
        for edge, behind in _behind(graph, node, states[node]):
            taken.add(id(edge))
            target = edge.target
            if target.end or target not in order:
                continue
            visits[target] = visits.get(target, 0) + 1
            known = states.get(target)
            joined = behind if known is None else _join(known, behind, visits[target] > _PATIENCE)
            if joined is not known:
                states[target] = joined
                if target not in queued:
                    queued.add(target)
                    heapq.heappush(waiting, (order[target], target))
    return {id(edge) for edges in graph.edges.values() for edge in edges} - taken


def _order(graph: Graph) -> dict[Node, int]:
    """Return the nodes in an order in which most come behind all that lead to them."""
    found: list[Node] = []
    seen = {graph.entry}
    path = [(graph.entry, iter(graph.edges.get(graph.entry, ())))]
    while path:
        node, edges = path[-1]
        target = next((one.target for one in edges if one.target not in seen), None)
        if target is None:
            found.append(node)
            path.pop()
        elif target in graph.edges:
            seen.add(target)
            path.append((target, iter(graph.edges[target])))
        else:
            seen.add(target)
    return {node: number for number, node in enumerate(reversed(found))}


def _join(one: State, other: State, is_late: bool) -> State:
    """Return what is known on both ways; the first itself where that is all that it has."""
    registers = _both(one.registers, other.registers, is_late)
    frame = _both(one.frame, other.frame, is_late)
    interrupts = one.interrupts if one.interrupts == other.interrupts else UNKNOWN
    escaped = one.has_escaped or other.has_escaped
    less = {n: than for n, than in one.one_less.items() if other.one_less.get(n) == than}
    same = (registers == one.registers and frame == one.frame and less == one.one_less
            and interrupts == one.interrupts and escaped == one.has_escaped)  # fmt: skip
    return one if same else State(registers, frame, interrupts, escaped, one.words, less)


def _both(one: dict[_Key, Value], other: dict[_Key, Value], is_late: bool) -> dict[_Key, Value]:
    if one == other:
        return one
    found = {}
    for key, value in one.items():
        also = other.get(key)
        if also == value:
            found[key] = value
        elif value[0] < 0 or (also is not None and also[0] < 0):
            found[key] = SOMEWHERE
        elif also is not None and value[1] and also[1] and NOT_ZERO in (value, also):
            found[key] = NOT_ZERO
        elif also is not None and not is_late:
            bits = value[0] & also[0] & ~(value[1] ^ also[1])
            if bits:
                found[key] = bits, value[1] & bits
    for key, value in other.items():
        if value[0] < 0 and key not in one:
            found[key] = SOMEWHERE
    return found


# ---- a piece, and the branch at its end ----


def _behind(graph: Graph, node: Node, state: State) -> list[tuple[Edge, State]]:
    """Return the edges that are taken behind a piece, each with what is known there."""
    state = state.copy()
    piece = graph.piece(node.pc)
    for pc, what in piece:
        _step(state, pc, what)
    pc, what = piece[-1]
    if what.is_return and graph.is_switch(pc):
        _switched(state, pc)  # and back again, after whatever others have left in registers
    found = []
    for edge in graph.edges[node]:
        behind: State | None = state
        if not edge.target.end and what.kind == "branch" and what.imm != what.size:
            behind = _branch(state, what, edge.target.pc == pc + what.imm)
        elif not edge.target.end and what.kind == "jalr" and not what.is_return:
            behind = state if _may_lead(state, what, edge.target.pc) else None
        if behind is not None:
            found.append((edge, behind))
    return found


def _switched(state: State, pc: int) -> None:
    gp = state.registers.get(GP)
    state.registers = {0: _ZERO} if gp is None else {0: _ZERO, GP: gp}
    state.interrupts, state.one_less = UNKNOWN, {}
    _move_stack(state, pc)


def _may_lead(state: State, what: Instruction, pc: int) -> bool:
    at = state.registers.get(what.reads[0])
    if at is None or at[0] != _ALL or what.rd == what.reads[0]:
        return True
    return (at[1] + what.imm) & _ALL & ~1 == pc


def _branch(state: State, what: Instruction, is_taken: bool) -> State | None:
    """Return what is known on one side of a branch; None where nothing gets there."""
    one, other = (state.registers.get(n, _NOTHING) for n in what.reads)
    if one[0] < 0 or other[0] < 0:
        return state
    is_equal = what.name == "beq" if is_taken else what.name == "bne"
    if what.name in ("beq", "bne") and what.reads[1] == 0 and one in (NOT_ZERO, _NOTHING):
        return _zero_or_not(state, what.reads[0], one, is_equal)
    one, other = _bits(one), _bits(other)
    than = state.one_less.get(what.reads[1], 0)
    if than and not _is_above(what, one, is_taken) and than not in state.registers:
        return _known(state, than, NOT_ZERO)  # one less than 0 is above all
    if what.name in ("beq", "bne"):
        return _equal(state, what, one, other) if is_equal else _other(state, what, one, other)
    return _compared(state, what, one, other, is_taken)


def _zero_or_not(state: State, register: int, before: Value, is_zero: bool) -> State | None:
    if not is_zero:
        return _known(state, register, NOT_ZERO)
    return None if before == NOT_ZERO else _known(state, register, _ZERO)


def _compared(
    state: State, what: Instruction, one: Value, other: Value, is_taken: bool
) -> State | None:
    if what.name in ("blt", "bge") and what.reads[1] == 0:
        sign = 1 << 31 if (what.name == "blt") == is_taken else 0
        return _learn(state, what.reads[0], one, (1 << 31, sign))
    if one[0] == _ALL and other[0] == _ALL:
        return state if _COMPARE[what.name](one[1], other[1]) == is_taken else None
    return state


def _is_above(what: Instruction, one: Value, is_taken: bool) -> bool:
    """Say whether the second of two registers may be above all numbers, where a branch leads."""
    below_all = one[0] == _ALL and one[1] != _ALL
    return not below_all or what.name not in ("bltu", "bgeu") or (what.name == "bltu") == is_taken


def _known(state: State, register: int, value: Value) -> State:
    behind = state.copy()
    behind.registers[register] = value
    return behind


def _bits(value: Value) -> Value:
    """Return what is known of single bits: of what is not 0, nothing."""
    return _NOTHING if value == NOT_ZERO else value


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "bltu": lambda a, b: a < b, "bgeu": lambda a, b: a >= b,
    "blt": lambda a, b: _signed(a) < _signed(b), "bge": lambda a, b: _signed(a) >= _signed(b),
}  # fmt: skip


def _equal(state: State, what: Instruction, one: Value, other: Value) -> State | None:
    behind = _learn(state, what.reads[0], one, other)
    return None if behind is None else _learn(behind, what.reads[1], other, one)


def _other(state: State, what: Instruction, one: Value, other: Value) -> State | None:
    """Return what is known where two registers differ: of one bit that is not known, that."""
    if one[0] & other[0] & (one[1] ^ other[1]):
        return state
    if one[0] == _ALL and other[0] == _ALL:
        return None
    if other[0] == _ALL and (unknown := ~one[0] & _ALL) & (unknown - 1) == 0:
        return _learn(state, what.reads[0], one, (unknown, ~other[1] & unknown))
    return state


def _learn(state: State, register: int, known: Value, also: Value) -> State | None:
    if known[0] & also[0] & (known[1] ^ also[1]):
        return None
    bits = known[0] | also[0]
    if register == 0 or bits == known[0]:
        return state
    behind = state.copy()
    behind.registers[register] = bits, known[1] | also[1]
    return behind


# ---- an instruction ----


def _step(state: State, pc: int, what: Instruction) -> None:
    if what.kind == "store":
        _store(state, what)
    elif what.kind == "csr":
        _csr(state, pc, what)
    elif what.kind == "ecall":
        _trap(state)
    elif what.kind == "mret":
        state.interrupts = UNKNOWN
    elif what.rd:
        _set(state, pc, what.rd, _load(state, what) if what.kind == "load" else
             _computed(state, pc, what))  # fmt: skip
        if what.name == "addi" and what.imm == -1 and what.rd not in (*what.reads, SP):
            state.one_less[what.rd] = what.reads[0]


def _set(state: State, pc: int, register: int, value: Value | None) -> None:
    if state.one_less:
        kept = {n: than for n, than in state.one_less.items() if register not in (n, than)}
        state.one_less = kept
    if register == SP and (value is None or value == SOMEWHERE or value[0] >= 0):
        _move_stack(state, pc)
    elif value is None:
        state.registers.pop(register, None)
    else:
        state.registers[register] = value


def _trap(state: State) -> None:
    """Leave user mode: its stack is none of the kernel's, whose own is free down from its end."""
    _forget(state)
    state.registers = {n: value for n, value in state.registers.items() if value[0] >= 0}
    state.interrupts, state.has_escaped = MASKED, False


def _move_stack(state: State, pc: int) -> None:
    """Take another stack: where it is nobody knows, nor whether it is where one was before."""
    is_free = SP not in state.registers  # behind a trap out of user mode, and nowhere else
    _forget(state)
    state.registers = {
        n: value if value[0] >= 0 else SOMEWHERE for n, value in state.registers.items()
    }
    state.registers[SP] = -2 - pc, 0
    state.has_escaped = state.has_escaped or not is_free


def _place(state: State, what: Instruction) -> Value | None:
    """Return the address of a load or store, where that may be in the frame."""
    base = state.registers.get(what.reads[0])
    if base is None or base[0] >= 0:
        return None
    return base if base == SOMEWHERE else (base[0], base[1] + what.imm)


def _load(state: State, what: Instruction) -> Value | None:
    base = state.registers.get(what.reads[0])
    if base is not None and base[0] == _ALL and what.name in _WORDS:
        return state.words.get((base[1] + what.imm) & _ALL)
    at = _place(state, what)
    if at == SOMEWHERE and what.name in _WORDS:
        return SOMEWHERE
    if at is not None and what.name in _WORDS:
        return None if _may_be_changed(state) else state.frame.get(at)
    if at is not None:  # a part of an address, from which others may make the whole again
        state.has_escaped |= at == SOMEWHERE or any(one[0] < 0 for one in state.frame.values())
    low = _LOW.get(what.name)
    return None if low is None else (_ALL & ~low, 0)


def _may_be_changed(state: State) -> bool:
    """Say whether others run that may know the frame's address."""
    return state.has_escaped and state.interrupts != MASKED


def _forget(state: State) -> None:
    """Take all words of the frame for unknown, addresses among them."""
    state.has_escaped |= any(value[0] < 0 for value in state.frame.values())
    state.frame = {}


def _store(state: State, what: Instruction) -> None:
    at, value = _place(state, what), state.registers.get(what.reads[1])
    is_address = value is not None and value[0] < 0
    if at is None or at == SOMEWHERE:
        state.has_escaped |= is_address
        if state.has_escaped or at == SOMEWHERE:
            _forget(state)
        return
    for offset in range(at[1] - 3, at[1] + 4):
        gone = state.frame.pop((at[0], offset), None)
        if gone is not None and gone[0] < 0 and offset != at[1]:
            state.has_escaped = True
    if what.name in _WORDS and value is not None:
        state.frame[at] = value
    elif is_address:
        state.has_escaped = True


def _csr(state: State, pc: int, what: Instruction) -> None:
    written = state.registers.get(what.reads[0]) if what.reads else (_ALL, what.imm)
    if written is not None and written[0] < 0:
        state.has_escaped = True
    told = None
    if what.csr == _MSTATUS:
        told = None if state.interrupts == UNKNOWN else (_MIE, _MIE * state.interrupts)
        state.interrupts = _interrupts(state.interrupts, what, written)
        if state.has_escaped:
            _forget(state)
    if what.rd:
        _set(state, pc, what.rd, told)


def _interrupts(before: int, what: Instruction, written: Value | None) -> int:
    """Return whether interrupts are open behind an instruction that writes mstatus."""
    bits = _NOTHING if written is None or written[0] < 0 else _bits(written)
    bit = OPEN if bits[1] & _MIE else MASKED if bits[0] & _MIE else UNKNOWN
    if what.name in ("csrrw", "csrrwi"):
        return bit
    if bit == MASKED:
        return before
    behind = OPEN if what.name in ("csrrs", "csrrsi") else MASKED
    return behind if bit == OPEN or before == behind else UNKNOWN


def _computed(  # noqa: PLR0911 (a case each)
    state: State, pc: int, what: Instruction
) -> Value | None:
    if what.name in ("lui", "auipc"):
        return _ALL, (what.imm + (pc if what.name == "auipc" else 0)) & _ALL
    if what.kind in ("jal", "jalr"):
        return _ALL, pc + what.size
    if not what.reads:
        return None
    one = state.registers.get(what.reads[0], _NOTHING)
    immediate = len(what.reads) == 1
    other = (_ALL, what.imm & _ALL) if immediate else state.registers.get(what.reads[1], _NOTHING)
    name = what.name.removesuffix("i") if immediate and what.name != "sltiu" else what.name
    if one[0] < 0 or other[0] < 0:
        return _of_address(name, one, other)
    if what.kind != "alu":
        return None
    if NOT_ZERO in (one, other) and (told := _of_not_zero(name, one, other)) is not None:
        return told
    return _of_bits(name, _bits(one), _bits(other))


def _of_bits(name: str, one: Value, other: Value) -> Value | None:
    """Return what is known of what is computed with two values of which bits are known."""
    if name in _BITWISE:
        return _some(*_BITWISE[name](one, other))
    if name in ("sltiu", "sltu", "slt"):
        return _less("sltu" if name == "sltiu" else name, one, other)
    if name in _SHIFTED and other[0] == _ALL:
        return _some(*_SHIFTED[name](one, other[1] & 31))
    return _sum(name, one, other) if name in ("add", "sub") else None


def _of_not_zero(name: str, one: Value, other: Value) -> Value | None:
    """Return what is known of what is computed with a value that is not 0; None: no more."""
    if name == "add" and _ZERO in (one, other):
        return NOT_ZERO
    return _less("sltu", one, other) if name in ("sltu", "sltiu") else None


def _of_address(name: str, one: Value, other: Value) -> Value:
    """Return an address in the frame so far from another; or what may be one."""
    if SOMEWHERE in (one, other):
        return SOMEWHERE
    if name == "add" and other[0] == _ALL:
        return one[0], one[1] + _signed(other[1])
    if name == "add" and one[0] == _ALL:
        return other[0], other[1] + _signed(one[1])
    if name == "sub" and other[0] == _ALL:
        return one[0], one[1] - _signed(other[1])
    return SOMEWHERE


def _some(bits: int, value: int) -> Value | None:
    bits &= _ALL
    return (bits, value & bits) if bits else None


def _sum(name: str, one: Value, other: Value) -> Value | None:
    """Return the lowest bits of a sum, as far as those of both are known; all where one is 0."""
    if other == _ZERO or (one == _ZERO and name == "add"):
        return _some(*(one if other == _ZERO else other))
    known = one[0] & other[0]
    low = (known ^ (known + 1)) >> 1
    return _some(low, one[1] + other[1] if name == "add" else one[1] - other[1])


def _less(name: str, one: Value, other: Value) -> Value:
    """Return 0 or 1, which of both where that is known."""
    if one[0] == _ALL and other[0] == _ALL:
        return _ALL, int(_COMPARE["bltu" if name == "sltu" else "blt"](one[1], other[1]))
    if name == "sltu" and other == (_ALL, 1) and one[1]:
        return _ZERO  # seqz of what is not 0
    if name == "sltu" and one == _ZERO and other[1]:
        return _ALL, 1  # snez of the same
    return _ALL & ~1, 0


_BITWISE: Mapping[str, Callable[[Value, Value], tuple[int, int]]] = {
    "and": lambda a, b: ((a[0] & b[0]) | (a[0] & ~a[1]) | (b[0] & ~b[1]), a[1] & b[1]),
    "or": lambda a, b: ((a[0] & b[0]) | a[1] | b[1], a[1] | b[1]),
    "xor": lambda a, b: (a[0] & b[0], a[1] ^ b[1]),
}
_SHIFTED: Mapping[str, Callable[[Value, int], tuple[int, int]]] = {
    "sll": lambda a, n: (a[0] << n | (1 << n) - 1, a[1] << n),
    "srl": lambda a, n: (a[0] >> n | _ALL & ~(_ALL >> n), a[1] >> n),
    "sra": lambda a, n: ((_signed(a[0]) >> n) & _ALL, (_signed(a[1]) >> n) & _ALL),
}
