# SPDX-License-Identifier: Apache-2.0
"""Pages and logs as people have them, written anew around published figures.

The figures come from data/reference/; the form is that of the documents in which they were
published: headings in Japanese, tables, line numbers in front, a table on a single line.
"""

from __future__ import annotations

from foliot.reference import systems

BANNER = "*** Booting Zephyr OS build v4.3.0-3523-g588d22464d13 ***"
END = "=" * 67 + "\nPROJECT EXECUTION SUCCESSFUL"

# Heading, reference, and what the article's table of devices says.
BOARDS = tuple(
    tuple(cell.strip() for cell in line.split("|"))
    for line in """
    Teensy4.1 | teensy4.1 | Teensy 4.1 (iMXRT1062) | Cortex M7 | 600 MHz | 1 MB | 8 MB | o
    STM32H747i | stm32h747i | STM32H747i disco | Cortex M7 | 480 MHz | 1 MB | 2 MB | o
    Nucleo G431KB | nucleo_g431kb | Nucleo G431KB | Cortex M4F | 170 MHz | 32 KB | 128 KB | o
    Nucleo F401RE | nucleo_f401re | Nucleo F401RE | Cortex M4F | 84 MHz | 96 KB | 512 KB | o
    microbit v2.2 | microbit_v2.2 | microbit v2.2 (nRF52833) | Cortex M4F | 64 MHz |128 KB|512 KB|o
    TY51822r3 | ty51822r3 | TY51822r3 (nRF51822) | Cortex M0 | 16 MHz | 16 KB | 256 KB | x
    RPi Pico2 | rpi_pico2 | RPi pico2 (RP2350) | Cortex M33 | 150 MHz | 520 KB | 4MB | o
    RPi Pico | rpi_pico | RPi pico (RP2040) | Cortex M0+ | 133 MHz | 264 KB | 2MB | x
    """.strip().splitlines()
)
ITEMS = {
    "Context Switch": "thread.yield.preemptive.ctx.k_to_k",
    "ISR Resume": "isr.resume.interrupted.thread.kernel",
    "Suspend thread": "thread.suspend.kernel.from.kernel",
    "Mutex Lock": "mutex.lock.immediate.recursive.kernel",
    "Semaphore Take": "semaphore.take.blocking.k_to_k",
    "Heap Malloc": "heap.malloc.immediate",
    "Thread Create": "thread.create.kernel.from.kernel",
}
SUMMARIES = (
    (("Teensy4.1", "teensy4.1"), ("STM32H747i", "stm32h747i"), ("Nucleo G431KB", "nucleo_g431kb"),
     ("rpi_pico2", "rpi_pico2")),
    (("rpi_pico", "rpi_pico"), ("Nucleo F401RE", "nucleo_f401re"),
     ("microbit v2.2", "microbit_v2.2"), ("TY51822r3", "ty51822r3")),
)  # fmt: skip

# The cells of its summary that the article copied from elsewhere: (item, board), what it says.
COPIED = {
    ("Suspend thread", "stm32h747i"): 542, ("Suspend thread", "nucleo_g431kb"): 2358,
    ("Suspend thread", "nucleo_f401re"): 3659, ("Thread Create", "nucleo_f401re"): 2871,
    ("Thread Create", "microbit_v2.2"): 3659, ("Thread Create", "ty51822r3"): 5014,
    ("Context Switch", "ty51822r3"): "---",
}  # fmt: skip


def published(board: str):
    return systems.load(f"zephyr-4.3@{board}")


def row_lines(run, padded: bool = False) -> list[str]:
    """Return the rows as they were printed: bare, or in columns."""
    form = "{:<40} - {:<50}:{:>8} cycles ,{:>9} ns :" if padded else "{} - {} : {} cycles , {} ns :"
    return [form.format(row.id, row.text, row.p50, int(row.ns)) for row in run.rows]


def log(run, banner: str = BANNER) -> str:
    return "\n".join([banner, *row_lines(run), END])


