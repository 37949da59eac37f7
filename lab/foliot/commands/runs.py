# SPDX-License-Identifier: Apache-2.0
"""`foliot runs`: what is on record."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from foliot.commands import offers
from foliot.commands.options import JsonOption, StoreOption
from foliot.model.names import counted
from foliot.reference import systems
from foliot.show.columns import print_columns
from foliot.store.selection import unknown_run
from foliot.store.sqlite import Kept, Store

_NEWEST = 30


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


def _as_dict(kept: Kept) -> dict[str, Any]:
    return {name: getattr(kept, name) for name in Kept.__slots__}


def _cells(kept: Kept) -> tuple[str, ...]:
    when = kept.recorded[:16].replace("T", " ")
    made = [f"{counted(kept.row_count, 'row')} in {kept.unit}", f"{kept.suite} on {kept.board}"]
    kernel = " ".join(filter(None, (kept.kernel, kept.version)))
    configuration = "" if kept.configuration == ("default",) else ", ".join(kept.configuration)
    what = ", ".join(filter(None, (*made, configuration, kernel)))
    return kept.id[:8], when, kept.name, what
