# SPDX-License-Identifier: Apache-2.0
"""The commands about recorded runs: import, runs, show, compare, export, gate.

As in cli.py, nothing is imported before it is known which command runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

StoreOption = Annotated[
    Path | None, typer.Option("--store", metavar="DIR", help="Where runs are recorded.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON, on stdout.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line, in the order in which they are listed."""
    for name, command in (
        ("import", import_), ("runs", runs), ("show", show),
    ):  # fmt: skip
        app.command(name)(command)


def import_(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="- is stdin.")],
    name: Annotated[
        str | None, typer.Option("--name", "-n", metavar="NAME", help="What to call its runs.")
    ] = None,
    board: Annotated[
        str | None, typer.Option("--board", "-b", metavar="BOARD", help="What they ran on.")
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Record other people's logs and pages; decode what is wrong with them."""
    from foliot import importing
    from foliot.store import Store

    raise typer.Exit(importing.import_files(files, name, board, Store(store), quiet))


def runs(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", show_default=False, help="Only these.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", "-a", help="Not only the newest.")] = False,
    references: Annotated[
        bool, typer.Option("--references", help="Other systems' figures instead.")
    ] = False,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """List the runs on record."""
    from foliot import listing
    from foliot.store import Store

    if references:
        listing.list_references()
    else:
        listing.list_runs(name, everything, json, Store(store))


def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="An id, a name, last, last~2...")],
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show one run: how it was made, its rows, its doubts."""
    from foliot import listing
    from foliot.store import Store

    listing.show(run, json, Store(store))
