# SPDX-License-Identifier: Apache-2.0
"""The report: what it says, how it is drawn, and the page as a file."""

from __future__ import annotations

import re
import resource
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from reports import chosen, measured, page

import logs
from foliot.commands.report import report
from foliot.judge.doubts import examine_saved
from foliot.log.reader import parse
from foliot.model.errors import UsageError
from foliot.model.run import Doubt, Failure
from foliot.report import charts, content, heading, sketch, tables
from foliot.report.page import charts_of
from foliot.store.selection import Chosen, reference
from foliot.store.sqlite import Store

NASTY = "<script>alert('x')</script>&\"quoted\""


# ---- what it says ----


def test_only_what_can_be_compared_is_together():
    other_unit = measured(unit="insn")
    other_rows = parse(logs.log([logs.row("ipc.intra", [5] * 10)]))
    subjects = content.subjects(chosen(measured(), other_unit, measured(5), other_rows))
    assert [[s.key for s in group.subjects] for group in content.groups(subjects)] == [
        ["r1", "r3"], ["r2"], ["r4"],
    ]  # fmt: skip


def test_a_run_may_join_two_groups():
    a = parse(logs.log([logs.row("a", [5] * 10)]))
    b = parse(logs.log([logs.row("b", [5] * 10)]))
    both = parse(logs.log([logs.row("a", [5] * 10), logs.row("b", [6] * 10)]))
    (group,) = content.groups(content.subjects(chosen(a, b, both)))
    assert [subject.key for subject in group.subjects] == ["r1", "r2", "r3"]
    assert list(group.shared) == ["a", "b"]


def test_scores_are_geometric_means():
    runs = [parse(logs.log([logs.row("a", [v] * 9), logs.row("b", [v] * 9)])) for v in (10, 20, 40)]
    (group,) = content.groups(content.subjects(chosen(*runs)))
    assert [round(group.scores[key], 6) for key in ("r1", "r2", "r3")] == [0.5, 1.0, 2.0]
    assert group.over_best("r3") == pytest.approx(4.0)
    assert [subject.key for subject in group.ranking] == ["r1", "r2", "r3"]


def test_a_wrong_figure_is_read_or_left_out():
    right, run = measured(), measured()
    doubts = (
        Doubt("counter-wrapped", "it wrapped", "x", run.rows[0].id, invalidates=True, reading=99.5),
        Doubt("row-zero", "it is nothing", "y", run.rows[1].id, invalidates=True),
    )
    wrong = replace(run, doubts=doubts)
    (group,) = content.groups(content.subjects(chosen(right, wrong)))
    assert group.values["r2"][run.rows[0].id] == 99.5
    body = tables.matrix(group).splitlines()
    assert body[0].endswith('<td>99.5<abbr class=f title="corrected: it wrapped">~</abbr>')
    assert body[1].endswith('<td><abbr class=f title="not known: it is nothing">?</abbr>')
    assert content.wrong_rows(wrong) == {run.rows[0].id, run.rows[1].id}


def test_by_the_clock_the_order_may_be_another():
    mhz = {"clock_hz": 1_000_000, "clock_measured_hz": 1_000_000}
    slow = parse(logs.log([logs.row("a", [10] * 9)], header={**logs.HEADER, **mhz}))
    fast = parse(logs.log([logs.row("a", [20] * 9)]))
    (group,) = content.groups(content.subjects(chosen(slow, fast)))
    assert [subject.key for subject in group.ranking] == ["r1", "r2"]
    assert [subject.key for subject in group.in_ns.ranking] == ["r2", "r1"]
    (alike,) = content.groups(content.subjects(chosen(fast, fast)))
    assert alike.in_ns is None


