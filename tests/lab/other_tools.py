# SPDX-License-Identifier: Apache-2.0
"""Logs and files of other tools, in the shapes in which they print them; figures are made up."""

from __future__ import annotations

import json

ZTEST = """*** Booting Zephyr OS build v4.4.0-812-g0123456789ab ***
Running TESTSUITE interrupt
S,fifo,put,1000,41210.000,41.210,3.120,0.099,40.500,2,139.500,1
C,fifo,put,10,212.500
P,fifo,put,1000,40.500,41.000,41.500,44.000,61.250,139.500,139.500
M,interrupt,entry_trigger_to_isr,1000,55000.000,55.000,0.000,0.000,55.000,1,55.000,1
T,timed,sem_give,120000,6000000,5400000,2222222.222,45.000
T,timed,nothing\tINCONCLUSIVE
===================================================================
PROJECT EXECUTION SUCCESSFUL
"""

ZTEST_WORDS = """*** Booting Zephyr OS build v4.4.0 ***
fifo ########################################################
put =========================================================
\tSample size:1000, total cycles: 41210.000
\tMean(u): 41.210
\tStandard deviation(s): 3.120
\tStandard Error(SE): 0.099
\tMin: 40.500 (run #2)
\tMax: 139.500 (run #7)
\tp50: 41.000
\tp90: 41.500
\tp99: 44.000
\tp99.9: 61.250
\tp99.99: 139.500
\tCold: 212.500, after 10 warmup iterations
give ========================================================
\tIterations: 120000
\tTotal Time: 6000000 ns (Gross)
\tWork Time: 5400000 ns (Net)
\tOps/Sec: 2222222.222
\tCycles/Ops: 45.000
lost ========================================================
\tTest inconclusive
"""

SCHED_QUEUES = """*** Booting Zephyr OS build v4.2.0 ***
Time Measurements for simple sched queues
Timing results: Clock frequency: 100 MHz
REC: sched.add.thread.ReadyQ_tail.min        - Add threads, min.      :      40 cycles ,   400 ns :
REC: sched.add.thread.ReadyQ_tail.max        - Add threads, max.      :    1240 cycles , 12400 ns :
REC: sched.add.thread.ReadyQ_tail.avg        - Add threads, avg.      :   640 cycles ,    6400 ns :
REC: sched.add.thread.ReadyQ_tail.stddev     - Add threads, stddev.   :   310 cycles ,    3100 ns :
REC: sched.remove.thread.ReadyQ_head.avg     - Remove threads, avg.   :      52 cycles ,   520 ns :
PROJECT EXECUTION SUCCESSFUL
"""

SCHED_QUEUES_WORDS = """------------------------------------
Add threads of decreasing priority
    Minimum :      40 cycles (    400 nsec)
    Maximum :    1240 cycles (  12400 nsec)
    Average :     640 cycles (   6400 nsec)
    Std Deviation:     310 cycles (   3100 nsec)
------------------------------------
Remove threads of decreasing priority
    Minimum :      50 cycles (    500 nsec)
    Maximum :      60 cycles (    600 nsec)
    Average :      52 cycles (    520 nsec)
    Std Deviation:       2 cycles (     20 nsec)
"""

_LINE = "|" + "-" * 77 + "|\n"


