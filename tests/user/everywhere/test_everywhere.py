# SPDX-License-Identifier: Apache-2.0
"""Abort everywhere: a sibling comes between at each instruction of every system call.

The simulator of instructions forks in front of each; what the victim had is filled with what
user mode would like the kernel to believe. A sample in each run, all of it with --long, and
there with the defects that a review found put back: each is found.
"""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from foliot.target import boards
from support.command import ROOT
from support.seeded import Copy, copy_tree
from support.takeovers import LINKS_COME_IN, OWNER_IS_ASKED

APP = "tests/user/everywhere"
LIMIT_S = 1200
# Calls that leave nothing of the caller's in the kernel's hands, or end the caller.
WITHOUT = {
    "k_reschedule": "no argument",
    "k_msleep": "k_sleep()",
    "k_usleep": "k_sleep()",
    "k_current_get": "no argument",
    "k_is_preempt_thread": "no argument",
    "k_uptime_get_32": "no argument",
    "k_cycle_get_32": "no argument",
    "k_busy_wait": "a number",
    "k_fatal_raise": "ends its caller",
    "k_thread_stack_free": "a stack in use is refused, as tests/user tries",
    "k_poll_signal_init": "as k_sem_init()",
    "k_pipe_init": "as k_sem_init()",
    "console_putc": "a character",
    "user_uptime_read": "eight bytes, copied as all others",
    "user_ipc_call": "k_ipc_call()",
    "user_ipc_reply_receive": "k_ipc_reply_receive()",
    "k_atomic_update_": "on cores without such instructions",
    "k_uptime_ticks": "no argument",
    "k_uptime_get": "no argument",
    "k_uptime_delta": "user mode's own",
    "k_thread_deadline_set": "an option",
    "k_thread_absolute_deadline_set": "an option",
    "k_thread_custom_data_set": "an option",
    "k_thread_custom_data_get": "an option",
}
# The takeovers.
DEFECTS = {
    "an owner is asked whether it lives": [OWNER_IS_ASKED],
    "an event brings its links": LINKS_COME_IN,
}


def sweep(iss, elf, step: int, *words: str) -> dict:
    """Return what the simulator says of all that it tried."""
    command = [
        iss,
        "--elf",
        elf,
        "--max-cycles",
        "500000000",
        "--sweep",
        "--sweep-step",
        step,
    ]
    done = subprocess.run([*map(str, command), *words], capture_output=True, text=True,
                          errors="replace", timeout=LIMIT_S, check=False)  # fmt: skip
    (said,) = (line for line in done.stderr.splitlines() if '"sweep"' in line)
    return json.loads(said.removeprefix("@sim "))


def image(foliot_or_copy, board: str = "ibex", *conf: str) -> str:
    words = [word for name in conf for word in ("--conf", name)]
    assert foliot_or_copy("build", APP, "--board", board, *words, "--quiet").returncode == 0
    name = "-".join(["tests-user-everywhere", *conf])
    return f"build/firmware/{board}/{name}/firmware.elf"


def inject(elf, board: str) -> tuple[int, int]:
    """Run it in QEMU, whose devices' time is the machine's: the arrivals, of how many possible."""
    command = [str(word).replace("{elf}", str(elf)) for word in boards.load(board).run["command"]]
    if board == "qemu_riscv32":  # the injecting device is its clock
        command += ["-rtc", "base=1970-01-01T00:00:00,clock=vm"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=6 * LIMIT_S, check=False)  # fmt: skip
    assert "FAIL" not in done.stdout, done.stdout[-2000:]
    assert done.stdout.splitlines()[-1] == "PROJECT EXECUTION SUCCESSFUL", done.stdout[-2000:]
    return arrivals_of(done.stdout)


def arrivals_of(output: str) -> tuple[int, int]:
    (found,) = re.findall(r"^(\d+) arrivals of (\d+) possible$", output, re.MULTILINE)
    return int(found[0]), int(found[1])


