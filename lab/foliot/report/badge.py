# SPDX-License-Identifier: Apache-2.0
"""A figure as a badge: a small picture for the head of a page, which says two words.

It holds its own colours and needs nothing from anywhere. Each text is told how wide it is to be,
so that it fits whatever font shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from foliot.model.errors import UsageError, unknown
from foliot.model.figures import geometric_mean
from foliot.model.names import counted
from foliot.model.run import Run
from foliot.report.drawing import bare, wide
from foliot.show.numbers import figure

MEAN, FLOOR = "mean", "floor"
SURE, DOUBTED = "#1a6e37", "#8a5a00"  # white on either has a contrast of 5.5 and more
_LABEL = "#444444"
_HEIGHT, _TEXT, _SIDE = 20, 11, 6
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Badge:
    """What stands on the left, and on the right; `doubted` colours it."""

    label: str
    value: str
    doubted: bool = False


def badge(run: Run, what: str) -> Badge:
    """Return the badge of a row, of a weight (`footprint.text`), of the mean or of the floor's.

    `mean` is over the reference that the run's rows have, `floor` over the hand-written minimum.
    UsageError where the run has no such figure.
    """
    header = run.header
    if what in (MEAN, FLOOR):
        return _mean(run, what)
    weights = run.footprint.weights() if run.footprint else {}
    if what in weights:
        return Badge(f"{what.partition('.')[2]} on {header.board}", f"{weights[what]} bytes")
    row, value = run.row(what), run.values().get(what)
    if row is None:
        raise unknown("figure", what, [MEAN, FLOOR, *weights, *run.values()], "foliot show last")
    told = "unknown" if value is None else f"{figure(value)} {header.unit}"
    return Badge(f"{what} on {header.board}", told, bool(run.mark(row)))


def _mean(run: Run, what: str) -> Badge:
    ratios = run.reference_ratios() if what == MEAN else run.floor_ratios()
    over = "the hand-written floor"
    if what == MEAN:
        over = next((row.reference.name for row in run.rows if row.reference), "a reference")
    if not ratios:
        raise UsageError(f"the run has no row beside {over}: there is no mean")
    told = f"{geometric_mean(ratios):.2f} times over {counted(len(ratios), 'row')}"
    return Badge(f"{run.header.board} beside {over}", told)


def svg(of: Badge) -> str:
    """Return a badge's picture; read aloud it is its two texts."""
    left, right = (_short(text) for text in (of.label, of.value))
    first, second = (wide(text, _TEXT) for text in (left, right))
    edge = first + 2 * _SIDE
    whole = edge + second + 2 * _SIDE
    said = escape(f"{left}: {right}", {'"': "&quot;"})
    colour = DOUBTED if of.doubted else SURE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{bare(whole)}" height="{_HEIGHT}" '
        f'viewBox="0 0 {bare(whole)} {_HEIGHT}" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<rect width="{bare(edge)}" height="{_HEIGHT}" fill="{_LABEL}"/>'
        f'<rect x="{bare(edge)}" width="{bare(whole - edge)}" height="{_HEIGHT}" fill="{colour}"/>'
        f'<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="{_TEXT}">'
        f"{_text(left, _SIDE, first)}{_text(right, edge + _SIDE, second)}</g></svg>\n"
    )


def _text(words: str, x: float, width: float) -> str:
    return f'<text x="{bare(x)}" y="14" textLength="{bare(width)}">{escape(words)}</text>'


def _short(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
