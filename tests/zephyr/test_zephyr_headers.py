# SPDX-License-Identifier: Apache-2.0
"""What is under include/zephyr beside the kernel, as firmware on the boards."""

from __future__ import annotations

import re

import pytest

from support.command import ROOT

pytestmark = pytest.mark.board
SOURCES = sorted((ROOT / "tests" / "zephyr").glob("*.c"))
CONFIGURATIONS = [
    ("mps2_an385", "default"),  # has instructions for atomic operations
    ("qemu_riscv32", "user"),  # has not, and its user threads ask the kernel
]
MORE = [
    ("host", "checked,sanitized"),
    *((board, "checked") for board in ("host", "mps2_an385", "qemu_riscv32", "qemu_riscv64",
                                       "qemu_aarch64", "qemu_x86_64", "ibex")),
    *((board, "user") for board in ("host", "mps2_an385", "qemu_riscv64", "ibex")),
]  # fmt: skip


def check(foliot, board: str, conf: str) -> None:
    done = foliot.run("tests/zephyr", board, conf, limit_s=400)
    lines = done.stdout.splitlines()
    wrong = [line for line in lines if not line.startswith("PASS ")]
    assert done.returncode == 0, "\n".join([*wrong, done.stderr])
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    assert ("# 1234" in lines) == ("user" not in conf)  # printf() goes where printk() does
    macro = "TEST_USER" if "user" in conf else "TEST|TEST_USER"
    names = set(re.findall(rf"^(?:{macro})\((\w+)\)", text, re.MULTILINE))
    assert len(names) > 10
    assert {line[5:] for line in lines if line.startswith("PASS ")} == names


@pytest.mark.slow
@pytest.mark.parametrize(("board", "conf"), CONFIGURATIONS)
def test_lists_atomics_locks_rings_and_macros_behave(foliot, board, conf):
    check(foliot, board, conf)


@pytest.mark.long
@pytest.mark.parametrize(("board", "conf"), MORE)
def test_they_behave_on_each_board(foliot, board, conf):
    check(foliot, board, conf)
