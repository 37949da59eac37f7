# SPDX-License-Identifier: Apache-2.0
"""The loops of a graph, and which loop of a source each one is.

A loop of machine code is a set of pieces that can all be come to from one another, its *headers*
are where it is come into from without, most often one (then it is a natural loop), and without the
edges that lead back to these there may be loops within. It is the loop of a source that holds the
line of each of its instructions, or the line at which that instruction was inlined, and the
smallest such. Arithmetic and calls are not asked: a compiler moves the former about, and lets one
call do for two that are alike.

The compiler may make two loops, one in the other, of one loop of a source; then they begin anew as
often as that together. And it may make a loop with two headers; then each is passed once a round,
and once more. Where in such code yet another loop of a source has instructions that is no loop of
its own within, the compiler has mixed these: a round of the code is one of at least one of them,
so it begins anew no more often than all of them together could, one in the other, and that is the
product of their bounds, each and once more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from foliot.bound import facts
from foliot.bound.facts import Loop
from foliot.bound.graph import Edge, Graph, Node, Refused, Stack
from foliot.bound.instructions import Instruction
from foliot.target import paths


@dataclass(slots=True, eq=False)
class Cycle:
    """A loop of the code: where it is come into, the edges that lead back there, all that is in it.

    `headers` are most often one. `entries` come from without.
    """

    headers: frozenset[Node]
    back: tuple[Edge, ...]
    entries: tuple[Edge, ...]
    body: frozenset[Node]
    is_first: bool  # the graph's entry is one of its headers

    @property
    def header(self) -> Node:
        """One of its headers, always the same."""
        return min(self.headers, key=lambda node: (node.pc, node.stack))


class Loops:
    """The loops of a graph, each once, from the outside in; `inside`: those within each."""

    def __init__(self, graph: Graph) -> None:
        """Find them: what can be come to again, but for the ways back to its headers, and so on."""
        self.graph = graph
        self.found: list[Cycle] = []
        self._before: dict[Node, list[Edge]] = defaultdict(list)
        for edges in graph.edges.values():
            for edge in edges:
                self._before[edge.target].append(edge)
        self._into: dict[tuple[int, Stack], list[Edge]] = defaultdict(list)
        self.inside: dict[Cycle, list[Cycle]] = {}
        waiting: list[tuple[frozenset[Node], frozenset[int], tuple[Cycle, ...]]] = [
            (frozenset(graph.edges), frozenset(), ())
        ]
        while waiting:
            nodes, without, outer = waiting.pop()
            for body in _components(graph, nodes, without):
                cycle = self._cycle(body)
                self.found.append(cycle)
                self.inside[cycle] = []
                for one in outer:
                    self.inside[one].append(cycle)
                back = without | {id(edge) for edge in cycle.back}
                waiting.append((body, back, (*outer, cycle)))

    def into(self, pc: int, stack: Stack) -> Sequence[Edge]:
        """Return the edges that lead to a place under a stack."""
        if not self._into:
            for edges in self.graph.edges.values():
                for edge in edges:
                    self._into[edge.target.pc, edge.target.stack].append(edge)
        return self._into.get((pc, stack), ())

    def _cycle(self, body: frozenset[Node]) -> Cycle:
        into = [edge for node in body for edge in self._before[node]]
        entries = [edge for edge in into if edge.source not in body]
        headers = {edge.target for edge in entries}
        first = self.graph.entry in body
        headers |= {self.graph.entry} if first else set()
        back = tuple(edge for edge in into if edge.source in body and edge.target in headers)
        return Cycle(frozenset(headers), back, tuple(entries), body, first)


def _components(
    graph: Graph, nodes: frozenset[Node], without: frozenset[int]
) -> Iterator[frozenset[Node]]:
    """Give the sets of nodes that can all be come to from one another (Kosaraju's way)."""
    behind = {
        node: [
            edge.target
            for edge in graph.edges[node]
            if edge.target in nodes and id(edge) not in without
        ]
        for node in nodes
    }
    before: dict[Node, list[Node]] = {node: [] for node in nodes}
    for node, targets in behind.items():
        for target in targets:
            before[target].append(node)
    order: list[Node] = []
    seen: set[Node] = set()
    for root in nodes:
        order += _reached(root, behind, seen)
    seen = set()
    for root in reversed(order):
        body = _reached(root, before, seen)
        if len(body) > 1 or (body and root in behind[root]):
            yield frozenset(body)


def _reached(root: Node, behind: Mapping[Node, list[Node]], seen: set[Node]) -> list[Node]:
    """Return what can be come to and was not seen yet, each behind all that it leads to."""
    if root in seen:
        return []
    seen.add(root)
    done = []
    path = [(root, iter(behind[root]))]
    while path:
        node, targets = path[-1]
        target = next((one for one in targets if one not in seen), None)
        if target is None:
            done.append(node)
            path.pop()
        else:
            seen.add(target)
            path.append((target, iter(behind[target])))
    return done


Source = Callable[[str], Sequence[Loop]]


def sources(file: str) -> Sequence[Loop]:
    """Return the loops of a source of this tree."""
    return facts.loops(paths.ROOT, file)


@dataclass(frozen=True, slots=True)
class Bound:
    """Loops of the code that are one of a source's: one, or one in the other; `outer` holds all.

    `loop` is None where no source has it.
    """

    outer: Cycle
    inner: tuple[Cycle, ...]
    loop: Loop | None

    def limits(self) -> Iterator[tuple[Sequence[Edge], int]]:
        """Give groups of edges; each is taken once a round at most, and so often more."""
        cycles = (self.outer, *self.inner)
        if all(len(cycle.headers) == 1 for cycle in cycles):
            yield [edge for cycle in cycles for edge in cycle.back], 0
            return
        for cycle in cycles:
            for header in cycle.headers:
                yield [edge for edge in cycle.back if edge.target == header], 1


def bind(loops: Loops, source: Source = sources) -> list[Bound]:
    """Return each loop with the one of a source that it is; Refused where that is not clear."""
    around = {cycle: _around(loops.graph, cycle, source) for cycle in loops.found}
    meant = {cycle: _meant(loops.graph, cycle, each, source) for cycle, each in around.items()}
    outer_of: dict[Cycle, Cycle] = {}
    mixed: dict[Cycle, Loop] = {}
    for outer in loops.found:
        inside = loops.inside[outer]
        same = [one for one in inside if _same(one, outer) and meant[one] == meant[outer]]
        same = same if meant[outer] else []
        some = set().union(*around[outer])
        if meant[outer] is None and some:
            mixed[outer] = _mixed(loops.graph, outer, some)
        elif same or len(outer.headers) > 1:
            others = some - {meant[outer]} - {meant[one] for one in inside}
            if others:
                mixed[outer] = _mixed(loops.graph, outer, {*others, meant[outer]} - {None})
        for inner in same:
            outer_of.setdefault(inner, outer)
    return [
        Bound(
            outer,
            tuple(one for one in loops.inside[outer] if outer_of.get(one) == outer),
            mixed.get(outer, meant[outer]),
        )
        for outer in loops.found
        if outer not in outer_of
    ]


def _mixed(graph: Graph, cycle: Cycle, all_of: Set[Loop | None]) -> Loop:
    """Return what stands for loops of sources that are mixed in one of the code."""
    found = sorted((one for one in all_of if one), key=lambda one: (one.file, one.first))
    untold = [one for one in found if not one.formal or "ABOVE" in one.formal]
    if untold or not found:
        where = graph.program.where(cycle.header.pc)
        raise Refused(f"it is not clear which loop of the source the one at {where} is")
    product = " * ".join(f"(({one.formal}) + 1)" for one in found)
    last = max(one.last for one in found)
    told = ", ".join(one.where for one in found)
    return Loop(found[0].file, found[0].first, last, product, f"{told}, mixed")


def _same(inner: Cycle, outer: Cycle) -> bool:
    return inner.header.stack == outer.header.stack


def _own(graph: Graph, cycle: Cycle) -> Iterator[tuple[int, Instruction]]:
    """Give the instructions of a loop's own, not of whom it calls."""
    depth = min(len(node.stack) for node in cycle.body)
    for node in cycle.body:
        if len(node.stack) == depth:
            yield from graph.piece(node.pc)


def _around(graph: Graph, cycle: Cycle, source: Source) -> list[frozenset[Loop]]:
    """Return the loops of sources around each instruction of a loop's own, but some."""
    return [
        _at(graph, pc, source)
        for pc, what in _own(graph, cycle)
        if what.kind not in ("alu", "mul", "jal")
    ]


def _at(graph: Graph, pc: int, source: Source) -> frozenset[Loop]:
    """Return all loops of sources around an instruction."""
    kept = graph.program.kept
    frames = graph.program.frames(pc)
    if pc not in kept:
        stale = [one.file for one in frames if graph.program.source.is_stale(one.file)]
        if stale:
            raise Refused(f"{stale[0]} was changed after the image was built")
        kept[pc] = frozenset(
            one
            for frame in frames
            for one in source(frame.file)
            if one.holds(frame.file, frame.line)
        )
    found: frozenset[Loop] = kept[pc]
    return found


def _meant(
    graph: Graph, cycle: Cycle, around: Sequence[frozenset[Loop]], source: Source
) -> Loop | None:
    """Return the smallest loop that holds all; else the call that leads back, where it is one."""
    common = frozenset.intersection(*around) if around else frozenset()
    smallest = min(
        (one for one in common if not one.is_call),
        key=lambda one: (one.last - one.first, one.file, one.first),
        default=None,
    )
    if smallest is not None:
        return smallest
    calls = [
        {one for one in _at(graph, graph.piece(edge.source.pc)[-1][0], source) if one.is_call}
        for edge in cycle.back
    ]
    back = set.intersection(*calls) if calls else set()
    return back.pop() if len(back) == 1 else None
