# SPDX-License-Identifier: Apache-2.0
"""The way of one operation through the image, as a table: each function in the order of its turns.

`generated: steps BOARD SUITE ROW`; made of what `foliot explain` writes as JSON, whose tables of
lines go further. A function that comes back behind another one has a line for each turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any


def lines(
    board: str, suite: str, row: str, said: Callable[[Sequence[str]], str]
) -> list[Sequence[object]]:
    """Return the table's lines, titles first; `said` runs ./foliot, and returns what it says."""
    words = ["explain", row, "--suite", suite, "--board", board, "--json", "-", "--quiet"]
    found = json.loads(said(words))
    turns = list(_turns(found["instructions"]))
    instructions, units = (sum(int(turn[n]) for turn in turns) for n in (2, 3))
    total = ("from stamp to stamp", "", instructions, units)
    if found["unit"] == "insn":  # one each
        short: list[Sequence[object]] = [turn[:3] for turn in (*turns, total)]
        return [
            ("function", "where", "instructions"), *short,
            ("less the stamps", "", -found["overhead"]),
        ]  # fmt: skip
    return [
        ("function", "where", "instructions", found["unit"]), *turns, total,
        ("less the stamps", "", "", -found["overhead"]),
    ]  # fmt: skip


def _turns(instructions: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str, int, int]]:
    for function, group in groupby(instructions, key=lambda one: str(one["function"])):
        turn = list(group)
        where = f"`{turn[0]['home']}`" if turn[0]["home"] else ""
        yield f"`{function}`", where, len(turn), sum(int(one["cycles"]) for one in turn)
