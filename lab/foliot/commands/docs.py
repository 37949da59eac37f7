# SPDX-License-Identifier: Apache-2.0
"""`foliot docs`: the generated tables, written anew, or the API reference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import QuietOption
from foliot.model.errors import UsageError
from foliot.project import api as reference
from foliot.project import docs


def command(
    pages: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PAGE]...", help="These alone.", show_default=False),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail if stale.")] = False,
    api: Annotated[bool, typer.Option("--api", help="The API reference instead.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Make the tables of README.md and docs/ anew, or the API reference."""
    if api and (check or pages):
        raise UsageError("--api makes pages in build/: there is nothing to --check, and no PAGE")
    if api:
        raise typer.Exit(reference.update(quiet))
    raise typer.Exit(docs.update(check, quiet, pages or ()))
