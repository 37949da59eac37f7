# SPDX-License-Identifier: Apache-2.0
"""What is proved of RV32's assembly, on the linked image's bytes (lab/foliot/prove)."""

from __future__ import annotations

import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from foliot.model.errors import FoliotError
from foliot.prove import assembly, fast_paths, faults, messages, rv32, verifiers
from support.command import ROOT
from support.simulator import GCC

SEED, SEEDED, SEEDED_LONG = 26, 5, 20
BOARDS = ("qemu_riscv32", "ibex")
GUARDED = "stackguard"  # the same with a stack guard, which switches have in them
# Minutes, or the same once more.
LONG = {
    ("qemu_riscv32", "trap"),
    *(("ibex", part) for part in ("trap", "call", "fast")),
}
PROVED = [
    pytest.param(
        board, conf, part,
        marks=[pytest.mark.long] * ((board, part) in LONG or conf != ""),
    )
    for part in assembly.PARTS
    for board in BOARDS
    for conf in ("", GUARDED)
]  # fmt: skip
# Whose instructions are taken out one at a time: from a symbol on, so many of them.
PIECES = {
    "switch": ("arch_switch", 32), "domain": ("riscv_load_domain", 42),
    "user": ("arch_user_enter", 52),
}  # fmt: skip

pytestmark = [pytest.mark.board(*BOARDS), pytest.mark.needs("prover")]


@pytest.fixture(scope="module")
def images(foliot):
    return {board: image_of(foliot, board, "") for board in BOARDS}


def image_of(foliot, board, conf, app="user", room="samples"):
    words = ["--conf", conf] if conf else []
    done = foliot("build", f"{room}/{app}", "--board", board, *words, "--quiet")
    assert done.returncode == 0, done.stderr
    name = f"{app}-{conf}" if conf else app
    return rv32.Image(ROOT / "build" / "firmware" / board / name / "firmware.elf")


@pytest.mark.slow
@pytest.mark.parametrize(("board", "conf", "part"), PROVED)
def test_each_claim_holds_at_the_end_of_each_path(images, foliot, board, conf, part):
    image = image_of(foliot, board, conf) if conf else images[board]
    found = assembly.PARTS[part](image)
    assert len(found) >= 7
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.slow
@pytest.mark.parametrize("conf", ["", pytest.param("ring", marks=pytest.mark.long)])
def test_the_switch_of_an_image_without_user_threads_and_of_one_that_is_traced(foliot, conf):
    found = assembly.switch(image_of(foliot, "qemu_riscv32", conf, "hello"))
    assert len(found) >= 19
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.long
def test_traps_of_an_image_that_is_traced(foliot):
    found = assembly.PARTS["trap"](image_of(foliot, "qemu_riscv32", "ring", "hello"))
    assert len(found) >= 8
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.long
@pytest.mark.parametrize("board", BOARDS)
def test_messages_in_registers(foliot, board):
    found = messages.message(image_of(foliot, board, "", "bank"))
    taken = {one.name.split(":")[0] for one in found}
    assert taken >= {
        "slow, user_call_words",
        "back",
        "goes on",
        "goes on in the kernel",
    }
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "board", ["qemu_riscv32", pytest.param("ibex", marks=pytest.mark.long)]
)  # fmt: skip
def test_a_fault_that_has_no_gate_is_told_with_all_registers(foliot, board):
    found = faults.fault(image_of(foliot, board, "", "bank"))
    assert len(found) >= 37
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "conf"), [("qemu_riscv32", ""), ("qemu_riscv32", GUARDED), ("ibex", "")]
)
def test_a_faults_way_to_its_handler_and_back(foliot, board, conf):
    found = faults.fault(image_of(foliot, board, conf, "ipc", "suites"))
    taken = {one.name.split(":")[0] for one in found}
    assert taken >= {
        "reported", "answered", "told, goes on", "told, goes on in the kernel", "woken, answered",
    }  # fmt: skip
    assert len(found) >= 2000
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.long
def test_an_instruction_that_is_missing_on_that_way_is_noticed(foliot):
    image = image_of(foliot, "ibex", "", "ipc", "suites")
    at = image.symbols["riscv_user_fault"]
    end, places = at + image.sizes["riscv_user_fault"], []
    while at < end:
        if image.code[at].name not in {*BRANCHES, "beqz", "bnez", "j", "jal", "jr", "mret"}:
            places.append(at)
        at += image.code[at].length
    for place in random.Random(SEED).sample(places, SEEDED_LONG):
        was = image.code[place]
        image.code[place] = replace(was, name="addi", operands=("x0", "x0", "0"))
        try:
            assert not all(one.does_hold for one in faults.each(image)), was
        except FoliotError:
            pass  # a path that leads nowhere
        finally:
            image.code[place] = was


