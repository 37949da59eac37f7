# SPDX-License-Identifier: Apache-2.0
"""What other tools print on a terminal, as real versions printed it, cut down to some lines.

hyperfine 1.15, google-benchmark 1.7.1 and cyclictest 2.4 of Debian 12, criterion 0.5; what
rtla 6.1 and 6.5 show is that of their manuals, Go's of the format that it documents. Rust's bench,
perf bench and Catch2 are as their users print them on public pages.
"""

from __future__ import annotations

HYPERFINE = """\
\x1b[1mBenchmark \x1b[0m\x1b[1m1\x1b[0m: sleep 0.01
  Time (\x1b[1;32mmean\x1b[0m ± \x1b[32m\u03c3\x1b[0m):\
     \x1b[1;32m 13.0 ms\x1b[0m ± \x1b[32m  2.0 m\
s\x1b[0m    [User: \x1b[34m0.9 ms\x1b[0m, System: \x1b[34m0.1 ms\x1b[0m]
  Range (\x1b[36mmin\x1b[0m … \x1b[35mmax\x1b[0m):   \x1b[36m 10.9 ms\x1b[0m … \x1b[35m 20.0 ms\
\x1b[0m    \x1b[2m266 runs\x1b[0m
\x20
\x1b[1mBenchmark \x1b[0m\x1b[1m2\x1b[0m: true
  Time (\x1b[1;32mmean\x1b[0m ± \x1b[32m\u03c3\x1b[0m):\
     \x1b[1;32m  1.8 ms\x1b[0m ± \x1b[32m  1.6 m\
s\x1b[0m    [User: \x1b[34m0.5 ms\x1b[0m, System: \x1b[34m0.0 ms\x1b[0m]
  Range (\x1b[36mmin\x1b[0m … \x1b[35mmax\x1b[0m):   \x1b[36m  0.5 ms\x1b[0m … \x1b[35m  8.8 ms\
\x1b[0m    \x1b[2m341 runs\x1b[0m
\x20
\x1b[1mSummary\x1b[0m
  '\x1b[36mtrue\x1b[0m' ran
\x1b[1;32m    7.09\x1b[0m ± \x1b[32m6.41\x1b[0m times faster than '\x1b[35msleep 0.01\x1b[0m'
"""

HYPERFINE_SECONDS = """\
Benchmark 1: sleep 0.01
  Time (mean ± \u03c3):      0.014 s ±  0.004 s    [User: 0.001 s, System: 0.000 s]
  Range (min … max):    0.009 s …  0.017 s    3 runs
\x20
Benchmark 2: sleep 0.03
  Time (mean ± \u03c3):      0.033 s ±  0.004 s    [User: 0.001 s, System: 0.000 s]
  Range (min … max):    0.029 s …  0.037 s    3 runs
\x20
Summary
  'sleep 0.01' ran
    2.38 ± 0.81 times faster than 'sleep 0.03'
"""

HYPERFINE_ONCE = """\
Benchmark 1: sleep 0.02
  Time (abs ≡):         20.0 ms               [User: 1.0 ms, System: 0.0 ms]
\x20
"""

HYPERFINE_FAILED = """\
\x1b[1mBenchmark \x1b[0m\x1b[1m3\x1b[0m: false
 ⠙ Current estimate: \x1b[32m0.2 ms\x1b[0m       ███████░░░ ETA 00:00:00\r\x1b[2K  Time (\x1b[1;3\
2mmean\x1b[0m ± \x1b[32m\u03c3\x1b[0m):\
     \x1b[1;32m  0.4 ms\x1b[0m ± \x1b[32m  0.9 ms\x1b[0m    [Use\
r: \x1b[34m0.0 ms\x1b[0m, System: \x1b[34m0.0 ms\x1b[0m]
  Range (\x1b[36mmin\x1b[0m … \x1b[35mmax\x1b[0m):   \x1b[36m  0.0 ms\x1b[0m … \x1b[35m  2.5 ms\
\x1b[0m    \x1b[2m12 runs\x1b[0m

  \x1b[33mWarning\x1b[0m: Ignoring non-zero exit code.
"""

