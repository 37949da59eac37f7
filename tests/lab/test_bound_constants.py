# SPDX-License-Identifier: Apache-2.0
"""What is known of registers along a graph, against random programs that are carried out."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from foliot.bound import constants
from foliot.bound.instructions import Instruction
from foliot.bound.nodes import Edge, Node

pytestmark = [pytest.mark.needs("bound")]

WORD = 0xFFFFFFFF
MSTATUS = 0x300
FRAME = 0x1000  # where the stack begins in memory
ELSEWHERE = (0x2000, 0x2004)
NUMBERS, ADDRESSES = (5, 6, 7), (10, 11, 12)  # what these most often hold
REGISTERS = NUMBERS + ADDRESSES
END = 1 << 20


def signed(word):
    return word - (1 << 32) if word >> 31 else word


COMPUTED = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "and": lambda a, b: a & b,
    "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "sll": lambda a, b: a << (b & 31),
    "srl": lambda a, b: a >> (b & 31), "sra": lambda a, b: signed(a) >> (b & 31),
    "slt": lambda a, b: int(signed(a) < signed(b)), "sltu": lambda a, b: int(a < b),
}  # fmt: skip
COMPARED = {
    "beq": lambda a, b: a == b, "bne": lambda a, b: a != b, "bltu": lambda a, b: a < b,
    "bgeu": lambda a, b: a >= b, "blt": lambda a, b: signed(a) < signed(b),
    "bge": lambda a, b: signed(a) >= signed(b),
}  # fmt: skip
SIZES = {"lw": 4, "lbu": 1, "lhu": 2, "lb": 1, "sw": 4, "sb": 1, "sh": 2}


class Program:
    """A program, one instruction at each word, as a graph and as something that runs."""

    def __init__(self, instructions, entry=0):
        self.code = {4 * n: what for n, what in enumerate(instructions)}
        self.program = SimpleNamespace(
            global_pointer=None, entries={entry: "f"}, at_words=lambda pc: ()
        )
        nodes = {pc: Node((), pc) for pc in self.code} | {END: Node((), END, "return")}
        self.entry = nodes[0]
        self.edges = {}
        for pc, what in self.code.items():
            targets = {pc + 4} | ({pc + what.imm} if what.kind == "branch" else set())
            at = [nodes[one] if one in self.code else nodes[END] for one in sorted(targets)]
            self.edges[nodes[pc]] = [Edge(nodes[pc], one, 1) for one in at]

    def piece(self, pc):
        return ((pc, self.code[pc]),)

    def is_switch(self, pc):
        return False

    def run(self, choose, is_open):
        """Give the pairs of places that one run takes, with whatever values."""
        registers = {n: choose.choice((0, 1, 4, 8, 0x80000000, WORD)) for n in NUMBERS}
        registers |= {n: choose.choice(ELSEWHERE) for n in ADDRESSES} | {0: 0, 2: FRAME}
        memory = {}  # bytes; what nobody wrote is anything
        pc = 0
        for _ in range(200):
            if pc not in self.code:
                return
            behind = pc + 4
            what = self.code[pc]
            one = registers[what.reads[0]] if what.reads else what.imm
            other = registers[what.reads[1]] if len(what.reads) > 1 else what.imm & WORD
            value = None
            if what.kind == "branch":
                behind = pc + what.imm if COMPARED[what.name](one, other) else behind
            elif what.kind == "csr":
                value = choose.getrandbits(32) & ~8 | 8 * is_open
                if one & 8 or what.name == "csrrw":
                    is_open = bool(one & 8) and not what.name.startswith("csrrc")
            elif what.kind == "load":
                value = self.load(choose, memory, one + what.imm, what.name)
            elif what.kind == "store":
                for n in range(SIZES[what.name]):
                    memory[one + what.imm + n & WORD] = other >> 8 * n & 0xFF
            else:
                name = {"sltiu": "sltu"}.get(what.name, what.name.removesuffix("i"))
                value = COMPUTED[name](one, other) & WORD
            if value is not None and what.rd:
                registers[what.rd] = value
            yield pc, behind
            pc = behind

    @staticmethod
    def load(choose, memory, at, name):
        told = [memory.setdefault(at + n & WORD, choose.choice((0, 1, 0x20, 0xFF)))
                for n in range(SIZES[name])]  # fmt: skip
        value = int.from_bytes(bytes(told), "little")
        return (value | 0xFFFFFF00 if value >> 7 else value) if name == "lb" else value


def some(choose, n, length):  # noqa: PLR0911 (a case each)
    """Return a random instruction, the one at place `n` of so many."""
    rd, one = choose.choice(NUMBERS), choose.choice(NUMBERS)
    other = choose.choice((0, *NUMBERS))
    base, at = choose.choice((2, 2, *ADDRESSES)), choose.choice((-8, -4))
    match choose.choice("niirbbbllssssaaoc"):
        case "n":
            return Instruction("alu", "addi", 4, rd, (0,), choose.choice((0, 1, 8, -1, 255)))
        case "i":
            name = choose.choice(
                ("addi", "andi", "ori", "xori", "slli", "srli", "srai", "slti", "sltiu")
            )
            return Instruction("alu", name, 4, rd, (one,), choose.choice((0, 1, 2, 8, 31, -1, -1)))
        case "r":
            return Instruction("alu", choose.choice(sorted(COMPUTED)), 4, rd, (one, other))
        case "b":
            near = [m for m in range(max(0, n - 4), min(n + 8, length + 1))
                    if m not in (n, n + 1)]  # fmt: skip
            to = choose.choice(near or [length])
            name = choose.choice(("beq", "bne", *sorted(COMPARED)))
            return Instruction("branch", name, 4, 0, (one, other), 4 * (to - n))
        case "l":
            name = choose.choice(("lw", "lw", "lw", "lbu", "lhu", "lb"))
            rd = choose.choice((rd, *ADDRESSES)) if name == "lw" else rd
            return Instruction("load", name, 4, rd, (base,), at)
        case "s":
            name = choose.choice(("sw", "sw", "sw", "sb", "sh"))
            more = choose.choice((0, 2)) if name != "sw" else 0
            other = choose.choice((0, *REGISTERS)) if name == "sw" else other
            return Instruction("store", name, 4, 0, (base, other), at + more)
        case "a":  # an address in the frame
            return Instruction("alu", "addi", 4, choose.choice(ADDRESSES), (2,),
                               choose.choice((0, 4)))  # fmt: skip
        case "o":  # so far from another, or what may be one
            name, other = choose.choice(("add", "sub")), choose.choice((0, *NUMBERS))
            return Instruction("alu", name, 4, choose.choice(ADDRESSES),
                               (choose.choice(ADDRESSES), other))  # fmt: skip
    name = choose.choice(("csrrci", "csrrsi", "csrrs", "csrrc", "csrrw"))
    if name.endswith("i"):
        return Instruction("csr", name, 4, rd, (), 8, MSTATUS)
    return Instruction("csr", name, 4, rd, (other,), other, MSTATUS)


def never_taken(program, interrupts=constants.UNKNOWN, words=None):
    """Return the ways that are never taken, by their places."""
    never = constants.never_taken(program, interrupts, words)
    return {
        (edge.source.pc, edge.target.pc)
        for edges in program.edges.values()
        for edge in edges
        if id(edge) in never
    }


def test_no_way_that_a_run_takes_is_one_that_is_never_taken():
    ran = cut = 0
    for seed in range(60):
        choose = random.Random(seed)
        program = Program([some(choose, n, 28) for n in range(28)])
        for is_open in (constants.MASKED, constants.OPEN, constants.UNKNOWN):
            left_out = never_taken(program, is_open)
            cut += len(left_out)
            for _ in range(12):
                begun = choose.random() < 0.5 if is_open == constants.UNKNOWN else bool(is_open)
                for pc, behind in program.run(choose, begun):
                    ran += 1
                    to = behind if behind in program.code else END
                    assert (pc, to) not in left_out, (seed, is_open, hex(pc), program.code)
    assert ran > 6_000
    assert cut > 100


# ---- each thing that is known, or is not, by itself ----

A, B, C, D = 5, 6, 10, 11


def put(register, number, base=0):
    return Instruction("alu", "addi", 4, register, (base,), number)


def store(register, base, at, name="sw"):
    return Instruction("store", name, 4, 0, (base, register), at)


def load(register, base, at):
    return Instruction("load", "lw", 4, register, (base,), at)


def over(register, places=1, name="beq", other=0):
    return Instruction("branch", name, 4, 0, (register, other), 4 * (places + 1))


def csr(name, register=0, to=0):
    reads = () if name.endswith("i") else (register,)
    return Instruction("csr", name, 4, to, reads, register or 8, MSTATUS)


NOTHING = put(0, 0)
WAY_OFF = [load(C, 12, 0)]  # an address that nobody knows
ON_EITHER = [over(7, 2), put(C, -8, 2), over(0), put(C, 0, 12)]  # in the frame, or elsewhere

# Instructions, and whether the branch behind them, which asks whether A is 0, has one side only.
KNOWN = {
    "a constant": ([put(A, 1)], True),
    "unknown": ([NOTHING], False),
    "the frame": ([put(B, 1), store(B, 2, -4), load(A, 2, -4)], True),
    "by another register": ([put(B, 1), put(C, -8, 2), store(B, C, 4), load(A, 2, -4)], True),
    "never stored": ([load(A, 2, -4)], False),
    "elsewhere": ([put(B, 1), store(B, C, 0), load(A, C, 0)], False),
    "overwritten": ([put(B, 1), store(B, 2, -4), store(C, 2, -4), load(A, 2, -4)], False),
    "overwritten by half": (
        [put(B, 1), store(B, 2, -4), store(C, 2, -2, "sh"), load(A, 2, -4)], False,
    ),
    "a byte of it": ([put(B, 1), store(B, 2, -4, "sb"), load(A, 2, -4)], False),
    "a store elsewhere": ([put(B, 1), store(B, 2, -4), store(7, 12, 0), load(A, 2, -4)], True),
    "a store to who knows where, who may know it": (
        [put(B, 1), store(B, 2, -4), put(C, -4, 2), store(C, 12, 0), *WAY_OFF, store(7, C, 0),
         load(A, 2, -4)], False,
    ),
    "a store to who knows where, masked": (
        [csr("csrrci"), put(B, 1), store(B, 2, -4), put(C, -4, 2), store(C, 12, 0), *WAY_OFF,
         store(7, C, 0), load(A, 2, -4)], False,
    ),
    "a store to where it may be, by the other way": (
        [put(B, 1), store(B, 2, -4), over(7, 2), *WAY_OFF, over(0), put(C, -8, 2), store(7, C, 4),
         load(A, 2, -4)], False,
    ),
    "known to others, masked": (
        [csr("csrrci"), put(B, 1), put(C, -8, 2), store(C, 12, 0), store(B, 2, -4),
         load(A, 2, -4)], True,
    ),
    "known to others, open": (
        [csr("csrrsi"), put(B, 1), put(C, -8, 2), store(C, 12, 0), store(B, 2, -4),
         load(A, 2, -4)], False,
    ),
    "known to others, who were let in": (
        [csr("csrrci"), put(B, 1), put(C, -8, 2), store(C, 12, 0), store(B, 2, -4), csr("csrrsi"),
         csr("csrrci"), load(A, 2, -4)], False,
    ),
    "a store to where it may be": (
        [put(B, 1), store(B, 2, -4), *ON_EITHER, store(7, C, 4), load(A, 2, -4)], False,
    ),
    "known to others, who may be it": (
        [put(B, 1), store(B, 2, -4), *ON_EITHER, store(C, 12, 0), *WAY_OFF, store(7, C, 0),
         load(A, 2, -4)], False,
    ),
    "its address kept in the frame, and lost": (
        [put(B, 1), store(B, 2, -4), put(C, -4, 2), store(C, 2, -8), over(7), store(0, 2, -8),
         load(C, 2, -8), store(7, C, 0), load(A, 2, -4)], False,
    ),
    "its address cut in two": (
        [put(B, 1), store(B, 2, -4), put(C, -4, 2), store(C, 2, -8), store(7, 2, -6, "sh"),
         load(C, 2, -8), store(7, C, 0), load(A, 2, -4)], False,
    ),
    "its address copied by parts": (
        [csr("csrrci"), put(B, 1), store(B, 2, -4), put(C, -4, 2), store(C, 2, -8),
         Instruction("load", "lbu", 4, D, (2,), -8), *WAY_OFF, store(7, C, 0), load(A, 2, -4)],
        False,
    ),
    "computed with": (
        [put(B, 1), store(B, 2, -4), put(C, -4, 2), Instruction("alu", "add", 4, C, (C, 7)),
         store(7, C, 0), load(A, 2, -4)], False,
    ),
    "another stack": (
        [put(B, 1), store(B, 2, -4), put(C, -4, 2), load(2, 12, 0), store(7, C, 0),
         load(A, 2, -4)], False,
    ),
    "the same on both ways": ([over(7, 2), put(A, 1), over(0), put(A, 1)], True),
    "1 or 2": ([over(7, 2), put(A, 1), over(0), put(A, 2)], False),
    "1 or 3": ([over(7, 2), put(A, 1), over(0), put(A, 3)], True),
    "not 0, by a branch": ([put(B, 1), over(A, 1, "bne", B), over(0, 2), NOTHING, NOTHING], False),
    "1, by a branch": ([put(B, 1), over(A, 6, "bne", B)], True),
    "one bit that is not 0": (
        [Instruction("alu", "andi", 4, A, (7,), 8), over(A, 6)], True,
    ),
    "two bits that are not 0": (
        [Instruction("alu", "andi", 4, B, (7,), 9), over(B, 6),
         Instruction("alu", "andi", 4, A, (B,), 1)], False,
    ),
    "a sum's low bit": (
        [Instruction("alu", "ori", 4, B, (7,), 1), Instruction("alu", "andi", 4, B, (B,), 5),
         Instruction("alu", "slli", 4, C, (7,), 3), Instruction("alu", "add", 4, A, (B, C))], True,
    ),
    "a carry": (
        [Instruction("alu", "ori", 4, B, (7,), 2), Instruction("alu", "add", 4, B, (B, B)),
         Instruction("alu", "andi", 4, A, (B,), 2)], False,
    ),
    "not 0, as 0 or 1": ([put(B, 8), Instruction("alu", "sltiu", 4, A, (B,), 1)], True),
    "one bit, as 0 or 1": (
        [Instruction("alu", "ori", 4, B, (7,), 8), Instruction("alu", "sltiu", 4, A, (B,), 1)],
        True,
    ),
    "anything, as 0 or 1": ([Instruction("alu", "sltiu", 4, A, (7,), 1)], False),
    "not 0, behind a branch": ([over(7, 5), put(A, 0, 7)], True),
    "0, behind a branch": ([over(7, 5, "bne"), put(A, 0, 7)], True),
    "not 0, by way of a frame": (
        [over(7, 8), store(7, 2, -8), put(7, 1), load(A, 2, -8), NOTHING], True,
    ),
    "not 0, or another": ([over(7, 1), put(7, 0, 6), put(A, 0, 7)], False),
    "more than what is not 0": ([over(7, 5), put(A, 1, 7)], False),
    "a bit of what is not 0": (
        [over(7, 6), Instruction("alu", "andi", 4, A, (7,), 8), NOTHING], False,
    ),
    "one less is no more than some": (
        [put(B, 9), put(A, -1, 7), over(B, 7, "bltu", A), put(A, 0, 7), NOTHING], True,
    ),
    "one less may be all": (
        [put(B, -1), put(A, -1, 7), over(B, 7, "bltu", A), put(A, 0, 7), NOTHING], False,
    ),
    "one less is more than some": (
        [put(B, 9), put(A, -1, 7), over(B, 7, "bgeu", A), put(A, 0, 7), NOTHING], False,
    ),
    "one less than it was": (
        [put(B, 9), put(A, -1, 7), load(7, 12, 0), over(B, 7, "bltu", A), put(A, 0, 7), NOTHING],
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("told", "known"), [({}, 0), ({0x1010: (0xFFFFFFFF, 0)}, 1), ({0x1010: (8, 8)}, 1),
                        ({0x1014: (0xFFFFFFFF, 0)}, 0)],
)  # fmt: skip
def test_a_word_that_is_told_is_known_wherever_it_is_loaded(told, known):
    word = Instruction("alu", "lui", 4, C, (), 0x1000)
    instructions = [csr("csrrci"), word, csr("csrrsi"), store(7, 12, 0), load(A, C, 0x10)]
    program = Program([*instructions, over(A), NOTHING, NOTHING])
    assert len({(20, 24), (20, 28)} & never_taken(program, words=told)) == known


def test_behind_a_trap_out_of_user_mode_the_frame_is_nobody_else_s():
    trap = Instruction("ecall", "ecall", 4, 0)
    other = Instruction("csr", "csrrw", 4, 2, (2,), 2, 0x340)  # the stack, by mscratch
    for begun, known in (([trap, other], 1), ([other], 0)):
        instructions = [*begun, csr("csrrsi"), csr("csrrci", to=B), store(B, 2, -4),
                        store(7, 12, 0), load(A, 2, -4)]  # fmt: skip
        program = Program([
            *instructions, Instruction("alu", "andi", 4, A, (A,), 8), over(A), NOTHING, NOTHING,
        ])  # fmt: skip
        at = 4 * len(instructions) + 4
        assert len({(at, at + 4), (at, at + 8)} & never_taken(program)) == known


@pytest.mark.parametrize("name", KNOWN)
def test_a_branch_has_one_side_where_its_register_is_known_and_two_where_it_may_not_be(name):
    instructions, is_known = KNOWN[name]
    program = Program([*instructions, over(A, 1), NOTHING, NOTHING, NOTHING, NOTHING, NOTHING])
    at = 4 * len(instructions)
    sides = {(at, at + 4), (at, at + 8)}
    assert len(sides & never_taken(program)) == int(is_known)


KEYS = {
    "open": ([csr("csrrci", to=A)], (constants.OPEN,)),
    "masked before": ([csr("csrrci"), csr("csrrci", to=A)], (0, 1, 2)),
    "opened by a key": ([csr("csrrs", B), csr("csrrci", to=A)], (constants.OPEN,)),
    "opened": ([csr("csrrsi"), csr("csrrci", to=A)], (0, 1, 2)),
    "by a key that says masked": (
        [csr("csrrci"), put(B, 0), csr("csrrs", B), csr("csrrci", to=A)],
        (0, 1, 2),
    ),
    "by a key of its own": (
        [csr("csrrci", to=B), put(C, 0, B), csr("csrrci"), csr("csrrs", C), csr("csrrci", to=A)],
        (constants.OPEN, constants.MASKED),
    ),
    "by any": ([csr("csrrci"), csr("csrrs", B), csr("csrrci", to=A)], ()),
    "whatever was there": ([csr("csrrw", B), csr("csrrci", to=A)], ()),
}


def test_nothing_is_known_of_a_frame_that_was_there_before():
    instructions = [csr("csrrci"), put(B, 1), store(B, 2, -4), store(7, 12, 0), load(A, 2, -4)]
    for entry, known in ((0, 1), (4, 0)):
        program = Program([*instructions, over(A), NOTHING, NOTHING], entry)
        assert len({(20, 24), (20, 28)} & never_taken(program)) == known


@pytest.mark.parametrize("name", KEYS)
def test_a_key_says_open_where_that_is_known(name):
    instructions, known = KEYS[name]
    program = Program(
        [*instructions, Instruction("alu", "andi", 4, A, (A,), 8), over(A), NOTHING, NOTHING]
    )
    at = 4 * len(instructions) + 4
    for interrupts in (constants.MASKED, constants.OPEN, constants.UNKNOWN):
        cut = len({(at, at + 4), (at, at + 8)} & never_taken(program, interrupts))
        expected = int(interrupts in known or (name == "open" and interrupts == constants.MASKED))
        assert cut == expected, interrupts
