# SPDX-License-Identifier: Apache-2.0
"""The rows of user threads: measured, in user mode, and set beside what they belong to."""

from __future__ import annotations

import json

import pytest

import logs
from foliot.log.reader import LogReader
from foliot.measure import matrix
from foliot.model.run import Run
from foliot.reference import rows, systems
from foliot.target import boards

PROBE = {"type": "probe", "thread": "0x80020000", "reads": "0x80010000"}
USERS = [row.id for row in rows.catalogue() if "default" not in row.configurations]


def fault(thread: str = "0x80020000") -> str:
    return "@foliot " + json.dumps(
        {"type": "fault", "reason": "cpu exception", "cause": "load access fault",
         "pc": "0x80000010", "thread": thread, "in_isr": 0, "registers": {}}
    )  # fmt: skip


def read(*faults: str) -> LogReader:
    """Read a log in which a probe is announced, and these faults follow."""
    lines = logs.log([PROBE, logs.row("some.row", [5, 5])]).splitlines()
    at = next(i for i, line in enumerate(lines) if '"probe"' in line) + 1
    reader = LogReader()
    for line in [*lines[:at], *faults, *lines[at:]]:
        reader.feed(line.encode())
    return reader


def test_a_fault_that_was_announced_is_no_end_of_the_run():
    reader = read(fault())
    assert reader.faults == []
    assert [row.id for row in reader.finish().rows] == ["some.row"]


@pytest.mark.parametrize(
    "faults",
    [(fault("0x80020004"),), (fault(), fault())],
    ids=["another thread's", "a second one"],
)
def test_any_other_fault_is_the_end_of_the_run(faults):
    assert read(*faults).faults


@pytest.mark.parametrize("board", ["ibex", "qemu_riscv32", "mps2_an385"])
def test_beside_user_threads_stand_another_kernels_with_user_threads(board):
    default = systems.beside(boards.load(board))
    users = systems.beside(boards.load(board), ("userspace",))
    assert not set(USERS) & set(default)
    assert set(USERS) <= set(users)
    kernel = "semaphore.give.immediate.kernel"  # what Zephyr's kernel threads pay for others
    assert users[kernel].value > default[kernel].value


@pytest.mark.parametrize(
    ("row", "kernels"),
    [
        ("thread.yield.preemptive.ctx.u_to_k", "thread.yield.preemptive.ctx.k_to_k"),
        ("thread.start.kernel.from.user", "thread.start.kernel.from.kernel"),
        ("isr.resume.different.thread.user", "isr.resume.different.thread.kernel"),
        ("semaphore.give.immediate.user", "semaphore.give.immediate.kernel"),
        ("heap.malloc.immediate", "heap.malloc.immediate"),
    ],
)
def test_a_row_of_user_threads_has_one_of_kernel_threads(row, kernels):
    assert matrix.counterpart(row) == kernels


def test_each_of_the_77_rows_has_one_of_kernel_threads():
    default = {row.id for row in rows.catalogue() if "default" in row.configurations}
    assert len(USERS) == 77
    assert {matrix.counterpart(row) for row in USERS} <= default
    assert not any(matrix.counterpart(row) == row for row in USERS)


def run_of(figures: dict[str, int]) -> Run:
    records = [logs.row(row, [value, value]) for row, value in figures.items()]
    reader = LogReader()
    for line in logs.log(records).splitlines():
        reader.feed(line.encode())
    return reader.finish()


def test_what_protection_costs_its_users_is_told_apart_from_what_it_costs_others():
    default = run_of({"some.give.kernel": 10, "some.take.k_to_k": 50})
    users = run_of({"some.give.kernel": 11, "some.give.user": 40, "some.take.u_to_u": 100})
    assert matrix.cost(default, users).every == pytest.approx(1.1)
    found = matrix.users_cost(default, users)
    assert found is not None
    assert (found.rows, found.over_kernel) == (2, pytest.approx(8**0.5))
    assert matrix.users_cost(default, default) is None
    shown = matrix.lines(matrix.Matrix(default, {("userspace",): users}))
    assert "userspace: the 2 rows of user threads are 2.83 times" in shown[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "board",
    [pytest.param(name, marks=pytest.mark.board(name)) for name in ("qemu_riscv32", "mps2_an385")],
)
def test_all_124_rows_are_measured_and_those_of_user_threads_were_in_user_mode(
    foliot, tmp_path, board
):
    out = tmp_path / "o.json"
    done = foliot("bench", "--board", board, "--conf", "userspace", "--samples", "5",
                  "--no-record", "-q", "--json", out)  # fmt: skip
    assert done.returncode == 0, done.stderr
    content = json.loads(out.read_text())
    measured = {row["id"]: row for row in content["rows"]}
    assert list(measured) and set(measured) == {row.id for row in rows.catalogue()}
    for row_id in USERS:
        row = measured[row_id]
        seen = {name: n for name, n in row["evidence"].items() if "user" in name or "mode" in name}
        assert seen and set(seen.values()) == {row["n"]}, row_id
        assert row["reference"]["name"].startswith("Zephyr")
        assert row["p50"] > measured[matrix.counterpart(row_id)]["p50"], row_id
    assert "user_waits" in measured["semaphore.take.blocking.u_to_k"]["evidence"]
    assert "user_wakes" not in measured["semaphore.take.blocking.u_to_k"]["evidence"]
