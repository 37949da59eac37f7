# SPDX-License-Identifier: Apache-2.0
"""The report's drawings: nothing reaches out of them, scales put values where they belong."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from foliot.report import drawing
from foliot.report.drawing import SHAPES, Drawing, Key


def box(svg: str) -> tuple[float, float, float, float]:
    x, y, across, down = map(float, ET.fromstring(svg).attrib["viewBox"].split())
    return x, y, x + across, y + down


@pytest.mark.parametrize(
    ("anchor", "least"),
    [("start", (0, -9, 60, 3)), ("middle", (-30, -9, 30, 3)), ("end", (-60, -9, 0, 3))],
)
def test_a_drawing_is_as_large_as_its_texts(anchor, least):
    picture = Drawing()
    picture.text(0, 0, "x" * 10, anchor=anchor)
    left, top, right, bottom = box(picture.svg("", 1))
    assert left <= least[0]
    assert top <= least[1]
    assert right >= least[2]
    assert bottom >= least[3]
    assert right - left < 90


def test_a_turned_text_reaches_where_it_ends():
    picture = Drawing()
    picture.text(0, 0, "x" * 10, anchor="end", turned=-90)
    left, top, right, bottom = box(picture.svg("", 1))
    assert bottom > 60
    assert right - left < 24
    assert top >= -5


def test_what_is_written_and_said_is_escaped():
    picture = Drawing()
    picture.text(0, 0, '<a> & "b"')
    svg = picture.svg('<c> & "d"', 1)
    root = ET.fromstring(svg)
    assert root.attrib["aria-label"] == '<c> & "d"'
    assert [element.text for element in root] == ['<a> & "b"']


@pytest.mark.parametrize("shape", SHAPES)
def test_each_mark_is_well_formed_and_fits_in_the_drawing(shape):
    picture = Drawing()
    picture.mark(shape, 10, 10, "c1", 4)
    svg = picture.svg("", 1)
    left, _, right, _ = box(svg)
    assert left <= 5
    assert right >= 15
    numbers = [float(n) for n in re.findall(r"(?<=[ML,])-?[\d.]+", svg)]
    assert all(left <= n <= right for n in numbers)


def test_a_linear_scale_has_round_lines():
    assert drawing.linear(0, 2.37, 0, 100).lines == (0, 1, 2)
    assert drawing.linear(0.97, 1.04, 0, 100, 5).lines == pytest.approx((0.98, 1.0, 1.02, 1.04))
    flat = drawing.linear(1, 1, 0, 100)
    assert 40 < flat.at(1) < 60


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ([1, 1], (0.9, 0.95, 1, 1.05, 1.1)),
        ([1, 1.01], (1, 1.005, 1.01)),
        ([100, 103.5], (100, 101, 102, 103)),
        ([0.3, 2.5], (0.25, 0.5, 1, 2)),
        ([9, 900], (16, 64, 256, 1024)),
        ([1, 1e6], (1, 100, 1e4, 1e6)),
    ],
)
def test_a_logarithmic_scale_holds_all_values_and_few_lines(values, lines):
    scale = drawing.logarithmic(values, 0, 100)
    assert scale.lines == pytest.approx(lines)
    assert all(0 <= scale.at(value) <= 100 for value in values)


def test_a_legend_stands_above_all_and_one_key_needs_none():
    picture = Drawing()
    picture.bar(0, 0, 50, 10, "c1")
    drawing.legend(picture, [Key("alone", "c1", "bar")])
    assert "alone" not in picture.svg("", 1)
    drawing.legend(picture, [Key("one", "c1", "bar"), Key("two", "c2", "line")])
    places = [float(y) for y in re.findall(r'<text x="[^"]*" y="([^"]*)"', picture.svg("", 1))]
    assert len(places) == 2
    assert max(places) < -5
