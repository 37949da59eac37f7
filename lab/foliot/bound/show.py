# SPDX-License-Identifier: Apache-2.0
"""Bounds as text: a line for each call and end, and a worst path in the layout of `explain`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from foliot.bound import facts, ibex
from foliot.bound.call import Call, Result
from foliot.bound.graph import Edge, Node
from foliot.bound.rows import Bounded
from foliot.explain import show as explained
from foliot.explain.sample import Step
from foliot.explain.waits import Wait
from foliot.show.terminal import clipped, result_width

if TYPE_CHECKING:
    from rich.console import Console

SAYS_NOTHING = "says nothing of its bound"
_WIDE = 28


def table(rows: Sequence[Bounded]) -> Iterator[str]:
    """Give the lines of a table of bounds; what is refused stands in its place, with the reason."""
    width = min(_WIDE, max([len(row.name) for row in rows], default=4))
    yield f"{'call':<{width}}  {'to its':<6} {'bound':>7} {'observed':>8} {'ratio':>6}  formula"
    for row in rows:
        name = clipped(row.name, width)
        if row.clocks is None:
            line = f"{name:<{width}}  {'refused':<23} {row.reason}"
        else:
            seen = str(row.observed.clocks) if row.observed else ""
            ratio = f"{row.ratio:.2f}" if row.ratio is not None else ""
            line = (
                f"{name:<{width}}  {row.end:<6} {row.clocks:>7} {seen:>8} {ratio:>6}  {row.formula}"
            )
        yield _cut(line.rstrip())


def _cut(line: str) -> str:
    return line if len(line) <= result_width() else f"{line[: result_width() - 1]}…"


def given(parameters: Mapping[str, int], used: Sequence[str]) -> Iterator[str]:
    """Say what the parameters in the formulas are, and how much they were taken to be."""
    for name in used:
        yield f"{name} = {parameters[name]}: {facts.PARAMETERS[name]}"


def rests_on(call: Call) -> Iterator[str]:
    """Say which loops' bounds a call's own rests on, as their sources have them."""
    for loop in call.facts():
        yield f"{loop.where}: {loop.formal} ({clipped(loop.prose, 70)})"


def path(call: Call, result: Result) -> list[Step]:
    """Return a costliest path's instructions in their order; as `explain` has a sample's."""
    out: dict[Node, list[Edge]] = defaultdict(list)
    for edge, count in result.taken:
        out[edge.source] += [edge] * round(count)
    steps: list[Step] = []
    code = call.program.source
    before = None
    for node, clocks in _in_order(call, out):
        first = clocks - call.graph.inside(node.pc)
        for number, (pc, what) in enumerate(call.graph.piece(node.pc)):
            if number and before is not None:
                first = ibex.step(before, what, pc, False)
            waits = () if first == 1 else (Wait(_waits_for(before, what), first - 1),)
            steps.append(Step(pc, first, waits, code.instruction(pc), code.place(pc)))
            before = what
    return steps


def _in_order(call: Call, out: dict[Node, list[Edge]]) -> list[tuple[Node, int]]:
    """Return a walk that takes each edge as often as it is there (Hierholzer), with its clocks."""
    stack, way = [(call.graph.entry, call.first)], []
    while stack:
        edges = out.get(stack[-1][0])
        if edges:
            edge = edges.pop()
            stack.append((edge.target, edge.clocks))
        else:
            way.append(stack.pop())
    return [(node, clocks) for node, clocks in reversed(way) if not node.end]


def _waits_for(before: Any, what: Any) -> str:
    if what.kind in ("div", "mulh"):
        return "division" if what.kind == "div" else "multiplication"
    if before is not None and before.kind == "load":
        return "load"
    if before is not None and before.kind == "csr":
        return "system register"
    return "jump"


def print_path(call: Call, result: Result, console: Console) -> None:
    """Print a costliest path: by function, then its instructions or, of a long one, its lines."""
    steps = path(call, result)
    console.print(f"{call.name} to its {result.end}: at most {result.clocks} cycles")
    console.print()
    for function, own in explained.by_function(steps).items():
        console.print(f"{sum(step.cycles for step in own):>6}  {function}  {own[0].place.home}")
    console.print()
    function = ""
    for block in explained.blocks(steps):
        if block[0].place.function != function:
            function = block[0].place.function
            console.print(function, style="bold")
        if not block[0].place.is_assembly:
            console.print(explained.source_line(block), style="cyan", soft_wrap=True)
        if len(steps) <= explained.LONG or block[0].place.is_assembly:
            for step in block:
                console.print(explained.step_line(step), soft_wrap=True)


def as_json(
    rows: Sequence[Bounded], parameters: Mapping[str, int], board: str = ibex.BOARD
) -> dict[str, Any]:
    """Return bounds for programs."""
    return {
        "schema": 1, "board": board, "unit": "cycles", "parameters": dict(parameters),
        "bounds": [_row_json(row) for row in rows],
    }  # fmt: skip


def _row_json(row: Bounded) -> dict[str, Any]:
    if row.clocks is None:
        return {"call": row.name, "refused": row.reason}
    return {
        "call": row.name, "end": row.end, "bound": row.clocks, "formula": row.formula,
        "observed": row.observed.clocks if row.observed else None,
        "observed_in": row.observed.image if row.observed else None, "ratio": row.ratio,
        "rests_on": list(row.rests_on),
    }  # fmt: skip
