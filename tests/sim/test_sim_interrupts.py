# SPDX-License-Identifier: Apache-2.0
"""Interrupt sources: the line each drives, and when.

Latencies are counted from the clock in which the line is first high to the clock in which
the handler's first instruction, behind one jump in the vector table, is executed.
"""

import pytest

TIMER, SOFTWARE, INJECTED, FAST = 7, 3, 11, 16
INTERRUPT = 1 << 31

LATENCY = 6  # out of sleep and out of one-clock instructions alike


@pytest.mark.parametrize(
    ("source", "latency"), [(TIMER, LATENCY), (INJECTED, LATENCY), (SOFTWARE, None)]
)
def test_wake_from_sleep(passes, source, latency):
    run = passes("wake", SOURCE=source)
    assert len(run.numbers) == 10
    for cause, clocks, mcycle in run.numbers:
        assert cause == INTERRUPT | source
        if latency:
            assert clocks == latency
            assert mcycle < 50, "mcycle stops in WFI"


@pytest.mark.parametrize("line", [0, 1, 13, 14])
def test_raised_by_software(passes, line):
    run = passes("wake", SOURCE=FAST + line)
    assert [cause for cause, _, _ in run.numbers] == [INTERRUPT | (FAST + line)] * 10


def test_injector_is_exact(passes):
    run = passes("inject")
    assert [row[0] for row in run.numbers] == list(range(1, 41))
    for n, rise, latency, left in run.numbers:
        assert rise == n
        assert left == n - 1
        assert latency == LATENCY


def test_injector_without_interrupt(passes):
    run = passes("inject_off")
    assert run.numbers == [[0, 1], [1, 0], [1 << INJECTED], [0, 0], [0, 0], [0, 1], [0, 0]]
