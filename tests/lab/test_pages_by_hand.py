# SPDX-License-Identifier: Apache-2.0
"""Pages damaged by hand: what comes of each, heading by heading and digit by digit."""

from __future__ import annotations

import io

import pages
import pytest

from foliot.importers.document import Reader
from foliot.judge.doubts import examine_saved
from foliot.model.errors import LogError

PICO = pages.published("nucleo_f401re")
LOG = pages.log(PICO)
ROW = "semaphore.give.immediate.kernel"
TRUE = {row.id: row.p50 for row in PICO.rows}
TABLE = "| Board | Clock |\n|---|---|\n| RPi Pico (RP2040) | 84 MHz |\n| Teensy4.1 | 600 MHz |\n"


def read(text: str | bytes):
    reader = Reader("page")
    data = text.encode() if isinstance(text, str) else text
    return [examine_saved(run) for run in reader.read(io.BytesIO(data))], reader


def only(text: str | bytes):
    (run,), _ = read(text)
    return run


def line_of(row_id: str) -> str:
    return next(line for line in LOG.split("\n") if line.startswith(row_id))


def names(run, row: str | None = ROW):
    return {doubt.name for doubt in run.doubts if doubt.row == row}


@pytest.mark.parametrize(
    "above",
    [
        "RPi Pico", "# RPi Pico", "### 4.2 RPi Pico", "<h3>RPi Pico</h3>", "**RPi Pico**",
        "RPi Pico\n========", "RPi Pico\n--------\n", "RPi Pico の結果", "Results for RPi Pico:",
        ":::details RPi Pico", "<details><summary>RPi Pico</summary>\n", "rpi_pico\n```",
        "## RPi Pico\n\nIt was powered over USB, which is enough for it.\n\n```text",
        "## RPi Pico\n\n$ west build -p -b rpi_pico tests/benchmarks/latency\n$ west flash\n",
        "## RPi Pico\nAs fast as it gets, though Teensy4.1 is faster of course.\n~~~",
    ],
)  # fmt: skip
@pytest.mark.parametrize("table", [TABLE, ""])
def test_a_heading_is_found_above_whatever_stands_in_between(above, table):
    run = only(f"# What I measured\n\n{table}\n{above}\n{LOG}\n")
    assert run.header.board == "rpi_pico"
    assert {row.id: row.p50 for row in run.rows} == TRUE
    assert not run.doubts
    assert run.header.clock_hz == (84_000_000 if table else 0)


def test_two_logs_under_one_heading_of_a_board():
    runs, _ = read(
        f"{TABLE}\n## RPi Pico\n\n### first\n{LOG}\n### second\n{LOG}\n## Teensy4.1\n{LOG}"
    )
    assert [run.header.board for run in runs] == ["rpi_pico", "rpi_pico", "teensy4.1"]


@pytest.mark.parametrize(
    "table",
    [
        ["| Freq | SRAM | Flash | FPU | what |", "| 84 MHz | 96 KB | 512 KB | o | RPi Pico |"],
        ["| name | Frequency (MHz) | RAM | ROM |", "|---|---|---|---|",
         "| RPi Pico | 84 | 96 KB | 512 KB |"],
        ["| | RPi Pico | Teensy4.1 |", "|---|---|---|", "| Clock | 84 MHz | 600 MHz |",
         "| RAM | 96 KB | 1 MB |", "| ROM | 512 KB | 8 MB |"],
        ["| ? | ?? | RAM | ROM |", "|---|---|---|---|", "| RPi Pico | 84 MHz | 96 KB | 512 KB |"],
        ["<table>", "<tr><th>Board</th><th>Clock</th><th>RAM</th><th>Flash</th></tr>",
         "<tr><td>RPi Pico</td>", "<td>84 MHz</td><td>96 KB</td><td>512 KB</td></tr>", "</table>"],
    ],
)  # fmt: skip
def test_columns_are_told_by_what_they_hold(table):
    text = "\n".join(table)
    run = only(f"{text}\n\n## RPi Pico\n{LOG}\n")
    assert (run.header.board, run.header.clock_hz) == ("rpi_pico", 84_000_000)
    assert run.header.memory == "RAM 96 KB, ROM 512 KB"


