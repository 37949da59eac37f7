# SPDX-License-Identifier: Apache-2.0
"""The report's charts: Vega-Lite, made into SVG here and now, without a browser.

The specifications are plain data for vl-convert. Altair would only write the same JSON,
and takes a second to import. Colours are the page's variables, so that a chart follows
the page from light to dark; a chart that is written by itself gets the light ones.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import escape

from foliot.compare.timeline import MEAN, Point
from foliot.model.figures import geometric_mean
from foliot.report.content import Group, Subject, ratio
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
_FONT = "system-ui, sans-serif"
_SCHEMA_VERSION = "5.20"
_PLOT = 210
_PAIR = 2
_PAST = "history-"  # how the names of its charts begin
_FEWEST_FAMILIES = 3
_MOST_BARS = 60
_MOST_LINES = 5
_LARGEST = 1.2  # how much the page may magnify a chart
_LONGEST_NAME = 32
# A letter's width in the widest of the usual system fonts: charts are laid out before it
# is known in which font they will be shown.
_LETTER = 7.2

_CONFIG = {
    "background": None, "aria": False, "font": _FONT, "padding": 2,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--soft)", "titleColor": "var(--soft)", "gridColor": "var(--line)",
        "domainColor": "var(--line)", "tickColor": "var(--line)", "labelFontSize": 12,
        "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 400,
    },
    "legend": {
        "labelColor": "var(--ink)", "labelFontSize": 12, "orient": "top", "title": None,
        "labelLimit": 400, "columns": 1, "symbolSize": 70, "rowPadding": 1,
    },
}  # fmt: skip


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
        ground = '<rect width="100%" height="100%" fill="var(--ground)"/>'  # on a dark page too
        svg = svg.replace(">", f">{ground}", 1)
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


def _lines(past: Past, named: Mapping[str, str], name: str, title: str, text: str) -> Chart:
    """Draw figures over commits, each over its own first; `named` says what each is called."""
    values: list[dict[str, Any]] = []
    for figure, called in named.items():
        known = past.figures[figure]
        first = next((point.value for point in known if point.value and point.value > 0), None)
        values += [
            {"place": place, "commit": _commit(point), "figure": figure, "called": called,
             "ratio": point.value / first}
            for place, point in enumerate(known)
            if first and point.value is not None
        ]  # fmt: skip
    names = list(dict.fromkeys(named.values()))
    values.sort(key=lambda value: value["called"] != "others")  # the grey ones below
    labels = [_commit(point) for point in past.commits]
    axis = {
        "labelAngle": -50, "labelOverlap": "parity", "title": None, "grid": False,
        "values": list(range(len(labels))), "labelExpr": f"{json.dumps(labels)}[datum.value]",
    }  # fmt: skip
    shared = {
        "x": {"field": "place", "type": "quantitative", "axis": axis,
              "scale": {"domain": [0, max(1, len(labels) - 1)], "nice": False, "padding": 8}},
        "y": {"field": "ratio", "type": "quantitative", "title": "times the oldest",
              "axis": {"titlePadding": 14},
              "scale": {"zero": False}},
        "color": _colour("called", names, {"others": "other"}),
        "detail": {"field": "figure"},
    }  # fmt: skip
    spec = {
        "data": {"values": values}, "width": 2 * _PLOT, "height": _PLOT, "encoding": shared,
        "layer": [
            {"mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.5}},
            {"mark": {"type": "point", "filled": True, "size": 24, "opacity": 1}},
        ],
    }  # fmt: skip
    return _render(f"{_PAST}{name}", title, text, spec)


def _commit(point: Point) -> str:
    return point.commit[:8] + ("+" if point.dirty else "")


def _pair(group: Group) -> Chart:
    first, second = group.subjects[:_PAIR]
    a, b = group.values[first.key], group.values[second.key]
    values: list[dict[str, Any]] = [
        {"row": row_id, "ratio": b[row_id] / a[row_id]}
        for row_id in group.shared
        if a.get(row_id, 0) > 0 and b.get(row_id, 0) > 0
    ]
    less = sum(value["ratio"] < 1 for value in values)
    x = _logarithmic("ratio", "times as many", [1.0, *(v["ratio"] for v in values)], "top")
    y = _names("row", [value["row"] for value in values])
    spec = {
        "data": {"values": values}, "width": _PLOT, "height": {"step": 17},
        "transform": [{"calculate": "1", "as": "one"}],
        "layer": [
            {"mark": {"type": "rule", "strokeWidth": 1.5, "color": "var(--other)"},
             "encoding": {"y": y, "x": x, "x2": {"field": "one"}}},
            {"mark": {"type": "point", "filled": True, "size": 50, "opacity": 1,
                      "color": "var(--accent)"},
             "encoding": {"y": y, "x": x}},
        ],
    }  # fmt: skip
    text = (
        f"What {second.name} takes, as a multiple of what {first.name} takes, in {group.unit}: "
        f"less in {less} rows of {len(values)}."
    )
    return _render(f"pair-{group.key}", f"{second.name} over {first.name}", text, spec)


def _ranking(group: Group) -> Chart:
    ranked = group.ranking[:_MOST_BARS]
    scores = {s.key: group.over_best(s.key) or 0.0 for s in ranked}
    values = [
        {"run": _short(s.name) + group.mark(s), "score": scores[s.key],
         "label": ratio(scores[s.key]), "kind": "reference" if s.is_reference else "from the store"}
        for s in ranked
    ]  # fmt: skip
    kinds = list(dict.fromkeys(str(value["kind"]) for value in values))
    names = [_short(s.name) + group.mark(s) for s in ranked]
    colours = {"reference": "c1", "from the store": "accent"}
    # A fifth of the width is left for the label of the longest bar.
    x = {"field": "score", "type": "quantitative", "title": "times the best",
         "axis": {"tickCount": 4},
         "scale": {"domain": [0, 1.2 * max(scores.values())], "nice": False}}  # fmt: skip
    spec = {
        "data": {"values": values}, "width": _PLOT, "height": {"step": 20},
        "encoding": {"y": _names("run", names), "x": x},
        "layer": [
            {"mark": {"type": "bar", "height": 12, "cornerRadiusEnd": 2},
             "encoding": {"color": _colour("kind", kinds, colours)}},
            {"mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 12,
                      "color": "var(--ink)"},
             "encoding": {"text": {"field": "label"}}},
        ],
    }  # fmt: skip
    text = (
        f"The geometric mean of each run's figures over the rows' medians, as a multiple of the "
        f"best run's, in {group.unit}; less is better. Rows that are in doubt are left out. "
        f"{ranked[0].name} is the best, {ranked[-1].name} takes "
        f"{ratio(scores[ranked[-1].key])} times as many."
    )
    if group.nominal:
        text += " ^ was simulated: its clock is nominal, and no chip has it."
    title = f"All rows together: {group.title}, in {group.unit}"
    return _render(f"ranking-{group.key}", title, text, spec)


def _families(group: Group) -> Chart:
    named = _highlighted(group)
    values: list[dict[str, Any]] = []
    for subject in group.ranking:
        for family in group.families:
            ratios = group.ratios(subject.key, family)
            if ratios:
                values.append({"run": named.get(subject.key, "others"), "family": family,
                               "score": geometric_mean(ratios)})  # fmt: skip
    runs = [*named.values(), *(["others"] if len(named) < len(group.ranking) else [])]
    # The others are drawn first, so that no grey dot covers a coloured one.
    values.sort(key=lambda value: runs.index(str(value["run"])), reverse=True)
    shapes = {"field": "run", "type": "nominal",
              "scale": {"domain": runs, "range": list(_SHAPES[: len(runs)])}}  # fmt: skip
    spec = {
        "data": {"values": values}, "width": _PLOT + 120, "height": {"step": 24},
        "mark": {"type": "point", "filled": True, "size": 65, "opacity": 0.9},
        "encoding": {
            "x": _logarithmic("score", "times the median of all runs",
                              [value["score"] for value in values]),
            "y": _names("family", list(group.families), grid=True),
            "color": _colour("run", runs, {"others": "other"}), "shape": shapes,
        },
    }  # fmt: skip
    text = (
        f"The geometric mean of each run's figures over the rows' medians, in {group.unit}; "
        f"further left is better."
    )
    title = f"Family by family: {group.title}, in {group.unit}"
    return _render(f"families-{group.key}", title, text, spec)


def _highlighted(group: Group) -> dict[str, str]:
    """Return the runs that get a colour of their own: those of the store first, then the best."""
    ranked = sorted(group.ranking, key=lambda subject: subject.is_reference)
    chosen = {subject.key for subject in ranked[: len(_SERIES)]}
    return {s.key: _short(s.name) for s in group.subjects if s.key in chosen}


def _beside(subject: Subject) -> Chart:
    rows = [row for row in subject.run.rows if row.floor or row.reference]
    other = next((row.reference.name for row in rows if row.reference), "reference")
    values: list[dict[str, Any]] = [
        {"row": row.id, "series": series, "value": value}
        for row in rows
        for series, value in (
            (other, row.reference.value if row.reference else 0.0),
            ("this run", row.p50),
            ("floor", row.floor or 0.0),
        )
        if value > 0
    ]
    series = [name for name in ("floor", "this run", other)
              if any(value["series"] == name for value in values)]  # fmt: skip
    colours = {"floor": "c3", "this run": "accent", other: "c1"}
    shapes = {"field": "series", "type": "nominal", "scale": {
        "domain": series, "range": ["triangle-up", "circle", "square"][-len(series):]}}  # fmt: skip
    y = _names("row", [row.id for row in rows])
    x = _logarithmic("value", subject.unit, [value["value"] for value in values], "top")
    spec = {
        "data": {"values": values}, "width": _PLOT, "height": {"step": 17},
        "layer": [
            {"mark": {"type": "rule", "strokeWidth": 1.5, "color": "var(--line)"},
             "encoding": {"y": y, "x": {"aggregate": "min", **x},
                          "x2": {"aggregate": "max", "field": "value"}}},
            {"mark": {"type": "point", "filled": True, "size": 50, "opacity": 1},
             "encoding": {"y": y, "x": x, "color": _colour("series", series, colours),
                          "shape": shapes}},
        ],
    }  # fmt: skip
    shown = " and ".join(name for name in series if name != "this run")
    text = f"The median of each row, in {subject.unit}."
    return _render(f"beside-{subject.key}", f"{subject.name} beside {shown}", text, spec)


def _names(field: str, names: Sequence[str], grid: bool = False) -> dict[str, Any]:
    """Return the axis that names what stands beside each other, with room for the names."""
    room = round(_LETTER * max(map(len, names), default=0)) + 8
    axis = {"minExtent": room, "grid": grid, "ticks": False, "labelPadding": 6}
    return {"field": field, "type": "nominal", "sort": list(names), "title": None, "axis": axis}


def _logarithmic(
    field: str, title: str, values: Sequence[float], side: str = "bottom"
) -> dict[str, Any]:
    """Return a logarithmic axis with a line at each power of two, or of more where it is long."""
    low, high = min(values), max(values)
    base = next((b for b in (2, 4, 10) if math.log(high / low, b) <= _MOST_LINES), 100)
    first, last = math.floor(math.log(low, base)), math.ceil(math.log(high, base))
    lines = [float(base) ** power for power in range(first, max(last, first + 1) + 1)]
    inside = [value for value in lines if low / 1.3 <= value <= high * 1.3] or lines
    scale = {"type": "log", "nice": False, "padding": 10,
             "domain": [min(low, inside[0]), max(high, inside[-1])]}  # fmt: skip
    axis = {"values": inside, "format": "~g", "orient": side}
    return {"field": field, "type": "quantitative", "title": title, "scale": scale, "axis": axis}


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _colour(field: str, names: Sequence[str], fixed: Mapping[str, str]) -> dict[str, Any]:
    """Return an encoding that gives each name a colour: a fixed one, or the next of the series."""
    free = iter(_SERIES)
    chosen = [fixed.get(name) or next(free) for name in names]
    legend = {} if len(names) > 1 else {"legend": None}
    scale = {"domain": list(names), "range": [f"var(--{colour})" for colour in chosen]}
    return {"field": field, "type": "nominal", "scale": scale, **legend}


def _render(name: str, title: str, text: str, spec: Mapping[str, Any]) -> Chart:
    import vl_convert

    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "config": _CONFIG, **spec,
    }  # fmt: skip
    svg = vl_convert.vegalite_to_svg(json.dumps(whole), vl_version=_SCHEMA_VERSION)
    return Chart(name, title, text, _labelled(svg, f"{title}. {text}"))


def _labelled(svg: str, text: str) -> str:
    """Make the SVG scale with the page, and one picture to those who don't see it."""
    box = re.search(r'viewBox="([^"]*)"', svg)
    shape = box[1] if box else "0 0 1 1"
    inside = svg[svg.index(">") + 1 :]
    inside = re.sub(r' (?:aria-\w+|role)="[^"]*"', "", inside)
    wide = float(shape.split()[2])
    head = (
        f'<svg viewBox="{shape}" role="img" aria-label="{escape(text)}" '
        f'style="max-width:{wide * _LARGEST:.0f}px">'
    )
    return head + inside