def app_kernel() -> str:
    """Return what app_kernel prints: three tables, of which each has its own columns."""
    simple = "".join(f"| {text:<65}|{ns:>10}|\n" for text, ns in (
        ("enqueue 1 byte msg in MSGQ", 5320), ("dequeue 1 byte msg from MSGQ", 5110),
        ("signal to waiting high pri task, with timeout", 14250),
        ("average lock and unlock mutex", 2110),
    ))  # fmt: skip
    mailbox = f"|{0:>11}|{12000:>32}|{0:>32}|\n|{8:>11}|{12300:>32}|{650:>32}|\n"
    pipe = "|{:>5}|{:>5}|{:>10}|{:>10}|{:>10}|{:>10}|{:>10}|{:>10}|\n"
    sizes = "|   size(B) |       time/packet (nsec)       |          KB/sec                |\n"
    columns = "| put | get |  no buf  | small buf| big buf  |  no buf  | small buf| big buf  |\n"
    return (
        _LINE
        + "|          S I M P L E   S E R V I C E    M E A S U R E M E N T S  |  nsec    |\n"
        + _LINE + simple + _LINE
        + "|                M A I L B O X   M E A S U R E M E N T S                      |\n"
        + _LINE
        + "| Send mailbox message to waiting high priority task and wait                 |\n"
        + "| repeat for  128 times and take the average                                  |\n"
        + _LINE + sizes + _LINE + mailbox + _LINE
        + "| message overhead:       12000     nsec/packet                               |\n"
        + "| raw transfer rate:       53333 KB/sec (without overhead)                    |\n"
        + _LINE
        + "|                   P I P E   M E A S U R E M E N T S                         |\n"
        + _LINE
        + "|                          matching sizes (_ALL_N)                            |\n"
        + _LINE + sizes + _LINE + columns + _LINE
        + pipe.format(8, 8, 9100, 9200, 9300, 879, 869, 860) + _LINE
        + "|                      non-matching sizes (1_TO_N) to lower priority          |\n"
        + _LINE + columns + _LINE
        + pipe.format(8, 512, 19100, 19200, 19300, 418, 416, 414) + _LINE
        + "|         END OF TESTS                                                        |\n"
        + _LINE + "PROJECT EXECUTION SUCCESSFUL\n"
    )  # fmt: skip


CYCLICTEST = """# /dev/cpu_dma_latency set to 0us
# Histogram
000000 000000\t000000
000003 000090\t000050
000004 000009\t000049
000011 000000\t000001
# Total: 000000099 000000100
# Min Latencies: 00003 00003
# Avg Latencies: 00003 00003
# Max Latencies: 00512 00011
# Histogram Overflows: 00001 00000
# Histogram Overflow at cycle number:
# Thread 0: 00057
# Thread 1:
"""

CYCLICTEST_LIVE = """# /dev/cpu_dma_latency set to 0us
policy: fifo: loadavg: 0.14 0.05 0.01 1/123 4567
T: 0 ( 1234) P:80 I:1000 C:  10000 Min:      3 Act:    5 Avg:    6 Max:      23
T: 1 ( 1235) P:80 I:1500 C:   6667 Min:      4 Act:    6 Avg:    7 Max:      31
"""


def cyclictest_json(resolution: int = 0) -> str:
    """Return the file of `cyclictest --json`."""
    return json.dumps({
        "file_version": 1, "cmdline:": "cyclictest -q -h 100 --json=x", "rt_test_version:": "2.5",
        "return_code": 0, "sysinfo": {"release": "6.12.0-rt", "realtime": 1},
        "num_threads": 1, "resolution_in_ns": resolution,
        "thread": {"0": {"histogram": {"3": 90, "4": 9}, "cycles": 100, "min": 3, "max": 512,
                         "avg": 3.09, "cpu": 0, "node": 0}},
    }, indent=2)  # fmt: skip


TIMERLAT = """# RTLA timerlat histogram
# Time unit is microseconds (us)
# Duration:   0 00:01:00
Index   IRQ-000   Thr-000   Usr-000   IRQ-001   Thr-001   Usr-001
0           900         0         0       950         0         0
1            99       900         0        50       999         0
5             0       100       999         0         1      1000
over:         1         0         1         0         0         0
count:     1000      1000      1000      1000      1000      1000
min:          0         1         5         0         1         5
avg:          0         1         5         0         1         5
max:         40         5        77         1         5         5
ALL:        IRQ       Thr       Usr
count:     2000      2000      2000
min:          0         1         5
"""

OSNOISE = """# RTLA osnoise histogram
# Time unit is microseconds (us)
# Duration:   0 00:01:00
Index   CPU-000   CPU-001
0           430       434
10           88        88
30            6         0
over:         0         0
count:      524       522
min:          0         1
avg:          3         4
max:         37        18
"""

COREMARK = """2K performance run parameters for coremark.
CoreMark Size    : 666
Total ticks      : 16379
Total time (secs): 16.379000
Iterations/Sec   : 6250.000000
Iterations       : 110000
Compiler version : GCC12.2.0
Compiler flags   : -O2   -lrt
Memory location  : Please put data memory location here
\t\t\t(e.g. code in flash, data on heap etc)
seedcrc          : 0xe9f5
[0]crclist       : 0xe714
[0]crcfinal      : 0x33ff
Correct operation validated. See README.md for run and reporting rules.
CoreMark 1.0 : 6250.000000 / GCC12.2.0 -O2   -lrt / Heap
"""

