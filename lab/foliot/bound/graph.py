# SPDX-License-Identifier: Apache-2.0
"""All that a call may run, as one graph: each function anew at each place it is called from.

A node is a straight piece of code and the stack of places that its callers return to, so a
return leads to the one caller that it can lead to. An edge has the clocks from the first piece's
last instruction leaving to the second piece's. What the graph ends in:

| end | is |
| --- | --- |
| return | the call returns to whoever called it |
| switch | arch_switch() returns, in another thread; or another's system call |
| mret | a trap returns |
| sleep | the core waits for an interrupt |
| stop | a function that was asked for is called: a thread's job is done |
| abort | its thread is to end, by another that ran in a window: the rest is k_thread_abort()'s |

A system call is a trap of the caller's own: what a stub of user mode does leads on in the kernel
and back (syscalls.py says where the tables of calls lead).

A report of a fault is no end: the call that gets there breaks off, and costs what the report
costs. Nor is a call of code that never returns. Whatever reaches no end is no path of the call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from foliot.bound import constants, ibex
from foliot.bound.image import Program
from foliot.bound.instructions import RA, Instruction
from foliot.bound.nodes import Edge, Node, Piece, Stack
from foliot.model.errors import FoliotError

__all__ = ["FAULTS", "SWITCH", "TRAPS", "Edge", "Graph", "Node", "Piece", "Refused", "Stack"]

SWITCH = "arch_switch"
TRAPS = "arch/riscv/trap.S"  # which calls the handlers
ABORTS = frozenset({"k_thread_abort", "thread_exit"})
# Where a thread or the run ends in a report: docs/bounds.md, What is no path of a call.
FAULTS = frozenset({
    "abort_essential", "fatal_report", "fatal_raise", "fatal_raise_at", "fatal_check_again",
    "k_fatal_raise", "k_exit", "k_assert_failed", "board_exit", "user_violation", "user_fatal",
    "riscv_fault", "riscv_exception", "__stack_chk_fail", "spurious",
})  # fmt: skip
_ENDS_PIECE = ("branch", "jal", "jalr", "mret", "wfi", "ecall", "ebreak")
_ALTERNATE = 5  # t0: where the port's assembly keeps a way back that is not in ra
_MOST_NODES = 150_000
_DEEPEST = 40


class Refused(FoliotError):
    """There is no bound, and why."""


class System(Protocol):
    """Where system calls lead."""

    entry: int

    def number(self, pc: int, stack: Stack) -> int:
        """Return which call the ecall at `pc` is, as what is put on the stack for it."""

    def branches(self, piece: Piece, stack: Stack) -> tuple[bool | None, Stack]:
        """Return whether a piece's branch is taken, where that is known, and the stack behind."""

    def targets(self, pc: int, stack: Stack) -> Sequence[int] | None:
        """Return where the jump through a register at `pc` leads; None: not of this kind."""

    def may_be_anothers(self, pc: int) -> bool:
        """Say whether the mret at `pc` may be another thread's way back."""


