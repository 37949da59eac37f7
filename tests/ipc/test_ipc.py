# SPDX-License-Identifier: Apache-2.0
"""Messages between threads and between domains, as firmware on each board."""

from __future__ import annotations

import re

import pytest

from foliot.target import boards
from support.command import ROOT, machine_lines

HERE = ROOT / "tests" / "ipc"
USERS_ONLY = {
    "attack.c", "domains.c", "fault_handlers.c", "fault_registers.c", "faults.c",
    "known_capacities.c", "raw.c", "refused.c", "fast.c", "fast_answers.c", "fast_bytes.c",
}  # fmt: skip
WITHOUT_FAULTS = {"host"}  # boards of ports that deliver none
OF_ONE_PORT = {
    "ipc_fault_whose_frame_is_not_in_its_stack_ends_the_thread": "cortex_m",
    "ipc_fault_led_to_an_address_that_is_none_faults_again": "x86_64",
}
CONFIGURATIONS = [
    ("host", "checked,user,sanitized"), ("qemu_riscv32", "checked,features,user"),
    ("mps2_an385", "user"),
]  # fmt: skip
MORE = [
    ("qemu_aarch64", "default"), ("ibex", "fast,user"),
    ("host", "checked,sanitized"), ("qemu_riscv32", "checked"), ("qemu_riscv32", "user"),
    ("mps2_an385", "checked,features,robust,user"),
    ("host", "default"), ("host", "user"), ("host", "robust,checked"), ("host", "small"),
    ("qemu_riscv32", "small,user"), ("mps2_an385", "default"), ("mps2_an385", "small,user"),
    ("qemu_aarch64", "checked,features,robust"), ("ibex", "checked,fast,user"),
    ("qemu_riscv32", "checked,stackguard,user"), ("mps2_an385", "timeslicing,checked,user"),
    ("mps2_an386", "fpu,user"), ("mps2_an521", "checked,user"),
    ("host", "timeslicing,checked"), ("qemu_riscv64", "checked,features,user"),
    ("qemu_aarch64", "checked,features,user"), ("qemu_aarch64", "el2,user"),
    ("qemu_aarch64_a76", "el2,user"), ("qemu_aarch64", "fpu,user"),
    ("qemu_x86_64", "checked,features,user"), ("qemu_x86_64", "fpu,user"),
]  # fmt: skip


def names_in_sources(board: str, with_users: bool) -> set[str]:
    left_out = set() if with_users else USERS_ONLY
    if board in WITHOUT_FAULTS:
        left_out = left_out | {"fault_handlers.c", "fault_registers.c", "faults.c", "raw.c"}
    sources = [path for path in HERE.glob("*.c") if path.name not in left_out]
    found = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    names = re.findall(r"^TEST\((\w+)\)", found, re.MULTILINE)
    arch = boards.load(board).arch
    return {name for name in names if OF_ONE_PORT.get(name, arch) == arch}


def check(foliot, board: str, conf: str) -> None:
    done = foliot.run("tests/ipc", board, conf, limit_s=400)
    lines = done.stdout.splitlines()
    passed = {line[5:] for line in lines if line.startswith("PASS ")}
    assert "PROJECT EXECUTION SUCCESSFUL" in lines, done.stdout[-4000:]
    assert names_in_sources(board, "user" in conf.split(",")) == passed


@pytest.mark.slow
@pytest.mark.board
@pytest.mark.parametrize(("board", "conf"), CONFIGURATIONS)
def test_messages_arrive_or_their_result_says_why_not(foliot, board, conf):
    check(foliot, board, conf)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize(("board", "conf"), MORE)
def test_messages_arrive_in_more_configurations(foliot, board, conf):
    check(foliot, board, conf)


@pytest.mark.board
@pytest.mark.parametrize(
    "board", ["qemu_riscv32", pytest.param("mps2_an385", marks=pytest.mark.long)]
)
def test_the_sample_with_a_bank_keeps_its_accounts_from_its_clients(foliot, board):
    done = foliot.run("samples/bank", board, "default")
    assert "balances: 12 and 30" in done.stdout.splitlines()
    assert [fault["reason"] for fault in machine_lines(done.stdout)] == ["cpu exception"] * 2
    assert done.returncode == 0
