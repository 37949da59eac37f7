# SPDX-License-Identifier: Apache-2.0
"""Numbers as people write them, in tables of any language: right, asked for, or told."""

from __future__ import annotations

import io

import pytest

from foliot.importers.table_asked import TableOptions, table_runs
from foliot.judge.doubts import examine_saved
from foliot.model.errors import UsageError


def take(text: str | bytes, **options):
    data = text.encode() if isinstance(text, str) else text
    found = table_runs(io.BytesIO(data), "table", TableOptions(**{"yes": True, **options}))
    return [examine_saved(run) for run in found.runs], list(found.left_out)


def only(text: str | bytes, **options):
    (run,), left = take(text, **options)
    assert left == []
    return run


def values(run):
    return {row.id: row.p50 for row in run.rows}


def names(run):
    return {doubt.name for doubt in run.doubts}


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("id;Zyklen\na;4.623\nb;12.001\n", "cycles", {"a": 4623, "b": 12001}),
        ("id;cycles\na;4.623\nb;871\n", "cycles", {"a": 4623, "b": 871}),
        ("id;cycles\na;1.234.567\nb;871\n", "cycles", {"a": 1_234_567, "b": 871}),
        ("id;ns\na;4.623,5\nb;871\n", "ns", {"a": 4623.5, "b": 871}),
        ("id;Zeit (µs)\na;4,623\nb;871\n", "ns", {"a": 4623, "b": 871_000}),
        ("id;Zeit [Mikrosekunden]\na;4,5\nb;1.871\n", "ns", {"a": 4500, "b": 1_871_000}),
        ("id;us\na;4.5\nb;0.871\n", "ns", {"a": 4500, "b": 871}),  # a point, for all that
        ("id;us;max us\na;4.625;9.5\nb;3.871;8.25\n", "ns", {"a": 4625, "b": 3871}),
        ('id,cycles\na,"4,623"\nb,871\n', "cycles", {"a": 4623, "b": 871}),
        ('id,cycles\na,"1,234.5"\nb,"2,000"\n', "cycles", {"a": 1234.5, "b": 2000}),
        ('id,us\na,"4,5"\nb,"0,871"\n', "ns", {"a": 4500, "b": 871}),
        ("id\tcycles\na\t4'623\nb\t1\u2019234\u2019567\n", "cycles", {"a": 4623, "b": 1_234_567}),
        ("id\tcycles\na\t4\u2009623\nb\t1\u202f234\u202f567\nc\t9\u00a0999\n", "cycles",
         {"a": 4623, "b": 1_234_567, "c": 9999}),
        ("id\tcycles\na\t4 623\nb\t12\n", "cycles", {"a": 4623, "b": 12}),
        ("id\tns\na\t4 623,5\nb\t12,25\n", "ns", {"a": 4623.5, "b": 12.25}),
        ("id\tcycles\na\t12,34,567\nb\t1,234\n", "cycles", {"a": 1_234_567, "b": 1234}),
        ("id\tcycles\na\t1_234_567\nb\t12\n", "cycles", {"a": 1_234_567, "b": 12}),
        ("id,cycles\na,\uff14\uff16\uff12\uff13\nb,٤٦٢٣\n", "cycles", {"a": 4623, "b": 4623}),
        ("| id | cycles |\n|---|---|\n| a | 4,623 |\n| b | 12,001 |\n", "cycles",
         {"a": 4623, "b": 12001}),
        ("| id | Takte |\n|---|---|\n| a | 4.623 |\n| b | 871 |\n", "cycles",
         {"a": 4623, "b": 871}),
        ("| id | 時間 (ナノ秒) |\n|---|---|\n| a | \uff14\uff16\uff12\uff13 |\n| b | 871 |\n", "ns",
         {"a": 4623, "b": 871}),
        ("id,cycles\na,\u22125\nb,7\n", "cycles", {"a": -5, "b": 7}),
    ],
)  # fmt: skip
def test_marks_are_those_of_the_column_and_the_delimiter(text, unit, expected):
    run = only(text)
    assert run.header.unit == unit
    assert values(run) == expected


@pytest.mark.parametrize(
    ("cells", "expected", "deviation"),
    [
        ("12.5 ± 0.4", 12_500, 400), ("12.5±0.4 µs", 12_500, 400),
        ("12.5 us ± 0.4 us", 12_500, 400),
        ("(12.5 +/- 0.4) µs", 12_500, 400), ("12.5 ± 10 %", 12_500, 1250), ("12.5", 12_500, None),
    ],
)  # fmt: skip
def test_deviations_stand_beside_their_figures(cells, expected, deviation):
    run = only(f"| id | µs |\n|---|---|\n| a | {cells} |\n| b | 7.25 |\n")
    assert (run.row("a").p50, run.row("a").extra.get("stddev")) == (expected, deviation)


@pytest.mark.parametrize("cell", ["~5", "≈ 5", "ca. 5", "about 5", "5¹", "5*", "5†"])
def test_what_is_about_right_is_taken_and_doubted(cell):
    run = only(f"id,ns\na,{cell}\nb,7\n")
    assert values(run) == {"a": 5, "b": 7}
    assert [doubt.row for doubt in run.doubts if doubt.name == "figure-remark"] == ["a"]


@pytest.mark.parametrize("text", ["id;cycles\na;4,623\nb;4,5\n", "id,cycles\na,4.623\nb,7\n"])
def test_a_fraction_of_a_cycle_is_doubted(text):
    assert "figure-fraction" in names(only(text))


