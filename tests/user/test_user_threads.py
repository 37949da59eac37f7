# SPDX-License-Identifier: Apache-2.0
"""User threads on the boards that have protection: what they may do, and what ends them."""

from __future__ import annotations

import itertools
import re

import pytest

from foliot.image.elf import Image
from support.command import ROOT, machine_lines

HERE = ROOT / "tests" / "user"
ARCHITECTURES = {"qemu_riscv32": "riscv", "qemu_riscv64": "riscv", "ibex": "riscv",
                 "mps2_an385": "cortex_m", "mps2_an386": "cortex_m", "mps2_an500": "cortex_m",
                 "mps2_an521": "cortex_m", "qemu_aarch64": "aarch64",
                 "qemu_aarch64_a76": "aarch64", "raspi3b": "aarch64",
                 "qemu_x86_64": "x86_64", "host": "host"}  # fmt: skip
MORE = [  # with assertions, or on RTL, these are in each run
    ("qemu_riscv64", "checked"), ("mps2_an385", "canaries-all,stackguard,features"),
    ("qemu_riscv32", "canaries-all,stackguard,checked"), ("qemu_riscv32", "features"),
    ("qemu_riscv32", "checked"),
    ("qemu_riscv32", "default"), ("mps2_an385", "default"), ("mps2_an385", "features"),
    ("ibex", "stackguard,fast"), ("ibex", "canaries-all,stackguard,fast"),
    ("qemu_riscv32", "canaries,checked"), ("qemu_riscv32", "stackguard,checked"),
    ("mps2_an385", "canaries"), ("mps2_an385", "stackguard,features"),
    ("mps2_an386", "default"),
    ("mps2_an386", "fpu,checked"), ("mps2_an500", "default"),
    ("mps2_an521", "default"), ("mps2_an521", "checked"),
    ("mps2_an521", "canaries"), ("mps2_an521", "stackguard,features"),
    ("qemu_riscv64", "default"), ("qemu_riscv64", "features"),
    ("qemu_aarch64", "default"), ("qemu_aarch64", "features"), ("qemu_aarch64", "checked"),
    ("raspi3b", "canaries,checked"), ("qemu_aarch64", "el2,stackguard,features"),
    ("qemu_aarch64_a76", "canaries-all,stackguard"),
    ("qemu_aarch64", "el2,checked"), ("qemu_aarch64_a76", "checked"),
    ("qemu_x86_64", "default"), ("qemu_x86_64", "features"), ("qemu_x86_64", "checked"),
    ("qemu_x86_64", "stackguard,features"), ("qemu_x86_64", "canaries,checked"),
    ("qemu_riscv64", "stackguard,checked"), ("qemu_riscv64", "canaries-all,stackguard,features"),
    ("qemu_riscv32", "checked,deadline"), ("mps2_an385", "deadline"), ("qemu_aarch64", "deadline"),
    ("qemu_x86_64", "deadline"), ("qemu_x86_64", "fpu,checked"),
    ("qemu_x86_64", "canaries-all,stackguard,fpu"),
    ("host", "objcore,timeslicing"), ("host", "checked,deadline"),
]  # fmt: skip
BOARDS = [
    ("qemu_riscv32", "checked,fast"), ("mps2_an385", "checked"),
    ("ibex", "fast"),
    ("qemu_aarch64", "canaries-all,stackguard,checked,fast"),
    ("qemu_x86_64", "canaries-all,stackguard,checked,fast"),
    *(pytest.param(*pair, marks=pytest.mark.long)
      for pair in (("qemu_aarch64_a76", "el2,checked"), *MORE)),
]  # fmt: skip
# Each feature with each other one, with and without.
MIXES = [
    "small", "small,checked", "small,stackguard,timeslicing", "small,canaries-all,objcore",
    "ipc,canaries,objcore,timeslicing", "ipc,stackguard,canaries-all,objcore,checked",
    "small,ipc,objcore,timeslicing,stackguard,canaries",
]  # fmt: skip
CALLS_REFUSED_AT_LEAST = 20  # places in the tests' sources
FAULTS_AT_LEAST = 100  # refused on purpose: fewer would mean that tests were left out


def names_in_sources(board: str, conf: str) -> set[str]:
    sources = {*HERE.glob("*.c"), *HERE.glob(f"arch/{ARCHITECTURES[board]}*.c")}
    if board == "host":
        sources -= {HERE / name for name in ("stacks.c", "floating.c")}
    if "stackguard" not in conf:
        sources.remove(HERE / "guard.c")
    if "canaries" not in conf:
        sources.remove(HERE / "canary.c")
    if "fpu" in conf.split(","):
        sources.remove(HERE / "floating.c")
    else:
        sources -= {source for source in sources if source.name.endswith("_floating.c")}
    texts = [path.read_text(encoding="utf-8") for path in sources]
    if any('"left_over.h"' in text for text in texts):
        texts.append((HERE / "arch" / "left_over.h").read_text(encoding="utf-8"))
    found = "\n".join(texts)
    names = set(re.findall(r"^TEST\((\w+)\)", found, re.MULTILINE))
    if "small" in conf.split(","):
        names.discard("guard_ends_a_thread_that_has_no_room_to_be_switched_from")
    if "ipc" not in conf.split(","):
        names.discard("ghosts_of_receivers_are_lent_nothing")
    if board == "host":
        names -= set(re.findall(r'"(\w+)"', (HERE / "left_out.c").read_text(encoding="utf-8")))
    return {name for name in names if "deadline" in conf or not name.startswith("user_deadline_")}


