# SPDX-License-Identifier: Apache-2.0
"""What a graph of code is made of: straight pieces under stacks, and what may follow them."""

from __future__ import annotations

from dataclasses import dataclass

from foliot.bound.instructions import Instruction

Stack = tuple[int, ...]
Piece = tuple[tuple[int, Instruction], ...]


@dataclass(slots=True, eq=False)
class Node:
    """A straight piece of code, under a stack of places to return to; or an end, by name.

    There is one of each, so that two are the same where they are one object.
    """

    stack: Stack
    pc: int
    end: str = ""


@dataclass(slots=True, eq=False)
class Edge:
    """What may follow a node, and what that takes: the following piece included."""

    source: Node
    target: Node
    clocks: int