def test_a_table_that_is_not_understood_is_named():
    _, reader = read(f"| colour | taste |\n|---|---|\n| red | sweet |\n\n## RPi Pico\n{LOG}\n")
    (note,) = reader.notes
    assert "lines 1 to 3 (colour | taste)" in note


def test_a_device_without_a_log_is_named():
    _, reader = read(f"{TABLE}\n## RPi Pico\n{LOG}\n")
    assert reader.notes == ["no log of Teensy4.1, which the page's table names"]


@pytest.mark.parametrize(("unit", "scale"), [("ns", 1), ("µs", 1e3), ("us", 1e3), ("ms", 1e6)])
@pytest.mark.parametrize("wrong", [False, True])
def test_a_summary_in_any_unit_is_held_against_its_rows(unit, scale, wrong):
    rows = [PICO.rows[place] for place in (0, 9, 20)]
    lines = [f"| item [{unit}] | RPi Pico | Teensy4.1 |"]
    for row in rows:
        value = row.ns * (2 if wrong and row is rows[1] else 1) / scale
        lines.append(f"| {row.text} | {value:.6f} | {row.ns / scale:.6f} |")
    text = "\n".join(lines) + f"\n\n## RPi Pico\n{LOG}\n## Teensy4.1\n{LOG}\n"
    runs, reader = read(text)
    assert not reader.notes
    assert len(runs[0].origin.summary) == 3
    assert ("summary-differs" in names(runs[0], rows[1].id)) is wrong


