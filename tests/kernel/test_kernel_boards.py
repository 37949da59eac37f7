# SPDX-License-Identifier: Apache-2.0
"""The behaviour tests of tests/kernel as firmware on each board, in several configurations."""

from __future__ import annotations

import re

import pytest

from support.command import ROOT

pytestmark = pytest.mark.board
# The tick is short where time is simulated cycle by cycle.
CONFIGURATIONS = [
    ("host", "default"), ("host", "checked"), ("host", "checked,sanitized"),
    ("qemu_riscv32", "default"), ("qemu_riscv32", "checked"),
    ("mps2_an385", "default"), ("mps2_an385", "checked"),
    ("qemu_aarch64", "default"), ("qemu_riscv64", "default"), ("qemu_x86_64", "default"),
    ("ibex", "fast"), ("ibex", "checked,fast"),
    ("qemu_riscv32", "features"), ("mps2_an385", "features"),
    ("host", "checked,robust"), ("mps2_an385", "robust"),
    ("host", "checked,small"), ("mps2_an385", "small"), ("qemu_riscv32", "small"),
]  # fmt: skip
MORE = [
    ("qemu_aarch64", "checked"), ("qemu_riscv64", "checked"),
    ("host", "sanitized"), ("host", "features"), ("host", "guard"),
    ("qemu_riscv32", "guard"), ("mps2_an385", "guard"),
    ("qemu_riscv32", "robust"), ("ibex", "robust,fast"), ("host", "features,robust"),
    ("ibex", "features,fast"), ("ibex", "guard,fast"), ("ibex", "checked,features,fast"),
    ("mps2_an385", "checked,small"), ("ibex", "small,fast"), ("mps2_an385", "features,small"),
    ("qemu_riscv32", "guard,small"),
    ("qemu_aarch64", "features"), ("qemu_aarch64", "robust"), ("qemu_aarch64", "small"),
    ("qemu_aarch64", "guard"), ("qemu_aarch64", "checked,features"),
    ("qemu_riscv64", "features"), ("qemu_riscv64", "robust"), ("qemu_riscv64", "small"),
    ("qemu_riscv64", "guard"), ("qemu_riscv64", "guard,small"),
    ("qemu_riscv64", "checked,features"),
    *(("qemu_x86_64", conf)
      for conf in ("checked", "features", "robust", "small", "guard", "checked,features")),
]  # fmt: skip
SOURCES = sorted((ROOT / "tests" / "kernel").glob("*.c"))


def names_in_sources(macro: str = "TEST|TEST_USER") -> set[str]:
    found = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    return set(re.findall(rf"^(?:{macro})\((\w+)\)", found, re.MULTILINE))


# Not everywhere: a wrap only where it is near, nested handlers only with an NVIC, and an
# hour of spinning only where time is the machine's own.
NESTED = "irq_a_more_urgent_line_interrupts_a_handler"
LONG_SPIN = "time_busy_wait_beyond_wraps_of_the_counter"
ELSEWHERE = {"zz_time_has_wrapped", NESTED, LONG_SPIN}


def check(foliot, board: str, conf: str) -> None:
    done = foliot.run("tests/kernel", board, conf, limit_s=400)
    lines = done.stdout.splitlines()
    passed = {line[5:] for line in lines if line.startswith("PASS ")}
    wrong = [line for line in lines if not line.startswith("PASS ")]
    assert done.returncode == 0, "\n".join([*wrong, done.stderr])
    assert lines[-1] == "PROJECT EXECUTION SUCCESSFUL"
    assert names_in_sources() - passed <= ELSEWHERE
    assert ("zz_time_has_wrapped" in passed) == ("checked" in conf)
    assert (NESTED in passed) == (board == "mps2_an385")
    assert (LONG_SPIN in passed) == (board == "host")


def quick(board: str, conf: str) -> bool:
    """Say whether --quick has it: two builds of the host."""
    return board == "host" and conf in ("default", "checked")


@pytest.mark.parametrize(
    ("board", "conf"),
    [pytest.param(*one, marks=() if quick(*one) else pytest.mark.slow) for one in CONFIGURATIONS],
)
def test_every_object_behaves(foliot, board, conf):
    check(foliot, board, conf)


@pytest.mark.long
@pytest.mark.parametrize(("board", "conf"), MORE)
def test_every_object_behaves_in_rarer_configurations(foliot, board, conf):
    check(foliot, board, conf)