@pytest.mark.board
@pytest.mark.parametrize(("board", "conf"), BOARDS)
def test_user_threads_do_what_they_may_and_end_where_they_may_not(foliot, board, conf):
    done = foliot.run("tests/user", board, conf, limit_s=400)
    lines = done.stdout.splitlines()
    passed = {line[5:] for line in lines if line.startswith("PASS ")}
    assert "PROJECT EXECUTION SUCCESSFUL" in lines, done.stdout[-4000:]
    assert names_in_sources(board, conf) == passed
    at = lines.index("in its midst")
    assert lines[at - 1].endswith("~"), lines[at - 3 : at + 3]
    faults = machine_lines(done.stdout)
    assert len(faults) > FAULTS_AT_LEAST
    reasons = {fault["reason"] for fault in faults}
    assert {"cpu exception", "kernel oops"} <= reasons
    assert reasons <= {"cpu exception", "kernel oops", "stack overflow"}
    causes = {fault["cause"] for fault in faults}
    assert ("stack canary overwritten" in causes) == ("canaries" in conf)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [*itertools.product(("qemu_riscv32", "mps2_an385", "qemu_riscv64", "qemu_aarch64"), MIXES),
     *((board, MIXES[-1])
       for board in ("mps2_an500", "mps2_an521", "qemu_aarch64_a76", "qemu_x86_64")),
     ("qemu_x86_64", "small"), ("ibex", "small,stackguard"),
     ("raspi3b", "canaries-all,stackguard,features")],
)  # fmt: skip
def test_user_threads_are_held_in_any_mix_of_configurations(foliot, board, conf):
    """Of a fault `small` prints no record, so that only the tests' own word is asked."""
    done = foliot.run("tests/user", board, conf, limit_s=400)
    lines = done.stdout.splitlines()
    passed = {line[5:] for line in lines if line.startswith("PASS ")}
    assert "PROJECT EXECUTION SUCCESSFUL" in lines, done.stdout[-4000:]
    assert names_in_sources(board, conf) == passed


@pytest.mark.board
@pytest.mark.parametrize(
    "board", ["qemu_riscv32", pytest.param("mps2_an385", marks=pytest.mark.long)]
)
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
@pytest.mark.parametrize(
    "board", ["mps2_an385", pytest.param("qemu_riscv32", marks=pytest.mark.long)]
)
def test_the_report_of_a_refused_call_says_who_called(foliot, board):
    words = ("tests/user", "--board", board, "--conf", "checked")  # as it is built above
    built = foliot("build", *words).stdout
    image = Image(ROOT / next(line for line in built.splitlines() if line.endswith(".elf")))
    reports = machine_lines(foliot("run", *words, "--quiet").stdout)
    refused = {int(fault["pc"], 16) for fault in reports if fault["reason"] == "kernel oops"}
    assert len(refused) > CALLS_REFUSED_AT_LEAST
    # In front of where the call returns to: the call itself.
    files = {str(image.line(pc - 1)).split(":")[0] for pc in refused}
    # A tail call returns to where threads begin; a kernel thread on its way to user mode calls
    # nobody.
    are_no_calls = {"user.S", "user_mode.c"}
    assert files - are_no_calls <= {path.name for path in HERE.rglob("*.c")}


@pytest.mark.board
@pytest.mark.parametrize(
    "board",
    ["qemu_riscv32",
     *(pytest.param(one, marks=pytest.mark.long)
       for one in ("mps2_an385", "ibex", "qemu_aarch64", "qemu_x86_64"))],
)  # fmt: skip
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


X86_64, A76 = "qemu_x86_64", "qemu_aarch64_a76"


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf", "cause"),
    [pytest.param(X86_64, "execute", "page protection on a fetch", marks=pytest.mark.long),
     pytest.param(X86_64, "read", "page protection on a read", marks=pytest.mark.long),
     pytest.param(X86_64, "write", "page protection on a write", marks=pytest.mark.long),
     pytest.param("qemu_aarch64", "execute", "permission fault on a fetch", marks=pytest.mark.long),
     pytest.param(A76, "execute", "permission fault on a fetch", marks=pytest.mark.long),
     pytest.param(A76, "read", "permission fault on a read", marks=pytest.mark.long),
     pytest.param(A76, "write", "permission fault on a write", marks=pytest.mark.long),
     pytest.param(A76, "el2,write", "permission fault on a write", marks=pytest.mark.long)],
)  # fmt: skip
def test_a_system_call_cannot_use_its_callers_page(foliot, board, conf, cause):
    """By SMEP, SMAP, PXN and PAN. The caller may execute, read and write it, and does so before."""
    done = foliot.run("tests/user/kernel_fault", board, conf)
    lines = [line for line in done.stdout.splitlines() if re.match(r"[a-z]", line)]
    assert lines == ["handler 0", "joined: 0", "domain: 0", "in kernel mode", "handler 0"]
    assert [fault["cause"] for fault in machine_lines(done.stdout)][1:] == [cause]
    assert done.returncode != 0


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [pytest.param("qemu_riscv32", "stackguard", marks=pytest.mark.long),
     pytest.param("mps2_an385", "stackguard", marks=pytest.mark.long),
     pytest.param("qemu_aarch64", "stackguard", marks=pytest.mark.long),
     pytest.param("qemu_x86_64", "stackguard", marks=pytest.mark.long),
     pytest.param("qemu_riscv32", "canaries", marks=pytest.mark.long),
     pytest.param("mps2_an385", "canaries", marks=pytest.mark.long)],
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
    [("qemu_riscv32", "store access fault"),
     pytest.param("mps2_an385", "data access violation", marks=pytest.mark.long),
     pytest.param("mps2_an521", "data access violation", marks=pytest.mark.long),
     pytest.param("ibex", "store access fault", marks=pytest.mark.long),
     pytest.param("qemu_aarch64", "permission fault on a write", marks=pytest.mark.long)],
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
