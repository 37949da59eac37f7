# SPDX-License-Identifier: Apache-2.0
"""Faults on the target: what is printed, who ends, and the exit status; and misuse by name."""

from __future__ import annotations

import functools
import itertools
from pathlib import Path

import pytest

from support.chosen import choose
from support.command import ROOT, Command, machine_lines

pytestmark = pytest.mark.slow

OTHERS = ("ibex", "qemu_aarch64", "qemu_riscv64", "qemu_x86_64")  # ibex: as qemu_riscv32
LONG = [pytest.param(board, marks=pytest.mark.long) for board in OTHERS]
BOARDS = ["host", "qemu_riscv32", "mps2_an385", *LONG]
PC_NAMES = {"pc", "rip"}


# What is asked for, by the words of tests/kernel/faults/main.c.
ASKED = {
    "default": {},
    "abort": {"last_fault": 6},
    "abort_isr": {"last_fault": 7},
    "again": {"last_fault": 4},
    "masked_again": {"first_fault": 1, "last_fault": 4},
    "isr_again": {"first_fault": 2, "last_fault": 4},
    "isr_masked_again": {"first_fault": 3, "last_fault": 4},
    "oops_again": {"last_fault": 5},
    "essential": {"first_fault": 4, "last_fault": 9},
    "of_a_queue": {"first_fault": 4, "last_fault": 10},
    "no_known": {"first_fault": 4, "last_fault": 11},
}
# The same of the image with the kernel's own fatal error handler.
DEFAULT_HANDLER = {
    "isr": {"last_fault": 1},
    "spurious": {"last_fault": 2},
    "quotes": {"last_fault": 3},
    "disconnected": {"last_fault": 8},
}


@functools.cache
def faults_image(foliot: Command, board: str, conf: str) -> Path:
    """Build it, once for all kinds of runs; return the image."""
    done = foliot("build", "tests/kernel/faults", "--board", board, "--conf", conf, "--quiet")
    assert done.returncode == 0, done.stderr
    return ROOT / done.stdout.splitlines()[0]


@pytest.fixture
def run_faults(foliot, tmp_path):
    """Run it as asked for; return what came of it, and the records it printed."""

    def run(board: str, kind: str):
        conf = "default_handler" if kind in DEFAULT_HANDLER else "default"
        asked = DEFAULT_HANDLER.get(kind) or ASKED[kind]
        image = choose(faults_image(foliot, board, conf), tmp_path / "firmware.elf", **asked)
        # All is said within milliseconds; where main() was ended, nobody ends the run.
        done = foliot("run", "--elf", image, "--board", board, "--quiet", "--timeout", "2")
        return done, machine_lines(done.stdout)

    return run


@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
def test_a_thread_that_faults_ends_and_the_others_go_on(run_faults, board):
    done, records = run_faults(board, "default")
    assert [record["reason"] for record in records] == [
        *["cpu exception"] * 5, "kernel oops", "kernel panic",
    ]  # fmt: skip
    assert all(record["type"] == "fault" for record in records)
    for record in records[:5]:
        pc = next(iter(PC_NAMES & record["registers"].keys()))
        assert record["pc"] == record["registers"][pc]
        assert len(record["registers"]) >= 16
    causes = [record["cause"] for record in records]
    assert causes[1] in ("illegal instruction", "undefined instruction")
    assert causes[0] != causes[1]
    assert causes[3] == causes[2]
    assert causes[4] == causes[0]
    assert causes[6] == "blocking-call-in-isr"
    assert [record["in_isr"] for record in records] == [0, 0, 0, 0, 0, 0, 1]
    lines = done.stdout.splitlines()
    assert lines.count("the thread has ended") == 6
    assert "copy to nowhere: 1" in lines
    assert "still alive" not in lines
    assert any(line.startswith("ASSERTION FAILED: blocking-call-in-isr at ") for line in lines)
    assert done.returncode == 1
    assert "blocking-call-in-isr" in done.stderr
    assert "faults before this one: 6" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
def test_a_handler_may_abort_its_thread_and_the_same_block_may_fault_again(run_faults, board):
    """Six threads in one block: each is a first fault of its own, and none is "again"."""
    done, records = run_faults(board, "abort")
    assert [record["reason"] for record in records[:6]] == ["cpu exception"] * 5 + ["kernel oops"]
    assert done.stdout.splitlines().count("the thread has ended") == 6
    assert "FATAL again" not in done.stdout
    assert "still alive" not in done.stdout.split("last\n")[0]


@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
def test_a_fault_that_was_dealt_with_is_not_the_beginning_of_another(run_faults, board):
    """The handler never returns from the oops, and then an interrupt faults for the first time."""
    done, records = run_faults(board, "abort_isr")
    assert [record["in_isr"] for record in records] == [0] * 6 + [1]
    assert "FATAL again" not in done.stdout
    assert done.returncode == 1


