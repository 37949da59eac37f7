# SPDX-License-Identifier: Apache-2.0
"""Anybody's table in whatever form: with titles above, on its side, drawn, in HTML or JSON."""

from __future__ import annotations

import io
import json
import time

import pytest

from foliot.importers.html_text import as_markdown
from foliot.importers.plain_table import tables
from foliot.importers.table_asked import TableOptions, table_runs
from foliot.model.errors import FoliotError

ROWS = {"a": 5, "b": 6}


def take(text: str | bytes, **options):
    data = text.encode() if isinstance(text, str) else text
    return table_runs(io.BytesIO(data), "table", TableOptions(**{"yes": True, **options})).runs


def shown(runs):
    return {run.header.board: {row.id: row.p50 for row in run.rows} for run in runs}


@pytest.mark.parametrize(
    "above",
    [
        "Measured on the Pico, in cycles\n\n", "Latency report\nBoard;Pico\nClock;133 MHz\n\n",
        "Kernel latencies (cycles), 2024\n", "cycles, cycles\n", "# a remark, in cycles\n", "",
        "sep=,\n",
    ],
)  # fmt: skip
def test_titles_above_the_head_are_no_head(above):
    (run,) = take(above + "name,ns\na,5\nb,6\n")
    assert (run.header.unit, run.failures) == ("ns", ())
    assert shown([run]) == {"unnamed": ROWS}


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("Board,semaphore.give.immediate.kernel,heap.free\nPico,5,7\nTeensy,8,10\n", "cycles",
         {"pico": {"semaphore.give.immediate.kernel": 5, "heap.free": 7},
          "teensy": {"semaphore.give.immediate.kernel": 8, "heap.free": 10}}),
        ("| | give | take |\n|---|---|---|\n| Pico [ns] | 5 | 6 |\n| Teensy [ns] | 8 | 9 |\n", "",
         {"pico": {"give": 5, "take": 6}, "teensy": {"give": 8, "take": 9}}),
        ("| board | give | take |\n|---|---|---|\n| Pico | 5 | 6 |\n| Teensy | 8 | 9 |\n", "ns",
         {"pico": {"give": 5, "take": 6}, "teensy": {"give": 8, "take": 9}}),
        ("op,Pico ns,Teensy ns\na,5,7\nb,6,8\n", "",
         {"pico": ROWS, "teensy": {"a": 7, "b": 8}}),
    ],
)  # fmt: skip
def test_a_table_on_its_side_is_turned(text, unit, expected):
    assert shown(take(text, unit=unit)) == expected


def test_47_rows_of_one_run_are_no_47_runs():
    heads = [f"row{place}" for place in range(47)]
    for lines, told in (
        (["cycles"], {}), (["min cycles", "p99 cycles"], {"min", "p99"}),
    ):  # fmt: skip
        cells = [",".join([line, *(str(10 + n) for n in range(47))]) for line in lines]
        (run,) = take(",".join(["what", *heads]) + "\n" + "\n".join(cells) + "\n")
        assert {row.id: row.p50 for row in run.rows} == {f"row{n}": 10 + n for n in range(47)}
        assert set(str(run.rows[0].extra.get("told", "")).split()) == set(told)


@pytest.mark.parametrize(
    "value",
    [
        [{"name": "a", "ns": 5}, {"name": "b", "ns": 6}], [["name", "ns"], ["a", 5], ["b", 6]],
        {"date": "today", "results": [{"op": "a", "time_ns": 5}, {"op": "b", "time_ns": 6.0}]},
        {"a": {"ns": 5, "max_ns": 9}, "b": {"ns": 6, "max_ns": 7}},
        [{"name": "a", "ns": "5"}, {"name": "b", "ns": 6, "more": [1, {}], "none": None}],
    ],
)  # fmt: skip
def test_json_arrays_of_rows(value):
    assert shown(take(json.dumps(value))) == {"unnamed": ROWS}
    assert shown(take(json.dumps(value, indent=1).encode("utf-16"))) == {"unnamed": ROWS}


def test_json_lines():
    text = '{"name":"a","ns":4.623}\n{"name":"b","ns":6}\n'
    assert shown(take(text)) == {"unnamed": {"a": 4.623, "b": 6}}  # JSON's point is a point


EDGE = "+----+----+\n"
DRAWN = {
    "org": "* Results\n| op   |  ns |\n|------+-----|\n| a    |   5 |\n| b    |   6 |\n",
    "psql": " op | ns \n----+----\n a  |  5\n b  |  6\n(2 rows)\n",
    "mysql": f"{EDGE}| op | ns |\n{EDGE}| a  | 5  |\n| b  | 6  |\n{EDGE}2 rows in set\n",
    "rst": f"{EDGE}| op | ns |\n+====+====+\n| a  | 5  |\n{EDGE}| b  | 6  |\n{EDGE}",
    "box": "┌────┬────┐\n│ op │ ns │\n├────┼────┤\n│ a  │  5 │\n│ b  │  6 │\n└────┴────┘\n",
    "rich": "┏━━━━┳━━━━┓\n┃ op ┃ ns ┃\n┡━━━━╇━━━━┩\n│ a  │ 5  │\n│ b  │ 6  │\n└────┴────┘\n",
    "fenced": "Text.\n\n```\n| op | ns |\n|---|---|\n| `a` | **5** |\n| b | 6 |\n```\n",
    "without bars around": "op | ns\n:-- | --:\na | 5\nb | 6\n",
    "indented": "    | op | ns |\n    |----|---:|\n    | a  | 5  |\n    | b  | 6  |\n",
}


