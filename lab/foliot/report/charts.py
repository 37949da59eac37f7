# SPDX-License-Identifier: Apache-2.0
"""The report's charts: what each shows, and with which words.

How axes, marks and legends are drawn is in drawing.py. Colours are the page's variables, so that
a chart follows the page from light to dark; one that is written by itself gets the light ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from foliot.compare.comparison import MARKS
from foliot.compare.timeline import MEAN, Point
from foliot.report import drawing
from foliot.report.content import Group, Subject, ratio
from foliot.report.drawing import Drawing, Key, Scale
from foliot.report.past import TEXT, Past

# Each colour on light and on dark ground; charts and page use the same.
COLOURS: Mapping[str, tuple[str, str]] = {
    "ground": ("#faf8f3", "#14130f"), "card": ("#ffffff", "#1d1b16"),
    "ink": ("#1f1c16", "#ece8df"), "soft": ("#5d574b", "#b0a999"),
    "line": ("#e2dccf", "#38342b"), "accent": ("#85540a", "#e5b45a"),
    "wrong": ("#a3231f", "#f2938c"), "c1": ("#0b6a8c", "#61bfe0"), "c2": ("#b0500c", "#f09a55"),
    "c3": ("#3a7529", "#8ccc77"), "c4": ("#82378a", "#d693de"), "c5": ("#9c2a45", "#f08da3"),
    "c6": ("#6a5a05", "#d3bd45"), "other": ("#a59d8c", "#6e6757"),
}  # fmt: skip
_SERIES = ("c1", "c2", "c3", "c4", "c5", "c6")
_SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "circle")
_PLOT = 210
_WIDE = 460  # a chart with its names at least, so that letters are equally large in all of them
_FIGURE = 30  # room for the figure behind the longest bar
_ROW = 17  # a row's height beside its name
_PAIR = 2
_PAST = "history-"  # how the names of its charts begin
_FEWEST_FAMILIES = 3
_MOST_BARS = 60
_LARGEST = 1.2  # how much the page may magnify a chart
_LONGEST_NAME = 56
_SLANT = -50  # of commits' names, in degrees


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: `name` is fit for a file, `title` and `text` say what it shows, `svg` is it."""

    name: str
    title: str
    text: str
    svg: str

    @property
    def is_past(self) -> bool:
        """Whether it is of the history."""
        return self.name.startswith(_PAST)

    @property
    def standalone(self) -> str:
        """The same as a file of its own, on light ground."""
        svg = self.svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        box = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)
        if box:  # on a dark page too
            x, y, width, height = box.groups()
            ground = f'<rect x="{x}" y="{y}" width="{width}" height="{height}"'
            svg = svg.replace(">", f'>{ground} fill="var(--ground)"/>', 1)
        return re.sub(r"var\(--(\w+)\)", lambda match: COLOURS[match[1]][0], svg) + "\n"


def of_group(group: Group) -> Iterator[Chart]:
    """Draw what compares the runs of a group: none where there is only one."""
    if len(group.subjects) == len(group.ranking) == _PAIR:
        yield _pair(group)
    elif len(group.ranking) > 1:
        yield _ranking(group)
        if group.in_ns is not None:
            yield _ranking(group.in_ns)
        if len(group.families) >= _FEWEST_FAMILIES:
            yield _families(group)


def of_subject(subject: Subject) -> Iterator[Chart]:
    """Draw a run beside its floor and its reference, where it has either."""
    if any(row.floor or row.reference for row in subject.run.rows):
        yield _beside(subject)


def of_past(past: Past) -> Iterator[Chart]:
    """Draw a history: the mean, the rows that changed most, what the kernel weighs."""
    commits = f"over {len(past.commits)} commits, {past.title}"
    text = "The geometric mean of all rows, as a multiple of the oldest run's; less is better."
    yield _lines(past, {MEAN: "all rows"}, "mean", f"The mean of all rows {commits}", text)
    moved = past.moved
    if moved:
        named = {row: row if place < len(_SERIES) else "others" for place, row in enumerate(moved)}
        text = "Each row over its own oldest figure; those that changed most have a colour."
        yield _lines(past, named, "rows", f"The rows that changed, {commits}", text)
    if any(point.value for point in past.figures.get(TEXT, ())):
        text = "Its code and constants (text), over the oldest run's."
        yield _lines(past, {TEXT: "text"}, "text", f"What the kernel weighs {commits}", text)


def of_figure(past: Past, figure: str) -> Chart:
    """Draw the history of one figure."""
    return _lines(past, {figure: figure}, "figure", f"{figure}, {past.title}",
                  "Over its own oldest figure.")  # fmt: skip


