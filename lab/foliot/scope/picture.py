# SPDX-License-Identifier: Apache-2.0
"""The oscilloscope's screen: an overview of the ticks, and one scheduler run expanded.

KernelPerf's colours on a dark ground: yellow any thread, red the scheduler, blue a
thread being queued, green thread 0. Cursors stand where something was measured. SVG is
written as text, since a step line is a path and nothing more; vl-convert makes the PNG.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import escape

from foliot.scope.analysis import Analysis, SchedulerRun
from foliot.scope.signals import Pulse, Recording

COLOURS = {
    "thread_any": "#f2d230", "scheduler": "#ff5048", "queueing": "#4aa3ff", "thread_0": "#4fd45a",
}  # fmt: skip
_LABELS = {
    "thread_any": "any thread", "scheduler": "scheduler", "queueing": "queueing",
    "thread_0": "thread 0",
}  # fmt: skip
_GROUND, _GRID, _INK, _SOFT, _LANE = "#0d1014", "#2a3038", "#e6e6e6", "#98a2ae", "#7d8794"
_WIDTH, _LEFT, _RIGHT = 1120, 104, 24
_TRACE, _HIGH = 44, 28
_THIN = 9
_LEAST_WIDTH = 0.6  # pixels: what is shorter is drawn that wide
_BEFORE, _THREADS_SHOWN = 0.12, 3


@dataclass(frozen=True, slots=True)
class _View:
    """A stretch of time on the screen."""

    start: int
    end: int

    def x(self, time: float) -> float:
        share = (time - self.start) / max(1, self.end - self.start)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def draw(recording: Recording, analysis: Analysis, title: str, subtitle: str = "") -> str:
    """Return the picture of a recording as SVG."""
    first, last = analysis.ticks[0], analysis.ticks[-1]
    margin = analysis.tick // 20
    overview = _View(first.time - margin, min(recording.end, last.time + analysis.tick + margin))
    run = analysis.full_run
    parts = [_text(_LEFT, 24, title, _INK, 15, bold=True), _text(_LEFT, 42, subtitle, _SOFT, 11)]
    y = 74
    parts += _panel_title(y, f"Overview: {len(analysis.ticks)} ticks of "
                             f"{number(analysis.tick)} {analysis.unit}")  # fmt: skip
    bottom = y + 4 * _TRACE + 16 * _THIN + 22
    parts += _grid(overview, [tick.time for tick in analysis.ticks], y + 8, bottom)
    parts += _traces(recording, overview, y + 14)
    parts += _lanes(recording, overview, y + 14 + 4 * _TRACE + 8)
    expanded = _expanded(recording, run)
    y = bottom + 44
    shown = f"{number(expanded.end - expanded.start)} {analysis.unit}"
    parts += _panel_title(y, f"Expanded: the scheduler queues {run.queued} threads, {shown}")
    parts += _traces(recording, expanded, y + 52)
    height = y + 52 + 4 * _TRACE + 40
    parts += _cursors(recording, analysis, run, expanded, y + 46, height - 40)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" '
        f'font-family="DejaVu Sans, Verdana, sans-serif"><title>{escape(title)}</title>'
        f'<rect width="{_WIDTH}" height="{height}" fill="{_GROUND}"/>' + "".join(parts) + "</svg>\n"
    )


def write_png(svg: str, path: Path) -> None:
    """Write the picture as PNG, twice as fine."""
    import vl_convert

    path.write_bytes(vl_convert.svg_to_png(svg, scale=2))


def number(value: float) -> str:
    """Return a figure with thin gaps between its thousands."""
    return f"{round(value):,}".replace(",", "\u2009")


def _expanded(recording: Recording, run: SchedulerRun) -> _View:
    """From before the interrupt to the first threads' turns."""
    begin = run.isr.start if run.isr else run.pulse.start
    later = [pulse for pulse in recording.signal("thread_any") if pulse.start >= run.pulse.end]
    shown = later[:1]
    end = (shown[-1].start if shown else run.pulse.end) + run.pulse.length // _THREADS_SHOWN
    room = int((end - begin) * _BEFORE)
    return _View(begin - room, end)


def _traces(recording: Recording, view: _View, y: int) -> Iterator[str]:
    for row, name in enumerate(COLOURS):
        base = y + row * _TRACE + _HIGH
        yield _text(10, base - 8, _LABELS[name], COLOURS[name], 12)
        yield (f'<path d="{_steps(recording.signal(name), view, base, _HIGH)}" fill="none" '
               f'stroke="{COLOURS[name]}" stroke-width="1.3"/>')  # fmt: skip


