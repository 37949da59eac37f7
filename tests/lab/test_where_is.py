# SPDX-License-Identifier: Apache-2.0
"""Forty questions of people who are new to this kernel, and whether names alone answer them.

They were written before the rooms of kernel/ were made anew, from what the kernel does and not
from what its files are called. Who changes names does not change a question. An answer is a text,
found where it lies: a file that moves keeps its question. test_where.py has forty others, of the
boundary and the ports, whose stranger opens one file.
"""

from __future__ import annotations

from functools import cache

import pytest
from where_is import ROOT, guesses, name, paths

# Of each part of the tree: (question, a text that the file has which answers it)
QUESTIONS = {
    "kernel": (
        # User mode
        ("Where is a pointer that a system call was given checked?",
         "void user_verify_readable(const"),
        ("Where does a user thread get the right to use an object?", "int k_object_grant_("),
        ("Where is a partition added to a memory domain?", "int k_mem_domain_add_partition("),
        ("Where does a system call's number become a function?",
         "(*const syscall_table[])(void) = {"),
        ("Where are the arguments checked with which a user thread creates another?",
         "verify_user_thread_create_packed(const"),
        ("Where is the check of a semaphore when a user thread gives it?",
         "OPERATION(void, k_sem_give,"),
        ("Where is an interrupt handler connected to its line?", "int irq_connect_dynamic("),
        ("Where is an object allocated for user mode, and freed again?",
         "void *k_object_alloc(enum"),
        ("Where does a thread leave kernel mode for good?", "void k_thread_user_mode_enter("),
        ("Where are the rights of an ended thread taken back?", "void references_end("),
        # Stacks
        ("Where is a stack overflow noticed at a context switch?", "void stackguard_check_switch("),
        ("Where is the random canary drawn?", "static NOT_PROTECTED uintptr_t draw(void)"),
        # Scheduling
        ("Where does a mutex's owner inherit the priority of its waiter?",
         "int inherit_effective_prio("),
        ("Where is the next thread to run chosen?", "static inline bool ready_link_inline("),
        ("Where does a thread's wait end when its time-out is over?",
         "static void thread_timed_out("),
        ("Where does one thread wait for another to end?", "int k_thread_join("),
        ("Where is a periodic thread released?", "static void period_expired("),
        ("Where are earliest deadlines compared?", "bool deadline_preempts("),
        ("Where is the CPU put to sleep when there is nothing to run?", "void k_cpu_idle(void)\n{"),
        ("Where is the tick announced?", "void timer_announce(void)\n{"),
        ("Where are the cycles counted that a thread used?", "int k_thread_runtime_stats_get("),
        # Objects
        ("Where does a thread poll several objects at once?", "int k_poll(struct k_poll_event"),
        ("Where are bytes written into a pipe?", "int pipe_write("),
        ("Where does a condition variable release its mutex while a thread waits?",
         "int k_condvar_wait("),
        ("Where does an allocation wait until somebody frees heap memory?",
         "*alloc_waiting("),
        ("Where is delayed work scheduled?", "int k_work_schedule_for_queue("),
        # Messages
        ("Where does a client call a server and wait for the answer?",
         "int ipc_call(struct k_ipc_gate"),
        ("Where does a server reply to its caller and receive the next message?",
         "int ipc_reply_receive(struct"),
        ("Where is a fault of a user thread sent to its handler?", "uintptr_t ipc_fault_deliver("),
        ("Where are a message's bytes copied between two threads?", "enum ipc_copied ipc_copy("),
    ),
    "arch": (
        ("Where are the regions of the Cortex-M MPU computed?", "static unsigned int cover("),
        ("Where is RISC-V's physical memory protection (PMP) programmed?",
         "SET(\"pmpaddr0\""),
        ("Where are x86-64's floating-point registers saved and restored?", "fxsave64 (\\scratch)"),
        ("Where does the kernel return to user mode on AArch64?", "msr AARCH64_OWN(spsr)"),
    ),
    "drivers": (
        ("Where is the compare register of the CLINT set for the next alarm?", "MTIMECMP_HIGH ="),
    ),
    "sim": (
        ("Where does the simulator load an ELF program?", "#include <elf.h>"),
    ),
    "suites": (
        ("Where is the histogram of a row's samples kept on the target?", "void histogram_add("),
    ),
    "lab": (
        ("Where is it judged whether a row got slower than its baseline?", "def judge_exactly("),
        ("Where are recorded runs kept in SQLite?", "CREATE TABLE document"),
        ("Where is the page of the HTML report rendered?", "def render(\n"),
    ),
}  # fmt: skip
# How many names alone answer today..
ANSWERED = 34


Question = tuple[str, str, str]
ALL = [(part, question, text) for part, of in QUESTIONS.items() for question, text in of]


@cache
def _texts(part: str) -> dict[str, str]:
    return {path: (ROOT / path).read_text(encoding="utf-8", errors="replace")
            for path in paths(part)}  # fmt: skip


def answers(part: str, text: str) -> set[str]:
    """Return the files that have the text; of a function its source, and not its declaration."""
    found = [path for path, whole in _texts(part).items() if text in whole]
    return {name(path) for path in found if not path.endswith(".h")} or {*map(name, found)}


def answered() -> list[Question]:
    return [one for one in ALL if answers(one[0], one[2]) & {*guesses(one[1], paths(one[0]))}]


def test_there_are_forty():
    assert len({question for _, question, _ in ALL}) == 40
    assert len({text for _, _, text in ALL}) == 40


@pytest.mark.parametrize(("part", "question", "text"), ALL, ids=[text for _, _, text in ALL])
def test_a_question_has_an_answer_in_the_tree(part, question, text):
    assert 1 <= len(answers(part, text)) <= 3, question


def test_names_alone_answer_as_many_as_before():
    assert len(answered()) >= ANSWERED, sorted({*ALL} - {*answered()})


def test_who_guesses_sees_names_only():
    listing = ["kernel/a/tick.c", "kernel/a/tick.h", "kernel/a/timer.c", "lib/tick_and_tock.c"]
    assert guesses("Where is the tick announced?", listing) == [
        "kernel/a/tick",
        "lib/tick_and_tock",
    ]
    assert guesses("Where is nothing of that?", listing) == []
