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
        ("import", import_), ("runs", runs), ("show", show), ("compare", compare),
        ("gate", gate), ("export", export),
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


def compare(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN...]", show_default=False, help="Ids, names, references."),
    ] = None,
    rows: Annotated[
        list[str] | None,
        typer.Option("--rows", "-r", metavar="PATTERN", help="Only these; several: a,b or twice."),
    ] = None,
    sort: Annotated[
        str, typer.Option("--sort", metavar="ORDER", help="suite, name or ratio.")
    ] = "suite",
    normalise: Annotated[
        str, typer.Option("--normalise", metavar="board", help="Each row over its run's median.")
    ] = "",
    unit: Annotated[
        str, typer.Option("--in", metavar="UNIT", help="cycles or ns, by the runs' clocks.")
    ] = "",
    by: Annotated[
        str,
        typer.Option("--by", metavar="WHAT", help="version, board, configuration, kernel or core."),
    ] = "",
    overview: Annotated[
        bool, typer.Option("--overview", help="Devices, main rows in ns, ranking.")
    ] = False,
    json: JsonOption = False,
    csv: Annotated[bool, typer.Option("--csv", help="CSV, on stdout.")] = False,
    store: StoreOption = None,
) -> None:
    """Put runs side by side, with ratios and geometric means."""
    from foliot import comparing
    from foliot.compare import Options
    from foliot.errors import UsageError
    from foliot.store import Store

    if json and csv:
        raise UsageError("--json and --csv can't be given together")
    patterns = tuple(word.strip() for group in rows or () for word in group.split(","))
    options = Options(tuple(filter(None, patterns)), sort, normalise, unit, by)
    form = "json" if json else "csv" if csv else "text"
    comparing.run_comparison(runs or [], options, form, overview, Store(store))


def gate(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN...]", show_default=False, help="None: measure now."),
    ] = None,
    baseline: Annotated[
        str,
        typer.Option(
            "--baseline", metavar="RUN", help="A run, or a file: data/baseline/BOARD.json."
        ),
    ] = "",
    board: Annotated[
        str, typer.Option("--board", "-b", metavar="BOARD", help="See `foliot boards`.")
    ] = "",
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="PATTERN=N", help="Rows that may rise by N units."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Any change fails: the baseline is stale.")
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Write the baseline file anew instead.")
    ] = False,
    port: Annotated[
        str | None, typer.Option("--port", metavar="TTY", help="Listen to a board's serial port.")
    ] = None,
    baud: Annotated[int, typer.Option("--baud", metavar="N", min=1)] = 115_200,
    reset: Annotated[
        str, typer.Option("--reset", metavar="CMD", help="What resets that board.")
    ] = "",
    repeat: Annotated[
        int, typer.Option("--repeat", metavar="N", min=1, max=100, help="Runs of a real board.")
    ] = 5,
    floor: Annotated[
        float,
        typer.Option("--floor", metavar="N", min=0, help="Real boards: units that are noise."),
    ] = 3.0,
    percent: Annotated[
        float, typer.Option("--percent", metavar="P", min=0, help="Real boards: per cent of noise.")
    ] = 2.0,
    junit: Annotated[
        str | None, typer.Option("--junit", metavar="FILE", help="Write JUnit; - is stdout.")
    ] = None,
    github: Annotated[
        str | None,
        typer.Option("--github", metavar="FILE", help="Write github-action-benchmark's JSON."),
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Fail where a row got slower than a baseline has it."""
    from foliot import gating
    from foliot.serialport import Port
    from foliot.store import Store

    request = gating.Request(
        runs=tuple(runs or ()), baseline=baseline, board=board, allow=tuple(allow or ()),
        port=Port(port, baud, reset) if port else None, repeat=repeat, floor_units=floor,
        floor_percent=percent, strict=strict, update=update, junit=junit, github=github,
    )  # fmt: skip
    raise typer.Exit(gating.run_gate(request, Store(store), quiet))


def export(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Ids, names, references.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORM",
            help="json, csv, github, bencher, google-benchmark or twister.",
        ),
    ] = "json",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Instead of stdout.")
    ] = "-",
    store: StoreOption = None,
) -> None:
    """Write runs in a form that another tool reads."""
    import sys

    from foliot.export import export as convert
    from foliot.selection import select
    from foliot.store import Store

    text = convert(select(runs, Store(store)), form)
    if output == "-":
        sys.stdout.write(text)
    else:
        Path(output).write_text(text, encoding="utf-8")
