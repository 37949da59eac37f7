# SPDX-License-Identifier: Apache-2.0
"""What other tools print on a terminal: each figure in its own unit, colours and screens or not."""

from __future__ import annotations

import io
import re

import consoles
import pytest

from foliot.importers.document import Reader
from foliot.judge.doubts import examine_saved
from foliot.model.errors import LogError


def read(content: str):
    reader = Reader("console.txt")
    return [examine_saved(run) for run in reader.read(io.BytesIO(content.encode()))]


def only(content: str):
    (run,) = read(content)
    return run


def plainly(content: str) -> str:
    return re.sub(r"\x1b(?:\[[0-9;]*[A-Za-z]|\(B)", "", content)


def narrow(content: str, width: int = 80) -> str:
    """Return what a window of so many columns makes of it."""
    return re.sub(rf"(.{{{width}}})(?=.)", r"\1\n", content)


@pytest.mark.parametrize(
    ("text", "suite", "expected"),
    [
        (consoles.HYPERFINE, "hyperfine", {"sleep_0.01": 13_000_000, "true": 1_800_000}),
        (consoles.HYPERFINE_SECONDS, "hyperfine",
         {"sleep_0.01": 14_000_000, "sleep_0.03": 33_000_000}),
        (consoles.HYPERFINE_ONCE, "hyperfine", {"sleep_0.02": 20_000_000}),
        (consoles.CRITERION, "criterion",
         {"fib_10": 145.36, "a_group_with_a_long_name.sum.64": 8.9499,
          "a_group_with_a_long_name.sum.4096": 857.37, "slow.sleep": 3_088_100}),
        (consoles.CRITERION_COLOURS, "criterion",
         {"fib_10": 281.63, "a_group_with_a_long_name.sum.64": 11.557}),
        (consoles.GOOGLE, "google-benchmark",
         {"bm_empty": 0.934, "bm_copy.64": 2.74, "bm_copy.512": 6.16, "bm_copy.4096": 44.9,
          "bm_copy.16384": 304, "bm_sleep.real_time": 378_000, "bm_t_int": 0.486,
          "bm_ms.iterations_10": 3_320_000, "bm_s.iterations_2.threads_2": 2_000_000}),
        (consoles.GOOGLE_TERMINAL, "google-benchmark",
         {"bm_empty": 0.547, "bm_copy.64": 2.85, "bm_t_int": 0.39}),
        (consoles.GOOGLE_REPEATED, "google-benchmark", {"bm_empty": 0.936, "bm_copy.64": 3.27}),
        (consoles.GOOGLE_AGGREGATES, "google-benchmark",
         {"bm_empty": 0.861, "bm_sleep.real_time": 378_000}),
        (consoles.GOOGLE_CSV, "google-benchmark",
         {"bm_empty": 1.48206, "bm_sleep.real_time": 392_280}),
        (consoles.CYCLICTEST_SCREEN, "cyclictest",
         {"cyclictest.t0": 93_000, "cyclictest.t1": 87_000}),
        (consoles.GO, "go", {"benchmarkput": 24.31, "benchmarkget.size_64": 1062}),
        (consoles.TIMERLAT_TOP, "timerlat",
         {"timerlat.irq.cpu0": 1000, "timerlat.thread.cpu0": 10_000, "timerlat.irq.cpu1": 1000,
          "timerlat.thread.cpu1": 9000, "timerlat.irq.cpu6": 1000,
          "timerlat.thread.cpu6": 10_000}),
        (consoles.TIMERLAT_USER, "timerlat",
         {"timerlat.irq.cpu1": 6012, "timerlat.thread.cpu1": 18_055,
          "timerlat.user.cpu1": 22_022}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("change", [str, plainly, lambda text: text.replace("\n", "\r\n")])
def test_consoles(text, suite, expected, change):
    run = only(change(text))
    assert (run.header.suite, run.header.unit) == (suite, "ns")
    assert {row.id: row.p50 for row in run.rows} == expected


def test_hyperfine_tells_deviation_range_and_runs():
    row = only(consoles.HYPERFINE).row("true")
    assert (row.told("mean"), row.told("min"), row.told("max")) == (1_800_000, 500_000, 8_800_000)
    assert (row.n, row.extra["stddev"], row.text) == (341, 1_600_000, "true")
    assert "unstable" in row.doubts


def test_hyperfine_a_command_that_failed_is_no_figure():
    run = only(consoles.HYPERFINE + consoles.HYPERFINE_FAILED)
    assert {row.id for row in run.rows} == {"sleep_0.01", "true"}
    assert [(one.id, one.reason) for one in run.failures] == [
        ("false", "its runs ended with a status other than 0")
    ]


def test_hyperfine_cut_off_is_reported():
    run = only(consoles.HYPERFINE_SECONDS.partition("  Time (mean ± \u03c3):      0.033")[0])
    assert [(one.id, one.reason[:14]) for one in run.failures] == [("sleep_0.03", "no line 'Time'")]


def test_hyperfine_before_1_12_numbered_with_a_hash():
    run = only(consoles.HYPERFINE_SECONDS.replace("Benchmark ", "Benchmark #"))
    assert len(run.rows) == 2


def test_a_command_with_a_pipe_is_no_table():
    run = only(consoles.HYPERFINE_ONCE.replace("sleep 0.02", "ls | wc -l"))
    assert run.rows[0].text == "ls | wc -l"


def test_criterion_tells_the_limits_beside_the_estimate():
    row = only(consoles.CRITERION).row("fib_10")
    assert (row.told("mean"), row.told("min"), row.told("max")) == (145.36, None, None)
    assert (row.extra["low"], row.extra["high"]) == (143.77, 147.84)


def test_criterion_in_picoseconds_and_garbled():
    text = "one   time:   [910.11 ps 912.43 ps 915.02 ps]\ntwo   time:   [5.1 ns 4.2 ns 5.3 ns]\n"
    run = only(text + "three                  time:   [5.1 ns 5.2 n\n")
    assert {row.id: row.p50 for row in run.rows} == {"one": 0.91243}
    assert [one.id for one in run.failures] == ["two", "three"]


def test_google_benchmarks_errors_debug_builds_and_repetitions():
    run = only(consoles.GOOGLE)
    assert [(one.id, one.reason) for one in run.failures] == [("bm_err", "it broke")]
    assert run.origin.title == "g"
    assert "debug-build" in {doubt.name for doubt in run.doubts}
    row = only(consoles.GOOGLE_REPEATED).row("bm_empty")
    assert (row.n, row.min, row.max, row.extra["cpu_time"]) == (3, 0.548, 1.01, 0.549)
    assert only(consoles.GOOGLE_AGGREGATES).row("bm_empty").told("mean") == 0.836


def test_a_benchmark_that_is_called_mean_is_no_aggregate():
    text = consoles.GOOGLE_TERMINAL.replace("BM_T<int>", "BM_mean")
    assert "bm_mean" in {row.id for row in only(text).rows}


def test_cyclictest_whose_samples_lie_beyond_its_histogram():
    rows = only(consoles.CYCLICTEST_BEYOND).rows
    assert [(row.n, row.told("min"), row.told("mean"), row.told("max")) for row in rows] == [
        (200, 42_000, 87_000, 1_292_000), (200, 57_000, 66_000, 98_000),
    ]  # fmt: skip


def test_cyclictest_in_ns_is_doubted_unless_its_command_says_so():
    run = only(consoles.CYCLICTEST_NS)
    assert "unit-unlikely" in {doubt.name for doubt in run.doubts}
    told = only("$ sudo cyclictest -N -l 100 -q\n" + consoles.CYCLICTEST_NS)
    assert (told.rows[0].p50, told.doubts) == (91_331, ())
    assert "unit-unlikely" not in {one.name for one in only(consoles.CYCLICTEST_SCREEN).doubts}


@pytest.mark.parametrize("width", [80, 60, 97])
def test_rtla_in_a_narrow_window(width):
    wide, broken = only(consoles.TIMERLAT_TOP), only(narrow(plainly(consoles.TIMERLAT_TOP), width))
    assert broken.rows == wide.rows


def test_rtla_tells_extremes_and_what_is_not_there_is_no_row():
    run = only(consoles.TIMERLAT_TOP)
    row = run.row("timerlat.thread.cpu6")
    assert (row.n, row.told("min"), row.told("mean"), row.told("max")) == (
        58_634, 2000, 10_000, 30_000,
    )  # fmt: skip
    assert run.row("timerlat.irq.cpu7") is None
    assert run.origin.kernel == "Linux"


def test_rtla_cut_off_is_refused():
    with pytest.raises(LogError, match="cut off"):
        read("\n".join(consoles.TIMERLAT_TOP.split("\n")[:4])[:-12])


def test_tools_one_after_another_are_a_run_each():
    runs = read(
        consoles.GOOGLE + consoles.HYPERFINE + consoles.CRITERION + consoles.TIMERLAT_TOP
        + consoles.CYCLICTEST_SCREEN + consoles.GOOGLE_REPEATED
    )  # fmt: skip
    assert sorted((run.header.suite, len(run.rows)) for run in runs) == [
        ("criterion", 4), ("cyclictest", 2), ("google-benchmark", 2), ("google-benchmark", 9),
        ("hyperfine", 2), ("timerlat", 6),
    ]  # fmt: skip


def test_gos_repetitions_are_samples_and_packages_are_runs():
    run = only(consoles.GO)
    row = run.row("benchmarkput")
    assert (row.n, row.min, row.max, run.origin.title) == (3, 24.18, 25.02, "example.com/queue")
    assert [one.id for one in run.failures] == ["benchmarkbroken"]
    assert len(read(consoles.GO * 2)) == 2
    broken = only(consoles.GO.replace("1062 ns/op", "60.26 MB/s"))
    assert "no time in ns/op" in {one.reason for one in broken.failures}


def test_rusts_bench_tells_medians_and_what_is_cut_off():
    run = only(consoles.RUST)
    assert (run.header.suite, run.header.unit) == ("rust", "ns")
    assert {row.id: row.p50 for row in run.rows} == {
        "channel.ping_pong": 1234, "mutex_lock": 12, "sem_give": 9.31, "memcpy_1k": 1_043_210.5,
    }  # fmt: skip
    row = run.row("channel.ping_pong")
    assert (row.told("p50"), row.told("mean"), row.told("max")) == (1234, None, None)
    assert row.extra["spread"] == 56
    assert [(one.id, one.reason) for one in run.failures] == [("cut_off", "no time in ns/iter")]


def test_rusts_tests_are_no_benchmarks():
    with pytest.raises(LogError, match="no row"):
        read("running 2 tests\ntest it_works ... ok\ntest it_breaks ... FAILED\n")


def test_perf_bench_tells_a_time_an_operation_or_the_whole():
    run = only(consoles.PERF)
    assert {row.id: row.p50 for row in run.rows} == {
        "sched.messaging": 154_000_000, "sched.pipe": 8041.561, "breakpoint.thread": 38_854.16,
    }  # fmt: skip
    assert [(one.id, one.reason) for one in run.failures] == [
        ("mem.memcpy", "it tells no time, but at most a rate")
    ]


def test_catch2_tells_the_mean_and_not_the_estimated_time():
    run = only(consoles.CATCH2)
    assert {row.id: row.p50 for row in run.rows} == {
        "put_a_message": 347.41, "post_layout_optimization_full_optimization": 1_724_780_000,
    }  # fmt: skip
    row = run.row("put_a_message")
    assert (row.n, row.told("mean"), row.told("min")) == (100, 347.41, None)
    assert [row.extra[key] for key in ("low", "high", "stddev")] == [345.11, 351.04, 14.2]
    assert [(one.id, one.reason) for one in run.failures] == [
        ("take_a_message", "no mean stands below it: cut off?")
    ]


def test_catch2_without_its_analysis_and_twice():
    (run,) = read(2 * consoles.CATCH2_SHORT)
    assert {row.id: row.p50 for row in run.rows} == {"put_a_message": 347.41,
                                                     "put_a_message#2": 347.41}  # fmt: skip
