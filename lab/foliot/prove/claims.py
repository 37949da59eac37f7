# SPDX-License-Identifier: Apache-2.0
"""A claim about the end of a path, and what those of all pieces of RV32's assembly share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foliot.prove.rv32 import State, holds, is_possible

ENTRIES = 16  # of the PMP
MIE, MPIE, MPP = 0x8, 0x80, 0x1800  # of mstatus


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that has to hold at a path's end, and whether it does."""

    name: str
    does_hold: bool


def claims_of(
    name: str, end: State, given: list[str], said: dict[str, str], one_by_one: bool = False
) -> Iterator[Claim]:
    """Yield that the end is possible, and each claim of it by its title.

    Mostly all are asked for at once; `one_by_one`: where that is more than Z3 can answer.
    """
    yield Claim(f"{name}: it is taken", is_possible(end, given))
    do_all_hold = not one_by_one and holds(end, given, f"(and {' '.join(said.values())})")
    for title, claim in said.items():
        yield Claim(f"{name}: {title}", do_all_hold or holds(end, given, claim))
