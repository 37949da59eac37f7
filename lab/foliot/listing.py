# SPDX-License-Identifier: Apache-2.0
"""`foliot runs` and `foliot show`: what is on record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from foliot import reference
from foliot.selection import Chosen, select_one
from foliot.store import Kept, Store
from foliot.ui import console

_NEWEST = 30
_NARROWEST = 20


def list_runs(word: str | None, everything: bool, as_json: bool, store: Store) -> None:
    """`foliot runs [NAME]`: a line a run, the newest last; the newest 30 unless told otherwise."""
    kept = store.named(word) if word else store.runs()
    if as_json:
        print(json.dumps([_as_dict(one) for one in kept], indent=2, ensure_ascii=False))
        return
    if not kept:
        what = f"no run named '{word}'" if word else "no runs yet"
        print(f"{what} in {store.directory}: `foliot bench` and `foliot import` record them;")
        print("`foliot runs --references` lists the figures of other systems")
        return
    shown = kept if everything or word else kept[-_NEWEST:]
    print_columns(("id", "recorded", "name", "what"), [_cells(one) for one in shown])
    if len(shown) < len(kept):
        print(f"and {len(kept) - len(shown)} older ones: --all")


def list_references() -> None:
    """`foliot runs --references`: the figures of other systems, by name."""
    lines = []
    for name in reference.names():
        run = reference.load(name)
        facts = f"{len(run.rows)} rows in {run.header.unit}: {run.origin.title}"
        lines.append((name, facts))
    print_columns(("reference", "what"), lines)


def print_columns(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """Print columns as wide as they have to be; the last is cut at the terminal's edge."""
    widths = [max(len(line[place]) for line in (titles, *lines)) for place in range(len(titles))]
    room = console().width - sum(width + 2 for width in widths[:-1])
    for line in (titles, *lines):
        *cells, last = line
        shown = last if len(last) <= room or room < _NARROWEST else f"{last[: room - 3]}..."
        start = "".join(f"{cell:<{width + 2}}" for cell, width in zip(cells, widths, strict=False))
        print((start + shown).rstrip())


def show(word: str, as_json: bool, store: Store) -> None:
    """`foliot show RUN`: how a run was made, its rows, its doubts."""
    chosen = select_one(word, store)
    if as_json:
        print(json.dumps({**_facts(chosen), **_run_as_dict(chosen)}, indent=1, ensure_ascii=False))
        return
    from foliot.table import print_run

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


def _run_as_dict(chosen: Chosen) -> dict[str, Any]:
    from foliot.jsonout import as_dict

    return as_dict(chosen.run)


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _as_dict(kept: Kept) -> dict[str, Any]:
    return {name: getattr(kept, name) for name in Kept.__slots__}


def _cells(kept: Kept) -> tuple[str, ...]:
    when = kept.recorded[:16].replace("T", " ")
    made = [f"{kept.row_count} rows in {kept.unit}", f"{kept.suite} on {kept.board}"]
    kernel = " ".join(filter(None, (kept.kernel, kept.version)))
    configuration = "" if kept.configuration == ("default",) else ", ".join(kept.configuration)
    what = ", ".join(filter(None, (*made, configuration, kernel)))
    return kept.id[:8], when, kept.name, what
