# SPDX-License-Identifier: Apache-2.0
"""Columns as wide as they have to be, in a terminal that may be too narrow for them."""

from __future__ import annotations

from collections.abc import Sequence

from foliot.show.terminal import clipped, result_width

_NARROWEST, _LEAST = 20, 8


def print_columns(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """Print columns as wide as they have to be; cut where the terminal is too narrow."""
    widths = [max(len(line[place]) for line in (titles, *lines)) for place in range(len(titles))]
    room = result_width() - 2 * (len(widths) - 1)
    while sum(widths) > room and widths[-1] > _NARROWEST:
        widths[-1] -= 1  # what follows from the name goes first, then the name's middle
    while sum(widths) > room and max(widths) > _LEAST:
        widths[widths.index(max(widths))] -= 1
    for line in (titles, *lines):
        *cells, last = (clipped(cell, width) for cell, width in zip(line, widths, strict=True))
        start = "".join(f"{cell:<{width + 2}}" for cell, width in zip(cells, widths, strict=False))
        print((start + last).rstrip())
