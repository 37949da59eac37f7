# SPDX-License-Identifier: Apache-2.0
"""The oscilloscope's screen: an overview, each kind of tick expanded, and a switch.

KernelPerf's colours on a dark ground: yellow any thread, red the scheduler, blue a
thread being queued, green thread 0. Cursors stand where something was measured. Cases
that are compared are drawn to one scale, `Scale`: half as long is half as wide.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import resvg_py
from markupsafe import escape

from foliot.scope import screen
from foliot.scope.analysis import Analysis, SchedulerRun
from foliot.scope.screen import GROUND, INK, LEFT, SOFT, WIDTH, View, amount, bare, text
from foliot.scope.signals import Pulse, Recording

COLOURS = {
    "thread_any": "#f2d230", "scheduler": "#ff5048", "queueing": "#4aa3ff", "thread_0": "#4fd45a",
}  # fmt: skip
_LABELS = {
    "thread_any": "any thread", "scheduler": "scheduler", "queueing": "queueing",
    "thread_0": "thread 0",
}  # fmt: skip
_LANE, _OTHER = "#7d8794", "#c678dd"
_TRACE, _HIGH = 34, 22
_FONTS = "DejaVu Sans, Verdana, sans-serif"
_THIN = 9
_AXIS = 18  # below a panel's traces
_MARGIN = 120  # an overview begins and ends so far outside, in parts of what it shows
_ROOM = 10  # a detail begins so far before the interrupt, and ends so far behind
_NO_THREAD = 3  # a thread that begins later than so many interrupts is outside the detail
_AROUND_SWITCH = 2  # of its length, on both sides
_KINDS = 6  # details in one picture


@dataclass(frozen=True, slots=True)
class Scale:
    """How much time the panels of pictures that are compared show."""

    overview: int = 0
    detail: int = 0
    switch: int = 0

    @staticmethod
    def of(cases: Iterable[tuple[Recording, Analysis]]) -> Scale:
        """Return the scale on which all the cases fit."""
        overview = detail = switch = 0
        for recording, analysis in cases:
            view = _overview(recording, analysis, 0)
            overview = max(overview, view.end - view.start)
            for kind in kinds(recording, analysis)[:_KINDS]:
                shown = _detail(recording, kind.typical, 0)
                detail = max(detail, shown.end - shown.start)
            if analysis.gap is not None:
                switch = max(switch, analysis.gap * (1 + 2 * _AROUND_SWITCH))
        return Scale(overview, detail, switch)


def draw(
    recording: Recording, analysis: Analysis, title: str, subtitle: str = "",
    scale: Scale | None = None, note: str = "",
) -> str:  # fmt: skip
    """Return the picture of a recording as SVG; `note` stands beside its switch."""
    scale = scale or Scale.of([(recording, analysis)])
    parts = [text(LEFT, 24, title, INK, 15, bold=True), text(LEFT, 42, subtitle, SOFT, 11)]
    y = 72
    for panel in _panels(recording, analysis, scale, note):
        drawn, y = panel.draw(y)
        parts += drawn
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" '
        f'width="{WIDTH}" height="{y}" role="img" '
        f'font-family="{_FONTS}"><title>{escape(title)}</title>'
        f'<rect width="{WIDTH}" height="{y}" fill="{GROUND}"/>' + "".join(parts) + "</svg>\n"
    )


def write_png(svg: str, path: Path) -> None:
    """Write the picture as PNG, twice as fine."""
    path.write_bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2))


def has_font() -> bool:
    """Whether this machine has one of _FONTS; without, the words of a PNG would be left out."""
    frame = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    with_word, without = (
        resvg_py.svg_to_bytes(svg_string=frame.format(word))
        for word in (f'<text x="2" y="16" font-family="{_FONTS}">M</text>', "")
    )
    return bool(with_word != without)


@dataclass(frozen=True, slots=True)
class Kind:
    """Ticks that are alike: so many threads are queued, and thread 0 runs first or does not."""

    queued: int
    begins_with_0: bool
    runs: tuple[SchedulerRun, ...]

    @property
    def typical(self) -> SchedulerRun:
        """The median of them."""
        return sorted(self.runs, key=lambda run: run.length)[len(self.runs) // 2]


def kinds(recording: Recording, analysis: Analysis) -> list[Kind]:
    """Return the kinds of ticks, in the order seen.

    A tick that lets thread 0 go on after a wait may queue as many as one that releases it.
    """
    busy = [pulse.start for pulse in recording.busy()]
    of_0 = {pulse.start for pulse in recording.signal("thread_0")}
    found: dict[tuple[int, bool], list[SchedulerRun]] = {}
    for run in analysis.releases:
        at = bisect_left(busy, run.pulse.end)
        first = at < len(busy) and busy[at] in of_0
        found.setdefault((run.queued, first), []).append(run)
    return [Kind(queued, first, tuple(runs)) for (queued, first), runs in found.items()]


def representative(analysis: Analysis) -> Pulse | None:
    """Return the first switch that is as long as the median, or nearest to it."""
    gap = analysis.gap
    if gap is None:
        return None
    return min(analysis.switches, key=lambda switch: (abs(switch.length - gap), switch.start))


@dataclass(frozen=True, slots=True)
class _Span:
    """Two cursors and what is said of them."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class _Panel:
    """One part of the screen: signals over a stretch of time."""

    title: str
    view: View
    recording: Recording
    spans: tuple[_Span, ...] = ()
    with_lanes: bool = False
    foot: str = ""

    def draw(self, y: int) -> tuple[list[str], int]:
        """Return its parts from `y` on, and where the next one begins."""
        unit = self.recording.unit
        division = amount(self.view.division, unit)
        parts = [text(LEFT, y, f"{self.title}; {division} a division", SOFT, 12)]
        top = y + 12 + 20 * len(self.spans)
        lanes = _lanes(self.recording) if self.with_lanes else []
        bottom = top + len(COLOURS) * _TRACE + len(lanes) * _THIN + 6
        parts += screen.axis(self.view, unit, top, bottom)
        for row, name in enumerate(COLOURS):
            base = top + row * _TRACE + _HIGH + 8
            parts.append(text(10, base - 6, _LABELS[name], COLOURS[name], 12))
            parts.append(screen.trace(self.recording.signal(name), self.view, base, _HIGH,
                                      COLOURS[name]))  # fmt: skip
        for row, (name, pulses, colour) in enumerate(lanes):
            base = top + len(COLOURS) * _TRACE + (row + 1) * _THIN
            parts.append(text(LEFT - 8, base, name, colour, 8, anchor="end"))
            parts.append(screen.lane(pulses, self.view, base, _THIN - 3, colour))
        for place, span in enumerate(self.spans):
            parts += screen.cursors(
                self.view, span.start, span.end, y + 22 + 20 * place, bottom, span.label
            )
        if self.foot:
            parts.append(text(LEFT, bottom + _AXIS + 12, self.foot, SOFT, 11))
            bottom += 16
        return parts, bottom + _AXIS + 34


