# SPDX-License-Identifier: Apache-2.0
"""Seeded holes in messages: with any one look taken out of a call's ways, a test of messages fails.

The looks of the verifiers are found in the sources by their form; those of the straight ways, which
stand in one condition, by name. The kernel that is changed is a copy of this tree. What only some
ports have is looked for on a board of theirs.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.command import ROOT
from support.seeded import Copy, copy_tree

BOARD = "qemu_riscv32"
BOARDS = ("qemu_riscv32", "mps2_an385", "qemu_aarch64", "qemu_x86_64")
LIMIT_S = "3"  # simulated; a run takes less than one
HANGS_S = 350  # of real time, with the first build: a kernel that goes round in no time
IPC, PROTECT = "kernel/ipc/", "kernel/protect/"


@dataclass(frozen=True)
class Hole:
    """One look less: `old`, in line `line` of a file, becomes `new`."""

    file: str
    line: int
    old: str
    new: str
    board: str = BOARD

    def __str__(self) -> str:
        name = "-".join(Path(self.file).parts[-2:])
        return f"{self.board}:{name}:{self.line}:{self.old.strip()[:40]}"


# In verify_ipc*.c, a line each: what takes the look's place.
FORMS = (
    (re.compile(r"^\tVERIFY_\w+\(\w+\);"), "\t(void)0;"),
    (re.compile(r"!object_is_usable_masked\(object, tag_offset, kind\)"), "false"),
    (re.compile(r"^\t\tuser_verify_(?:readable|writable)\(.*\);"), "\t\t(void)0;"),
    (re.compile(r"sends && message\.size > CONFIG_IPC_MESSAGE_MAX"), "false"),
)
# Elsewhere: (file, the text of a line, what it becomes); each line that has the text is one.
NAMED = (
    # The straight ways, of words.
    (f"{IPC}thread_ipc.h", "likely(thread->ipc.gate == gate)", "true"),
    (f"{IPC}thread_ipc.h", "&& likely(gate != NULL)", ""),
    (f"{IPC}thread_ipc.h", "likely(thread->ipc.endpoint == endpoint)", "true"),
    (f"{IPC}thread_ipc.h", "&& likely(endpoint != NULL)", ""),
    (f"{IPC}thread_ipc.h", "thread->ipc.gate = NULL;", ""),
    (f"{IPC}thread_ipc.h", "thread->ipc.endpoint = NULL;", ""),
    (f"{IPC}straight_wait.h", "server == NULL ||", ""),
    (f"{IPC}straight_wait.h", "server->state != K_THREAD_PENDING ||", ""),
    (f"{IPC}straight_wait.h", "server->next != server ||", ""),
    (f"{IPC}straight_wait.h", "k_cpu.best->prio < current->prio ||", ""),
    (f"{IPC}straight_wait.h", "caller == NULL ||", ""),
    (f"{IPC}straight_wait.h", "caller->state != K_THREAD_PENDING ||", ""),
    (f"{IPC}straight_wait.h", "current->contended != served ||", ""),
    (f"{IPC}straight_wait.h", "served->next_contended != NULL ||", ""),
    (f"{IPC}straight_wait.h", "!mutex_is_held_by(&endpoint->callers, current) ||", ""),
    (f"{IPC}straight_wait.h", "endpoint->receivers.head != NULL ||", ""),
    (f"{IPC}straight_wait.h", "k_cpu.best->prio < caller->prio ||", ""),
    # Bytes.
    (f"{PROTECT}straight_bytes.c", "user_range_is_own(thread, address, bytes, needed) &&", ""),
    (f"{PROTECT}straight_bytes.c", "room != 0 ? K_MEM_PARTITION_WRITE_ :", "false ? 0 :"),
    (f"{PROTECT}straight_bytes.c", "!is_plain(current, data, MAX(size, room), needed)", "false"),
    (f"{PROTECT}straight_bytes.c", "MAX(size, room), needed", "size, needed"),
    (f"{PROTECT}straight_bytes.c", "size > IPC_WORDS(to)->room ||", ""),
    (f"{PROTECT}straight_bytes.c", "!is_plain(to, there, size, K_MEM_PARTITION_WRITE_)", "false"),
    (f"{PROTECT}straight_bytes.c", "unlikely(current->ipc.own_size < size)", "false"),
    (f"{PROTECT}straight_bytes.c", "|| size % sizeof(uintptr_t) != 0 ||", "||"),
    (f"{PROTECT}straight_bytes.c", "to->ipc.own_since != changes", "false"),
    (f"{IPC}straight_wait.h", "likely(ipc->data == data) &&", ""),
    (f"{IPC}straight_wait.h", "likely(ipc->own_since == changes) &&", ""),
    (f"{IPC}straight_wait.h", "likely(ipc->own_size >= bytes);", "true;"),
    (f"{IPC}message.c", "if (IPC_WORDS(from)->size > IPC_WORDS(to)->room) {", "if (false) {"),
    (f"{IPC}message.c", "user_is_known(known, address, bytes)", "(bytes != 0)"),
    (f"{IPC}message.c", "ipc_bytes_are_users(from) ? from : NULL", "NULL"),
    (f"{IPC}message.c", "ipc_bytes_are_users(to) ? to : NULL", "NULL"),
    (f"{IPC}message.c", "wait_q->head != waiter || ", ""),
    (f"{IPC}ipc.h", "words->room = 0;", ""),
    (f"{IPC}ipc.h", "words->size = 0;", ""),
    (f"{PROTECT}verify_ipc_words.c", "return object_is_own(", "return true || object_is_own("),
    (f"{PROTECT}verify_ipc.c", "object_is_own(k_cpu.current, ", "(k_cpu.current != NULL || "),
    # Calls and answers.
    (f"{IPC}call.c", "server->state != K_THREAD_PENDING ||", ""),
    (f"{IPC}call.c", "timeout.ticks != K_TICKS_FOREVER ||", ""),
    (f"{IPC}reply.c", "caller->state != K_THREAD_PENDING ||", ""),
    (f"{IPC}reply.c", "current->contended != served ||", ""),
    (f"{IPC}reply.c", "served->next_contended != NULL ||", ""),
    (f"{IPC}reply.c", "!mutex_is_held_by(&endpoint->callers, current) ||", ""),
    (f"{IPC}reply.c", "!mutex_is_held_by(&endpoint->callers, current) ||",
     "endpoint->callers.owner != current ||"),
    (f"{IPC}reply.c", "endpoint->receivers.head != NULL ||", ""),
    (f"{IPC}receive.c", "sched_wake(served->wait_q.head, -ECANCELED);", ""),
    (f"{IPC}reply.c", "sched_wake(served->wait_q.head, -EOWNERDEAD);", ""),
    # Faults.
    (f"{IPC}fault.c", "if ((thread->options & K_USER) == 0) {", "if (false) {"),
    (f"{IPC}fault.c", "return mutex_is_held_by(&gate->endpoint->callers, k_cpu.current);",
     "return false;"),
    (f"{IPC}fault.c", "IPC_WORDS(handler)->room >= fault->size ||", ""),
    (f"{IPC}fault.c", "current->ipc.fault_timeout.ticks != K_TICKS_FOREVER ||", ""),
    (f"{IPC}fault.c", "result == 0 && message", "message"),
    (f"{IPC}fault.c", "message->words[K_IPC_FAULT_KIND] == K_IPC_FAULT_RESUME", "true"),
)  # fmt: skip

# The same by board: what its port has of its own, and kernel/protect/straight_registers.c.
REGISTERS = f"{PROTECT}straight_registers.c"
STRAIGHT_FAULT = "arch/cortex_m/straight_fault.c"
BY_PORT = {
    "qemu_riscv32": (
        ("arch/riscv/fault.c", "k_cpu.current->ipc.fault_gate == NULL ||", ""),
        ("arch/riscv/ipc.S", "\tbnez t3, 2f", ""),
        ("arch/riscv/ipc.S", "bnez a5, .Lnot_for_ever", "nop"),
        ("arch/riscv/ipc.S", "bnez a5, .Lotherwise", "nop"),
        ("arch/riscv/ipc.S", "bne a1, a2, .Lnot_words", "nop"),
        ("arch/riscv/ipc.S", "beq a1, a2, 1f", "j 1f"),
        ("arch/riscv/ipc.S", "beq a1, a2, .Lto_bytes", "j .Lto_bytes"),
        ("arch/riscv/ipc.S", "beq a1, a2, .Lto_words", "j .Lto_words"),
    ),
    "mps2_an385": (
        (f"{PROTECT}straight_bytes.c", "address % sizeof(uintptr_t) == 0 &&", ""),
        ("arch/cortex_m/ipc.S", "bne .Lotherwise", "nop"),
        ("arch/cortex_m/ipc.S", "bne .Lnot_words", "nop"),
        ("arch/cortex_m/ipc.S", "beq .Lto_bytes", "b .Lto_bytes"),
        ("arch/cortex_m/ipc.S", "beq .Lto_words", "b .Lto_words"),
        ("arch/cortex_m/ipc.S", "\tbeq 1f", "\tb 1f"),
        ("arch/cortex_m/ipc.S", "bne .Lno_bytes", "nop"),
        (STRAIGHT_FAULT, "!fault_is_from_user(false) ||", ""),
        (STRAIGHT_FAULT, "kind == 0 ||", ""),
        (STRAIGHT_FAULT, "thread->ipc.fault_gate == NULL ||", ""),
        (STRAIGHT_FAULT, "!fault_frame_is_own(thread, frame) ||", ""),
        (STRAIGHT_FAULT, "if (fault_is_user_overflow(cfsr", "if (false && (cfsr"),
    ),
    "qemu_aarch64": (
        (f"{IPC}straight_wait.h", "likely(ipc->data == data) &&", ""),
        (f"{IPC}straight_wait.h", "likely(ipc->own_since == changes) &&", ""),
        (f"{IPC}straight_wait.h", "likely(ipc->own_size >= bytes);", "true;"),
        (REGISTERS, "return (size & ~WHOLE_WORDS) == 0;", "return true;"),
        (REGISTERS, "size > IPC_WORDS(to)->room ||", ""),
        (REGISTERS, "to->ipc.own_since != changes)", "false)"),
        (REGISTERS, "!user_range_is_own(current", "false && !user_range_is_own(current"),
        (REGISTERS, "!straight_exchange(to", "false && !straight_exchange(to"),
        ("arch/aarch64/ipc.S", "b.ne .Lperhaps_bytes", "nop"),
        ("arch/aarch64/ipc.S", "b.ne .Lnot_words", "nop"),
        ("arch/aarch64/ipc.S", "b.ne .Lnot_straight", "nop"),
        ("arch/aarch64/ipc.S", "b.eq .Lto_bytes", "b .Lto_bytes"),
        ("arch/aarch64/ipc.S", "cbnz x4, .Lno_bytes", "nop"),
    ),
    "qemu_x86_64": (
        (REGISTERS, "size <= ARCH_IPC_REGISTERS_MAX &&", ""),
        (REGISTERS, "&& size % sizeof(uintptr_t) == 0;", ";"),
        ("arch/x86_64/ipc.S", "jne .Lnot_words", "nop"),
        ("arch/x86_64/ipc.S", "je .Lto_bytes", "jmp .Lto_bytes"),
        ("arch/x86_64/ipc.S", "je .Lto_words", "jmp .Lto_words"),
        ("arch/x86_64/ipc.S", "jnz .Lno_bytes", "nop"),
        ("arch/x86_64/ipc.S", "jmp .Lnot_words", "jmp .Lto_words"),
        ("arch/x86_64/ipc.S", "make_canonical %r9", ""),
        ("arch/x86_64/ipc.S", "make_canonical %rax", ""),
    ),
}  # fmt: skip


def named(board: str, rows: tuple[tuple[str, str, str], ...]) -> list[Hole]:
    found: list[Hole] = []
    for file, old, new in rows:
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        numbers = [number for number, line in enumerate(lines, 1) if old in line]
        assert numbers, f"{file} has no line with: {old}"
        found += [Hole(file, number, old, new, board) for number in numbers]
    return found


def holes() -> list[Hole]:
    """Find every look in the sources."""
    found: list[Hole] = []
    for path in sorted((ROOT / PROTECT).glob("verify_ipc*.c")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for form, new in FORMS:
                match = form.search(line)
                if match:
                    found.append(Hole(f"{PROTECT}{path.name}", number, match[0], new))
    found += named(BOARD, NAMED)
    for board, rows in BY_PORT.items():
        found += named(board, rows)
    return found


HOLES = holes()


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Copy what a build of the tests needs; built from then on by what changes."""
    applications = ("tests/ipc", "tests/check", "tests/user/attack")
    return copy_tree(tmp_path_factory.mktemp("tree"), *applications)


