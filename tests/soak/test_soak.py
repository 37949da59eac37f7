# SPDX-License-Identifier: Apache-2.0
"""All services at once: nothing lost or doubled, no drift, no leak, with counters that wrap.

A second of simulated time on each machine; with --long 10^11 instructions on QEMU and 10^9 cycles
on the RTL. That what is lost is noticed is tried by losing something.
"""

from __future__ import annotations

import re

import pytest

from support.seeded import Copy, copy_tree

LOADS = ("sem", "limit", "mutex", "event", "poll", "timer", "work", "msgq", "pipe", "queue", "mbox",
         "ipc", "slab", "heap", "memory", "threads")  # fmt: skip
# What only shows at the largest limit that there is.
SEEDED = {
    "limit": ("kernel/objects/sem_ops.h",
              "sem->count != sem->limit", "sem->count < sem->limit + 1U"),
}  # fmt: skip


def passed(done) -> dict[str, int]:
    """Return how much each load did, of a run that passed."""
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "SOAK PASS" in done.stdout
    found = {name: int(count) for name, count in re.findall(r"^(\w+): (\d+)$", done.stdout, re.M)}
    assert tuple(found) == LOADS
    assert min(found.values()) > 0
    return found


@pytest.mark.slow
@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [("qemu_riscv32", "default"),
     *(pytest.param(board, conf, marks=pytest.mark.long) for board, conf in (
         ("host", "default"), ("mps2_an385", "default"), ("ibex", "fast"),
         ("qemu_aarch64", "default"), ("qemu_x86_64", "default"),
         ("qemu_riscv64", "default")))],
)  # fmt: skip
def test_nothing_is_lost_and_nothing_is_left_with_all_services_at_once(foliot, board, conf):
    done = foliot("run", "tests/soak", "--board", board, "--conf", conf, "--quiet",
                  "--timeout", "100")  # fmt: skip
    found = passed(done)
    assert found["threads"] > 16  # generations have wrapped
    assert int(re.findall(r"^ticks (\d+),", done.stdout, re.M)[0]) > 64  # and ticks


@pytest.mark.long
@pytest.mark.board("qemu_riscv32")
def test_nothing_is_lost_in_a_hundred_thousand_million_instructions(foliot):
    """QEMU counts one for each nanosecond of its time, and the processor is never idle."""
    done = foliot("run", "tests/soak", "--board", "qemu_riscv32", "--conf", "long", "--quiet",
                  "--timeout", "900", limit_s=3600)  # fmt: skip
    passed(done)
    ticks = int(re.findall(r"^ticks (\d+),", done.stdout, re.M)[0])
    assert ticks >= 100_000  # of a millisecond


@pytest.mark.long
@pytest.mark.board("ibex")
def test_nothing_is_lost_in_a_thousand_million_cycles_of_the_rtl(foliot):
    done = foliot("run", "tests/soak", "--board", "ibex", "--conf", "fast,rtl", "--quiet",
                  "--timeout", "7200", limit_s=4 * 3600)  # fmt: skip
    passed(done)


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Copy:
    return copy_tree(tmp_path_factory.mktemp("tree"), "tests/soak")


@pytest.mark.long
@pytest.mark.board("host")
@pytest.mark.parametrize("name", SEEDED)
def test_a_wrap_that_is_not_thought_of_is_noticed(copy, name):
    file, old, new = SEEDED[name]
    path = copy.root / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    try:
        done = copy.foliot("run", "tests/soak", "--board", "host", "--quiet", "--timeout", "100")
    finally:
        path.write_text(text, encoding="utf-8")
    assert done.returncode != 0, done.stdout