@pytest.mark.parametrize(
    ("change", "reading"),
    [
        (lambda c, n: (c, n // 10), None),  # a digit of ns is lost: the cycles stand
        (lambda c, n: (c // 10, n), "ns"),
        (lambda c, n: (n, c), "ns"),  # exchanged: the ns column holds the cycles
    ],
)
def test_figures_that_disagree_say_which_is_supported(change, reading):
    row = PICO.row(ROW)
    cycles, ns = change(row.p50, int(row.ns))
    run = only(LOG.replace(f"{row.text} : {row.p50} cycles , {int(row.ns)} ns",
                           f"{row.text} : {cycles} cycles , {ns} ns"))  # fmt: skip
    (doubt,) = [doubt for doubt in run.doubts if doubt.name == "figures-disagree"]
    assert doubt.row == ROW
    assert run.values()[ROW] == pytest.approx(row.p50, abs=1)
    assert doubt.invalidates is (reading is not None)


def test_a_clock_of_5882_mhz_is_no_clock():
    board = pages.published("nucleo_g431kb")
    swapped = "\n".join(f"{row.id} - {row.text} : {int(row.ns)} cycles , {row.p50} ns :"
                        for row in board.rows)  # fmt: skip
    run = only(swapped)
    assert all("clock-impossible" in row.doubts for row in run.rows)
    assert "5882" in run.doubts[0].text
    assert "170 MHz" in run.doubts[0].text
    assert run.values() == {row.id: row.p50 for row in board.rows}


@pytest.mark.parametrize(
    ("before", "after", "was"),
    [
        (ROW, ROW[1:], "lost its first letter"), (ROW, ROW.replace("give", "gvie"), "transposed"),
        (ROW, ROW.partition(".")[2], "lost its beginning"), (ROW, ROW + "l", "one more"),
        ("thread.yield.preemptive.ctx.k_to_k", "thread.yield.preemptive.ctx.k_to_u", "elsewhere"),
    ],
)  # fmt: skip
def test_a_broken_id_is_said_to_be_broken(before, after, was):
    run = only(LOG.replace(before, after))
    assert "id-broken" in names(run, after)
    assert before in next(doubt.text for doubt in run.doubts if doubt.row == after)
    assert "row-missing" in names(run, before)
    assert run.header.configuration == ("default",)


def test_an_id_over_the_text_of_another_row_is_refused():
    row = line_of("fifo.put.immediate.kernel")
    run = only(LOG.replace(row, row.replace("fifo", "lifo")))
    assert "which is that of fifo.put.immediate.kernel" in run.origin.refused[0].reason
    assert "row-missing" in names(run, "fifo.put.immediate.kernel")


@pytest.mark.parametrize(
    ("cycles", "ns", "name", "reading"),
    [
        (429494, 26843395, "sum-negative", None),  # 10,000 samples, 32 bits, 16 MHz
        (18446744073660110, 18446744073660110 * 1000 // 16, "sum-negative", None),
        (429496 + 52, (429496 + 52) * 1000 // 16, "counter-wrapped", 52),
        (3 * 65536 + 51, (3 * 65536 + 51) * 1000 // 16, "counter-wrapped", 51),
    ],
)
def test_counters_of_the_field(cycles, ns, name, reading):
    lines = [f"{row.id} - {row.text} : {row.p50} cycles , {int(row.p50 * 1000 / 16)} ns :"
             for row in PICO.rows if row.id != ROW]  # fmt: skip
    if ns > 2**63:
        ns = 0
    lines.append(f"{ROW} - Give a semaphore (no waiters) : {cycles} cycles , {ns} ns :")
    run = only("\n".join(lines))
    assert name in names(run) or "figures-disagree" in names(run)
    if reading:
        assert run.values()[ROW] == pytest.approx(reading, abs=1)
    else:
        assert ROW not in run.values()


def test_222297965_ns_beside_429496_cycles():
    lines = [f"{row.id} - {row.text} : {row.p50 // 100} cycles , {row.p50 * 305176 // 1000} ns :"
             for row in PICO.rows if row.id != ROW]  # fmt: skip
    lines.append(f"{ROW} - Give a semaphore (no waiters) : 429496 cycles , 222297965 ns :")
    run = only("\n".join(lines))
    assert names(run) & {"figures-disagree", "sum-negative", "counter-wrapped"}
    assert ROW not in run.values()


def test_when_half_of_the_rows_are_wrapped_the_others_are_not_accused():
    lines = []
    for place, row in enumerate(PICO.rows):
        cycles = row.p50 + (place % 7 + 1) * 2**24 // 1000 if place % 2 else row.p50
        lines.append(f"{row.id} - {row.text} : {cycles} cycles , {cycles * 1000 // 84} ns :")
    run = only("\n".join(lines))
    for place, row in enumerate(PICO.rows):
        assert ("counter-wrapped" in names(run, row.id)) is bool(place % 2), row.id
        assert run.values()[row.id] == pytest.approx(row.p50, abs=1.1)
    assert "rows-scattered" in names(run, None)


def test_what_is_refused_is_reported_with_its_line_and_its_reason():
    rows = LOG.split("\n")
    rows[3] = rows[3][: rows[3].index(" cycles")]
    rows[9] = rows[9].replace(" - ", "  ")
    run, reader = only("\n".join(rows)), read("\n".join(rows))[1]
    assert [one.line for one in reader.refused] == [4, 10]
    assert "2 lines look like rows and were not taken: line 4:" in next(
        doubt.text for doubt in run.doubts if doubt.name == "rows-refused"
    )
    assert len(run.rows) == 45


def test_a_log_that_was_cut_says_how_much_of_it_is_there():
    run = only("\n".join(LOG.split("\n")[:6]))
    assert "5 of the 47 rows" in next(d.text for d in run.doubts if d.name == "rows-few")


def test_lines_that_stand_there_twice_are_one_run_and_a_doubt():
    row = line_of(ROW)
    (run,), reader = read(LOG.replace(row, f"{row}\n{row}"))
    assert {row.id: row.p50 for row in run.rows} == TRUE
    assert names(run) == {"line-twice"}
    assert reader.repeated == 1


def test_ends_of_rows_that_were_exchanged_leave_brackets_that_do_not_close():
    first, second = line_of("semaphore.take.blocking"), line_of("condvar.wait.blocking")
    one, other = first.index(")"), second.index(")") + 1
    mixed = LOG.replace(first, first[:one] + second[other:])
    run = only(mixed.replace(second, second[:other] + first[one:]))
    for row in ("semaphore.take.blocking.k_to_k", "condvar.wait.blocking.k_to_k"):
        assert "text-strange" in names(run, row)


def test_ends_of_rows_that_were_exchanged_within_a_mark_are_noticed():
    first, second = line_of("fifo.get.blocking"), line_of("fifo.put.wake")
    one, other = first.index("/"), second.index("/") + 1
    mixed = LOG.replace(first, first[:one] + second[other:])
    run = only(mixed.replace(second, second[:other] + first[one:]))
    for row in ("fifo.get.blocking.k_to_k", "fifo.put.wake+ctx.k_to_k"):
        assert "text-strange" in names(run, row)


def test_two_rows_in_one_line_leave_the_second_with_a_doubt():
    one, other = line_of("fifo.get.immediate.kernel"), line_of(ROW)
    run = only(LOG.replace(other, one.partition("data")[0] + other))
    assert run.values()[ROW] == TRUE[ROW]
    assert "line-damaged" in names(run)


@pytest.mark.parametrize(
    ("decorate", "what"),
    [
        (lambda t: t.replace("\n", "\r"), "line ends of CR alone"),
        (lambda t: t.replace("\n", "<br/>"), "<br> and other tags"),
        (lambda t: t.replace("cycles", "cyc\0les"), "control bytes"),
        (lambda t: t.replace("cycles", "\x1b[31mcyc\x1b[0mles"), "colours and other escape"),
        (lambda t: t.replace(" : ", "\t:\t"), "tabs"),
        (lambda t: t.replace(" ", "\u00a0"), "no-break and wide spaces"),
        (lambda t: t.replace(":", "\uff1a"), "full-width letters"),
        (lambda t: t.replace(" - ", " \u2014 "), "dashes"),
        (lambda t: t.replace("kernel", "ker\u200bnel"), "invisible letters"),
    ],
)  # fmt: skip
def test_what_is_cleaned_is_counted(decorate, what):
    (run,), reader = read(decorate(LOG + "\n"))
    assert {row.id: row.p50 for row in run.rows} == TRUE
    assert not run.doubts
    assert any(kind.startswith(what) and count > 0 for kind, count in reader.cleaned.counts.items())


@pytest.mark.parametrize("width", [80, 60, 50])
def test_rows_that_a_terminal_broke_are_joined(width):
    broken = "\n".join(
        "\n".join(line[at : at + width] for at in range(0, len(line), width))
        for line in LOG.split("\n")
    )
    (run,), reader = read(broken)
    assert {row.id: row.p50 for row in run.rows} == TRUE
    assert not run.doubts
    assert reader.joined > 5


def test_no_control_byte_of_a_device_reaches_the_terminal(foliot, tmp_path):
    page = tmp_path / "page.txt"
    page.write_bytes(LOG.replace(" cycles ,", "\x1b]0;evil\x07 cy ,", 3).encode() + b"\n")
    done = foliot("import", str(page), "--quiet")
    assert "REFUSED line 2" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.returncode == 0


def test_a_page_of_nothing_but_damaged_rows_is_refused_with_the_first_reason():
    with pytest.raises(LogError, match="line 1: figures whose id is lost or broken"):
        read("semaphore : 12 cycles , 120 ns :\n")