def article() -> str:
    """Return an article that compares eight boards, with its tables and all its logs."""
    parts = [
        "1. はじめに", "手元のデバイスで測ってみました。", "3.1. 実測したデバイス群",
        "| 製品名 | コア実装 | CPU Clock | RAM | ROM | FPU |", "|---|---|---|---|---|---|",
        *("| " + " | ".join(board[2:]) + " |" for board in BOARDS),
        "3.2. 主要な項目の結果",
    ]  # fmt: skip
    for boards in SUMMARIES:
        parts += ["何やら気になる数字が…", "| 項目 | " + " | ".join(t for t, _ in boards) + " |",
                  "|---|" + "---|" * len(boards)]  # fmt: skip
        for item, row_id in ITEMS.items():
            cells = [
                str(COPIED.get((item, name), int(published(name).row(row_id).ns)))
                for _, name in boards
            ]
            parts.append(f"| {item} | " + " | ".join(cells) + " |")
    parts += ["4. 所感", "Teensy 4.1 の ISR Resume が妙に高いのが気になりますね。", "5. 結果の詳細"]
    for title, name, *_ in BOARDS:
        parts += [f"{title} の結果", log(published(name))]
    return "\n".join([*parts, "5. まとめ", "ご参考にしていただければ。", ""])


def readme() -> str:
    """Return a source browser's copy of a README: a number in front of every line."""
    lines = ["Latency Measurements", "#" * 20, "", "This benchmark measures latency.", ""]
    for what, name in (
        ("using the defaults", ""), ("with stack canaries enabled", "-canaries"),
        ("with object core enabled", "-objcore"), ("with userspace enabled", "-userspace"),
    ):  # fmt: skip
        run = systems.load(f"zephyr-readme-2025{name}@unnamed")
        lines += [f"Sample output of the benchmark {what}::", ""]
        lines += [f"        {line}" for line in row_lines(run, padded=True)]
        lines += [f"        {line}" for line in END.split("\n")]
        lines += ["", "The sample output above shows times.", ""]
    head = "• Home\n  • History\n\nREADME.rst\n\n"
    return head + "\n".join(f"{number}{line}" for number, line in enumerate(lines, 1)) + "\n"


L4RE = """Performance overview ******************** The following table provides IPC numbers. \
+--------+-----------+-------+-------+---------+-------+ \
| Platform | Processor | IPC (in CPU cycles) | Syscall | Image | \
| | +--------------------+---------------------+ | | | | | Intra | Inter | | | \
+========+===========+=======+=======+=========+=======+ \
| amd64 / x86_64 | Intel N100 | 173/622/5431 [#1]_ | 392/1395/5871 [#1]_ \
| 64/190/1481 [#1]_ | Img [#3]_ | \
+--------+-----------+-------+-------+---------+ | \
| amd64 / x86_64 | Intel Xeon | 511/649/5431 [#1]_ | 934/1128/5871 [#1]_ \
| 222/160/1481 [#1]_ | | \
| | Platinum 8352S | | | | | \
+--------+-----------+-------+-------+---------+-------+ \
| Raspberry Pi 5 | Arm Cortex-A76 | 247 | 384 | 138 | Img [#2]_ | | 64bit - EL1 | | | | | | \
+--------+-----------+-------+-------+---------+ | \
| NXP S32G2 64bit | Arm Cortex-A53 | 661 | 770 | 228 | | | - EL2 | | | | | | \
+--------+-----------+-------+-------+---------+-------+ \
.. [#1] Values reflect TSC / clocks unhalted / instructions retired"""

KERNELPERF = """KernelPerf

This document explores a few performance characteristics of kernel-v1.

With 16 threads, it takes the scheduler about 58 microseconds (us) to process them all (red).

“Slotting into” the queue takes up about 35 microseconds for 16 threads of the same priority,
with each additional thread adding about 0.2 us starting from 0.6 us for thread 0. The status
checking time is constant about 1.3 us per thread.

A thread context switch takes about 1.25 microseconds, right from before Kernel.Next.
That is, the 16 threads waste about 16 * 1.25 us = 20 us for context switching per tick.

Test Case 9

The overall scheduler time in the latter case goes down to about 32 microseconds.

Test Case 10

Only eight threads. The overall scheduler run time is about 22 microseconds.

Test Case 11

Rising priorities. The overall scheduler run time is about 32 microseconds.
"""

