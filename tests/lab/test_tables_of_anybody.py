# SPDX-License-Identifier: Apache-2.0
"""Anybody's table: columns said or guessed, and nothing recorded on an unconfirmed guess."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from foliot.importers.plain_table import decoded, tables
from foliot.importers.table_columns import guessed, runs_of, said, with_writings, without_unit
from foliot.importers.written import conventions, figure
from foliot.model.errors import LogError, UsageError

ROOT = Path(__file__).resolve().parents[2]
MIXED = "Operation,Latency (us),Max (us),Comment\ngive,1.25,3.5,ok\ntake,2.3,9,\nlock,n/a,1,x\n"
BOARDS = "| Item | Teensy | Pico |\n|---|--:|--:|\n| switch | 131 | 412 |\n| lock | 20 | --- |\n"


def read(text, unit=""):
    (table,) = tables(text)
    columns = guessed(table, unit)
    assert columns is not None
    columns, still = with_writings(columns, table, conventions())
    assert not still
    return runs_of(table, columns, "x")


def test_times_become_ns_and_what_is_no_figure_is_reported():
    (run,) = read(MIXED)
    assert run.header.unit == "ns"
    assert {row.id: (row.p50, row.told("max")) for row in run.rows} == {
        "give": (1250, 3500), "take": (2300, 9000),
    }  # fmt: skip
    assert [(one.id, one.reason) for one in run.failures] == [
        ("lock", "line 4: 'n/a' is no figure")
    ]


def test_a_column_a_board_is_a_run_each():
    runs = read(BOARDS, "cycles")
    assert [(run.header.board, {row.id: row.p50 for row in run.rows}) for run in runs] == [
        ("teensy", {"switch": 131, "lock": 20}), ("pico", {"switch": 412}),
    ]  # fmt: skip
    assert runs[1].failures[0].id == "lock"


def test_a_unit_that_nobody_tells_is_not_guessed():
    (table,) = tables(BOARDS)
    assert without_unit(guessed(table, ""), table) == ["Teensy", "Pico"]


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("name;cycles;ns\na;100;1000\n", "cycles", {"a": 100}),
        ("name\tinsn\na\t7\n", "insn", {"a": 7}),
        ("test,median [ms],mean [ms]\na,1.5,2\n", "ns", {"a": 1_500_000}),
        ("op,value,unit\na,5,us\nb,7,us\n", "ns", {"a": 5000, "b": 7000}),
        ("op,cost\na,12 cycles\nb,14 cycles\n", "cycles", {"a": 12, "b": 14}),
        ("# a remark\nop,time_ns\na,1e3\n", "ns", {"a": 1000}),
        ("op,time_ns\na,5\na,6\n", "ns", {"a": 5, "a#2": 6}),
        ("op,time_ns\n,5\na,6\n", "ns", {"a": 6}),
        ("op,time_ns\na,\nb,6\n", "ns", {"b": 6}),
        ("op,time_ns\na\nb,6\nc,7\n", "ns", {"b": 6, "c": 7}),
        ("op,time_ns\na,nan\nb,inf\nc,6\nd,7\n", "ns", {"c": 6, "d": 7}),
        ("op,time_ns\na,99999999999999999999999\nb,6\n", "ns", {"b": 6}),
        ("op;time_ns\na;1,234\nb;6\n", "ns", {"a": 1.234, "b": 6}),
    ],
)
def test_guesses(text, unit, expected):
    (run,) = read(text)
    assert run.header.unit == unit
    assert {row.id: row.p50 for row in run.rows} == expected
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(run.rows) + len(run.failures) == len(lines) - 1


def test_units_that_differ_from_line_to_line_are_runs_of_their_own():
    runs = read("op,value,unit\na,5,us\nb,7,insn\nc,9,bogomips\n")
    assert [(run.header.unit, run.rows[0].p50) for run in runs] == [("ns", 5000), ("insn", 7)]
    assert "bogomips" in runs[0].failures[0].reason


@pytest.mark.parametrize(
    "text", ["", "a", "a,b\n", "a,b\n1,2\n", "a,b\nx,y\n", "| a | b |\n", "\n\n"]
)
def test_what_has_no_names_or_no_figures_is_no_guess(text):
    assert all(guessed(table, "ns") is None for table in tables(text))


def test_encodings():
    text = "Größe,Zeit (µs)\nä,5\n"
    for data in (
        text.encode(),
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        text.encode("cp1252"),
    ):
        (run,) = read(decoded(data))
        assert {row.id: row.p50 for row in run.rows} == {"ä": 5000}
    with pytest.raises(LogError, match="binary"):
        decoded(b"\x7fELF\0\0")


@pytest.mark.parametrize(
    ("cell", "value"),
    [("5", (5, "")), ("-1.5", (-1.5, "")), ("1,234,567", (1_234_567, "")), ("1,234", None),
     ("12 us", (12, "us")), ("12µs", (12, "μs")), ("12 apples", None), ("~5", (5, "")),
     ("<5", None), ("5±1", (5, "")), ("", None), ("nan", None), ("1e300", None), ("0x10", None)],
)  # fmt: skip
def test_cells(cell, value):
    found = figure(cell)
    assert (found and (found.value, found.unit)) == value


@pytest.mark.parametrize(
    ("words", "what"),
    [("name=Item", "needs a name and a value"), ("name=Item,value=Nix", "no column 'Nix'"),
     ("colour=Item", "ROLE=COLUMN"), ("name", "ROLE=COLUMN")],
)  # fmt: skip
def test_columns_said_wrongly(words, what):
    (table,) = tables(BOARDS)
    with pytest.raises(UsageError, match=what):
        said(words, table, "")


def test_columns_said():
    (table,) = tables(BOARDS)
    (run,) = runs_of(table, said("name=Item,value=3", table, "insn"), "x")
    assert (run.header.unit, {row.id: row.p50 for row in run.rows}) == ("insn", {"switch": 412})


@pytest.mark.slow
def test_nothing_is_recorded_on_a_guess_alone(foliot, tmp_path, own_store):
    (tmp_path / "a.csv").write_text(MIXED)
    refused = foliot("import", tmp_path / "a.csv", "-q")
    assert refused.returncode == 1
    assert "value  'Latency (us)', in us, turned into ns" in refused.stderr
    assert "nothing was recorded" in refused.stderr
    assert "no runs yet" in foliot("runs").stdout
    assert "1 run, 2 rows" in foliot("import", tmp_path / "a.csv", "-q", "--yes").stdout
    said = ("--columns", "name=Operation,value=Max (us)")
    assert "1 run, 3 rows" in foliot("import", tmp_path / "a.csv", "-q", *said).stdout


@pytest.mark.parametrize(("answer", "status"), [(b"y\n", 0), (b"n\n", 1), (b"\n", 1)])
def test_on_a_terminal_one_is_asked(tmp_path, answer, status):
    (tmp_path / "a.csv").write_text(MIXED)
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "lab"), "TERM": "dumb",
                   "FOLIOT_STORE": str(tmp_path / "store")}  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "foliot", "import", str(tmp_path / "a.csv"), "-q"],
        stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, env=environment,
    )  # fmt: skip
    os.write(ours, answer)
    try:
        printed, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == status
    assert (b"1 run, 2 rows" in printed) == (status == 0)
    os.close(theirs)
    assert b"Record this? [y/N]" in os.read(ours, 8192)
    os.close(ours)


NET = """\
| Method        | N    | Mean        | Error     | StdDev    | Median      | Ratio | Allocated |
|-------------- |----- |------------:|----------:|----------:|------------:|------:|----------:|
| MutexLock     | 1    |    12.34 ns |  0.123 ns |  0.115 ns |    12.30 ns |  1.00 |         - |
| SemaphoreSlim | 1    | 1,234.56 ns | 12.300 ns | 11.500 ns | 1,230.10 ns | 100.0 |      64 B |
| MutexLock     | 1000 |    12.34 us |  0.123 us |  0.115 us |    12.30 us |  1.00 |         - |
"""
NANO = """\
|   ns/op |           op/s |  err% | ins/op | cyc/op |   IPC | total | benchmark |
|--------:|---------------:|------:|-------:|-------:|------:|------:|:----------|
|    5.63 | 177,595,338.98 |  0.0% |   3.00 |  18.00 | 0.167 |  0.00 | `exchange` |
|  125.30 |   7,980,845.97 |  1.2% |  99.00 | 401.00 | 0.247 |  0.01 | `lock` |
"""


def test_a_tools_columns_beside_its_figures_are_no_boards():
    """BenchmarkDotNet's: an error, a ratio; a parameter tells two rows of one name apart."""
    (run,) = read(NET)
    told = {row.id: (row.p50, row.mean, row.extra["stddev"], row.n) for row in run.rows}
    assert told == {
        "mutexlock.1": (12.3, 12.34, 0.115, 1),
        "semaphoreslim.1": (1230.1, 1234.56, 11.5, 1),
        "mutexlock.1000": (12300, 12340, 115, 1),
    }


