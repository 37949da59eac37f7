# SPDX-License-Identifier: Apache-2.0
"""`foliot history`: a row, a mean or a weight over commits, and where it changed."""

from __future__ import annotations

import json
import textwrap
from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import JsonOption, StoreOption
from foliot.compare import timeline
from foliot.compare.repeats import merged
from foliot.model.errors import UsageError
from foliot.show.terminal import result_width
from foliot.store.selection import history
from foliot.store.sqlite import Store


def command(
    row: Annotated[
        str,
        typer.Argument(
            metavar="[ROW]",
            autocompletion=offers.figure,
            help="A row's id, footprint.text..., or mean.",
        ),
    ] = timeline.MEAN,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Follow a row, the mean or a weight over the commits on record."""
    runs = merged(history(Store(store)))
    if not runs:
        raise UsageError("there is no run on record", "`foliot bench` records one")
    points = timeline.points(runs, row)
    if as_json:
        print(json.dumps([timeline.as_dict(point) for point in points], indent=1))
        return
    header = runs[-1].run.header
    unit = "bytes" if row.startswith("footprint.") else header.unit
    unit = "times the oldest run's" if row == timeline.MEAN else unit
    configuration = ", ".join(header.configuration)
    told = f"{row}: {header.suite} on {header.board} ({configuration}), in {unit}"
    print(*textwrap.wrap(told, result_width(), subsequent_indent="  "), sep="\n")
    for line in timeline.lines(points):
        print(line)