def test_a_mean_is_over_the_rows_that_all_have_and_nobody_doubts():
    """The third lacks b, the fourth has but one of the rows: c and d it is, without the fourth."""
    figures = [("a", 10), ("b", 100), ("c", 10), ("d", 10)]
    full = parse(logs.log([logs.row(row, [value] * 200) for row, value in figures]))
    twice = parse(logs.log([logs.row(row, [2 * value] * 200) for row, value in figures]))
    odd = replace(twice.rows[0], p50=9000.0, doubts=("row-far",))
    twice = twice.with_rows([odd, *twice.rows[1:]])
    third = full.with_rows([row for row in full.rows if row.id != "b"])
    fourth = full.with_rows(full.rows[:1])
    (group,) = content.groups(content.subjects(chosen(full, twice, third, fourth)))
    assert group.fair.rows == ("c", "d")
    assert dict(group.fair.left_out) == {"r4": 1}
    assert {key: round(score, 9) for key, score in group.scores.items()} == {
        "r1": 1.0, "r2": 2.0, "r3": 1.0,
    }  # fmt: skip
    assert group.told == (
        "over the 2 rows that all have and nobody doubts, of 4; not in it, with too few of them: "
        "run-3 (1)"
    )


@pytest.mark.parametrize("name", ["few-samples", "outlier"])
def test_a_doubt_of_the_slowest_samples_leaves_the_median_in_the_means(name):
    run = measured()
    doubted = run.with_rows([replace(row, doubts=(name,)) for row in run.rows])
    assert doubted.trusted() == run.values()
    assert all(doubted.mark(row) == "" for row in doubted.rows)  # no text: nothing to be shown
    far = run.with_rows([replace(row, doubts=("row-far",)) for row in run.rows])
    assert far.trusted() == {}
    assert far.floor_ratios() == far.reference_ratios() == []


def test_a_board_that_nobody_named_is_none():
    named, without = measured(board="ibex"), measured(board="unnamed")
    assert heading.title(content.subjects(chosen(without))) == "latency"
    assert heading.title(content.subjects(chosen(without, named))) == "latency on ibex"
    assert "<b>1</b> board" in page(chosen(without, named))
    assert "</b> board" not in page(chosen(without))


def test_what_a_table_does_not_say_is_no_figure_that_is_wrong():
    run = replace(
        measured(), published=True, failures=(Failure("a", "line 4: 'n/a' is no figure"),)
    )
    (doubt,) = (one for one in examine_saved(run).doubts if one.name == "row-failed")
    assert (doubt.text, doubt.invalidates) == ("not taken: line 4: 'n/a' is no figure", False)


def test_flagged_rows_carry_their_mark_in_every_table():
    run = measured()
    doubt = Doubt("row-far", "it is far", "y", run.rows[0].id)
    odd = replace(run, doubts=(doubt,))
    mark = '<abbr class=f title="in doubt: it is far">*</abbr>'
    subjects = content.subjects(chosen(odd, run))
    (group,) = content.groups(subjects)
    assert f"<td>100{mark}" in tables.matrix(group)
    assert f"<th scope=row>{tables.parted(run.rows[0].id)}{mark}" in tables.rows(subjects[0])
    assert mark not in tables.rows(subjects[1])


def test_a_doubtful_row_ranks_nobody():
    good = parse(logs.log([logs.row("a", [10] * 9), logs.row("b", [10] * 9)]))
    odd = good.with_rows([good.rows[0], replace(good.rows[1], p50=9000, doubts=("row-far",))])
    (group,) = content.groups(content.subjects(chosen(good, good, odd)))
    assert group.scores["r3"] == pytest.approx(1.0)


def test_names_are_made_different():
    runs = [Chosen("same", measured()), Chosen("same", measured())]
    assert [subject.name for subject in content.subjects(runs)] == ["same", "same (2)"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (57.0, "57"), (151.5, "151.5"), (117.06, "117.1"), (268797.4, "268797")],
)
def test_figures_are_written_plainly(value, text):
    assert content.number(value) == text


# ---- how it is drawn ----


def test_bins_hold_every_sample():
    for row in measured(count=40).rows:
        if content.varies(row):
            assert sum(sketch.bins(row, 16)) == row.n
            assert len(sketch.bins(row, 16)) <= 16
            ET.fromstring(sketch.histogram(row, "cycles"))


@pytest.mark.parametrize(
    ("ratio", "colour"), [(1, 5), (1.3, 6), (0.77, 4), (100, 10), (0.001, 0), (2, 8)]
)
def test_colours_of_the_matrix(ratio, colour):
    assert tables.shade(ratio) == colour


