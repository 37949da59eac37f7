# SPDX-License-Identifier: Apache-2.0
"""Repeated runs in a report: one entry with its interval, the rank test, what was left out."""

from __future__ import annotations

import json
from dataclasses import replace
from statistics import median

import pytest
from reports import chosen, measured, page, scattering

from foliot.compare import combined, overview
from foliot.judge import repeated
from foliot.model.run import Doubt
from foliot.report import content, tables
from foliot.report.page import charts_of
from foliot.store.selection import Chosen


def test_thirteen_repeats_are_one_entry_with_its_interval():
    runs = scattering("slow", 13)
    subjects = content.subjects([*runs, *scattering("other", 6, 5)])
    assert [(one.name, len(one.repeats)) for one in subjects] == [("slow", 13), ("other", 6)]
    row = runs[0].run.rows[0].id
    figures = sorted(one.run.values()[row] for one in runs)
    assert subjects[0].run.values()[row] == median(figures)
    found = subjects[0].intervals[row]
    assert (found.low, found.high) == (figures[2], figures[-3])  # of 13 the third from either end
    assert (found.count, found.is_sure) == (13, True)
    (group,) = content.groups(subjects)
    assert [one.name for one in group.ranking] == ["slow", "other"]
    text = page([*runs, *scattering("other", 6, 5)])
    assert "runs, of which 2 are 13 or 6 repeats" in text
    assert f"<td>{median(figures):g}<td>{figures[2]:g} to {figures[-3]:g}<td>" in text
    assert "A line over a bar" in next(charts_of([group], subjects)).text or len(subjects) == 2


def test_the_rank_test_is_on_the_page():
    text = page([*scattering("before", 13), *scattering("same", 13), *scattering("slow", 13, 9)])
    assert "slow against before, by ranks" in text
    assert "same against before, by ranks" in text
    (group,) = content.groups(
        content.subjects(
            [*scattering("before", 13), *scattering("same", 13), *scattering("slow", 13, 9)]
        )
    )
    same, slow = group.tests
    assert all(one.shown for one in slow.rows.values())
    assert not any(one.shown for one in same.rows.values())
    assert tables.ranktest(slow).count("<td>more\n") == len(slow.rows)
    assert tables.ranktest(same).count("<td>not shown\n") == len(same.rows)


def test_few_runs_claim_no_sure_interval_and_one_none():
    (few,) = content.subjects(scattering("few", 3))
    found = next(iter(few.intervals.values()))
    assert (found.count, found.is_sure) == (3, False)
    (one,) = content.subjects(scattering("one", 1))
    assert one.name == "one/1"
    assert not one.repeats
    assert one.intervals == {}


def test_a_figure_that_is_doubted_in_one_run_is_left_out_of_the_set_and_that_is_said():
    runs = [one.run for one in scattering("set", 7)]
    row = runs[0].rows[0]
    odd = runs[2].with_rows([replace(runs[2].rows[0], p50=90000), *runs[2].rows[1:]])
    runs[2] = replace(odd, doubts=(Doubt("bimodal", "two things", "look", row.id),))
    both = combined.combined(runs)
    fine = [run.values()[row.id] for place, run in enumerate(runs) if place != 2]
    assert both.values()[row.id] == median(fine)
    assert both.trusted()[row.id] == median(fine)
    told = [(doubt.row, doubt.text) for doubt in both.doubts]
    assert (None, f"{row.id}: two things (in 1 run of 7), which is left out") in told
    every = [replace(run, doubts=(Doubt("bimodal", "two things", "x", row.id),)) for run in runs]
    assert combined.combined(every).mark(row) == "doubtful"
    assert row.id not in combined.combined(every).trusted()


def test_a_simulators_repeats_stand_for_one_and_no_set_is_a_number():
    run = measured()
    subjects = content.subjects([Chosen("log/5", run), Chosen("log/6", measured(3))])
    assert [one.name for one in subjects] == ["log/5", "log/6"]
    assert combined.combined([run, run]) is run


def test_the_overview_has_repeats_once():
    lines = list(overview.overview_lines(content.merged([*scattering("a", 13),
                                                         *scattering("b", 13, 4)])))  # fmt: skip
    assert not any("a/1" in line for line in lines)


@pytest.mark.parametrize(("count", "edge"), [(1, 0), (5, 0), (6, 1), (8, 1), (9, 2), (13, 3)])
def test_the_interval_of_a_median_is_that_of_the_tables(count, edge):
    """The k-th figure from either end, as the tables of the sign test have it."""
    found = repeated.interval(list(range(1, count + 1)))
    assert found == ((edge, count + 1 - edge) if edge else None)


def test_history_and_compare_have_a_set_once(foliot, own_store):
    from test_repeats import silicon

    silicon(own_store, "old", 7, (100, 200, 50), 1)
    told = json.loads(foliot("history", "--json").stdout)
    assert [point["name"] for point in told] == ["old"]
    said = foliot("compare", "old").stdout
    assert "one on rpi_pico, 7 runs, in cycles" in said
    done = foliot("report", "-o", "-", "-q")
    assert done.returncode == 0, done.stderr
    assert "runs, of which" not in done.stdout
    assert "run, of which 1 is 7 repeats" in done.stdout


def test_the_heading_says_what_when_by_which_command_and_of_which_commit(foliot, tmp_path):
    file = tmp_path / "a page.html"
    done = foliot("report", "zephyr-4.3@rpi_pico", "-o", str(file), "-q")
    assert done.returncode == 0, done.stderr
    text = file.read_text()
    assert "<title>latency on rpi_pico · Foliot</title>" in text
    assert f"<code>./foliot report zephyr-4.3@rpi_pico -o &#39;{file}&#39; -q</code>" in text
    assert "<dt>made</dt>" in text
    head = text[text.index("<header>") : text.index("</header>")]
    assert "<dt>commit</dt>" not in head  # nothing of ours is on it
    own = page(chosen(measured(kernel_commit="abc123", dirty=1), measured(4)))
    assert "<dt>commit</dt><dd>abc123 with changes" in own


def test_the_text_of_the_method_is_true_of_the_page_it_stands_on():
    ours = page(chosen(measured(), measured(3)))
    assert "Figures of other systems" not in ours
    assert "Repeated runs are one entry" not in ours
    assert "Cycles and instructions are different units" not in ours
    from foliot.store.selection import reference

    theirs = page([reference("zephyr-4.3@rpi_pico"), reference("zephyr-4.3@rpi_pico2")])
    assert "Figures of other systems are averages" in theirs
    assert "2 of these runs are of that kind" in theirs
    assert "A sample is the distance" not in theirs
    assert "So an average stands beside Foliot's medians" not in theirs
    both = page([*chosen(measured()), reference("zephyr-4.3@rpi_pico")])
    assert "So an average stands beside Foliot's medians" in both


def test_nothing_is_listed_that_was_not_asked_for():
    text = page(chosen(measured(), measured(3)))
    assert "not among these runs" not in text
    assert "no silicon here" not in text
    single = page(chosen(measured()))
    assert 'id="matrix"' not in single
    assert "times the best" not in single
