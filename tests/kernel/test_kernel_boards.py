# SPDX-License-Identifier: Apache-2.0
"""The behaviour tests of tests/kernel as firmware on each board, in several configurations."""

from __future__ import annotations

import re

import pytest

from foliot.target import boards
from support.command import ROOT

# The tick is short where time is simulated cycle by cycle.
CONFIGURATIONS = [
    ("host", "checked"), ("host", "checked,sanitized"), ("mps2_an385", "checked"),
    ("qemu_aarch64", "default"), ("qemu_riscv64", "default"), ("qemu_x86_64", "default"),
    ("ibex", "fast"), ("qemu_riscv32", "features"),
    ("mps2_an385", "small"),
]  # fmt: skip
MORE = [
    ("host", "checked,deadline,metairq"),
    ("host", "checked,small"), ("host", "checked,priorities"),
    ("host", "default"), ("qemu_riscv32", "checked"), ("host", "checked,robust"),
    ("host", "checked,wide"),
    ("mps2_an385", "default"), ("mps2_an385", "features"),
    ("qemu_riscv32", "wide"), ("mps2_an385", "wide"), ("qemu_riscv64", "wide"),
    ("qemu_aarch64", "wide"),
    ("qemu_x86_64", "wide"), ("qemu_riscv32", "small,wide"),
    ("mps2_an385", "checked,features,guard,wide"),
    ("qemu_riscv32", "priorities"), ("mps2_an385", "checked,priorities"),
    ("host", "checked,metairq"), ("qemu_riscv32", "metairq"), ("mps2_an385", "checked,metairq"),
    ("mps2_an385", "metairq,small"), ("qemu_aarch64", "metairq"), ("qemu_x86_64", "metairq"),
    ("qemu_aarch64", "priorities"),
    ("qemu_riscv32", "deadline"), ("mps2_an385", "checked,deadline"), ("ibex", "deadline,fast"),
    ("qemu_riscv64", "deadline"), ("qemu_aarch64", "deadline"), ("qemu_x86_64", "deadline"),
    ("mps2_an385", "deadline,metairq,small"), ("host", "checked,deadline"),
    ("qemu_riscv32", "default"), ("ibex", "checked,fast"), ("mps2_an385", "robust"),
    ("qemu_riscv32", "small"),
    ("qemu_aarch64", "checked"), ("qemu_riscv64", "checked"),
    ("host", "sanitized"), ("host", "features"), ("host", "guard"),
    ("qemu_riscv32", "guard"), ("mps2_an385", "guard"),
    ("qemu_riscv32", "robust"), ("ibex", "robust,fast"), ("host", "features,robust"),
    ("ibex", "features,fast"), ("ibex", "guard,fast"), ("ibex", "checked,features,fast"),
    ("mps2_an385", "checked,small"), ("ibex", "small,fast"), ("mps2_an385", "features,small"),
    ("qemu_riscv32", "guard,small"),
    ("qemu_aarch64", "features"), ("qemu_aarch64", "robust"), ("qemu_aarch64", "small"),
    ("qemu_aarch64", "guard"), ("qemu_aarch64", "checked,features"),
    ("qemu_aarch64", "el2"), ("qemu_aarch64_a76", "el2"), ("qemu_aarch64_a76", "checked"),
    ("raspi3b", "default"), ("raspi3b", "checked,features"), ("raspi3b", "el2"),
    ("qemu_riscv64", "features"), ("qemu_riscv64", "robust"), ("qemu_riscv64", "small"),
    ("qemu_riscv64", "guard"), ("qemu_riscv64", "guard,small"),
    ("qemu_riscv64", "checked,features"),
    *((board, conf) for board in ("mps2_an386", "mps2_an500") for conf in ("default", "fpu")),
    *(("netduinoplus2", conf) for conf in ("default", "features,fpu")),
    *(("mps2_an521", conf) for conf in ("default", "checked", "features", "guard")),
    *(("mps2_an386", conf) for conf in ("checked,fpu", "features,fpu", "guard,fpu")),
    *(("qemu_x86_64", conf)
      for conf in ("checked", "features", "robust", "small", "guard", "checked,features")),
]  # fmt: skip
SOURCES = sorted((ROOT / "tests" / "kernel").glob("*.c"))


