# SPDX-License-Identifier: Apache-2.0
"""How late an interrupt's handler begins where calls copy or wake much."""

from __future__ import annotations

import re

import pytest

LATEST = {
    "nothing masked": 60,
    "k_msgq_put() of 4 KiB": 200,
    "k_msgq_get() of 4 KiB": 200,
    "k_condvar_broadcast() to 64 timed waiters": 500,
}


@pytest.mark.board("ibex")
@pytest.mark.long
def test_no_call_masks_interrupts_for_long_however_much_it_does(foliot):
    done = foliot.run("tests/kernel/masked", "ibex", "default", limit_s=600)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = re.findall(r"^(.+?) +(\d+) of the timer's cycles, (\d+) alarms$", done.stdout, re.M)
    found = {name: int(cycles) for name, cycles, _ in rows}
    assert found.keys() == LATEST.keys()
    assert {name: cycles for name, cycles in found.items() if cycles > LATEST[name]} == {}
    assert all(int(alarms) > 15 for _, _, alarms in rows)
