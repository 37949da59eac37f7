# SPDX-License-Identifier: Apache-2.0
"""The bound of one call: its graph, its loops' bounds, its costliest flow to each end.

Counted is what the call itself runs, from the jump into it leaving the execute stage to the last
instruction leaving: the `ret` to its caller, or that of arch_switch() in another thread. Interrupts
that are taken meanwhile, and what threads do in a window, are not the call's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from foliot.bound import branches, facts, flow, ibex, never
from foliot.bound.branches import Taken
from foliot.bound.facts import Branch, Loop
from foliot.bound.flow import Problem
from foliot.bound.graph import Edge, Graph, Node, Piece, Refused
from foliot.bound.image import Program
from foliot.bound.instructions import Instruction
from foliot.bound.loops import Bound, Loops, bind
from foliot.model.errors import FoliotError
from foliot.target import paths

_A2 = 12
JUMP = Instruction("jal", "jal", 4, 1)


@dataclass(frozen=True, slots=True)
class Result:
    """The bound of a call to one of its ends, and the costliest flow."""

    end: str
    clocks: int
    taken: Sequence[tuple[Edge, float]]
    numbers: Mapping[int, int]  # edges on ways to that end, as variables of the program
    slacks: flow.Slacks

    def slack(self, edge: Edge) -> Fraction | None:
        """Return by how much less than the bound paths by an edge cost; None: it is on none."""
        number = self.numbers.get(id(edge))
        return None if number is None else self.slacks[number]


@dataclass(frozen=True, slots=True)
class Limit:
    """How often some edges are taken: `most` for each time that an entry is.

    `above` takes so many away, each time. `is_first`: the graph's entry is one, too.
    """

    most: int
    again: Sequence[Edge]
    entries: Sequence[Edge]
    is_first: bool
    above: Sequence[Edge]
    taken_away: int


@dataclass(slots=True)
class Call:
    """A call of which bounds are asked for."""

    program: Program
    name: str
    graph: Graph
    loops: Loops
    bounds: list[Bound]
    options: Mapping[str, int]
    first: int  # clocks to the first piece's end
    symbol: str = ""  # of the function that is called, where it is not the name
    results: dict[tuple[str, tuple[tuple[str, int], ...]], Result] = field(default_factory=dict)
    branches: list[Taken] = field(default_factory=list)  # taken only where there is something
    # What is never taken, by identity, where a thread makes it, and where a handler does.
    worlds: Sequence[Set[int]] = (frozenset(),)

    def __post_init__(self) -> None:
        """Find its branches of sources that say when they are taken."""
        self.branches = branches.find(self.graph)

    def ends(self) -> list[str]:
        """Return the ends that it has, in the order in which they are told."""
        found = self.graph.ends()
        return [end for end in ("return", "switch", "mret", "stop", "sleep") if end in found]

    def seen_as(self, end: str) -> tuple[str, str]:
        """Return what a run knows a call to an end by; a system call is by way of its stub."""
        return (self.symbol, f"{end}+") if self.symbol else (self.name, end)

    def parameters(self) -> list[str]:
        """Return the parameters that its bound may depend on."""
        return sorted({
            word
            for expression in [*(bound.loop.formal for bound in self.bounds if bound.loop),
                               *(one.branch.formal for one in self.branches)]
            for word in facts.words(expression)
        })  # fmt: skip

    def facts(self) -> list[Loop | Branch]:
        """Return the loops and branches of sources that its bound rests on."""
        found: set[Loop | Branch] = {bound.loop for bound in self.bounds if bound.loop}
        found |= {one.branch for one in self.branches}
        return sorted(found, key=lambda one: one.where)

    def not_taken(self, parameters: Mapping[str, int]) -> set[int]:
        """Return the edges, by identity, that are not taken where there is so much of everything.

        Those that branches of sources say so of.
        """
        return {
            id(edge)
            for one in self.branches
            if not facts.value(one.branch.formal, parameters, self.options, paths.ROOT,
                               one.branch.file)
            for edge in one.edges
        }  # fmt: skip

    def refusals(self) -> list[str]:
        """Return why it has no bound: loops that nothing bounds, calls to nobody knows whom."""
        where = self.graph.program.where
        found = [
            f"a call through a pointer: {where(pc)}{_by_way_of(self.graph, node)}"
            for node, pc in self.graph.unknown.items()
        ]
        for bound in self.bounds:
            loop = bound.loop
            if loop is None:
                found.append(f"a loop that no source has: {where(bound.outer.header.pc)}")
            elif not loop.formal:
                said = (
                    f"says only: {loop.prose[:60]}" if loop.prose else "says nothing of its bound"
                )
                found.append(f"the loop at {loop.where} {said}")
        return list(dict.fromkeys(found))

    def bound(self, end: str, parameters: Mapping[str, int]) -> Result:
        """Return the bound to an end; Refused where there is none."""
        key = end, tuple(sorted((name, parameters[name]) for name in self.parameters()))
        if key not in self.results:
            refusals = self.refusals()
            if refusals:
                raise Refused(refusals[0])
            found = self.in_worlds(end, parameters)
            self.results[key] = max(found, key=lambda one: one.clocks)
        return self.results[key]

    def in_worlds(self, end: str, parameters: Mapping[str, int]) -> list[Result]:
        """Return the bound where a thread makes the call, and where a handler does."""
        return [
            self._solve(end, edges, problem)
            for edges, problem in self.problems(end, parameters)
        ]  # fmt: skip

    def _solve(self, end: str, edges: Sequence[Edge], problem: Problem) -> Result:
        answer = flow.solve(problem)
        taken = [(edge, answer.counts[i]) for i, edge in enumerate(edges, 1) if answer.counts[i]]
        number = {id(edge): i for i, edge in enumerate(edges, 1)}
        return Result(end, answer.clocks, taken, number, answer.slacks)

    def problems(
        self, end: str, parameters: Mapping[str, int], without: Set[int] = frozenset()
    ) -> list[tuple[list[Edge], Problem]]:
        """Return the edges on ways to an end, and the program of their flow, in each world.

        `without`: edges, by identity, that are left out; Refused where nothing gets to the end.
        """
        found = [self._problem(end, parameters, without | world) for world in self.worlds]
        there = [each for each in found if each[0]]
        if not there:
            raise Refused(f"{self.name} has no {end} with so much of everything")
        return there

    def _problem(
        self, end: str, parameters: Mapping[str, int], without: Set[int]
    ) -> tuple[list[Edge], Problem]:
        """Return the edges on ways to an end, variables from 1 on, and the program of their flow.

        No edges where nothing gets there.
        """
        edges = _leading_to(self.graph, end, self.not_taken(parameters) | without)
        problem = Problem(costs=[self.first, *(edge.clocks for edge in edges)])
        number = {id(edge): i for i, edge in enumerate(edges, 1)}
        balances: dict[Node, dict[int, int]] = {self.graph.entry: {0: 1}}
        for edge in edges:
            balances.setdefault(edge.source, {})[number[id(edge)]] = -1
            if not edge.target.end:
                row = balances.setdefault(edge.target, {})
                row[number[id(edge)]] = row.get(number[id(edge)], 0) + 1
        problem.balances = [
            {key: one for key, one in row.items() if one} for row in balances.values()
        ]
        for bound in self.bounds:
            self._limit(problem, bound, number, parameters)
        return edges, problem

    def _limit(
        self, problem: Problem, bound: Bound, number: Mapping[int, int], given: Mapping[str, int]
    ) -> None:
        """Put a loop's bound among the limits of the flow."""
        for one in self.limits(bound, given):
            row = {number[id(edge)]: 1 for edge in one.again if id(edge) in number}
            row |= {number[id(edge)]: one.taken_away for edge in one.above if id(edge) in number}
            row |= {number[id(edge)]: -one.most for edge in one.entries if id(edge) in number}
            if one.is_first:
                row[0] = -one.most
            if row:
                problem.limits.append((row, 0))

    def limits(self, bound: Bound, given: Mapping[str, int]) -> Iterator[Limit]:
        """Give how often the edges of a loop may be taken."""
        if bound.loop is None:
            raise Refused("a loop that no source has")
        expression, taken_away = facts.without_above(bound.loop.formal)
        parameters = {**given, "N": self._told_bytes(bound, given)} if "N" in expression else given
        rounds = facts.value(expression, parameters, self.options, paths.ROOT, bound.loop.file)
        above = self._above(bound) if taken_away else []
        for again, more in bound.limits():
            yield Limit(rounds + more, again, bound.outer.entries, bound.outer.is_first, above,
                        taken_away)  # fmt: skip

    def _above(self, bound: Bound) -> list[Edge]:
        """Return the edges by which the loop in front of one begins anew, in the same call."""
        mine = bound.loop
        others = [
            (other.loop.first, other)
            for other in self.bounds
            if other.loop and mine and other.loop.file == mine.file
            and other.loop.first < mine.first
            and other.outer.header.stack == bound.outer.header.stack
        ]  # fmt: skip
        if not others:
            return []
        return [
            edge for group, _ in max(others, key=lambda one: one[0])[1].limits() for edge in group
        ]

    def _told_bytes(self, bound: Bound, given: Mapping[str, int]) -> int:
        """Return how many bytes a function is told of: its caller's constant, or the parameter."""
        header = bound.outer.header
        start = self.program.image.address(self.program.function(header.pc))
        into = [one.source for one in self.loops.into(start or 0, header.stack)]
        told = [_third_argument(self.graph.piece(node.pc)) for node in into]
        constants = [value for value in told if value is not None]
        return max(constants) if constants and len(constants) == len(told) else given["N"]


