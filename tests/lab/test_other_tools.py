# SPDX-License-Identifier: Apache-2.0
"""What other tools write, in all their shapes: each figure right, told as missing, or refused."""

from __future__ import annotations

import csv
import io
import json

import other_tools as tools
import pages
import pytest

from foliot.importers.document import Reader
from foliot.judge.doubts import examine_saved
from foliot.model.errors import LogError

STATISTICS = ("first", "min", "p50", "p90", "p99", "max", "max_index", "mean")


def read(content: str, name: str = "file.txt"):
    return list(Reader(name).read(io.BytesIO(content.encode())))


def only(content: str):
    (run,) = read(content)
    return run


def told(row):
    """Return what is known of a row, and nothing that is not."""
    return {name: row.told(name) for name in STATISTICS if row.told(name) is not None}


@pytest.mark.parametrize(
    ("text", "suite", "unit", "expected"),
    [
        (tools.ZTEST, "ztest", "cycles",
         {"fifo.put": 41, "interrupt.entry_trigger_to_isr": 55, "timed.sem_give": 45}),
        (tools.ZTEST_WORDS, "ztest", "cycles", {"fifo.put": 41, "fifo.give": 45}),
        (tools.SCHED_QUEUES, "sched_queues", "cycles",
         {"sched.add.thread.readyq_tail": 640, "sched.remove.thread.readyq_head": 52}),
        (tools.SCHED_QUEUES_WORDS, "sched_queues", "cycles",
         {"sched_queues.add_threads_of_decreasing_priority": 640,
          "sched_queues.remove_threads_of_decreasing_priority": 52}),
        (tools.CYCLICTEST, "cyclictest", "ns", {"cyclictest.t0": 3000, "cyclictest.t1": 3000}),
        (tools.CYCLICTEST_LIVE, "cyclictest", "ns", {"cyclictest.t0": 6000, "cyclictest.t1": 7000}),
        (tools.cyclictest_json(), "cyclictest", "ns", {"cyclictest.t0": 3000}),
        (tools.cyclictest_json(1), "cyclictest", "ns", {"cyclictest.t0": 3}),
        (tools.OSNOISE, "osnoise", "ns", {"osnoise.cpu0": 0, "osnoise.cpu1": 0}),
        (tools.COREMARK, "coremark", "ns", {"coremark.iteration": 160000}),
        (tools.EMBENCH_TEXT, "embench", "ns",
         {"embench.speed.aha_mont64": 4_004_000_000, "embench.speed.crc32": 4_010_000_000}),
        (tools.hyperfine(), "hyperfine", "ns", {"sleep_0.1": 101_500_000}),
        (tools.google(tools.google_entry("BM_X/8", 2.3, time_unit="us")), "google-benchmark", "ns",
         {"bm_x.8": 2300}),
    ],
)  # fmt: skip
def test_formats(text, suite, unit, expected):
    run = only(text)
    assert (run.header.suite, run.header.unit) == (suite, unit)
    assert {row.id: row.p50 for row in run.rows} == expected


def test_ztests_percentiles_and_cold_run_have_columns_of_ours():
    for text in (tools.ZTEST, tools.ZTEST_WORDS):
        run = only(text)
        row = run.row("fifo.put")
        known = told(row)
        assert (known["first"], known["p90"], known["p99"]) == (212.5, 41.5, 44)
        assert (known["min"], known["max"], known["mean"], row.n) == (40.5, 139.5, 41.21, 1000)
        assert (row.extra["p999"], row.extra["p9999"]) == (61.25, 139.5)
        assert run.origin.kernel_version.startswith("v4.4.0")
        assert run.failures[0].reason.startswith("inconclusive")
        assert not run.successful


def test_a_mean_is_no_median():
    row = only(tools.ZTEST).row("interrupt.entry_trigger_to_isr")
    assert told(row) == {"min": 55, "max": 55, "max_index": 0, "mean": 55}


def test_a_benchmark_that_comes_again_begins_a_new_run():
    assert [len(run.rows) for run in read(tools.ZTEST + tools.ZTEST)] == [3, 3]


def test_sched_queues_four_lines_are_one_row():
    row = only(tools.SCHED_QUEUES).row("sched.add.thread.readyq_tail")
    assert told(row) == {"min": 40, "max": 1240, "mean": 640}
    assert (row.ns, row.extra["stddev"]) == (6400, 310)
    assert row.text == "Add threads"


def test_sched_queues_without_its_average_is_reported():
    lines = [line for line in tools.SCHED_QUEUES.splitlines() if "ReadyQ_tail.avg" not in line]
    run = only("\n".join(lines))
    assert run.failures[0].reason == "only min, max, stddev of it, no average"