def test_cycles_and_times_an_operation_beside_rates():
    """nanobench's: op/s are no seconds, and the total is none of either."""
    (run,) = read(NANO)
    assert run.header.unit == "cycles"
    assert {row.id: (row.p50, row.ns) for row in run.rows} == {
        "exchange": (18, 5.63), "lock": (401, 125.3),
    }  # fmt: skip


@pytest.mark.parametrize(
    "head", ["op/s", "Mops/sec", "Throughput (ops/s)", "calls per second", "MB/s", "Messages / s"]
)
def test_a_rate_is_no_time(head):
    (table,) = tables(f"name,{head}\nput,177595\nget,7980\n")
    assert guessed(table, "") is None
    columns = said(f"name=name,value={head}", table, "")
    assert without_unit(columns, table) == [head]


@pytest.mark.parametrize(
    "head", ["Latenz / µs", "t/us", "Wait per call [us]", "us per op", "At 50 % load [us]"]
)
def test_a_quantity_over_its_unit_is_no_rate(head):
    (run,) = read(f"name;{head}\nput;1,5\nget;2\n")
    assert (run.header.unit, [row.p50 for row in run.rows]) == ("ns", [1500, 2000])


def test_boards_are_called_without_the_unit_in_their_heads():
    runs = read("op;FreeRTOS [µs];Zephyr (µs);Our Own µs\ngive;1,27;0,98;3\nlock;2,04;1,1;1,5\n")
    assert [run.header.board for run in runs] == ["freertos", "zephyr", "our_own"]
    assert runs[0].rows[0].p50 == 1270
    runs = read("op,Pico ns,Pico cycles,Teensy ns\ngive,10,5,7\nlock,20,10,8\n")
    assert [run.header.board for run in runs] == ["pico_ns", "pico_cycles", "teensy_ns"]


def test_what_has_no_lines_has_rows():
    page = "<table><tr><th>Primitive<th>Cycles<tr><td>give<td>76<tr><td>lock<td>none</table>"
    (run,) = read(f"<html><body>{page}</body></html>")
    assert [one.reason for one in run.failures] == ["row 2: 'none' is no figure"]
