# SPDX-License-Identifier: Apache-2.0
"""Forty questions "where is X" about the kernel's boundary and its ports; what they define answers.

Those of test_map.py name their files. These name what the answer defines, and the file is looked
for, so that a file that moves, or is split, needs no change here: what changes is how many of them
a stranger finds who sees names of files only: best() is that stranger. They were written before
the rooms of `kernel/protect` are made anew, to say afterwards whether that helped.
"""

from __future__ import annotations

import re
from functools import cache
from math import log
from pathlib import Path

import pytest
from test_map import ROOT

# (question, what the answer defines: its name, or where several ports have one, room and name)
QUESTIONS = (
    # system calls
    ("Where is the table of the system calls?", "syscall_table"),
    ("Where does the kernel refuse a system call that does not exist?", "no_such_call"),
    ("Where may an application check arguments of its own system calls?", "k_syscall_may_access"),
    ("Where is what a user names for a semaphore's call verified?", "verify_k_sem_init"),
    ("Where does a user thread take a semaphore the short way?", "k_sem_take"),
    ("Where are a user's message queue calls verified?", "verify_k_msgq_put"),
    ("Where are a user's pipe calls verified?", "verify_k_pipe_write"),
    ("Where are the events that a user polls copied in?", "verify_k_poll"),
    ("Where is a user's wait on a futex verified?", "verify_k_futex_wait"),
    ("Where are a user's timer calls verified?", "verify_k_timer_start"),
    ("Where is what a user creates a thread with verified?", "verify_user_thread_create_packed"),
    ("Where does a user's call enter the kernel on RISC-V?", "arch/riscv/ riscv_user_exception"),
    # access
    ("Where is it decided whether an object is a user thread's own?", "object_is_own"),
    ("Where is access to an object granted?", "k_object_grant_"),
    ("Where does the kernel copy from user memory?", "user_try_copy_in"),
    ("Where is it decided whether a range lies in a user's memory?", "user_range_lies_in"),
    ("Where are partitions added to a memory domain?", "k_mem_domain_add_partition"),
    ("Where are objects allocated for users?", "k_object_alloc_size"),
    ("Where are references to allocated objects dropped?", "reference_drop"),
    ("Where are objects reaped that nobody refers to?", "references_reap"),
    ("Where does a child thread inherit its parent's rights?", "inherit_defined"),
    ("Where does a thread enter user mode?", "k_thread_user_mode_enter"),
    ("Where is it found out that a thread of that generation has ended?", "generation_thread"),
    # stacks
    ("Where is the stack canary drawn?", "canary_init"),
    ("Where is the stack guard checked at a switch?", "stackguard_check_switch"),
    ("Where are thread stacks allocated from the pool?", "k_thread_stack_alloc"),
    # messages
    ("Where does an IPC call with words in registers go the short way?", "ipc_call_fast"),
    ("Where does an IPC call with bytes go the short way?", "ipc_call_fast_bytes"),
    ("Where is an IPC reply given?", "ipc_reply"),
    ("Where does a server receive an IPC message?", "ipc_receive"),
    ("Where does a fault become a message to its handler?", "ipc_fault_deliver"),
    ("Where are the bytes of a message copied?", "ipc_copy"),
    # ports
    ("Where does a RISC-V hart switch threads?", "arch/riscv/ arch_switch"),
    ("Where does the PMP load a domain's regions?", "arch/riscv/ arch_domain_update"),
    ("Where does the MPU cover a stack?", "arch/cortex_m/ cover_long_stack"),
    ("Where are the tables of AArch64's MMU made?", "aarch64_mmu_init"),
    ("Where does an x86-64 processor enter an interrupt or trap?",
     "arch/x86_64/ x86_64_interrupt_saved"),
    # the scheduler, as the boundary meets it
    ("Where does a walk over many waiters let interrupts in?", "sched_traversal_on"),
    ("Which priority does an owner inherit?", "inherit_effective_prio"),
    ("Where does a thread end that is aborted?", "k_thread_abort"),
)  # fmt: skip
# Today, by one guess; test_where_is.py allows three.
FOUND = 22
LITTLE = {"where", "is", "the", "are", "a", "an", "of", "does", "it", "what", "which", "to", "that"}


@cache
def sources() -> dict[Path, str]:
    """Read the kernel and its ports."""
    found = [path for room in ("kernel", "arch") for path in sorted((ROOT / room).rglob("*.[chS]"))]
    return {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in found}


def definitions(answer: str) -> list[str]:
    """Find the files that define it: a function (a header's stub aside), a table, or a label."""
    room, _, name = answer.rpartition(" ")
    function = rf"[A-Za-z_][^\n;={{}}]*\b{name}\([^;{{}}]*\)\s*\{{"
    operation = rf"OPERATION\w*\([^,]+, {name},"
    form = re.compile(
        rf"^(?:{function}|{operation}|[^\n;]*\b{name}\[\].* = \{{|{name}:)", re.MULTILINE
    )
    found = [
        path
        for path, text in sources().items()
        if str(path).startswith(room) and "host" not in path.parts and form.search(text)
    ]
    return [str(path) for path in found
            if path.suffix != ".h" or len(found) == 1]  # fmt: skip


def test_there_are_forty_and_none_is_asked_twice():
    assert len(QUESTIONS) == len(dict(QUESTIONS)) == len({answer for _, answer in QUESTIONS}) == 40


@pytest.mark.parametrize(("question", "answer"), QUESTIONS, ids=[q[1] for q in QUESTIONS])
def test_what_answers_is_defined_in_one_place(question, answer):
    assert len(definitions(answer)) == 1, (question, definitions(answer))


def words(text: str) -> set[str]:
    """Take a text apart."""
    return set(re.findall(r"[a-z]+\d*", text.lower())) - LITTLE


def is_like(word: str, named: str) -> bool:
    """Whether they are forms of one word: equal but for endings."""
    same = max(4, len(named) - 1, len(word) - 4)
    return word == named or (len(word) >= same and word[:same] == named[:same])


@cache
def names() -> dict[Path, set[str]]:
    """Return the words of each file's path, a header's with its source's."""
    return {path: words(str(path.with_suffix("")).replace("_", " ")) for path in sources()}


@cache
def rareness(word: str) -> float:
    """Return how much a word says: the fewer files have it, the more."""
    having = sum(any(is_like(word, one) for one in named) for named in names().values())
    return log(len(names()) / having) if having else 0.0


def best(question: str) -> Path:
    """Choose the file whose path has the words that say most, and least beside them."""
    asked = words(question)

    def likeness(path: Path) -> tuple[float, int, str]:
        named = names()[path]
        hits = [word for word in asked if any(is_like(word, one) for one in named)]
        return sum(map(rareness, hits)), -len(named), str(path)

    return max(sources(), key=likeness).with_suffix("")


def test_who_sees_names_only_finds_as_many_as_before():
    missed = {question: str(best(question)) for question, answer in QUESTIONS
              if best(question) != Path(definitions(answer)[0]).with_suffix("")}  # fmt: skip
    assert len(QUESTIONS) - len(missed) >= FOUND, missed
