# SPDX-License-Identifier: Apache-2.0
"""Histograms as small SVG, drawn here: thousands of them are needed, and they are bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import escape

from foliot.model.run import Row
from foliot.report.content import number

SPARK_WIDTH, SPARK_HEIGHT, SPARK_BINS = 64, 16, 16
WIDTH, HEIGHT, BINS = 300, 96, 48


def bins(row: Row, count: int) -> list[int]:
    """Count a row's samples in at most `count` bins of equal width, from min to max."""
    low = row.histogram[0][0]
    span = row.histogram[-1][0] - low + 1
    size = max(1, math.ceil(span / count))
    found = [0] * math.ceil(span / size)
    for value, samples in row.histogram:
        found[(value - low) // size] += samples
    return found


def _strokes(counts: Sequence[int], width: float, height: int) -> str:
    """Return the path of the bars, a stroke each; one that holds anything is 1 high at least."""
    most = max(counts)
    step = width / len(counts)
    parts = []
    for place, count in enumerate(counts):
        if count:
            # The root shows the rare sample beside the many.
            tall = max(1, round(height * math.sqrt(count / most)))
            parts.append(f"M{_short((place + 0.5) * step)} {height}v-{tall}")
    return "".join(parts)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def spark(row: Row) -> str:
    """Return a row's distribution for a table's cell."""
    counts = bins(row, SPARK_BINS)
    path = _strokes(counts, SPARK_WIDTH, SPARK_HEIGHT)
    thick = (
        ""
        if len(counts) == SPARK_BINS
        else f' stroke-width="{SPARK_WIDTH * 0.8 / len(counts):.0f}"'
    )
    return (
        f'<svg class=k viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" aria-hidden=true>'
        f'<path d="{path}"{thick}/></svg>'
    )


def histogram(row: Row, unit: str) -> str:
    """Return a row's distribution as a picture of its own, with its ends and median."""
    counts = bins(row, BINS)
    path = _strokes(counts, WIDTH, HEIGHT)
    at = _short(WIDTH * (row.p50 - row.min + 0.5) / (row.max - row.min + 1))
    what = (
        f"{row.id}: {row.n} samples from {number(row.min)} to {number(row.max)} {unit}, "
        f"half of them at most {number(row.p50)}, 99 % at most {number(row.p99)}"
    )
    return (
        f'<svg class="hist" viewBox="0 0 {WIDTH} {HEIGHT + 30}" role="img" '
        f'aria-label="{escape(what)}">'
        f'<path class="bars" d="{path}" stroke-width="{_short(WIDTH * 0.84 / len(counts))}"/>'
        f'<path class="axis" d="M0 {HEIGHT + 0.5}H{WIDTH}"/>'
        f'<path class="mid" d="M{at} 0V{HEIGHT}"/>'
        f"{_median(row, at)}"
        f'<text class="end" x="0" y="{HEIGHT + 27}">{number(row.min)}</text>'
        f'<text class="end" x="{WIDTH}" y="{HEIGHT + 27}" text-anchor="end">'
        f"{number(row.max)}</text></svg>"
    )


def _median(row: Row, at: str) -> str:
    """Return the median's label; nothing where it is one of the ends, which have theirs."""
    if not row.min < row.p50 < row.max:
        return ""
    side = "start" if float(at) < WIDTH / 3 else "end" if float(at) > 2 * WIDTH / 3 else "middle"
    return f'<text x="{at}" y="{HEIGHT + 13}" text-anchor="{side}">{number(row.p50)}</text>'
