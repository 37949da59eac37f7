# SPDX-License-Identifier: Apache-2.0
"""What sources say of their loops, held against how often these began anew in a run.

A debug build that asserts it would have to count in the loops, and so would be other code. The
simulator counts instead, in whatever image runs (sim/fold.h): each loop of each function of the
kernel, port, drivers and library, by its header and the instructions that lead back there. What
`Bound:` says holds each time that a loop is come to, with the parameters that the program has.

What is in the braces of a branch that says when it is taken is watched: where its expression is 0
it does not run, nor within a call that nobody has disturbed where it would be 0 but for D.

Not counted, and so listed by number: loops that take what is told them (N), and such as can't be
told by the instruction before their header from being come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from foliot.bound import branches, call, facts
from foliot.bound.facts import Branch, Loop
from foliot.bound.folded import Folded
from foliot.bound.graph import Edge, Graph, Node
from foliot.bound.image import Program
from foliot.bound.instructions import Instruction
from foliot.bound.loops import Loops, bind
from foliot.model.errors import FoliotError
from foliot.target import paths

_OURS = ("kernel/", "arch/", "drivers/", "lib/", "include/")
_BEHIND_RETURN = 0


class _Function(Graph):
    """One function, calls left out."""

    def __init__(self, program: Program, start: int, size: int) -> None:
        self.program = program
        self.unknown = {}
        self.edges = {}
        self._nodes = {}
        self._pieces = {}
        self._inside = {}
        self.entry = self.node((), start)
        self._range = range(start, start + size)
        waiting = [self.entry]
        self.edges[self.entry] = []
        while waiting:
            node = waiting.pop()
            for pc in self._next(node):
                target = self.node((), pc)
                self.edges[node].append(Edge(node, target, 0))
                if target not in self.edges:
                    self.edges[target] = []
                    waiting.append(target)

    def _next(self, node: Node) -> list[int]:
        pc, what = self.piece(node.pc)[-1]
        behind = pc + what.size
        found = [behind]
        if what.kind == "branch":
            found = [behind, pc + what.imm]
        elif what.kind == "jal" and not what.is_call:
            found = [pc + what.imm]
        elif what.kind == "jalr" and not what.is_call:
            found = [] if what.is_return else [*(self.program.switched(pc) or ())]
        elif what.kind in ("mret", "ebreak"):
            found = []
        return [one for one in dict.fromkeys(found) if one in self._range
                and one in self.program.code]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop that the simulator counts: its header, what leads back there, what is said of it."""

    header: int
    back: frozenset[int]
    loop: Loop


@dataclass(frozen=True, slots=True)
class All:
    """The loops of an image: those that can be counted, and how many can't."""

    counted: Sequence[Counted]
    others: int


def find(program: Program) -> All:
    """Return the loops of an image's functions of ours."""
    kept: All | None = program.kept.get(-1)
    if kept is None:
        found: list[Counted] = []
        others = 0
        for start, size, _ in program.image.functions():
            for one in _of(program, start, size):
                found += [one] if one else []
                others += 0 if one else 1
        kept = All(found, others)
        program.kept[-1] = kept
    return kept


def _of(program: Program, start: int, size: int) -> Iterator[Counted | None]:
    """Give a function's loops of ours; None for each that can't be counted."""
    if not any(start <= pc + what.imm <= pc for pc, what in _jumps(program, start, size)):
        return
    try:
        bounds = bind(Loops(_Function(program, start, size)))
    except FoliotError:
        yield None
        return
    for bound in bounds:
        if bound.loop is None or not bound.loop.file.startswith(_OURS):
            continue
        for cycle in (bound.outer, *bound.inner):
            back = _sources(program, cycle.back)
            ambiguous = back & _sources(program, cycle.entries)
            is_told = "N" in facts.words(bound.loop.formal)
            if len(cycle.headers) > 1 or ambiguous or is_told or not bound.loop.formal:
                yield None
            else:
                yield Counted(cycle.header.pc, back, bound.loop)


def _jumps(program: Program, start: int, size: int) -> Iterator[tuple[int, Instruction]]:
    for pc in range(start, start + size, 2):
        what = program.code.get(pc)
        if what is not None and what.kind in ("branch", "jal") and not what.is_call:
            yield pc, what


def _sources(program: Program, edges: Sequence[Edge]) -> frozenset[int]:
    """Return the last instructions before edges; of one behind a call, any return."""
    found = set()
    for edge in edges:
        at = edge.source.pc
        pc = at
        while at in program.code:
            what = program.code[at]
            pc, at = at, at + what.size
            if what.kind in ("branch", "jal", "jalr", "csr", "mret", "ecall", "wfi", "ebreak"):
                break
            if at in program.leaders:
                break
        found.add(_BEHIND_RETURN if program.code[pc].is_call else pc)
    return frozenset(found)


def lines(program: Program) -> Iterator[str]:
    """Give what the simulator reads (--fold-loops)."""
    for one in find(program).counted:
        yield " ".join(f"{pc:x}" for pc in (one.header, *sorted(one.back)))


def check(
    program: Program, folded: Folded, parameters: Mapping[str, int]
) -> tuple[int, Sequence[str]]:
    """Return how many loops of a run were held against their bounds, and which went above."""
    options = call.options(program.path)
    held, wrong = 0, []
    for one in find(program).counted:
        ran = folded.loops.get(one.header)
        if ran is None:
            continue
        expression, _ = facts.without_above(one.loop.formal)
        most = facts.value(expression, parameters, options, paths.ROOT, one.loop.file)
        held += 1
        if ran.most > most:
            wrong.append(
                f"{program.name}: the loop at {one.loop.where} began anew {ran.most} times, "
                f"Bound: {one.loop.formal} = {most}"
            )
    return held, wrong


def watched(program: Program) -> Mapping[int, Branch]:
    """Return the places of what is in the braces of branches that say when they are taken."""
    kept: Mapping[int, Branch] | None = program.kept.get(-4)
    if kept is None:
        kept = {
            pc: branch
            for name in program.of_function
            for branch, places in branches.of_function(program, name).items()
            for pc in places.acts
        }
        program.kept[-4] = kept
    return kept


def _shared(program: Program) -> frozenset[int]:
    """Return the places in braces that a function also comes to by other ways, as small code does.

    No bound rests on a branch with such (branches.py), so they say nothing.
    """
    kept: frozenset[int] | None = program.kept.get(-5)
    if kept is None:
        found = [
            branches.shared(_Function(program, start, size))
            for start, size, name in program.image.functions()
            if branches.of_function(program, name)
        ]
        kept = frozenset().union(*found)
        program.kept[-5] = kept
    return kept


def taken(
    program: Program, folded: Folded, parameters: Mapping[str, int]
) -> tuple[int, Sequence[str]]:
    """Return how many branches that say when they are taken an image has, and which were wrongly.

    The simulator forgets a call where a trap or a switch comes: all that it still knows of ran with
    D = 0. Handlers' own calls are among them.
    """
    options = call.options(program.path)
    calm = {**parameters, "D": 0}
    places = {pc: branch for pc, branch in watched(program).items() if pc not in _shared(program)}
    wrong = {}
    for (pc, entry), count in folded.within.items():
        branch, name = places.get(pc), program.entries.get(entry, "")
        if branch is None or not name.startswith("k_"):
            continue
        if not facts.value(branch.formal, calm, options, paths.ROOT, branch.file):
            wrong[branch.where, name] = (
                f"{program.name}: what is in the braces at {branch.where} ran within {name} "
                f"({count} times), Bound: {branch.formal} = 0"
            )
    return len(set(places.values())), list(wrong.values())