@pytest.mark.parametrize("head", ["Takte Board B", "Takte S", "cycles, core B", "Kern B (Takte)"])
def test_a_letter_that_names_a_board_is_no_unit(head):
    assert only(f"name;{head}\na;462\nb;120\n").header.unit == "cycles"


@pytest.mark.parametrize(
    ("head", "unit"), [("Size (B)", "bytes"), ("time s", "ns"), ("T [S]", "ns")]
)
def test_a_letter_in_brackets_or_a_small_one_is(head, unit):
    assert only(f"name;{head}\na;462\nb;120\n").header.unit == unit


def test_boards_that_are_letters_have_the_unit_that_was_asked_for():
    runs, _ = take("name;Board S;Board A;Board B\na;462;5;4\nb;120;7;6\n", unit="cycles")
    assert [run.header.unit for run in runs] == ["cycles"] * 3
    with pytest.raises(UsageError, match="in what unit 'Board S' is"):
        take("name;Board S;Board B\na;462;5\n")


def test_means_of_cycles_have_fractions():
    assert "figure-fraction" not in names(only("id,mean cycles\na,4.62\nb,7\n"))
    assert "figure-fraction" not in names(only("id,ns\na,4.62\nb,7\n"))


OPEN = "| id | µs |\n|---|---|\n| a | 4.623 |\n| b | 1.200 |\n"


def test_what_nothing_tells_is_asked_for():
    with pytest.raises(UsageError, match=r"'4\.623' in 'µs' is: 4623 or 4\.623") as error:
        take(OPEN)
    assert "--thousands" in error.value.advice
    assert values(only(OPEN, decimal=".")) == {"a": 4623, "b": 1200}
    assert values(only(OPEN, decimal=",")) == {"a": 4_623_000, "b": 1_200_000}
    assert values(only(OPEN, thousands=".")) == {"a": 4_623_000, "b": 1_200_000}
    assert values(only(OPEN, decimal=",", thousands=".")) == {"a": 4_623_000, "b": 1_200_000}


def test_another_column_of_the_table_tells():
    text = OPEN.replace("µs |", "µs | max µs |").replace("---|---|", "---|---|---|")
    told = text.replace("4.623 |", "4.623 | 1.234,5 |").replace("1.200 |", "1.200 | 2,5 |")
    assert values(only(told)) == {"a": 4_623_000, "b": 1_200_000}


def test_marks_that_no_language_has_are_taken_where_they_are_said():
    assert values(only(OPEN, thousands="none")) == {"a": 4623, "b": 1200}
    assert values(only(OPEN, thousands="'")) == {"a": 4623, "b": 1200}
    assert values(only("id;ns\na;4'623,5\n", decimal=",", thousands="'")) == {"a": 4623.5}


@pytest.mark.parametrize(
    "options",
    [{"decimal": ";"}, {"decimal": ",", "thousands": ","}, {"thousands": "ab"}, {"thousands": ":"}],
)
def test_marks_that_are_none_are_refused(options):
    with pytest.raises(UsageError):
        take(OPEN, **options)


def test_what_is_left_out_is_named():
    text = "id,Pico ns,Teensy ns,note\na,5,<7,fast\nb,>6,<8,v2\nc,7,<9,\nd,8,n/a,\n"
    (run,), left = take(text)
    assert values(run) == {"a": 5, "c": 7, "d": 8}
    assert left == [
        "column 'Pico ns': 1 cell, as '>6': a bound, and no figure",
        "column 'Teensy ns': 4 cells, as '<7': not taken",
    ]


def test_what_is_no_figure_and_says_so_is_not_left_out():
    (run,), left = take("id,ns,remark\na,5,x\nb,n/a,y\nc,,\nd,---,z\n")
    assert (values(run), left) == ({"a": 5}, [])
    assert len(run.failures) == 3


@pytest.mark.slow
def test_exit_status_3_says_that_not_all_was_taken(foliot, tmp_path, own_store):
    (tmp_path / "a.csv").write_text("id;cycles;ns\na;4.623;46.230\nb;~871;<9\n")
    done = foliot("import", tmp_path / "a.csv", "-q", "--yes")
    assert done.returncode == 3
    assert "left out: column 'ns': 1 cell, as '<9': a bound, and no figure" in done.stderr
    (tmp_path / "b.csv").write_text("id;cycles\na;4.623\nb;871\n")
    assert foliot("import", tmp_path / "b.csv", "-q", "--yes").returncode == 0
    (tmp_path / "c.md").write_text(OPEN)
    assert foliot("import", tmp_path / "c.md", "-q", "--yes").returncode == 2
    said = ("--decimal", ",", "--thousands", ".")
    assert foliot("import", tmp_path / "c.md", "-q", "--yes", *said).returncode == 0


def test_a_table_on_its_side_whose_units_stand_in_its_lines_is_no_damaged_log(foliot, tmp_path):
    """`M4 cycles,462,` looks like a row of latency_measure that lost its id."""
    (tmp_path / "a.csv").write_text("op,sem.give,sem.take\nM4 cycles,462,120\nM7 cycles,20,10\n")
    done = foliot("import", tmp_path / "a.csv", "-q", "--yes")
    assert done.returncode == 0, done.stderr
    assert "2 runs, 4 rows" in done.stdout
    (tmp_path / "b.csv").write_text("M4 cycles,462,120\n")  # no table either
    done = foliot("import", tmp_path / "b.csv", "-q", "--yes")
    assert done.returncode == 1
    assert "figures whose id is lost or broken" in done.stderr
