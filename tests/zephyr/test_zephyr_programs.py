# SPDX-License-Identifier: Apache-2.0
"""The programs of samples/zephyr, with Zephyr's includes only: each checks itself by its status."""

from __future__ import annotations

import re

import pytest

from support.command import ROOT

SAMPLES = ROOT / "samples" / "zephyr"
SAID = {
    "philosophers": "20 meals, 0 quarrels",
    "sensors": "50 processed, 0 lost, 0 blocks in use",
    "commands": "15 commands served, ended with 77, heartbeat steady",
    "pipe": "1000 bytes read, 0 out of order, sums 124716 and 124716, then closed",
    "controller": "height held, 0 overruns, turns shared",  # C++
    "meter": "metered by a kernel thread, metered by a user thread, nobody got in",
    "tenants": "8 readings, their sum is 968",  # user threads, which host does not protect
}
BOARDS = ("mps2_an385", "qemu_riscv32", "qemu_riscv64", "qemu_aarch64", "qemu_x86_64", "ibex")


def check(foliot, name: str, board: str) -> None:
    done = foliot.run(SAMPLES / name, board, limit_s=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == SAID[name]


@pytest.mark.board
@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("philosophers", "host"),
        *(
            pytest.param(name, "host", marks=pytest.mark.slow)
            for name in SAID
            if name not in ("controller", "meter", "philosophers", "tenants")
        ),
        pytest.param("controller", "mps2_an385", marks=pytest.mark.slow),
        pytest.param("tenants", "mps2_an385", marks=pytest.mark.long),
        pytest.param("meter", "qemu_riscv32", marks=pytest.mark.slow),
    ],
)
def test_a_program_of_zephyrs_kind_runs(foliot, name, board):
    check(foliot, name, board)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", SAID)
def test_it_runs_on_each_board(foliot, name, board):
    check(foliot, name, board)


def test_each_sample_is_here_and_includes_zephyrs_headers_only():
    assert {path.name for path in SAMPLES.iterdir()} == set(SAID)
    for path in SAMPLES.glob("*/src/*"):
        text = path.read_text(encoding="utf-8")
        assert "foliot" not in text
        for header in re.findall(r"#include <([^>]+)", text):
            # The last as older programs name it.
            assert header.startswith(("zephyr/", "syscalls/")) or header in ("stdlib.h", "errno.h")
