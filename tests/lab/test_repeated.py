# SPDX-License-Identifier: Apache-2.0
"""Repeated runs: known shifts are found, equal ones are not, and few runs claim little."""

from __future__ import annotations

import itertools
import random
import sys

import pytest

from foliot.judge import repeated
from foliot.judge.repeated import differences


def one(before, after):
    return differences({"a.x": before}, {"a.x": after})["a.x"]


def runs(generator, count, level, spread=3.0):
    return [level + generator.gauss(0, spread) for _ in range(count)]


@pytest.mark.slow
def test_a_known_shift_is_found_and_lies_within_its_interval():
    generator = random.Random(1)
    found = inside = 0
    for _ in range(200):
        result = one(runs(generator, 10, 100), runs(generator, 10, 106))
        found += result.shown
        inside += result.low <= 6 <= result.high
    assert found > 190  # twice the spread from run to run
    assert inside >= 185  # 95 %, less what chance allows


@pytest.mark.slow
def test_equal_distributions_are_told_apart_in_one_case_of_twenty_at_most():
    generator = random.Random(2)
    results = [one(runs(generator, 10, 100), runs(generator, 10, 100)) for _ in range(400)]
    assert sum(result.shown for result in results) <= 0.08 * 400
    assert sum(result.low <= 0 <= result.high for result in results) >= 0.92 * 400


@pytest.mark.slow
def test_of_forty_equal_rows_hardly_ever_one_is_accused():
    generator = random.Random(3)
    accused = 0
    for _ in range(20):
        before = {f"a.{row}": runs(generator, 10, 100) for row in range(47)}
        after = {f"a.{row}": runs(generator, 10, 100) for row in range(47)}
        accused += any(result.shown for result in differences(before, after).values())
    assert accused <= 4


def test_one_row_of_forty_that_changed_is_found():
    generator = random.Random(4)
    before = {f"a.{row}": runs(generator, 10, 100) for row in range(47)}
    after = {f"a.{row}": runs(generator, 10, 100) for row in range(46)}
    after["a.46"] = runs(generator, 10, 115)
    assert [row for row, result in differences(before, after).items() if result.shown] == ["a.46"]


def test_one_outlier_hides_nothing():
    before, after = [100, 101, 99, 102, 98, 100, 101, 99], [120, 121, 119, 122, 118, 120, 121, 9000]
    assert one(before, after).shown
    assert 18 <= one(before, after).shift <= 24


@pytest.mark.parametrize("count", [5, 8, 10, 30])
def test_ties_a_step_of_one_between_constants_is_a_difference(count):
    result = one([151] * count, [152] * count)
    assert result.shown
    assert (result.shift, result.low, result.high) == (1, 1, 1)


@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_ties_equal_constants_are_none(count):
    result = one([151] * count, [151] * count)
    assert (result.p, result.shift) == (1, 0)
    assert not result.shown


def test_ties_mixed():
    few = one([100, 100, 101, 101, 100], [101, 100, 101, 100, 101])
    assert not few.shown
    assert few.low <= 0 <= few.high


@pytest.mark.parametrize(("old", "new"), [(1, 1), (1, 10), (2, 2), (3, 3)])
def test_too_few_runs_show_nothing_and_claim_no_interval(old, new):
    result = one(list(range(old)), [1000 + step for step in range(new)])
    assert not result.shown
    assert (result.low, result.high) == (None, None)


def test_one_run_that_ties_with_one_of_many():
    assert not one([50], [50, 51]).shown
    assert not one([50, 51, 52], [51]).shown


def test_the_fewest_that_can_show_something():
    assert one([1, 2, 3, 4], [11, 12, 13, 14]).shown
    assert repeated.needed(1) == 4
    assert repeated.needed(47) == 7
    assert not repeated.enough(1, 100, 47)


def test_rows_that_one_side_lacks_are_left_out():
    assert list(differences({"a": [1], "b": [1]}, {"b": [1], "c": [1]})) == ["b"]
    assert differences({}, {}) == {}


@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 3), (4, 4), (3, 5)])
def test_the_orders_are_counted_as_by_hand(m, n):
    counts = [0] * (m * n + 1)
    for places in itertools.combinations(range(m + n), m):
        counts[sum(places) - m * (m - 1) // 2] += 1
    assert repeated._ways(m, n) == counts


def test_the_same_figures_give_the_same_verdict_twice():
    assert one([1, 2, 2, 3, 5], [4, 4, 5, 2, 6]) == one([1, 2, 2, 3, 5], [4, 4, 5, 2, 6])


def test_scipy_is_not_imported_for_what_needs_none(foliot):
    code = (
        "import sys, foliot.cli as c; [c.command(n) for n in ('gate', 'compare', 'bench')]; "
        "print([name for name in ('scipy', 'numpy') if name in sys.modules])"
    )
    done = foliot.program(sys.executable, "-P", "-c", code)
    assert done.stdout == "[]\n", done.stderr
