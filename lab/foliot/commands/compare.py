# SPDX-License-Identifier: Apache-2.0
"""`foliot compare`: runs side by side, as text for people, or as JSON or CSV for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import JsonOption, StoreOption
from foliot.compare import repeats, table
from foliot.compare.comparison import BYS, NORMALISERS, SORTS, Options, common_unit, compare
from foliot.compare.overview import print_overview
from foliot.model.errors import UsageError
from foliot.store.selection import history, select
from foliot.store.sqlite import Store


def command(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN...]",
            autocompletion=offers.run,
            show_default=False,
            help="Ids, names, references.",
        ),
    ] = None,
    rows: Annotated[
        list[str] | None,
        typer.Option(
            "--rows",
            "-r",
            metavar="PATTERN",
            autocompletion=offers.row,
            help="Only these; several: a,b or twice.",
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="ORDER",
            autocompletion=offers.of(*SORTS),
            help="suite, name or ratio.",
        ),
    ] = "suite",
    normalise: Annotated[
        str,
        typer.Option(
            "--normalise",
            metavar="board",
            autocompletion=offers.of(*NORMALISERS),
            help="Each row over its run's median.",
        ),
    ] = "",
    unit: Annotated[
        str,
        typer.Option(
            "--in",
            metavar="UNIT",
            autocompletion=offers.of("cycles", "ns"),
            help="cycles or ns, by the runs' clocks.",
        ),
    ] = "",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="WHAT",
            autocompletion=offers.of(*BYS),
            help="version, board, configuration, kernel or core.",
        ),
    ] = "",
    overview: Annotated[
        bool, typer.Option("--overview", help="Devices, main rows in ns, ranking.")
    ] = False,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV, on stdout.")] = False,
    store: StoreOption = None,
) -> None:
    """Put runs side by side, with ratios and geometric means."""
    if as_json and as_csv:
        raise UsageError("--json and --csv can't be given together")
    patterns = tuple(word.strip() for group in rows or () for word in group.split(","))
    options = Options(tuple(filter(None, patterns)), sort, normalise, unit, by)
    form = "json" if as_json else "csv" if as_csv else "text"
    run_comparison(runs or [], options, form, overview, Store(store))


def run_comparison(
    words: Sequence[str], options: Options, form: str, overview: bool, store: Store
) -> None:
    """Compare the runs that the words name; without any, the history of the newest's kind.

    `form` is text, json or csv.
    """
    options.check()
    chosen = select(words, store) if words else []
    if not words and options.by == "version":
        chosen = history(store)
    if overview:
        print_overview(repeats.merged(chosen))
        return
    sets = repeats.sets_of(chosen)
    if len(sets) == 1 and len(chosen) > 1 and form == "text" and options == Options():
        for line in repeats.lines([one.run for one in chosen]):
            print(line)
        return
    by_ranks = repeats.scatter(sets) and not (options.unit or options.normalise or form == "csv")
    if by_ranks and len(sets) > 1:
        common_unit(chosen, "")
        _print_by_ranks(sets, options, form)
        return
    comparison = compare(repeats.merged(chosen) if len(sets) > 1 else chosen, options)
    if form == "json":
        print(json.dumps(table.as_dict(comparison), indent=1, ensure_ascii=False))
    elif form == "csv":
        table.write_csv(comparison)
    else:
        for line in table.lines(comparison):
            print(line)


def _print_by_ranks(sets: Sequence[repeats.Set], options: Options, form: str) -> None:
    if not any(repeats.differences(sets[0], other) for other in sets[1:]):
        raise UsageError("these runs have no row in common")
    if form == "json":
        print(json.dumps(repeats.as_dict(sets), indent=1, ensure_ascii=False))
        return
    for line in repeats.compared(sets, options.rows):
        print(line)
