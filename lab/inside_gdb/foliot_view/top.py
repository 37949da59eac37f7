# SPDX-License-Identifier: Apache-2.0
"""`foliot top`: threads, stacks and heaps as a line of JSON, for `foliot watch` to show.

It tells what lies in memory and no more. What was executed is counted up to the last switch
(CONFIG_THREAD_USAGE), so the share of a thread is made by whoever has two such lines.
"""

from __future__ import annotations

import json
from typing import Any

import gdb

from foliot_view import commands, layout, threads
from foliot_view import globals as variables

MARK = "foliot top: "
# kernel/memory/sys_heap.h: bits of the word in front of each block
HEAP_FREE, HEAP_FLAGS = 0x1, 0x7


class _Top(commands.Command):
    """Write what there is of threads, stacks and heaps as a line of JSON.

    `foliot top -c` does it at each stop until the program ends: who stops it is not gdb's matter.
    """

    def __init__(self) -> None:
        super().__init__("foliot top", gdb.COMMAND_STATUS)

    def run(self, words: list[str]) -> None:
        """Write one, or one at each stop."""
        if words not in ([], ["-c"]):
            raise gdb.GdbError("foliot top takes nothing, or -c")
        while words and _goes_on():
            _write(_look())
        if not words:
            _write(_look())


def _goes_on() -> bool:
    """Let the program run up to its next stop; False where it has ended, which is reported."""
    try:
        gdb.execute("continue", to_string=True)
    except gdb.error as error:
        _write({"ended": None, "why": str(error)})
        return False
    if gdb.selected_inferior().pid:
        return True
    status = gdb.convenience_variable("_exitcode")
    _write({"ended": None if status is None else int(status)})
    return False


def _write(told: dict[str, Any]) -> None:
    gdb.write(f"{MARK}{json.dumps(told)}\n")
    gdb.flush()


def _look() -> dict[str, Any]:
    """Tell all; of a moment at which the kernel's lists are half changed, that it is one."""
    try:
        if not int(layout.current()):
            return {"skipped": "the kernel has not begun"}
        program = threads.Program()
        return {
            "tick": program.now,
            "running": f"{program.current:#x}",
            "threads": [_thread(program, thread) for thread in program.in_order()],
            "heaps": [_heap(name, value) for name, value in variables.of_type("struct k_heap")],
        }
    except (gdb.error, gdb.GdbError, ValueError) as error:
        return {"skipped": str(error)}


def _thread(program: threads.Program, thread: gdb.Value) -> dict[str, Any]:
    used = threads.stack_use(thread, commands.sp_of(program, thread))
    counted = layout.has(thread.dereference(), "usage")
    return {
        "at": f"{int(thread):#x}",
        "name": threads.thread_name(thread),
        "priority": int(thread["prio"]),
        "state": program.state(thread),
        "left": program.left(thread),
        "stack": None if used is None else {"now": used[0], "most": used[1], "size": used[2]},
        "cycles": int(thread["usage"]["sums"]["total"]) if counted else None,
    }


def _heap(name: str, heap: gdb.Value) -> dict[str, Any]:
    """Tell what is handed out of a heap: block by block, since the kernel keeps no sum."""
    inner = heap["heap"]
    start, top, end = (int(inner[field]) for field in ("start", "top", "end"))
    victim, behind = int(inner["victim"]), int(inner["victim_end"])
    told: dict[str, Any] = {"name": name, "size": max(0, end - start), "used": 0, "blocks": 0}
    if not start:
        return told  # not prepared yet
    word = gdb.lookup_type("unsigned long").sizeof
    memory = bytes(gdb.selected_inferior().read_memory(start - word, top - start + word))
    at = start
    while at < top:
        if at == victim:
            at = behind
            continue
        header = int.from_bytes(memory[at - start : at - start + word], "little")
        size = header & ~HEAP_FLAGS
        if not 0 < size <= top - at:
            raise ValueError(f"the blocks of heap {name} lead nowhere")
        if not header & HEAP_FREE:
            told["used"] += size
            told["blocks"] += 1
        at += size
    return told


def install() -> None:
    """Make the command known to gdb."""
    _Top()
