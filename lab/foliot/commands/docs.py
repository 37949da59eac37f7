# SPDX-License-Identifier: Apache-2.0
"""`foliot docs`: the generated tables, written anew, or the API reference."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.commands.options import QuietOption
from foliot.model.errors import UsageError
from foliot.project import api as reference
from foliot.project import docs


def command(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail if stale.")] = False,
    api: Annotated[bool, typer.Option("--api", help="The API reference instead.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Make the tables of README.md and docs/ anew, or the API reference."""
    if api and check:
        raise UsageError("--api makes pages in build/: there is nothing to --check")
    if api:
        raise typer.Exit(reference.update(quiet))
    raise typer.Exit(docs.update(check, quiet))