def test_a_fast_path_leaves_alone_what_is_neither_saved_nor_wiped(images):
    found = fast_paths.fast_paths(images["qemu_riscv32"])
    assert len(found) >= 5000
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.long
@pytest.mark.parametrize(("board", "app"), [("ibex", "user"), ("qemu_riscv32", "bank")])
def test_and_so_do_those_of_other_images(foliot, board, app):
    found = fast_paths.fast_paths(image_of(foliot, board, "", app))
    assert len(found) >= 5000
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.parametrize(
    ("name", "is_done_here", "count"),
    [
        ("fast_k_event_set", True, 12),
        pytest.param("fast_k_event_set", True, 60, marks=pytest.mark.long),
        pytest.param("fast_k_queue_get", False, 60, marks=pytest.mark.long),
    ],
)
def test_a_fast_path_that_changes_another_register_is_noticed(images, name, is_done_here, count):
    """Anywhere in it: s8; and t1 where the call is done behind, not where all is wiped."""
    image = images["qemu_riscv32"]
    at, places = image.symbols[name], []
    end = at + image.sizes[name]
    while at < end:
        if image.code[at].name not in {*BRANCHES, "beqz", "bnez", "j", "jal", "jr"}:
            places.append(at)
        at += image.code[at].length
    noticed = {"x24": 0, "x6": 0}
    for place in random.Random(SEED).sample(places, count):
        was = image.code[place]
        for register in noticed:
            image.code[place] = replace(was, name="addi", operands=(register, register, "4"))
            found = fast_paths.fast_paths(image, name)
            noticed[register] += not all(one.does_hold for one in found)
        image.code[place] = was
    assert noticed["x24"] == count
    assert (noticed["x6"] > count / 4) == is_done_here


def test_each_verifier_of_an_object_is_known():
    """Those that look at their first parameter, as far as one line of their source says so."""
    asked = {one.name: one.kind for one in verifiers.asked()}
    assert len(asked) >= 60
    assert asked["k_sem_count_get"] == asked["k_sem_give"] == "K_OBJ_SEM"
    assert asked["k_thread_join"] == "K_OBJ_THREAD"


@pytest.mark.slow
def test_what_a_verifier_lets_pass_is_the_threads_to_use(images):
    found = verifiers.verifiers(images["qemu_riscv32"], "k_sem_count_get")
    assert len(found) >= 4
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "app"),
    [("qemu_riscv32", "user"), ("qemu_riscv32", "bank"), ("ibex", "user")],
)
def test_what_verifiers_let_pass_is_the_threads_to_use(foliot, board, app):
    found = verifiers.verifiers(image_of(foliot, board, "", app))
    assert len(found) >= 500
    assert [one.name for one in found if not one.does_hold] == []


@pytest.mark.long
def test_a_verifier_that_asks_less_is_noticed(images):
    """Each of its branches taken out: two of them are about the name and the right."""
    image = images["qemu_riscv32"]
    at = image.symbols["verify_k_sem_count_get"]
    end = at + image.sizes["verify_k_sem_count_get"]
    noticed = 0
    while at < end:
        was = image.code[at]
        if was.name in {*BRANCHES, "beqz", "bnez"}:
            image.code[at] = replace(was, name="addi", operands=("x0", "x0", "0"))
            found = verifiers.verifiers(image, "k_sem_count_get")
            noticed += not all(one.does_hold for one in found)
            image.code[at] = was
        at += was.length
    assert noticed >= 2


