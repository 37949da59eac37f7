# SPDX-License-Identifier: Apache-2.0
"""Headlines: like beside like, the mean with and without what flatters us, and the catches."""

from __future__ import annotations

from dataclasses import replace

import pytest

import logs
from foliot.log.reader import parse
from foliot.model.run import Reference
from foliot.project import headlines
from foliot.reference import goals, systems
from foliot.target import boards

FIGURES = {
    "semaphore.give.immediate.kernel": 20,
    "fifo.put.alloc.immediate.kernel": 40,
    "fifo.get.free.immediate.kernel": 40,
    "isr.resume.different.thread.kernel": 40,
    "heap.malloc.immediate": 40,
    "heap.free.immediate": 30,
}


def run_of(figures, name="Zephyr 3.3 -O2", suite="latency", **header):
    """Return a run on `ibex` in which every row is beside a figure of 80."""
    records = [logs.row(row_id, [value] * 8) for row_id, value in figures.items()]
    run = parse(logs.log(records, {**logs.HEADER, "suite": suite, **header}).encode())
    beside = Reference(name, 80) if name else None
    return run.with_rows([replace(row, reference=beside) for row in run.rows])


def said(lines, word):
    return [line for line in lines if word in line]


def test_the_mean_stands_beside_the_one_without_what_flatters():
    lines = headlines.summary(run_of(FIGURES))
    assert said(lines, "over 6 rows") == [
        "* 0.42 times Zephyr 3.3 -O2's cycles, the geometric mean over 6 rows, both at -O2."
    ]
    [plain] = said(lines, "without heap")
    assert plain.startswith("* 0.25 times over the 1 rows")


def test_nothing_is_left_out_where_nothing_flatters():
    lines = headlines.summary(run_of({"semaphore.give.immediate.kernel": 20}))
    assert said(lines, "over 1 rows")
    assert not said(lines, "without")


@pytest.mark.parametrize("name", ["Zephyr 3.3 -Os", "Zephyr 3.3", "Zephyr 3.3 -O2 -Os"])
def test_no_mean_is_made_of_unlike_levels(name):
    lines = headlines.summary(run_of(FIGURES, name))
    assert not said(lines, "times")
    assert said(lines, f"No mean beside {name}: Foliot is compiled at -O2")


def test_the_level_is_the_last_that_the_compiler_was_given():
    flags = "-O0 -g -O2 -mno-Os-thing"
    assert said(headlines.summary(run_of(FIGURES, flags=flags)), "both at -O2")
    assert said(headlines.summary(run_of(FIGURES, flags="-O2 -g -Og")), "No mean")


def test_without_a_reference_only_the_targets_are_reported():
    [line] = headlines.summary(run_of(FIGURES, name=""))
    assert " of 47 targets met on `ibex`" in line


def test_what_another_kernels_figure_holds_beside_its_operation_is_said():
    [note] = goals.notes("zephyr-3.3-speed@ibex")
    lines = headlines.summary(run_of({note.row: 50}))
    assert said(lines, f"of Zephyr 3.3 -O2's 80 cycles about {note.holds:g} are {note.what}")
    assert not said(headlines.summary(run_of(FIGURES)), note.row)
    assert goals.notes("zephyr-3.3@ibex") == []


def test_the_heap_in_use_stands_beside_the_empty_one():
    used = run_of({"heap_in_use.mixed.half_full.malloc": 150,
                   "heap_in_use.equal.shuffled.free": 160}, suite="heap")  # fmt: skip
    [line] = said(headlines.summary(run_of(FIGURES), used), "The heap")
    for words in ("`malloc` 40, `free` 30 out of an empty one", "150 (at most 150)", "160 (at"):
        assert words in line
    assert not said(headlines.summary(run_of(FIGURES)), "The heap")
    assert not said(headlines.summary(run_of(FIGURES), run_of({"other": 1}, suite="heap")), "heap:")


def test_the_mean_over_states_stands_beside_the_one_over_rows():
    """Each operation weighs once, however many states it has."""
    rows = run_of({"semaphore.give.immediate.kernel": 20, "stack.push.immediate.kernel": 40})
    states = run_of({"semaphore.give.immediate.kernel/in_isr": 20,
                     "semaphore.give.immediate.kernel/locked": 20,
                     "semaphore.give.immediate.kernel/masked": 20,
                     "stack.push.immediate.kernel/in_isr": 160,
                     "other/state": 999}, suite="states")  # fmt: skip
    over = "the 4 states of the 2 operations that `states` measures"
    lines = headlines.summary(rows, None, states)
    assert f"* 2.00 times the rows, over {over}." in lines
    assert said(lines, f"* 0.71 times Zephyr 3.3 -O2's cycles over {over}")
    assert not said(headlines.summary(rows), "states")
    assert not said(headlines.summary(rows, None, run_of({"other/state": 1})), "`states`")


def test_no_mean_over_states_beside_another_level():
    rows = run_of({"semaphore.give.immediate.kernel": 20}, "Zephyr 3.3 -Os")
    states = run_of({"semaphore.give.immediate.kernel/in_isr": 30}, suite="states")
    lines = headlines.summary(rows, None, states)
    assert said(lines, "1.50 times the rows") and not said(lines, "Zephyr 3.3 -Os's")


def test_missed_targets_are_named_with_what_was_measured():
    goal = goals.targets("ibex")["semaphore.give.immediate.kernel"]["target"]
    met = headlines.missed(run_of({"semaphore.give.immediate.kernel": goal}))
    assert met == ["* 1 of 47 targets met on `ibex`, 46 missed."]
    late = headlines.missed(run_of({"semaphore.give.immediate.kernel": goal + 1}))
    assert late == ["* 0 of 47 targets met on `ibex`, 47 missed:",
                    f"  * `semaphore.give.immediate.kernel`: {goal + 1}, not {goal}"]  # fmt: skip


def test_other_suites_have_targets_of_their_own():
    [line] = headlines.missed(run_of({"isr.entry.kernel": 1}, suite="interrupt"))
    assert line.startswith(f"* 1 of {len(goals.targets('ibex', 'interrupt'))} targets met")
    assert goals.targets("ibex", "nothing") == goals.targets("host") == {}


def test_a_run_with_user_threads_has_goals_of_its_own_and_says_which_it_misses():
    run = run_of({"semaphore.give.immediate.user": 75, "semaphore.take.immediate.user": 76})
    run = replace(run, header=replace(run.header, configuration=("userspace",)))
    count = len(goals.targets("ibex", "latency", ("userspace",)))
    assert 0 < count < len(goals.targets("ibex"))
    (line,) = headlines.told(run)
    missed = f"{count - 1} missed: semaphore.take.immediate.user 76 (75)"
    assert line == f"1 of {count} targets met on ibex, {missed}"
    assert headlines.told(run_of({"a.row.of.mine": 1})) == []


def test_what_stands_beside_ours_is_of_our_level_where_a_mean_is_made():
    """The name that a board gives its reference is the level it was compiled at."""
    for name in boards.names():
        shown = boards.load(name).reference
        if shown:
            run = systems.load(str(shown["run"]))
            fast = "-speed@" in str(shown["run"])
            assert str(shown["name"]).endswith("-O2" if fast else "-Os"), name
            assert run.rows
    for name in ("ibex", "mps2_an385"):
        assert boards.load(name).reference["name"] == "Zephyr 3.3 -O2"
