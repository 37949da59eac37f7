# SPDX-License-Identifier: Apache-2.0
"""Runs side by side: ratios, means, units that don't mix, and the article's tables."""

from __future__ import annotations

import io
import json
import math
import re
import time
from dataclasses import replace

import pages
import pytest

import logs
from foliot.commands.compare import run_comparison
from foliot.compare import overview, table, timeline
from foliot.compare.comparison import Options, compare, version_key
from foliot.importers.document import Reader
from foliot.log.reader import parse
from foliot.model.errors import UsageError
from foliot.model.published import single
from foliot.reference import systems
from foliot.store.selection import Chosen, history, reference, select, titles
from foliot.store.sqlite import Store
from foliot.store.writer import Recording


def chosen(*names):
    return [reference(name) for name in names]


def run_with(values, name="r", **header):
    run = systems.load("zephyr-4.3@nucleo_f401re")
    rows = tuple(single(row_id, "", value) for row_id, value in values.items())
    made = replace(run, rows=rows, header=replace(run.header, **header))
    return Chosen(name, made)


@pytest.fixture
def article(tmp_path):
    store = Store(tmp_path / "store")
    with Recording(store, "import", "page") as recording:
        for run in Reader("page").read(io.BytesIO(pages.article().encode())):
            recording.add(run, f"article/{run.header.board}")
        recording.keep(None)
    return store


def text(comparison):
    return "\n".join(table.lines(comparison))


def test_ratios_and_means():
    pair = [run_with({"a.x": 10, "a.y": 20, "b.z": 5}, "A"),
            run_with({"a.x": 20, "a.y": 10, "b.z": 15}, "B")]  # fmt: skip
    comparison = compare(pair, Options())
    assert comparison.rows == ("a.x", "a.y", "b.z")
    assert comparison.ratios(comparison.columns[1]) == {"a.x": 2, "a.y": 0.5, "b.z": 3}
    means = comparison.means()
    assert list(means) == ["a", "b", "all"]
    assert means["a"][1] == (pytest.approx(1.0), 2)
    assert means["all"][1] == (pytest.approx(3 ** (1 / 3)), 3)
    shown = text(comparison)
    assert "B/A" in shown
    assert "3.00" in shown


def test_only_rows_of_two_runs_or_more():
    three = [run_with({"a.x": 1, "a.only": 2}, "A"), run_with({"a.x": 1, "b.x": 3}, "B"),
             run_with({"b.x": 4}, "C")]  # fmt: skip
    assert compare(three, Options()).rows == ("a.x", "b.x")


@pytest.mark.parametrize(
    ("patterns", "count"),
    [(("semaphore.*",), 4), (("semaphore", "mutex"), 6), (("*.immediate.kernel",), 16),
     (("heap.?alloc*", "heap.free.immediate"), 2), ((), 47)],
)  # fmt: skip
def test_rows_by_pattern(patterns, count):
    pair = chosen("zephyr-3.3@ibex", "zephyr-3.3-speed@ibex")
    assert len(compare(pair, Options(rows=patterns)).rows) == count


def test_orders():
    pair = [run_with({"b.x": 10, "a.x": 10, "c.x": 10}, "A"),
            run_with({"b.x": 20, "a.x": 10, "c.x": 30}, "B")]  # fmt: skip
    assert compare(pair, Options(sort="ratio")).rows == ("c.x", "b.x", "a.x")
    assert compare(pair, Options(sort="name")).rows == ("a.x", "b.x", "c.x")
    assert compare(pair, Options()).rows == ("b.x", "a.x", "c.x")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (Options(sort="size"), "--sort 'size' is none of suite, name, ratio"),
        (Options(by="age"), "--by 'age' is none of"),
        (Options(normalise="clock"), "--normalise 'clock' is none of board"),
        (Options(unit="insn"), "--in 'insn' is none of cycles, ns"),
        (Options(rows=("nothing",)), "no row matches nothing"),
    ],
)
def test_wrong_words(options, what):
    with pytest.raises(UsageError, match=what):
        compare(chosen("zephyr-3.3@ibex", "zephyr-3.3-speed@ibex"), options)


def test_unlike_units_are_refused():
    expected = re.escape("zephyr-3.3@ibex is in cycles, zephyr-3.3@mps2_an385 is in insn")
    with pytest.raises(UsageError, match=expected):
        compare(chosen("zephyr-3.3@ibex", "zephyr-3.3@mps2_an385"), Options())
    with pytest.raises(UsageError, match="which is neither cycles nor a time"):
        compare(chosen("zephyr-3.3@ibex", "zephyr-3.3@mps2_an385"), Options(unit="ns"))
    with pytest.raises(UsageError, match="units differ"):
        compare(chosen("l4re@n100", "l4re-tsc@n100"), Options())
    with pytest.raises(UsageError, match="has no clock: its cycles can't become ns"):
        compare(chosen("l4re@n100", "sel4@cortex_a53"), Options(unit="ns"))