def _panels(recording: Recording, analysis: Analysis, scale: Scale, note: str) -> Iterator[_Panel]:
    unit = analysis.unit
    view = _overview(recording, analysis, scale.overview)
    cut = ", and part of one" if len(analysis.ticks) < len(analysis.releases) else ""
    ticks = f"{len(analysis.ticks)} ticks of {amount(analysis.tick, unit)}{cut}"
    yield _Panel(f"Overview: {ticks}", view, recording, with_lanes=True,
                 foot=_between(recording, analysis))  # fmt: skip
    found = kinds(recording, analysis)
    left = len(found) - _KINDS
    for place, kind in enumerate(found[:_KINDS], 1):
        more = f"{left} more kinds of tick are not drawn." if left > 0 and place == _KINDS else ""
        yield _tick_panel(recording, analysis, kind, scale.detail, more)
    switch = representative(analysis)
    if switch is not None:
        whose = "The gap between two threads' signals"
        yield _Panel(
            f"{whose}, typical of {len(analysis.switches)}",
            _around(switch, scale.switch, recording), recording,
            (_Span(switch.start, switch.end, f"gap {amount(switch.length, unit)}"),), foot=note,
        )  # fmt: skip


def _between(recording: Recording, analysis: Analysis) -> str:
    """Say how often the scheduler ran off the grid, so that nobody takes that for a tick."""
    first, last = analysis.releases[0], analysis.releases[-1]
    ticks = {run.start for run in analysis.releases}
    others = [
        pulse.length
        for pulse in recording.signal("scheduler")
        if first.start <= pulse.start < last.start + analysis.tick and pulse.start not in ticks
    ]
    if not others:
        return ""
    times = "once" if len(others) == 1 else f"{len(others)} times"
    time = amount(sum(others), analysis.unit)
    return (f"Between ticks the scheduler ran {times}, for {time} in all: timeouts move "
            "nearer, or a thread's wait is looked at.")  # fmt: skip


