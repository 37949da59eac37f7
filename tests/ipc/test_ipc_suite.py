# SPDX-License-Identifier: Apache-2.0
"""The suite of messages: every row is there, with its evidence."""

from __future__ import annotations

import json

import pytest

# Boards of ports that deliver them.
FAULTS = {"qemu_riscv32", "mps2_an385", "mps2_an386", "ibex", "qemu_aarch64", "qemu_aarch64_a76",
          "qemu_x86_64"}  # fmt: skip
PAGES = {"qemu_aarch64", "qemu_aarch64_a76", "qemu_x86_64"}  # boards with page tables
MODES = {"qemu_riscv32": 3, "mps2_an385": 3, "mps2_an386": 3, "ibex": 3, "qemu_aarch64": 3,
         "qemu_aarch64_a76": 3, "qemu_x86_64": 3}  # fmt: skip


def expected(board: str, conf: str) -> set[str]:
    modes = MODES[board]
    names = ("kernel", "intra", "inter")[:modes]
    rows = {f"ipc.{what}.{name}.{words}"
            for what in ("call", "reply") for name in names for words in (4, 10)}  # fmt: skip
    rows |= {f"signal.{what}.{name}"
             for what in ("sem.wait", "sem.wake", "event.wait", "event.wake")
             for name in names}  # fmt: skip
    if modes > 1:
        rows |= {f"ipc.{what}.{name}" for what in ("round", "mean") for name in names[1:]}
        rows |= {f"yield.round.{name}" for name in names[1:]}
        if "fpu" in conf:
            rows |= {f"{row}.fp" for row in rows if row.startswith("ipc.") and "kernel" not in row}
        rows |= {"syscall.null.user", "signal.sem.user", "signal.event.user"}
    if board in PAGES:
        rows |= {"page.map", "page.protect", "page.unmap"}
    if board in FAULTS:
        rows |= {f"fault.round.{name}" for name in names[1:]}
    return rows


@pytest.mark.board
@pytest.mark.parametrize(("board", "conf"), [
    ("qemu_riscv32", "default"),
    pytest.param("mps2_an385", "default", marks=pytest.mark.long),
    pytest.param("mps2_an386", "fpu", marks=pytest.mark.long),
    pytest.param("ibex", "default", marks=pytest.mark.long),
    pytest.param("qemu_aarch64", "default", marks=pytest.mark.long),
    pytest.param("qemu_aarch64", "fpu", marks=pytest.mark.long),
    pytest.param("qemu_aarch64", "fpu,el2", marks=pytest.mark.long),
    pytest.param("qemu_aarch64_a76", "fpu,el2", marks=pytest.mark.long),
    pytest.param("qemu_x86_64", "default", marks=pytest.mark.long),
    pytest.param("qemu_x86_64", "fpu", marks=pytest.mark.long),
])  # fmt: skip
def test_the_suite_of_messages_has_all_its_rows_and_its_loop_agrees(foliot, board, conf):
    printed = foliot("bench", "--suite", "ipc", "--board", board, "--conf", conf,
                     "--json", "-").stdout  # fmt: skip
    found = {row["id"]: row for row in json.loads(printed)["rows"]}
    assert set(found) == expected(board, conf)
    if MODES[board] == 1:
        return
    for name in ("intra", "inter", "intra.fp", "inter.fp"):
        if f"ipc.round.{name}" in found:
            half = found[f"ipc.round.{name}"]["p50"] / 2
            assert abs(found[f"ipc.mean.{name}"]["p50"] - half) < 0.05 * half
    inter, intra = (found[f"ipc.mean.{name}"]["p50"] for name in ("inter", "intra"))
    # Another domain is loaded: that costs something on each of these cores. With page tables
    # another stack is opened in those of the one domain, and that costs more.
    # On x86-64 every user thread's view is loaded by the same few instructions.
    if board == "qemu_x86_64":
        assert inter == intra
    else:
        assert inter < intra if "aarch64" in board else inter > intra
