# SPDX-License-Identifier: Apache-2.0
"""Lines of kernel/protect that decide something and keep nobody out: how many a function, and why.

A new one is a seeded hole (checks.py) or stands here; which of the two, its author says.
"""

from __future__ import annotations

WAY = "which way it goes on; each looks by itself"
PASSES = "passes on what is looked at elsewhere, where it is a hole"
BEGINS = "verify_init_begin(), whose look is a hole"
THERE = "is there anything to be done?"
TRUSTED = "asked by kernel mode alone, of what is its own"
COUNTS = "counts references, which allocated objects alone have"
CONFIG = "which options and which board it is built for"
FAILED = "gives a failure back, found where it is found"
IN_TABLE = "does the table know it?"

NO_CHECKS: dict[str, dict[str, tuple[int, str]]] = {
    "access.c": {
        "object_tag_offset": (1, "what a kind's tag lies at"),
        "object_size": (1, "what no user allocates is none of a kind's sizes; it is never ready"),
        "find_masking": (3, "as object_find(), looked at again"),
        "find_free": (1, THERE),
        "object_make_entry": (3, WAY),
        "object_make_known": (2, WAY),
        "find_or_make": (2, WAY),
        "object_set_grant": (1, WAY),
        "k_object_grant_": (2, FAILED),
        "k_object_grant_all_": (1, FAILED),
        "k_object_revoke_": (1, THERE),
        "k_object_is_valid": (2, TRUSTED),
        "forget": (3, WAY),
        "k_object_free": (1, THERE),
        "k_object_must_be_granted_": (3, "a result that the caller has anyway"),
        "object_lies_in": (1, "how long an object is"),
        "permitted": (2, PASSES),
        "object_hold": (1, COUNTS),
        "verify_allocated_thread": (1, COUNTS),
        "verify_init_again": (1, "object_hold() looks"),
    },
    "access.h": {"object_is_usable": (1, PASSES), "verify_thread": (2, PASSES)},
    "app_calls.c": {"k_usermode_string_copy": (2, PASSES)},
    "canary.c": {
        "draw": (1, "is there entropy?"),
        "canary_init": (1, "chance: one in 2^24 boots"),
        "__stack_chk_fail": (1, "tests/user/kernel_fault --conf canaries: all ends, or one thread"),
    },
    "domain.c": {
        "overlap": (1, "whose callers are holes"),
        "has_words": (1, "memory that is really there"),
        "find_words": (1, PASSES),
        "k_mem_domain_remove_partition": (1, TRUSTED),
        "k_mem_domain_init": (1, TRUSTED),
    },
    "object_alloc.c": {
        "make_entry": (2, WAY),
        "make_known": (2, FAILED),
        "user_stack_allocated": (1, FAILED),
        "k_object_alloc_size": (1, WAY),
        "k_object_alloc": (1, WAY),
        "user_stack_free": (2, "whether the pool gave it is asked by its caller"),
    },
    "object_table.h": {
        "object_tag_is_in_ram": (1, CONFIG),
        "object_tag_is_surely_in_ram": (1, CONFIG),
        # One of them a guard that only ibex hides: its board is tried by tests/user, guard.c.
        "no_sanitize": (2, CONFIG),
        "object_entry_of_thread": (1, TRUSTED),
    },
    "quick_rest.c": {
        "quick_queue_link": (2, WAY),
        "quick_queue_get": (1, WAY),
    },
    "references.c": {
        "reference_add": (1, COUNTS),
        "reference_drop": (1, COUNTS),
        "let_go": (1, THERE),
        "references_let_go": (1, IN_TABLE),
        "reference_poll": (1, COUNTS),
        "polled_let_go": (1, THERE),
        "reference_hold": (2, COUNTS),
        "give_part_back": (1, THERE),
        "drop_item": (1, "a container, or none"),
        "find_in": (1, COUNTS),
        "drop_leaving": (3, "not now: masked, or nothing left"),
        "references_end": (1, COUNTS),
        "inherit_one": (1, COUNTS),
        "references_inherit": (1, COUNTS),
        "free_orphan": (2, COUNTS),
        "reap_one": (5, "not now: masked, or nothing left"),
        "references_reap": (2, COUNTS),
    },
    "references.h": {"references_has_any": (1, COUNTS)},
    "thread_access.c": {
        "user_thread_fits": (1, IN_TABLE),
        "entry_of_stack": (2, IN_TABLE),
        "user_thread_known": (3, IN_TABLE),
        "user_thread_known_ended": (3, IN_TABLE),
    },
    "thread_marks.h": {
        "user_access_created": (1, IN_TABLE),
        "user_thread_ended": (1, IN_TABLE),
    },
    "thread_rights.h": {
        "mark": (3, COUNTS),
        "grant_self": (1, COUNTS),
        "begin_rights": (1, WAY),
        "inherit_grants": (1, COUNTS),
    },
    "user.c": {"wipe": (1, THERE)},
    "user.h": {
        "user_reap": (1, THERE),
        "user_switch": (1, CONFIG),
        "user_moved": (1, CONFIG),
        "user_is_running": (1, "whose fault it is: tests/user/kernel_fault"),
    },
    "user_memory.c": {
        "may_access": (1, PASSES),
        "user_may_access": (1, PASSES),
        "user_copy_message": (1, PASSES),
        "user_verify_readable": (1, PASSES),
        "user_verify_writable": (1, PASSES),
        "user_try_copy_in": (1, PASSES),
        "user_try_copy_out": (1, PASSES),
        "user_copy_string": (1, "its end"),
    },
    "user_range.h": {
        "user_words_are_in_stack": (
            2,
            "tests/user: words that are not aligned, and not the stack's",
        ),
        "user_range_is_own": (2, PASSES),
    },
    "verify_atomic.c": {"verify_k_atomic_update_": (1, FAILED)},
    "verify_create.c": {
        "usable_block": (1, WAY),
        "usable_stack": (1, WAY),
        "inherit_rights": (1, "a seed of trusted.txt, which a sweep finds"),
        "verify_user_thread_create_packed": (3, WAY),
    },
    "verify_data.c": {
        "verify_k_stack_alloc_init": (1, BEGINS),
        "store_word_waited_for": (1, FAILED),
        "stack_pop_masked": (3, WAY),
        "verify_k_queue_init": (1, BEGINS),
        "verify_k_msgq_alloc_init": (2, BEGINS),
        "verify_k_msgq_put": (2, "early; the steps of a long message look again"),
        "verify_k_msgq_put_front": (2, "early; the steps of a long message look again"),
        "verify_k_msgq_get": (1, WAY),
        "verify_k_msgq_peek_at": (1, WAY),
    },
    "verify_futex.c": {"verify_k_futex_wake": (1, PASSES)},
    "verify_masked.c": {
        "quick_k_condvar_wait": (1, WAY),
        "quick_k_condvar_signal": (2, WAY),
        "hand_over": (1, WAY),
        "quick_k_queue_alloc_append": (1, WAY),
        "quick_k_queue_alloc_prepend": (1, WAY),
        "quick_k_queue_get": (3, WAY),
        "quick_k_yield": (1, WAY),
    },
    "verify_pipe.c": {"verify_k_pipe_init": (2, BEGINS)},
    "verify_poll.c": {"verify_k_poll_signal_init": (1, BEGINS), "verify_k_poll": (2, FAILED)},
    "verify_quick.c": {
        "quick_k_sem_take": (2, WAY),
        "quick_k_sem_give": (3, WAY),
        "quick_k_mutex_lock": (1, WAY),
        "quick_k_mutex_unlock": (2, WAY),
        "quick_k_event_post": (2, WAY),
        "quick_k_event_set": (2, WAY),
        "begins_to_wait": (2, WAY),
        "quick_k_event_wait": (3, WAY),
        "quick_k_event_wait_all": (3, WAY),
        "wake_for": (2, WAY),
        "wait_for": (1, WAY),
        "push_at_limit": (2, WAY),
        "quick_k_stack_pop": (3, WAY),
    },
    "verify_quick.h": {
        "waits_shortly": (1, WAY),
        "wakes_shortly": (3, WAY),
        "is_word_near": (1, "a word that is not aligned, for who looks thoroughly"),
        "may_be_popped_to": (2, "the store itself is user mode's: arch/cortex_m/user.S"),
    },
    "verify_sync.c": {
        "verify_k_sem_init": (1, BEGINS),
        "verify_k_mutex_init": (2, BEGINS),
        "rest_k_mutex_unlock": (1, "which error it is"),
        "verify_k_condvar_init": (1, BEGINS),
        "verify_k_event_init": (1, BEGINS),
    },
    "verify_thread.c": {
        "verify_k_thread_deadline_set": (1, "the kernel would take it for its own mistake"),
        "verify_k_thread_name_set": (2, PASSES),
        "verify_k_thread_name_copy": (2, PASSES),
        "verify_k_object_grant_": (1, FAILED),
        "verify_k_thread_stack_free": (1, "what is refused anyway ends its thread, or does not"),
        "verify_k_object_revoke_": (1, FAILED),
    },
    "verify_time.c": {"verify_k_busy_wait": (1, "whom it calls makes 64 bits of it first")},
}

# Whole files whose decisions are tried elsewhere.
ELSEWHERE = {
    "stackguard.c": "tests/user/guard.c, tests/kernel: it keeps no user thread out",
    "stackguard.h": "the same",
    "stackguard_pattern.h": "the same",
    "stackguard_switch.c": "the same",
    "straight_bytes.c": "messages between domains: docs/security.md",
    "straight_registers.c": "messages between domains: docs/security.md",
    "verify_ipc.c": "messages between domains: docs/security.md",
    "verify_ipc_words.c": "messages between domains: docs/security.md",
}
