# SPDX-License-Identifier: Apache-2.0
"""`foliot ipc`: what a message costs here, on L4Re's page, and in seL4."""

from __future__ import annotations

import io
import json
import sys
from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import ConfOption, JsonOption, QuietOption, StoreOption, words
from foliot.compare import ipc_table
from foliot.measure import fleet
from foliot.measure.session import Request
from foliot.model.errors import UsageError
from foliot.show.terminal import Progress, result_width
from foliot.store.sqlite import Store
from foliot.store.writer import record
from foliot.target import boards


def command(
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            "-b",
            metavar="BOARD",
            autocompletion=offers.board,
            help="Measure it there first; several: a,b or twice.",
        ),
    ] = None,
    conf: ConfOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show what a message costs, beside L4Re's page and seL4's figures."""
    kept = Store(store)
    named = _boards(board)
    if conf and not named:
        raise UsageError("--conf is of what is measured: name a board, --board BOARD")
    failed = _measure(named, words(conf), kept, quiet) if named else []
    found = ipc_table.lines(kept)
    if as_json:
        print(json.dumps([ipc_table.as_dict(line) for line in found], indent=1))
    else:
        _show(found)
    for line in failed:
        print(f"foliot: {line}", file=sys.stderr)
    raise typer.Exit(1 if failed else 0)


def _boards(given: list[str] | None) -> list[str]:
    named = [name.strip() for group in given or () for name in group.split(",")]
    for name in named:
        boards.check_measures(boards.load(name))
    return list(dict.fromkeys(named))


def _measure(named: list[str], conf: tuple[str, ...], store: Store, quiet: bool) -> list[str]:
    """Measure the suite on boards, and record it; return why some have no run."""
    store.check_writable()
    request = Request(board="", suite=ipc_table.SUITE, conf=conf)
    found = fleet.measure(request, Progress(quiet), named)
    for one in found:
        if one.measured is not None:
            facts = one.measured.facts
            record(store, facts, io.BytesIO(one.measured.log), "bench", facts.origin.source)
    return [f"{one.board}: {one.why}" for one in found if one.measured is None]


def _show(found: list[ipc_table.Line]) -> None:
    for line in ipc_table.text(found, result_width()):
        print(line)
    if not any(line.is_ours for line in found):
        print("no run of ours is on record; what measures and records one:")
        print("  foliot ipc --board BOARD")