def test_cycles_and_ns_by_the_clock():
    pair = [run_with({"a.x": 84}, "A"), run_with({"a.x": 1000}, "B", unit="ns")]
    with pytest.raises(UsageError) as refusal:
        compare(pair, Options())
    assert refusal.value.advice == "--in ns converts them"
    for unit, expected in (("ns", 1000), ("cycles", 84)):
        comparison = compare(pair, Options(unit=unit))
        assert [column.values["a.x"] for column in comparison.columns] == pytest.approx(
            [expected, expected]
        )


def test_ns_are_those_of_the_clock_that_the_rows_imply():
    comparison = compare(chosen("zephyr-4.3@rpi_pico", "zephyr-4.3@rpi_pico2"), Options(unit="ns"))
    pico = comparison.columns[0].values
    assert pico["thread.yield.preemptive.ctx.k_to_k"] == 2163
    assert pico["lifo.put.immediate.kernel"] == pytest.approx(151.5 * 8)


def test_unlike_configurations_are_named():
    comparison = compare(chosen("zephyr-3.3@ibex", "zephyr-3.3-canaries@ibex"), Options())
    assert comparison.notes == (
        "unlike configuration: default: zephyr-3.3; canaries: zephyr-3.3-canaries",
    )
    assert compare(chosen("zephyr-4.3@rpi_pico", "zephyr-4.3@rpi_pico2"), Options()).notes == ()


def test_decoded_and_unknown_figures_are_marked():
    shown = text(compare(chosen("zephyr-4.3@rpi_pico", "zephyr-4.3@ty51822r3"), Options()))
    assert "~151.5" in shown
    assert "117592 is 151.5 + 7 x 2^24/1000" in shown
    line = next(line for line in shown.splitlines() if line.startswith("thread.yield.pre"))
    assert line.split()[1:] == ["270", "?"]


def test_normalised_boards_compare():
    plain = run_with({"a.x": 10, "a.y": 20, "a.z": 40}, "A")
    twice = run_with({"a.x": 20, "a.y": 40, "a.z": 80}, "B")
    comparison = compare([plain, twice], Options(normalise="board"))
    assert comparison.columns[0].values == comparison.columns[1].values == {
        "a.x": 0.5, "a.y": 1, "a.z": 2,
    }  # fmt: skip
    assert comparison.unit == "cycles over the board's own median"


def test_versions_in_order():
    ordered = ["v1.7.99", "zephyr-v2.6.0-1119-g378a", "v3.5.0-rc1-139-gdab", "v3.5.0", "v3.10.0",
               "v4.3.0-3523-g588d"]  # fmt: skip
    assert sorted({*ordered}, key=version_key) == ordered


def test_a_kernels_history(tmp_path):
    store = Store(tmp_path)
    run = systems.load("zephyr-4.3@nucleo_f401re")
    with Recording(store, "import", "logs") as recording:
        for version, board in (("v3.7.0", "b"), ("v4.0.0", "b"), ("v3.10.0", "b"), ("v9", "other"),
                               ("v3.7.0", "b")):  # fmt: skip
            header = replace(run.header, board=board)
            origin = replace(run.origin, kernel_version=version)
            recording.add(replace(run, header=header, origin=origin), f"x/{version}")
        recording.keep(None)
    everything = [Chosen(kept.name, store.load(kept), kept) for kept in store.runs()]
    comparison = compare(everything[:3], Options(by="version"))
    assert [column.title for column in comparison.columns] == ["v3.7.0", "v3.10.0", "v4.0.0"]
    assert [one.run.origin.kernel_version for one in history(store)] == [
        "v3.7.0", "v4.0.0", "v3.10.0", "v3.7.0",
    ]  # fmt: skip


def test_by_board_and_configuration():
    comparison = compare(chosen("zephyr-3.3@ibex", "zephyr-3.3-canaries@ibex"),
                         Options(by="configuration"))  # fmt: skip
    assert [column.title for column in comparison.columns] == ["default", "canaries"]


