# SPDX-License-Identifier: Apache-2.0
"""What an exported row carries beside its figure, so that importing it gives the run again.

Other tools' forms hold a name and a number. Each of them also passes over a key (or a column) that
it doesn't know: under KEY the row itself travels, with the first row of a run how the run
was made, and with it those rows that the form shows nothing of, since their figures are not
known. The number that was shown travels too, so that a figure that somebody edited is
noticed, and not overruled. Rejected: one line of provenance for people, which no importer can
turn into a run without guessing.

Not carried: `records` (signals, megabytes of them); they are in the run's log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from foliot.model import archive
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.model.names import plain
from foliot.model.run import Run

KEY = "foliot"
Shown = float | str | None  # a number, or the text that a CSV file shows of one

_WORDS = ("suite", "kernel_commit", "board", "core", "unit", "memory", "compiler", "flags",
          "config_sha256")  # fmt: skip
_ORIGIN_WORDS = ("kernel", "kernel_version", "title", "source", "format", "build_id", "emulator",
                 "log_sha256")  # fmt: skip
_NUMBERS = ("first", "min", "p50", "p90", "p99", "max", "mean", "overhead")
_LARGEST = 2**64


def outgoing(run: Run, shown: Sequence[Shown], whole: bool = False) -> list[dict[str, Any] | None]:
    """Return what each row carries; None for a row of which nothing is shown.

    A `whole` form shows all rows, those without a figure too. UsageError where the form would show
    nothing at all of the run.
    """
    if not whole and all(value is None for value in shown):
        what = f"{run.header.suite} on {run.header.board}"
        raise UsageError(f"no figure of {what} is known", "json and csv hold what was printed")
    rows = [json.loads(archive.dump_row(row)) for row in run.rows]
    carried: list[dict[str, Any] | None] = [
        {"row": row, "shown": value} if whole or value is not None else None
        for row, value in zip(rows, shown, strict=True)
    ]
    first = next((one for one in carried if one is not None), None)
    if first is not None:
        first["run"] = json.loads(archive.dump_facts(replace(run, records=())))
        absent = [[place, row] for place, row in enumerate(rows) if carried[place] is None]
        if absent:
            first["absent"] = absent
    return carried


def incoming(entries: Iterable[tuple[object, Shown]]) -> list[Run]:
    """Build the runs again of what came in: each row's carriage, and what is shown of it.

    LogError where the one is missing or contradicts the other.
    """
    runs: list[tuple[Any, list[Any], list[Any]]] = []
    for carried, shown in entries:
        if not isinstance(carried, Mapping) or not isinstance(carried.get("row"), Mapping):
            raise LogError(f"a row without its '{KEY}': somebody put it between exported ones")
        name = plain(str(carried["row"].get("id", "")))[:40]
        if carried.get("shown") != shown:
            was = plain(str(carried.get("shown")))[:24]
            raise LogError(
                f"{name}: {plain(str(shown))[:24]} stands where {was} was exported",
                f"take '{KEY}' out of the file to import what stands there",
            )
        if "run" in carried:
            runs.append((carried["run"], [], list(carried.get("absent") or ())))
        if not runs:
            raise LogError(f"{name}: the first row of its run, which says how it was made, is gone")
        runs[-1][1].append(carried["row"])
    return [restored(*parts) for parts in runs]


def restored(facts: Any, rows: list[Any], absent: list[Any]) -> Run:
    """Build a run of how it was made and its rows; LogError where that is not what was written."""
    try:
        for place, row in absent:
            rows.insert(place, row)
        run = archive.load(json.dumps(_clean(facts)), json.dumps(_clean(rows)))
    except (FoliotError, ValueError, TypeError, RecursionError):
        raise LogError(f"what was exported under '{KEY}' can't be read") from None
    check(run)
    return replace(run, doubts=())


def _clean(value: Any) -> Any:
    """Return what JSON held without control characters, which would reach the terminal."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {plain(str(key)): _clean(item) for key, item in value.items()}
    return value


def check(run: Run) -> None:
    """Refuse what foliot never writes: the archive trusts its own store, what came in it can't.

    Raises LogError.
    """
    try:
        sound = all(_is_word(word) for word in _words(run)) and all(map(_is_number, _numbers(run)))
        sound = sound and all(isinstance(part, Mapping) for part in _mappings(run))
        flags = [run.successful, run.published, run.header.dirty, run.header.assertions]
        flags += [row.buckets for row in run.rows]
        sound = sound and all(isinstance(flag, bool) for flag in flags)
        sound = sound and all(row.n > 0 and row.id for row in run.rows)
        sound = sound and (run.origin.lines is None or len(run.origin.lines) == 2)
    except (TypeError, AttributeError, ValueError):
        sound = False
    if not sound:
        raise LogError(f"what was exported under '{KEY}' is not what foliot writes")


def _words(run: Run) -> list[object]:
    header, origin = run.header, run.origin
    words: list[object] = [getattr(header, name) for name in _WORDS]
    words += [getattr(origin, name) for name in _ORIGIN_WORDS]
    words += [*header.configuration, *origin.command, *origin.device.values()]
    words += [text for failure in run.failures for text in (failure.id, failure.reason)]
    words += [text for cell in origin.summary for text in (cell.item, cell.row, cell.elsewhere)]
    for row in run.rows:
        words += [row.id, row.text, *row.doubts]
        words += [row.reference.name] if row.reference else []
    return words


def _numbers(run: Run) -> list[object]:
    header = run.header
    numbers: list[object] = [header.clock_hz, header.clock_measured_hz, *(run.origin.lines or ())]
    numbers += [cell.value for cell in run.origin.summary if cell.value is not None]
    if run.footprint:
        weights = run.footprint
        numbers += [weights.kernel_text, weights.data, weights.bss, *weights.image]
        numbers += weights.objects.values()
    for row in run.rows:
        numbers += [row.n, row.max_index, *(getattr(row, name) for name in _NUMBERS)]
        numbers += [item for bar in row.histogram for item in bar]
        numbers += [row.ns or 0, row.floor or 0, *row.evidence.values()]
        numbers += [row.reference.value] if row.reference else []
    return numbers


def _mappings(run: Run) -> list[object]:
    parts: list[object] = [run.header.counter, run.header.extra, run.origin.device]
    return parts + [part for row in run.rows for part in (row.extra, row.evidence)]


def _is_word(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and isfinite(value)
        and abs(value) <= _LARGEST
    )