THREAD_METRIC = """**** Thread-Metric Cooperative Scheduling Test **** Relative Time: 30
Time Period Total:  6000000

**** Thread-Metric Cooperative Scheduling Test **** Relative Time: 60
Time Period Total:  6000000

**** Thread-Metric Interrupt Preemption Processing Test **** Relative Time: 30
Time Period Total:  3000000
"""

IPCBENCH = """IPC within one address space:
ipc:1AS | done 600000 IPCs in 337200000 cpu-cycles, 562 cpu-cycles/IPC
IPC between two address spaces:
ipc:2AS | done 600000 IPCs in 414600000 cpu-cycles, 691 cpu-cycles/IPC
Syscall benchmark:
sc:single | CPU  0 done 300000 syscalls in 69000000 cpu-cycles, 230 cpu-cycles/syscall
Benchmarks done.
"""

OLDEST = """***** BOOTING ZEPHYR OS v1.7.99 - BUILD: Mar 24 2017 22:46:05 *****
|-----------------------------------------------------------------------------|
|                            Latency Benchmark                                |
|  tcs = timer clock cycles: 1 tcs is 10 nsec                                 |
| 1 - Measure time to switch from ISR back to interrupted thread              |
| switching time is 12591 tcs = 125910 nsec                                   |
| 2 - Measure time from ISR to executing a different thread (rescheduled)       |
| switch time is 8344 tcs = 83440 nsec                                        |
| Average semaphore signal time 63 tcs = 638 nsec                             |
| Average thread context switch using yield 110 tcs = 1107 nsec                 |
===================================================================
PROJECT EXECUTION SUCCESSFUL
"""

OLDER = """*** Booting Zephyr OS build v3.5.0-rc1-139-gdab69aeed11d ***
START - Time Measurement
Timing results: Clock frequency: 120 MHz
Preemptive threads ctx switch via k_yield (K -> K)  :     519 cycles ,     4325 ns :
Preemptive threads ctx switch via k_yield (K -> U)  :    1390 cycles ,    11587 ns :
Start user thread from kernel thread                :    6715 cycles ,    55960 ns :
Take a semaphore (context switch U -> K)            :    1690 cycles ,    14084 ns :
Average semaphore test time                         :    2048 cycles ,     2048 ns
Average time for heap free                          :     431 cycles ,     3591 ns :
PROJECT EXECUTION SUCCESSFUL
"""


def sel4(begin: str = "JSON OUTPUT", end: str = "END JSON OUTPUT") -> str:
    """Return the end of a sel4bench log."""
    return f"""seL4 Benchmark
Switching to a safer, bigger stack...
{begin}
[
 {{"Benchmark": "One way IPC microbenchmarks",
   "Results": [
    {{"Function": "seL4_Call", "Direction": "client->server", "Client Prio": 254,
      "Server Prio": 254, "Same vspace?": false, "IPC length": 0, "Min": 258, "Max": 262,
      "Mean": 260.0, "Stddev": 1.5, "Median": 260.0, "Samples": 4,
      "Raw results": [258, 260, 260, 262]}},
    {{"Function": "seL4_Call", "Direction": "client->server", "Client Prio": 254,
      "Server Prio": 254, "Same vspace?": true, "IPC length": 10, "Min": 700, "Max": 710,
      "Mean": 703.0, "Stddev": "nan", "Median": 703.0, "Samples": 16}}]}},
 {{"Benchmark": "Hardware null_syscall thread",
   "Results": [{{"Min": 131, "Max": 131, "Mean": 131.0, "Stddev": 0.0, "Samples": 16}}]}}
]{end}
All is well in the universe.
"""