CRITERION = """\

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

fib 10                  time:   [143.77 ns 145.36 ns 147.84 ns]
Found 10 outliers among 100 measurements (10.00%)
  3 (3.00%) high mild
  7 (7.00%) high severe

a group with a long name/sum/64
                        time:   [8.6385 ns 8.9499 ns 9.2988 ns]
                        thrpt:  [6.4099 GiB/s 6.6598 GiB/s 6.8999 GiB/s]
Found 18 outliers among 100 measurements (18.00%)
  3 (3.00%) high mild
  15 (15.00%) high severe
a group with a long name/sum/4096
                        time:   [813.24 ns 857.37 ns 905.68 ns]
                        thrpt:  [4.2120 GiB/s 4.4493 GiB/s 4.6907 GiB/s]
Found 1 outliers among 100 measurements (1.00%)
  1 (1.00%) high mild

slow/sleep              time:   [3.0847 ms 3.0881 ms 3.0901 ms]
Found 2 outliers among 10 measurements (20.00%)
  1 (10.00%) low mild
  1 (10.00%) high mild

"""

CRITERION_COLOURS = """\

\x1b[38;5;2mfib 10\x1b[0m                  time:   [\x1b[2m260.50 ns\x1b[0m \x1b[1m281.63 ns\x1b[0\
m \x1b[2m305.75 ns\x1b[0m]
                        change: [\x1b[2m+78.332%\x1b[0m \x1b[38;5;1m\x1b[1m+89.377%\x1b[0m\x1b[0m \
\x1b[2m+101.67%\x1b[0m] (p = 0.00 < 0.05)
                        Performance has \x1b[38;5;1mregressed\x1b[0m.
\x1b[38;5;3mFound 21 outliers among 100 measurements (21.00%)\x1b[0m
  21 (21.00%) high severe

\x1b[38;5;2ma group with a long name/sum/64\x1b[0m
\x1b[38;5;2m\x1b[0m                        time:   [\x1b[2m10.564 ns\x1b[0m \x1b[1m11.557 ns\x1b[0\
m \x1b[2m12.675 ns\x1b[0m]
                        thrpt:  [\x1b[2m4.7026 GiB/s\x1b[0m \x1b[1m5.1576 GiB/s\x1b[0m \x1b[2m5.64\
23 GiB/s\x1b[0m]
"""

GOOGLE = """\
2026-11-23T13:16:15+00:00
Running ./g
Run on (2 X 2596.14 MHz CPU s)
Load Average: 6.22, 4.38, 2.45
***WARNING*** Library was built as DEBUG. Timings may be affected.
----------------------------------------------------------------------
Benchmark                            Time             CPU   Iterations
----------------------------------------------------------------------
BM_Empty                         0.934 ns        0.548 ns     50565129
BM_Copy/64                        2.74 ns         2.73 ns     10197040 bytes_per_second=21.8086G/s
BM_Copy/512                       6.16 ns         6.13 ns      4662868 bytes_per_second=77.7872G/s
BM_Copy/4096                      44.9 ns         42.2 ns       665670 bytes_per_second=90.3342G/s
BM_Copy/16384                      304 ns          164 ns       170933 bytes_per_second=93.1952G/s
BM_Copy_BigO                      0.02 N          0.01 N   \x20
BM_Copy_RMS                         17 %             2 %   \x20
BM_Sleep/real_time                 378 us         16.2 us           76 a label
BM_T<int>                        0.486 ns        0.273 ns    103413877 Foo=12.345k rate=3.65898G/s
BM_Err                      ERROR OCCURRED: 'it broke'
BM_Ms/iterations:10               3.32 ms        0.019 ms           10
BM_S/iterations:2/threads:2      0.002 s         0.000 s             4
"""

GOOGLE_TERMINAL = """\
Benchmark                            Time             CPU   Iterations
\x1b[0;32mBM_Empty                    \x1b[m\x1b[0;33m     0.547 ns        0.545 ns   \x1b[m\x1b[0\
;36m  50718776\x1b[m
Benchmark                            Time             CPU   Iterations bytes_per_second
\x1b[0;32mBM_Copy/64                  \x1b[m\x1b[0;33m      2.85 ns         2.58 ns   \x1b[m\x1b[0\
;36m  10278017\x1b[m       23.0798G/s\x1b[m
Benchmark                            Time             CPU   Iterations
\x1b[0;34mBM_Copy_BigO                \x1b[m\x1b[0;33m      0.01 N          0.01 N    \x1b[m
Benchmark                            Time             CPU   Iterations        Foo       rate
\x1b[0;32mBM_T<int>                   \x1b[m\x1b[0;33m     0.390 ns        0.273 ns   \x1b[m\x1b[0\
;36m 102519340\x1b[m    12.345k\x1b[m 3.66647G/s\x1b[m
Benchmark                            Time             CPU   Iterations
\x1b[0;32mBM_Err                      \x1b[m\x1b[0;31mERROR OCCURRED: 'it broke'\x1b[m
"""