def _lanes(recording: Recording, view: _View, y: int) -> Iterator[str]:
    """Draw the threads one by one, thin: who runs when."""
    for row, (thread, pulses) in enumerate(recording.threads()):
        base = y + row * _THIN + _THIN - 2
        colour = COLOURS["thread_0"] if thread == 0 else _LANE
        yield _text(_LEFT - 8, base, str(thread), colour, 8, anchor="end")
        boxes = "".join(
            f"M{left:.1f} {base}h{width:.1f}v{-_THIN + 3}h{-width:.1f}z"
            for left, width in _boxes(pulses, view)
        )
        yield f'<path d="{boxes}" fill="{colour}"/>' if boxes else ""


def _boxes(pulses: Sequence[Pulse], view: _View) -> Iterator[tuple[float, float]]:
    for pulse in pulses:
        if pulse.end > view.start and pulse.start < view.end:
            left, right = view.x(max(pulse.start, view.start)), view.x(min(pulse.end, view.end))
            yield left, max(right - left, _LEAST_WIDTH)


def _steps(pulses: Sequence[Pulse], view: _View, base: int, high: int) -> str:
    """Return a signal as a step line; what lies within half a pixel is drawn once."""
    path = [f"M{_LEFT} {base}"]
    drawn = -1.0
    for left, width in _boxes(pulses, view):
        if left + width < drawn + 0.5:
            continue
        path.append(f"H{left:.1f}V{base - high}H{left + width:.1f}V{base}")
        drawn = left + width
    return "".join(path) + f"H{_WIDTH - _RIGHT}"


def _grid(view: _View, times: Sequence[int], top: int, bottom: int) -> Iterator[str]:
    for index, time in enumerate(times):
        x = view.x(time)
        yield (f'<path d="M{x:.1f} {top}V{bottom}" stroke="{_GRID}" '
               'stroke-dasharray="3 3"/>')  # fmt: skip
        yield _text(x + 3, bottom, f"tick {index}", _SOFT, 9)


def _cursors(
    recording: Recording, analysis: Analysis, run: SchedulerRun, view: _View, top: int, bottom: int
) -> Iterator[str]:
    """Draw what was measured in the expanded view, between pairs of cursors."""
    unit = analysis.unit
    pulse = run.pulse
    parts = f"checking {number(run.checking_time)}, queueing {number(run.queueing_time)}"
    label = f"scheduler {number(pulse.length)} {unit}: {parts}"
    yield from _span(view, pulse.start, pulse.end, top, bottom, label)
    if run.isr:
        label = f"interrupt {number(run.isr.length)} {unit}"
        yield from _span(
            view, run.isr.start, run.isr.end, top - 22, bottom, label, label_at_end=True
        )
    later = [p.start for p in recording.signal("thread_any") if p.start >= pulse.end]
    if later and later[0] <= view.end:
        begin = run.isr.start if run.isr else pulse.start
        label = f"from the interrupt to the first thread {number(later[0] - begin)} {unit}"
        low = bottom + 16
        yield from _span(view, begin, later[0], low, low, label, whiskers=False)
    if analysis.switch is not None:
        label = f"context switch {number(analysis.switch)} {unit}"
        x = _WIDTH - _RIGHT
        yield _text(x, bottom + 32, label, COLOURS["thread_any"], 11, anchor="end")


def _span(
    view: _View, start: int, end: int, y: int, bottom: int, label: str,
    label_at_end: bool = False, whiskers: bool = True,
) -> Iterator[str]:  # fmt: skip
    left, right = view.x(start), view.x(end)
    if whiskers:
        for x in (left, right):
            yield (f'<path d="M{x:.1f} {y}V{bottom}" stroke="{_INK}" stroke-width="0.7" '
                   'stroke-dasharray="2 2"/>')  # fmt: skip
    yield (f'<path d="M{left:.1f} {y}H{right:.1f}M{left:.1f} {y - 3}v6M{right:.1f} {y - 3}v6" '
           f'stroke="{_INK}" stroke-width="0.9" fill="none"/>')  # fmt: skip
    if label_at_end:
        yield _text(right + 6, y + 4, label, _INK, 11)
    else:
        yield _text((left + right) / 2, y + 14 if not whiskers else y - 5, label, _INK, 11,
                    anchor="middle")  # fmt: skip


def _panel_title(y: int, text: str) -> list[str]:
    return [_text(_LEFT, y, text, _SOFT, 12)]


def _text(
    x: float, y: float, text: str, colour: str, size: int, anchor: str = "start", bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" '
            f'text-anchor="{anchor}"{weight}>{escape(text)}</text>')  # fmt: skip
