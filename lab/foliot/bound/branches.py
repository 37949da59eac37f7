# SPDX-License-Identifier: Apache-2.0
"""Branches that a source says are taken only where there is something, found in the code.

`Bound: D, others ran` at an `if` says that what is in its braces runs only where D is not 0. The
machine code has it as conditional branches of the condition's lines, one side of which leads to
instructions of the lines between the braces, the other not. Those sides are not taken where the
expression is 0. A compiler may have moved what is in the braces to where it runs all the same, or
have made one of it and something alike. So whether all of it that does something (a load, a store,
a call) can be come to by these sides only is asked, and where it can't a graph is left as it was.

It is held against runs like all facts (counted.py): what is in the braces must not run where the
expression is 0, and of D, how often others change what a call goes along, not within a call since
whose beginning there was neither a trap nor a switch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from foliot.bound import facts
from foliot.bound.facts import Branch
from foliot.bound.graph import Edge, Graph, Node
from foliot.bound.image import Program
from foliot.target import paths

_MOVED = ("alu", "mul", "jal")  # what compilers move about, or that does nothing
_FAR = 4  # pieces from a branch to what is in its braces


@dataclass(frozen=True, slots=True)
class Taken:
    """A branch of a source in a graph: its sides in the code, not taken where `branch` is 0."""

    branch: Branch
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """Where in a function a branch is: its conditions, what is in its braces, what of that acts."""

    asks: frozenset[int]
    all: frozenset[int]
    acts: frozenset[int]


def find(graph: Graph) -> list[Taken]:
    """Return the branches of sources that a graph has, each in one piece with its own sides."""
    sides, acting = _of_graph(graph)
    return [
        Taken(branch, tuple(edges))
        for branch, edges in sides.items()
        if edges and branch in acting and not _come_to(graph, edges) & _ids(acting[branch])
    ]


def shared(graph: Graph) -> frozenset[int]:
    """Return the places in braces that a graph comes to by other ways: nothing rests on these.

    A compiler that makes one of what is alike has such; what runs there says nothing of a branch.
    """
    sides, acting = _of_graph(graph)
    found: set[int] = set()
    for branch, nodes in acting.items():
        come_to = _come_to(graph, sides.get(branch, ()))
        for node in nodes:
            if id(node) in come_to:
                found.update(pc for pc, _ in graph.piece(node.pc))
    return frozenset(found)


def _of_graph(graph: Graph) -> tuple[dict[Branch, list[Edge]], dict[Branch, list[Node]]]:
    """Return the sides that lead into each branch's braces, and the pieces that act in there."""
    sides: dict[Branch, list[Edge]] = {}
    acting: dict[Branch, list[Node]] = {}
    for node in graph.edges:
        if node.pc not in graph.program.code:
            continue  # a masked part's beginning
        piece = graph.piece(node.pc)
        for branch, places in of_function(graph.program, graph.program.function(node.pc)).items():
            if any(pc in places.acts for pc, _ in piece):
                acting.setdefault(branch, []).append(node)
            if piece[-1][0] in places.asks:
                sides.setdefault(branch, []).extend(_into(graph, node, places))
    return sides, acting


def of_function(program: Program, name: str) -> Mapping[Branch, Places]:
    """Return where in a function the branches of sources are that say when they are taken."""
    kept: dict[str, Mapping[Branch, Places]] = program.kept.setdefault(-3, {})
    if name not in kept:
        asks: dict[Branch, set[int]] = {}
        inside: dict[Branch, set[int]] = {}
        for pc, _ in program.of_function.get(name, ()):
            for branch, is_inside in _at(program, pc):
                (inside if is_inside else asks).setdefault(branch, set()).add(pc)
        code = program.code
        kept[name] = {
            branch: Places(
                frozenset(pc for pc in asks.get(branch, ()) if code[pc].kind == "branch"),
                frozenset(all_of),
                frozenset(pc for pc in all_of if code[pc].kind not in _MOVED or code[pc].is_call),
            )
            for branch, all_of in inside.items()
        }
    return kept[name]


def _at(program: Program, pc: int) -> Iterator[tuple[Branch, bool]]:
    for frame in program.frames(pc):
        for branch in facts.branches(paths.ROOT, frame.file):
            if branch.holds(frame.file, frame.line):
                yield branch, True
            elif branch.asks(frame.file, frame.line):
                yield branch, False


def _into(graph: Graph, node: Node, places: Places) -> Sequence[Edge]:
    """Return the one side of a conditional branch that leads into the braces; none: not one."""
    sides = [edge for edge in graph.edges[node] if _leads(graph, edge.target, places)]
    return sides if len(sides) == 1 else ()


def _leads(graph: Graph, node: Node, places: Places) -> bool:
    for _ in range(_FAR):
        if node.end:
            return False
        if any(pc in places.all for pc, _ in graph.piece(node.pc)):
            return True
        behind = graph.edges.get(node, ())
        if len(behind) != 1:
            return False
        node = behind[0].target
    return False


def _come_to(graph: Graph, without: Sequence[Edge]) -> set[int]:
    """Return the pieces, by identity, that can be come to without some edges."""
    left_out = {id(edge) for edge in without}
    seen = {id(graph.entry)}
    waiting = [graph.entry]
    while waiting:
        for edge in graph.edges.get(waiting.pop(), ()):
            if id(edge) not in left_out and id(edge.target) not in seen:
                seen.add(id(edge.target))
                waiting.append(edge.target)
    return seen


def _ids(nodes: Sequence[Node]) -> set[int]:
    return {id(node) for node in nodes}
