# SPDX-License-Identifier: Apache-2.0
"""Messages that are no memory, as firmware on each board: tests/kernel/message_faults."""

from __future__ import annotations

import pytest

from support.command import machine_lines

pytestmark = pytest.mark.board
BOARDS = [
    "qemu_riscv32", "mps2_an385",
    *(pytest.param(board, marks=pytest.mark.long)
      for board in ("host", "ibex", "qemu_aarch64", "qemu_riscv64", "qemu_x86_64")),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_a_bad_message_is_the_fault_of_the_thread_that_brought_it(foliot, board):
    done = foliot.run("tests/kernel/message_faults", board, "default", limit_s=400)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert sum(line.startswith("PASS faults_") for line in lines) == 11
    assert lines[-1] == "PROJECT EXECUTION SUCCESSFUL"


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_a_bad_message_of_a_handler_ends_the_run(foliot, board):
    done = foliot.run("tests/kernel/message_faults", board, "isr", limit_s=400)
    last = machine_lines(done.stdout)[-1]
    assert (last["reason"], last["in_isr"]) == ("cpu exception", 1)
    assert "PASS zz_" not in done.stdout
    assert done.returncode == 1
