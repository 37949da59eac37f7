# SPDX-License-Identifier: Apache-2.0
"""Forty questions "where is X", as a newcomer asks them, and the files that answer.

The map is true when each file is there and holds what is asked for. It is *guessed* where a
stranger could find the file by names alone: a word of the question (four letters at least, or
one of SHORT) is a word of the path, or begins like one. That is a rule and no judgement: it
knows no synonyms, so what it passes is guessable, and some that it does not pass may be, too.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHORT = {"gdb", "irq", "uart", "cpu", "new", "heap", "vcd"}
# Rooms and kinds that stand in many paths: they tell a reader where to look, not what to open.
COMMON = {"kernel", "foliot", "include", "objects", "test", "tests", "lab", "readme", "sched"}

# (question, file, a string that the answer must hold)
QUESTIONS = (
    # the API
    ("What does k_sem_take() return?", "include/foliot/sem.h", "int k_sem_take("),
    ("Which functions do message queues have?", "include/foliot/msgq.h", "int k_msgq_put("),
    ("How is a thread laid out in memory?", "include/foliot/thread.h", "struct k_thread {"),
    ("What is K_MSEC in time-outs?", "include/foliot/time.h", "K_MSEC("),
    ("What do the error codes mean?", "include/foliot/errno.h", "EAGAIN"),
    # the kernel
    ("Who gets a mutex when it is unlocked?", "kernel/objects/mutex.c", "hand_to_first("),
    ("How does a stack of words push?", "kernel/objects/stack_ops.h", "k_stack_push,"),
    ("Why is a long message copied with interrupts open?", "kernel/objects/msgq_copy.c",
     "Rejected: places that the waiter fills"),
    ("Where do event flags wake threads?", "kernel/objects/event_ops.h", "k_event_post,"),
    ("What happens when a timer expires?", "kernel/objects/timer.c", "timer_expired("),
    ("Where is the ready queue?", "kernel/sched/ready.c", "ready_add_last("),
    ("How does a thread end?", "kernel/sched/thread_end.c", "void k_thread_abort("),
    ("How is a thread created?", "kernel/sched/thread.c", "k_thread_create("),
    ("What does k_sleep() do?", "kernel/sched/sleep.c", "k_sleep("),
    ("Where are time slices counted?", "kernel/sched/slice.c",
     "slice_switch("),
    ("How are timeouts kept?", "kernel/time/timeout.c", "The timeout wheel"),
    ("How do cycles of the clock become ticks?", "kernel/time/clock.c", "clock_ticks("),
    ("Where is the heap's allocator?", "kernel/memory/sys_heap.c", "sys_heap_alloc("),
    ("Where are memory slabs?", "kernel/memory/mem_slab.c", "k_mem_slab_alloc("),
    ("What does the kernel do at start?", "kernel/start/init.c", "kernel_start("),
    ("Where is a fatal error reported?", "kernel/core/fatal.c", "void fatal_report("),
    ("How is a stack guard moved at a switch?", "arch/cortex_m/guard.inc",
     "move_guard"),
    ("Which trace hooks are there?", "kernel/hooks/trace.h", "trace_switch("),
    # machines
    ("Where are RISC-V traps taken?", "arch/riscv/trap.S", "mcause"),
    ("How does a Cortex-M switch threads?", "arch/cortex_m/switch.S", "arch_switch"),
    ("What must I write to port it to another architecture?", "arch/README.md",
     "All that a port brings"),
    ("What clock does the Ibex board have?", "boards/ibex/board.toml", "clock_hz"),
    ("Where is the driver of the ns16550 UART?", "drivers/uart/ns16550.c", "uart_putc("),
    ("What does a timer driver have to do?", "drivers/timer.h", "timer_announce("),
    ("Where is printk()?", "lib/printk.c", "void printk("),
    # measuring
    ("Which code is measured for semaphores in latency?", "suites/latency/sem.c",
     "semaphore.give"),
    ("How do I measure an operation of my own?", "suites/measure/include/measure.h",
     "measure_single("),
    ("Where is the hand-written floor for RISC-V?", "arch/riscv/suites/floor.S",
     "floor_sem_give"),
    # the laboratory
    ("What options does `foliot compare` have?", "lab/foliot/commands/compare.py",
     "def command("),
    ("Where is Zephyr's twister output imported?", "lab/foliot/importers/twister.py",
     "@json_format"),
    ("How is a VCD of the signals written by the simulator?", "sim/vcd.cpp", "$timescale"),
    ("Which doubts about figures are there?", "lab/foliot/judge/doubts.py", "def "),
    ("Where does gdb learn of threads?", "lab/inside_gdb/foliot_view/layout.py", "PENDING"),
    ("What do the targets of the rows say?", "data/targets.json", "semaphore"),
    ("How do I add a board or an object of my own?", "CONTRIBUTING.md",
     "## Add a board"),
)  # fmt: skip


def words(text: str) -> set[str]:
    parts = re.findall(r"[a-z0-9]+", text.lower())
    return {part for part in parts if len(part) >= 4 or part in SHORT} - COMMON


def is_guessed(question: str, path: str) -> bool:
    """Whether a word of the question is one of the file's name, or begins like one.

    The file's own name counts, not its directories: a room alone does not find a file. A
    README's name is its directory's.
    """
    asked = words(question)
    file = path.removesuffix("/README.md").rpartition("/")[2]
    named = set(re.findall(r"[a-z0-9]+", file.partition(".")[0].lower()))
    named -= COMMON
    return any(part.startswith(word) or word.startswith(part)
               for part in named for word in asked | set(re.findall(r"k_([a-z]+)_", question))
               if len(part) > 2)  # fmt: skip


def test_there_are_forty_and_none_is_asked_twice():
    assert len(QUESTIONS) == 40
    assert len({question for question, _, _ in QUESTIONS}) == 40
    assert len({path for _, path, _ in QUESTIONS}) == 40


@pytest.mark.parametrize(("question", "path", "answer"), QUESTIONS, ids=[q[1] for q in QUESTIONS])
def test_the_answer_is_where_the_map_says(question, path, answer):
    assert answer in (ROOT / path).read_text(encoding="utf-8"), question


def test_a_stranger_guesses_at_least_34():
    missed = [(question, path) for question, path, _ in QUESTIONS if not is_guessed(question, path)]
    assert len(missed) <= 6, missed


def test_what_is_no_guess_is_not_taken_for_one():
    assert not is_guessed("How does the clock count?", "kernel/time/timeout.c")
    assert not is_guessed("Where in the kernel is it?", "kernel/base/kernel.h")
    assert is_guessed("How are timeouts kept?", "kernel/time/timeout.c")


def test_the_map_of_contributing_names_every_directory_and_every_room():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    where = text.partition("\n## Where things are\n")[2].partition("\n## ")[0]
    kept = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
    tops = {line.split("/")[0] for line in kept.stdout.splitlines() if "/" in line}
    rooms = {path.name for path in (ROOT / "kernel").iterdir() if path.is_dir()}
    names = [name for name in sorted(tops | rooms) if name[0] != "."]
    missing = [name for name in names if f"`{name}/" not in where]
    assert missing == []
    for named in re.findall(r"^\| `([a-z]+)/`", where, re.MULTILINE):
        assert any((ROOT / base / named).is_dir() for base in (".", "kernel", "lab/foliot")), named


def test_every_port_brings_what_the_contract_asks_of_all():
    contract = (ROOT / "arch/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| .+ \| always \|$", contract, re.MULTILINE)
    files = [name for row in rows for name in re.findall(r"`([\w./]+\.\w+|Kconfig)`", row)]
    assert len(files) >= 7
    ports = [path for path in (ROOT / "arch").iterdir() if path.is_dir()]
    assert len(ports) >= 3
    assert [
        str(port / name) for port in ports for name in files if not (port / name).is_file()
    ] == []
