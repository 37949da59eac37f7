# SPDX-License-Identifier: Apache-2.0
"""Growth: the order is named right, and what the kernel claims to be constant is."""

from __future__ import annotations

import math

import pytest

import logs
from foliot.log.reader import parse
from foliot.model import growth
from support.command import machine_lines

COUNTS = (1, 16, 64, 256)


def named(figure):
    """Return what is said of a figure that is a function of the number of others."""
    return growth.fit("x", [(n, figure(n)) for n in COUNTS])


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (lambda n: 50, "flat"),
        (lambda n: 50 + (n == 64) * 2, "flat"),
        (lambda n: 78 if n == 1 else 68, "flat"),  # alone it costs more
        (lambda n: 100 + 6 * n, "linear, 6.0 for each"),
        (lambda n: 1000 + round(0.5 * n), "linear, 0.5 for each"),
        (lambda n: 40 + round(9 * math.log2(n)), "logarithmic, 9.0 for each doubling"),
        (lambda n: {1: 10, 16: 90, 64: 20, 256: 95}[n], "of no simple order"),
        (lambda n: n * n, "of no simple order"),
    ],
)
def test_the_order_is_named_with_what_each_step_costs(figure, words):
    assert named(figure).words == words


def test_a_series_is_rows_whose_names_end_with_a_number():
    ids = ["a.b.1", "a.b.16", "a.b.64", "other", "c.1", "c.2", "a.b.256"]
    run = parse(logs.log([logs.row(name, [10 * place + 10] * 4)
                          for place, name in enumerate(ids)]).encode())  # fmt: skip
    [one] = growth.series(run.rows)
    assert one.name == "a.b"
    assert [n for n, _ in one.points] == list(COUNTS)


# What docs/kernel.md claims: everything costs the same (a waiter passes priorities, not others).


def orders(foliot, board, conf="default"):
    """Run the suite; return the order of each series."""
    done = foliot.run("suites/growth", board, conf, limit_s=600)
    assert done.returncode == 0, done.stdout
    rows = {row["id"]: row["p50"] for row in machine_lines(done.stdout, "row")}
    names = {name.rpartition(".")[0] for name in rows}
    assert len(rows) == 4 * len(names) >= 4 * 13
    return {name: growth.fit(name, [(n, rows[f"{name}.{n}"]) for n in COUNTS]).order
            for name in names}  # fmt: skip


@pytest.mark.parametrize(
    "board",
    [
        "mps2_an385",
        *(
            pytest.param(board, marks=pytest.mark.long)
            for board in ("qemu_riscv32", "ibex", "qemu_riscv64")
        ),
    ],
)
@pytest.mark.board
def test_what_is_claimed_to_be_constant_is(foliot, board):
    assert set(orders(foliot, board).values()) == {"flat"}


@pytest.mark.long
@pytest.mark.board("mps2_an385")
def test_a_list_of_timeouts_grows_where_it_says(foliot):
    """The configuration `small` has one: arming walks over what is due later."""
    found = orders(foliot, "mps2_an385", "small")
    assert [name for name, order in found.items() if order == "linear"] == [
        "growth.timeouts.add_first"
    ]


@pytest.mark.board("mps2_an385")
def test_bench_says_the_order(foliot, tmp_path):
    done = foliot("bench", "--suite", "growth", "--board", "mps2_an385", "--samples", "5",
                  "--conf", "small", "--quiet", FOLIOT_STORE=str(tmp_path))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "growth.timeouts.add_first     linear, 8.0 for each" in done.stdout
