# SPDX-License-Identifier: Apache-2.0
"""Priorities of an NVIC with any number of bits: arch/cortex_m/priority.h, compiled for each."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
#include <stdio.h>
#include "priority.h"
int main(void)
{
	printf("%d %d", BASEPRI_KERNEL, nvic_alarm_priority());
	for (unsigned int prio = 0; prio < 300; prio++)
		printf(" %d", nvic_line_priority(prio));
	return 0;
}
"""


def compiled(directory: Path, bits: int, *more: str) -> subprocess.CompletedProcess[str]:
    (directory / "board.h").write_text(f"#define BOARD_NVIC_PRIO_BITS {bits}\n")
    (directory / "main.c").write_text(PROGRAM)
    return subprocess.run(
        ["gcc", *more, "-Wall", "-Wextra", "-Werror", "-I", directory, "-I", ROOT / "arch/cortex_m",
         "-o", directory / "program", directory / "main.c"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("bits", [2, 3, 4, 5, 8])
def test_masks_and_orders_are_right_with_any_number_of_bits(tmp_path, bits):
    done = compiled(tmp_path, bits)
    assert done.returncode == 0, done.stderr
    printed = subprocess.run(
        [tmp_path / "program"], capture_output=True, text=True, check=True, timeout=10
    ).stdout
    basepri, alarm, *lines = map(int, printed.split())
    implemented = (0xFF << (8 - bits)) & 0xFF
    preempts = implemented & 0xFE  # PRIGROUP 0: bit 0 is a sub-priority
    pendsv = preempts  # it is written as 0xff
    assert all(value & implemented == value for value in [basepri, alarm, *lines])
    # What counts for preemption and for BASEPRI: the supervisor call (0) is let through, all
    # lines are not, and each of the four kinds is less urgent than the one before.
    levels = [value & preempts for value in lines]
    assert 0 < basepri & preempts <= levels[0]
    assert levels == sorted(levels)
    assert levels[-1] < alarm & preempts < pendsv
    # As many as there are, but for the call's, the alarm's and PendSV's own.
    assert len(set(levels)) == 2 ** min(bits, 7) - 3


def test_two_bits_without_calls_are_two_levels_of_lines(tmp_path):
    done = compiled(tmp_path, 2, "-DCONFIG_CORTEX_M_V6M")
    assert done.returncode == 0, done.stderr
    printed = subprocess.run(
        [tmp_path / "program"], capture_output=True, text=True, check=True, timeout=10
    ).stdout
    _, alarm, *lines = map(int, printed.split())
    assert [lines[0], set(lines[1:]), alarm] == [0x00, {0x40}, 0x80]


@pytest.mark.parametrize("bits", [1, 9])
def test_a_number_of_bits_that_no_nvic_has_does_not_build(tmp_path, bits):
    done = compiled(tmp_path, bits)
    assert done.returncode != 0
    assert "BOARD_NVIC_PRIO_BITS" in done.stderr