def _tick_panel(
    recording: Recording, analysis: Analysis, kind: Kind, length: int, foot: str
) -> _Panel:
    unit = analysis.unit
    run = kind.typical
    lengths = [one.length for one in kind.runs]
    many = f"{len(kind.runs)} of {len(analysis.releases)}"
    title = f"Detail: a tick that queues {kind.queued} threads"
    if len(kind.runs) < len(analysis.runs(kind.queued)):
        title += " and begins with thread 0" if kind.begins_with_0 else ", thread 0 not first"
    title += f", as {many} do"
    told = f"scheduler {amount(run.length, unit)}"
    if max(lengths) > min(lengths):
        told += f" (from {bare(min(lengths), unit)} to {bare(max(lengths), unit)})"
    told += f": checking {bare(run.checking_time, unit)}, queueing {bare(run.queueing_time, unit)}"
    spans = [_Span(run.pulse.start, run.pulse.end, told)]
    if run.isr:
        spans.append(_Span(run.isr.start, run.isr.end, f"interrupt {amount(run.isr.length, unit)}"))
    thread = _first_thread(recording, run)
    if thread is not None:
        words = f"to the first thread {amount(thread - run.begin, unit)}"
        spans.append(_Span(run.begin, thread, words))
    return _Panel(title, _detail(recording, run, length), recording, tuple(spans), foot=foot)


def _lanes(recording: Recording) -> list[tuple[str, tuple[Pulse, ...], str]]:
    """Return the threads one by one, and who else ran: which is nobody of the test case."""
    threads = recording.threads()
    if len(threads) < 2:
        return []
    found = [
        (str(thread), pulses, COLOURS["thread_0"] if thread == 0 else _LANE)
        for thread, pulses in threads
    ]
    others = recording.others()
    return [*found, ("others", others, _OTHER)] if others else found


def _overview(recording: Recording, analysis: Analysis, length: int) -> View:
    """All ticks; `length` is how much to show at least."""
    first, last = analysis.releases[0], analysis.releases[-1]
    whole = last.start + analysis.tick - first.start
    length = max(length, whole + 2 * whole // _MARGIN)
    start = first.start - length // _MARGIN
    data = min(recording.end, first.start + whole + length // _MARGIN)
    return View(start, start + length, first.start, max(start, recording.start), data)


def _first_thread(recording: Recording, run: SchedulerRun) -> int | None:
    """Return when a thread first runs behind a release, if that is soon."""
    later = (pulse.start for pulse in recording.busy() if pulse.start >= run.pulse.end)
    first = next(later, None)
    far = run.pulse.end + _NO_THREAD * (run.pulse.end - run.begin)
    return None if first is None or first > far else first


def _detail(recording: Recording, run: SchedulerRun, length: int) -> View:
    """From before the interrupt to the first thread's turn; `length` is the least to show."""
    end = _first_thread(recording, run) or run.pulse.end
    if run.isr:
        end = max(end, run.isr.end)
    shown = end - run.begin
    length = max(length, shown + 3 * shown // _ROOM)
    start = run.begin - length // (_ROOM + 3)
    return View(start, start + length, run.begin, recording.start, recording.end)


def _around(switch: Pulse, length: int, recording: Recording) -> View:
    """Show a switch in the middle."""
    length = max(length, switch.length * (1 + 2 * _AROUND_SWITCH))
    start = (switch.start + switch.end - length) // 2
    return View(start, start + length, switch.start, recording.start, recording.end)
