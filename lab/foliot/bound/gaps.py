# SPDX-License-Identifier: Apache-2.0
"""Why a bound is above what was seen: what of its costliest path no run took, function by function.

A bound that is far from what was seen has one of two reasons: a run has not brought its state
about, or no run can. Which of the two is not for a program to say. What it can say is what most of
the costliest path is spent on (CAUSES, by function), how much of it is on steps that no observed
run ever took, and where these are; and what has to be taken away for a bound within the aim
(ablation.py). docs/bounds.md has the tables, and says of each cause why no one call is all of that.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from foliot.bound import ablation, observe
from foliot.bound.ablation import NEVER_TAKEN, Case, Explained, Without
from foliot.bound.call import Call, Result
from foliot.bound.folded import Folded
from foliot.bound.image import Program
from foliot.bound.observe import Observed
from foliot.show.terminal import clipped, result_width

WITHOUT_LOOPS, WITH_LOOPS = 1.25, 1.4  # what a ratio is allowed to be
_TOLD = 3  # functions

Step = tuple[str, int, str, int]

# What a costliest path is spent on, by the functions that do it; the rest is the call's own.
OWN = "the call itself"
_FUNCTIONS = {
    "rows of owners": (
        "entitled sched_set_prio change mutex_inherit inherit_waiter_moved inherit_ahead "
        "inherit_effective_prio mutex_lend wait_q_join wait_q_add mutex_left"
    ),
    "memory": (
        "alloc_size put_in_list_large __clzsi2 heap_release sys_heap_alloc sys_heap_resize "
        "sys_heap_aligned_alloc serve_each heap_take alloc_waiting free_slow k_heap_alloc"
    ),
    "copying": (
        "memcpy arch_copy_guarded step msgq_copy_run msgq_settle write_slow read_slow "
        "msgq_peek_at exchange copy write_to_reader"
    ),
    "division": "__udivdi3 __umoddi3 __divdi3 __moddi3 ms_catch_up",
    "clearing": "memset",
    "numbers": "generation_give",
    "waking": (
        "end_wait sched_ready ready_add_last wait_q_remove wake_slow sched_wake sched_wake_all "
        "sched_traversal_on sched_ready_switch sched_switch_unqueued wake_first_timed "
        "sched_wake_first sched_wake_switch timeout_cancel tell_waiters wake_matching hand_over "
        "hand_out move raise_to sched_traversal_waking sched_traversal_stop"
    ),
    "waiting": (
        "pend_slow sched_pend_slow sched_pend_timed sched_pend_prepare "
        "timeout_add timeout_alarm timeout_deadline clock_catch_up ready_remove "
        "sched_arm_timeout sched_arm_first sched_disarm sched_pend_in_front"
    ),
}
CAUSES = {cause: frozenset(names.split()) for cause, names in _FUNCTIONS.items()}
_INHERITING = "entitled"  # without which joining a queue is the caller's own wait


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
    cause: str = OWN  # of CAUSES, or OWN: what most of it is spent on
    spent: int = 0  # cycles, of whole, on that
    explained: Explained | None = None  # within the aim without what; None: needs none, or has none

    @property
    def ratio(self) -> float:
        """How many times the observed maximum the bound is."""
        return self.clocks / self.observed.clocks

    @property
    def is_allowed(self) -> bool:
        """Say whether there is nothing to explain."""
        return self.ratio <= self.aim

    @property
    def aim(self) -> float:
        """What the ratio is allowed to be."""
        return WITH_LOOPS if self.has_loops else WITHOUT_LOOPS

    @property
    def reason(self) -> str:
        """What the gap is, in words."""
        told = ", ".join(f"{name} {clocks}" for name, clocks in self.functions)
        spent = f"{self.cause}, {self.spent} of {self.whole}"
        if self.unseen:
            return f"{spent}; never seen {self.unseen}: {told}"
        return f"{spent}; each step was seen, not all in one call: {told}"


class Runs:
    """What was seen in some runs, of calls whose code is the same there as in the image meant.

    A suite with other options may have other code under a function's name: no word of this bound.
    """

    def __init__(self, program: Program, runs: Sequence[tuple[Program, Folded]]) -> None:
        """Take runs in, each with its image."""
        self._program = program
        self._runs = [(one, observe.of_run(one.path, folded)) for one, folded in runs]
        self._same: dict[tuple[int, str], bool] = {}
        self.steps = {
            _named(one, step.before, step.pc)
            for number, (one, folded) in enumerate(runs)
            for step in folded.steps
            if step.before and self._is_same(number, one.function(step.before))
            and self._is_same(number, one.function(step.pc))
        }  # fmt: skip

    def longest(self, call: Call, end: str) -> Observed | None:
        """Return the longest that a call took to an end, or None."""
        functions = {self._program.function(node.pc) for node in call.graph.edges}
        found = [
            observed[call.name, end]
            for number, (_, observed) in enumerate(self._runs)
            if (call.name, end) in observed
            and all(self._is_same(number, name) for name in functions)
        ]
        return max(found, key=lambda one: one.clocks, default=None)

    def _is_same(self, number: int, name: str) -> bool:
        key = number, name
        if key not in self._same:
            self._same[key] = _shape(self._program, name) == _shape(self._runs[number][0], name)
        return self._same[key]


def _shape(program: Program, name: str) -> Sequence[tuple[str, int, int, Sequence[int]]]:
    """Return a function's instructions, but for the addresses in them."""
    return [
        (what.name, what.size, what.rd, what.reads) for _, what in program.of_function.get(name, ())
    ]


