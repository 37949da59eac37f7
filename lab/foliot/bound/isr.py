# SPDX-License-Identifier: Apache-2.0
"""Interrupts: from the last instruction before one to the `mret`, or to the switch behind it.

Which handler a line has is not in the code but in a table that is written at the start. So each
handler that the image has (a function of the table's prototype whose address is taken) is a
case of its own, on the way that the port's trap.S takes to any of them and back.
"""

from __future__ import annotations

from collections.abc import Sequence

from foliot.bound import call, ibex
from foliot.bound.call import Call
from foliot.bound.graph import Graph, Refused
from foliot.bound.image import Program
from foliot.bound.loops import Loops, bind

_VECTORS = "riscv_vectors"
_MEMBER = ("irq_entry", "handler")
TIMER_LINE, OTHER_LINE = 7, 16


def handlers(program: Program) -> Sequence[str]:
    """Return the names of the handlers that an image has."""
    return sorted({program.entries[pc] for pc in program.of_member(*_MEMBER)})


def vector(program: Program, line: int) -> int:
    """Return where the vector of a line is; Refused where an image has none."""
    table = program.image.label(_VECTORS)
    if table is None:
        raise Refused("the image has no vectors")
    return table + 4 * line


def interrupt(
    program: Program, handler: str, line: int = OTHER_LINE, through: bool = False
) -> Call:
    """Return what an interrupt runs whose handler is that.

    `through`: with the switch away from whom it interrupted, and back, to the mret.
    """
    entry, target = vector(program, line), program.image.address(handler)
    if target is None:
        raise Refused(f"there is no {handler}")
    graph = Graph(program, entry, handlers=(target,), through=through)
    if graph.entry not in graph.edges:
        raise Refused(f"{handler} never returns")
    loops = Loops(graph)
    first = ibex.interrupt_entry(graph.piece(entry)[0][1]) + graph.inside(entry)
    options = call.options(program.path)
    return Call(program, f"{handler} (interrupt)", graph, loops, bind(loops), options, first)
