# SPDX-License-Identifier: Apache-2.0
"""The matrix of boards, of stored runs: sections, statuses, means; on a page, in docs/boards.md."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import pytest
from reports import chosen, page

import logs
from foliot.compare import boards_table
from foliot.compare.overview import MAIN_ROWS
from foliot.log.reader import parse
from foliot.model.figures import geometric_mean
from foliot.model.run import Footprint
from foliot.show.terminal import WIDTH
from foliot.store.selection import reference, select
from foliot.store.sqlite import Store
from foliot.target import boards


def run(board: str, unit: str, figure: int, floor: float | None = None, **header: object):
    """Make a latency run whose main rows all take `figure`."""
    records = [logs.row(row, [figure] * 100) for row in MAIN_ROWS]
    told = {**logs.HEADER, "board": board, "unit": unit, "core": f"core of {board}", **header}
    made = parse(logs.log(records, header=told))
    made = made.with_rows([replace(row, floor=floor) for row in made.rows])
    return replace(made, footprint=Footprint(1000, 10, 90, {}))


def stored():
    return [run("ibex", "cycles", 100, floor=80.0), run("vexriscv", "cycles", 200, floor=100.0),
            run("cv32e40p", "cycles", 400), run("mps2_an385", "insn", 50, floor=50.0)]  # fmt: skip


def test_cycles_and_instructions_are_never_in_one_table():
    found = boards_table.sections(stored())
    assert [[line.name for line in part.lines] for part in found[:2]] == [
        ["ibex", "vexriscv", "cv32e40p"], ["mps2_an385"],
    ]  # fmt: skip
    assert [part.title for part in found[:2]] == ["In cycles", "In instructions"]


def test_every_board_and_every_published_device_has_a_line_with_its_status():
    found = boards_table.sections(stored())
    statuses = {line.name: line.status for part in found for line in part.lines}
    assert statuses["ibex"] == "measured"
    assert statuses["microbit_v2.2"] == "imported, no silicon here"
    assert statuses["qemu_riscv64"] == "not among these runs"
    devices = [line.name for line in boards_table.published()]
    assert len(devices) == 8
    told = {*statuses, *map(boards_table.board_of, devices)}
    assert {name for name in boards.names() if boards.load(name).kind != "process"} <= told


def test_a_device_that_was_measured_is_in_both_tables():
    found = boards_table.sections([run("bbc_microbit_v2", "cycles", 77)])
    assert found[0].lines[0].values["heap.malloc.immediate"] == 77
    (line,) = [line for line in found[1].lines if line.name == "microbit_v2.2"]
    assert line.status == "imported, measured, too"


def test_the_newest_run_of_a_board_counts():
    found = boards_table.sections([run("ibex", "cycles", 100), run("ibex", "cycles", 90)])
    assert [line.values["heap.malloc.immediate"] for line in found[0].lines] == [90]


def test_means_are_over_the_sections_medians_and_over_the_own_floor():
    part = boards_table.sections(stored())[0]
    assert [part.times(line) for line in part.lines] == ["0.50", "1.00", "2.00"]
    assert [boards_table.over_floor(line.run) for line in part.lines] == ["1.25", "2.00", "-"]
    assert boards_table.weight(part.lines[0].run) == ("1000", "100")


def test_no_doubted_figure_is_in_times_and_its_row_is_in_nobodys():
    """Of what others published: the Teensy's 1393 and 5104 are in doubt, so no row of theirs is."""
    part = boards_table.sections([])[0]
    by_name = {line.name: line for line in part.lines}
    rows = list(MAIN_ROWS)
    assert [rows.index(row) for row in part.fair.rows] == [4, 5, 6]
    figures = {name: [line.values[row] for row in part.fair.rows] for name, line in by_name.items()}
    middle = [median(known) for known in zip(*figures.values(), strict=True)]
    for name, line in by_name.items():
        over = [value / mid for value, mid in zip(figures[name], middle, strict=True)]
        assert part.times(line) == f"{geometric_mean(over):.2f}"
    best = min(by_name.values(), key=lambda line: float(part.times(line)))
    assert best.name == "teensy4.1"  # as in the overview of the same figures
    marked = by_name["teensy4.1"]
    assert boards_table.figure(marked, rows[1]) == "1393*"
    assert boards_table.figure(marked, rows[0]) == "195"
    assert boards_table.figure(by_name["ty51822r3"], rows[0]) == "?"


def test_marks_and_the_rows_of_times_are_reported_in_text_markdown_and_html(tmp_path):
    runs = stored()
    text = "\n".join(boards_table.lines(runs))
    assert "1393*" in text
    assert "times is over take, malloc, create, which all have and nobody doubts" in text
    assert "* teensy4.1: isr (1393, where its siblings predict about 218" in " ".join(text.split())
    marked = "\n".join(boards_table.markdown(runs))
    assert r"| 195 | 1393\* | 5104\* | 99 |" in marked
    assert "* `times` is over take, malloc, create" in marked
    assert r"* \* `teensy4.1`: isr (1393" in marked
    html = page([*chosen(*runs), *select(["zephyr-4.3@*"], Store(tmp_path))])
    assert "1393</span><span class=norm>5." in html
    assert '<abbr class=f title="in doubt: 1393, where' in html


def test_who_has_too_few_rows_is_in_no_times_and_it_is_said():
    few = run("cv32e40p", "cycles", 400)
    few = few.with_rows(few.rows[:2])
    whole = [run(name, "cycles", 100) for name in ("ibex", "vexriscv")]
    part = boards_table.sections([*whole, few])[0]
    assert [part.times(line) for line in part.lines] == ["1.00", "1.00", "-"]
    assert part.told.endswith("without cv32e40p, with too few of them")
    assert boards_table.sections(stored())[0].told == ""


def test_only_our_kernel_as_it_is_by_default_is_in_the_matrix():
    others = [run("ibex", "cycles", 1, configuration=["userspace"]),
              run("ibex", "cycles", 1, suite="floor")]  # fmt: skip
    assert boards_table.own([*others, *stored()]) == stored()
    assert boards_table.own(others) == []


def test_as_text_it_fits_a_screen():
    lines = list(boards_table.lines(stored()))
    assert max(map(len, lines)) <= WIDTH
    text = "\n".join(lines)
    assert "imported, no silicon here: " in text
    assert "ty51822r3" in text


def test_in_the_readme_each_section_is_a_table_of_even_lines():
    lines = boards_table.markdown(stored())
    tables = "\n".join(lines).split("\n\n")
    for table in tables:
        if table.startswith("|"):
            assert len({line.count("|") for line in table.splitlines()}) == 1
    assert "In cycles:" in lines
    assert any(line.startswith("| `vexriscv` | core of vexriscv | 200 |") for line in lines)


def test_the_report_has_it_where_a_run_is_ours():
    text = page([*chosen(*stored()), reference("zephyr-4.3@rpi_pico")])
    part = text[text.index('id="boards"') :]
    assert "teensy4.1" not in part  # nobody asked for it
    assert "<span class=plain>400</span><span class=norm>2.00</span>" in part
    assert "imported, no silicon here" in part
    assert 'id="normalised"' in part
    other = run("ibex", "cycles", 1, suite="floor")
    assert 'id="boards"' not in page(chosen(other))


@pytest.mark.parametrize(
    ("device", "board"),
    [("rpi_pico", "rpi_pico"), ("ty51822r3", "ty51822r3"), ("microbit_v2.2", "bbc_microbit_v2")],
)
def test_a_published_device_is_one_of_our_boards(device, board):
    assert boards_table.board_of(device) == (board if board in boards.names() else "")
