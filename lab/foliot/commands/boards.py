# SPDX-License-Identifier: Apache-2.0
"""`foliot boards`: a line a board."""

from __future__ import annotations

from rich import box
from rich.table import Table

from foliot.show.terminal import console
from foliot.target import boards


def command() -> None:
    """List the boards."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("board", "core", "unit", "tried", "what it is"):
        shown.add_column(title, overflow="fold")
    for name in boards.names():
        board = boards.load(name)
        mark = " (default)" if board.default else ""
        shown.add_row(name + mark, board.core, board.unit, board.tried, board.description)
    console().print(shown)