def test_too_few_runs():
    with pytest.raises(UsageError, match="two runs or more"):
        compare([], Options())
    with pytest.raises(UsageError, match="only one run to compare"):
        compare(chosen("zephyr-3.3@ibex"), Options())
    with pytest.raises(UsageError, match="no row in common"):
        compare(chosen("zephyr-3.3@ibex", "l4re@n100"), Options())


def test_short_titles():
    def of(*names):
        return titles([Chosen(name, None) for name in names])

    assert of("a@x", "b@x") == ["a", "b"]
    assert of("a@x", "a@y") == ["x", "y"]
    assert of("a@x", "b@y") == ["a@x", "b@y"]
    assert of("a@x", "b@x", "a@y") == ["a@x", "b@x", "a@y"]
    assert of("page/a", "page/b") == ["a", "b"]
    assert of("one", "two") == ["one", "two"]
    assert of("one/a", "two/a") == ["one/a", "two/a"]
    assert of("page/a", "x@y") == ["page/a", "x@y"]


def test_many_runs_fit_into_a_hundred_columns():
    names = [name for name in systems.names() if name.startswith("zephyr-3.3")]
    runs = [one for one in chosen(*names) if one.run.header.unit == "insn"]
    shown = text(compare(runs, Options()))
    assert max(map(len, shown.splitlines())) <= 100
    assert all(one.name in shown for one in runs)


def test_json_and_csv(capsys, tmp_path):
    words = ["zephyr-4.3@rpi_pico", "zephyr-4.3@ty51822r3"]
    run_comparison(words, Options(), "json", False, Store(tmp_path))
    content = json.loads(capsys.readouterr().out)
    assert content["unit"] == "cycles"
    assert content["rows"][0]["values"] == [270, None]
    assert content["runs"][0]["version"] == "v4.3.0-3523-g588d22464d13"
    run_comparison(words, Options(), "csv", False, Store(tmp_path))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "row,rpi_pico,ty51822r3,mark rpi_pico,mark ty51822r3"
    assert lines[1] == "thread.yield.preemptive.ctx.k_to_k,270,,,unknown"
    assert content["rows"][0]["marks"] == ["", "unknown"]


def test_the_articles_tables_corrected(article):
    shown = "\n".join(overview.overview_lines(select(["article"], article)))
    lines = {line.split("  ")[0]: line for line in shown.splitlines()}
    assert lines["STM32H747i disco"].split() == [
        "STM32H747i", "disco", "Cortex", "M7", "400", "MHz", "*", "!", "1", "MB", "2", "MB", "o",
    ]  # fmt: skip
    assert "125 MHz *" in lines["RPi pico (RP2040)"]
    cells = shown.split("Main rows, in ns")[1]
    assert "536!" in cells
    assert "30500!" in cells
    assert "---*" in cells
    for printed in ("542!", "3659*", "5014 "):
        assert printed not in cells.split("Ranking")[0].split("! stm32")[0].replace("5014!", "")
    ranking = " ".join(shown.split("Ranking\n")[1].split("\nboard")[0].split())
    assert ranking == ("teensy4.1 >> stm32h747i >> rpi_pico2 > nucleo_g431kb >> nucleo_f401re >= "
                       "rpi_pico > microbit_v2.2 >> ty51822r3")  # fmt: skip
    assert max(map(len, shown.splitlines())) <= 100


def test_the_main_rows_are_the_articles(article):
    shown = "\n".join(overview.overview_lines(select(["article"], article)))
    for item, row_id in pages.ITEMS.items():
        expected = {str(round(pages.published(board[1]).row(row_id).ns)) for board in pages.BOARDS}
        lines = [line for line in shown.splitlines() if line.startswith(f"{item} ")]
        found = {cell.rstrip("*!~") for line in lines for cell in line[len(item) :].split()}
        assert found - {"---"} == expected - {"0"}


def test_means_are_over_the_rows_that_all_have_and_nobody_doubts():
    comparison = compare(chosen("zephyr-4.3@teensy4.1", "zephyr-4.3@rpi_pico",
                                "zephyr-4.3@ty51822r3"), Options())  # fmt: skip
    doubted = {doubt.row for column in comparison.columns for doubt in column.run.doubts
               if doubt.reading is None}  # fmt: skip
    assert {"isr.resume.interrupted.thread.kernel", "mutex.lock.immediate.recursive.kernel"} < (
        doubted
    )
    assert {*comparison.fair.rows} == {*comparison.rows} - doubted
    means = comparison.means()
    assert [mean[1] for mean in means["all"]] == [len(comparison.fair.rows)] * 3
    assert means["isr"] == [None] * 3
    text = "\n".join(table.lines(comparison))
    assert "*1393" in text
    assert f"over the {len(comparison.fair.rows)} rows that all have and nobody doubts" in text
    assert "* teensy4.1, isr.resume.interrupted.thread.kernel: 1393, where" in text


