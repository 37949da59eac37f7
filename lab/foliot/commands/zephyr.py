# SPDX-License-Identifier: Apache-2.0
"""`foliot zephyr`: Zephyr's own samples and tests, out of a tree of the user's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from foliot.commands.options import BoardOption, QuietOption
from foliot.model.names import counted
from foliot.project import zephyr_programs
from foliot.show.terminal import Progress, console
from foliot.target import boards


def command(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="A tree of Zephyr's, or of its samples alone.")
    ],
    board: BoardOption = None,
    only: Annotated[
        str | None, typer.Option(help="Those whose path has one of these words, A,B.")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Build and run Zephyr's own samples and tests, out of a tree that you name."""
    progress = Progress(quiet)
    chosen = boards.load(board or "mps2_an385")
    parts = [part.strip() for part in (only or "").split(",") if part.strip()]
    results = zephyr_programs.go_through(directory, chosen, parts, progress)
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("program", chosen.name):
        shown.add_column(title, no_wrap=True, overflow="ellipsis")
    shown.add_column("", overflow="fold")
    for one in results:
        shown.add_row(one.program.path, one.state, one.detail)
    console().print(shown)
    there = [one for one in results if one.state != zephyr_programs.ABSENT]
    ran = sum(one.state == zephyr_programs.RUNS for one in there)
    print(f"{ran} of {counted(len(there), 'program')} run as they are on {chosen.name}")
    missing = len(results) - len(there)
    if missing:
        print(f"{counted(missing, 'program')} of the list not in {directory}")
    raise typer.Exit(0 if ran == len(there) else 1)
