# SPDX-License-Identifier: Apache-2.0
"""A bound without paths that can't be: the costliest path of which no branch is impossible.

The linear program's dual values say of each edge how much less than the bound any path costs that
takes it (its slack, 0 on a costliest flow). So a path's cost is at most the bound less its slacks,
and paths are looked for in the order of that (A*): each branch is asked of z3 with all that was
before it (symbolic.py), and what no values lead to is cut. The first path to get to the end is
the answer; where that takes too many steps, the most that any path still could, which is no less.
The slacks are proved by the program's own proof, so nothing that was cut is believed but z3.

Of a loop a path has no more rounds than its bound lets it have. A path that has fewer than that
costs less than the bound without its slacks, so the first to get to the end is asked what its own
steps cost, and waits once more for its turn.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING

from foliot.bound.graph import Edge, Node

if TYPE_CHECKING:
    from foliot.bound.call import Call, Result
    from foliot.bound.image import Program
    from foliot.bound.symbolic import Machine, State

MOST_STEPS = 500


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left: the bound, how many beginnings of paths were cut, whether a path has it."""

    clocks: int
    cuts: int
    steps: int
    is_exact: bool
    path: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class _Way:
    """The beginning of a path, from its last edge back."""

    edge: Edge
    before: _Way | None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a path has got to: what is known there, what is left of rounds, what it has cost."""

    node: Node
    state: State
    left: tuple[int, ...]
    spent: int
    way: _Way | None = None


class _Rounds:
    """What is left of the rounds of each loop, along a path."""

    def __init__(self, call: Call, parameters: Mapping[str, int]) -> None:
        self.begun: list[int] = []
        self._changes: dict[int, dict[int, int]] = defaultdict(dict)
        for bound in call.bounds:
            for group in call.limits(bound, parameters):
                loop = len(self.begun)
                self.begun.append(group.most if group.is_first else 0)
                for edge in group.entries:
                    self._change(edge, loop, group.most)
                for edge in group.again:
                    self._change(edge, loop, -1)
                for edge in group.above:
                    self._change(edge, loop, -group.taken_away)

    def _change(self, edge: Edge, loop: int, by: int) -> None:
        own = self._changes[id(edge)]
        own[loop] = own.get(loop, 0) + by

    def behind(self, left: tuple[int, ...], edge: Edge) -> tuple[int, ...] | None:
        """Return what is left behind an edge; None: it has no round left."""
        changes = self._changes.get(id(edge))
        if not changes:
            return left
        after = list(left)
        for loop, by in changes.items():
            after[loop] += by
            if after[loop] < 0:
                return None
        return tuple(after)


def in_worlds(call: Call, end: str, parameters: Mapping[str, int]) -> Cut:
    """Return the bound of a call to an end so, whoever makes it; no more than its bound."""
    best: Cut | None = None
    for whole in sorted(call.in_worlds(end, parameters), key=lambda one: -one.clocks):
        if best is not None and whole.clocks <= best.clocks:
            break
        found = cut(call, whole, parameters)
        if found.clocks > whole.clocks:
            found = Cut(whole.clocks, found.cuts, found.steps, False)
        if best is None or found.clocks > best.clocks:
            best = found
    return best or Cut(0, 0, 0, True)


def cut(call: Call, result: Result, parameters: Mapping[str, int], most: int = MOST_STEPS) -> Cut:
    """Return the bound of a call to an end without impossible paths."""
    from foliot.bound.symbolic import Machine

    machine = Machine(call.program.image.label("__global_pointer$"), _lasting(call.program))
    begun = machine.begin()
    _run(call, machine, begun, call.graph.entry)
    order = count()
    rounds = _Rounds(call, parameters)
    top = Fraction(result.clocks)
    waiting: list[tuple[Fraction, int, int, _Place]] = [
        (-top, 0, 0, _Place(call.graph.entry, begun, tuple(rounds.begun), call.first))
    ]
    cuts = steps = 0
    while waiting:
        most_left, depth, _, at = heapq.heappop(waiting)
        if at.node.end:
            return Cut(int(-most_left), cuts, steps, True, _path(at.way))
        if steps >= most:
            return Cut(int(-most_left), cuts, steps, False)
        for edge in call.graph.edges.get(at.node, ()):
            slack = result.slack(edge)
            if slack is None or (edge.target.end and edge.target.end != result.end):
                continue
            steps += 1
            left = rounds.behind(at.left, edge)
            after = None if left is None else _behind(call, machine, at.state, edge)
            if after is None or left is None:
                cuts += 1
                continue
            spent = at.spent + edge.clocks
            cost = Fraction(-spent) if edge.target.end else most_left + slack
            place = _Place(edge.target, after, left, spent, _Way(edge, at.way))
            heapq.heappush(waiting, (cost, depth - 1, next(order), place))
    return Cut(0, cuts, steps, True)


def _behind(call: Call, machine: Machine, state: State, edge: Edge) -> State | None:
    """Return the state behind an edge and the piece that it leads to; None: nothing leads there."""
    pc, what = call.graph.piece(edge.source.pc)[-1]
    after: State | None = state.copy()
    if what.kind == "branch" and what.imm != what.size:
        after = machine.branches(state, what, edge.target.pc == pc + what.imm)
    elif what.kind == "jalr" and not what.is_return and not edge.target.end:
        fixed = state.registers[what.reads[0]].constant
        if fixed is not None and (fixed + what.imm) & 0xFFFFFFFE != edge.target.pc:
            return None
    if after is not None and what.is_return and call.graph.is_switch(pc):
        after.lasting = {}  # in another thread
    if after is not None and not edge.target.end:
        _run(call, machine, after, edge.target)
    return after


def _lasting(program: Program) -> list[int]:
    """Return where the words are that last: which thread runs, whether a handler does."""
    words = (("current",), ("arch", "in_isr"))
    return [at for each in words if (at := program.member("k_cpu", "cpu", *each)) is not None]


def _run(call: Call, machine: Machine, state: State, node: Node) -> None:
    for pc, what in call.graph.piece(node.pc):
        if what.kind != "branch":
            machine.step(state, pc, what)


def _path(way: _Way | None) -> tuple[Edge, ...]:
    found = []
    while way is not None:
        found.append(way.edge)
        way = way.before
    return tuple(reversed(found))
