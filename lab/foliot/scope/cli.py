# SPDX-License-Identifier: Apache-2.0
"""The command line of `foliot scope`; nothing is imported before it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("scope")(scope)


def scope(
    cases: Annotated[
        list[int] | None,
        typer.Argument(metavar="[CASE]...", show_default=False, help="0 to 12; none: all."),
    ] = None,
    board: Annotated[
        str | None, typer.Option("--board", "-b", metavar="BOARD", help="See `foliot boards`.")
    ] = None,
    ticks: Annotated[
        int | None, typer.Option("--ticks", metavar="N", min=3, max=15, help="Of each case.")
    ] = None,
    wait_states: Annotated[
        str | None, typer.Option("--wait-states", metavar="I,D", help="Of the simulated RAM.")
    ] = None,
    capture: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Measure this VCD instead.")
    ] = None,
    pins: Annotated[
        list[str] | None,
        typer.Option("--pin", metavar="SIGNAL=NAME", help="What a signal is called in it."),
    ] = None,
    tick: Annotated[
        int | None, typer.Option("--tick", metavar="NS", min=1, help="Its tick, if not found.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="For signals and pictures.")
    ] = None,
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write JSON; - is stdout.")
    ] = None,
    docs: Annotated[bool, typer.Option("--docs", help="Write docs/periodic.md anew.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")] = False,
) -> None:
    """Show periodic threads as signals: pictures and figures."""
    from foliot import boards
    from foliot.errors import UsageError
    from foliot.scope import command, story
    from foliot.scope.recorder import Request

    if capture is not None:
        if cases or board or ticks or wait_states or docs or json:
            raise UsageError("--import goes with --pin, --tick and --out only")
        raise typer.Exit(command.import_capture(capture, pins or (), tick, out, quiet))
    if pins or tick:
        raise UsageError("--pin and --tick are for --import")
    if docs:
        raise typer.Exit(story.write(quiet))
    request = Request(tuple(cases or ()), ticks, wait_states)
    raise typer.Exit(command.scope(board or boards.default(), request, out, json, quiet))