def _lines(past: Past, named: Mapping[str, str], name: str, title: str, text: str) -> Chart:
    """Draw figures over commits, each over its own first; `named` says what each is called."""
    colours = _coloured(list(dict.fromkeys(named.values())), {"others": "other"})
    series = {figure: _over_first(past.figures[figure]) for figure in named}
    known = [value for points in series.values() for _, value in points] or [1.0]
    commits = [_commit(point) for point in past.commits]
    x = Scale(0, max(1, len(commits) - 1), 8, 2 * _PLOT - 8, ())
    y = drawing.linear(min(known), max(known), _PLOT - 8, 8, count=5)
    picture = Drawing()
    drawing.down(picture, y, "times the oldest", 0, 2 * _PLOT)
    _commits_below(picture, commits, x)
    # The grey ones lie below.
    for figure in sorted(series, key=lambda figure: named[figure] != "others"):
        points = [(x.at(place), y.at(value)) for place, value in series[figure]]
        colour = colours[named[figure]]
        if points:
            picture.line(_steps(points), colour, 1.5)
        for at in points:
            picture.mark("circle", *at, colour, 2.8)
    drawing.legend(picture, [Key(called, colour, "line") for called, colour in colours.items()])
    return _chart(f"{_PAST}{name}", title, text, picture)


def _over_first(known: Sequence[Point]) -> list[tuple[int, float]]:
    """Return each place that has a figure, and the figure over the first that is positive."""
    first = next((point.value for point in known if point.value and point.value > 0), None)
    return [
        (place, point.value / first)
        for place, point in enumerate(known)
        if first and point.value is not None
    ]


