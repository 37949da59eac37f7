# SPDX-License-Identifier: Apache-2.0
"""What the report's charts are drawn with: a drawing that grows, scales, axes, marks.

A drawing is as large as what is in it: each text takes part with the width that it has in the
widest of the usual system fonts, since nobody knows in which it will be shown. So no label is
cut off, and no chart has room that nothing needs. Colours are the page's variables, by name.

Written here and by no library: a dot beside a name on a logarithmic axis is not among the charts
of the small ones (pygal, leather), and the large ones bring a browser's engine (vl-convert, 84 MB)
or an array language (matplotlib with NumPy, 100 MB) for bars and dots.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import escape

FONT = "system-ui, sans-serif"
TEXT = 12  # a text's height
_PADDING = 2
_MOST_LINES = 5
_INSIDE = 10  # by so much a scale's ends lie inside its plot
_BELOW, _ABOVE = 0.3, 0.9  # of a text's height: what reaches below and above its line
_APART = 4
_LABEL = 16  # from an axis to the line of its labels
_TITLE = 36  # and to that of its title

# A letter's width over the text's height, in DejaVu Sans and Verdana, the widest.
_NARROW = dict.fromkeys("ijlI.,:;'|![]()/ tfr-", 0.46)
_WIDE = dict.fromkeys("mwMW%@…", 1.03) | dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ+<>=~^_", 0.82)
_USUAL = 0.645
_FULL = 1.1  # of a script that is written in squares
_SQUARES = "\u1100"  # where these begin


def wide(words: str, size: float = TEXT) -> float:
    """Return how wide a text is at most."""
    return size * sum(
        _FULL if c >= _SQUARES and c not in _WIDE else _NARROW.get(c) or _WIDE.get(c, _USUAL)
        for c in words
    )


def bare(value: float) -> str:
    """Return a coordinate: a tenth is finer than anybody sees."""
    return f"{value:.1f}".removesuffix(".0")


@dataclass
class Drawing:
    """The parts of a picture, and the box that holds them all."""

    parts: list[str] = field(default_factory=list)
    left: float = math.inf
    top: float = math.inf
    right: float = -math.inf
    bottom: float = -math.inf

    def holds(self, *points: tuple[float, float]) -> None:
        """Let the picture reach as far as these points."""
        for x, y in points:
            self.left, self.right = min(self.left, x), max(self.right, x)
            self.top, self.bottom = min(self.top, y), max(self.bottom, y)

    def line(self, points: Sequence[tuple[float, float]], colour: str, width: float = 1) -> None:
        """Draw a line from point to point."""
        self.holds(*points)
        path = "M" + "L".join(f"{bare(x)},{bare(y)}" for x, y in points)
        self.parts.append(
            f'<path d="{path}" fill="none" stroke="var(--{colour})" stroke-width="{bare(width)}"/>'
        )

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a bar that lies to the right of `x`, its middle at `y`."""
        self.holds((x, y - height / 2), (x + width, y + height / 2))
        self.parts.append(
            f'<rect x="{bare(x)}" y="{bare(y - height / 2)}" width="{bare(max(width, 0.5))}" '
            f'height="{bare(height)}" fill="var(--{colour})"/>'
        )

    def mark(self, shape: str, x: float, y: float, colour: str, radius: float = 4) -> None:
        """Draw a mark of the given shape, one of SHAPES, as large as a circle of that radius."""
        self.holds((x - radius, y - radius), (x + radius, y + radius))
        outline = "".join(
            f"{'L' if place else 'M'}{bare(x + radius * a)},{bare(y + radius * b)}"
            for place, (a, b) in enumerate(SHAPES[shape])
        )
        circle = f'<circle cx="{bare(x)}" cy="{bare(y)}" r="{bare(radius)}"'
        shown = f'<path d="{outline}Z"' if outline else circle
        self.parts.append(f'{shown} fill="var(--{colour})"/>')

    def text(
        self, x: float, y: float, words: str, colour: str = "soft", anchor: str = "start",
        turned: float = 0,
    ) -> None:  # fmt: skip
        """Write a text on the line `y`; `turned` by so many degrees about (x, y)."""
        length = wide(words)
        begin = x - length * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        angle = math.radians(turned)
        for a in (begin - x, begin - x + length):
            for b in (-_ABOVE * TEXT, _BELOW * TEXT):
                self.holds((x + a * math.cos(angle) - b * math.sin(angle),
                            y + a * math.sin(angle) + b * math.cos(angle)))  # fmt: skip
        turn = f' transform="rotate({bare(turned)} {bare(x)} {bare(y)})"' if turned else ""
        self.parts.append(
            f'<text x="{bare(x)}" y="{bare(y)}" fill="var(--{colour})" '
            f'text-anchor="{anchor}"{turn}>{escape(words)}</text>'
        )

    def svg(self, label: str, largest: float) -> str:
        """Return the picture, which its place may magnify by `largest`; `label` is read aloud."""
        x, y = math.floor(self.left) - _PADDING, math.floor(self.top) - _PADDING
        across = math.ceil(self.right) + _PADDING - x
        down = math.ceil(self.bottom) + _PADDING - y
        return (
            f'<svg viewBox="{x} {y} {across} {down}" role="img" aria-label="{escape(label)}" '
            f'style="max-width:{across * largest:.0f}px" font-family="{FONT}" '
            f'font-size="{TEXT}">{"".join(self.parts)}</svg>'
        )


