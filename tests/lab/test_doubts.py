# SPDX-License-Identifier: Apache-2.0
"""Each doubt of an own run: what raises it, and that nothing else does."""

from __future__ import annotations

from dataclasses import replace

import pytest

import logs
from foliot.judge import doubts
from foliot.judge.doubts import Context, examine
from foliot.log.reader import parse
from foliot.store.selection import reference

CONTEXT = Context("ibex", "cycles", "latency", ("a", "b"))
STEADY = [60] + [50] * 199


def examined(*records, header=None, context=CONTEXT, floor=None):
    run = parse(logs.log(records, {**logs.HEADER, **(header or {})}))
    run = run.with_rows([replace(row, floor=floor) for row in run.rows])
    return examine(run, context)


def names(run):
    return sorted({doubt.name for doubt in run.doubts})


def pair(**changes):
    return [{**logs.row("a", STEADY), **changes}, logs.row("b", STEADY)]


def test_a_good_run_raises_none():
    run = examined(*pair(), floor=40)
    assert run.doubts == ()
    assert run.valid


@pytest.mark.parametrize(
    ("records", "header", "expected", "valid"),
    [
        (pair()[:1], {}, "row-missing", False),
        ([pair()[0], logs.failure("b", "no heap")], {}, "row-failed", False),
        (pair(evidence={}), {}, "evidence-missing", False),
        (pair(evidence={"blocked": 0}), {}, "evidence-missing", False),
        ([logs.row("a", [0] * 200), pair()[1]], {}, "row-zero", False),
        (pair(overhead=600), {}, "overhead-large", True),
        (pair(), {"counter": {"bits": 64, "granule": 6}}, "clock-coarse", True),
        ([logs.row("a", [50] * 199 + [60000]), pair()[1]], {"counter": {"bits": 16}},
         "counter-wrapped", True),
        ([logs.row("a", [50] * 10), pair()[1]], {}, "few-samples", True),
        ([logs.row("a", [50] * 100 + [90] * 100), pair()[1]], {}, "bimodal", True),
        ([logs.row("a", [50] * 199 + [900]), pair()[1]], {}, "outlier", True),
        (pair(doubts=["overhead-unstable"]), {}, "overhead-unstable", True),
        (pair(doubts=["of-its-own"]), {}, "of-its-own", True),
        (pair(), {"clock_measured_hz": 102_000_000}, "clock-rate", False),
        (pair(), {"clock_fallback": "the PLL does not lock"}, "clock-fallback", False),
        (pair(), {"assertions": 1}, "assertions-on", True),
        (pair(), {"flags": "-Og -g"}, "debug-build", True),
        (pair(), {"board": "other"}, "other-board", False),
        (pair(), {"suite": "other"}, "other-suite", False),
    ],
)  # fmt: skip
def test_what_raises_a_doubt(records, header, expected, valid):
    run = examined(*records, header=header)
    assert expected in names(run)
    assert run.valid is valid
    for doubt in run.doubts:
        assert doubt.text
        assert doubt.advice


def test_faster_than_the_floor():
    assert names(examined(*pair(), floor=51)) == ["below-floor"]


def test_a_cold_first_sample_is_no_outlier():
    assert names(examined(logs.row("a", [900] + [50] * 199), pair()[1])) == []


def test_a_slow_sample_that_a_tick_has_hit_is_no_outlier():
    row = logs.row("a", [50] * 199 + [900])
    assert names(examined({**row, "doubts": ["tick"]}, pair()[1])) == ["tick"]


def test_a_row_carries_the_names_of_its_doubts():
    run = examined(*pair(evidence={}))
    row = run.row("a")
    assert row is not None
    assert row.doubts == ("evidence-missing",)


@pytest.mark.parametrize(("overhead", "is_doubted"), [(500, False), (501, True)])
def test_stamps_that_cost_ten_times_the_operation_are_no_doubt_yet(overhead, is_doubted):
    assert ("overhead-large" in names(examined(*pair(overhead=overhead)))) == is_doubted


def test_a_cycle_of_a_printed_row_that_took_time_is_coarse():
    """Of ten cycles and more none is, and of none at all nothing can be said."""
    published = reference("zephyr-4.3@teensy4.1").run
    for cycles, is_coarse in ((0, False), (0.5, True), (9, True), (10, False)):
        row = replace(published.rows[0], p50=cycles, ns=100)
        found = list(doubts._coarse_clock(row, published))
        assert bool(found) == is_coarse, cycles