SWITCH_FAULTS = [
    *((board, conf) for board in ("qemu_riscv32", "mps2_an385") for conf in ("default", "plain")),
    *(pytest.param(board, conf, marks=pytest.mark.long)
      for board in OTHERS for conf in ("default", "plain")),
]  # fmt: skip


@pytest.mark.board
@pytest.mark.parametrize(("board", "conf"), SWITCH_FAULTS)
def test_a_switch_that_faults_is_blamed_on_the_thread_it_leaves(foliot, board, conf):
    done = foliot.run("tests/kernel/switch_faults", board, conf)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert sum(line.startswith("PASS ") for line in lines) == 11
    assert lines[-1] == "PROJECT EXECUTION SUCCESSFUL"
    causes = {record["cause"] for record in machine_lines(done.stdout)}
    assert causes == {
        "mps2_an385": {"bus error on stacking"},
        "qemu_aarch64": {"translation fault on a read", "translation fault on a write"},
        "qemu_x86_64": {"page not present on a read", "page not present on a write"},
    }.get(board, {"store access fault", "load access fault"})


@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
def test_a_fault_in_an_interrupt_ends_the_run(run_faults, board):
    done, records = run_faults(board, "isr")
    assert [(record["reason"], record["in_isr"]) for record in records] == [("cpu exception", 1)]
    assert "(in an interrupt)" in done.stdout
    assert "still alive" not in done.stdout
    assert done.returncode == 1
    assert "read_from" in done.stderr


@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
def test_an_interrupt_that_nobody_connected(run_faults, board):
    done, records = run_faults(board, "spurious")
    assert [record["reason"] for record in records] == ["spurious interrupt"]
    assert done.returncode == 1


@pytest.mark.board
@pytest.mark.parametrize(
    "board",
    ["host", *(pytest.param(b, marks=pytest.mark.long) for b in ("mps2_an385", "qemu_riscv32"))],
)
def test_an_interrupt_that_was_disconnected(run_faults, board):
    done, records = run_faults(board, "disconnected")
    assert [record["reason"] for record in records] == ["spurious interrupt"]
    assert done.returncode == 1


AGAIN = ["again", "oops_again", "masked_again", "isr_again", "isr_masked_again"]


# Where the cases differ in how the core came there; the host's fatal error handler has one way.
@pytest.mark.slow
@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [("host", "again"), *itertools.product(("qemu_riscv32", "mps2_an385"), AGAIN),
     *(pytest.param(*one, marks=pytest.mark.long)
       for one in [*itertools.product(OTHERS, AGAIN), *itertools.product(["host"], AGAIN[1:])])],
)  # fmt: skip
def test_a_fault_in_the_fatal_error_handler_ends_the_run_with_a_line(run_faults, board, conf):
    done, records = run_faults(board, conf)
    assert [record["reason"] for record in records] == ["cpu exception"]
    lines = done.stdout.splitlines()
    assert sum(line.startswith("*** FATAL: ") for line in lines) == 1
    assert sum(line.startswith("*** FATAL again, ") for line in lines) == 1
    assert lines.count("handler 0") == 1
    assert "the thread has" not in done.stdout
    assert done.returncode == 1


@pytest.mark.board("host")
def test_quotes_in_an_assertion_do_not_break_the_record(run_faults):
    done, records = run_faults("host", "quotes")
    assert records[0]["cause"] == r'text[0] == "a\\"[0]'
    assert done.returncode == 1


@pytest.mark.board("host")
@pytest.mark.parametrize("kind", ["essential", "of_a_queue"])
def test_the_end_of_a_thread_that_must_not_end_is_the_runs(run_faults, kind):
    done, records = run_faults("host", kind)
    assert records[-1]["reason"] == "kernel panic"
    assert "essential thread ended: 0x" in done.stdout
    assert "still alive" not in done.stdout
    assert done.returncode == 1


@pytest.mark.board("host")
def test_a_reason_that_nobody_knows_ends_the_thread_all_the_same(run_faults):
    done, records = run_faults("host", "no_known")
    assert [record["reason"] for record in records] == ["unknown", "kernel panic"]
    assert "handler 42" in done.stdout.splitlines()
    assert "still alive" not in done.stdout
    assert done.returncode == 1


@pytest.mark.board("host")
def test_misuse_is_caught_by_a_named_assertion(foliot):
    assert foliot("build", "tests/kernel/misuse", "--board", "host").returncode == 0
    program = ROOT / "build/firmware/host/tests-kernel-misuse/firmware.elf"
    kinds = foliot.program(program, "list").stdout.split()
    assert len(kinds) > 20
    for kind in kinds:
        done = foliot.program(program, kind)
        assert done.returncode == 1, kind
        assert f"ASSERTION FAILED: {kind.split('.')[1]} at " in done.stdout, kind
        assert "not caught" not in done.stdout, kind