def gap(
    call: Call, result: Result, parameters: Mapping[str, int], clocks: int, observed: Observed,
    known: set[Step],
) -> Gap:  # fmt: skip
    """Return what lies between a bound and what was seen."""
    unseen: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    never_taken = _never_taken(call, known)
    for edge, count in result.taken:
        if edge.target.end:
            continue
        name = call.program.function(edge.target.pc)
        cost = round(count * edge.clocks)
        whole[name] += cost
        if id(edge) in never_taken:
            unseen[name] += cost
    told = (unseen or whole).most_common(_TOLD)
    cause, spent = cause_of(whole)
    found = Gap(call.name, result.end, clocks, observed, bool(call.bounds), sum(unseen.values()),
                result.clocks, told, cause, spent)  # fmt: skip
    if found.is_allowed:
        return found
    case = Case(call, result.end, parameters, clocks, observed.clocks, found.aim, never_taken)
    choices = [
        *ablation.less(call, parameters),
        Without(NEVER_TAKEN, NEVER_TAKEN, steps=True),
        *_at_what_was_seen(call, whole, observed),
    ]
    return replace(found, explained=ablation.explain(case, choices))


def _never_taken(call: Call, known: set[Step]) -> frozenset[int]:
    """Return the edges, by identity, that no run took."""
    return frozenset(
        id(edge)
        for node, edges in call.graph.edges.items()
        for edge in edges
        if not edge.target.end
        and _named(call.program, call.graph.piece(node.pc)[-1][0], edge.target.pc) not in known
    )


def _at_what_was_seen(
    call: Call, whole: Mapping[str, int], observed: Observed
) -> Iterator[Without]:
    """Give each cause that a path is spent on, at what the longest call that was seen spent on it.

    That which most is spent on comes first.
    """
    names = {call.program.function(node.pc) for node in call.graph.edges} | {*observed.spent}
    own: dict[str, set[str]] = {}
    for name in names:
        own.setdefault(_cause(name, whole), set()).add(name)
    spent = {cause: sum(whole.get(name, 0) for name in each) for cause, each in own.items()}
    for cause in sorted(own, key=lambda one: (-spent[one], one)):
        seen = sum(observed.spent.get(name, 0) for name in own[cause])
        if spent[cause] > seen:
            yield Without(f"{cause} at {seen}", cause, functions=frozenset(own[cause]), seen=seen)


def cause_of(spent: Mapping[str, int]) -> tuple[str, int]:
    """Return what most of a path is spent on, and how many cycles, by what its functions take."""
    causes: Counter[str] = Counter()
    for name, clocks in spent.items():
        causes[_cause(name, spent)] += clocks
    return causes.most_common(1)[0] if causes else (OWN, 0)


def _cause(name: str, names: Container[str]) -> str:
    """Return what a function's time is put down to, in a path that has some others in it."""
    plain = name.partition(".")[0]
    if plain in ("wait_q_join", "wait_q_add") and _INHERITING not in names:
        return "waiting"
    return next((cause for cause, functions in CAUSES.items() if plain in functions), OWN)


