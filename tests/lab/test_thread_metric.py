# SPDX-License-Identifier: Apache-2.0
"""Thread-Metric: the loops are what they say, and the log is one that others can read."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from foliot.importers.thread_metric import ThreadMetric
from foliot.reference import rows, systems
from foliot.target import paths
from support.command import machine_lines

SUITE = paths.SUITES / "thread_metric"
TESTS = rows.expected("thread_metric", ["default"])
SHORT = "CONFIG_THREAD_METRIC_INTERVAL_MS=400\nCONFIG_THREAD_METRIC_PERIODS=2\n"


def read_by_others(log):
    """Return the runs that the importer makes of the lines that Thread-Metric prints too."""
    reader = ThreadMetric("log")
    for number, line in enumerate(log.encode().splitlines(), 1):
        reader.feed(line, number, b"")
    reader.end(0)
    (run,) = reader.done
    return run


def changed(tmp_path, name, before, after):
    """Return a copy of the suite with one line of it changed, and short periods."""
    suite = shutil.copytree(SUITE, tmp_path / "suite")
    text = (suite / name).read_text()
    assert before in text
    (suite / name).write_text(text.replace(before, after))
    (suite / "prj.conf").write_text(SHORT)
    return suite


@pytest.mark.parametrize(
    "board",
    [
        pytest.param("ibex", marks=pytest.mark.long),
        "qemu_riscv32",
        pytest.param("qemu_riscv64", marks=pytest.mark.long),
    ],
)
@pytest.mark.board
def test_all_its_tests_run_with_their_witness(foliot, board):
    done = foliot.run("suites/thread_metric", board, limit_s=600)
    assert done.returncode == 0, done.stdout
    measured = {row["id"]: row for row in machine_lines(done.stdout, "row")}
    assert list(measured) == TESTS
    seen = {name: set(row["evidence"]) - {"counters_agree", "none_overtook"}
            for name, row in measured.items()}  # fmt: skip
    assert seen["thread_metric.preemptive"] == {"preempted"}
    assert seen["thread_metric.interrupt_preemption"] == {"preempted"}
    assert all(len(names) == 1 for names in seen.values())
    assert all(row["batch"] > 10 for row in measured.values())
    assert "not the 30 s that the rules say" in done.stdout


@pytest.mark.board("qemu_riscv32")
def test_what_others_read_in_the_log_is_what_the_rows_say(foliot):
    done = foliot.run("suites/thread_metric", "qemu_riscv32")
    run = read_by_others(done.stdout)
    assert [row.id for row in run.rows] == TESTS
    figures = {row["id"]: row["p50"] for row in machine_lines(done.stdout, "row")}
    for row in run.rows:  # an instruction takes a nanosecond on this board
        assert row.p50 == pytest.approx(figures[row.id], rel=0.02), row.id
        assert row.extra["period_s"] == pytest.approx(0.01)


@pytest.mark.board("mps2_an385")
def test_a_period_by_the_rules_is_printed_as_thread_metric_does(foliot, tmp_path):
    suite = changed(tmp_path, "main.c", "\ttm_objects();\n", "")
    (suite / "prj.conf").write_text("CONFIG_THREAD_METRIC_PERIODS=1\n")
    said = foliot.run(suite, "mps2_an385").stdout
    assert "Interval: 30000 ms\n" in said
    lines = re.findall(r"\*\*\*\* Thread-Metric (.*) Test \*\*\*\* Relative Time: (\S+)\n"
                       r"Time Period Total:  (\d+)\n\n", said)  # fmt: skip
    names = ["Basic Single Thread Processing", "Cooperative Scheduling", "Preemptive Scheduling",
             "Interrupt Processing", "Interrupt Preemption Processing"]  # fmt: skip
    assert [(name, time) for name, time, _ in lines] == [(name, "30") for name in names]


# What is broken, and how: a line of the suite, as a kernel that does not do this would behave.
BROKEN = [
    ("preemptive", "scheduling.c", "6 + (int)i,", "6,", "preempted"),
    ("cooperative", "scheduling.c", "tm_thread_create(i, 3,", "tm_thread_create(i, 3 + (int)i,",
     "all_others_ran"),
    ("interrupt_preemption", "interrupts.c", "tm_thread_create(0, 3, urgent",
     "tm_thread_create(0, 10, urgent", "preempted"),
    ("interrupt", "interrupts.c", "tm_counter[0]++;\n\ttm_semaphore_put();",
     "tm_semaphore_put();\n\ttm_counter[1]--;", "interrupted"),
    ("message", "services.c", "#define MESSAGE_BYTES 16", "#define MESSAGE_BYTES 8", "received"),
    ("synchronization", "services.c", "k_sem_init(&sem, 1, 1)", "k_sem_init(&sem, 2, 2)", "taken"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "name", "before", "after", "missing"),
    [BROKEN[0], *(pytest.param(*case, marks=pytest.mark.long) for case in BROKEN[1:])],
    ids=[case[0] for case in BROKEN],
)
@pytest.mark.board("mps2_an385")
def test_a_loop_that_does_something_else_is_no_figure(
    foliot, tmp_path, test, name, before, after, missing
):
    done = foliot.run(changed(tmp_path, name, before, after), "mps2_an385")
    failed = {line["id"]: line["reason"] for line in machine_lines(done.stdout, "failure")}
    assert list(failed) == [f"thread_metric.{test}"]
    assert re.match(rf"({missing}) \d+ times in 2 samples", failed[f"thread_metric.{test}"])


@pytest.mark.parametrize("board", ["ibex", "mps2_an385"])
def test_other_kernels_figures_stand_under_the_same_names(board):
    kernels = [name for name in systems.names() if name.endswith(f"@{board}")
               and systems.load(name).row("thread_metric.preemptive")]  # fmt: skip
    wanted = {"freertos", "threadx"} | ({"chibios", "riot"} if board == "mps2_an385" else set())
    assert {name.split("@")[0].split("-")[0] for name in kernels} == wanted
    for name in kernels:
        ours = [row.id for row in systems.load(name).rows if row.id.startswith("thread_metric.")]
        assert set(ours) <= set(TESTS) | {"thread_metric.basic"}, json.dumps(ours)
