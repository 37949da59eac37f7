# SPDX-License-Identifier: Apache-2.0
"""`foliot test`: the style, and every test."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.commands.options import QuietOption
from foliot.project import testing


def command(
    long: Annotated[bool, typer.Option("--long", help="The campaigns too.")] = False,
    expression: Annotated[
        str | None, typer.Option("-k", metavar="EXPR", help="Only tests that match (pytest).")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Run the project's tests."""
    raise typer.Exit(testing.test(long, expression, quiet))