def test_app_kernels_tables():
    run = only(tools.app_kernel())
    assert {row.id: row.p50 for row in run.rows} == {
        "app_kernel.enqueue_1_byte_msg_in_msgq": 5320,
        "app_kernel.dequeue_1_byte_msg_from_msgq": 5110,
        "app_kernel.signal_to_waiting_high_pri_task_with_timeout": 14250,
        "app_kernel.average_lock_and_unlock_mutex": 2110,
        "mailbox.put.0": 12000, "mailbox.put.8": 12300, "mailbox.overhead": 12000,
        "pipe.matching.put_8.get_8.no_buf": 9100, "pipe.matching.put_8.get_8.small_buf": 9200,
        "pipe.matching.put_8.get_8.big_buf": 9300,
        "pipe.non_matching.lower.put_8.get_512.no_buf": 19100,
        "pipe.non_matching.lower.put_8.get_512.small_buf": 19200,
        "pipe.non_matching.lower.put_8.get_512.big_buf": 19300,
    }  # fmt: skip
    assert len(read(tools.app_kernel() * 2)) == 2
    (first, second) = read(tools.app_kernel() + pages.log(pages.published("rpi_pico")))
    assert {first.header.suite, second.header.suite} == {"app_kernel", "latency"}


def test_cyclictests_overflows_are_counted_and_not_seen():
    first, second = only(tools.CYCLICTEST).rows
    assert first.n == 100
    assert told(first)["p99"] == 4000
    assert told(first)["max"] == 512_000
    assert first.histogram == ((3000, 90), (4000, 9))
    assert told(second)["max"] == 11_000
    many = tools.CYCLICTEST.replace("Overflows: 00001", "Overflows: 00031")
    assert "p99" not in told(only(many).row("cyclictest.t0"))
    assert "p90" not in told(only(many).row("cyclictest.t0"))
    assert "p50" in told(only(many).row("cyclictest.t0"))


def test_cyclictest_in_nanoseconds_is_what_its_command_line_says():
    assert only("$ cyclictest -N -q -h 100\n" + tools.CYCLICTEST).rows[0].p50 == 3
    assert only("$ cyclictest -mN -q -h 100\n" + tools.CYCLICTEST).rows[0].p50 == 3
    assert only("$ cyclictest -m -q -h 100\n" + tools.CYCLICTEST).rows[0].p50 == 3000


def test_a_microsecond_wide_bar_is_a_coarse_clock_and_no_zero():
    run = examine_saved(only(tools.TIMERLAT))
    assert {doubt.name for doubt in run.doubts} == {"clock-coarse"}
    assert run.values()["timerlat.irq.cpu0"] == 0


def test_timerlats_columns():
    rows = {row.id: row for row in only(tools.TIMERLAT).rows}
    assert list(rows) == [
        "timerlat.irq.cpu0", "timerlat.thread.cpu0", "timerlat.user.cpu0",
        "timerlat.irq.cpu1", "timerlat.thread.cpu1", "timerlat.user.cpu1",
    ]  # fmt: skip
    assert rows["timerlat.irq.cpu0"].max == 40_000
    assert rows["timerlat.thread.cpu0"].histogram == ((1000, 900), (5000, 100))
    assert rows["timerlat.user.cpu0"].extra["beyond"] == 1


def test_osnoises_wide_bars_are_said_to_be_buckets():
    rows = only(tools.OSNOISE).rows
    assert all(row.buckets for row in rows)
    assert [told(row)["mean"] for row in rows] == [3000, 4000]
    assert not any(row.buckets for row in only(tools.TIMERLAT).rows)


def test_a_coremark_that_is_not_valid_is_no_figure():
    for was, wrong in (
        ("Correct operation validated. See", "Errors detected\nSee"),
        ("Correct operation validated.", "ERROR! Must execute for at least 10 secs"),
        ("Correct operation validated.", ""),
    ):  # fmt: skip
        run = only(tools.COREMARK.replace(was, wrong))
        assert not run.rows
        assert not run.successful
        assert run.failures[0].id == "coremark.iteration"


def test_two_coremarks_in_one_log():
    text = tools.COREMARK + tools.COREMARK.replace("6250.0", "5000.0")
    assert [run.rows[0].p50 for run in read(text)] == [160_000, 200_000]
    assert only(tools.COREMARK).header.compiler == "GCC12.2.0"