def _steps(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a line that stays as it was until the next point."""
    found = [points[0]]
    for x, y in points[1:]:
        found += [(x, found[-1][1]), (x, y)]
    return found


def _commits_below(picture: Drawing, commits: Sequence[str], x: Scale) -> None:
    """Write the commits under the plot, as many as have room: each, or every second, fourth."""
    every = 1
    while every < len(commits) and x.at(every) - x.at(0) < _ROW:
        every *= 2
    picture.line([(0, _PLOT), (2 * _PLOT, _PLOT)], "line")
    for place in range(0, len(commits), every):
        picture.line([(x.at(place), _PLOT), (x.at(place), _PLOT + 5)], "line")
        picture.text(x.at(place) + 4, _PLOT + 14, commits[place], anchor="end", turned=_SLANT)


def _commit(point: Point) -> str:
    return point.commit[:8] + ("+" if point.dirty else "")


def _pair(group: Group) -> Chart:
    first, second = group.subjects[:_PAIR]
    a, b = group.values[first.key], group.values[second.key]
    ratios = {
        row_id: b[row_id] / a[row_id]
        for row_id in group.shared
        if a.get(row_id, 0) > 0 and b.get(row_id, 0) > 0
    }
    flags = {**_flags(first), **_flags(second)}
    less = sum(value < 1 for value in ratios.values())
    names = [row + flags.get(row, "") for row in ratios]
    scale = drawing.logarithmic([1.0, *ratios.values()], 0, _plot(names))
    picture = Drawing()
    drawing.across(picture, scale, "times as many", 0, _ROW * len(ratios), above=True)
    for y, value in zip(
        drawing.names(picture, names, 0, _ROW),
        ratios.values(),
        strict=True,
    ):
        picture.line([(scale.at(1), y), (scale.at(value), y)], "other", 1.5)
        picture.mark("circle", scale.at(value), y, "accent")
    text = (
        f"What {second.name} takes, as a multiple of what {first.name} takes, in {group.unit}: "
        f"less in {less} rows of {len(ratios)}.{_legend(flags)}"
    )
    return _chart(f"pair-{group.key}", f"{second.name} over {first.name}", text, picture)


def _ranking(group: Group) -> Chart:
    ranked = group.ranking[:_MOST_BARS]
    scores = [group.over_best(subject.key) or 0.0 for subject in ranked]
    kinds = {True: Key("reference", "c1", "bar"), False: Key("from the store", "accent", "bar")}
    names = [_short(s.name) + group.mark(s) for s in ranked]
    scale = drawing.linear(0, max(scores), 0, _plot(names) - _FIGURE)
    step = _ROW + 3
    picture = Drawing()
    drawing.across(picture, scale, "times the best", 0, step * len(ranked))
    places = drawing.names(picture, names, 0, step)
    for y, subject, score in zip(places, ranked, scores, strict=True):
        picture.bar(0, y, scale.at(score), 12, kinds[subject.is_reference].colour)
        end, found = score, group.interval(subject)
        if found:  # a line from end to end, over the bar's own end
            end = max(score, found.high)
            picture.line([(scale.at(found.low), y), (scale.at(found.high), y)], "ink", 2)
        picture.text(scale.at(end) + 4, y + drawing.TEXT / 3, ratio(score), "ink")
    drawing.legend(picture, [kinds[it] for it in dict.fromkeys(s.is_reference for s in ranked)])
    text = (
        f"The geometric mean of each run's figures over the rows' medians, as a multiple of the "
        f"best run's, in {group.unit}, {group.told}; less is better. "
        f"{ranked[0].name} is the best, {ranked[-1].name} takes {ratio(scores[-1])} times as many."
    )
    if any(group.interval(subject) for subject in ranked):
        text += " A line over a bar's end is where repeated runs lie."
    if group.nominal:
        text += " ^ was simulated: its clock is nominal, and no chip has it."
    title = f"All rows together: {group.title}, in {group.unit}"
    return _chart(f"ranking-{group.key}", title, text, picture)


def _families(group: Group) -> Chart:
    named = _highlighted(group)
    runs = list(dict.fromkeys(named.values()))
    runs += ["others"] if len(named) < len(group.ranking) else []
    colours = _coloured(runs, {"others": "other"})
    keys = [Key(run, colours[run], shape) for run, shape in zip(runs, _SHAPES, strict=False)]
    key_of = {key.name: key for key in keys}
    found = [
        (runs.index(named.get(key, "others")), family, score)
        for family, scores in group.families.items()
        for key, score in scores.items()
    ]
    plot = _plot(list(group.families), _PLOT + 120)
    scale = drawing.logarithmic([score for *_, score in found], 0, plot)
    step = _ROW + 7
    picture = Drawing()
    title = "times the median of all runs"
    drawing.across(picture, scale, title, 0, step * len(group.families))
    places = drawing.names(picture, list(group.families), 0, step)
    middles = dict(zip(group.families, places, strict=True))
    for y in places:
        picture.line([(0, y), (plot, y)], "line")
    # The others are drawn first, so that no grey mark covers a coloured one.
    for place, family, score in sorted(found, key=lambda one: -one[0]):
        key = key_of[runs[place]]
        picture.mark(key.shape, scale.at(score), middles[family], key.colour, 4.5)
    drawing.legend(picture, keys)
    text = (
        f"The geometric mean of each run's figures over the rows' medians, in {group.unit}; "
        f"further left is better."
    )
    title = f"Family by family: {group.title}, in {group.unit}"
    return _chart(f"families-{group.key}", title, text, picture)


def _highlighted(group: Group) -> dict[str, str]:
    """Return the runs that get a colour of their own: those of the store first, then the best."""
    ranked = sorted(group.ranking, key=lambda subject: subject.is_reference)
    chosen = {subject.key for subject in ranked[: len(_SERIES)]}
    return {s.key: _short(s.name) for s in group.subjects if s.key in chosen}


def _beside(subject: Subject) -> Chart:
    rows = [row for row in subject.run.rows if row.floor or row.reference]
    other = next((row.reference.name for row in rows if row.reference), "reference")
    own = subject.run.origin.kernel or ("this run" if subject.run.published else "Foliot")
    keys = [
        Key("floor", "c3", "triangle-up"), Key(own, "accent", "circle"),
        Key(other, "c1", "square"),
    ]  # fmt: skip
    figures = [
        [row.floor or 0.0, row.p50, row.reference.value if row.reference else 0.0] for row in rows
    ]
    flags = _flags(subject)
    names = [row.id + flags.get(row.id, "") for row in rows]
    scale = drawing.logarithmic([v for row in figures for v in row if v > 0], 0, _plot(names))
    picture = Drawing()
    drawing.across(picture, scale, subject.unit, 0, _ROW * len(rows), above=True)
    places = drawing.names(picture, names, 0, _ROW)
    for y, values in zip(places, figures, strict=True):
        known = [scale.at(value) for value in values if value > 0] or [0]
        picture.line([(min(known), y), (max(known), y)], "line", 1.5)
        for key, value in reversed(list(zip(keys, values, strict=True))):
            if value > 0:
                picture.mark(key.shape, scale.at(value), y, key.colour)
    shown = [key for place, key in enumerate(keys) if any(row[place] > 0 for row in figures)]
    drawing.legend(picture, shown)
    beside = " and ".join(key.name for key in shown if key.name != own)
    text = f"The median of each row, in {subject.unit}.{_legend(flags)}"
    return _chart(f"beside-{subject.key}", f"{subject.name} beside {beside}", text, picture)


def _flags(subject: Subject) -> dict[str, str]:
    """Return what is written behind the names of flagged rows: their marks."""
    run = subject.run
    marks = run.marks()
    return {row.id: f" {MARKS[marks[row.id]]}" for row in run.rows if row.id in marks}


def _legend(flags: Mapping[str, str]) -> str:
    words = {" *": "* is in doubt", " ~": "~ corrected", " ?": "? not known"}
    found = [words[mark] for mark in words if mark in flags.values()]
    return f" {', '.join(found)}: see the doubts." if found else ""


def _plot(names: Sequence[str], least: float = _PLOT) -> float:
    """Return how wide the plot beside these names is."""
    return max(least, _WIDE - max(map(drawing.wide, names), default=0))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _coloured(names: Sequence[str], fixed: Mapping[str, str]) -> dict[str, str]:
    """Give each name a colour: a fixed one, or the next of the series."""
    free = iter(_SERIES)
    return {name: fixed.get(name) or next(free) for name in names}


def _chart(name: str, title: str, text: str, picture: Drawing) -> Chart:
    return Chart(name, title, text, picture.svg(f"{title}. {text}", _LARGEST))
