# SPDX-License-Identifier: Apache-2.0
"""RV32IMC, read out of its bits: what an instruction is, what it reads and writes.

Only what a bound depends on is kept: the kind (what it costs), the registers (who waits for a
load), the immediate (where it jumps), the number of a CSR. A compressed instruction is read as
what it stands for, with its size. What is not known is no guess but an error, Unreadable: code
that holds it has no bound. A test holds all of this against capstone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

RA, SP, GP = 1, 2, 3


class Unreadable(ValueError):
    """The bits are no instruction of RV32IMC and the machine's privileged ones."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction.

    `kind` is alu, mul, mulh, div, load, store, branch, jal, jalr, csr, mret, wfi, fence, fence.i,
    ecall or ebreak; `name` what it does in particular (lui, add, lw, beq, csrrs, csrrsi...).
    `reads` are registers. `imm` is the immediate; of a csr...i instruction its five bits.
    """

    kind: str
    name: str
    size: int
    rd: int = 0
    reads: tuple[int, ...] = ()
    imm: int = 0
    csr: int = 0

    @property
    def is_return(self) -> bool:
        """True for `ret`."""
        return self.kind == "jalr" and self.rd == 0 and self.reads == (RA,) and self.imm == 0

    @property
    def is_call(self) -> bool:
        """True where it leaves a way back in ra."""
        return self.kind in ("jal", "jalr") and self.rd == RA


def size_of(low: int) -> int:
    """Return the size in bytes of an instruction by its low 16 bits."""
    return 4 if low & 3 == 3 else 2


@cache
def read(word: int, size: int) -> Instruction:
    """Read an instruction; Unreadable where it is none that is known."""
    try:
        return _full(word) if size == 4 else _compressed(word)
    except (KeyError, IndexError):
        raise Unreadable(f"{word:#0{2 + 2 * size}x} is no instruction that is known") from None


def _bits(word: int, high: int, low: int) -> int:
    return word >> low & (1 << high - low + 1) - 1


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value


def _gather(word: int, *fields: tuple[int, int, int]) -> int:
    """Put fields of a word together: (high, low, where its lowest bit belongs)."""
    return sum(_bits(word, high, low) << to for high, low, to in fields)


_BRANCHES = {0: "beq", 1: "bne", 4: "blt", 5: "bge", 6: "bltu", 7: "bgeu"}
_LOADS = {0: "lb", 1: "lh", 2: "lw", 4: "lbu", 5: "lhu"}
_STORES = {0: "sb", 1: "sh", 2: "sw"}
_MULTIPLY = ("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu")
_REGISTERS = {
    (0, 0): "add", (0, 0x20): "sub", (1, 0): "sll", (2, 0): "slt", (3, 0): "sltu", (4, 0): "xor",
    (5, 0): "srl", (5, 0x20): "sra", (6, 0): "or", (7, 0): "and",
}  # fmt: skip
_IMMEDIATES = {0: "addi", 2: "slti", 3: "sltiu", 4: "xori", 6: "ori", 7: "andi"}
_SHIFTS = {(1, 0): "slli", (5, 0): "srli", (5, 0x20): "srai"}
_CSRS = {1: "csrrw", 2: "csrrs", 3: "csrrc", 5: "csrrwi", 6: "csrrsi", 7: "csrrci"}
_SYSTEM = {0x000: "ecall", 0x001: "ebreak", 0x302: "mret", 0x105: "wfi"}


def _upper(word: int, rd: int) -> Instruction:
    name = "lui" if word & 0x7F == 0x37 else "auipc"
    return Instruction("alu", name, 4, rd, (), word & 0xFFFFF000)


def _jal(word: int, rd: int) -> Instruction:
    imm = _gather(word, (31, 31, 20), (19, 12, 12), (20, 20, 11), (30, 21, 1))
    return Instruction("jal", "jal", 4, rd, (), _signed(imm, 21))


def _jalr(word: int, rd: int) -> Instruction:
    if _bits(word, 14, 12):
        raise KeyError(word)
    return Instruction("jalr", "jalr", 4, rd, (_one(word),), _low(word))


def _branch(word: int, _rd: int) -> Instruction:
    imm = _signed(_gather(word, (31, 31, 12), (7, 7, 11), (30, 25, 5), (11, 8, 1)), 13)
    name = _BRANCHES[_bits(word, 14, 12)]
    return Instruction("branch", name, 4, 0, (_one(word), _two(word)), imm)


def _load(word: int, rd: int) -> Instruction:
    return Instruction("load", _LOADS[_bits(word, 14, 12)], 4, rd, (_one(word),), _low(word))


def _store(word: int, rd: int) -> Instruction:
    imm = _signed(word >> 25 << 5 | rd, 12)
    name = _STORES[_bits(word, 14, 12)]
    return Instruction("store", name, 4, 0, (_one(word), _two(word)), imm)


def _immediate(word: int, rd: int) -> Instruction:
    what = _bits(word, 14, 12)
    if what in (1, 5):
        name = _SHIFTS[what, word >> 25]
        return Instruction("alu", name, 4, rd, (_one(word),), _two(word))
    return Instruction("alu", _IMMEDIATES[what], 4, rd, (_one(word),), _low(word))


def _register(word: int, rd: int) -> Instruction:
    what, reads = _bits(word, 14, 12), (_one(word), _two(word))
    if word >> 25 == 1:
        kind = "mul" if what == 0 else "mulh" if what < 4 else "div"
        return Instruction(kind, _MULTIPLY[what], 4, rd, reads)
    return Instruction("alu", _REGISTERS[what, word >> 25], 4, rd, reads)


def _fence(word: int, _rd: int) -> Instruction:
    return Instruction(("fence", "fence.i")[_bits(word, 14, 12)], "fence", 4)


def _system(word: int, rd: int) -> Instruction:
    what = _bits(word, 14, 12)
    if what == 0:
        if rd or _one(word):
            raise KeyError(word)
        name = _SYSTEM[word >> 20]
        return Instruction(name, name, 4)
    reads = (_one(word),) if what < 4 else ()
    return Instruction("csr", _CSRS[what], 4, rd, reads, _one(word), word >> 20)


def _one(word: int) -> int:
    return _bits(word, 19, 15)


def _two(word: int) -> int:
    return _bits(word, 24, 20)


def _low(word: int) -> int:
    return _signed(word >> 20, 12)


_OPCODES = {
    0x37: _upper, 0x17: _upper, 0x6F: _jal, 0x67: _jalr, 0x63: _branch, 0x03: _load, 0x23: _store,
    0x13: _immediate, 0x33: _register, 0x0F: _fence, 0x73: _system,
}  # fmt: skip


def _full(word: int) -> Instruction:
    return _OPCODES[word & 0x7F](word, _bits(word, 11, 7))


def _compressed(word: int) -> Instruction:
    return (_quadrant_0, _quadrant_1, _quadrant_2)[word & 3](word, _bits(word, 15, 13))


def _quadrant_0(word: int, what: int) -> Instruction:
    near, base = 8 + _bits(word, 4, 2), 8 + _bits(word, 9, 7)
    if what == 0:
        imm = _gather(word, (12, 11, 4), (10, 7, 6), (6, 6, 2), (5, 5, 3))
        if imm == 0:
            raise KeyError(word)
        return Instruction("alu", "addi", 2, near, (SP,), imm)
    imm = _gather(word, (12, 10, 3), (6, 6, 2), (5, 5, 6))
    if what == 2:
        return Instruction("load", "lw", 2, near, (base,), imm)
    if what == 6:
        return Instruction("store", "sw", 2, 0, (base, near), imm)
    raise KeyError(word)


def _quadrant_1(word: int, what: int) -> Instruction:  # noqa: PLR0911 (a case each)
    rd = _bits(word, 11, 7)
    imm = _signed(_gather(word, (12, 12, 5), (6, 2, 0)), 6)
    match what:
        case 0:
            return Instruction("alu", "addi", 2, rd, (rd,), imm)
        case 1 | 5:
            to = _gather(
                word, (12, 12, 11), (11, 11, 4), (10, 9, 8), (8, 8, 10), (7, 7, 6), (6, 6, 7),
                (5, 3, 1), (2, 2, 5),
            )  # fmt: skip
            return Instruction("jal", "jal", 2, RA if what == 1 else 0, (), _signed(to, 12))
        case 2:
            return Instruction("alu", "addi", 2, rd, (0,), imm)
        case 3 if rd == SP:
            step = _gather(word, (12, 12, 9), (6, 6, 4), (5, 5, 6), (4, 3, 7), (2, 2, 5))
            return Instruction("alu", "addi", 2, SP, (SP,), _signed(step, 10))
        case 3:
            return Instruction("alu", "lui", 2, rd, (), imm << 12 & 0xFFFFFFFF)
        case 4:
            return _arithmetic(word, imm)
    near = 8 + _bits(word, 9, 7)
    to = _gather(word, (12, 12, 8), (11, 10, 3), (6, 5, 6), (4, 3, 1), (2, 2, 5))
    return Instruction("branch", ("beq", "bne")[what - 6], 2, 0, (near, 0), _signed(to, 9))


def _arithmetic(word: int, imm: int) -> Instruction:
    near, other, which = 8 + _bits(word, 9, 7), 8 + _bits(word, 4, 2), _bits(word, 11, 10)
    if which < 2:
        return Instruction("alu", ("srli", "srai")[which], 2, near, (near,), imm & 31)
    if which == 2:
        return Instruction("alu", "andi", 2, near, (near,), imm)
    if _bits(word, 12, 12):
        raise KeyError(word)
    name = ("sub", "xor", "or", "and")[_bits(word, 6, 5)]
    return Instruction("alu", name, 2, near, (near, other))


def _quadrant_2(word: int, what: int) -> Instruction:
    rd, other = _bits(word, 11, 7), _bits(word, 6, 2)
    match what:
        case 0:
            return Instruction("alu", "slli", 2, rd, (rd,), _bits(word, 6, 2))
        case 2:
            imm = _gather(word, (12, 12, 5), (6, 4, 2), (3, 2, 6))
            return Instruction("load", "lw", 2, rd, (SP,), imm)
        case 4 if other:
            reads = (rd, other) if _bits(word, 12, 12) else (0, other)
            return Instruction("alu", "add", 2, rd, reads)
        case 4 if rd:
            return Instruction("jalr", "jalr", 2, _bits(word, 12, 12) * RA, (rd,))
        case 4 if _bits(word, 12, 12):
            return Instruction("ebreak", "ebreak", 2)
        case 6:
            return Instruction(
                "store", "sw", 2, 0, (SP, other), _gather(word, (12, 9, 2), (8, 7, 6))
            )
    raise KeyError(word)
