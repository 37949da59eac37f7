# SPDX-License-Identifier: Apache-2.0
"""Reading what others measured: every format, pages as they are, and what can't be read."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pages
import pytest

import logs
from foliot.importers.document import Reader, read_file
from foliot.model.errors import LogError, UsageError
from foliot.reference import systems

ROOT = Path(__file__).resolve().parents[2]


def read(content: str | bytes):
    data = content.encode() if isinstance(content, str) else content
    reader = Reader("file.txt")
    return list(reader.read(io.BytesIO(data))), reader


def only(content):
    (run,), _ = read(content)
    return run


def values(run):
    return {row.id: row.p50 for row in run.rows}


def test_the_article():
    runs, reader = read(pages.article())
    assert [run.header.board for run in runs] == [board[1] for board in pages.BOARDS]
    for run, board in zip(runs, pages.BOARDS, strict=True):
        assert run.rows == pages.published(board[1]).rows
        assert run.origin.title == board[0]
        assert run.origin.kernel_version == "v4.3.0-3523-g588d22464d13"
        assert run.header.core == board[3]
        assert run.header.clock_hz == int(board[4].split()[0]) * 1_000_000
        assert run.header.memory == f"RAM {board[5]}, ROM {board[6]}"
        assert run.successful
    assert [len(run.origin.summary) for run in runs] == [7] * 8
    assert reader.lines == pages.article().count("\n")
    assert reader.skipped > 30


def test_a_numbered_readme_holds_four_configurations():
    runs, _ = read(pages.readme())
    assert [run.header.configuration[0] for run in runs] == [
        "default", "canaries", "objcore", "userspace",
    ]  # fmt: skip
    assert [len(run.rows) for run in runs] == [47, 47, 47, 124]
    assert all(run.header.clock_measured_hz == 120_000_000 for run in runs)
    expected = systems.load("zephyr-readme-2025-userspace@unnamed")
    assert values(runs[3]) == values(expected)


def test_l4res_table_on_a_single_line():
    runs, _ = read(pages.L4RE)
    named = {(run.header.board, run.header.unit): values(run) for run in runs}
    assert named["intel_n100", "cycles"] == {
        "ipc.intra": 622, "ipc.inter": 1395, "ipc.syscall": 190,
    }  # fmt: skip
    assert named["intel_n100", "tsc"]["ipc.intra"] == 173
    assert named["intel_n100", "insn"]["ipc.intra"] == 5431
    assert named["intel_xeon_platinum_8352s", "cycles"]["ipc.inter"] == 1128
    assert named["arm_cortex_a76_el1", "cycles"]["ipc.syscall"] == 138
    assert named["arm_cortex_a53_el2", "cycles"]["ipc.intra"] == 661
    assert len(named) == 8


def test_the_same_table_in_lines():
    text = pages.L4RE.replace(" | |", " |\n|").replace("+ |", "+\n|")
    assert len(read(text)[0]) == 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (pages.KERNELPERF, {"periodic.tick.16_of_16": 58000, "periodic.queue.16": 35000,
                            "periodic.queue.first": 600, "periodic.queue.each_further": 200,
                            "periodic.check.thread": 1300, "periodic.switch": 1250,
                            "periodic.switch.16": 20000, "periodic.tick.8_of_16": 32000,
                            "periodic.tick.8_of_8": 22000,
                            "periodic.tick.16_rising_priority": 32000}),
        (pages.THREAD_METRIC, {"thread_metric.cooperative": 5000.0,
                               "thread_metric.interrupt_preemption": 10000.0}),
        (pages.IPCBENCH, {"ipc.intra": 562, "ipc.inter": 691, "ipc.syscall": 230}),
        (pages.OLDEST, {"isr.resume.interrupted.thread.kernel": 12591,
                        "isr.resume.different.thread.kernel": 8344,
                        "semaphore.give.immediate.kernel": 63,
                        "thread.yield.preemptive.ctx.k_to_k": 110}),
        (pages.OLDER, {"thread.yield.preemptive.ctx.k_to_k": 519,
                       "thread.yield.preemptive.ctx.k_to_u": 1390,
                       "thread.start.user.from.kernel": 6715,
                       "semaphore.take.blocking.u_to_k": 1690,
                       "semaphore.take.immediate.kernel": 2048,
                       "heap.free.immediate": 431}),
        (pages.sel4(), {"ipc.inter": 260.0, "ipc.intra.10_words": 703.0, "ipc.syscall": 131.0}),
        (pages.sel4("BEGIN JSON OUTPUT", "\nEND JSON OUTPUT"),
         {"ipc.inter": 260.0, "ipc.intra.10_words": 703.0, "ipc.syscall": 131.0}),
        (pages.sel4().partition("JSON OUTPUT\n")[2].partition("END")[0],
         {"ipc.inter": 260.0, "ipc.intra.10_words": 703.0, "ipc.syscall": 131.0}),
    ],
)  # fmt: skip
def test_formats(text, expected):
    assert values(only(text)) == expected


def test_units_and_versions_of_the_formats():
    assert only(pages.KERNELPERF).header.unit == "ns"
    assert only(pages.KERNELPERF).origin.kernel == "kernel-v1"
    assert only(pages.IPCBENCH).header.unit == "cycles"
    assert only("CPU: Intel N100\n" + pages.IPCBENCH).header.unit == "tsc"
    assert only(pages.OLDEST).origin.kernel_version == "v1.7.99"
    assert only(pages.OLDER).header.clock_hz == 120_000_000


def test_sel4s_raw_results_are_a_distribution():
    row = only(pages.sel4()).row("ipc.inter")
    assert row.histogram == ((258, 1), (260, 2), (262, 1))
    assert (row.n, row.first, row.max_index) == (4, 258, 3)


def test_twisters_files():
    run = pages.published("rpi_pico2")
    records = [
        {"metric": row.id, "description": row.text, "cycles": str(row.p50),
         "nanoseconds": str(int(row.ns))}
        for row in run.rows
    ]  # fmt: skip
    table = io.StringIO()
    writer = csv.DictWriter(table, sorted(records[0]), quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    writer.writerows(records)
    assert values(only(table.getvalue())) == values(run)
    merged = [{key: [record[key] for record in records] for key in records[0]}]
    for recording in (records, merged):
        report = {
            "environment": {"zephyr_version": "v4.3.0-1-gabc"},
            "testsuites": [
                {"name": "kernel.common", "platform": "qemu_x86"},
                {"name": "benchmark.kernel.latency.userspace", "platform": "rpi_pico2/rp2350a/m33",
                 "recording": recording},
            ],
        }  # fmt: skip
        read_run = only(json.dumps(report, indent=4))
        assert values(read_run) == values(run)
        assert read_run.header.board == "rpi_pico2_rp2350a_m33"
        assert read_run.header.configuration == ("userspace",)
        assert read_run.origin.kernel_version == "v4.3.0-1-gabc"


def test_our_own_logs_several_in_one_file():
    record = logs.row("semaphore.give.immediate.kernel", [9] * 200)
    first = logs.log([record], boot="*** Foliot on ibex ***\n")
    second = logs.log([record], {**logs.HEADER, "suite": "ipc"})
    runs, reader = read(f"minicom 2.8\n{first}reset\n{second}")
    assert [run.header.suite for run in runs] == ["latency", "ipc"]
    assert not runs[0].published
    assert runs[0].rows[0].evidence == {"switches": 200}
    assert runs[0].origin.lines == (3, 7)
    assert reader.skipped == 3


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_our_own_log_cut_off_is_refused_whole(cut):
    good = logs.log([logs.row(f"a.{i}", [9] * 200) for i in range(20)])
    text = good + good[: int(len(good) * cut)]
    with pytest.raises(LogError, match=r"file.txt: line"):
        read(text)


def test_a_foreign_log_cut_off_keeps_its_whole_lines():
    text = pages.log(pages.published("rpi_pico"))
    run = only(text[: len(text) // 2])
    assert 10 < len(run.rows) < 40


def test_our_human_lines_alone_are_rows():
    run = only("a.b - Some operation :      12 insn :\nc.d - Other : FAILED : no heap\n")
    assert (run.header.unit, values(run)) == ("insn", {"a.b": 12})
    assert run.failures[0].reason == "no heap"


def test_our_human_lines_under_our_banner():
    row = "semaphore.give.immediate.kernel - Give : 12 cycles , 120 ns :"
    run = only(f"*** Foliot 0123456789ab on ibex ***\n{row}\n")
    assert (run.origin.kernel, run.origin.kernel_version) == ("Foliot", "0123456789ab")
    assert (run.header.board, run.header.suite) == ("ibex", "latency")


def test_rows_of_nobody_known():
    run = only("my.row - Something : 12 cycles , 120 ns :")
    assert (run.origin.kernel, run.header.suite) == ("", "rows")


def test_rows_that_failed():
    run = only("a.b - Text : FAILED , FAILED : tick occurred\nc.d - Text : 5 cycles , 9 ns :\n")
    assert (run.failures[0].id, run.failures[0].reason) == ("a.b", "tick occurred")
    assert not run.successful


def test_a_row_that_comes_again_begins_a_new_run():
    runs, _ = read("a.b - T : 5 cycles , 9 ns :\na.b - T : 6 cycles , 9 ns :\n")
    assert [values(run) for run in runs] == [{"a.b": 5}, {"a.b": 6}]


@pytest.mark.parametrize(
    "decorate",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: "\n".join(f"[00:00:01.{i % 999:03},000] {line}"
                               for i, line in enumerate(text.split("\n"))),
        lambda text: "\n".join(f"\x1b[0;32m{line}\x1b[0m" for line in text.split("\n")),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode() + b"\xff\xfe garbage \x80\n",
    ],
)  # fmt: skip
def test_what_stands_around_a_row(decorate):
    run = pages.published("rpi_pico")
    assert values(only(decorate(pages.log(run)))) == values(run)


def test_csv_lines_of_a_board():
    text = "\n".join(
        f"{f'{row.id} - {row.text}':<94},{row.p50:>8},{int(row.ns):>8},"
        for row in pages.published("rpi_pico").rows
    )
    assert values(only(text)) == values(pages.published("rpi_pico"))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the file is empty"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "a binary file"),
        (b"PK\x03\x04\x14\0\x06\0xl/workbook.xml\0", "a workbook or an archive"),
        (b"nothing\nof interest\n", "no row in 2 lines"),
        (b'{"schema": 1}', "no row in"),
        (b"[1, 2", "no row in"),
        (b'{"testsuites": []}', "no row in"),
        (b"a.b - T : 99999999999999999999999999 cycles , 1 ns :", "beyond 64 bits"),
        (b"a.b - T : 9223372036854775808 cycles , 1 ns :", "beyond 64 bits"),
        (b"a.b - T : 1 cycles , 99999999999999999999 ns :", "beyond 64 bits"),
        (b"JSON OUTPUT\n[{]\nEND JSON OUTPUT\n", "garbled"),
        (b"JSON OUTPUT\n[\n", "cut off"),
        (b"JSON OUTPUT\n{}\nEND JSON OUTPUT\n", "not sel4bench's"),
        (b"metric,cycles,nanoseconds\na.b,x,1\n", "line 2: a.b"),
        (b"metric,cycles,nanoseconds\n,1,1\n", "line 2: '' is no row id"),
        (b"metric,cycles,nanoseconds\n", "no row"),
        (b'{"schema":1,"board":"b","unit":"cycles","rows":[{"id":"a"}]}', "no row"),
        (b'{"schema":1,"board":"b","unit":"cycles","rows":[{"id":"a","p50":1e300}]}', "64 bits"),
        (b"x" * (5 << 20), "longer than 4 MiB"),
    ],
)
def test_what_cannot_be_read(content, what):
    with pytest.raises(LogError, match=what) as refusal:
        read(content)
    assert "\n" not in refusal.value.message
    assert len(refusal.value.message) < 200
    if "no row in" in refusal.value.message:
        for name in ("Zephyr", "Foliot", "twister", "sel4bench", "L4Re", "Thread-Metric"):
            assert name in refusal.value.advice


def test_files_that_are_none(tmp_path):
    with pytest.raises(UsageError, match="is a directory"):
        read_file(tmp_path)
    with pytest.raises(UsageError, match="no such file"):
        read_file(tmp_path / "nothing")


def test_the_contributing_guides_importer_is_one_file_and_works(tmp_path):
    """The recipe's file, put where a format is found by being there, and nothing else touched."""
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    (tmp_path / "latency_of.py").write_text(recipe, encoding="utf-8")
    script = (
        "import io, sys, foliot.importers\n"
        "foliot.importers.__path__.append(sys.argv[1])\n"
        "from foliot.importers.document import Reader\n"
        "reader = Reader('x')\n"
        "(run,) = reader.read(io.BytesIO(sys.stdin.buffer.read()))\n"
        "print([(row.id, row.p50) for row in run.rows], reader.skipped)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        input=b"boot\nlatency of give: 123 cycles\nnoise\nlatency of take a lock: 45 cycles\n",
        capture_output=True, check=True, timeout=60, env={"PYTHONPATH": str(ROOT / "lab")},
    )  # fmt: skip
    assert done.stdout == b"[('give', 123), ('take_a_lock', 45)] 2\n"
