# SPDX-License-Identifier: Apache-2.0
"""User threads on the boards that have protection: what they may do, and what ends them."""

from __future__ import annotations

import re

import pytest

from foliot.image.elf import Image
from support.command import ROOT, machine_lines

HERE = ROOT / "tests" / "user"
ARCHITECTURES = {"qemu_riscv32": "riscv", "qemu_riscv64": "riscv", "ibex": "riscv",
                 "mps2_an385": "cortex_m"}  # fmt: skip
MORE = [  # with assertions, or on RTL, these are in each run
    ("qemu_riscv32", "features"),
    ("qemu_riscv32", "default"), ("mps2_an385", "default"), ("mps2_an385", "features"),
    ("ibex", "stackguard,fast"), ("ibex", "canaries-all,stackguard,fast"),
    ("qemu_riscv32", "canaries,checked"), ("qemu_riscv32", "stackguard,checked"),
    ("mps2_an385", "canaries"), ("mps2_an385", "stackguard,features"),
    ("qemu_riscv64", "default"), ("qemu_riscv64", "features"),
]  # fmt: skip
BOARDS = [
    ("qemu_riscv32", "checked"), ("mps2_an385", "checked"),
    ("ibex", "fast"), ("qemu_riscv32", "canaries-all,stackguard,checked"),
    ("mps2_an385", "canaries-all,stackguard,features"), ("qemu_riscv64", "checked"),
    *(pytest.param(*pair, marks=pytest.mark.long) for pair in MORE),
]  # fmt: skip
CALLS_REFUSED_AT_LEAST = 20  # places in the tests' sources
FAULTS_AT_LEAST = 100  # refused on purpose: fewer would mean that tests were left out


def names_in_sources(board: str, conf: str) -> set[str]:
    sources = {*HERE.glob("*.c"), *HERE.glob(f"arch/{ARCHITECTURES[board]}*.c")}
    if "stackguard" not in conf:
        sources.remove(HERE / "guard.c")
    if "canaries" not in conf:
        sources.remove(HERE / "canary.c")
    found = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    return set(re.findall(r"^TEST\((\w+)\)", found, re.MULTILINE))


@pytest.mark.board
@pytest.mark.parametrize(("board", "conf"), BOARDS)
def test_user_threads_do_what_they_may_and_end_where_they_may_not(foliot, board, conf):
    done = foliot.run("tests/user", board, conf, limit_s=400)
    lines = done.stdout.splitlines()
    passed = {line[5:] for line in lines if line.startswith("PASS ")}
    assert "PROJECT EXECUTION SUCCESSFUL" in lines, done.stdout[-4000:]
    assert names_in_sources(board, conf) == passed
    faults = machine_lines(done.stdout)
    assert len(faults) > FAULTS_AT_LEAST
    reasons = {fault["reason"] for fault in faults}
    assert {"cpu exception", "kernel oops"} <= reasons
    assert reasons <= {"cpu exception", "kernel oops", "stack overflow"}
    causes = {fault["cause"] for fault in faults}
    assert ("stack canary overwritten" in causes) == ("canaries" in conf)


@pytest.mark.board
@pytest.mark.parametrize("board", ["qemu_riscv32", "mps2_an385"])
def test_the_sample_with_calls_of_its_own_keeps_its_journal(foliot, board):
    done = foliot.run("samples/syscall", board, "default")
    lines = [line for line in done.stdout.splitlines() if line and line[0] not in "@*"]
    assert lines == [
        "add line 1: 0",
        "add line 2: 0",
        "add too long a line: -22",
        "read line 1: 0",
        "it is 'line 2', and its author this thread",
        "read line 7: -2",
        "add what is not its own",
        "0: line 1",
        "1: line 2",
    ]
    assert [fault["reason"] for fault in machine_lines(done.stdout)] == ["kernel oops"]
    assert done.returncode == 0


