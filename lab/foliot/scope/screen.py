# SPDX-License-Identifier: Apache-2.0
"""What an oscilloscope's screen is made of: traces, a time axis, cursors, as SVG text.

SVG is written as text, since a step line is a path and nothing more. A panel shows a
stretch of time; its divisions are 1, 2 or 5 times a power of ten, and say how long they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import escape

from foliot.scope.signals import Pulse

GROUND, INK, SOFT = "#0d1014", "#e6e6e6", "#98a2ae"
WIDTH, LEFT, RIGHT = 1120, 104, 24
_GRID = "#2a3038"
_LEAST_WIDTH = 0.6  # pixels: what is shorter is drawn that wide
_DIVISIONS = 8  # at least so many on a screen
_LETTER = 6.2  # pixels of a letter at the labels' size, about
_NS = ((10**9, "s"), (10**6, "ms"), (10**3, "us"), (1, "ns"))


@dataclass(frozen=True, slots=True)
class View:
    """A stretch of time on the screen; the axis counts from `zero`.

    What was recorded begins at `first` and ends at `last`.
    """

    start: int
    end: int
    zero: int
    first: int
    last: int

    def x(self, time: float) -> float:
        """Return where a time lies."""
        share = (time - self.start) / max(1, self.end - self.start)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    @property
    def division(self) -> int:
        """How long a division is."""
        return division(self.end - self.start)


def division(length: int) -> int:
    """Return the longest of 1, 2, 5, 10, 20... of which `length` holds enough."""
    power = 1
    while power * 10 * _DIVISIONS <= length:  # Bound: the digits of `length`.
        power *= 10
    return max((power * n for n in (1, 2, 5) if power * n * _DIVISIONS <= length), default=1)


def number(value: float) -> str:
    """Return a figure with thin gaps between its thousands."""
    return f"{round(value):,}".replace(",", "\u2009")


def amount(value: float, unit: str) -> str:
    """Return a time of a recording with its unit; nanoseconds as what reads best."""
    if unit != "ns":
        return f"{number(value)} {unit}"
    size, name = next(((size, name) for size, name in _NS if abs(value) >= size), _NS[-1])
    return f"{value / size:.4g} {name}"


def bare(value: float, unit: str) -> str:
    """Return a time beside another that says its unit; nanoseconds always say what they are."""
    return amount(value, unit) if unit == "ns" else number(value)


def text(
    x: float, y: float, words: str, colour: str, size: int, anchor: str = "start",
    bold: bool = False,
) -> str:  # fmt: skip
    """Return words at a place."""
    weight = ' font-weight="bold"' if bold else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" '
            f'text-anchor="{anchor}"{weight}>{escape(words)}</text>')  # fmt: skip


def axis(view: View, unit: str, top: int, bottom: int) -> Iterator[str]:
    """Draw the divisions of a panel, and below them the time since its zero."""
    step = view.division
    first = -((view.zero - view.start) // step)
    last = (view.end - view.zero) // step
    labelled = 1 if last - first <= 12 else 2
    for place in range(first, last + 1):
        x = view.x(view.zero + place * step)
        yield f'<path d="M{x:.1f} {top}V{bottom}" stroke="{_GRID}" stroke-width="0.8"/>'
        if place % labelled == 0:
            label = _time(place * step, max(last, -first) * step, unit)
            yield text(x, bottom + 12, label, SOFT, 9, anchor="middle")


def _time(value: int, longest: int, unit: str) -> str:
    """Return a label of the axis: all of one axis in the unit of its longest."""
    if value == 0:
        return "0"
    if unit != "ns":
        return number(value)
    size, name = next(((size, name) for size, name in _NS if longest >= size), _NS[-1])
    return f"{value / size:g} {name}"


def trace(pulses: Sequence[Pulse], view: View, base: int, high: int, colour: str) -> str:
    """Draw a signal as a step line; what lies within half a pixel is drawn once."""
    begin, end = view.x(max(view.start, view.first)), view.x(min(view.end, view.last))
    path = [f"M{begin:.1f} {base}"]
    drawn = begin
    for left, width in boxes(pulses, view):
        right = left + width
        if right < drawn + 0.5 and drawn > begin:
            continue
        # An edge is drawn where there is one, and not where the screen cuts a pulse.
        path.append(f"H{left:.1f}V{base - high}" if left > begin else f"M{begin:.1f} {base - high}")
        path.append(f"H{right:.1f}V{base}" if right < end else f"H{end:.1f}M{end:.1f} {base}")
        drawn = right
    path.append(f"H{end:.1f}")
    return f'<path d="{"".join(path)}" fill="none" stroke="{colour}" stroke-width="1.3"/>'


def lane(pulses: Sequence[Pulse], view: View, base: int, high: int, colour: str) -> str:
    """Draw a signal as filled boxes."""
    path = "".join(
        f"M{left:.1f} {base}h{width:.1f}v{-high}h{-width:.1f}z"
        for left, width in boxes(pulses, view)
    )
    return f'<path d="{path}" fill="{colour}"/>' if path else ""


def boxes(pulses: Sequence[Pulse], view: View) -> Iterator[tuple[float, float]]:
    """Yield where pulses lie in a view: (left, width) in pixels."""
    for pulse in pulses:
        if pulse.end > view.start and pulse.start < view.end:
            left, right = view.x(max(pulse.start, view.start)), view.x(min(pulse.end, view.end))
            yield left, max(right - left, _LEAST_WIDTH)


def cursors(view: View, start: int, end: int, y: int, bottom: int, label: str) -> Iterator[str]:
    """Draw a pair of cursors with what lies between them, its label where there is room."""
    left, right = view.x(start), view.x(end)
    for x in (left, right):
        yield (f'<path d="M{x:.1f} {y}V{bottom}" stroke="{INK}" stroke-width="0.7" '
               'stroke-dasharray="2 2"/>')  # fmt: skip
    yield (f'<path d="M{left:.1f} {y}H{right:.1f}M{left:.1f} {y - 3}v6M{right:.1f} {y - 3}v6" '
           f'stroke="{INK}" stroke-width="0.9" fill="none"/>')  # fmt: skip
    long = len(label) * _LETTER
    if long < right - left:
        yield text((left + right) / 2, y - 4, label, INK, 11, anchor="middle")
    elif right + 6 + long < WIDTH:
        yield text(right + 6, y + 4, label, INK, 11)
    else:
        yield text(left - 6, y + 4, label, INK, 11, anchor="end")