@pytest.mark.slow
def test_charts_are_labelled_and_scale():
    subjects = content.subjects(chosen(measured(), measured(9), measured(20)))
    drawn = list(charts_of(content.groups(subjects), subjects))
    assert [chart.name for chart in drawn] == ["ranking-g1", "beside-r1", "beside-r2", "beside-r3"]
    for chart in drawn:
        root = ET.fromstring(chart.standalone)
        assert chart.title in root.attrib["aria-label"]
        assert "width" not in root.attrib
        assert "var(--" not in chart.standalone
        assert set(re.findall(r"var\(--(\w+)\)", chart.svg)) <= set(charts.COLOURS)


def test_two_runs_are_compared_row_by_row():
    subjects = content.subjects(chosen(measured(), measured(-10)))
    first = next(iter(charts_of(content.groups(subjects), subjects)))
    assert first.title == "run-1 over run-0"
    assert "less in 8 rows of 8" in first.text


def test_charts_alone(tmp_path):
    store = Store(tmp_path / "none")
    assert report(["zephyr-4.3@*"], "-", tmp_path / "charts", store, quiet=True) == 0
    names = sorted(path.name for path in (tmp_path / "charts").iterdir())
    assert names == ["families-g1.svg", "ranking-g1-ns.svg", "ranking-g1.svg"]
    ET.parse(tmp_path / "charts" / "ranking-g1.svg")


# ---- the page as a file ----


class Reader(HTMLParser):
    """Gathers what a page would fetch, and the ids that its links lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("src", "href", "srcset", "data", "action", "poster", "xlink:href"):
                self.fetched.append(value)


def test_the_page_holds_everything_itself():
    text = page([reference(word) for word in ("zephyr-4.3@rpi_pico", "zephyr-3.3@ibex")])
    read = Reader(text)
    assert set(read.fetched) <= {"data:,"}
    assert not re.search(r"@import|url\((?!#|data:)", text)
    assert len(read.ids) == len(set(read.ids))
    assert {link[1:] for link in read.links if link.startswith("#")} <= set(read.ids)
    assert all(link.startswith("#") for link in read.links)


def test_nothing_that_a_run_says_becomes_part_of_the_page():
    run = parse(
        logs.log([logs.row("a.row", [1, 2, 3], NASTY)], header={**logs.HEADER, "core": NASTY})
    )
    doubt = Doubt("odd", NASTY, NASTY, "a.row", invalidates=True)
    text = page([Chosen(NASTY, replace(run, doubts=(doubt,))), Chosen("b", run), Chosen("c", run)])
    assert "<script>alert" not in text
    assert text.count("<script>") == 1


@pytest.mark.slow
def test_fifty_runs_are_quick_and_small(tmp_path):
    """50 runs of our own, 124 rows each, every row with a distribution: the worst case."""
    runs = chosen(*(measured(i, 124) for i in range(50)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    text = page(runs)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 5
    assert len(text.encode()) < 3_000_000


def test_an_empty_store_says_what_to_do(tmp_path):
    with pytest.raises(UsageError, match="holds no runs") as error:
        report([], "-", None, Store(tmp_path), quiet=True)
    assert "foliot import" in error.value.advice


@pytest.mark.slow
def test_the_command(foliot, tmp_path):
    file = tmp_path / "out.html"
    result = foliot("report", "zephyr-4.3@*", "-o", str(file), "--store", str(tmp_path), "-q")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"{file}: 8 runs")
    assert file.read_text().startswith("<!doctype html>")
    (tmp_path / "small.csv").write_text("name,ns\na,5\nb,6\n")
    foliot("import", tmp_path / "small.csv", "--yes", "-q", "--store", str(tmp_path))
    result = foliot("report", "small", "-o", str(file), "--store", str(tmp_path), "-q")
    assert re.search(r": 1 run, [1-9]\d kB$", result.stdout.strip())  # "0.0 MB" told nothing
    result = foliot("report", "nothing", "--store", str(tmp_path), "-q")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) <= 2