# Corners, of radius 1 or a little more so that all look equally large; none is a circle.
SHAPES: Mapping[str, Sequence[tuple[float, float]]] = {
    "circle": (),
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "diamond": ((0, -1.25), (1.1, 0), (0, 1.25), (-1.1, 0)),
    "triangle-up": ((0, -1.15), (1.2, 0.95), (-1.2, 0.95)),
    "triangle-down": ((0, 1.15), (1.2, -0.95), (-1.2, -0.95)),
    "cross": (
        (-0.4, -1.15), (0.4, -1.15), (0.4, -0.4), (1.15, -0.4), (1.15, 0.4), (0.4, 0.4),
        (0.4, 1.15), (-0.4, 1.15), (-0.4, 0.4), (-1.15, 0.4), (-1.15, -0.4), (-0.4, -0.4),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie between two ends of a plot, and which of them have a line."""

    low: float
    high: float
    start: float
    end: float
    lines: tuple[float, ...]
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """Return where a value lies."""
        low, high, here = self.low, self.high, value
        if self.logarithmic:
            low, high, here = math.log(low), math.log(high), math.log(value)
        return self.start + (self.end - self.start) * (here - low) / (high - low)


def linear(low: float, high: float, start: float, end: float, count: int = 4) -> Scale:
    """Return a scale from `low` to `high` with about `count` lines at round values inside."""
    if high <= low:  # one value: a plot about it
        room = abs(low) / 10 or 1.0
        low, high = low - room, high + room
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in (1, 2, 5, 10) if s * power >= 0.999 * rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Scale(low, high, start, end, tuple(n * step for n in range(first, last + 1)))


def logarithmic(values: Iterable[float], start: float, end: float) -> Scale:
    """Return a scale with a line at each power of two, or of ten where values lie far apart.

    Where they lie so close that no two powers are near them, the lines are at round values.
    """
    known = list(values)
    low, high = min(known), max(known)
    base = next((b for b in (2, 4, 10) if math.log(high / low, b) <= _MOST_LINES), 100)
    first, last = math.floor(math.log(low, base)), math.ceil(math.log(high, base))
    lines = [float(base) ** power for power in range(first, max(last, first + 1) + 1)]
    inside = [value for value in lines if low / 1.3 <= value <= high * 1.3] or lines
    if len(inside) == 1:
        close = linear(low, high, start, end)
        low, high, inside = close.low, close.high, list(close.lines)
    low, high = min(low, inside[0]), max(high, inside[-1])
    return Scale(low, high, start + _INSIDE, end - _INSIDE, tuple(inside), logarithmic=True)


def across(
    drawing: Drawing, scale: Scale, title: str, top: float, bottom: float, above: bool = False
) -> None:
    """Draw the axis that values lie on from left to right, a line through the plot at each."""
    line = top - _LABEL + TEXT * 0.8 if above else bottom + _LABEL
    free = -math.inf  # no label lies over the one before
    for value in scale.lines:
        x, label = scale.at(value), f"{value:g}"
        drawing.line([(x, top), (x, bottom)], "line")
        if x - wide(label) / 2 > free:
            drawing.text(x, line, label, anchor="middle")
            free = x + wide(label) / 2 + _APART
    middle = (scale.start + scale.end) / 2
    drawing.text(middle, top - _TITLE + TEXT if above else bottom + _TITLE, title, anchor="middle")


def down(drawing: Drawing, scale: Scale, title: str, left: float, right: float) -> None:
    """Draw the axis that values lie on from bottom to top, a line through the plot at each."""
    labels = [f"{value:g}" for value in scale.lines]
    for value, label in zip(scale.lines, labels, strict=True):
        y = scale.at(value)
        drawing.line([(left, y), (right, y)], "line")
        drawing.text(left - 6, y + TEXT / 3, label, anchor="end")
    far = left - 14 - max(map(wide, labels), default=0)
    drawing.text(far, (scale.start + scale.end) / 2, title, anchor="middle", turned=-90)


def names(drawing: Drawing, found: Sequence[str], left: float, step: float) -> list[float]:
    """Write names below each other, which end before `left`; return the middle of each's line."""
    places = [step * (place + 0.5) for place in range(len(found))]
    for y, name in zip(places, found, strict=True):
        drawing.text(left - 6, y + TEXT / 3, name, anchor="end")
    return places


@dataclass(frozen=True, slots=True)
class Key:
    """A line of a legend: what something is called, its colour, and its mark, `line` or `bar`."""

    name: str
    colour: str
    shape: str


def legend(drawing: Drawing, keys: Sequence[Key]) -> None:
    """Write what the marks mean above all that is drawn, a line each; nothing for one alone."""
    if len(keys) < 2:
        return
    left = drawing.left
    y = drawing.top - 8 - 16 * len(keys)
    for place, key in enumerate(keys):
        middle = y + 16 * place + 8
        if key.shape == "line":
            drawing.line([(left, middle), (left + 14, middle)], key.colour, 1.5)
        elif key.shape == "bar":
            drawing.bar(left, middle, 12, 8, key.colour)
        else:
            drawing.mark(key.shape, left + 6, middle, key.colour)
        drawing.text(left + 20, middle + TEXT / 3, key.name, "ink")