GOOGLE_REPEATED = """\
Running ./g
Run on (2 X 2596.14 MHz CPU s)
***WARNING*** Library was built as DEBUG. Timings may be affected.
Benchmark                          Time             CPU   Iterations
BM_Empty                        1.01 ns        0.549 ns     50454696
BM_Empty                       0.936 ns        0.547 ns     50454696
BM_Empty                       0.548 ns        0.546 ns     50454696
BM_Empty_mean                  0.830 ns        0.547 ns            3
BM_Empty_median                0.936 ns        0.547 ns            3
BM_Empty_stddev                0.247 ns        0.002 ns            3
BM_Empty_cv                    29.73 %          0.33 %             3
BM_Copy/64                      2.73 ns         2.73 ns     10262587 bytes_per_second=21.8454G/s
BM_Copy/64                      3.80 ns         2.58 ns     10262587 bytes_per_second=23.0642G/s
BM_Copy/64                      3.27 ns         2.47 ns     10262587 bytes_per_second=24.1537G/s
BM_Copy/64_mean                 3.27 ns         2.59 ns            3 bytes_per_second=23.0211G/s
BM_Copy/64_median               3.27 ns         2.58 ns            3 bytes_per_second=23.0642G/s
BM_Copy/64_stddev              0.532 ns        0.131 ns            3 bytes_per_second=1.15475G/s
BM_Copy/64_cv                  16.28 %          5.04 %             3 bytes_per_second=5.02%
BM_Copy_BigO                    0.05 N          0.04 N   \x20
"""

GOOGLE_AGGREGATES = """\
--------------------------------------------------------------------
Benchmark                          Time             CPU   Iterations
--------------------------------------------------------------------
BM_Empty_mean                  0.836 ns        0.546 ns            3
BM_Empty_median                0.861 ns        0.546 ns            3
BM_Empty_stddev                0.044 ns        0.001 ns            3
BM_Empty_cv                     5.27 %          0.14 %             3
BM_Sleep/real_time_mean          377 us         17.0 us            3 a label
BM_Sleep/real_time_median        378 us         17.1 us            3 a label
BM_Sleep/real_time_stddev       3.23 us        0.897 us            3 a label
BM_Sleep/real_time_cv           0.86 %          5.26 %             3 a label
"""

GOOGLE_CSV = """\
name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurre\
d,error_message
"BM_Empty",51244266,1.48206,0.545563,ns,,,,,
"BM_Sleep/real_time",76,392.28,12.3926,us,,,"a label",,
"BM_Err",,,,,,,,true,"it broke"
"""

CYCLICTEST_SCREEN = """\
# /dev/cpu_dma_latency set to 0us
policy: other/other: loadavg: 6.62 4.39 2.43 7/147 13723         \x20

T: 0 (    0) P: 0 I:2000 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0
T: 1 (    0) P: 0 I:2500 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0
\x1b[4Apolicy: other/other: loadavg: 6.62 4.39 2.43 5/147 13723         \x20

T: 0 (13722) P: 0 I:2000 C:      4 Min:     57 Act:   84 Avg:   77 Max:      85
T: 1 (13723) P: 0 I:2500 C:      3 Min:     69 Act:   71 Avg:   71 Max:      73
\x1b[4Apolicy: other/other: loadavg: 6.62 4.39 2.43 4/147 13723         \x20

T: 0 (13722) P: 0 I:2000 C:     10 Min:     57 Act:   93 Avg:   85 Max:     111
\x1b[4Apolicy: other/other: loadavg: 6.62 4.39 2.43 4/136 13776         \x20

T: 0 (13722) P: 0 I:2000 C:    300 Min:     57 Act:   87 Avg:   93 Max:    1708
T: 1 (13723) P: 0 I:2500 C:    241 Min:     63 Act:   68 Avg:   87 Max:    3748
"""

CYCLICTEST_BEYOND = """\
# /dev/cpu_dma_latency set to 0us
# Histogram
000000 000000\t000000
000001 000000\t000000
000002 000000\t000000
000042 000001\t000000
# Total: 000000001 000000000
# Min Latencies: 00042 00057
# Avg Latencies: 00087 00066
# Max Latencies: 01292 00098
# Histogram Overflows: 00199 00200
# Histogram Overflow at cycle number:
# Thread 0: 00000 00001 00002 00003 00004 00005 00006 00007\x20
# Thread 1: 00000 00001 00002 00003 00004 00005 00006 00007\x20
"""

