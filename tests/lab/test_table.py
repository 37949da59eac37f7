# SPDX-License-Identifier: Apache-2.0
"""Results as text: 100 columns at most, plain where nobody watches, nothing cut off."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

import logs
from foliot.judge import doubts
from foliot.log.reader import parse
from foliot.measure.other_kernel import ForeignReader
from foliot.model import archive
from foliot.model.errors import LogError
from foliot.model.run import Footprint, Reference
from foliot.reference import rows
from foliot.show import terminal
from foliot.show.table import doubt_lines, footprint_lines, print_run, summary_lines

BLOCKS = dict.fromkeys(("thread", "semaphore", "mutex", "condvar", "fifo", "lifo", "heap"), 1234)


def shown(run) -> str:
    out = io.StringIO()
    print_run(run, terminal.console(out))
    return out.getvalue()


def wide_run(value: int):
    """Return a run of all 124 rows with large figures, long texts and a doubt each."""
    records = [logs.row(row.id, [value, 5 * value, value]) for row in rows.catalogue()]
    header = {**logs.HEADER, "core": "A core with a long name " * 4, "flags": "-O2 -mcpu=x " * 9}
    run = parse(logs.log([*records, logs.failure("a.row", "a long reason " * 12)], header))
    reference = Reference("Zephyr 3.3 -O2", 12345.6)
    run = run.with_rows([replace(row, floor=77.0, reference=reference) for row in run.rows])
    run = doubts.examine(run, doubts.Context("ibex", "cycles", "latency"))
    return replace(run, footprint=Footprint(123456, 12345, 123456, BLOCKS, (999999, 99999, 999999)))


@pytest.mark.parametrize("value", [7, 123456])
def test_everything_fits_100_columns(value):
    text = shown(wide_run(value))
    assert max(map(len, text.splitlines())) <= 100
    for row in rows.catalogue():
        assert f"{row.id} *" in text


def test_plain_in_a_pipe():
    assert "\x1b" not in shown(wide_run(50))


def test_colour_only_on_a_terminal_and_not_against_no_color(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert not terminal.console(Terminal()).no_color
    monkeypatch.setenv("NO_COLOR", "")
    assert terminal.console(Terminal()).no_color


def test_ratios_means_and_footprint():
    record = logs.row("semaphore.give.immediate.kernel", [20] * 200)
    run = parse(logs.log([record]))
    row = replace(run.rows[0], floor=16.0, reference=Reference("Zephyr", 80.0))
    text = shown(replace(run.with_rows([row]), footprint=Footprint(1500, 4, 80, {"thread": 64})))
    assert "1.25" in text
    assert "0.25" in text
    assert "geometric mean 1.25 times the floor, over 1 row" in text
    assert "kernel: text 1500, data 4, bss 80 bytes" in text
    assert "control blocks: thread 64 bytes" in text
    assert "doubts: none" in text


def test_equal_doubts_of_many_rows_are_said_once():
    run = doubts.examine(
        parse(logs.log([logs.row(name, [5] * 20) for name in "abc"])),
        doubts.Context("ibex", "cycles", "latency"),
    )
    lines = doubt_lines(run.doubts)
    assert len([line for line in lines if "few-samples" in line or "samples say" in line]) <= 2
    assert "a: 20 samples say little about p99 and max (and 2 more rows)" in lines[1]


def test_footprint_without_debug_information():
    assert footprint_lines(Footprint(1, 2, 3, {})) == [
        "kernel: text 1, data 2, bss 3 bytes; whole image: 0, 0, 0"
    ]


def test_foreign_rows_show_no_distribution():
    from foliot.target import boards

    reader = ForeignReader()
    for line in (b"*** Booting Zephyr ***", b"heap.free - Heap free : 287 cycles , 2870 ns :"):
        reader.feed(line)
    run = reader.finish(boards.load("ibex"), "zephyr.elf")
    assert "287" in shown(run)
    assert run.header.kernel_commit == "Booting Zephyr"


def test_an_image_without_rows():
    from foliot.target import boards

    with pytest.raises(LogError, match="printed no row"):
        ForeignReader().finish(boards.load("ibex"), "x.elf")


def test_a_doubted_reference_has_a_star_and_is_in_no_mean():
    run = parse(logs.log([logs.row("a.b", [20] * 200), logs.row("a.c", [20] * 200)]))
    sound, doubted = Reference("Zephyr", 40.0), Reference("Zephyr", 4000.0, doubted=True)
    run = run.with_rows([replace(run.rows[0], reference=sound),
                         replace(run.rows[1], reference=doubted)])  # fmt: skip
    text = shown(run)
    assert "4000*" in text
    assert "geometric mean 0.50 times Zephyr, over 1 row; 1 in doubt left out" in text
    only = run.with_rows(run.rows[1:])
    assert summary_lines(only) == ["no geometric mean over Zephyr: of 1 row all are in doubt"]
    assert archive.load(*archive.dump(run)).rows[1].reference == doubted