@pytest.mark.slow
def test_an_instruction_that_is_missing_is_noticed(images):
    image = images["qemu_riscv32"]
    chance = random.Random(SEED)
    places = []
    for part, (symbol, count) in PIECES.items():
        at = image.symbols[symbol]
        for _ in range(count):
            places.append((part, at))
            at += image.code[at].length
    for part, place in chance.sample(places, SEEDED):
        was = image.code[place]
        if was.name in {"mret", "jr", "jal", "beq", "csrrs"}:
            continue  # ends and branches; csrrs there reads what is written back as it was
        image.code[place] = replace(was, name="addi", operands=("x0", "x0", "0"))
        try:
            assert not all(one.does_hold for one in assembly.PARTS[part](image)), was
        except FoliotError:
            pass  # a path that leads nowhere
        finally:
            image.code[place] = was


def test_an_instruction_that_is_not_known_is_an_error(images):
    image = images["ibex"]
    at = image.symbols["arch_switch"]
    was = image.code[at]
    image.code[at] = replace(was, name="mulhsu")
    with pytest.raises(FoliotError, match="mulhsu is not known"):
        assembly.switch(image)
    image.code[at] = was


# ---- what instructions mean, held against the simulator ----

PROGRAMS = ROOT / "tests" / "sim" / "programs"
NUMBERS = [n for n in range(1, 32) if n not in {2, 26, 27}]  # x26 the memory's, x27 the devices'
WORDS = 8  # of memory, at x26
LENGTH = 12
THREE = ("add", "sub", "sll", "srl", "sra", "and", "or", "xor", "slt", "sltu")
TWO = ("addi", "andi", "ori", "xori", "slti", "sltiu")
BRANCHES = ("beq", "bne", "blt", "bge", "bltu", "bgeu")
EDGES = (0, 1, 31, 0x7FF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def drawn(dice: random.Random, number: int) -> str:
    """Return an instruction at label `number`."""
    one, other, third = (f"x{dice.choice(NUMBERS)}" for _ in range(3))
    place = f"{4 * dice.randrange(WORDS)}"
    return dice.choice(
        [f"{dice.choice(THREE)} {one}, {other}, {third}"] * 4
        + [
            f"{dice.choice(TWO)} {one}, {other}, {dice.choice((-2048, -1, 7, 2047))}",
            f"{dice.choice(('slli', 'srli', 'srai'))} {one}, {other}, {dice.randrange(32)}",
            f"lui {one}, {dice.getrandbits(20)}", f"auipc {one}, 1", f"mv {one}, {other}",
            f"lw {one}, {place}(x26)", f"sw {one}, {place}(x26)",
            f"{dice.choice(('lb', 'lbu', 'sb'))} {one}, {dice.randrange(4 * WORDS)}(x26)",
            f"{dice.choice(('lh', 'lhu', 'sh'))} {one}, {2 * dice.randrange(2 * WORDS)}(x26)",
            f"{dice.choice(('csrrw', 'csrrs', 'csrrc'))} {one}, mscratch, {other}",
            f"csrrsi {one}, mscratch, {dice.randrange(32)}",
            f"{dice.choice(BRANCHES)} {one}, {other}, l{number + dice.randint(1, 3)}",
            f"{dice.choice(('beqz', 'bnez'))} {one}, l{number + 2}", f"j l{number + 2}",
        ]
    )  # fmt: skip


def random_program(dice: random.Random) -> str:
    """Return a program that prints its registers, its memory and mscratch at the end."""
    values = [dice.choice((dice.getrandbits(32), dice.choice(EDGES))) for _ in NUMBERS]
    return "\n".join(
        [
            '#include "soc.h"', "\t.globl main", "main:", "\tla x26, words",
            *(f"\tli x5, {dice.getrandbits(32):#x}\n\tsw x5, {4 * n}(x26)" for n in range(WORDS)),
            "\tla x5, saved", "\tsw ra, 0(x5)", "\tli x5, 0x5a5a1234", "\tcsrw mscratch, x5",
            *(f"\tli x{n}, {value:#x}" for n, value in zip(NUMBERS, values, strict=True)),
            "\tj l0",
            *(f"l{n}: {drawn(dice, n)}" for n in range(LENGTH)),
            *(f"l{LENGTH + n}: nop" for n in range(4)),
            "\tla x26, registers", *(f"\tsw x{n}, {4 * n}(x26)" for n in NUMBERS),
            "\tcsrr s0, mscratch", "\tsw s0, 0(x26)",
            "\tla s0, registers", f"\tli s1, {32 + WORDS}",
            "1:\tlw s2, 0(s0)", "\tprintln s2", "\taddi s0, s0, 4", "\taddi s1, s1, -1",
            "\tbnez s1, 1b", "\tla s0, saved", "\tlw ra, 0(s0)", "\tli a0, 0", "\tret",
            "\t.globl on_trap", "on_trap: j on_trap", "\t.bss", "\t.balign 4",
            "registers: .space 128", f"words: .space {4 * WORDS}", "saved: .space 4", "",
        ]
    )  # fmt: skip


def agrees(elf: Path, source: str, printed: list[int]) -> bool:
    """Say whether what the terms of all paths come to is what the simulator printed."""
    image = rv32.Image(elf)
    words = image.symbols["words"]
    stored = [int(one, 16) for one in re.findall(r"li x5, (0x\w+)\n\tsw", source)]
    begun = {
        f"x{n}": int(v, 16) for n, v in re.findall(r"\tli x(\d+), (0x\w+)\n(?!\tsw|\tcsr)", source)
    }
    registers = {name: rv32.literal(value) for name, value in begun.items()}
    memory = "memory"
    for n, value in enumerate(stored):
        memory = f"(store {memory} {rv32.literal(words + 4 * n)} {rv32.literal(value)})"
    begin = rv32.State(
        image.symbols["l0"], registers | {"x26": rv32.literal(words)},
        {"mscratch": rv32.literal(0x5A5A1234)}, memory,
    )  # fmt: skip
    stop = image.symbols[f"l{LENGTH + 3}"]
    ends = [
        end for end in rv32.paths(image, begin, lambda now: now.pc == stop)
        if rv32.is_possible(end, ())
    ]  # fmt: skip
    assert len(ends) == 1  # all is known
    (end,) = ends
    claims = [f"(= {end.register(f'x{n}')} {rv32.literal(printed[n])})" for n in NUMBERS]
    claims += [f"(= {end.control('mscratch')} {rv32.literal(printed[0])})"]
    claims += [
        f"(= (select {end.memory} {rv32.literal(words + 4 * n)}) {rv32.literal(printed[32 + n])})"
        for n in range(WORDS)
    ]
    return rv32.holds(end, (), f"(and {' '.join(claims)})")


@pytest.mark.parametrize(
    "seed",
    [*range(6), *(pytest.param(n, marks=pytest.mark.long) for n in range(6, 200))],
)
def test_instructions_mean_what_they_mean_in_the_simulator(iss, tmp_path, seed):
    source = random_program(random.Random(seed))
    file, elf = tmp_path / "some.S", tmp_path / "some.elf"
    file.write_text(source, encoding="utf-8")
    words = [*GCC, "-I", PROGRAMS, PROGRAMS / "runtime.S", file, "-o", elf]
    subprocess.run(words, check=True, timeout=60)
    done = subprocess.run(
        [iss, "--elf", elf, "--max-cycles", "100000"], check=True, capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip
    printed = [int(line, 16) for line in done.stdout.splitlines()]
    assert agrees(elf, source, printed)
    other = [*printed[:5], printed[5] ^ 1, *printed[6:]]
    assert not agrees(elf, source, other)
