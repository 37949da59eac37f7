# SPDX-License-Identifier: Apache-2.0
"""Every board that this machine can run, measured at the same time.

A process a core, each with a board of its own: building and running are other programs'
work, but the configuration is resolved in ours, by environment variables, which threads would
share. A board that can't be measured (its emulator is missing, its run failed) says why, and
the others go on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace

from foliot.measure import session
from foliot.measure.session import Measured, Request
from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.target import boards, provision

ALL = "all"


@dataclass(frozen=True, slots=True)
class Found:
    """A board's run; or, without one, why there is none. `seconds`: building, too."""

    board: str
    measured: Measured | None
    why: str = ""
    seconds: float = 0


def names() -> list[str]:
    """Return the boards that a suite is measured on without a device."""
    return [name for name in boards.names() if boards.load(name).kind in ("verilator", "qemu")]


def measure(request: Request, progress: Progress, wanted: Sequence[str] = ()) -> list[Found]:
    """Measure `request` on all boards, or on `wanted`; return what came of each, in their order.

    What has to be installed is installed before, one board after another.
    """
    found: dict[str, Found] = {}
    todo = []
    chosen = [boards.load(name) for name in wanted or names()]
    began = time.monotonic()
    for line in _plan(chosen, request.suite):
        progress.say(line)
    for board in chosen:
        try:
            provision.prepare(board, progress)
            todo.append(board.name)
        except FoliotError as error:
            found[board.name] = Found(board.name, None, str(error))
    title = f"Measuring {request.suite} on {len(todo)} boards"
    with (
        progress.task(title) as task,
        ProcessPoolExecutor(os.cpu_count() or 1) as workers,
    ):
        task.update("", 0, len(todo))
        started = time.monotonic()
        running = [workers.submit(_one, replace(request, board=name)) for name in todo]
        for number, future in enumerate(as_completed(running), 1):
            one = future.result()
            found[one.board] = one
            left = _left(len(todo) - number, (time.monotonic() - started) / number)
            task.update(f"{one.board} done{left}", number, len(todo))
            if not progress.live:
                progress.say(f"  {one.board}: {one.why or f'{one.seconds:.0f} s'}{left}")
    progress.say(_summary(list(found.values()), time.monotonic() - began))
    return [found[board.name] for board in chosen]


def _plan(chosen: Sequence[boards.Board], suite: str) -> list[str]:
    """Say what is going to be done, and what of it takes minutes and is done only once."""
    cores = provision.unbuilt_simulators(chosen)
    lines = [
        f"{suite} is built for {len(chosen)} boards and run there, {os.cpu_count() or 1} at a time"
    ]
    if cores:
        lines.append(f"before that, once, the simulator of each of {', '.join(cores)} is built")
    return lines


def _left(boards_left: int, each_s: float) -> str:
    """Say how many boards are left and how long they take if they are like those before."""
    if not boards_left:
        return ""
    seconds = boards_left * each_s
    time_left = f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"
    return f"; {boards_left} left, about {time_left}"


def _summary(found: Sequence[Found], seconds: float) -> str:
    slowest = max(found, key=lambda one: one.seconds)
    return (
        f"{len(found)} boards in {seconds:.0f} s; the longest was {slowest.board}, "
        f"{slowest.seconds:.0f} s"
    )


def _one(request: Request) -> Found:
    """Measure one board, in a process of its own."""
    began = time.monotonic()
    measured, why = None, ""
    try:
        measured = session.measure(request, Progress(quiet=True))
    except FoliotError as error:
        why = str(error)
    return Found(request.board, measured, why, time.monotonic() - began)
