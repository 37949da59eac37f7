# SPDX-License-Identifier: Apache-2.0
"""What a bound is without something: why it is above what was seen, with a number that shows it.

A bound that is above its aim is computed anew with one thing taken away, and with another beside
that, until it is within the aim. What can be taken away, in the order in which it is tried:

* more of something than there need be, by parameters (`C = 0`: no row of owners); who wants to see
  it gives the command that parameter
* the steps that no observed run ever took
* what a cause's functions take beyond what they took in the longest call that was seen (CAUSES of
  gaps.py, or the call's own): their steps are free, and what was seen of them is added

None of them takes away what was seen: where a bound would be less than that, it is not tried. What
a bound without something is says nothing of whether that can be; docs/bounds.md does, by cause.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foliot.bound import flow
from foliot.bound.graph import Refused

if TYPE_CHECKING:
    from foliot.bound.call import Call

NEVER_TAKEN = "steps never taken"
# Less of something, each as options of the command have it.
_LESS = ({"C": 0}, {"M": 0}, {"C": 0, "M": 0}, {"W": 1}, {"P": 1}, {"W": 1, "P": 1})


@dataclass(frozen=True, slots=True)
class Without:
    """What is taken away, as a row of the table tells it."""

    name: str
    kind: str  # what it is counted as: less of something, NEVER_TAKEN, or a cause
    less: tuple[tuple[str, int], ...] = ()
    steps: bool = False
    functions: frozenset[str] = frozenset()  # whose steps cost what they did
    seen: int = 0  # ... which is so much


@dataclass(frozen=True, slots=True)
class Explained:
    """A bound with some things taken away, one after the other."""

    clocks: int
    without: tuple[Without, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """What they are counted as, each once."""
        return tuple(dict.fromkeys(one.kind for one in self.without))

    def told(self, seen: int) -> str:
        """Return `1.12: W = 1; steps never taken`."""
        return f"{self.clocks / seen:.2f}: {'; '.join(one.name for one in self.without)}"


@dataclass(frozen=True, slots=True)
class Case:
    """A call's end whose bound is to be explained: what was seen of it, and what it may be."""

    call: Call
    end: str
    parameters: Mapping[str, int]
    clocks: int  # the bound
    seen: int
    aim: float
    never_taken: AbstractSet[int]  # edges, by identity

    def bound(self, without: Sequence[Without]) -> int | None:
        """Return the bound without some things; None: there is none, or less than was seen."""
        parameters = dict(self.parameters)
        for one in without:
            parameters.update(one.less)
        steps = self.never_taken if any(one.steps for one in without) else frozenset()
        free = frozenset().union(*(one.functions for one in without))
        try:
            clocks = 0
            function = self.call.program.function
            for edges, problem in self.call.problems(self.end, parameters, steps):
                for i, edge in enumerate(edges, 1):
                    if not edge.target.end and function(edge.target.pc) in free:
                        problem.costs[i] = 0
                clocks = max(clocks, flow.solve(problem).clocks)
            clocks += sum(one.seen for one in without)
        except Refused:
            return None
        return min(clocks, self.clocks) if clocks >= self.seen else None


def less(call: Call, parameters: Mapping[str, int]) -> Iterator[Without]:
    """Give what there may be less of, of what a call's bound depends on."""
    known = set(call.parameters())
    for each in _LESS:
        if set(each) <= known and all(parameters[name] > few for name, few in each.items()):
            name = ", ".join(f"{name} = {few}" for name, few in each.items())
            yield Without(name, "less of something", tuple(each.items()))


def explain(case: Case, choices: Sequence[Without]) -> Explained | None:
    """Return a bound within the aim, with as little taken away as is found; None: there is none.

    The first that is enough by itself is taken, in the order that they are in. Where none is, the
    one that takes the most away stays, and so on.
    """
    taken: tuple[Without, ...] = ()
    rest = list(choices)
    best: tuple[int, Without] | None = None
    while rest:
        best = None
        for one in rest:
            clocks = case.bound((*taken, one))
            if clocks is None:
                continue
            if clocks <= case.aim * case.seen:
                return _needed(case, (*taken, one), clocks)
            if best is None or clocks < best[0]:
                best = clocks, one
        if best is None:
            return None
        taken = (*taken, best[1])
        rest = [one for one in rest if one is not best[1]]
    return None


def _needed(case: Case, taken: tuple[Without, ...], clocks: int) -> Explained:
    """Leave out what is not needed beside what was taken later."""
    for one in taken[:-1]:
        fewer = tuple(other for other in taken if other is not one)
        told = case.bound(fewer)
        if told is not None and told <= case.aim * case.seen:
            taken, clocks = fewer, told
    return Explained(clocks, taken)
