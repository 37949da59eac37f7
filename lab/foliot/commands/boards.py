# SPDX-License-Identifier: Apache-2.0
"""`foliot boards`: a line a board."""

from __future__ import annotations

from rich import box
from rich.table import Table

from foliot.commands.options import StoreOption
from foliot.show.terminal import console
from foliot.store import checks
from foliot.store.sqlite import Store
from foliot.target import boards


def command(store: StoreOption = None) -> None:
    """List the boards."""
    on_silicon = checks.on_silicon(Store(store))
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("board", "core", "unit", "tried", "what it is"):
        shown.add_column(title, overflow="fold")
    for name in boards.names():
        board = boards.load(name)
        mark = " (default)" if board.default else ""
        check = on_silicon.get(name)
        tried = check.told if check else board.tried
        shown.add_row(name + mark, board.core, board.unit, tried, board.description)
    console().print(shown)
