# SPDX-License-Identifier: Apache-2.0
"""How long calls of user threads keep interrupts out, each call in each state that a test has.

The suite `interference` attacks with what its author took for the worst. Here the simulator of
instructions counts, of all that tests/user, tests/ipc and tests/user/everywhere do, how many
instructions run in a row while no interrupt can come in (sim/iss, --masked).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command import ROOT
from support.masked import Stretch, stretches

# Of RV32IMC, in a row: what 240 cycles of ibex and a division are held by interference.
MOST = 160
APPS = [("tests/user/everywhere", ""), ("tests/user", "fast"), ("tests/ipc", "user")]
# Every trap's, before it is known what for.
ENTRIES = frozenset(
    {"riscv_vectors", "riscv_user_exception", "riscv_exception", "riscv_no_such_call"}
)
# Kernel code's alone, which no user thread makes longer; and the tests' own.
KERNEL = {
    "k_mem_domain_init": "domains are kernel code's",
    "k_mem_domain_add_partition": "domains are kernel code's",
    "k_mem_domain_remove_partition": "domains are kernel code's",
    "aborts": "a handler of tests/ipc",
    "gives_it": "a handler of tests/user",
    "comes_between": "a handler of tests/user",
    "end_who_named_two": "a kernel thread of tests/user, which masks the whole of an end",
}
# Over it still, by the function in which they begin, and no longer than that: CAVEATS.md. Of all
# that end in one place the longest is seen: where it gets shorter another one may come to light.
NOT_YET: dict[str, int] = {
    "arch_user_call_verified": 280,  # an alarm that has waited behind it is in it
    "begin_traversal": 186,  # two looks at whose the bytes are
    "fast_k_queue_alloc_prepend": 245,  # the heap in any state
    "fast_k_queue_get": 250,  # likewise
    "fatal_report": 6487,  # a kernel thread's; by the digits that it prints
    "ipc_copy": 186,
    "ipc_receive_traversing": 248,
    "k_ipc_reply": 226,
    "k_object_free": 745,  # of an object that nobody allocated: kernel code's alone
    "k_object_grant_": 379,
    "k_thread_abort": 188,
    "main": 618,
    "msgq_copy_run": 235,
    "msgq_peek_at": 218,
    "msgq_put_front": 298,  # and what is not aligned
    "pipe_write": 170,
    "receive_slow": 200,
    "references_reap": 246,
    "reply_long": 189,
    "riscv_ipc": 393,  # 64 bytes on a fast path that looks at both sides' memory
    "riscv_vector_2": 507,  # of two time-outs at once one is an owner's waiter's
    "sched_traversal_on": 201,
    "sched_traversal_stop": 295,  # a message of bytes comes to wait for a receiver
    "sched_traversal_waking": 234,
    "verify_init_again": 166,
    "verify_init_begin": 244,
    "verify_user_ipc_reply_receive": 234,
    "verify_user_thread_create_packed": 169,
}


def late(iss: str, elf: Path) -> dict[str, Stretch]:
    """Return the longest of each that is over what is allowed."""
    found: dict[str, Stretch] = {}
    for one in stretches(iss, elf):
        name = one.begins_in(ENTRIES)
        excepted = any(function in KERNEL or function.startswith("test_")
                       for function, _ in one.functions)  # fmt: skip
        longer = name not in found or one.instructions > found[name].instructions
        if one.instructions > max(MOST, NOT_YET.get(name, 0)) and longer and not excepted:
            found[name] = one
    return found


@pytest.mark.board("ibex")
@pytest.mark.parametrize(("app", "conf"), APPS)
def test_no_call_of_a_user_thread_keeps_interrupts_out_for_long(foliot, iss, app, conf):
    words = ("--conf", conf) if conf else ()
    done = foliot("build", app, "--board", "ibex", *words, "--quiet")
    assert done.returncode == 0, done.stderr
    elf = ROOT / done.stdout.split()[-1]
    found = late(iss, elf)
    assert not found, "\n".join(map(str, found.values()))
