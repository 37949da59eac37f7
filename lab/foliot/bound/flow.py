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
from typing import Any

from foliot.bound.graph import Refused

_NICE = 10_000  # the largest denominator that a dual value is taken to have
_SLACK = Fraction(1, 2)  # of a clock: how far the proof may be from the solver's answer


@dataclass(slots=True)
class Problem:
    """Maximise the sum of cost * count; each row is a sum of factor * count that is == or <= 0."""

    costs: list[int] = field(default_factory=list)
    balances: list[dict[int, int]] = field(default_factory=list)
    limits: list[tuple[dict[int, int], int]] = field(default_factory=list)
    source: int = 0  # the variable that is 1


@dataclass(frozen=True, slots=True)
class Answer:
    """The bound, proved, and how often each edge is taken on a costliest flow."""

    clocks: int
    counts: Sequence[float]
    duals: Sequence[Fraction]  # of the balances, of the source, of the limits: what proves it


def solve(problem: Problem) -> Answer:
    """Return the costliest flow; Refused where there is no end to it, or none at all."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    equal = [*problem.balances, {problem.source: 1}]
    limits = [row for row, _ in problem.limits]

    def matrix(rows: Sequence[Mapping[int, int]]) -> Any:
        entries = [(i, key, value) for i, row in enumerate(rows) for key, value in row.items()]
        places = [entry[:2] for entry in entries]
        shape = len(rows), len(problem.costs)
        values = [float(value) for _, _, value in entries]
        return csr_matrix((values, tuple(zip(*places, strict=True)) or ((), ())), shape=shape)

    found = linprog(
        -np.array(problem.costs, dtype=float),
        A_eq=matrix(equal), b_eq=[*[0] * len(problem.balances), 1],
        A_ub=matrix(limits) if limits else None,
        b_ub=[most for _, most in problem.limits] if limits else None,
        bounds=(0, None), method="highs",
    )  # fmt: skip
    if found.status != 0:
        raise Refused(f"no costliest path: {str(found.message).partition('.')[0].lower()}")
    duals = [-float(value) for value in found.eqlin.marginals]
    duals += [-float(value) for value in found.ineqlin.marginals]
    weights = [Fraction(dual).limit_denominator(_NICE) for dual in duals]
    weights[len(equal) :] = [max(weight, Fraction(0)) for weight in weights[len(equal) :]]
    proved = _proof(problem, equal, weights)
    if proved - Fraction(-float(found.fun)) > _SLACK:
        raise Refused("the solver's answer can't be proved")
    return Answer(int(proved), [float(count) for count in found.x], weights)


def _proof(
    problem: Problem, equal: Sequence[Mapping[int, int]], weights: Sequence[Fraction]
) -> Fraction:
    """Return an upper bound by weak duality, exact whatever the dual values are worth.

    For each variable the weighted rows have to come to no less than its cost: what lacks is
    refused, since counts of edges have no limit of their own. Only the last of the equal rows, that
    of the source, and limits have a right side that is not 0.
    """
    count = len(equal)
    sums = [Fraction(0)] * len(problem.costs)
    for weight, row in zip(weights, [*equal, *(row for row, _ in problem.limits)], strict=True):
        if weight:
            for variable, factor in row.items():
                sums[variable] += weight * factor
    if any(got < cost for got, cost in zip(sums, problem.costs, strict=True)):
        raise Refused("the solver's answer can't be proved")
    limits = zip(weights[count:], problem.limits, strict=True)
    return weights[count - 1] + sum((weight * most for weight, (_, most) in limits), Fraction(0))
