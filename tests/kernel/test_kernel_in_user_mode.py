# SPDX-License-Identifier: Apache-2.0
"""The behaviour tests whose body and threads can run in user mode do; the others say why not."""

from __future__ import annotations

import itertools
import re
from fnmatch import fnmatchcase

import pytest

from support.command import ROOT

HERE = ROOT / "tests" / "kernel"
IN_USER_MODE_AT_LEAST = 100
BOARDS = ["qemu_riscv32", "mps2_an385"]
MIXES = [
    "user,stackguard", "user,canaries", "user,canaries-all,stackguard,checked", "user,small",
    "user,guard,small,timeslicing,ipc",
]  # fmt: skip


def names(macro: str) -> set[str]:
    found = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.c")))
    return set(re.findall(rf"^{macro}\((\w+)\)", found, re.MULTILINE))


@pytest.mark.slow
@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [
        ("qemu_riscv32", "user"),
        pytest.param("host", "user,sanitized", marks=pytest.mark.long),
        *(
            pytest.param(board, conf, marks=pytest.mark.long)
            for board, conf in [
                ("mps2_an385", "user"),
                ("mps2_an521", "user"),
                ("qemu_riscv64", "user"),
                ("qemu_aarch64", "user"),
                ("qemu_aarch64_a76", "user"),
                ("qemu_x86_64", "user"),
                ("ibex", "user"),
                ("raspi3b", "user"),
                ("netduinoplus2", "user"),
                ("mps2_an386", "user"),
                ("qemu_aarch64", "user,el2"),
                ("mps2_an500", "user,stackguard"),
                ("mps2_an521", "user,canaries-all,stackguard,checked"),
                ("qemu_riscv64", "user,canaries-all,stackguard,checked"),
                ("qemu_aarch64_a76", "user,canaries-all,stackguard,checked"),
                ("qemu_x86_64", "user,canaries-all,stackguard,checked"),
                ("qemu_x86_64", "user,guard,small,timeslicing,ipc"),
                ("mps2_an385", "user,deadline"),
                ("qemu_riscv32", "user,deadline"),
                *itertools.product(BOARDS, MIXES),
            ]
        ),
    ],
)
def test_every_object_behaves_in_user_mode(foliot, board, conf):
    done = foliot.run("tests/kernel", board, conf, limit_s=400)
    lines = done.stdout.splitlines()
    passed = {line[5:] for line in lines if line.startswith("PASS ")}
    assert done.returncode == 0, "\n".join(line for line in lines if "PASS" not in line)
    expected = names("TEST_USER")
    if "deadline" not in conf:
        expected = {name for name in expected if not name.startswith("deadline_")}
    assert passed == expected
    assert len(passed) > IN_USER_MODE_AT_LEAST


def test_each_test_that_is_kernel_modes_alone_says_why():
    text = (HERE / "README.md").read_text(encoding="utf-8")
    rows = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    patterns = [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row)]
    alone = names("TEST")
    unexplained = {
        name for name in alone if not any(fnmatchcase(name, pattern) for pattern in patterns)
    }
    of_nobody = {
        pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in alone)
    }
    assert (unexplained, of_nobody) == (set(), set())
