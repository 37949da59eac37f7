# SPDX-License-Identifier: Apache-2.0
"""Histograms as small SVG, drawn here: thousands of them are needed, and they are bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import escape

from foliot.model import Row
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


def _bars(counts: Sequence[int], width: float, height: int) -> str:
    """Return the path of the bars; a bin that holds anything at all is at least 1 high."""
    most = max(counts)
    step = width / len(counts)
    parts = []
    for place, count in enumerate(counts):
        if count:
            # The root shows the rare sample beside the many.
            tall = max(1.0, height * math.sqrt(count / most))
            left = _short(place * step)
            parts.append(f"M{left} {height}v-{_short(tall)}h{_short(step * 0.86)}v{_short(tall)}z")
    return "".join(parts)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def spark(row: Row) -> str:
    """Return a row's distribution for a table's cell."""
    path = _bars(bins(row, SPARK_BINS), SPARK_WIDTH, SPARK_HEIGHT)
    return (
        f'<svg class=k viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" aria-hidden=true>'
        f'<path d="{path}"/></svg>'
    )


def histogram(row: Row, unit: str) -> str:
    """Return a row's distribution as a picture of its own, with its ends and median."""
    path = _bars(bins(row, BINS), WIDTH, HEIGHT)
    span = row.max - row.min + 1
    at = WIDTH * (row.p50 - row.min + 0.5) / span
    what = (
        f"{row.id}: {row.n} samples from {number(row.min)} to {number(row.max)} {unit}, "
        f"half of them at most {number(row.p50)}, 99 % at most {number(row.p99)}"
    )
    side = "start" if at < WIDTH / 3 else "end" if at > 2 * WIDTH / 3 else "middle"
    return (
        f'<svg class=hist viewBox="0 0 {WIDTH} {HEIGHT + 30}" role=img aria-label="{escape(what)}">'
        f'<path class=bars d="{path}"/>'
        f'<path class=axis d="M0 {HEIGHT + 0.5}H{WIDTH}"/>'
        f'<path class=mid d="M{_short(at)} 0V{HEIGHT}"/>'
        f'<text x="{_short(at)}" y="{HEIGHT + 13}" text-anchor="{side}">{number(row.p50)}</text>'
        f'<text class=end x="0" y="{HEIGHT + 27}">{number(row.min)}</text>'
        f'<text class=end x="{WIDTH}" y="{HEIGHT + 27}" text-anchor="end">{number(row.max)}</text>'
        "</svg>"
    )
