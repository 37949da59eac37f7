# SPDX-License-Identifier: Apache-2.0
"""Programs of random instructions, for simulators that are held against each other.

Each runs to its end whatever it does: branches go forwards, stores go into a buffer of its own, and
what traps is counted and passed over. At the end it prints its registers and a sum over the buffer.
"""

from __future__ import annotations

import random

from support.simulator import PROGRAMS

REGISTERS = [f"x{n}" for n in range(32) if n not in (2, 26, 27)]
SHORT = [f"x{n}" for n in range(8, 16)]
SHORT_SHARE = 0.4
BASE = "x26"  # the buffer's middle; x27 is the devices'
THREE = ["add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and",
         "mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"]  # fmt: skip
TWO = ["addi", "slti", "sltiu", "xori", "ori", "andi"]
SHIFTS = ["slli", "srli", "srai"]
LOADS, STORES = ["lb", "lh", "lw", "lbu", "lhu"], ["sb", "sh", "sw"]
BRANCHES = ["beq", "bne", "blt", "bge", "bltu", "bgeu"]
EDGES = [0, 1, 2, 31, 32, 0x7FF, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF]
# In QEMU what mtval tells of a wrong instruction or a call is another matter.
TRAPS = (".word 0x0000707b", ".word 0x02007033 | 0x80000000", ".half 0x0000", "ecall", "ebreak",
         ".word 0x00200073", "csrr a0, 0x5c0", "csrw mhartid, a0", ".half 0x9c41")  # fmt: skip
EVERYWHERE = ("mscratch",)  # what holds alike what is written, in QEMU, too
IBEX = (*EVERYWHERE, "mepc", "mcause", "mtval")


class _Stream:
    """Draws instructions, in the forms that an assembler may shorten among others."""

    def __init__(self, dice: random.Random, control: tuple[str, ...]) -> None:
        """`control`: the control registers that are written and read."""
        self.dice = dice
        self.control = control
        self.n = 0
        kinds = {
            self._three: 40, self._two: 15, self._shift: 7, self._upper: 4, self._edge: 2,
            self._load: 9, self._store: 9, self._branch: 7, self._jump: 2, self._csr: 3,
            self._trap: 2,
        }  # fmt: skip
        self.kinds, self.weights = [*kinds], [*kinds.values()]

    def draw(self, n: int) -> str:
        """Return the instruction at label n."""
        self.n = n
        return self.dice.choices(self.kinds, self.weights)[0]()

    def _register(self) -> str:
        return self.dice.choice(SHORT if self.dice.random() < SHORT_SHARE else REGISTERS)

    def _pair(self) -> str:
        """Return a result and an operand, often the same."""
        rd = self._register()
        return f"{rd}, {rd if self.dice.random() < SHORT_SHARE else self._register()}"

    def _three(self) -> str:
        return f"{self.dice.choice(THREE)} {self._pair()}, {self._register()}"

    def _two(self) -> str:
        imm = self.dice.choice([self.dice.randint(-32, 31), self.dice.randint(-2048, 2047)])
        return f"{self.dice.choice(TWO)} {self._pair()}, {imm}"

    def _shift(self) -> str:
        return f"{self.dice.choice(SHIFTS)} {self._pair()}, {self.dice.randint(0, 31)}"

    def _upper(self) -> str:
        imm = self.dice.choice([self.dice.randint(0, 31), self.dice.randint(0, 0xFFFFF)])
        return f"lui {self._register()}, {imm}"

    def _edge(self) -> str:
        return f"li {self._register()}, {self.dice.choice(EDGES):#x}"

    def _place(self) -> str:
        offset = self.dice.randint(-2044, 2044) & self.dice.choice([-1, -1, -2, -4])
        return f"{self._register()}, {offset}({BASE})"

    def _load(self) -> str:
        return f"{self.dice.choice(LOADS)} {self._place()}"

    def _store(self) -> str:
        return f"{self.dice.choice(STORES)} {self._place()}"

    def _branch(self) -> str:
        other = self.dice.choice([self._register(), "x0"])
        to = f"l{self.n + self.dice.randint(1, 6)}"
        return f"{self.dice.choice(BRANCHES)} {self._register()}, {other}, {to}"

    def _jump(self) -> str:
        return f"jal {self._register()}, l{self.n + self.dice.randint(1, 4)}"

    def _csr(self) -> str:
        word = self.dice.choice(["csrrw", "csrrs", "csrrc"])
        return f"{word} {self._register()}, {self.dice.choice(self.control)}, {self._register()}"

    def _trap(self) -> str:
        return self.dice.choice(TRAPS)


def program(seed: int, length: int, control: tuple[str, ...]) -> str:
    """Return a program's source, for tests/sim/programs/runtime.S."""
    dice = random.Random(seed)
    stream = _Stream(dice, control)
    lines = [f"l{n}: {stream.draw(n)}" for n in range(length)]
    lines += [f"l{length + n}: nop" for n in range(8)]
    values = [f"\tli {name}, {dice.getrandbits(32):#x}" for name in REGISTERS if name != "x0"]
    text = (PROGRAMS / "random.S").read_text(encoding="utf-8")
    return text.replace("VALUES", "\n".join(values)).replace("STREAM", "\n".join(lines))