def test_embenchs_sizes_are_bytes_and_its_ratios_nothing():
    speed, size = read(tools.embench_json())
    assert (speed.header.unit, size.header.unit) == ("ns", "bytes")
    assert {row.id: row.p50 for row in size.rows} == {"embench.size.crc32": 230}
    assert speed.header.board == "pulp_ri5cy"
    assert speed.header.flags == "-O2 -march=rv32imc"
    text = "Benchmark           Speed\n---------           -----\ncrc32              0.88\n"
    run = only(text)
    assert not run.rows
    assert "ratio" in run.failures[0].reason
    relative = {"relative speed results": {"detailed results": {"crc32": 0.88}}}
    assert "ratio" in only(json.dumps(relative)).failures[0].reason


def test_googles_repetitions_are_samples_and_aggregates_are_none():
    entries = [tools.google_entry("BM", time) for time in (3.0, 1.0, 2.0)]
    aggregates = [
        tools.google_entry("BM_mean", 2.0, run_name="BM", run_type="aggregate",
                           aggregate_name="mean"),
        tools.google_entry("BM_median", 1.9, run_name="BM", run_type="aggregate",
                           aggregate_name="median"),
        tools.google_entry("BM_cv", 0.1, run_name="BM", run_type="aggregate", aggregate_name="cv"),
    ]  # fmt: skip
    row = only(tools.google(*entries, *aggregates)).rows[0]
    assert (row.n, row.first, row.min, row.p50, row.max) == (3, 3, 1, 2, 3)
    row = only(tools.google(*aggregates)).rows[0]
    assert told(row) == {"p50": 1.9, "mean": 2}
    run = only(tools.google(entries[0], tools.google_entry(
        "BM_BigO", 3, run_name="BM_all", run_type="aggregate", aggregate_name="BigO")))  # fmt: skip
    assert run.failures[0].reason == "only BigO: no time"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"error_occurred": True, "error_message": "no device"}, "no device"),
        ({"time_unit": "parsecs"}, "its real_time is no time"),
        ({"real_time": float("nan")}, "its real_time is no time"),
        ({"real_time": float("inf")}, "its real_time is no time"),
        ({"real_time": "12"}, "its real_time is no time"),
        ({"real_time": 1e40}, "its real_time is no time"),
    ],
)
def test_googles_bad_entries_are_reported_beside_the_good(entry, reason):
    good = tools.google_entry("BM_good", 5)
    run = only(tools.google(good, {**tools.google_entry("BM_bad", 1), **entry}))
    assert [row.p50 for row in run.rows] == [5]
    assert [(failure.id, failure.reason) for failure in run.failures] == [("bm_bad", reason)]


def test_names_that_come_twice_are_both_kept():
    entries = [
        tools.google_entry("BM/a", 1), tools.google_entry("bm.a", 2),
    ]  # fmt: skip
    assert {row.id: row.p50 for row in only(tools.google(*entries)).rows} == {
        "bm.a": 1,
        "bm.a#2": 2,
    }


def test_hyperfine_with_and_without_its_runs():
    row = only(tools.hyperfine()).rows[0]
    assert (row.n, row.first, row.max_index) == (4, 104_000_000, 0)
    row = only(tools.hyperfine(times=None, stddev=None)).rows[0]
    assert told(row) == {"p50": 101_500_000, "min": 101_000_000, "max": 104_000_000,
                         "mean": 102_000_000}  # fmt: skip
    run = only(tools.hyperfine(exit_codes=[0, 1, 0, 0]))
    assert run.failures[0].reason == "1 of its runs ended with a status, 1"
    assert (
        only(tools.hyperfine(times=[], median=None)).failures[0].reason
        == "its times are no figures"
    )


@pytest.mark.parametrize(
    ("unit", "value", "expected"),
    [("ns/iter", 5, ("ns", 5)), ("us", 2.3, ("ns", 2300)), ("insn", 12, ("insn", 12)),
     ("cycles", 7, ("cycles", 7)), ("ms", 0.1, ("ns", 100_000)), ("bytes", 9, ("bytes", 9))],
)  # fmt: skip
def test_githubs_units_turn_into_one_another_only_where_they_are_times(unit, value, expected):
    run = only(json.dumps([{"name": "a b", "unit": unit, "value": value}]))
    assert (run.header.unit, run.rows[0].p50) == expected


def test_a_rate_is_no_time():
    run = only(json.dumps([{"name": "a", "unit": "ops/s", "value": 5}]))
    assert "no time, and no count" in run.failures[0].reason


def test_benchers_measures():
    run, other = read(json.dumps({
        "a": {"latency": {"value": 5.5}, "instructions": {"value": 9}},
        "b": {"latency": {"value": 6}},
    }))  # fmt: skip
    assert (run.header.unit, [row.p50 for row in run.rows]) == ("ns", [5.5, 6])
    assert (other.header.unit, [row.p50 for row in other.rows]) == ("insn", [9])


