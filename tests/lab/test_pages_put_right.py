# SPDX-License-Identifier: Apache-2.0
"""Pages on which figures once went wrong or were lost: percentiles, wraps, encodings, units."""

from __future__ import annotations

import io
import random

import pages
import pytest

from foliot.importers.document import Reader
from foliot.judge.doubts import examine_saved
from foliot.model.errors import LogError

BOARDS = ("nucleo_f401re", "nucleo_g431kb", "microbit_v2.2")
ROW = "semaphore.give.immediate.kernel - Give a semaphore : 76 cycles , 760 ns :"
LOG = pages.log(pages.published("nucleo_f401re"))
TRUE = {row.id: row.p50 for row in pages.published("nucleo_f401re").rows}


def read(content: str | bytes):
    reader = Reader("page")
    data = content.encode() if isinstance(content, str) else content
    return [examine_saved(run) for run in reader.read(io.BytesIO(data))], reader


def only(content: str | bytes):
    (run,), _ = read(content)
    return run


@pytest.mark.parametrize(
    "behind",
    [
        " min 70 p50 75 p90 80 p99 91 max 120", " p50=75 p90=80 p99=91, min=70, max=120",
        " (min: 70, median: 75, p90: 80, p99: 91, max: 120)",
        " min 70 cycles , p50 75 cycles , p90 80 cycles , p99 91 cycles , max 120 cycles",
        " | min 70 | max 120 | p50 75 | p90 80 | p99 91 |",
    ],
)  # fmt: skip
def test_percentiles_behind_the_figures_are_kept(behind):
    row = only(f"{ROW}{behind}\n").rows[0]
    told = {name: row.told(name) for name in ("min", "p90", "p99", "max")}
    assert (row.p50, row.ns, row.extra["p50"]) == (76, 760, 75)
    assert told == {"min": 70, "p90": 80, "p99": 91, "max": 120}


def test_percentiles_of_many_rows_and_of_the_same_words():
    text = "\n".join(
        f"{ROW[:-20]}{76 + n} cycles , {760 + 10 * n} ns : p99 {90 + n}" for n in range(3)
    )
    runs, _ = read(text.replace("semaphore : ", "semaphore : "))
    assert [run.rows[0].told("p99") for run in runs] == [90, 91, 92]


def test_percentiles_without_a_column_in_ns_or_out_of_order():
    row = only(f"{ROW} p95 85 p99.9 99.5 n 1000 max 1200 ns\n").rows[0]
    assert (row.extra["p95"], row.extra["p999"], row.n, row.extra["max_ns"]) == (
        85,
        99.5,
        1000,
        1200,
    )
    run = only(f"{ROW} min 90 max 20\n")
    assert "line-damaged" in {doubt.name for doubt in run.doubts}
    assert run.rows[0].told("max") is None or "told" not in run.rows[0].extra


@pytest.mark.parametrize("behind", [" and so on", " p99 ninety", " PASS", " 12 13"])
def test_other_words_behind_the_figures_change_nothing(behind):
    assert only(f"{ROW}{behind}\n").rows == only(f"{ROW}\n").rows


@pytest.mark.parametrize("unit", ["µs", "us", "ms", "μs"])
def test_times_in_another_unit_are_refused_for_that(unit):
    with pytest.raises(LogError, match=f"its time is in {unit}: this benchmark prints cycles"):
        read(ROW.replace("760 ns", f"0.76 {unit}") + "\n")
    with pytest.raises(LogError, match=f"its time is in {unit}"):
        read(ROW.replace("76 cycles , 760 ns", f"0.76 {unit}") + "\n")


@pytest.mark.parametrize("noise", [b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\xff\xfe\r\n"])
def test_bytes_of_a_plug_are_no_mark_of_utf_16(noise):
    run = only(noise + LOG.encode())
    assert {row.id: row.p50 for row in run.rows} == TRUE


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_with_its_mark_and_without(encoding):
    for text in (LOG, f"# 測定結果\n\n長い説明があります。\n\n{LOG}"):
        run = only(text.encode(encoding))
        assert {row.id: row.p50 for row in run.rows} == TRUE


def test_ligatures_of_a_pdf():
    text = LOG.replace("fi", "\ufb01").replace("ff", "\ufb00")
    runs, reader = read(text)
    assert {row.id: row.p50 for row in runs[0].rows} == TRUE
    assert reader.cleaned.counts["ligatures"] == text.count("\ufb01") + text.count("\ufb00") > 0


def wrapped(board: str, bits: int, samples: int, share: float, seed: int):
    """Return a log in which a counter wrapped in that share of rows, and what is true of it."""
    chance = random.Random(seed)
    run = pages.published(board)
    hz, true, wrong, lines = run.header.clock_measured_hz, {}, {}, []
    for row in run.rows:
        value = int(run.values().get(row.id) or 0)
        if value > 0:
            true[row.id] = value
            if chance.random() < share:
                wrong[row.id] = value + chance.randint(1, 12) * 2**bits // samples
            shown = wrong.get(row.id, value)
            lines.append(f"{row.id} - {row.text} : {shown} cycles , {int(shown * 1e9 / hz)} ns :")
    return only("\n".join(lines) + "\n"), true, wrong


def doubted(run):
    return {doubt.row for doubt in run.doubts if doubt.name not in ("row-missing", "id-unknown")}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("bits", "share"), [(24, 0.2), (24, 0.5), (24, 0.75)])
def test_wraps_of_most_rows_are_found_and_the_good_rows_are_not_accused(board, seed, bits, share):
    run, true, wrong = wrapped(board, bits, 1000, share, seed)
    assert wrong.keys() - doubted(run) == set()
    found = doubted(run) - wrong.keys() - {None}
    assert len(found) <= max(2, 0.2 * len(true)), found
    known = [row for row in wrong if run.values().get(row)]
    assert sum(abs(run.values()[row] - true[row]) < 20 for row in known) >= 0.9 * len(known)


@pytest.mark.parametrize("board", BOARDS)
def test_wraps_whose_step_is_small_leave_no_row_undoubted_that_is_far_off(board):
    run, true, wrong = wrapped(board, 16, 1000, 0.5, 1)
    assert "rows-scattered" in {doubt.name for doubt in run.doubts if doubt.row is None}
    far = {row for row, value in wrong.items() if value > 2.5 * true[row]}
    assert far - doubted(run) == set()


def test_published_logs_are_not_accused_of_small_steps():
    for board in BOARDS:
        run = examine_saved(pages.published(board))
        assert "rows-scattered" not in {doubt.name for doubt in run.doubts}
