# SPDX-License-Identifier: Apache-2.0
"""`foliot runs`: what is on record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from foliot.commands import offers
from foliot.commands.options import JsonOption, StoreOption
from foliot.model.names import counted
from foliot.reference import systems
from foliot.show.terminal import clipped, result_width
from foliot.store.database import Kept, Store
from foliot.store.selection import unknown_run

_NEWEST = 30
_NARROWEST, _LEAST = 20, 8


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", autocompletion=offers.run, show_default=False, help="Only these."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", "-a", help="Not only the newest.")] = False,
    references: Annotated[
        bool, typer.Option("--references", help="Other systems' figures instead.")
    ] = False,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """List the runs on record."""
    if references:
        list_references()
    else:
        list_runs(name, everything, as_json, Store(store))


def list_runs(word: str | None, everything: bool, as_json: bool, store: Store) -> None:
    """`foliot runs [NAME]`: a line a run, the newest last; the newest 30 unless told otherwise."""
    kept = store.named(word) if word else store.runs()
    if as_json:
        print(json.dumps([_as_dict(one) for one in kept], indent=2, ensure_ascii=False))
        return
    if word and not kept:
        raise unknown_run(word, store)
    if not kept:
        print(f"no runs yet in {store.directory}: `foliot bench` and `foliot import` record them;")
        print("`foliot runs --references` lists the figures of other systems")
        return
    shown = kept if everything or word else kept[-_NEWEST:]
    print_columns(("id", "recorded", "name", "what"), [_cells(one) for one in shown])
    if len(shown) < len(kept):
        print(f"and {len(kept) - len(shown)} older ones: --all")


def list_references() -> None:
    """`foliot runs --references`: the figures of other systems, by name."""
    lines = []
    for name in systems.names():
        run = systems.load(name)
        facts = f"{counted(len(run.rows), 'row')} in {run.header.unit}: {run.origin.title}"
        lines.append((name, facts))
    print_columns(("reference", "what"), lines)


def print_columns(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """Print columns as wide as they have to be; cut where the terminal is too narrow."""
    widths = [max(len(line[place]) for line in (titles, *lines)) for place in range(len(titles))]
    room = result_width() - 2 * (len(widths) - 1)
    while sum(widths) > room and widths[-1] > _NARROWEST:
        widths[-1] -= 1  # what follows from the name goes first, then the name's middle
    while sum(widths) > room and max(widths) > _LEAST:
        widths[widths.index(max(widths))] -= 1
    for line in (titles, *lines):
        *cells, last = (clipped(cell, width) for cell, width in zip(line, widths, strict=True))
        start = "".join(f"{cell:<{width + 2}}" for cell, width in zip(cells, widths, strict=False))
        print((start + last).rstrip())


def _as_dict(kept: Kept) -> dict[str, Any]:
    return {name: getattr(kept, name) for name in Kept.__slots__}


def _cells(kept: Kept) -> tuple[str, ...]:
    when = kept.recorded[:16].replace("T", " ")
    made = [f"{counted(kept.row_count, 'row')} in {kept.unit}", f"{kept.suite} on {kept.board}"]
    kernel = " ".join(filter(None, (kept.kernel, kept.version)))
    configuration = "" if kept.configuration == ("default",) else ", ".join(kept.configuration)
    what = ", ".join(filter(None, (*made, configuration, kernel)))
    return kept.id[:8], when, kept.name, what