def test_every_call_of_the_list_has_a_case():
    listed = (ROOT / "kernel/base/syscalls.h").read_text(encoding="utf-8")
    calls = set(re.findall(r"^SYSCALL(?:_FAST|_MASKED|_VIA)?\((\w+)\)", listed, re.MULTILINE))
    source = (ROOT / APP / "cases.c").read_text(encoding="utf-8")
    cases = set(re.findall(r"^\tCASE\((\w+),", source, re.MULTILINE))
    assert len(calls) > 90
    assert cases - calls == set()
    assert calls - cases - set(WITHOUT) == set()
    assert set(WITHOUT) & cases == set()


@pytest.mark.board("ibex")
@pytest.mark.slow
def test_nobody_is_believed_who_came_between(foliot, iss):
    said = sweep(iss, ROOT / image(foliot), 61)
    assert said["tried"] > 1500
    assert said["failures"] == [], said["failures"]


@pytest.mark.board("ibex")
@pytest.mark.long
def test_nobody_is_believed_who_came_between_at_any_instruction(foliot, iss, capsys):
    said = sweep(iss, ROOT / image(foliot), 1)
    with capsys.disabled():
        print(f"\n{said['tried']} arrivals tried, at each of {said['instructions']} instructions "
              "where interrupts were open")  # fmt: skip
    assert said["tried"] > 100_000
    assert said["failures"] == [], said["failures"]


@pytest.mark.board
@pytest.mark.slow
@pytest.mark.parametrize(  # RV32: on sim/iss, above
    "board", [pytest.param("qemu_riscv32", marks=pytest.mark.long),
              pytest.param("mps2_an385", marks=pytest.mark.long)]
)  # fmt: skip
def test_nobody_is_believed_who_came_between_in_qemu(foliot, board):
    arrivals, possible = inject(ROOT / image(foliot, board, "sample"), board)
    assert arrivals > 1500
    assert possible > 250 * arrivals


@pytest.mark.board
@pytest.mark.long
@pytest.mark.parametrize("board", ["qemu_riscv32", "mps2_an385"])
def test_nobody_is_believed_who_came_between_at_more_instructions_in_qemu(foliot, board, capsys):
    arrivals, possible = inject(ROOT / image(foliot, board, "steps"), board)
    with capsys.disabled():
        print(f"\n{board}: {arrivals} arrivals of {possible} possible")
    assert arrivals > 8000


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return copy_tree(tmp_path_factory.mktemp("tree"), "tests/user", "tests/check")


@pytest.mark.board("ibex")
@pytest.mark.long
@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_that_is_put_back_is_found(copy, iss, defect):
    changes = DEFECTS[defect]
    was = {copy.root / file: (copy.root / file).read_text(encoding="utf-8")
           for file, _, _ in changes}  # fmt: skip
    try:
        for file, new, old in changes:
            text = (copy.root / file).read_text(encoding="utf-8")
            assert text.count(new) == 1, (file, new)
            (copy.root / file).write_text(text.replace(new, old), encoding="utf-8")
        said = sweep(iss, copy.root / image(copy.foliot), 7)
    finally:
        for path, text in was.items():
            path.write_text(text, encoding="utf-8")
    assert any("a word of the kernel's was written" in failure["last"]
               for failure in said["failures"])  # fmt: skip


@pytest.mark.board("ibex")
@pytest.mark.long
def test_nobody_is_believed_who_came_between_at_any_clock_of_the_shortest_calls(foliot, capsys):
    """On the RTL, which cannot be forked: all in one boot."""
    words = ("run", APP, "--board", "ibex", "--conf", "clocks", "--quiet", "--timeout", "7200")
    done = foliot(*words, limit_s=7200)
    assert "FAIL" not in done.stdout
    assert done.stdout.splitlines()[-1] == "PROJECT EXECUTION SUCCESSFUL", done.stdout[-2000:]
    arrivals, possible = arrivals_of(done.stdout)
    with capsys.disabled():
        print(f"\n{arrivals} arrivals of {possible} possible")
    assert arrivals > 5000
