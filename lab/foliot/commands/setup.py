# SPDX-License-Identifier: Apache-2.0
"""`foliot setup`: what a board needs, before it is needed."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import QuietOption
from foliot.show.terminal import Progress
from foliot.target import boards, provision


def command(
    board: Annotated[
        str | None,
        typer.Argument(metavar="[BOARD]", autocompletion=offers.board, show_default=False),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Install what a board needs."""
    found = boards.load(board or boards.default())
    provision.prepare(found, Progress(quiet))
    if not quiet:
        print(f"{found.name}: all that it needs is here")