@pytest.mark.board
@pytest.mark.parametrize("board", ["qemu_riscv32", "mps2_an385"])
def test_the_report_of_a_refused_call_says_who_called(foliot, board):
    words = ("tests/user", "--board", board)
    built = foliot("build", *words).stdout
    image = Image(ROOT / next(line for line in built.splitlines() if line.endswith(".elf")))
    reports = machine_lines(foliot("run", *words, "--quiet").stdout)
    refused = {int(fault["pc"], 16) for fault in reports if fault["reason"] == "kernel oops"}
    assert len(refused) > CALLS_REFUSED_AT_LEAST
    # In front of where the call returns to: the call itself.
    files = {str(image.line(pc - 1)).split(":")[0] for pc in refused}
    ended_in_a_tail_call = {"user.S"}  # it returns to where threads begin
    assert files - ended_in_a_tail_call <= {path.name for path in HERE.rglob("*.c")}


@pytest.mark.board
@pytest.mark.parametrize("board", ["qemu_riscv32", "ibex", "mps2_an385"])
def test_a_fault_of_the_kernels_in_a_system_call_ends_the_run_with_its_dump(foliot, board):
    """The same store by the thread itself, before that, ended the thread alone."""
    done = foliot.run("tests/user/kernel_fault", board, "default")
    lines = [line for line in done.stdout.splitlines() if re.match(r"[a-z]", line)]
    assert lines == ["handler 0", "joined: 0", "in kernel mode", "handler 0"]
    first, last = machine_lines(done.stdout)
    assert (first["type"], last["type"], last["reason"]) == ("fault", "fault", "cpu exception")
    assert first["pc"] == last["pc"]
    assert done.returncode != 0
    assert "faults before this one: 1" in done.stderr


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [("qemu_riscv32", "stackguard"), ("mps2_an385", "stackguard"),
     pytest.param("qemu_riscv32", "canaries", marks=pytest.mark.long), ("mps2_an385", "canaries")],
)  # fmt: skip
def test_a_system_call_that_breaks_its_own_stack_ends_the_run(foliot, board, conf):
    """It overflows masked, so that a list may be half changed; or a frame of its own."""
    done = foliot.run("tests/user/kernel_fault", board, conf)
    assert [line for line in done.stdout.splitlines() if re.match(r"[a-z]", line)] == [
        "handler 0", "joined: 0", "in kernel mode", "handler 2",
    ]  # fmt: skip
    assert [fault["reason"] for fault in machine_lines(done.stdout)] == [
        "cpu exception", "stack overflow",
    ]  # fmt: skip
    assert done.returncode != 0


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "cause"),
    [("qemu_riscv32", "store access fault"), ("ibex", "store access fault"),
     ("mps2_an385", "data access violation")],
)  # fmt: skip
def test_the_sample_in_user_mode_survives_its_parser(foliot, board, cause):
    done = foliot.run("samples/user", board, "default")
    lines = [line for line in done.stdout.splitlines() if "sum" in line or "precious" in line]
    assert lines == [
        "123: parsed, sum 6",
        "4!5: the parser has ended, sum 10",
        "6: parsed, sum 16",
        "2 lines; precious is 42",
    ]
    assert [fault["cause"] for fault in machine_lines(done.stdout)] == [cause]
    assert done.returncode == 0


@pytest.mark.board
@pytest.mark.parametrize(
    "board", ["mps2_an385", pytest.param("ibex", marks=pytest.mark.long)],
)  # fmt: skip
def test_a_system_call_is_left_and_entered_again_at_every_instruction(foliot, board):
    done = foliot.run("tests/user/interrupted", board, "default", limit_s=400)
    assert done.stdout.splitlines()[-2:] == [
        "600 calls with an object that became another one meanwhile; 0 were let in",
        "900 calls, 1500 alarms, 450 woke the kernel's thread, 450 the user's; 0 wrong",
    ]
    assert done.returncode == 0
