# SPDX-License-Identifier: Apache-2.0
"""The three takeovers that a review found, put back into today's kernel: file, text, what it was.

By their substance: what was mended by a class of its own has no such place any more.
"""

from __future__ import annotations

Change = tuple[str, str, str]

OWNER_IS_ASKED: Change = (
    "kernel/objects/mutex.h",
    "	return generation_thread(mutex->generation);",
    (
        "	return mutex->owner == NULL || mutex->owner->generation != mutex->generation"
        " ? NULL : mutex->owner;"
    ),
)
# The living threads' table leads to what has ended.
ENDED_IS_NAMED: Change = (
    "kernel/sched/generation.c",
    "\t*link = thread->next_named;\n\tthread->generation = GENERATION_NONE;\n",
    "",
)
# Two of them: the links come in, and what was not begun is left all the same.
LINKS_COME_IN: list[Change] = [
    (
        "kernel/objects/poll.c",
        "			poller->num_begun = i + 1;\n",
        "			poller->num_begun = poller->num_events;\n",
    ),
    (
        "kernel/syscall/verify_poll.c",
        "		kept[i] = copy_event(events, i);\n",
        (
            "\t\tkept[i] = copy_event(events, i);\n\t\tuser_copy_in(&kept[i], "
            "part_of(events, i, 0), offsetof(struct k_poll_event, tag));\n"
        ),
    ),
]