def _by_way_of(graph: Graph, node: Node) -> str:
    """Return `, by way of f, g`: who has called what runs there."""
    names = list(dict.fromkeys(graph.program.function(pc) for pc in node.stack if pc >= 0))
    return f", by way of {', '.join(names)}" if names else ""


def _third_argument(piece: Piece) -> int | None:
    """Return the constant that is in a2 at the end of a piece; None where it is none."""
    for _, what in reversed(piece):
        if what.rd == _A2:
            return what.imm if what.name == "addi" and what.reads == (0,) else None
    return None


def _leading_to(graph: Graph, end: str, without: Set[int]) -> list[Edge]:
    """Return the edges on ways from the entry to one end, but for some."""
    before: dict[Node, list[Node]] = {}
    seen = {graph.entry}
    waiting = [graph.entry]
    while waiting:
        node = waiting.pop()
        for edge in graph.edges.get(node, ()):
            if id(edge) in without:
                continue
            before.setdefault(edge.target, []).append(node)
            if edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    kept: set[Node] = set()
    waiting = [node for node in before if node.end == end]
    while waiting:
        node = waiting.pop()
        if node not in kept:
            kept.add(node)
            waiting += before.get(node, [])
    return [
        edge
        for edges in graph.edges.values()
        for edge in edges
        if edge.source in kept and edge.target in kept and id(edge) not in without
    ]