CYCLICTEST_NS = """\
# /dev/cpu_dma_latency set to 0us
T: 0 (13786) P: 0 I:1000 C:    100 Min:  68265 Act:   72544 Avg:   91331 Max: 1154039
"""

TIMERLAT_TOP = """\
                                     Timer Latency
  0 00:00:58   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)
CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max
  0 #57634     |        1         0         1        10 |       11         2        10        23
\x1b[H\x1b[2J                                     Timer Latency
  0 00:00:59   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)
CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max
  0 #58634     |        1         0         1        10 |       11         2        10        23
  1 #58634     |        1         0         1         9 |       12         2         9        23
  6 #58634     |       12         0         1        12 |       30         2        10        30 <\
--- CPU with spike
  7 #0         |        -         -         -         - |        -         -         -         -
---------------|----------------------------------------|---------------------------------------
ALL #175902 e0 |                  0         1        12 |                  2        10        30
timerlat hit stop tracing
saving trace to timerlat_trace.txt
"""

TIMERLAT_USER = """\
                                     Timer Latency
  0 00:01:01   |          IRQ Timer Latency (ns)        |         Thread Timer Latency (ns)      |\
    Ret user Timer Latency (ns)
CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max |\
      cur       min       avg       max
  1 #60003     |     1041      1010      6012     41400 |    11011      7012     18055    367000 |\
    14003     10001     22022    372000
"""

GO = """\
goos: linux
goarch: amd64
pkg: example.com/queue
cpu: AMD EPYC 7B13
BenchmarkPut-8             \t50000000\t        24.31 ns/op\t      16 B/op\t       1 allocs/op
BenchmarkPut-8             \t50000000\t        25.02 ns/op\t      16 B/op\t       1 allocs/op
BenchmarkPut-8             \t50000000\t        24.18 ns/op\t      16 B/op\t       1 allocs/op
BenchmarkGet/size=64-8     \t 1000000\t      1062 ns/op\t  60.26 MB/s
--- FAIL: BenchmarkBroken-8
    queue_test.go:12: it broke
PASS
ok  \texample.com/queue\t3.912s
"""

RUST = """\
    Finished bench [optimized] target(s) in 1.25s
     Running benches/bench.rs

running 6 tests
test channel::ping_pong ... bench:       1,234 ns/iter (+/- 56)
test mutex_lock         ... bench:          12 ns/iter (+/- 1)
test sem_give           ... bench:           9.31 ns/iter (+/- 0.12)
test memcpy_1k          ... bench:   1,043,210.5 ns/iter (+/- 2) = 23813 MB/s
test tests::it_works    ... ignored
test cut_off            ... bench:   1,043,21

test result: ok. 0 passed; 0 failed; 1 ignored; 5 measured; 0 filtered out
"""

PERF = """\
$ perf bench sched all
# Running sched/messaging benchmark...
# 20 sender and receiver processes per group
# 10 groups == 400 processes run

     Total time: 0.154 [sec]

# Running sched/pipe benchmark...
# Executed 1000000 pipe operations between two processes

     Total time: 8.041 [sec]

       8.041561 usecs/op
         124354 ops/sec

# Running 'mem/memcpy' benchmark:
# function 'default' (Default memcpy() provided by glibc)
# Copying 1MB bytes ...

       6.510417 GB/sec

# Running 'breakpoint/thread' benchmark:
# Created/joined 100 threads with 4 breakpoints and 128 parallelism
     Total time: 1.989 [sec]

       38.854160 usecs/op
     4973.332500 usecs/op/cpu
"""

CATCH2 = """\
Randomness seeded to: 1234

-------------------------------------------------------------------------------
Queues
-------------------------------------------------------------------------------
benches.cpp:10
...............................................................................

benchmark name                       samples       iterations    est run time
                                     mean          low mean      high mean
                                     std dev       low std dev   high std dev
-------------------------------------------------------------------------------
put a message                                  100           208     7.1968 ms\x20
                                        347.41 ns     345.11 ns     351.04 ns\x20
                                        14.2 ns        9.8 ns        20.1 ns\x20

post_layout_optimization: full
optimization                                   100             1     2.85441 m
                                         1.72478 s     1.72069 s     1.73066 s
                                        24.7886 ms    18.9018 ms    39.0736 ms

take a message                                 100            20     8.1968 ms

===============================================================================
test cases: 1 | 1 passed
"""

CATCH2_SHORT = """\
benchmark name                            samples    iterations          mean
-------------------------------------------------------------------------------
put a message                                 100           208     347.41 ns

===============================================================================
"""
