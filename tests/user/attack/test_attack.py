# SPDX-License-Identifier: Apache-2.0
"""The attackers: nothing leaks, nothing breaks, and most of their calls get past the first check.

Small in each run; with --long as many calls as docs/security.md tells of.
"""

from __future__ import annotations

import re

import pytest

COUNTS = re.compile(
    r"^seed \d+: (\d+) calls of (\d+) kinds out of (\d+), (\d+) returned, (\d+) of these an error; "
    r"(\d+) refused at the first check, (\d+) later, (\d+) by the core; (\d+) probes, (\d+) lives",
    re.MULTILINE,
)
SMALL = [("qemu_riscv32", "pages", 60_000), ("mps2_an385", "coarse,few", 1500),
         ("ibex", "rtl,few", 1500),
         pytest.param("mps2_an521", "coarse,few", 1500, marks=pytest.mark.long),
         pytest.param("qemu_riscv64", "pages", 60_000, marks=pytest.mark.long),
         *(pytest.param(board, conf, 60_000, marks=pytest.mark.long)
           for board in ("qemu_aarch64", "qemu_aarch64_a76")
           for conf in ("pages", "el2,pages")),
         pytest.param("qemu_x86_64", "pages", 60_000, marks=pytest.mark.long)]  # fmt: skip
# With what adds to threads, stacks and switches, and takes regions.
MIXES = [("qemu_riscv32", "pages,canaries-all,stackguard", 60_000),
         ("qemu_riscv32", "pages,small,reports,objcore,timeslicing,ipc", 60_000),
         ("qemu_riscv32", "pages,deadline", 60_000),
         ("qemu_riscv64", "pages,stackguard", 60_000),
         ("qemu_aarch64", "pages,canaries-all,stackguard", 60_000),
         ("qemu_aarch64_a76", "pages,stackguard", 60_000),
         ("qemu_x86_64", "pages,canaries-all,stackguard", 60_000),
         ("mps2_an385", "coarse,few,stackguard", 1500),
         ("mps2_an385", "coarse,few,canaries-all,stackguard", 1500),
         ("ibex", "rtl,few,canaries,stackguard", 1500)]  # fmt: skip
FULL = [("qemu_riscv32", "pages,full", 10_000_000), ("ibex", "rtl,million", 1_000_000)]
HOURS = 4 * 3600


def holds(done, calls_at_least: int) -> None:
    """Judge a run: that it held, and that it was an attack at all."""
    assert done.stdout.splitlines()[-1] == "ATTACK HELD", done.stdout[-3000:]
    counts = COUNTS.search(done.stdout)
    assert counts
    calls, kinds, of, returned, errors, first, later, core, probes, lives = map(
        int, counts.groups()
    )
    assert calls >= calls_at_least
    assert returned * 3 > calls  # past validation
    assert kinds > of * 3 // 4
    assert min(errors, first, later, core, probes) > 0
    assert first + later + core <= calls
    assert lives > 100


@pytest.mark.board
@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "conf", "calls"),
    SMALL + [pytest.param(*mix, marks=pytest.mark.long) for mix in MIXES],
)
def test_calls_with_any_arguments_change_nothing_that_they_may_not(foliot, board, conf, calls):
    done = foliot("run", "tests/user/attack", "--board", board, "--conf", conf, "--quiet",
                  "--timeout", "3000", limit_s=900)  # fmt: skip
    holds(done, calls)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize(("board", "conf", "calls"), FULL)
def test_the_full_number_of_calls_changes_nothing_either(foliot, board, conf, calls):
    done = foliot("run", "tests/user/attack", "--board", board, "--conf", conf, "--quiet",
                  "--timeout", str(HOURS), limit_s=HOURS)  # fmt: skip
    holds(done, calls)
