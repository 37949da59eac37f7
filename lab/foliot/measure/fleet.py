# SPDX-License-Identifier: Apache-2.0
"""Every board that this machine can run, measured at the same time.

A process a core, each with a board of its own: building and running are other programs'
work, but the configuration is resolved in ours, by environment variables, which threads would
share. A board that can't be measured (its emulator is missing, its run failed) says why, and
the others go on.
"""

from __future__ import annotations

import os
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
    """A board's run; or, without one, why there is none."""

    board: str
    measured: Measured | None
    why: str = ""


def names() -> list[str]:
    """Return the boards that a suite is measured on without a device."""
    return [name for name in boards.names() if boards.load(name).kind in ("verilator", "qemu")]


def measure(request: Request, progress: Progress, wanted: Sequence[str] = ()) -> list[Found]:
    """Measure `request` on all boards, or on `wanted`; return what came of each, in their order.

    What has to be installed is installed before, one board after another.
    """
    found: dict[str, Found] = {}
    todo = []
    for name in wanted or names():
        try:
            provision.prepare(boards.load(name), progress)
            todo.append(name)
        except FoliotError as error:
            found[name] = Found(name, None, str(error))
    title = f"Measuring {request.suite} on {len(todo)} boards"
    with (
        progress.task(title) as task,
        ProcessPoolExecutor(os.cpu_count() or 1) as workers,
    ):
        task.update("", 0, len(todo))
        running = [workers.submit(_one, replace(request, board=name)) for name in todo]
        for number, future in enumerate(as_completed(running), 1):
            one = future.result()
            found[one.board] = one
            task.update(one.board, number, len(todo))
    return [found[name] for name in wanted or names()]


def _one(request: Request) -> Found:
    """Measure one board, in a process of its own."""
    try:
        return Found(request.board, session.measure(request, Progress(quiet=True)))
    except FoliotError as error:
        return Found(request.board, None, str(error))
