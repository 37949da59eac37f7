# SPDX-License-Identifier: Apache-2.0
"""Runs that repeat one another: how far they lie apart, and two sets of them side by side.

A set is what `foliot bench --repeat N` recorded at once. On simulators the runs of a set are
equal, and one stands for all of them; what scatters is judged by judge/repeated.py.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from foliot.compare.combined import combined
from foliot.judge import repeated
from foliot.judge.gate import medians
from foliot.judge.repeated import Difference
from foliot.model.names import counted, family, matches
from foliot.model.run import Run
from foliot.show.numbers import figure
from foliot.show.terminal import clipped, result_width
from foliot.store.selection import Chosen
from foliot.target import boards

# How wide the columns beside the rows' names are, in the two tables.
_BESIDE_ROW, _MEDIANS = 56, 41


@dataclass(frozen=True, slots=True)
class Set:
    """Runs that were measured one after another, and what they are called together."""

    name: str
    runs: Sequence[Chosen]


def sets_of(chosen: Sequence[Chosen]) -> list[Set]:
    """Put together what was recorded at once by `bench`; any other run is a set by itself."""
    found: dict[str, list[Chosen]] = {}
    for place, one in enumerate(chosen):
        repeats = one.kept is not None and one.kept.kind == "bench" and "/" in one.name
        key = one.kept.document if one.kept and repeats else f"run {place}"
        found.setdefault(key, []).append(one)
    return [
        Set(runs[0].name.rpartition("/")[0] if len(runs) > 1 else runs[0].name, runs)
        for runs in found.values()
    ]


def merged(chosen: Sequence[Chosen]) -> list[Chosen]:
    """Return the runs, each set that was recorded at once as one (combined.py)."""
    return [
        Chosen(one.name, combined([each.run for each in one.runs]), one.runs[-1].kept)
        for one in sets_of(chosen)
    ]


def scatter(sets: Sequence[Set]) -> bool:
    """Whether these are repeated runs of something that doesn't come out the same every time."""
    return any(len(one.runs) > 1 for one in sets) and not all(
        boards.simulated(one.run.header.board) for each in sets for one in each.runs
    )


def lines(runs: Sequence[Run]) -> Iterator[str]:
    """Yield each row's median over repeated runs, and between what those lie."""
    header = runs[0].header
    yield f"{header.suite} on {header.board}, {counted(len(runs), 'run')}, in {header.unit}"
    found = medians(runs)
    moved = [row for row, known in found.items() if len(set(known)) > 1]
    if not moved:
        yield f"all {counted(len(found), 'row')} came out the same every time"
    elif boards.simulated(header.board):
        yield f"{counted(len(moved), 'row')} did not come out the same: no simulator may do that"
    marks = _flagged(runs)
    width = min(max(map(len, found), default=3), result_width() - _MEDIANS)
    yield f"{'row':<{width}}{'median':>11}{'least':>11}{'most':>11}{'runs':>6}"
    for row, known in found.items():
        cells = "".join(f"{figure(value):>11}" for value in (median(known), min(known), max(known)))
        yield f"{clipped(row, width):<{width}}{cells}{len(known):>6}{marks.get(row, '')}"
    if marks:
        yield "* in doubt in one run at least: `foliot show NAME/1` says why"


def compared(sets: Sequence[Set], rows: Sequence[str] = ()) -> Iterator[str]:
    """Yield each other set beside the first, row by row, in the runs' unit."""
    first, *others = sets
    for other in others:
        old, new = first.runs, other.runs
        found = {row: one for row, one in differences(first, other).items() if matches(row, rows)}
        yield (
            f"{other.name} ({counted(len(new), 'run')}) over {first.name} "
            f"({counted(len(old), 'run')}), in {new[0].run.header.unit}"
        )
        yield ""
        yield from _table(found, _flagged([one.run for one in (*old, *new)]))
        yield from textwrap.wrap(verdict(found, len(old), len(new)), result_width())
        yield ""


def differences(first: Set, other: Set) -> Mapping[str, Difference]:
    """Compare two sets of runs, row by row."""
    return repeated.differences(
        medians([one.run for one in first.runs]), medians([one.run for one in other.runs])
    )


def as_dict(sets: Sequence[Set]) -> list[dict[str, object]]:
    """Return the same for JSON."""
    return [
        {
            "before": sets[0].name, "after": other.name, "row": row,
            "medians": [one.before, one.after], "runs": list(one.runs), "shift": one.shift,
            "interval_95": None if one.low is None else [one.low, one.high],
            "p": round(one.p, 6), "shown": one.shown,
        }
        for other in sets[1:]
        for row, one in differences(sets[0], other).items()
    ]  # fmt: skip


def _flagged(runs: Sequence[Run]) -> Mapping[str, str]:
    """Return the mark of each row that is flagged in any of the runs."""
    marks = [(run, run.marks()) for run in runs]
    return {row.id: " *" for run, known in marks for row in run.rows if row.id in known}


def _table(found: Mapping[str, Difference], marks: Mapping[str, str]) -> Iterator[str]:
    width = min(max((*map(len, found), 3)), result_width() - _BESIDE_ROW)
    yield f"{'row':<{width}}{'before':>10}{'after':>10}{'ratio':>8}{'shift, 95 %':>20}  "
    yield "-" * (width + _BESIDE_ROW)
    last = ""
    for row, one in found.items():
        if last and family(row) != last:
            yield ""
        last = family(row)
        ratio = f"{one.after / one.before:.2f}" if one.before > 0 and one.after > 0 else ""
        interval = (
            "" if one.low is None or one.high is None else f"{one.low:+.4g} to {one.high:+.4g}"
        )
        verdict = ("more" if one.shift > 0 else "less") if one.shown else "-"
        yield (
            f"{clipped(row, width):<{width}}{figure(one.before):>10}{figure(one.after):>10}"
            f"{ratio:>8}{interval:>20}  {verdict}{marks.get(row, '')}"
        )
    if marks:
        yield "* in doubt in one run at least: `foliot show NAME/1` says why"


def verdict(found: Mapping[str, Difference], before: int, after: int) -> str:
    """Say what the marks mean, and what so many runs could not show."""
    runs = " against ".join(map(str, dict.fromkeys((before, after))))
    shown = sum(one.shown for one in found.values())
    text = f"{counted(shown, 'row')} of {len(found)} differ. "
    if shown < len(found):
        text += f"-: no difference that {runs} runs could show"
        text += " (rank test at 5 %, over all rows). " if before * after > 1 else ". "
    if found and not repeated.enough(before, after, len(found)):
        text += (
            f"So few could hardly show that one row of {len(found)} changed: "
            f"that takes {repeated.needed(len(found))} of each, see bench --repeat."
        )
    return text