def is_noticed(copy: Copy, board: str) -> bool:
    """Run the tests of messages there: one fails, or the kernel does, or it hangs."""
    words = ("run", "tests/ipc", "--board", board, "--conf", "user", "--quiet")
    try:
        done = copy.foliot(*words, "--timeout", LIMIT_S, limit_s=HANGS_S)
    except subprocess.TimeoutExpired:
        return True
    begun = "PASS" in done.stdout or "fault on the target" in done.stderr
    assert begun or "stopped at the limit" in done.stderr, done.stderr[-1000:]
    return "PROJECT EXECUTION SUCCESSFUL" not in done.stdout


def finds(copy: Copy, hole: Hole) -> None:
    """Make the hole, run the tests, and close it again."""
    path = copy.root / hole.file
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    assert hole.old in lines[hole.line - 1]
    lines[hole.line - 1] = lines[hole.line - 1].replace(hole.old, hole.new, 1)
    path.write_text("".join(lines), encoding="utf-8")
    try:
        noticed = is_noticed(copy, hole.board)
    finally:
        path.write_text(text, encoding="utf-8")
    assert noticed


def test_looks_of_every_form_are_found_in_the_sources():
    """Where a form changes, its holes would be gone, and nobody would miss them."""
    counts = [sum(form.search(hole.old) is not None for hole in HOLES) for form, _ in FORMS]
    assert all(count >= least for count, least in zip(counts, (4, 1, 2, 1), strict=True)), counts
    assert len(HOLES) > len(NAMED)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize(("board", "hole"), [(hole.board, hole) for hole in HOLES], ids=str)
def test_each_look_at_a_message_that_is_taken_out_is_noticed(copy, board, hole):
    assert board == hole.board
    finds(copy, hole)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
def test_with_all_looks_in_the_copy_passes(copy, board):
    assert not is_noticed(copy, board)