def lines(gaps: Sequence[Gap], unobserved: Sequence[str]) -> Iterator[str]:
    """Give for each end above its aim without what it is within, and what it is spent on."""
    width = result_width()
    yield f"{'call':<32} {'to its':<6} {'bound':>8} {'seen':>8} {'ratio':>7}"
    for one in _above(gaps):
        name = clipped(one.name, 32)
        yield f"{name:<32} {one.end:<6} {one.clocks:>8} {one.observed.clocks:>8} {one.ratio:>7.2f}"
        without = one.explained.told(one.observed.clocks) if one.explained else "nothing found"
        told = f"within its aim without this, {without}. Most is spent on {one.reason}"
        yield from textwrap.wrap(told, width, initial_indent="  ", subsequent_indent="  ",
                                 break_on_hyphens=False)  # fmt: skip
    yield from textwrap.wrap(_summary(gaps, unobserved), width, break_on_hyphens=False)


def _above(gaps: Sequence[Gap]) -> Sequence[Gap]:
    above = (one for one in gaps if not one.is_allowed)
    return sorted(above, key=lambda one: (-one.ratio, one.name))


def _summary(gaps: Sequence[Gap], unobserved: Sequence[str]) -> str:
    good = [one for one in gaps if one.is_allowed]
    ratios = sorted(one.ratio for one in gaps)
    middle = ratios[len(ratios) // 2] if ratios else 0
    return (
        f"Within the aims are {len(good)} of {len(gaps)} that were seen (median {middle:.2f}); "
        f"{len(unobserved)} are not seen at all: {', '.join(f'`{name}`' for name in unobserved)}."
    )


def table(gaps: Sequence[Gap], unobserved: Sequence[str]) -> Iterator[str]:
    """Give the lines of docs/bounds.md's tables."""
    above = _above(gaps)
    yield "| call | to its | bound | seen | ratio | without that | most is spent on |"
    yield "| --- | --- | ---: | ---: | ---: | --- | --- |"
    for one in above:
        without = one.explained.told(one.observed.clocks) if one.explained else "not explained"
        yield (
            f"| `{one.name}` | {one.end} | {one.clocks} | {one.observed.clocks} | {one.ratio:.2f} "
            f"| {without} | {one.reason} |"
        )
    yield ""
    yield from by_cause(above)
    yield ""
    yield from by_what_is_taken_away(above)
    yield ""
    yield _summary(gaps, unobserved)


def as_json(
    gaps: Sequence[Gap], unobserved: Sequence[str], parameters: Mapping[str, int]
) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "schema": 1, "unit": "cycles", "parameters": dict(parameters), "unseen": list(unobserved),
        "gaps": [
            {
                "call": one.name, "end": one.end, "bound": one.clocks,
                "observed": one.observed.clocks, "observed_in": one.observed.image,
                "ratio": one.ratio, "aim": one.aim, "cause": one.cause, "spent": one.spent,
                "never_taken": one.unseen,
                "without": [each.name for each in one.explained.without] if one.explained else [],
                "bound_without": one.explained.clocks if one.explained else None,
            }
            for one in gaps
        ],
    }  # fmt: skip


def by_cause(above: Sequence[Gap]) -> Iterator[str]:
    """Give the lines of the table of causes, that of most ends first."""
    yield "| most is spent on | ends | least, median and largest ratio | cycles between, at most |"
    yield "| --- | ---: | --- | ---: |"
    ends = Counter(one.cause for one in above)
    for cause, count in ends.most_common():
        own = sorted((one for one in above if one.cause == cause), key=lambda one: one.ratio)
        ratios = f"{own[0].ratio:.2f}, {own[len(own) // 2].ratio:.2f}, {own[-1].ratio:.2f}"
        most = max(one.clocks - one.observed.clocks for one in own)
        yield f"| {cause} | {count} | {ratios} | {most} |"


def by_what_is_taken_away(above: Sequence[Gap]) -> Iterator[str]:
    """Give the lines of the table of what has to be taken away, the shortest first."""
    yield "| within its aim without | ends | largest ratio, and without that |"
    yield "| --- | ---: | ---: |"
    kinds: dict[tuple[str, ...], list[Gap]] = {}
    for one in above:
        kinds.setdefault(one.explained.kinds if one.explained else (), []).append(one)
    for kind, own in sorted(kinds.items(), key=lambda each: (len(each[0]), -len(each[1]), each[0])):
        most = max(own, key=lambda one: one.ratio)
        behind = f", {most.explained.clocks / most.observed.clocks:.2f}" if most.explained else ""
        yield f"| {' and '.join(kind) or 'not explained'} | {len(own)} | {most.ratio:.2f}{behind} |"


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