EMBENCH_TEXT = """Benchmark           Speed
---------           -----
aha-mont64          4,004
crc32                 4,010
---------           -----
Geometric mean        4,007
All benchmarks run successfully
"""


def embench_json(**more: object) -> str:
    """Return a file of results as Embench publishes them."""
    return json.dumps({
        "description": "A core", "Embench version": "0.5", "architecture family": "RV32",
        "platform information": {"nominal clock rate (MHz)": 1, "processor name": "PULP RI5CY"},
        "tool chain information": {
            "tool chain version": {"compiler version": "gcc 9.2.0"},
            "tool chain flags": {"compiler": ["-O2", "-march=rv32imc"]},
        },
        "absolute size results": {"detailed results": {"crc32": 230}},
        "relative size results": {"detailed results": {"crc32": 0.81}, "geometric mean": 0.81},
        "absolute speed results": {"detailed results": {"crc32": 4531, "edn": 4284}},
        "relative speed results": {"detailed results": {"crc32": 0.88, "edn": 0.94}},
        **more,
    }, indent=1)  # fmt: skip


def google(*entries: dict[str, object], **context: object) -> str:
    """Return a google-benchmark file of those entries."""
    return json.dumps({
        "context": {"date": "2026-01-01T00:00:00+00:00", "host_name": "lab", "num_cpus": 8,
                    "executable": "./bench/queue", "mhz_per_cpu": 3000, "caches": [],
                    "library_build_type": "release", "json_schema_version": 1, **context},
        "benchmarks": list(entries),
    }, indent=2)  # fmt: skip


def google_entry(name: str, real_time: float, **more: object) -> dict[str, object]:
    """Return one repetition of a benchmark."""
    return {"name": name, "run_name": name, "run_type": "iteration", "repetitions": 1,
            "repetition_index": 0, "threads": 1, "iterations": 1000, "real_time": real_time,
            "cpu_time": real_time, "time_unit": "ns", **more}  # fmt: skip


def hyperfine(**more: object) -> str:
    """Return what `hyperfine --export-json` writes of one command."""
    return json.dumps({"results": [{
        "command": "sleep 0.1", "mean": 0.102, "stddev": 0.001, "median": 0.1015, "user": 0.0005,
        "system": 0.001, "min": 0.101, "max": 0.104, "times": [0.104, 0.101, 0.102, 0.101],
        "exit_codes": [0, 0, 0, 0], **more,
    }]}, indent=2)  # fmt: skip


def twister(*suites: tuple[str, list[dict[str, object]]]) -> str:
    """Return a twister.json of suites with their recordings."""
    return json.dumps({
        "environment": {"os": "posix", "zephyr_version": "v4.4.0-812-g0123456789ab"},
        "testsuites": [
            {"name": name, "arch": "arm", "platform": "frdm_k64f/mk64f12", "status": "passed",
             "recording": recording}
            for name, recording in suites
        ],
    }, indent=4)  # fmt: skip


LATENCY = [{"metric": "heap.malloc.immediate", "description": "Average time for heap malloc",
            "cycles": "620", "nanoseconds": "5166"}]  # fmt: skip
OLDER = [{"metric": "Average time for heap malloc                        ", "cycles": "     620 ",
          "nanoseconds": "    5166"}]  # fmt: skip
PERCENTILES = [{"suite": "fifo", "metric": "put", "samples": "1000", "min": "40", "p50": "41",
                "p90": "42", "p99": "44", "p999": "61", "p9999": "139", "max": "139"}]  # fmt: skip
TOTALS = [{"total_time_period": ["6000000", "6000000", "5999999"]}]
QUEUES = [
    {"metric": f"sched.add.thread.ReadyQ_tail.{what}        ", "cycles": f" {cycles} ",
     "description": f" Add threads of decreasing priority, {what}.   ", "nanoseconds": f"{cycles}0"}
    for what, cycles in (("min", 40), ("max", 1240), ("avg", 640), ("stddev", 310))
]  # fmt: skip
