# SPDX-License-Identifier: Apache-2.0
"""The configurations on every board: overflows are caught, objects listed, turns taken."""

from __future__ import annotations

import itertools
import re

import pytest

from support.command import ROOT, machine_lines

HERE = ROOT / "tests" / "configurations"
pytestmark = pytest.mark.board
ALL = "canaries,objcore,stackguard,timeslicing"

# Alone on the quick boards; on the RTL together.
OVERFLOWS = [
    ("mps2_an385", "canaries-all"), ("mps2_an385", "stackguard"), ("qemu_riscv32", "canaries"),
    ("qemu_riscv32", "stackguard"), ("ibex", ALL),
]  # fmt: skip
OVERFLOWS_LONG = [
    ("host", ALL), ("mps2_an385", "canaries"), ("qemu_riscv32", "canaries-all"),
    *(("host", conf) for conf in ("canaries", "canaries-all", "stackguard")),
    *(("mps2_an521", conf) for conf in ("stackguard", ALL)),
    ("mps2_an385", ALL), ("qemu_riscv32", ALL),
]  # fmt: skip
OVERFLOWS += [pytest.param(*one, marks=pytest.mark.long) for one in OVERFLOWS_LONG]


@pytest.mark.slow
@pytest.mark.parametrize(("board", "conf"), OVERFLOWS)
def test_overflows_are_caught(foliot, board, conf):
    done = foliot.run(HERE / "overflow", board, conf, limit_s=600)
    passed = set(re.findall(r"^PASS (\w+)$", done.stdout, re.MULTILINE))
    assert "FAIL" not in done.stdout, done.stdout + done.stderr
    assert passed == {"a_memory_below_is_filled", "y_memory_below_was_not_touched"} | (
        {"canary_that_is_overwritten"} if "canaries" in conf else set()
    ) | ({"guard_that_is_hit"} if "guard" in conf else set())  # fmt: skip
    assert done.returncode == 1  # the last overflow is of those that nobody may survive
    faults = machine_lines(done.stdout, "fault")
    assert {fault["reason"] for fault in faults[:-1]} == {"stack overflow"}
    causes = {str(fault["cause"]) for fault in faults}
    assert ("stack canary overwritten" in causes) == ("canaries" in conf)
    if "guard" in conf and board != "host":
        assert any("stack guard" in cause for cause in causes)


@pytest.mark.slow
@pytest.mark.parametrize(
    "board",
    ["qemu_riscv32",
     *(pytest.param(board, marks=pytest.mark.long) for board in ("host", "ibex", "mps2_an385"))],
)  # fmt: skip
def test_a_canary_names_the_function(foliot, board):
    done = foliot.run(HERE / "overflow", board, "canaries")
    assert " writes_too_far+" in done.stderr, done.stderr
    assert "thread victim" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("application", ["objects", "slicing"])
@pytest.mark.parametrize(
    ("board", "conf"),
    [("mps2_an385", "default"),
     pytest.param("mps2_an385", ALL, marks=pytest.mark.long),
     *(pytest.param(board, "default", marks=pytest.mark.long)
       for board in ("host", "qemu_riscv32", "ibex"))],
)  # fmt: skip
def test_the_feature(foliot, board, application, conf):
    done = foliot.run(HERE / application, board, conf, limit_s=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "PROJECT EXECUTION SUCCESSFUL"


@pytest.mark.long
@pytest.mark.parametrize("board", ["host", "qemu_riscv32"])
def test_turns_with_more_priorities_than_a_word_has_bits(foliot, board):
    done = foliot.run(HERE / "slicing", board, "priorities", limit_s=600)
    assert done.returncode == 0, done.stdout + done.stderr


# The finest only where a hundred cycles are enough for a tick's interrupt.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "conf"),
    [("qemu_riscv32", "default"), ("host", "fine"), ("mps2_an385", "slow"),
     *(pytest.param(board, conf, marks=pytest.mark.long)
       for board, conf in (("host", "default"), ("host", "slow"), ("qemu_riscv32", "slow"),
                           ("ibex", "default")))],
)  # fmt: skip
def test_a_tick_rate_that_does_not_divide(foliot, board, conf):
    done = foliot.run(HERE / "ticks", board, conf, limit_s=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "PROJECT EXECUTION SUCCESSFUL"


_MIXES = [
    ",".join(mix)
    for count in range(1, 5)
    for mix in itertools.combinations(["canaries", "objcore", "stackguard", "timeslicing"], count)
]


@pytest.mark.long
@pytest.mark.parametrize("board", ["host", "mps2_an385", "qemu_riscv32"])
@pytest.mark.parametrize("conf", _MIXES)
def test_any_mix(foliot, board, conf):
    """tests/kernel in every mix; in which it runs always, is said there."""
    done = foliot.run("tests/kernel", board, conf, limit_s=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout
