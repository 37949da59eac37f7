# SPDX-License-Identifier: Apache-2.0
"""Runs that repeat one another as one run: what tables and charts show of them.

A row's figure is the median over those runs in which nobody doubts it; only where there is no
such run, over all that have it, and then its doubts stand beside it. Which figures were left out
is a doubt about the whole. The samples of all runs are in one distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median

from foliot.judge import repeated
from foliot.model.figures import geometric_mean
from foliot.model.names import counted
from foliot.model.run import Doubt, Row, Run


@dataclass(frozen=True, slots=True)
class Interval:
    """Where repeated runs lie: between the ends of their median's 95 % interval, or of them all.

    `is_sure` is whether it is the former; `count` how many runs there are.
    """

    low: float
    high: float
    count: int
    is_sure: bool


def interval(figures: Sequence[float]) -> Interval | None:
    """Return the interval of the figures of several runs; None of one."""
    if len(figures) < 2:
        return None
    sure = repeated.interval(figures)
    low, high = sure or (min(figures), max(figures))
    return Interval(low, high, len(figures), sure is not None)


def intervals(runs: Sequence[Run]) -> Mapping[str, Interval]:
    """Return the interval of each row, over the runs that its figure is the median of."""
    found = {row: interval(figures) for row, figures in _figures(runs).items()}
    return {row: one for row, one in found.items() if one}


def mean_interval(
    runs: Sequence[Run], rows: Sequence[str], middle: Mapping[str, float]
) -> Interval | None:
    """Return the interval of the runs' geometric means over `rows`, each over its `middle`."""
    means = [
        geometric_mean([known[row] / middle[row] for row in rows])
        for run in runs
        if all(row in (known := run.trusted()) for row in rows) and rows
    ]
    return interval(means)


def combined(runs: Sequence[Run]) -> Run:
    """Return one run that stands for several of the same kind, in the order of the last's rows."""
    last = runs[-1]
    if len(runs) == 1:
        return last
    if all(run.values() == last.values() and run.doubts == last.doubts for run in runs):
        return last  # as simulators repeat themselves
    figures = _figures(runs)
    order = dict.fromkeys(row.id for run in reversed(runs) for row in run.rows)
    rows = [_row([row for run in runs if (row := run.row(name))], figures.get(name, ()))
            for name in order]  # fmt: skip
    doubts = _doubts(runs, figures)
    names: dict[str, list[str]] = {}
    for doubt in doubts:
        if doubt.row:
            names.setdefault(doubt.row, []).append(doubt.name)
    rows = [replace(row, doubts=tuple(dict.fromkeys(names.get(row.id, ())))) for row in rows]
    failures = {failure.id: failure for run in runs for failure in run.failures}
    return replace(
        last, rows=tuple(rows), doubts=tuple(doubts), failures=tuple(failures.values()),
        successful=all(run.successful for run in runs),
    )  # fmt: skip


def _figures(runs: Sequence[Run]) -> Mapping[str, list[float]]:
    """Return each row's figures: of the runs in which nobody doubts it, else of all."""
    trusted: dict[str, list[float]] = {}
    known: dict[str, list[float]] = {}
    for run in runs:
        for found, values in ((trusted, run.trusted()), (known, run.values())):
            for row, value in values.items():
                found.setdefault(row, []).append(value)
    return {row: trusted.get(row, figures) for row, figures in known.items()}


def _row(rows: Sequence[Row], figures: Sequence[float]) -> Row:
    """Put a row of several runs together."""
    counts = Counter[int]()
    for row in rows:
        counts.update(dict(row.histogram))
    evidence = Counter[str]()
    for row in rows:
        evidence.update(row.evidence)
    widest = max(rows, key=lambda row: row.max)
    return replace(
        rows[-1], n=sum(row.n for row in rows), first=median(row.first for row in rows),
        min=min(row.min for row in rows), p50=median(figures or [row.p50 for row in rows]),
        p90=median(row.p90 for row in rows), p99=median(row.p99 for row in rows),
        max=widest.max, max_index=widest.max_index, mean=fmean(row.mean for row in rows),
        histogram=tuple(sorted(counts.items())), evidence=dict(evidence),
    )  # fmt: skip


def _doubts(runs: Sequence[Run], figures: Mapping[str, Sequence[float]]) -> list[Doubt]:
    """Return the doubts of all runs, each once, with how many runs it is of."""
    found: dict[tuple[str, str | None], list[Doubt]] = {}
    for run in runs:
        for key in dict.fromkeys((doubt.name, doubt.row) for doubt in run.doubts):
            first = next(d for d in run.doubts if (d.name, d.row) == key)
            found.setdefault(key, []).append(first)
    trusted = [run.trusted() for run in runs]
    made = []
    for (_, row), alike in found.items():
        doubt, every = alike[-1], len(alike) == len(runs)
        of = "" if every else f" (in {counted(len(alike), 'run')} of {len(runs)})"
        is_left_out = row is not None and any(row in one for one in trusted)
        if is_left_out and not any(row in one for one in _with(runs, trusted, doubt)):
            text = f"{row}: {doubt.text}{of}, which {'is' if len(alike) == 1 else 'are'} left out"
            made.append(replace(doubt, text=text, row=None, invalidates=False, reading=None))
        elif row is not None and doubt.invalidates and row in figures:
            made.append(replace(doubt, text=doubt.text + of, reading=median(figures[row])))
        else:
            made.append(replace(doubt, text=doubt.text + of))
    return made


def _with(
    runs: Sequence[Run], trusted: Sequence[Mapping[str, float]], doubt: Doubt
) -> list[Mapping[str, float]]:
    """Return what is trusted in the runs that have a doubt."""
    return [
        known
        for run, known in zip(runs, trusted, strict=True)
        if any((d.name, d.row) == (doubt.name, doubt.row) for d in run.doubts)
    ]
