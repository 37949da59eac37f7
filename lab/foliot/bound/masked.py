# SPDX-License-Identifier: Apache-2.0
"""The longest stretch of a call with interrupts masked: until they open, or the call ends.

The graph is gone through once more, with how often interrupts have been masked at each place: what
masks adds one, what opens takes one away, and at none they are open. A system call's trap masks,
and its mret opens. So a section within a section
ends with the outer one. What a caller has masked itself is the caller's: a call begins open, an
interrupt masked, and ways that are only for other callers are left out (constants.py: a key says
"open" then). A switch opens, since the key of the thread that it goes to is that of a call.
"""

from __future__ import annotations

from collections.abc import Mapping

from foliot.bound import call, constants, ibex
from foliot.bound.call import Call
from foliot.bound.graph import Edge, Graph, Node, Piece, Refused
from foliot.bound.loops import Loops, bind

OPEN = "open"
MASKED = "masked"  # as a run has the longest stretch of a call, among its ends
_DEEPEST = 4


class Masked(Graph):
    """What runs masked, as a graph of its own: from whatever masks to whatever opens."""

    def __init__(self, graph: Graph, begins_masked: bool) -> None:
        """Go through a graph; Refused where it masks ever deeper."""
        self.program = graph.program
        self.unknown = graph.unknown
        self.entry = Node((), 0)
        self.edges = {self.entry: []}
        self._graph = graph
        self._never_taken = (
            constants.never_taken(graph, constants.MASKED)
            if begins_masked
            else constants.of_thread(graph, constants.OPEN)  # a handler's caller is masked
        )
        self._end = Node((), 0, OPEN)
        self._deep: dict[tuple[int, Node], Node] = {}
        begin = (1 if begins_masked else 0, graph.entry)
        if begins_masked:
            self._begin(graph.entry, graph.inside(graph.entry.pc) + 1)
        waiting, seen = [begin], {begin}
        while waiting:
            depth, node = waiting.pop()
            for target, state in self._go_on(depth, node):
                if state not in seen and not target.end:
                    seen.add(state)
                    waiting.append(state)

    def piece(self, pc: int) -> Piece:
        """Return the instructions from `pc` on, as the whole graph has them."""
        return self._graph.piece(pc)

    def inside(self, pc: int) -> int:
        """Return the clocks within a piece, as the whole graph has them."""
        return self._graph.inside(pc)

    def ends(self) -> set[str]:
        """Return the one end."""
        return {OPEN} if self.edges[self.entry] else set()

    def _go_on(self, depth: int, node: Node) -> list[tuple[Node, tuple[int, Node]]]:
        """Take a node in, masked so often; give what follows it."""
        after = _behind(depth, self._graph.piece(node.pc))
        if after > _DEEPEST:
            raise Refused(f"it masks interrupts ever deeper, at {self.program.where(node.pc)}")
        found = []
        if depth and not after:
            self._add(self._node(depth, node), self._end, 0)
        for edge in self._graph.edges[node]:
            if id(edge) in self._never_taken:
                continue
            found.append((edge.target, (after, edge.target)))
            if not after:
                continue
            if not depth:
                self._begin(edge.target, edge.clocks)
            elif edge.target.end:
                self._add(self._node(depth, node), self._end, 0)
            else:
                self._add(self._node(depth, node), self._node(after, edge.target), edge.clocks)
        return found

    def _begin(self, target: Node, clocks: int) -> None:
        if not target.end:
            self._add(self.entry, self._node(1, target), clocks)

    def _node(self, depth: int, node: Node) -> Node:
        key = depth, node
        if key not in self._deep:
            self._deep[key] = Node((depth, *node.stack), node.pc)
            self.edges[self._deep[key]] = []
        return self._deep[key]

    def _add(self, source: Node, target: Node, clocks: int) -> None:
        self.edges[source].append(Edge(source, target, clocks))


def _behind(depth: int, piece: Piece) -> int:
    """Return how often interrupts are masked behind a piece."""
    last = piece[-1][1]
    if last.kind == "ecall" or _writes_masked(piece):
        return max(1, depth)
    if last.kind == "mret":
        return 0
    if ibex.masks(last):
        return depth + 1
    return max(0, depth - 1) if ibex.opens(last) else depth


def _writes_masked(piece: Piece) -> bool:
    """Say whether a piece ends with a write of mstatus that is known to keep interrupts masked."""
    last = piece[-1][1]
    if not ibex.writes_mstatus(last):
        return False
    for _, what in reversed(piece[:-1]):
        if what.rd == last.reads[0]:
            return what.name == "addi" and what.reads == (0,) and ibex.keeps_masked(what.imm)
    return False


def longest(whole: Call, parameters: Mapping[str, int], begins_masked: bool = False) -> int | None:
    """Return the longest masked stretch of a call, or None; no more than the whole call."""
    part = masked(whole, begins_masked)
    return None if part is None else longest_of(whole, part, parameters)


def longest_of(whole: Call, part: Call, parameters: Mapping[str, int]) -> int:
    """Return the longest of what a call runs masked; no more than the whole call."""
    ends = [whole.bound(end, parameters).clocks for end in whole.ends()]
    return min(part.bound(OPEN, parameters).clocks, max(ends))


def grows_with(part: Call, parameters: Mapping[str, int]) -> list[str]:
    """Return the parameters of which one more makes what is masked longer."""
    here = part.bound(OPEN, parameters).clocks
    return [
        name
        for name in part.parameters()
        if part.bound(OPEN, {**parameters, name: parameters[name] + 1}).clocks > here
    ]


def masked(whole: Call, begins_masked: bool = False) -> Call | None:
    """Return what a call runs masked, as a call that ends as they open; None: nothing."""
    graph = Masked(whole.graph, begins_masked)
    if not graph.ends():
        return None
    loops = Loops(graph)
    return call.Call(whole.program, whole.name, graph, loops, bind(loops), whole.options, first=0)
