# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on figures: their geometric mean, the clock behind them, other units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from foliot.model.run import Row, Run

# How many of the rows have to agree on a clock.
_AGREEING = 0.8


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive values; there is at least one."""
    return math.exp(sum(math.log(value) for value in values) / len(values))


def in_unit(run: Run, unit: str) -> dict[str, float]:
    """Return the run's figures in `unit`; its own, or by its clock cycles or ns."""
    values = run.values()
    if run.header.unit == unit:
        return values
    hz = run.header.clock_measured_hz or run.header.clock_hz
    if unit == "cycles":
        return {row: value * hz / 1e9 for row, value in values.items()}
    printed = {row.id: row for row in run.rows}
    return {
        row: ns if (ns := printed[row].ns) is not None and value == printed[row].p50
        else value * 1e9 / hz
        for row, value in values.items()
    }  # fmt: skip


def implied_hz(rows: Iterable[Row]) -> float | None:
    """Return the clock that the rows' cycles and ns imply, in Hz; None where they don't.

    Both are printed without their fraction, so a row allows a range; the answer is the
    roundest number in the range that most rows allow.
    """
    figures = [(row.p50, row.ns) for row in rows if row.ns and row.ns > 0 and row.p50 > 0]
    if not figures:
        return None
    low = max(cycles / (ns + 1) for cycles, ns in figures) * 1e9
    high = min((cycles + 1) / ns for cycles, ns in figures) * 1e9
    return _roundest(low, high) if low <= high else _of_most(figures)


def _of_most(figures: Sequence[tuple[float, float]]) -> float | None:
    """Return the clock that most rows allow, where not all of them allow one."""
    edges = [(cycles * 1e9 / (ns + 1), 1) for cycles, ns in figures]
    edges += [((cycles + 1) * 1e9 / ns, -1) for cycles, ns in figures]
    edges.sort(key=lambda edge: (edge[0], -edge[1]))
    best = allowed = 0
    low = high = 0.0
    for place, (hz, step) in enumerate(edges):
        allowed += step
        if allowed > best:
            best, low, high = allowed, hz, edges[place + 1][0]
    return _roundest(low, high) if best >= _AGREEING * len(figures) else None


def _roundest(low: float, high: float) -> float:
    """Return the number of fewest digits within low..high, both positive."""
    for digits in range(1, 16):
        step = 10.0 ** (math.floor(math.log10(high)) - digits + 1)
        number = math.ceil(low / step) * step
        if number <= high:
            return number
    return low
