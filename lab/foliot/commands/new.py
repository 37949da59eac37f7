# SPDX-License-Identifier: Apache-2.0
"""`foliot new`: something to begin with that builds and passes."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.commands import offers
from foliot.project import new


def command(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            autocompletion=offers.of(*new.KINDS),
            help="app, board, driver, object or vscode.",
        ),
    ],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Of an app, of vscode: DIR; a driver: CLASS/NAME.")
    ],
) -> None:
    """Begin an application, a board, a driver, an object, an editor's files."""
    for line in new.new(kind, name):
        print(line)
