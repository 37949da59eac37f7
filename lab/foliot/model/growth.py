# SPDX-License-Identifier: Apache-2.0
"""How a figure grows with the number of things there are: flat, logarithmic or linear.

Rows whose names differ only in a number at their end are one series over that number. A series
that does not rise is flat. One that does is fitted by least squares with a + b log2 n and
with a + b n, and takes the name of the better one, or none where neither explains it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from foliot.model.run import Row

FLAT_SHARE = 0.05  # a rise from the first to any other figure that is no growth,
FLAT_UNITS = 2  # or in units
EXPLAINED = 0.98  # of the variance, or the order is not known
LEAST = 3  # points that make a series

_NUMBERED = re.compile(r"(?P<name>.+)\.(?P<n>\d+)")


@dataclass(frozen=True, slots=True)
class Growth:
    """A series: its points, the order of its growth, and what each step of that costs."""

    name: str
    points: tuple[tuple[int, float], ...]
    order: str  # "flat", "logarithmic", "linear", "of no simple order"
    step: float  # units for each further one, or for each doubling; 0 where flat

    @property
    def words(self) -> str:
        """Return the order with what it costs."""
        each = {"linear": f", {self.step:.1f} for each", "logarithmic":
                f", {self.step:.1f} for each doubling"}  # fmt: skip
        return self.order + each.get(self.order, "")


def series(rows: Iterable[Row]) -> list[Growth]:
    """Return the series that are in a run's rows, in their order, by the median."""
    found: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        match = _NUMBERED.fullmatch(row.id)
        if match and int(match["n"]) > 0:
            found.setdefault(match["name"], []).append((int(match["n"]), row.p50))
    return [fit(name, sorted(points)) for name, points in found.items() if len(points) >= LEAST]


def fit(name: str, points: Sequence[tuple[int, float]]) -> Growth:
    """Name the order in which the figures of `points`, (n, figure) by rising n, grow."""
    first = points[0][1]
    rise = max(value for _, value in points) - first
    if rise <= max(FLAT_UNITS, FLAT_SHARE * abs(first)):
        return Growth(name, tuple(points), "flat", 0)
    curves: dict[str, Callable[[int], float]] = {"logarithmic": math.log2, "linear": float}
    fitted = {order: _least_squares(points, curve) for order, curve in curves.items()}
    order = max(fitted, key=lambda order: fitted[order][1])
    slope, explained = fitted[order]
    if explained < EXPLAINED or slope <= 0:
        return Growth(name, tuple(points), "of no simple order", 0)
    return Growth(name, tuple(points), order, slope)


def _least_squares(
    points: Sequence[tuple[int, float]], curve: Callable[[int], float]
) -> tuple[float, float]:
    """Return the slope over `curve`, and the share of the variance that it explains."""
    xs, ys = [curve(n) for n, _ in points], [value for _, value in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    total = sum((y - mean_y) ** 2 for y in ys)
    rest = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in zip(xs, ys, strict=True))
    return slope, 1 - rest / total