def call(program: Program, name: str, through: bool = False) -> Call:
    """Return a call by its function's name; Refused where it can have no bound.

    `through`: with its switch to another thread and back again, but not the time in between.
    """
    entry = program.image.address(name)
    if entry is None:
        raise FoliotError(f"{program.name} has no function {name}: nothing calls it")
    graph = Graph(program, entry, without=never.of(name, program.names), through=through)
    if entry is None or graph.entry not in graph.edges:
        raise Refused(graph.why_endless(name))
    loops = Loops(graph)
    first = ibex.step(JUMP, graph.piece(entry)[0][1], entry, True) + graph.inside(entry)
    return Call(program, name, graph, loops, bind(loops), options(program.path), first,
                worlds=graph.worlds)  # fmt: skip


def options(elf: Path) -> Mapping[str, int]:
    """Return the options that an image was built with, of those that are numbers."""
    found = {}
    beside = [*(elf.parent / "generated").glob("*autoconf.h")]
    parts = elf.resolve().parts
    if not beside and paths.KEPT in parts:  # one kept aside is of the same configuration
        built = Path(*parts[: parts.index(paths.KEPT)])
        beside = [*(built / "generated").glob("*autoconf.h")]
    for path in sorted(beside):
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if len(words) == 3 and words[0] == "#define" and words[2].lstrip("-").isdecimal():
                found[words[1]] = int(words[2])
    return found


def board_of(elf: Path) -> str:
    """Return the board that an image was built for, by what is beside it; empty: nothing is."""
    for path in (elf.parent / "generated").glob("autoconf.h"):
        found = re.search(r'#define CONFIG_BOARD "([^"]+)"', path.read_text(encoding="utf-8"))
        if found:
            return found[1]
    return ""


def formula(call: Call, end: str, parameters: Mapping[str, int]) -> str:
    """Return the bound as a sum over its parameters, `509 + 7 W`, around the given values.

    A term with `~` grows otherwise elsewhere: the bound is a maximum over paths.
    """
    at = call.bound(end, parameters).clocks
    constant, terms = at, []
    for name in call.parameters():

        def bound(n: int, name: str = name) -> int:
            return call.bound(end, {**parameters, name: n}).clocks

        slope, straight = _slope(bound, parameters[name])
        if slope:
            constant -= slope * parameters[name]
            terms.append(f"{'' if straight else '~'}{slope} {name}")
    return " + ".join([str(constant), *terms])


def _slope(bound: Callable[[int], int], at: int) -> tuple[int, bool]:
    """Return by how much a bound grows with each one more, and whether it does so everywhere."""
    here, more, far = bound(at), bound(at + 1), bound(at + 8)
    less = bound(max(0, at - 1))
    slope = more - here
    straight = far - here == 8 * slope and (at == 0 or here - less == slope)
    return slope, straight
