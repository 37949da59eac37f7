# SPDX-License-Identifier: Apache-2.0
"""The costliest flow through a graph (implicit path enumeration, Li and Malik 1995).

How often each edge is taken is a number of a linear program: what comes into a node leaves it, one
unit comes in at the entry and leaves at an end, and each loop begins anew at most as often as its
bound says for each time it is come to. The most clocks that such a flow costs are no less than any
path's, whole numbers or not, so nothing is asked to be whole. HiGHS solves it in floating point;
what it says is not believed but proved: its dual values, rounded to fractions, give an upper
bound by themselves (weak duality), computed here in whole arithmetic. That one is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from foliot.bound.graph import Refused

_NICE = 10_000  # the largest denominator that a dual value is taken to have
_SLACK = Fraction(1, 2)  # of a clock: how far the proof may be from the solver's answer
_MOST_EXACT = 1 << 62  # what 64 bits hold


@dataclass(slots=True)
class Problem:
    """Maximise the sum of cost * count; each row is a sum of factor * count that is == or <= 0."""

    costs: list[int] = field(default_factory=list)
    balances: list[dict[int, int]] = field(default_factory=list)
    limits: list[tuple[dict[int, int], int]] = field(default_factory=list)
    source: int = 0  # the variable that is 1


@dataclass(frozen=True, slots=True)
class Answer:
    """The bound, proved, and how often each edge is taken on a costliest flow.

    `slacks` are what proves it: by how much less than the bound a flow costs at least, for each
    time that an edge is taken.
    """

    clocks: int
    counts: Sequence[float]
    slacks: Slacks


@dataclass(frozen=True, slots=True)
class Slacks:
    """Fractions of one denominator."""

    numerators: Sequence[int]
    denominator: int

    def __getitem__(self, variable: int) -> Fraction:
        """Return that of a variable."""
        return Fraction(int(self.numerators[variable]), self.denominator)


def solve(problem: Problem) -> Answer:
    """Return the costliest flow; Refused where there is no end to it, or none at all."""
    import numpy as np
    from scipy.optimize import linprog

    equal = _matrix([*problem.balances, {problem.source: 1}], len(problem.costs))
    limits = _matrix([row for row, _ in problem.limits], len(problem.costs))
    found = linprog(
        -np.array(problem.costs, dtype=float),
        A_eq=equal.astype(float), b_eq=[*[0] * len(problem.balances), 1],
        A_ub=limits.astype(float) if problem.limits else None,
        b_ub=[most for _, most in problem.limits] if problem.limits else None,
        bounds=(0, None), method="highs",
    )  # fmt: skip
    if found.status != 0:
        raise Refused(f"no costliest path: {str(found.message).partition('.')[0].lower()}")
    weights = [_nice(-float(value)) for value in found.eqlin.marginals]
    awards = [max(_nice(-float(value)), Fraction(0)) for value in found.ineqlin.marginals]
    slacks = _proof(problem, (equal, limits), weights, awards)
    limited = (weight * most for weight, (_, most) in zip(awards, problem.limits, strict=True))
    proved = weights[-1] + sum(limited, Fraction(0))
    if proved - Fraction(-float(found.fun)) > _SLACK:
        raise Refused("the solver's answer can't be proved")
    return Answer(int(proved), found.x.tolist(), slacks)


def _nice(dual: float) -> Fraction:
    whole = round(dual)
    if abs(dual - whole) < 1 / (2 * _NICE):
        return Fraction(whole)
    return Fraction(dual).limit_denominator(_NICE)


def _matrix(rows: Sequence[Mapping[int, int]], width: int) -> Any:
    import numpy as np
    from scipy.sparse import csr_matrix

    counts = np.cumsum([0, *(len(row) for row in rows)])
    places = [key for row in rows for key in row]
    values = np.array([value for row in rows for value in row.values()], dtype=np.int64)
    return csr_matrix((values, places, counts), shape=(len(rows), width))


def _proof(
    problem: Problem,
    matrices: tuple[Any, Any],
    weights: Sequence[Fraction],
    awards: Sequence[Fraction],
) -> Slacks:
    """Show that weights of rows prove an upper bound (weak duality), whatever they are worth.

    For each variable the weighted rows have to come to no less than its cost: what lacks is
    refused, since counts of edges have no limit of their own. Only the last of the equal rows, that
    of the source, and limits have a right side that is not 0. All is whole numbers: fractions of
    one denominator.
    """
    denominator = lcm(1, *(weight.denominator for weight in (*weights, *awards)))
    costs = [-cost * denominator for cost in problem.costs]
    sides = [
        (matrix, [int(weight * denominator) for weight in each])
        for matrix, each in zip(matrices, (weights, awards), strict=True)
    ]
    largest = max([abs(value) for value in costs], default=0)
    for matrix, each in sides:
        columns = abs(matrix).sum(axis=0).max() if matrix.nnz else 0
        largest += int(columns) * max([abs(weight) for weight in each], default=0)
    sums: list[int] = costs
    for matrix, each in sides:
        weighted = _exactly(matrix, each, largest < _MOST_EXACT)
        sums = [one + more for one, more in zip(sums, weighted, strict=True)]
    if min(sums) < 0:
        raise Refused("the solver's answer can't be proved")
    return Slacks(sums, denominator)


def _exactly(matrix: Any, weights: Sequence[int], fits: bool) -> Sequence[int]:
    """Return the sum of a matrix's rows, each so many times; `fits`: in 64 bits, whatever comes."""
    import numpy as np

    if fits:
        told: list[int] = (matrix.T @ np.array(weights, dtype=np.int64)).tolist()
        return told
    sums = [0] * matrix.shape[1]
    entries = matrix.tocoo()
    for row, column, value in zip(entries.row, entries.col, entries.data, strict=True):
        sums[column] += weights[row] * int(value)
    return sums
