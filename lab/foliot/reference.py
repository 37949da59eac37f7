# SPDX-License-Identifier: Apache-2.0
"""The figures of other systems that stand beside ours: which ones, a board's file says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from foliot import paths
from foliot.boards import Board
from foliot.errors import FoliotError
from foliot.model import Reference


def references(board: Board) -> dict[str, Reference]:
    """Map row ids to the reference figures of a board, in its unit; empty without any.

    The figures are net of the other system's time stamps. Where a row of kind L is the
    average of a loop, `loop_cycles` of the board's [reference] takes the loop off.
    """
    if not board.reference:
        return {}
    path = paths.REFERENCE / str(board.reference["file"])
    try:
        rows = _rows(json.loads(path.read_text(encoding="utf-8")), board.reference)
    except (OSError, ValueError, KeyError, StopIteration) as error:
        raise FoliotError(f"{paths.shown(path)} has no such reference: {error!r}") from None
    name = str(board.reference["name"])
    loop = float(board.reference.get("loop_cycles", 0))
    return {
        row_id: Reference(name, round(row["net"] - (loop if row["kind"] == "L" else 0), 1))
        for row_id, row in rows.items()
        if row.get("net") is not None
    }


def _rows(data: Any, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rows, by id, of a file that is ordered by kernels or by runs."""
    if "kernels" in data:
        return dict(data["kernels"][wanted["kernel"]]["rows"])
    run = next(
        run
        for run in data["runs"]
        if run["board"] == wanted["board"] and run["configuration"] == wanted["configuration"]
    )
    return {row["id"]: row for row in run["rows"]}
