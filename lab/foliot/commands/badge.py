# SPDX-License-Identifier: Apache-2.0
"""`foliot badge`: one figure of a run as a small picture."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import StoreOption
from foliot.report import badge
from foliot.show.output import write
from foliot.store.selection import select_one
from foliot.store.sqlite import Store


def command(
    figure: Annotated[
        str,
        typer.Argument(
            metavar="[FIGURE]",
            autocompletion=offers.figure,
            help="A row's id, footprint.text..., mean, or floor.",
        ),
    ] = badge.MEAN,
    run: Annotated[
        str, typer.Argument(metavar="[RUN]", autocompletion=offers.run, help="See `foliot runs`.")
    ] = "last",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Instead of stdout.")
    ] = "-",
    store: StoreOption = None,
) -> None:
    """Draw a row, a mean or a weight as a badge (SVG)."""
    write(output, badge.svg(badge.badge(select_one(run, Store(store)).run, figure)))
