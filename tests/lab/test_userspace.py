# SPDX-License-Identifier: Apache-2.0
"""The rows of user threads: measured, in user mode, and set beside what they belong to."""

from __future__ import annotations

import json

import pytest

import logs
from foliot.log.reader import LogReader
from foliot.measure import matrix
from foliot.model.run import Run
from foliot.reference import protection, rows, systems
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
    assert protection.kernel_row(row) == kernels


def test_each_of_the_77_rows_has_one_of_kernel_threads():
    default = {row.id for row in rows.catalogue() if "default" in row.configurations}
    assert len(USERS) == 77
    assert {protection.kernel_row(row) for row in USERS} <= default
    assert not any(protection.kernel_row(row) == row for row in USERS)


FLOOR = {"syscall.null.user": 30.0, "syscall.checked.user": 45.0, "syscall.copy.user": 40.0,
         "domain.switch.stack.kernel": 10.0}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "floor"),
    [
        ("semaphore.give.immediate.user", 45),
        ("thread.yield.preemptive.ctx.u_to_u", 30 + 10),
        ("thread.yield.preemptive.ctx.u_to_k", 30),
        ("semaphore.give.wake+ctx.u_to_u", 45 + 10),
        ("semaphore.give.wake+ctx.k_to_u", 30),
        ("condvar.wait.blocking.u_to_k", 45 + 15),
        ("stack.pop.immediate.user", 45 + 10),
        ("stack.push.immediate.user", 45),
        ("stack.pop.blocking.u_to_u", 45 + 10),
        ("stack.push.wake+ctx.k_to_u", 30 + 10),
        ("stack.push.wake+ctx.u_to_u", 45 + 10 + 10),
        ("isr.resume.different.thread.user", 30),
        ("thread.create.user.from.user", 30 + 2 * 15 + 11 * 10),
        ("thread.create.user.from.kernel", 0),
        ("thread.abort.user.from.kernel", 0),
        ("thread.resume.user.from.kernel", 30),
        ("thread.suspend.user.from.kernel", 45),
        ("thread.suspend.user.from.user", 45 + 10),
        ("thread.resume.user.from.user", 45 + 10),
    ],
)
def test_what_a_user_threads_row_passes_through_has_a_floor(row, floor):
    path = protection.path_of(row)
    assert path is not None and path.floor(FLOOR) == floor


def test_each_row_of_user_threads_has_a_limit_but_where_a_stack_is_wiped():
    figures = {row.id: 10 for row in rows.catalogue()}
    found = protection.limits(run_of(figures), FLOOR)
    wiped = [row for row in USERS if row.startswith("thread.start.user")]
    assert [limit.row for limit in found] == [row for row in USERS if row not in wiped]
    assert len(wiped) == 2
    assert not protection.limits(run_of(figures), {"syscall.null.user": 30.0})


def test_a_row_is_within_its_limit_up_to_the_last_cycle():
    kernel = "semaphore.give.immediate.kernel"
    most = 20 + 1.6 * 45
    for figure, is_kept in ((int(most), True), (int(most) + 1, False)):
        run = run_of({kernel: 20, "semaphore.give.immediate.user": figure})
        (limit,) = protection.limits(run, FLOOR)
        assert (limit.kernel, limit.most, limit.is_kept) == (20, most, is_kept)
        assert protection.told([limit]).startswith(f"{int(is_kept)} of 1 rows of user threads")


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
    [pytest.param("mps2_an385", marks=pytest.mark.board("mps2_an385"))]
    + [
        pytest.param(name, marks=[pytest.mark.board(name), pytest.mark.long])
        for name in ("qemu_riscv32", "qemu_riscv64", "qemu_aarch64", "qemu_x86_64")
    ],
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
        if boards.load(board).reference:
            assert row["reference"]["name"].startswith("Zephyr")
        assert row["p50"] > measured[protection.kernel_row(row_id)]["p50"], row_id
    assert "user_waits" in measured["semaphore.take.blocking.u_to_k"]["evidence"]
    assert "user_wakes" not in measured["semaphore.take.blocking.u_to_k"]["evidence"]


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize("board", ["qemu_riscv32", "mps2_an385"])
@pytest.mark.parametrize(
    "more",
    ["small", "small,stackguard,canaries-all,objcore", "ipc,canaries,timeslicing",
     "ipc,objcore,stackguard,canaries-all,timeslicing", "small,ipc,objcore,timeslicing,canaries"],
)  # fmt: skip
def test_all_124_rows_are_valid_in_any_mix_of_configurations(foliot, tmp_path, board, more):
    out = tmp_path / "o.json"
    done = foliot("bench", "--board", board, "--conf", f"userspace,{more}", "--samples", "5",
                  "--no-record", "-q", "--json", out)  # fmt: skip
    assert done.returncode == 0, done.stderr
    measured = {row["id"] for row in json.loads(out.read_text())["rows"]}
    assert measured == {row.id for row in rows.catalogue()}


WAY = {  # of a system call: the stub, the trap, what does the call
    "qemu_riscv32": ("__wrap_k_sem_give", "riscv_user_exception", "fast_k_sem_give"),
    "qemu_riscv64": ("__wrap_k_sem_give", "riscv_user_exception", "fast_k_sem_give"),
    "ibex": ("__wrap_k_sem_give", "riscv_user_exception", "fast_k_sem_give"),
    "mps2_an385": ("__wrap_k_sem_give", "svc_handler", "fast_k_sem_give"),
    "qemu_aarch64": ("__wrap_k_sem_give", "aarch64_user_exception", "fast_k_sem_give"),
    "qemu_x86_64": ("__wrap_k_sem_give", "x86_64_call", "fast_k_sem_give"),
}


@pytest.mark.parametrize(
    "board",
    [pytest.param("qemu_riscv32", marks=[pytest.mark.board("qemu_riscv32"), pytest.mark.long]),
     pytest.param("mps2_an385", marks=[pytest.mark.board("mps2_an385"), pytest.mark.long]),
     pytest.param("qemu_riscv64", marks=[pytest.mark.board("qemu_riscv64"), pytest.mark.long]),
     pytest.param("qemu_aarch64", marks=[pytest.mark.board("qemu_aarch64"), pytest.mark.long]),
     pytest.param("qemu_x86_64", marks=[pytest.mark.board("qemu_x86_64"), pytest.mark.long]),
     pytest.param("ibex", marks=[pytest.mark.board("ibex"), pytest.mark.long])],
)  # fmt: skip
def test_an_explanation_walks_through_a_system_call(foliot, tmp_path, board):
    out = tmp_path / "o.json"
    done = foliot("explain", "semaphore.give.immediate.user", "--conf", "userspace",
                  "--board", board, "-q", "--json", out)  # fmt: skip
    assert done.returncode == 0, done.stderr
    steps = json.loads(out.read_text())["instructions"]
    functions = list(dict.fromkeys(step["function"] for step in steps))
    places = [functions.index(name) for name in WAY[board]]
    assert places == sorted(places)