def names_in_sources(macro: str = "TEST|TEST_USER") -> set[str]:
    found = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    return set(re.findall(rf"^(?:{macro})\((\w+)\)", found, re.MULTILINE))


def names_in(source: str) -> set[str]:
    found = (ROOT / "tests" / "kernel" / source).read_text(encoding="utf-8")
    return set(re.findall(r"^TEST(?:_USER)?\((\w+)\)", found, re.MULTILINE))


# Not everywhere: a wrap only where it is near, nested handlers only with an NVIC, and an
# hour of spinning only where time is the machine's own.
NESTED = "irq_a_more_urgent_line_interrupts_a_handler"
HOSTS_WIDE = "wide_a_sleep_beyond_2_to_the_32_ticks"
LONG_SPIN = "time_busy_wait_beyond_wraps_of_the_counter"
WIDE = names_in("time_wide.c")
METAIRQ = names_in("metairq.c")
DEADLINE = {name for name in names_in("deadline.c") if name.startswith("deadline_")}
ERRNO = "thread_errno_is_its_own"
NAMED = "thread_a_name_is_copied_as_far_as_there_is_room"
NARROW = "time_what_32_bits_do_not_hold_is_clamped"
ELSEWHERE = {"zz_time_has_wrapped", NESTED, LONG_SPIN, NARROW, ERRNO, NAMED, *WIDE, *METAIRQ,
             *DEADLINE}  # fmt: skip


def check(foliot, board: str, conf: str) -> None:
    done = foliot.run("tests/kernel", board, conf, limit_s=400)
    lines = done.stdout.splitlines()
    passed = {line[5:] for line in lines if line.startswith("PASS ")}
    wrong = [line for line in lines if not line.startswith("PASS ")]
    assert done.returncode == 0, "\n".join([*wrong, done.stderr])
    assert lines[-1] == "PROJECT EXECUTION SUCCESSFUL"
    assert names_in_sources() - passed <= ELSEWHERE
    wide = "wide" in conf
    assert ("zz_time_has_wrapped" in passed) == ("checked" in conf or wide)
    assert (ERRNO in passed) == ("features" in conf)
    assert (NAMED in passed) == ("features" in conf or "checked" in conf)
    assert (NARROW in passed) == (not wide)
    assert METAIRQ & passed == (METAIRQ if "metairq" in conf else set())
    assert DEADLINE & passed == (DEADLINE if "deadline" in conf else set())
    assert WIDE & passed == (
        (WIDE - ({HOSTS_WIDE} if board != "host" else set())) if wide else set()
    )
    assert (NESTED in passed) == (boards.load(board).arch == "cortex_m")
    assert (LONG_SPIN in passed) == (board == "host")


SMALL = ["part1", "part2", "part3", "part4"]


@pytest.mark.board("microbit")
@pytest.mark.parametrize("conf", [pytest.param(one, marks=pytest.mark.long) for one in SMALL])
def test_every_object_behaves_in_16_kib_of_ram(foliot, conf):
    done = foliot.run("tests/kernel", "microbit", conf, limit_s=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "PROJECT EXECUTION SUCCESSFUL"


def test_each_file_of_tests_is_in_one_of_those_parts():
    text = (ROOT / "tests" / "kernel" / "CMakeLists.txt").read_text(encoding="utf-8")
    named = re.findall(
        r"[ \n](\w+\.c)\b", " ".join(re.findall(r"set\(part(.*?)\)", text, re.DOTALL))
    )
    assert sorted(named) == [path.name for path in SOURCES]


def quick(board: str, conf: str) -> bool:
    """Say whether --quick has it: one build of the host."""
    return board == "host" and conf == "checked"


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [pytest.param(*one, marks=() if quick(*one) else pytest.mark.slow) for one in CONFIGURATIONS],
)
def test_every_object_behaves(foliot, board, conf):
    check(foliot, board, conf)


@pytest.mark.board
@pytest.mark.long
@pytest.mark.parametrize(("board", "conf"), MORE)
def test_every_object_behaves_in_rarer_configurations(foliot, board, conf):
    check(foliot, board, conf)
