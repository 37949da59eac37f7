# SPDX-License-Identifier: Apache-2.0
"""Repeated runs: known shifts are found, equal ones are not, and few runs claim little."""

from __future__ import annotations

import itertools
import math
import random

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


@pytest.mark.slow
def test_one_row_of_forty_that_changed_is_found_and_hardly_ever_another_accused():
    accused = 0
    for seed in range(20):
        generator = random.Random(seed)
        before = {f"a.{row}": runs(generator, 10, 100) for row in range(47)}
        after = {f"a.{row}": runs(generator, 10, 100) for row in range(46)}
        after["a.46"] = runs(generator, 10, 115)
        shown = {row for row, result in differences(before, after).items() if result.shown}
        assert "a.46" in shown
        accused += len(shown) - 1
    assert accused <= 3  # 5 % of what is shown, less what chance allows


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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([1, 2, 3], [4, 5, 6]),
        ([5, 5, 5, 7], [5, 8, 8]),
        ([1, 1, 2], [1, 2, 2, 2, 9]),
        ([3], [1, 2, 3, 4, 5]),
        ([2, 4, 6, 8], [1, 3, 5, 7]),
    ],
)
def test_the_p_value_is_what_dealing_the_runs_anew_in_every_way_gives(before, after):
    """Half of each equal pair, the pairs that are larger: the statistic by its definition."""

    def larger(one, other):
        return sum((a > b) + (a == b) / 2 for a in one for b in other)

    pool, found = [*before, *after], larger(before, after)
    every = []
    for chosen in itertools.combinations(range(len(pool)), len(before)):
        one = [pool[place] for place in chosen]
        rest = [figure for place, figure in enumerate(pool) if place not in chosen]
        every.append(larger(one, rest))
    tail = min(sum(u <= found for u in every), sum(u >= found for u in every))
    assert repeated._p_value(before, after) == min(1, 2 * tail / len(every))


def test_where_runs_are_many_the_normal_distribution_is_near():
    generator = random.Random(6)
    before, after = runs(generator, 15, 100), runs(generator, 15, 102)
    ranks = repeated._ranks([*before, *after])
    exact = repeated._p_value(before, after)
    assert exact == pytest.approx(repeated._nearly(ranks, 15, sum(ranks[:15])), rel=0.1)
    assert one(runs(generator, 50, 100), runs(generator, 50, 106)).p < 0.001
    assert one([7] * 50, [7] * 50).p == 1


def test_adjusted_for_their_number():
    assert repeated._adjusted([0.01, 0.04, 0.03, 0.5]) == pytest.approx(
        [0.04, 0.16 / 3, 0.16 / 3, 0.5]
    )


def test_of_thirty_runs_all_deals_are_still_counted_and_of_more_none():
    """The bound between exact and nearly: the one is 2 of 155,117,520 deals, the other is not."""
    assert repeated._p_value(range(15), range(15, 30)) == 2 / math.comb(30, 15)
    assert repeated._p_value(range(15), range(15, 31)) != 2 / math.comb(31, 15)
