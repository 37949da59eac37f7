# SPDX-License-Identifier: Apache-2.0
"""Runs made of named figures, as the simpler formats of other tools hold them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

from foliot.importers.numbers import LARGEST
from foliot.importers.units import scaled, unit_of
from foliot.model.names import plain, slug
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Histogram, Origin, Row, Run, percentile

_LONGEST_ID = 120


@dataclass(slots=True)
class Collected:
    """Rows by their unit, and what was no row and why; a name that comes again gets a number."""

    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)

    def add(self, unit: str, row: Row) -> None:
        """Take a row whose figures are in `unit`, one of those of runs."""
        known = self.rows.setdefault(unit, {})
        name = _free(row.id, known)
        known[name] = row if name == row.id else replace(row, id=name)

    def take(self, name: str, text: str, value: object, unit: str, **stats: float) -> None:
        """Take one figure by the unit that its source names; a failure where that can't be."""
        known = unit_of(unit)
        if known is None:
            self.fail(name, f"in '{plain(unit)[:24]}', which is no time, and no count")
        elif not is_figure(value):
            self.fail(name, f"'{plain(str(value))[:24]}' is no figure")
        else:
            factor = known[1]
            row = single(name, text, scaled(value, factor))
            sane = {key: scaled(item, factor) for key, item in stats.items() if is_figure(item)}
            self.add(known[0], told(row, **sane))

    def fail(self, name: str, reason: str) -> None:
        """Keep that a row could not be taken, and why."""
        free = _free(name, self.failures)
        self.failures[free] = Failure(free, reason)

    def runs(self, origin: Origin, suite: str, **known: Any) -> list[Run]:
        """Return the runs: one a unit. What was no row is told with the first."""
        failures = list(self.failures.values())
        if not self.rows and failures:
            self.rows["ns"] = {}
        runs = []
        for unit, rows in self.rows.items():
            runs.append(
                published_run(
                    list(rows.values()),
                    origin=origin,
                    suite=suite,
                    unit=unit,
                    failures=failures,
                    successful=not failures,
                    **known,
                )
            )
            failures = []
        return runs


def _free(name: str, taken: Iterable[str]) -> str:
    count, free = 1, name
    while free in taken:
        count += 1
        free = f"{name}#{count}"
    return free


def row_name(*words: object) -> str:
    """Return the id that other tools' names make: parts of it between full stops."""
    parts = [part for word in words if (part := slug(str(word).replace("::", "."))[:_LONGEST_ID])]
    return ".".join(parts) or "unnamed"


def is_figure(value: object) -> TypeGuard[int | float]:
    """Whether a JSON value is a number that a run can hold: finite, and within 64 bits."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return math.isfinite(value) and abs(value) <= LARGEST


def told(row: Row, **stats: float) -> Row:
    """Return a single figure with the statistics that its source gives; the others stay unknown."""
    if not stats:
        return row
    given = " ".join(name for name in stats if name != "n")
    figures: dict[str, Any] = {**stats, "n": max(1, int(stats.get("n", 1)))}
    return replace(row, **figures, histogram=(), extra={**row.extra, "told": given})


def sampled(row_id: str, text: str, samples: Sequence[float], value: float | None = None) -> Row:
    """Return the row of samples that were all kept, in their order; at least one."""
    ordered = sorted(samples)
    whole = all(sample == int(sample) for sample in samples)
    bars = _bars(ordered) if whole else ()
    return replace(
        single(row_id, text, _rank(ordered, 50) if value is None else value),
        n=len(ordered), first=samples[0], min=ordered[0], p90=_rank(ordered, 90),
        p99=_rank(ordered, 99), max=ordered[-1], max_index=list(samples).index(ordered[-1]),
        mean=math.fsum(ordered) / len(ordered), histogram=bars, extra=_whole(len(ordered)),
    )  # fmt: skip


def counted(row_id: str, text: str, bars: Histogram, beyond: int = 0, **stats: float) -> Row | None:
    """Return the row of a histogram; None of an empty one.

    `beyond` samples are larger than the histogram reaches. Percentiles that fall among those
    are not known, and which sample was the first never is. `stats` are what its source gives.
    """
    inside = sum(count for _, count in bars)
    n = inside + beyond
    if not inside:
        return None
    found = {
        f"p{rank}": percentile(bars, n, rank) for rank in (50, 90, 99) if n * rank <= inside * 100
    }
    if "p50" not in found:
        return None
    figures: dict[str, Any] = {"min": bars[0][0], **found, **stats}
    if not beyond:
        figures.setdefault("max", bars[-1][0])
        figures.setdefault("mean", sum(value * count for value, count in bars) / n)
    row = told(single(row_id, text, found["p50"]), n=n, **figures)
    return replace(
        row, histogram=bars, extra={**row.extra, **({"beyond": beyond} if beyond else {})}
    )


def _whole(n: int) -> dict[str, Any]:
    """Say that one sample is a sample, and not a published figure."""
    return {"told": "first min p50 p90 p99 max max_index mean"} if n == 1 else {}


def _rank(ordered: Sequence[float], percent: int) -> float:
    return ordered[max(1, -(-len(ordered) * percent // 100)) - 1]


def _bars(ordered: Sequence[float]) -> Histogram:
    counts: dict[int, int] = {}
    for value in ordered:
        counts[int(value)] = counts.get(int(value), 0) + 1
    return tuple(counts.items())
