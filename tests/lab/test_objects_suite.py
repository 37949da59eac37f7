# SPDX-License-Identifier: Apache-2.0
"""The suite `objects`: each row has its evidence, and grows only where a list is walked."""

from __future__ import annotations

import pytest

from foliot.model import growth
from support.command import machine_lines

COUNTS = {"poll.refused.of": (1, 4, 16, 64), "work.submit.behind": (1, 4, 16, 64),
          "work.cancel.among": (1, 4, 16, 64), "poll.work.submit.behind": (1, 4, 16),
          "mbox.put.refused.past": (1, 4, 16), "mbox.get.refused.past": (1, 4, 16)}  # fmt: skip
WALKED = {"poll.refused.of", "mbox.put.refused.past", "mbox.get.refused.past"}
ROWS = 33  # without user threads, and without those beside others and in a state
IN_STATES = 350
USERS_ROWS = 7


def rows_of(foliot, board: str, conf: str) -> dict[str, float]:
    done = foliot.run("suites/objects", board, conf, limit_s=600)
    assert done.returncode == 0, done.stdout[-3000:]
    rows = machine_lines(done.stdout, "row")
    assert all(row["evidence"] for row in rows)
    return {row["id"]: row["p50"] for row in rows}


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [
        ("mps2_an385", "default"),
        *(
            pytest.param(board, conf, marks=pytest.mark.long)
            for board, conf in [
                ("qemu_riscv32", "default"), ("qemu_riscv32", "userspace"), ("ibex", "default"),
                ("mps2_an385", "userspace"), ("qemu_riscv64", "default"),
                ("qemu_aarch64", "default"), ("qemu_x86_64", "default"),
            ]
        ),
    ],
)  # fmt: skip
def test_each_row_is_measured_and_grows_where_it_says(foliot, board, conf):
    found = rows_of(foliot, board, conf)
    beside = {f"{name}.{n}" for name, counts in COUNTS.items() for n in counts}
    assert beside <= set(found)
    users = {name for name in found if name.endswith(".user")}
    assert len(users) == (USERS_ROWS if conf == "userspace" else 0)
    in_states = {name for name in found if "/" in name}
    assert len(found) == ROWS + len(users) + len(beside) + len(in_states)
    assert len(in_states) == IN_STATES
    orders = {name: growth.fit(name, [(n, found[f"{name}.{n}"]) for n in counts]).order
              for name, counts in COUNTS.items()}  # fmt: skip
    assert {name for name, order in orders.items() if order == "linear"} == WALKED
    assert {orders[name] for name in orders if name not in WALKED} == {"flat"}