class Graph:
    """All that runs from an entry to its ends."""

    def __init__(
        self,
        program: Program,
        entry: int,
        stack: Stack = (),
        without: frozenset[str] = frozenset(),
        handlers: tuple[int, ...] = (),
        system: System | None = None,
        stops: frozenset[str] = frozenset(),
        through: bool = False,
    ) -> None:
        """Follow the code from `entry`.

        `without`: functions that a fact says are not reached; `handlers`: what an interrupt
        calls; `system`: where system calls lead. `stops`: functions at which it ends (`stop`);
        `through`: a switch is followed to where its thread goes on, as if it returned.

        Raises Refused where it leads somewhere unknown, or for ever deeper.
        """
        self.program = program
        self._nodes: dict[tuple[Stack, int, str], Node] = {}
        self.entry = self.node(stack, entry)
        self.without = without
        self.handlers = handlers
        self._system = system
        self._stops = stops
        self._through = through
        self._switch = range(0)
        for start, size, name in program.image.functions():
            if name == SWITCH:
                self._switch = range(start, start + size)
        self.unknown: dict[Node, int] = {}
        self.to_nobody: set[int] = set()  # calls through pointers that no function fits
        self.cut: set[str] = set()
        self._pieces: dict[int, Piece] = {}
        self._inside: dict[int, int] = {}
        self.edges: dict[Node, list[Edge]] = {}
        self._follow()
        self.worlds = self._worlds()
        self._without(set(frozenset.intersection(*self.worlds)))
        self._prune()

    def _worlds(self) -> list[frozenset[int]]:
        """Return the edges that nothing gets to, by who makes the call (constants.worlds())."""
        if self.handlers:
            return [frozenset(constants.never_taken(self, constants.MASKED))]
        if self._system is not None:
            return [frozenset(constants.of_thread(self, constants.UNKNOWN))]
        return constants.worlds(self)

    def node(self, stack: Stack, pc: int, end: str = "") -> Node:
        """Return the one node of that kind."""
        key = stack, pc, end
        if key not in self._nodes:
            self._nodes[key] = Node(*key)
        return self._nodes[key]

    def piece(self, pc: int) -> Piece:
        """Return the instructions from `pc` to the first that may go elsewhere."""
        if pc not in self._pieces:
            code, found, at = self.program.code, [], pc
            while True:
                what = code.get(at)
                if what is None:
                    raise Refused(f"what is at {at:#x} can't be read as an instruction")
                found.append((at, what))
                at += what.size
                if what.kind in _ENDS_PIECE or at in self.program.leaders:
                    break
            self._pieces[pc] = tuple(found)
            self._inside[pc] = sum(
                ibex.step(before, what, at, False) for (_, before), (at, what) in pairwise(found)
            )
        return self._pieces[pc]

    def inside(self, pc: int) -> int:
        """Return the clocks from a piece's first instruction leaving to its last."""
        self.piece(pc)
        return self._inside[pc]

    def ends(self) -> set[str]:
        """Return the ends that can be reached."""
        return {edge.target.end for edges in self.edges.values() for edge in edges} - {""}

    def places(self) -> set[int]:
        """Return the addresses of all instructions that it has."""
        return {pc for node in self.edges for pc, _ in self.piece(node.pc)}

    def _follow(self) -> None:
        waiting = [self.entry]
        self.edges[self.entry] = []
        while waiting:
            node = waiting.pop()
            for target, taken in self._behind(node):
                if not target.end and target.pc not in self.program.code:
                    continue  # behind the last instruction of code that never returns
                self.edges[node].append(Edge(node, target, self._clocks(node, target, taken)))
                if not target.end and target not in self.edges:
                    self.edges[target] = []
                    waiting.append(target)
            if len(self.edges) > _MOST_NODES:
                raise Refused(f"it may run more than {_MOST_NODES} pieces of code")

    def is_switch(self, pc: int) -> bool:
        """Say whether the instruction at `pc` is of the function that switches."""
        return pc in self._switch

    def _without(self, never_taken: set[int]) -> None:
        """Leave edges out, by identity, and what nothing gets to then."""
        reached = {self.entry}
        for node, edges in self.edges.items():
            self.edges[node] = [edge for edge in edges if id(edge) not in never_taken]
            reached.update(edge.target for edge in self.edges[node])
        self.edges = {node: edges for node, edges in self.edges.items() if node in reached}
        self.unknown = {node: pc for node, pc in self.unknown.items() if node in reached}

    def _clocks(self, node: Node, target: Node, taken: bool) -> int:
        if target.end:
            return 0
        last, first = self.piece(node.pc)[-1][1], self.piece(target.pc)[0][1]
        if last.kind == "ecall":
            return ibex.system_call(first) + self.inside(target.pc)
        return ibex.step(last, first, target.pc, taken) + self.inside(target.pc)

    def _behind(self, node: Node) -> list[tuple[Node, bool]]:  # noqa: PLR0911 (a case each)
        """Return what may follow a node, and whether that is jumped to."""
        pc, what = self.piece(node.pc)[-1]
        node, taken = self._in_system(node)
        behind = self.node(node.stack, pc + what.size)
        match what.kind:
            case "branch" if taken is not None:
                return [(self.node(node.stack, pc + what.imm), True) if taken else (behind, False)]
            case "branch":
                return [(behind, False), *self._enter(node.stack, pc + what.imm, pc)]
            case "jal":
                return self._enter(self._stack(node, pc, what), pc + what.imm, pc)
            case "jalr":
                return self._indirect(node, pc, what)
            case "mret":
                return self._trap_returns(node, pc)
            case "wfi":
                return [(self.node((), 0, "sleep"), False)]
            case "ecall" if self._system:
                number = self._system.number(pc, node.stack)
                return [(self.node((*node.stack, number), self._system.entry), True)]
            case "ecall" | "ebreak":
                return []
        return self._enter(behind.stack, behind.pc, pc, False)

    def _trap_returns(self, node: Node, pc: int) -> list[tuple[Node, bool]]:
        """Return what is behind an mret: of a system call, whoever called its stub."""
        if self._system is None or not any(one < 0 for one in node.stack):
            return [(self.node((), 0, "mret"), True)]
        found = []
        if self._system.may_be_anothers(pc):
            found = [(self.node((), 0, "switch"), True)]
        stack = node.stack
        while stack[-1] >= 0:  # a frame of the kernel's that the way back has left
            stack = stack[:-1]
        stack = stack[:-1]
        if stack:
            return [*found, (self.node(stack[:-1], stack[-1]), True)]
        return [*found, (self.node((), 0, "return"), True)]

    def _is_assembly(self, pc: int) -> bool:
        return self.program.frames(pc)[0].file.endswith(".S")

    def _way_back(self, start: int) -> int | None:
        """Return the address that a piece of assembly puts into ra: where what follows returns."""
        for (_, before), (at, what) in pairwise(self.piece(start)):
            if what.rd != RA or not self._is_assembly(at):
                continue
            made = what.name == "addi" and what.rd == RA and what.reads == (RA,)
            if made and before.rd == RA and before.name in ("auipc", "lui"):
                base = at - before.size if before.name == "auipc" else 0
                return base + before.imm + what.imm & 0xFFFFFFFF
        return None

    def _in_system(self, node: Node) -> tuple[Node, bool | None]:
        """Return a node with what its assembly puts on the stack, and whether it branches."""
        back = self._way_back(node.pc)
        if back is not None:
            node = self.node((*node.stack, back), node.pc)
        if self._system is None:
            return node, None
        taken, stack = self._system.branches(self.piece(node.pc), node.stack)
        return self.node(stack, node.pc), taken

    def _stack(self, node: Node, pc: int, what: Instruction) -> Stack:
        if not what.is_call and not (what.rd == _ALTERNATE and self._is_assembly(pc)):
            return node.stack
        if len(node.stack) >= _DEEPEST:
            names = [self.program.function(one) for one in node.stack]
            again = [name for name in dict.fromkeys(names) if names.count(name) > _DEEPEST // 4]
            if again:
                raise Refused(f"recursion, at {self.program.where(pc)}: {', '.join(again)}")
            raise Refused(
                f"calls go deeper than {_DEEPEST}, at {self.program.where(pc)}, by way of "
                f"{', '.join(dict.fromkeys(names))}"
            )
        return (*node.stack, pc + what.size)

    def _enter(
        self, stack: Stack, pc: int, site: int, taken: bool = True
    ) -> list[tuple[Node, bool]]:
        name = self.program.entries.get(pc)
        if name in FAULTS:
            return []
        if name in self._stops:
            return [(self.node((), 0, "stop"), taken)]
        if name in ABORTS and self._ends_itself(site):
            return [(self.node((), 0, "abort"), taken)]
        if name in self.without:
            self.cut.add(name)
            return []
        return [(self.node(stack, pc), taken)]

    def _ends_itself(self, site: int) -> bool:
        """Say whether the thread that a call at `site` aborts is the one that makes it."""
        frame = self.program.frames(site)[0]
        text = self.program.source.text(frame.file, frame.line)
        return "(current)" in text or "(k_cpu.current)" in text or "thread_exit" in text

    def _returns(self, node: Node, pc: int, what: Instruction) -> bool:
        """Say whether a jump through a register is a return, be it by the other register."""
        by_other = what.rd == 0 and what.reads == (_ALTERNATE,)
        return what.is_return or (by_other and self._is_assembly(pc) and bool(node.stack))

    def _indirect(self, node: Node, pc: int, what: Instruction) -> list[tuple[Node, bool]]:
        if self._returns(node, pc, what):
            if what.is_return and pc in self._switch and not self._through:
                return [(self.node((), 0, "switch"), True)]
            if node.stack:
                return [(self.node(node.stack[:-1], node.stack[-1]), True)]
            return [(self.node((), 0, "return"), True)]
        return self._through_register(node, pc, what)

    def _through_register(self, node: Node, pc: int, what: Instruction) -> list[tuple[Node, bool]]:
        if self._system is not None:
            lead = self._system.targets(pc, node.stack)
            if lead is not None:
                stack = self._stack(node, pc, what)
                return [one for target in lead for one in self._enter(stack, target, pc)]
        if what.reads == (0,):
            return []  # a weak function that nobody has: asked for before, and never called
        fixed = self.program.constant(pc, what.reads[0])
        targets = [fixed + what.imm & 0xFFFFFFFF] if fixed is not None else self.program.called(pc)
        if targets is None and self.program.frames(pc)[0].file.endswith(TRAPS):
            targets = self.handlers or None
        if targets is None and (cases := self.program.switched(pc)):
            return [(self.node(node.stack, target), True) for target in cases]
        if targets is None:
            self.unknown[node] = pc
            return []
        if not targets:
            self.to_nobody.add(pc)
        stack = self._stack(node, pc, what)
        return [one for target in targets for one in self._enter(stack, target, pc)]

    def why_endless(self, name: str) -> str:
        """Return why nothing that a function runs gets to an end."""
        if not self.to_nobody:
            return f"{name} never returns"
        where = ", ".join(sorted(self.program.where(pc) for pc in self.to_nobody))
        return f"a call through a pointer that no function fits: {where}"

    def _prune(self) -> None:
        """Keep what leads to an end."""
        before = defaultdict(list)
        for node, edges in self.edges.items():
            for edge in edges:
                before[edge.target].append(node)
        kept: set[Node] = set(self.unknown)
        waiting = [*kept, *(node for node in before if node.end)]
        while waiting:
            for node in before[waiting.pop()]:
                if node not in kept:
                    kept.add(node)
                    waiting.append(node)
        self.edges = {
            node: [edge for edge in edges if edge.target.end or edge.target in kept]
            for node, edges in self.edges.items()
            if node in kept
        }
