# SPDX-License-Identifier: Apache-2.0
"""Random programs for the table's check: each kind of instruction behind each other, interrupted.

What compilers emit is a small part of what may follow what. So here every kind stands beside every
other, at both halves of a word, with branches and jumps among them that go forwards only, and a
handler that arms the next interrupt a random number of clocks ahead, and returns. The body is
run many times over, with other values in the registers, so that an interrupt arrives in each
clock of each pair, sooner or later.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from foliot.model.errors import FoliotError

LENGTH = 2500
ROUNDS = 60

_FREE = ["t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5", "s1"]  # the others are the frame's below
_THREE = ("add", "sub", "xor", "or", "and", "sll", "srl", "sra", "slt", "sltu")
_TWO = ("addi", "xori", "ori", "andi", "slti", "sltiu")
_HIGH = ("mulh", "mulhu", "mulhsu")
_DIVISIONS = ("div", "divu", "rem", "remu")
_BRANCHES = ("beq", "bne", "blt", "bge", "bltu", "bgeu")
_CONTROL = (
    "csrrci {a}, mstatus, 8", "csrsi mstatus, 8", "csrsi mstatus, 8", "csrr {a}, mstatus",
    "csrsi mstatus, 0", "csrw mscratch, {a}", "csrrw {a}, mscratch, {b}", "csrr {a}, mcause",
    "csrr {a}, mip", "csrr {a}, mepc", "csrs mie, s4", "csrci mie, 0", "csrw mie, s4",
    "csrc mstatus, s5\n csrs mstatus, s5", "csrw mstatus, s3", "fence", "fence.i",
)  # fmt: skip

_FRAME = """
.section .text
.globl _start
.option norvc
_start: j begin
.balign 256
vectors:
 .rept 32
 j handler
 .endr
.option rvc
handler:
 csrr s8, mcause
 bltz s8, 1f
 csrr s8, mepc      # an ecall, or a load or store that faults: behind it
 addi s8, s8, 4
 csrw mepc, s8
 mret
1: sw zero, 4(s6)
 mul s7, s7, s9
 addi s7, s7, 1013
 srli s8, s7, 16
 andi s8, s8, 63
 addi s8, s8, 6
 sw s8, 0(s6)
 mret
functions:
FUNCTIONS
begin:
 la t0, vectors + 1
 csrw mtvec, t0
 la s0, data
 la sp, data + 4096
 li s3, 0x1888
 li s4, 2048
 li s5, 8
 li s6, 0x40000020  # the injector
 li s9, 1103515245
 li s7, SEED
 sw zero, 1024(s0)   # where nothing is, to be loaded
 li s11, ROUNDS
 csrw mie, s4
 li t0, 50
 sw t0, 0(s6)
 csrsi mstatus, 8
again:
BODY
 mul s10, s10, s9
 addi s10, s10, 1013
 mv a0, s10
 srli a1, s10, 3
 mul a4, s10, s10
 mv a5, a1
 addi s11, s11, -1
 beqz s11, 2f
 la t0, again
 jr t0
2: csrci mstatus, 8
 li t0, 0x5555
 li t1, 0x100000
 sw t0, 0(t1)
3: j 3b
.section .data
.balign 16
data: .space 8192, 17
"""
_LINK = "SECTIONS { . = 0x80000000; .text : { *(.text) } .data : { *(.data) *(.bss) } }\n"


def text(seed: int, length: int = LENGTH, rounds: int = ROUNDS) -> str:
    """Return the assembly of a random program."""
    dice = random.Random(seed)  # noqa: S311 (nothing secret)
    body = "\n".join(f"l{n}: {_draw(dice, n)}" for n in range(length))
    body += "".join(f"\nl{n}: nop" for n in range(length, length + 8))
    functions = "\n".join(_function(dice, n) for n in range(8))
    frame = _FRAME.replace("BODY", body).replace("FUNCTIONS", functions)
    return frame.replace("SEED", str(dice.getrandbits(31))).replace("ROUNDS", str(rounds))


def _function(dice: random.Random, number: int) -> str:
    first = dice.choice(["addi a0, a0, 1000", "c.addi a0, 1", "lw a0, 8(s0)", "mul a0, a0, a1"])
    last = dice.choice(["ret", "c.addi a1, 3\n ret", "lw a1, 4(s0)\n ret"])
    return f".balign 4\n{'c.nop' if number % 2 else ''}\nf{number}: {first}\n {last}"


def _draw(dice: random.Random, n: int) -> str:
    """Return the instruction at label n."""
    a, b, c = (dice.choice(_FREE) for _ in range(3))
    forward = f"l{n + dice.randint(1, 4)}"
    kinds = {
        f"{dice.choice(_THREE)} {a}, {b}, {c}": 22,
        f"{dice.choice(_TWO)} {a}, {b}, {dice.randint(-2048, 2047)}": 12,
        f"lui {a}, {dice.getrandbits(20)}": 3,
        f"lw {a}, {4 * dice.randrange(60)}(s0)": 12,
        f"{dice.choice(['lb', 'lbu'])} {a}, {dice.randrange(240)}(s0)": 4,
        f"{dice.choice(['lh', 'lhu'])} {a}, {2 * dice.randrange(120)}(s0)": 4,
        f"sw {a}, {4 * dice.randrange(60)}(s0)": 8,
        f"sb {a}, {dice.randrange(240)}(s0)": 2,
        f"sh {a}, {2 * dice.randrange(120)}(s0)": 2,
        f"mul {a}, {b}, {c}": 3,
        f"{dice.choice(_HIGH)} {a}, {b}, {c}": 2,
        f"{dice.choice(_DIVISIONS)} {a}, {b}, {c}": 2,
        dice.choice(_CONTROL).format(a=a, b=b): 7,
        f"{dice.choice(_BRANCHES)} {a}, {b}, {forward}": 10,
        f"beqz {a}, {forward}": 3,
        f"j {forward}": 2,
        f"call f{dice.randrange(8)}": 2,
        f"la t0, l{n + 1}\n jr t0": 1,
        ".option push\n.option norvc\n ecall\n.option pop": 1,
        _fault(dice, a, b): 1,
    }
    return dice.choices([*kinds], [*kinds.values()])[0]


def _fault(dice: random.Random, a: str, b: str) -> str:
    """Return a load or store where nothing is, behind any instruction, or a load of its address."""
    base = dice.choice(["zero", a])
    first = f" lw {a}, 1024(s0)\n" if base == a else ""
    access = f"{dice.choice(['lw', 'lbu', 'sw', 'sb'])} {b}, 0({base})"
    return f".option push\n.option norvc\n{first} {access}\n.option pop"


def program(seed: int, directory: Path, length: int = LENGTH, rounds: int = ROUNDS) -> Path:
    """Assemble a random program; FoliotError where the compiler can't."""
    source, script = directory / f"random-{seed}.S", directory / "random.ld"
    elf = directory / f"random-{seed}.elf"
    source.write_text(text(seed, length, rounds), encoding="utf-8")
    script.write_text(_LINK, encoding="utf-8")
    command = [
        "riscv64-unknown-elf-gcc", "-march=rv32imc_zicsr_zifencei", "-mabi=ilp32", "-nostdlib",
        "-Wl,--no-warn-rwx-segments", "-T", str(script), "-o", str(elf), str(source),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        raise FoliotError("a random program can't be assembled", lines=done.stderr.splitlines()[:4])
    return elf
