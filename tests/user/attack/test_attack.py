# SPDX-License-Identifier: Apache-2.0
"""The attacker at a small size: nothing leaks, nothing breaks, and it gets past the first check."""

from __future__ import annotations

import re

import pytest

COUNTS = re.compile(
    r"^seed \d+: (\d+) calls, (\d+) returned, (\d+) of (\d+) kinds; (\d+) deaths in (\d+) rounds$",
    re.MULTILINE,
)


@pytest.mark.board
@pytest.mark.parametrize("board", ["qemu_riscv32", "mps2_an385"])
def test_thousands_of_calls_with_any_arguments_change_nothing_that_they_may_not(foliot, board):
    done = foliot.run("tests/user/attack", board, "default", limit_s=400)
    assert done.stdout.splitlines()[-1] == "ATTACK HELD"
    counts = COUNTS.search(done.stdout)
    assert counts
    calls, returned, kinds, of, deaths, rounds = (int(text) for text in counts.groups())
    assert calls >= 4000
    assert returned * 3 > calls
    assert kinds > of * 3 // 4
    assert 100 < deaths <= rounds + deaths // 2