def test_the_mean_of_a_history_is_over_the_rows_that_all_runs_have():
    def run(*figures):
        return parse(logs.log([logs.row(row, [value] * 200) for row, value in figures]))

    runs = [run(("a", 10), ("b", 10), ("c", 99)), run(("a", 20), ("b", 20)), run(("a", 40))]
    odd = runs[1].with_rows([replace(runs[1].rows[0], doubts=("bimodal",)), runs[1].rows[1]])
    points = timeline.points([Chosen(str(n), one) for n, one in enumerate([runs[0], odd])], "mean")
    assert [point.value for point in points] == [1.0, 2.0]
    points = timeline.points([Chosen(str(n), one) for n, one in enumerate(runs)], "mean")
    assert [point.value for point in points] == [1.0, 2.0, 4.0]


def test_the_ranking_shows_the_gaps():
    shown = "\n".join(overview.overview_lines(chosen("zephyr-4.3@teensy4.1", "zephyr-4.3@rpi_pico",
                                                     "zephyr-4.3@rpi_pico2")))  # fmt: skip
    table = [line.split() for line in shown.partition("the one before")[2].splitlines()[1:4]]
    (_, first), (_, second, gap), (_, third, last) = table
    assert first == "1.00"
    assert math.isclose(float(gap), float(second) / float(first), abs_tol=0.01)
    assert math.isclose(float(last), float(third) / float(second), abs_tol=0.01)


def test_what_is_simulated_is_marked_where_its_ns_stand_beside_a_boards():
    both = chosen("zephyr-3.3@ibex", "zephyr-4.3@rpi_pico")
    lines = list(overview.overview_lines(both))
    assert any("100 MHz ^" in line for line in lines)
    assert any(line.startswith("^ simulated, at a nominal clock") for line in lines)
    assert any("zephyr-3.3@ibex ^ >" in line or "> zephyr-3.3@ibex ^" in line for line in lines)
    notes = " ".join(compare(both, Options(unit="ns")).notes)
    assert "simulated, at a nominal clock (100 MHz), which a chip has not: zephyr-3.3" in notes
    assert "rpi_pico: its clock is 125 MHz, not the declared 133" in notes
    plain = compare(chosen("zephyr-4.3@rpi_pico2", "zephyr-4.3@teensy4.1"), Options(unit="ns"))
    assert "nominal" not in " ".join(plain.notes)


def test_references_know_their_memory():
    lines = list(overview.overview_lines(chosen("zephyr-4.3@rpi_pico", "zephyr-4.3@teensy4.1")))
    pico = next(line for line in lines if line.startswith("Raspberry Pi Pico"))
    assert pico.split()[-5:] == ["264", "KB", "2", "MB", "no"]


def test_equal_runs_stand_in_the_overview_once():
    pico, teensy = chosen("zephyr-4.3@rpi_pico", "zephyr-4.3@teensy4.1")
    many = [replace(pico, name=f"a/{n}") for n in range(3000)] + [teensy]
    began = time.process_time()
    lines = list(overview.overview_lines(many))
    assert time.process_time() - began < 5
    assert "= a/2999: the last of 3000 equal runs" in lines
    assert len(lines) < 40


def test_runs_that_only_stand_elsewhere_are_examined_once(article):
    kept = list(article.runs())
    began = time.process_time()
    runs = list(article.load_all(kept * 200))
    assert time.process_time() - began < 5
    assert [run.header.board for run in runs[:8]] == [one.board for one in kept]
    assert runs[0].origin.lines == runs[8].origin.lines != runs[1].origin.lines


def test_an_overview_is_of_times():
    with pytest.raises(UsageError, match="which is no time"):
        overview.print_overview(chosen("zephyr-3.3@mps2_an385", "zephyr-4.3@rpi_pico"))


def test_a_hundred_runs_in_a_second(tmp_path):
    store = Store(tmp_path)
    run = systems.load("zephyr-readme-2025-userspace@unnamed")
    assert len(run.rows) == 124
    with Recording(store, "import", "logs") as recording:
        for n in range(100):
            recording.add(run, f"many/{n}")
        recording.keep(None)
    began = time.process_time()
    shown = text(compare(select(["many"], store), Options()))
    assert time.process_time() - began < 3  # a second on an idle machine
    assert math.isclose(shown.count("thread.abort.user.from.kernel"), 25, abs_tol=20)
