# SPDX-License-Identifier: Apache-2.0
"""The table of operations over their states, in docs/figures.md."""

from __future__ import annotations

import logs
from foliot.log.reader import parse
from foliot.project import states


def run_of(figures):
    records = [logs.row(row_id, [value] * 8) for row_id, value in figures.items()]
    return parse(logs.log(records, logs.HEADER).encode())


def test_an_operation_is_a_line_with_its_row_its_least_and_its_most():
    run = run_of({"a/queued": 9, "a/unqueued": 7, "b/isr": 3, "a/locked": 12, "b/masked": 3})
    table = list(states.lines(run, run_of({"a": 8})))
    assert table == [("`a`", 8, 3, 7, "unqueued", 12, "locked"), ("`b`", "", 2, 3, "all", 3, "")]


def test_rows_without_a_state_are_no_operation():
    assert list(states.spreads(run_of({"a": 1}))) == []


def test_rows_for_each_kind_of_thread_are_one_operation():
    run = run_of({"thread.yield.ctx.k_to_k/queued": 7, "thread.yield.ctx.k_to_k/unqueued": 9})
    kinds = ("preemptive", "cooperative")
    rows = run_of({f"thread.yield.{kind}.ctx.k_to_k": 7 for kind in kinds})
    assert [line[:2] for line in states.lines(run, rows)] == [("`thread.yield.ctx.k_to_k`", 7)]
    assert {states.operation(row.id) for row in rows.rows} == {"thread.yield.ctx.k_to_k"}
