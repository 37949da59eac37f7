# SPDX-License-Identifier: Apache-2.0
"""An interrupt at each instruction: of every row of suites, and of operations whose object it uses.

Here by the simulator of instructions, whose RV32 is the board ibex's, with the kernel's assertions;
with --long on boards, as `foliot sweep` does it. That it would find something is tried with
defects: a lock that is not taken.
"""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from foliot.sweep.plan import Plan, write
from support.command import ROOT
from support.seeded import copy_tree

APP = "tests/sweep"
LIMIT_S = 900
LIMIT = "20000000000"
CONTESTS = 64
# Suite, configuration, each how many-th instruction, and how many rows are swept at the least.
SUITES = {
    "states": ("states", "debug,sweep", 1, 550),
    "interrupt": ("interrupt", "sweep", 1, 12),
}
LONGER = {
    "objects": ("objects", "userspace,sweep", 1, 400),
    "ipc": ("ipc", "sweep", 1, 15),
    "time": ("time", "few,sweep", 1, 70),
}
LOCK = "unsigned int key = arch_irq_lock();"
NO_LOCK = "unsigned int key = ARCH_IRQ_KEY_OPEN;"
DEFECTS = {
    "clearing events": ("kernel/objects/event.c", "uint32_t k_event_clear("),
    "stopping a timer": ("kernel/objects/timer.c", "void k_timer_stop("),
    "moving a thread": ("kernel/sched/thread.c", "void k_thread_priority_set("),
}


def run(iss, elf) -> tuple[int, str]:
    command = [str(iss), "--elf", str(elf), "--max-cycles", LIMIT]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                          timeout=LIMIT_S, check=False)  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def image(foliot, app: str, conf: str = "", board: str = "ibex"):
    words = ["--conf", conf] if conf else []
    said = foliot("build", app, "--board", board, *words, "--quiet")
    assert said.returncode == 0, said.stderr
    return ROOT / said.stdout.split()[-1]


def swept(output: str) -> list[dict]:
    mark = '@foliot {"type":"sweep"'
    return [json.loads(line[8:]) for line in output.splitlines() if line.startswith(mark)]


@pytest.mark.board("ibex")
@pytest.mark.slow
@pytest.mark.parametrize("suite", [*SUITES, *(pytest.param(x, marks=pytest.mark.long)
                                              for x in LONGER)])  # fmt: skip
def test_an_interrupt_at_each_instruction_changes_nothing(foliot, iss, suite):
    app, conf, step, least = {**SUITES, **LONGER}[suite]
    elf = write(image(foliot, f"suites/{app}", conf), Plan(step=step))
    status, output = run(iss, elf)
    rows = swept(output)
    wrong = [(row["id"], row["wrong"], row["wrong_at"]) for row in rows if "wrong" in row]
    assert wrong == []
    assert status == 0, output[-2000:]
    assert len(rows) >= least
    assert [row["id"] for row in rows if row["arrivals"] == 0 or row["cut"] or row["dropped"]] == []


@pytest.mark.board("ibex")
@pytest.mark.slow
def test_a_handler_that_uses_the_very_object_comes_before_or_behind(foliot, iss):
    hold(*run(iss, image(foliot, APP)))


@pytest.mark.board("mps2_an385")
@pytest.mark.long
def test_a_handler_comes_before_or_behind_in_qemu(foliot):
    said = foliot("run", APP, "--board", "mps2_an385")
    hold(said.returncode, said.stdout)


@pytest.mark.board("qemu_riscv32")
@pytest.mark.long
def test_a_handler_comes_before_or_behind_in_riscvs_qemu(foliot):
    """Its own test: the line is the clock's, which has to be the machine's."""
    elf = image(foliot, APP, board="qemu_riscv32")
    command = ["qemu-system-riscv32", "-M", "virt", "-cpu", "rv32,x-epmp=true", "-bios", "none",
               "-nographic", "-monitor", "none", "-serial", "stdio", "-icount",
               "shift=0,sleep=off", "-rtc", "base=1970-01-01T00:00:00,clock=vm", "-kernel",
               str(elf)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=LIMIT_S, check=False)  # fmt: skip
    hold(done.returncode, done.stdout)


def hold(status: int, output: str) -> None:
    assert "FAILED" not in output, re.findall(r"FAILED.*", output)
    assert status == 0, output[-2000:]
    assert f"{CONTESTS} contests, 0 failed" in output
    found = re.findall(r"^ *(.+): (\d+) arrivals, (\d+) outcomes$", output, re.MULTILINE)
    assert len(found) == CONTESTS
    assert all(int(arrivals) > 40 for _, arrivals, _ in found)


@pytest.mark.board("ibex")
@pytest.mark.slow
def test_a_lock_that_is_not_taken_is_found(iss, tmp_path):
    copy = copy_tree(tmp_path / "tree", APP)
    for name, (file, function) in DEFECTS.items():
        path = copy.root / file
        text = path.read_text(encoding="utf-8")
        before, found, behind = text.partition(function)
        assert found and LOCK in behind, name
        path.write_text(before + found + behind.replace(LOCK, NO_LOCK, 1), encoding="utf-8")
        said = copy.foliot("build", APP, "--board", "ibex", "--quiet")
        assert said.returncode == 0, said.stderr
        path.write_text(text, encoding="utf-8")
        status, output = run(iss, copy.root / said.stdout.split()[-1])
        assert status != 0, f"nothing noticed: {name}"
        assert "FAILED" in output or "ASSERTION" in output, output[-1000:]


@pytest.mark.board("ibex", "mps2_an385", "qemu_riscv32")
@pytest.mark.long
@pytest.mark.parametrize("suite", ["states", "objects", "interrupt"])
@pytest.mark.parametrize("board", ["ibex", "mps2_an385", "qemu_riscv32"])
def test_a_whole_suite_is_swept(foliot, board, suite, tmp_path):
    out = tmp_path / "found.json"
    said = foliot("sweep", "--board", board, "--suite", suite, "--json", str(out), limit_s=7200)
    assert said.returncode == 0, said.stdout[-3000:] + said.stderr[-1000:]
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["failures"] == []
    assert len(found["rows"]) > 10
    assert [row["id"] for row in found["rows"] if row["not_tried"]] == []
