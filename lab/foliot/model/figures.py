# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on figures: their geometric mean, the clock behind them, other units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from foliot.model.run import Row, Run

# How many of the rows have to agree on a clock; of fewer, none is taken for it.
_AGREEING = 0.5

# Beyond these no processor is clocked, nor a counter: cycles and ns were exchanged.
FASTEST_HZ = 5.5e9
SLOWEST_HZ = 1e3

# What the simulated SoC counts with (boards/ibex/board.h).
_SOC_COUNTER = "soc_cycle"


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive values; there is at least one."""
    return math.exp(sum(math.log(value) for value in values) / len(values))


def clock_of(run: Run) -> int:
    """Return the clock to reckon with, in Hz: the measured or implied one, else the declared."""
    return run.header.clock_measured_hz or run.header.clock_hz


def is_disproved(run: Run) -> bool:
    """Whether the rows imply another clock than the declared one."""
    return any(doubt.name == "clock-rate" for doubt in run.doubts)


def is_nominal(run: Run) -> bool:
    """Whether a run's clock is a convention: it was simulated, and no chip runs at that clock."""
    header = run.header
    board = header.board.startswith(("qemu_", "native_"))
    return bool(run.origin.emulator) or header.counter.get("name") == _SOC_COUNTER or board


def clock_reported(run: Run) -> str:
    """Return the clock in MHz, with what is to be known of it; nothing where nobody knows it."""
    hz = clock_of(run)
    if not hz:
        return ""
    if is_disproved(run):
        return f"{hz / 1e6:g} MHz, not the declared {run.header.clock_hz / 1e6:g}"
    return f"{hz / 1e6:g} MHz{', nominal' * is_nominal(run)}"


def in_unit(run: Run, unit: str) -> dict[str, float]:
    """Return the run's figures in `unit`; its own, or by its clock cycles or ns."""
    values = run.values()
    if run.header.unit == unit:
        return values
    hz = clock_of(run)
    if unit == "cycles":
        return {row: value * hz / 1e9 for row, value in values.items()}
    printed = {row.id: row for row in run.rows}
    return {
        row: ns if (ns := printed[row].ns) is not None and value == printed[row].p50
        and (not hz or agrees(printed[row], hz)) else value * 1e9 / hz
        for row, value in values.items()
        if hz or (printed[row].ns is not None and value == printed[row].p50)
    }  # fmt: skip


def agrees(row: Row, hz: float) -> bool:
    """Whether a row's cycles and ns, both printed without their fraction, are of one clock."""
    if row.ns is None:
        return True
    low, high = row.p50 * 1e9 / hz, (row.p50 + 1) * 1e9 / hz
    return low * (1 - 1e-9) < row.ns + 1 and high * (1 + 1e-9) > row.ns


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
    if best < _AGREEING * len(figures) or (best == 1 and len(figures) > 1):
        return None
    return _roundest(low, high)


def _roundest(low: float, high: float) -> float:
    """Return the number of fewest digits within low..high, both positive."""
    for digits in range(1, 16):
        step = 10.0 ** (math.floor(math.log10(high)) - digits + 1)
        number = math.ceil(low / step) * step
        if number <= high:
            return number
    return low
