# SPDX-License-Identifier: Apache-2.0
"""The report's history, and what it says of clocks."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

import logs
from foliot.log.reader import parse
from foliot.model.run import Footprint
from foliot.report import content, past
from foliot.report.charts import COLOURS, of_past
from foliot.store.selection import history, select
from foliot.store.sqlite import Store
from foliot.store.writer import record

pytestmark = pytest.mark.slow

# Of each commit: the rows a.r0 to a.r8, the text, and whether changes were not committed.
COMMITS = (
    ("a" * 12, [50] * 9, 1000, 0),
    ("a" * 12, [50] * 9, 1000, 0),  # measured again
    ("b" * 12, [40, *[50] * 8], 1010, 0),
    ("c" * 12, [40, 55, *[50 + n for n in range(1, 8)]], 1010, 1),
)


def recorded(place):
    for number, (commit, values, text, dirty) in enumerate(COMMITS):
        header = {**logs.HEADER, "kernel_commit": commit, "dirty": dirty}
        rows = [logs.row(f"a.r{n}", [value] * 200) for n, value in enumerate(values)]
        run = replace(
            parse(logs.log(rows, header)), footprint=Footprint(text, 4, 80, {"thread": 64})
        )
        record(Store(place), run, io.BytesIO(str(number).encode()), "bench", "x")
    return Store(place)


def test_a_commit_measured_twice_stands_once_and_changes_are_of_their_commit(tmp_path):
    found = past.past(history(recorded(tmp_path)))
    assert [point.commit[0] for point in found.commits] == ["a", "b", "c"]
    assert found.exact
    changes = {(one.figure, one.point.commit[0]): (one.before, one.after) for one in found.changes}
    assert changes["a.r0", "b"] == (50, 40)
    assert changes["footprint.text", "b"] == (1000, 1010)
    assert changes["a.r1", "c"] == (50, 55)
    assert len(changes) == 2 + 8
    assert [one.point.commit[0] for one in found.changes] == ["c"] * 8 + ["b"] * 2
    assert found.moved[0] == "a.r0"


def test_six_rows_have_colours_and_the_others_are_grey(tmp_path):
    found = past.past(history(recorded(tmp_path)))
    assert len(found.moved) == 9
    mean, rows, text = of_past(found)
    strokes = re.findall(r'stroke="var\(--(\w+)\)" stroke-width="1.5"', rows.svg)
    assert set(strokes) == {"c1", "c2", "c3", "c4", "c5", "c6", "other"}
    assert strokes.count("other") == 3 + 1  # the legend's
    assert "aaaaaaaa" in mean.svg
    assert "cccccccc+" in text.svg
    assert COLOURS["ground"][0] in rows.standalone  # it is read on a dark page too


def test_one_commit_is_no_history(tmp_path):
    recorded(tmp_path)
    runs = history(Store(tmp_path))
    assert past.past(runs[:2]) is None
    assert past.past([]) is None


def test_the_command_writes_page_and_pictures(foliot, tmp_path):
    store = tmp_path / "store"
    recorded(store)
    done = foliot("report", "--history", "--store", store, "-o", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "page.html").read_text()
    assert "3 commits on record" in text
    assert '<th scope="row">a.r0<td>bbbbbbbbbbbb<td>' in text
    assert "<td>cccccccccccc+<td>" in text
    assert text.count('id="chart-history-') == 3
    done = foliot("report", "--history", "--store", store, "--svg", tmp_path / "svg")
    assert {path.name for path in (tmp_path / "svg").iterdir()} >= {
        "history-mean.svg", "history-rows.svg", "history-text.svg",
    }  # fmt: skip


@pytest.mark.parametrize("words", [[], ["zephyr-3.3@ibex"]])
def test_where_there_is_no_history_it_says_what_to_do(foliot, tmp_path, words):
    done = foliot("report", "--history", *words, "--store", tmp_path, "-q")
    assert done.returncode == 2
    assert "foliot bench" in done.stderr


def test_clocks_that_rows_disprove_and_nominal_ones_are_marked(tmp_path):
    words = ["zephyr-4.3@stm32h747i", "zephyr-4.3@rpi_pico2", "zephyr-3.3@ibex"]
    subjects = content.subjects(select(words, Store(tmp_path)))
    assert [content.clock(one) for one in subjects] == [
        "400, not the declared 480", "150", "100, nominal",
    ]  # fmt: skip
    (group,) = content.groups(subjects)
    assert [one.name for one in group.in_ns.nominal] == ["zephyr-3.3@ibex"]
    assert not group.nominal
    assert [group.in_ns.mark(one) for one in subjects] == ["", "", " ^"]
    assert ("clock", "400 MHz, not the declared 480") in content.facts(subjects[0])