def test_a_twister_json_of_mixed_suites():
    runs = read(tools.twister(
        ("a/benchmark.kernel.latency.userspace", tools.LATENCY),
        ("b/benchmark.thread_metric.posix.basic", tools.TOTALS),
        ("c/benchmark.kernel.latency.objects", tools.PERCENTILES),
        ("d/benchmark.sched_queues.multiq", tools.QUEUES),
        ("e/sample.other", [{"temperature": "21"}]),
        ("f/bad", [*tools.LATENCY, {"metric": "x.y", "cycles": "many", "nanoseconds": "1"}, 5]),
        ("g/older", tools.OLDER), ("h/none", []),
    ))  # fmt: skip
    found = [(run.header.suite, {row.id: row.p50 for row in run.rows}) for run in runs]
    malloc = {"heap.malloc.immediate": 620}
    assert found == [
        ("latency", malloc), ("thread_metric", {"thread_metric.posix.basic": 5000.0}),
        ("ztest", {"fifo.put": 41}), ("sched_queues", {"sched.add.thread.readyq_tail": 640}),
        ("recording", {}), ("latency", malloc), ("latency", malloc),
    ]  # fmt: skip
    assert [len(run.failures) for run in runs] == [0, 0, 0, 0, 1, 2, 0]
    assert "temperature" in runs[4].failures[0].reason
    assert runs[3].header.configuration == ("multiq",)


def test_thread_metrics_period_is_assumed_with_a_doubt():
    run = examine_saved(only(tools.twister(("x/benchmark.thread_metric.basic", tools.TOTALS))))
    assert [doubt.name for doubt in run.doubts] == ["period-assumed"]
    bad = [{"total_time_period": ["600"], "error_message": ["Invalid counter value(s)"]}]
    run = only(tools.twister(("x/benchmark.thread_metric.basic", bad)))
    assert not run.rows
    assert run.failures[0].reason == "Invalid counter value(s)"


@pytest.mark.parametrize("records", [tools.LATENCY, tools.PERCENTILES, tools.QUEUES, tools.TOTALS])
def test_the_same_records_as_recording_csv(records):
    out = io.StringIO()
    writer = csv.DictWriter(out, sorted(records[0]), quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    writer.writerows(records)
    run = only(out.getvalue())
    other = only(tools.twister(("x", records)))
    assert [row.p50 for row in run.rows] == [row.p50 for row in other.rows]
    assert run.rows


def test_the_texts_before_3_6_have_their_ids():
    for line in pages.OLDER.splitlines():
        if " cycles ," in line:
            (row,) = only(line).rows
            assert "." in row.id, line


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (tools.CYCLICTEST.replace("# Total: 000000099", "# Total: 000000098"), "'# Total' says 98"),
        (tools.CYCLICTEST.partition("# Total")[0], "cut off: no line '# Total'"),
        (tools.CYCLICTEST.replace("000004 000009\t000049", "000004 000009"), "garbled"),
        (tools.CYCLICTEST.replace("000004 ", "000002 "), "garbled"),
        (tools.TIMERLAT.partition("count:")[0], "cut off: no line 'count:'"),
        (tools.TIMERLAT.replace("1            99 ", "1            98 "), "'count:' says 1000"),
        (tools.TIMERLAT.replace("     1000         0         0\n", "", 1).replace(
            "1            99       900         0        50       999         0", "1   99   900"),
         "columns"),
        (tools.TIMERLAT.replace("microseconds", "fortnights"), "unit 'fortnights'"),
        (tools.cyclictest_json().replace('"3": 90', '"x": 90'), "no bar"),
        (tools.cyclictest_json().replace('"cycles": 100', '"cycles": 9'), "more samples than"),
        (tools.ZTEST.replace("41.210", "4" * 30), "beyond 64 bits"),
    ],
)  # fmt: skip
def test_what_is_damaged_is_refused_in_one_line(text, what):
    with pytest.raises(LogError, match=what) as refusal:
        read(text)
    assert "\n" not in refusal.value.message


@pytest.mark.parametrize(
    "text",
    [tools.google(), '{"results": []}', '{"results": [{"command": "x"}]}', '{"thread": {}}', "[]",
     '{"context": {}, "benchmarks": "none"}', '{"a": {"b": {"c": 1}}}', "# Histogram\n",
     "Benchmark           Speed\n", "T,\nS,a,b\n", '"total_time_period"\n'],
)  # fmt: skip
def test_what_holds_nothing_is_no_run(text):
    with pytest.raises(LogError, match="no row"):
        read(text)
