# SPDX-License-Identifier: Apache-2.0
"""Whether a row changed, where a run doesn't come out the same every time.

Real boards scatter: by where code landed in flash, by interrupts, by temperature. So whole
runs are repeated, a run is one observation (its samples are no independent ones: they share
whatever that run had), and two sets of runs are compared by ranks: Mann and Whitney's test,
which asks for no distribution, and the interval of shifts that it can't reject, around Hodges
and Lehmann's estimate. Forty rows are forty tests, of which two would cry wolf at 5 %: the
p values are adjusted for that (Benjamini and Hochberg).

Rejected: a t-test (one outlier among ten hides a real change), and the bootstrap (its
intervals are too narrow for ten runs). SciPy has test and adjustment, but would be two thirds of
all that is installed, NumPy with it, for what counting in whole numbers gives exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb, sqrt
from statistics import NormalDist, median

ALPHA = 0.05
# Of more runs than these in all the deals are not counted: the normal distribution is near enough.
_COUNTED = 30

Figures = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Difference:
    """What repeated runs say of one row; all in the runs' unit.

    `shift` estimates by how much `after` lies above `before`; `low` to `high` holds the true
    shift in 95 of 100 cases, None where there are too few runs for such an interval. `p` is the
    chance that runs of no difference look like this, adjusted for the number of rows.
    """

    before: float
    after: float
    runs: tuple[int, int]
    shift: float
    low: float | None
    high: float | None
    p: float

    @property
    def shown(self) -> bool:
        """Whether these runs show a difference."""
        return self.p < ALPHA


def differences(before: Figures, after: Figures) -> dict[str, Difference]:
    """Compare each row that both have; the figures of a row are the medians of its runs."""
    found = {
        row: _difference(old, after[row]) for row, old in before.items() if old and after.get(row)
    }
    adjusted = _adjusted([one.p for one in found.values()])
    return {row: replace(one, p=p) for (row, one), p in zip(found.items(), adjusted, strict=True)}


def interval(figures: Sequence[float]) -> tuple[float, float] | None:
    """Return where the true median lies in 95 of 100 cases; None where there are too few runs.

    The k-th figure from either end bounds it, where so few lie beyond by a toss of coins in half
    of 5 % of cases at most.
    """
    count, ordered = len(figures), sorted(figures)
    below = edge = 0
    while 2 * (below := below + comb(count, edge)) <= ALPHA * 2**count:
        edge += 1
    return (ordered[edge - 1], ordered[-edge]) if edge else None


def enough(before: int, after: int, rows: int) -> bool:
    """Whether so many runs could show that one row of so many changed."""
    return 2 * rows <= ALPHA * comb(before + after, before)


def by_chance(before: int, after: int) -> float:
    """Return in how many of 100 cases, over 100, a row that didn't change rises in every run.

    Higher in each run after than in any before: the clearest that so many runs can come out, and
    one of as many ways to deal them.
    """
    return 1 / comb(before + after, before)


def needed(rows: int) -> int:
    """Return how many runs on each side could show that one row of so many changed."""
    return next(count for count in range(1, 1000) if enough(count, count, rows))


def _difference(before: Sequence[float], after: Sequence[float]) -> Difference:
    shifts = sorted(new - old for new in after for old in before)
    edge = _edge(len(before), len(after))
    return Difference(
        before=median(before), after=median(after), runs=(len(before), len(after)),
        shift=median(shifts), low=shifts[edge - 1] if edge else None,
        high=shifts[-edge] if edge else None, p=_p_value(before, after),
    )  # fmt: skip


def _p_value(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the two-sided p value: exact, with equal figures too, unless runs are very many."""
    places = _ranks([*before, *after])
    found = sum(places[: len(before)])
    if len(places) > _COUNTED:
        return _nearly(places, len(before), found)
    ways = _deals(tuple(sorted(places)), len(before))
    total = comb(len(places), len(before))
    return min(1.0, 2 * min(sum(ways[: found + 1]), sum(ways[found:])) / total)


def _ranks(figures: Sequence[float]) -> list[int]:
    """Return each figure's rank doubled, so that equal ones share a whole number."""
    ordered = sorted(figures)
    first = {figure: place for place, figure in reversed(list(enumerate(ordered)))}
    last = {figure: place for place, figure in enumerate(ordered)}
    return [first[figure] + last[figure] + 2 for figure in figures]


@cache
def _deals(ranks: tuple[int, ...], count: int) -> list[int]:
    """Return, for each sum, in how many ways so many of the ranks add up to it."""
    ways = [[0] * (sum(ranks) + 1) for _ in range(count + 1)]
    ways[0][0] = 1
    reach = 0
    for rank in ranks:
        reach += rank
        for taken in range(count, 0, -1):
            more, fewer = ways[taken], ways[taken - 1]
            for total in range(rank, reach + 1):
                more[total] += fewer[total - rank]
    return ways[count]


def _nearly(ranks: Sequence[int], count: int, found: int) -> float:
    """Return the p value of a sum of ranks by the normal distribution."""
    mean = sum(ranks) / len(ranks)
    spread = sum((rank - mean) ** 2 for rank in ranks) / len(ranks)
    of_sum = sqrt(spread * count * (len(ranks) - count) / (len(ranks) - 1))
    away = max(0.0, abs(found - count * mean) - 1)  # a half, of ranks that stand doubled
    return 2 * (1 - NormalDist().cdf(away / of_sum)) if of_sum else 1.0


def _adjusted(p_values: Sequence[float]) -> Sequence[float]:
    """Return the p values adjusted for their number, after Benjamini and Hochberg."""
    adjusted = [1.0] * len(p_values)
    least = 1.0
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for rank in range(len(order), 0, -1):
        place = order[rank - 1]
        least = min(least, p_values[place] * len(order) / rank)
        adjusted[place] = least
    return adjusted


@cache
def _edge(before: int, after: int) -> int:
    """Return which of the sorted shifts, from either end, bounds the interval; 0 for none.

    As many shifts lie outside as the test's own statistic may be small: the k-th bounds it
    where P(U < k) is at most half of 5 %.
    """
    ways = _ways(before, after)
    total = sum(ways)
    below = 0
    for edge, count in enumerate(ways):
        below += count
        if 2 * below > ALPHA * total:
            return edge
    return 0


def _ways(before: int, after: int) -> list[int]:
    """Return in how many orders the statistic U is 0, 1, 2...: Gauss's binomial coefficients."""
    ways = [1] + [0] * (before * after)
    for step in range(1, before + 1):
        for place in range(len(ways) - 1, after + step - 1, -1):
            ways[place] -= ways[place - after - step]
        for place in range(step, len(ways)):
            ways[place] += ways[place - step]
    return ways
