# SPDX-License-Identifier: Apache-2.0
"""`foliot test`: the style, and every test, or those that are picked out."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import QuietOption
from foliot.project import testing
from foliot.project.choice import Request


def command(
    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH...]", show_default=False, help="In tests/; PATH::TEST names one test."
        ),
    ] = None,
    expression: Annotated[
        str | None, typer.Option("-k", metavar="EXPR", help="Only tests that match (pytest's -k).")
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            "-b",
            metavar="BOARD",
            autocompletion=offers.board,
            help="Only tests that run on it; repeat.",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Only what needs no board but host and isn't marked slow."),
    ] = False,
    long: Annotated[bool, typer.Option("--long", help="The campaigns too.")] = False,
    stop: Annotated[bool, typer.Option("-x", help="Stop at the first failure.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Run the project's tests.

    All, or those picked out, with what those need. Where none are picked out the style is
    checked too (--quick: without clang-tidy). More options of pytest: PYTEST_ADDOPTS.
    """
    request = Request(tuple(places or ()), expression, tuple(board or ()), long, quick, stop, quiet)
    raise typer.Exit(testing.test(request))