@pytest.mark.parametrize("name", DRAWN)
def test_tables_that_are_drawn(name):
    (run,) = take(DRAWN[name])
    assert (shown([run]), run.failures) == ({"unnamed": ROWS}, ())


def test_a_bar_in_a_cell_and_two_tables_in_a_row():
    (run,) = take("| op | ns |\n|---|---|\n| a\\|x | 5 |\n")
    assert run.rows[0].id == "a_x"
    both = "| op | ns |\n|---|---|\n| a | 5 |\n| op | us |\n|---|---|\n| b | 6 |\n"
    assert shown(take(both)) == {"unnamed": {"a": 5}}
    assert shown(take(both, number=2)) == {"unnamed": {"b": 6000}}


HTML = """<!DOCTYPE html><html><head><title>x</title><style>td { color: red }</style></head><body>
<h1>Results</h1><table><thead><tr><th>Op<th>Pico (ns)<th>Teensy (ns)</thead>
<tr><td><code>a</code><td>4&nbsp;623<td>5 &plusmn; 1
<tr><td>b<td>1<b>2</b><td>7</table></body></html>
"""
SPANS = """<table><tr><th rowspan=2>Op</th><th colspan=2>ns</th></tr>
<tr><th>Pico</th><th>Teensy</th></tr><tr><td>a</td><td>1</td><td rowspan="2">2</td></tr>
<tr><td>b</td><td>3</td></tr></table>"""


def test_tables_in_html():
    assert shown(take(HTML)) == {"pico": {"a": 4623, "b": 12}, "teensy": {"a": 5, "b": 7}}
    assert shown(take(SPANS)) == {"ns_pico": {"a": 1, "b": 3}, "ns_teensy": {"a": 2, "b": 2}}


def test_what_only_looks_like_html_is_text():
    assert as_markdown("BM_X<int> a < b && c > d\n") == "BM_X<int> a < b && c > d\n"


@pytest.mark.parametrize(
    "text",
    [
        "<table>" * 2000, "<table><tr>" + "<td rowspan=999 colspan=999>5" * 50, "[" * 5000,
        "[[]]", "[{}]", "[null]", "{}", '{"a":{}}', "|-" * 3000, "|\n|-\n" * 500, "<!--", "<table",
        "<![CDATA[<table>", "[[1,2],[3]]", '[{"a":1e999,"b":NaN},{"a":"x"}]', "+\n+-\n+", "┌\n│\n",
    ],
)  # fmt: skip
def test_what_is_no_table_is_reported(text):
    begun = time.monotonic()
    with pytest.raises(FoliotError):
        take(text)
    assert time.monotonic() - begun < 5


HYPERFINE = """| Command | Mean [s] | Min [s] | Max [s] | Relative |
|:---|---:|---:|---:|---:|
| `named` | 1.104 \u00b1 0.003 | 1.100 | 1.106 | 1.00 |
"""


def test_what_has_no_unit_beside_statistics_is_no_board():
    found = table_runs(io.BytesIO(HYPERFINE.encode()), "table", TableOptions(yes=True))
    (row,) = found.runs[0].rows
    assert (row.p50, row.told("min"), row.told("max")) == (1.104e9, 1.1e9, 1.106e9)
    assert row.extra["stddev"] == 3e6
    assert found.left_out == ["column 'Relative': 1 cell, as '1.00': not taken"]
    text = "command,mean,stddev,median,user,min,max\nls,1.5,0.25,1.25,0.5,1.0,2.0\n"
    (run,) = take(text, unit="s")
    assert {row.id: row.p50 for row in run.rows} == {"ls": 1.25e9}


def test_a_quoted_cell_over_lines_is_one_and_one_that_never_ends_hides_nothing():
    text = 'Name,Time (ns)\n"a, b","1,234.5"\n"c\nd",7\ne,8\n'
    (table,) = tables(text)
    assert table.lines == (("a, b", "1,234.5"), ("c d", "7"), ("e", "8"))
    assert table.numbers == (2, 3, 5)
    assert tables(text.replace('d"', "d") + "f,9\n" * 20) == []


def test_a_spreadsheets_word_of_its_delimiter_is_none_of_the_table():
    (table,) = tables("sep=;\nop;ns\na;1,5\nb;2\n")
    assert (table.head, table.numbers) == (("op", "ns"), (3, 4))


PLAIN = """
Times of our board, by hand:

Benchmark            Zyklen   Bemerkung
---------------------------------------
Semaphor geben        4.623   -
Semaphor nehmen      12.001   oft
Mutex                   812   -

That was all of it.
"""


def test_columns_that_two_blanks_part_have_names_of_several_words():
    assert shown(take(PLAIN)) == {
        "unnamed": {"semaphor_geben": 4623, "semaphor_nehmen": 12001, "mutex": 812}
    }
    assert tables("Some text  with two blanks\nand another  line of it\n") == []


def test_lines_of_different_units_are_rows_and_no_boards():
    text = "| Operation | Zephyr | FreeRTOS |\n|---|---|---|\n"
    runs = take(text + "| give (cycles) | 76 | 50 |\n| take (us) | 1.2 | 1.3 |\n")
    assert [(run.header.board, run.header.unit, run.rows[0].p50) for run in runs] == [
        ("zephyr", "cycles", 76), ("zephyr", "ns", 1200),
        ("freertos", "cycles", 50), ("freertos", "ns", 1300),
    ]  # fmt: skip
