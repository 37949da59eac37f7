# SPDX-License-Identifier: Apache-2.0
"""Seeded holes in messages: with any one look taken out of a call's ways, a test of messages fails.

The looks of the verifiers are found in the sources by their form; those of the fast paths, which
stand in one condition, by name. The kernel that is changed is a copy of this tree. What only some
ports have is looked for on a board of theirs.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

import pytest

from support.seeded import Copy, copy_tree
from support.sources import places, sources

BOARD = "qemu_riscv32"
BOARDS = ("qemu_riscv32", "mps2_an385", "qemu_aarch64", "qemu_x86_64")
LIMIT_S = "3"  # simulated; a run takes less than one
HANGS_S = 350  # of real time, with the first build: a kernel that goes round in no time


@dataclass(frozen=True)
class SeededFault:
    """One look less: `old`, in line `line` of a file, becomes `new`."""

    file: str
    function: str
    line: int
    old: str
    new: str
    board: str = BOARD

    def __str__(self) -> str:
        return f"{self.board}: {self.function}: {self.old.strip()[:60]}"


# In the verifiers of messages, a line each: what takes the look's place.
VERIFIERS = re.compile(r"take_in|give_out|verify_k_ipc_\w+|verify_is_own|user_\w+_words")
FORMS = (
    (re.compile(r"^\tVERIFY_\w+\(\w+\);"), "\t(void)0;"),
    (re.compile(r"!object_is_usable_masked\(object, tag_offset, kind\)"), "false"),
    (re.compile(r"^\t\tuser_verify_(?:readable|writable)\(.*\);"), "\t\t(void)0;"),
    (re.compile(r"sends && message\.size > CONFIG_IPC_MESSAGE_MAX"), "false"),
)
# Elsewhere: (functions, the text of a line, what it becomes); each line with the text is one.
NAMED = (
    # The fast paths, of words.
    ("ipc_gate_was_usable", "likely(thread->ipc.gate == gate)", "true"),
    ("ipc_gate_was_usable", "&& likely(gate != NULL)", ""),
    ("ipc_endpoint_was_usable", "likely(thread->ipc.endpoint == endpoint)", "true"),
    ("ipc_endpoint_was_usable", "&& likely(endpoint != NULL)", ""),
    ("ipc_rights_forget", "thread->ipc.gate = NULL;", ""),
    ("ipc_rights_forget", "thread->ipc.endpoint = NULL;", ""),
    ("fast_receiver", "server == NULL ||", ""),
    ("fast_receiver", "server->state != K_THREAD_PENDING ||", ""),
    ("fast_receiver", "server->next != server ||", ""),
    ("fast_receiver", "k_cpu.best->prio < current->prio ||", ""),
    ("fast_caller", "caller == NULL ||", ""),
    ("fast_caller", "caller->state != K_THREAD_PENDING ||", ""),
    ("fast_caller", "current->contended != served ||", ""),
    ("fast_caller", "served->next_contended != NULL ||", ""),
    ("fast_caller", "!mutex_is_held_by(&endpoint->callers, current) ||", ""),
    ("fast_caller", "endpoint->receivers.head != NULL ||", ""),
    ("fast_caller", "k_cpu.best->prio < caller->prio ||", ""),
    # Bytes.
    ("is_plain", "user_range_is_own(thread, address, bytes, needed) &&", ""),
    ("fast_exchange", "capacity != 0 ? K_MEM_PARTITION_WRITE_ :", "false ? 0 :"),
    ("fast_exchange", "!is_plain(current, data, MAX(size, capacity), needed)", "false"),
    ("fast_exchange", "MAX(size, capacity), needed", "size, needed"),
    ("fast_exchange exchange_known", "size > IPC_WORDS(to)->capacity ||", ""),
    ("fast_exchange", "!is_plain(to, there, size, K_MEM_PARTITION_WRITE_)", "false"),
    ("exchange_known", "unlikely(current->ipc.own_size < size)", "false"),
    ("exchange_known", "|| size % sizeof(uintptr_t) != 0 ||", "||"),
    ("exchange_known", "to->ipc.own_since != changes", "false"),
    ("fast_is_known", "likely(ipc->data == data) &&", ""),
    ("fast_is_known", "likely(ipc->own_since == changes) &&", ""),
    ("fast_is_known", "likely(ipc->own_size >= bytes);", "true;"),
    ("ipc_copy", "if (IPC_WORDS(from)->size > IPC_WORDS(to)->capacity) {", "if (false) {"),
    ("is_known", "user_is_known(known, address, bytes)", "(bytes != 0)"),
    ("begin", "ipc_bytes_are_users(from) ? from : NULL", "NULL"),
    ("begin", "ipc_bytes_are_users(to) ? to : NULL", "NULL"),
    ("ipc_copy", "wait_q->head != waiter || ", ""),
    ("ipc_put_away", "words->capacity = 0;", ""),
    ("ipc_put_away", "words->size = 0;", ""),
    ("verify_is_own", "return object_is_own(", "return true || object_is_own("),
    ("may_remember", "object_is_own(k_cpu.current, ", "(k_cpu.current != NULL || "),
    # Calls and answers.
    ("ipc_call", "server->state != K_THREAD_PENDING ||", ""),
    ("ipc_call", "timeout.ticks != K_TICKS_FOREVER ||", ""),
    ("ipc_reply_receive", "caller->state != K_THREAD_PENDING ||", ""),
    ("ipc_reply_receive", "current->contended != served ||", ""),
    ("ipc_reply_receive", "served->next_contended != NULL ||", ""),
    ("ipc_reply_receive", "!mutex_is_held_by(&endpoint->callers, current) ||", ""),
    ("ipc_reply_receive", "!mutex_is_held_by(&endpoint->callers, current) ||",
     "endpoint->callers.owner != current ||"),
    ("ipc_reply_receive", "endpoint->receivers.head != NULL ||", ""),
    ("ipc_receive_traversing",
     "ipc_wake(current->ipc.served.wait_q.head, -ECANCELED, key);", ""),
    ("ipc_thread_ended", "sched_wake(served->wait_q.head, -EOWNERDEAD);", ""),
    # Faults.
    ("k_ipc_fault_gate_set", "if ((thread->options & K_USER) == 0) {", "if (false) {"),
    ("would_wait_for_itself", "return mutex_is_held_by(&gate->endpoint->callers, k_cpu.current);",
     "return false;"),
    ("ipc_fault_fast", "IPC_WORDS(handler)->capacity >= fault->size ||", ""),
    ("ipc_fault_fast", "current->ipc.fault_timeout.ticks != K_TICKS_FOREVER ||", ""),
    ("ipc_fault_answered", "result == 0 && message", "message"),
    ("ipc_fault_answered", "message->words[K_IPC_FAULT_KIND] == K_IPC_FAULT_RESUME", "true"),
)  # fmt: skip

# The same by board: what its port has of its own, and words in registers.
BY_PORT = {
    "qemu_riscv32": (
        ("riscv:riscv_fault_is_saved", "k_cpu.current->ipc.fault_gate == NULL ||", ""),
        ("riscv:riscv_user_fault", "\tbnez t3, 2f", ""),
        ("riscv:riscv_ipc", "bnez a5, .Lnot_for_ever", "nop"),
        ("riscv:riscv_ipc", "bnez a5, .Lslow", "nop"),
        ("riscv:riscv_ipc", "bne a1, a2, .Lnot_words", "nop"),
        ("riscv:to_fast riscv:riscv_user_fault", "beq a1, a2, 1f", "j 1f"),
        ("riscv:riscv_ipc", "beq a1, a2, .Lto_bytes", "j .Lto_bytes"),
        ("riscv:riscv_ipc", "beq a1, a2, .Lto_words", "j .Lto_words"),
    ),
    "mps2_an385": (
        ("is_plain", "address % sizeof(uintptr_t) == 0 &&", ""),
        ("cortex_m:cortex_m_ipc", "bne .Lslow", "nop"),
        ("cortex_m:cortex_m_ipc", "bne .Lnot_words", "nop"),
        ("cortex_m:cortex_m_ipc cortex_m:cortex_m_ipc_bytes", "beq .Lto_bytes", "b .Lto_bytes"),
        ("cortex_m:cortex_m_ipc_bytes cortex_m:cortex_m_fault_fast_perhaps",
         "beq .Lto_words", "b .Lto_words"),
        ("cortex_m:set_pc_of_fault cortex_m:load_and_leave", "\tbeq 1f", "\tb 1f"),
        ("cortex_m:cortex_m_fault_fast_perhaps", "bne .Lno_bytes", "nop"),
        ("cortex_m:cortex_m_fault_fast", "!fault_is_from_user(false) ||", ""),
        ("cortex_m:cortex_m_fault_fast", "kind == 0 ||", ""),
        ("cortex_m:cortex_m_fault_fast", "thread->ipc.fault_gate == NULL ||", ""),
        ("cortex_m:cortex_m_fault_fast", "!fault_frame_is_own(thread, frame) ||", ""),
        ("cortex_m:cortex_m_fault_fast",
         "if (fault_is_user_overflow(cfsr", "if (false && (cfsr"),
    ),
    "qemu_aarch64": (
        ("fast_is_known", "likely(ipc->data == data) &&", ""),
        ("fast_is_known", "likely(ipc->own_since == changes) &&", ""),
        ("fast_is_known", "likely(ipc->own_size >= bytes);", "true;"),
        ("is_ordinary", "return (size & ~WHOLE_WORDS) == 0;", "return true;"),
        ("exchange exchange_slow", "size > IPC_WORDS(to)->capacity ||", ""),
        ("exchange", "to->ipc.own_since != changes)", "false)"),
        ("exchange_slow", "!user_range_is_own(current", "false && !user_range_is_own(current"),
        ("exchange_slow", "!fast_exchange(to", "false && !fast_exchange(to"),
        ("aarch64:aarch64_ipc", "b.ne .Lperhaps_bytes", "nop"),
        ("aarch64:aarch64_ipc aarch64:aarch64_user_fault", "b.ne .Lnot_words", "nop"),
        ("aarch64:aarch64_ipc", "b.ne .Lnot_fast", "nop"),
        ("aarch64:aarch64_ipc", "b.eq .Lto_bytes", "b .Lto_bytes"),
        ("aarch64:aarch64_user_fault", "cbnz x4, .Lno_bytes", "nop"),
    ),
    "qemu_x86_64": (
        ("is_ordinary", "size <= ARCH_IPC_REGISTERS_MAX &&", ""),
        ("is_ordinary", "&& size % sizeof(uintptr_t) == 0;", ";"),
        ("x86_64:x86_64_ipc_call", "jne .Lnot_words", "nop"),
        ("x86_64:x86_64_ipc", "je .Lto_bytes", "jmp .Lto_bytes"),
        ("x86_64:x86_64_ipc x86_64:x86_64_user_fault", "je .Lto_words", "jmp .Lto_words"),
        ("x86_64:x86_64_user_fault", "jnz .Lno_bytes", "nop"),
        ("x86_64:x86_64_user_fault", "jmp .Lnot_words", "jmp .Lto_words"),
        ("x86_64:x86_64_user_fault", "make_canonical %r9", ""),
        ("x86_64:x86_64_user_fault", "make_canonical %rax", ""),
    ),
}  # fmt: skip


def named(board: str, rows: tuple[tuple[str, str, str], ...]) -> list[SeededFault]:
    return [SeededFault(source.file, source.function(line), line, old, new, board)
            for functions, old, new in rows for source, line in places(functions, old)]  # fmt: skip


def seeded_faults() -> list[SeededFault]:
    """Find every look in the sources."""
    found: list[SeededFault] = []
    for source in sources():
        for number, line in enumerate(source.lines, 1):
            if VERIFIERS.fullmatch(source.function(number)):
                matches = ((form.search(line), new) for form, new in FORMS)
                found += [SeededFault(source.file, source.function(number), number, match[0], new)
                          for match, new in matches if match]  # fmt: skip
    found += named(BOARD, NAMED)
    for board, rows in BY_PORT.items():
        found += named(board, rows)
    return found


SEEDED = seeded_faults()


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


def with_fault(text: str, hole: SeededFault) -> str:
    """Return the text of its file with the seeded fault."""
    lines = text.splitlines(keepends=True)
    assert hole.old in lines[hole.line - 1]
    lines[hole.line - 1] = lines[hole.line - 1].replace(hole.old, hole.new, 1)
    return "".join(lines)


def finds(copy: Copy, hole: SeededFault) -> None:
    """Make the seeded fault, run the tests, and close it again."""
    path = copy.root / hole.file
    text = path.read_text(encoding="utf-8")
    path.write_text(with_fault(text, hole), encoding="utf-8")
    try:
        noticed = is_noticed(copy, hole.board)
    finally:
        path.write_text(text, encoding="utf-8")
    assert noticed


def test_looks_of_every_form_are_found_in_the_sources():
    """Where a form changes, its holes would be gone, and nobody would miss them."""
    counts = [sum(form.search(hole.old) is not None for hole in SEEDED) for form, _ in FORMS]
    assert all(count >= least for count, least in zip(counts, (4, 1, 2, 1), strict=True)), counts
    assert len(SEEDED) > len(NAMED)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize(("board", "hole"), [(hole.board, hole) for hole in SEEDED], ids=str)
def test_each_look_at_a_message_that_is_taken_out_is_noticed(copy, board, hole):
    assert board == hole.board
    finds(copy, hole)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize("board", BOARDS)
def test_with_all_looks_in_the_copy_passes(copy, board):
    assert not is_noticed(copy, board)
