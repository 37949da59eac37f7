# SPDX-License-Identifier: Apache-2.0
"""The commands `foliot threads`, `foliot timeouts`, `foliot ready` and `foliot thread`."""

from __future__ import annotations

from collections.abc import Sequence

import gdb

from foliot_view import frames, layout, threads
from foliot_view import globals as variables


class Command(gdb.Command):
    """A command that says in one line what went wrong."""

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Run it."""
        try:
            self.run(gdb.string_to_argv(argument))
        except (layout.NoKernel, gdb.error) as error:
            raise gdb.GdbError(str(error)) from None

    def run(self, words: list[str]) -> None:
        """Do what the command does."""
        raise NotImplementedError


class _Foliot(gdb.Command):
    """What the kernel is at: threads, timeouts, the ready queue."""

    def __init__(self) -> None:
        super().__init__("foliot", gdb.COMMAND_STATUS, prefix=True)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[i]) for row in (titles, *rows)) for i in range(len(titles))]
    for row in (titles, *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        gdb.write("  ".join(cells).rstrip() + "\n")


def _ticks(left: int | None) -> str:
    return "" if left is None else f"{left} ticks"


def sp_of(program: threads.Program, thread: gdb.Value) -> int:
    """Return a thread's stack pointer: saved, or the core's."""
    if int(thread) != program.current:
        return int(thread["sp"])
    return int(gdb.newest_frame().read_register("sp"))


class _Threads(Command):
    """List all threads: what each is at, what is left of its time-out, its stack.

    `foliot threads -b` shows the backtrace of each as well. Stack: bytes in use now, or `now, most`
    where CONFIG_INIT_STACKS has filled them, of its size. Time left is counted from the
    kernel's last look at its clock.
    """

    def __init__(self) -> None:
        super().__init__("foliot threads", gdb.COMMAND_STATUS)

    def run(self, words: list[str]) -> None:
        """List them."""
        if words not in ([], ["-b"]):
            raise gdb.GdbError("foliot threads takes nothing, or -b")
        program = threads.Program()
        titles = ("thread", "priority", "state", "time left", "stack")
        rows = [_row(program, thread) for thread in program.in_order()]
        if not words:
            _table(titles, rows)
            return
        for thread, row in zip(program.in_order(), rows, strict=True):
            name, priority, state, left, stack = row
            after = f", {left} left" if left else ""
            used = f"; stack {stack}" if stack else ""
            gdb.write(f"{name} (priority {priority}): {state}{after}{used}\n")
            for number, line in enumerate(_backtrace(program, thread)):
                gdb.write(f"  #{number} {line}\n")


def _row(program: threads.Program, thread: gdb.Value) -> tuple[str, str, str, str, str]:
    priority, base = int(thread["prio"]), int(thread["base_prio"])
    shown = str(priority) if priority == base else f"{priority} (own {base})"
    dead = int(thread["state"]) & layout.DEAD
    return (
        threads.thread_name(thread),
        shown,
        program.state(thread),
        _ticks(program.left(thread)),
        "" if dead else threads.stack(thread, sp_of(program, thread)),
    )


def _backtrace(program: threads.Program, thread: gdb.Value) -> list[str]:
    if int(thread["state"]) & layout.DEAD:
        return []
    if int(thread) == program.current:
        return frames.of_running()
    try:
        return frames.of_saved(frames.saved_context(int(thread["sp"])))
    except gdb.MemoryError as error:
        return [f"(its saved stack pointer is damaged: {error})"]


class _Thread(Command):
    """Look at one thread's frames: `foliot thread NAME`, then bt, up, info locals.

    Frame 0 stays the core's own, the thread's frames begin at 1. `foliot thread` without a
    name ends it, and so does anything that lets the program run.
    """

    def __init__(self) -> None:
        super().__init__("foliot thread", gdb.COMMAND_STACK)
        gdb.events.cont.connect(lambda _: frames.show(None))
        gdb.events.new_objfile.connect(lambda _: variables.forget())

    def run(self, words: list[str]) -> None:
        """Show it."""
        frames.show(None)
        if not words:
            return
        program = threads.Program()
        found = [t for t in program.threads.values() if threads.thread_name(t) == " ".join(words)]
        if not found:
            known = ", ".join(sorted(threads.thread_name(t) for t in program.threads.values()))
            raise gdb.GdbError(f"no thread {' '.join(words)}; there are {known}")
        if int(found[0]) == program.current:
            gdb.newest_frame().select()
            return
        context = frames.saved_context(int(found[0]["sp"]))
        if context.entry is not None:
            raise gdb.GdbError(f"{' '.join(words)} has not begun: it has no frames")
        frames.show(context)
        older = gdb.newest_frame().older()
        if older is not None:
            older.select()
        gdb.execute("frame")


class _Timeouts(Command):
    """List the timeouts in the order in which they expire."""

    def __init__(self) -> None:
        super().__init__("foliot timeouts", gdb.COMMAND_STATUS)

    def run(self, words: list[str]) -> None:
        """List them."""
        now = layout.clock_tick()
        base = int(layout.wheel()["base"])
        found = sorted(layout.pending_timeouts(), key=lambda t: threads.ahead(int(t["when"]), base))
        rows = []
        for timeout in found:
            when = int(timeout["when"])
            kind, owner = layout.timeout_owner(timeout)
            rows.append((str(when), _ticks(threads.ahead(when, now)), _owner(kind, owner)))
        gdb.write(f"tick {now} at the kernel's last look at its clock\n")
        if rows:
            _table(("at tick", "time left", "of"), rows)
        else:
            gdb.write("no timeout is pending\n")


def _owner(kind: str, owner: gdb.Value | None) -> str:
    if owner is None:
        return kind
    if kind == "timer":
        name, offset = layout.symbol_at(int(owner))
        return f"timer {name}" + (f"+{offset:#x}" if offset else "")
    between = "of " if kind == "period" else ""
    return f"{kind} {between}{threads.thread_name(owner)}"


class _Ready(Command):
    """List the ready queue, the most urgent first. The running thread may be in it or not."""

    def __init__(self) -> None:
        super().__init__("foliot ready", gdb.COMMAND_STATUS)

    def run(self, words: list[str]) -> None:
        """List it."""
        gdb.write(f"running: {threads.thread_name(layout.current())}\n")
        for _, head in layout.ready_levels():
            names = ", ".join(threads.thread_name(thread) for thread in layout.ring(head))
            gdb.write(f"priority {int(head['prio'])}: {names}\n")


def install() -> None:
    """Make the commands known to gdb."""
    for command in (_Foliot, _Threads, _Thread, _Timeouts, _Ready):
        command()
