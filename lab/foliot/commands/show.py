# SPDX-License-Identifier: Apache-2.0
"""`foliot show`: one run, how it was made, its rows, its doubts."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from foliot.commands import offers
from foliot.commands.options import JsonOption, StoreOption
from foliot.exporters import foliot_json
from foliot.show.output import STDOUT, write_json
from foliot.show.table import print_run
from foliot.show.terminal import console
from foliot.store.selection import Chosen, select_one
from foliot.store.sqlite import Store


def command(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", autocompletion=offers.run, help="An id, a name, last, last~2..."
        ),
    ],
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show one run: how it was made, its rows, its doubts."""
    show(run, as_json, Store(store))


def show(word: str, as_json: bool, store: Store) -> None:
    """`foliot show RUN`: how a run was made, its rows, its doubts."""
    chosen = select_one(word, store)
    if as_json:
        write_json(STDOUT, {**_facts(chosen), **foliot_json.as_dict(chosen.run)})
        return
    out = console()
    for key, value in _facts(chosen).items():
        if value not in ("", None, []):
            out.print(f"{key:<12} {_text(value)}")
    print_run(chosen.run, out)


def _facts(chosen: Chosen) -> dict[str, Any]:
    """Return what the table of rows doesn't say, in the order of interest."""
    run, kept = chosen.run, chosen.kept
    header, origin = run.header, run.origin
    facts: dict[str, Any] = {
        "name": chosen.name,
        "id": kept.id if kept else "",
        "recorded": kept.recorded if kept else "",
        "kernel": " ".join(filter(None, (origin.kernel, origin.kernel_version))),
        "title": origin.title,
        "source": origin.source,
        "lines": f"{origin.lines[0]} to {origin.lines[1]}" if origin.lines else "",
        "format": origin.format,
        "device": ", ".join(f"{key} {value}" for key, value in origin.device.items() if value),
        "clock": f"{header.clock_hz} Hz declared" if header.clock_hz else "",
        "measured": f"{header.clock_measured_hz} Hz" if header.clock_measured_hz else "",
        "counter": ", ".join(f"{key} {value}" for key, value in header.counter.items()),
        "build id": origin.build_id,
        "emulator": origin.emulator,
        "command": " ".join(origin.command),
        "config": header.config_sha256,
        "log": kept.log_sha256 if kept else "",
    }
    return facts


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
