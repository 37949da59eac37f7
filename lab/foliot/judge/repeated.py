# SPDX-License-Identifier: Apache-2.0
"""Whether a row changed, where a run doesn't come out the same every time.

Real boards scatter: by where code landed in flash, by interrupts, by temperature. So whole
runs are repeated, a run is one observation (its samples are no independent ones: they share
whatever that run had), and two sets of runs are compared by ranks: Mann and Whitney's test,
which asks for no distribution, and the interval of shifts that it can't reject, around Hodges
and Lehmann's estimate. Forty rows are forty tests, of which two would cry wolf at 5 %: the
p values are adjusted for that (Benjamini and Hochberg).

Rejected: a t-test (one outlier among ten hides a real change), and the bootstrap (its
intervals are too narrow for ten runs). SciPy is imported when it is needed: it takes a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from statistics import median

ALPHA = 0.05
# As many ways to deal the runs into two heaps are tried out where figures are equal.
_MOST_DEALS = 20_000

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


def enough(before: int, after: int, rows: int) -> bool:
    """Whether so many runs could show that one row of so many changed."""
    return 2 * rows <= ALPHA * comb(before + after, before)


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
    """Return the two-sided p value, exact where runs are few."""
    if len({*before, *after}) == 1:
        return 1.0
    from scipy import stats

    ties = len({*before, *after}) < len(before) + len(after)
    few = comb(len(before) + len(after), len(before)) <= _MOST_DEALS
    method = "auto" if not ties else "asymptotic"
    if ties and few and min(len(before), len(after)) > 1:
        method = stats.PermutationMethod(n_resamples=_MOST_DEALS)
    return float(stats.mannwhitneyu(before, after, method=method).pvalue)


def _adjusted(p_values: Sequence[float]) -> Sequence[float]:
    if all(p == 1.0 for p in p_values):
        return p_values
    from scipy import stats

    return [float(p) for p in stats.false_discovery_control(p_values)]


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
