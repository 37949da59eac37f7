# SPDX-License-Identifier: Apache-2.0
"""Why a bound is above what was seen: what of its costliest path no run took, function by function.

A bound that is far from what was seen has one of two reasons: a run has not brought its state
about, or no run can. Which of the two is not for a program to say. What it can say is where the
gap is: the steps of the costliest path that no observed run ever took, in cycles, by function;
and where each was taken, that they were not taken as often in one call. docs/bounds.md has the
table, and behind it what is known of the largest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from foliot.bound.call import Call, Result
from foliot.bound.folded import Folded
from foliot.bound.image import Program
from foliot.bound.observe import Observed

WITHOUT_LOOPS, WITH_LOOPS = 1.25, 1.4  # what a ratio is allowed to be
_TOLD = 3  # functions

Step = tuple[str, int, str, int]


@dataclass(frozen=True, slots=True)
class Gap:
    """A call's bound to an end, and where of its costliest path it was never seen."""

    name: str
    end: str
    clocks: int
    observed: Observed
    has_loops: bool
    unseen: int  # cycles, of whole, on steps that no run took
    whole: int
    functions: Sequence[tuple[str, int]]  # where these are, or what costs most

    @property
    def ratio(self) -> float:
        """How many times the observed maximum the bound is."""
        return self.clocks / self.observed.clocks

    @property
    def is_allowed(self) -> bool:
        """Say whether there is nothing to explain."""
        return self.ratio <= (WITH_LOOPS if self.has_loops else WITHOUT_LOOPS)

    @property
    def reason(self) -> str:
        """What the gap is, in words."""
        told = ", ".join(f"{name} {clocks}" for name, clocks in self.functions)
        if self.unseen:
            return f"{self.unseen} of {self.whole} on steps never seen: {told}"
        return f"each step was seen, not all in one call: {told}"


def seen(programs: Iterable[tuple[Program, Folded]]) -> set[Step]:
    """Return the steps that runs took, by functions and places in them."""
    return {
        _named(program, step.before, step.pc)
        for program, folded in programs
        for step in folded.steps
        if step.before
    }


def gap(call: Call, result: Result, clocks: int, observed: Observed, known: set[Step]) -> Gap:
    """Return what lies between a bound and what was seen."""
    unseen: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for edge, count in result.taken:
        if edge.target.end:
            continue
        name = call.program.function(edge.target.pc)
        cost = round(count * edge.clocks)
        whole[name] += cost
        before = call.graph.piece(edge.source.pc)[-1][0]
        if _named(call.program, before, edge.target.pc) not in known:
            unseen[name] += cost
    told = (unseen or whole).most_common(_TOLD)
    return Gap(call.name, result.end, clocks, observed, bool(call.bounds), sum(unseen.values()),
               result.clocks, told)  # fmt: skip


def table(gaps: Sequence[Gap], unobserved: Sequence[str]) -> Iterator[str]:
    """Give the lines of docs/bounds.md's table."""
    above = sorted(
        (one for one in gaps if not one.is_allowed), key=lambda one: (-one.ratio, one.name)
    )
    yield "| call | to its | bound | seen | ratio | where the gap is |"
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for one in above:
        yield (
            f"| `{one.name}` | {one.end} | {one.clocks} | {one.observed.clocks} | {one.ratio:.2f} "
            f"| {one.reason} |"
        )
    yield ""
    good = [one for one in gaps if one.is_allowed]
    ratios = sorted(one.ratio for one in gaps)
    middle = ratios[len(ratios) // 2] if ratios else 0
    yield (
        f"Within the aims are {len(good)} of {len(gaps)} that were seen (median {middle:.2f}); "
        f"{len(unobserved)} are not seen at all: {', '.join(f'`{name}`' for name in unobserved)}."
    )


def _named(program: Program, before: int, pc: int) -> Step:
    one, other = program.function(before), program.function(pc)
    starts = _starts(program)
    return one, before - starts.get(one, 0), other, pc - starts.get(other, 0)


def _starts(program: Program) -> Mapping[str, int]:
    kept: Mapping[str, int] | None = program.kept.get(-2)
    if kept is None:
        kept = {name: start for start, name in program.entries.items()}
        program.kept[-2] = kept
    return kept
