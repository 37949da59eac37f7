# SPDX-License-Identifier: Apache-2.0
"""Every board that this machine can run, or many configurations: measured at the same time.

Each image is built here, by a process of its own, and run by whoever has room (campaign/). A board
that can't be measured (its emulator is missing, its run failed) says why, and the others go on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from foliot.campaign import run as campaign
from foliot.campaign.here import Here
from foliot.measure import session
from foliot.measure.session import Measured, Request
from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.target import boards, provision

ALL = "all"


@dataclass(frozen=True, slots=True)
class Found:
    """A board's run; or, without one, why there is none. `seconds`: after the beginning."""

    board: str
    measured: Measured | None
    why: str = ""
    seconds: float = 0


def names() -> list[str]:
    """Return the boards that a suite is measured on without a device."""
    return [name for name in boards.names() if boards.load(name).kind in ("verilator", "qemu")]


def measure(
    request: Request, progress: Progress, wanted: Sequence[str] = (), where: Here | None = None
) -> list[Found]:
    """Measure `request` on all boards, or on `wanted`; return what came of each, in their order.

    What has to be installed is installed before, one board after another.
    """
    where = where or Here()
    found: dict[str, Found] = {}
    todo = []
    chosen = [boards.load(name) for name in wanted or names()]
    began = time.monotonic()
    for line in _plan(chosen, request.suite, where):
        progress.say(line)
    for board in chosen:
        try:
            provision.prepare(board, progress)
            todo.append(board.name)
        except FoliotError as error:
            found[board.name] = Found(board.name, None, str(error))
    requests = [replace(request, board=name) for name in todo]
    title = f"Measuring {request.suite} on {len(todo)} boards"
    for number, what in each(requests, todo, where, title, progress):
        why = str(what) if isinstance(what, FoliotError) else ""
        measured = what if isinstance(what, Measured) else None
        found[todo[number]] = Found(todo[number], measured, why, time.monotonic() - began)
    progress.say(_summary(list(found.values()), time.monotonic() - began))
    return [found[board.name] for board in chosen]


def each(
    requests: Sequence[Request], named: Sequence[str], where: Here, title: str, progress: Progress
) -> Iterator[tuple[int, Measured | FoliotError]]:
    """Measure all of them, wherever there is room; yield each by its number when it is done.

    `named`: what each is called where it is told of.
    """
    began = time.monotonic()
    with where, progress.task(title) as task:
        task.update("", 0, len(requests))
        done = campaign.run(requests, session.prepare, where)
        for count, one in enumerate(done, 1):
            what = _measured(one)
            seconds = time.monotonic() - began
            left = _left(len(requests) - count, seconds / count)
            task.update(f"{named[one.number]} done{left}", count, len(requests))
            if not progress.live:
                told = what if isinstance(what, FoliotError) else f"{seconds:.0f} s"
                progress.say(f"  {named[one.number]}: {told}{left}")
            yield one.number, what


def _measured(done: campaign.Done[session.Prepared]) -> Measured | FoliotError:
    if done.prepared is None or done.error is not None:
        return done.error or FoliotError("it was not prepared")
    try:
        return done.prepared.measured(done.results)
    except FoliotError as error:
        return error


def _plan(chosen: Sequence[boards.Board], suite: str, where: Here) -> list[str]:
    """Say what is going to be done, and what of it takes minutes and is done only once."""
    cores = provision.unbuilt_simulators(chosen)
    lines = [f"{suite} is built for {len(chosen)} boards and run there, {where.told()}"]
    if cores:
        names = ", ".join(cores)
        lines.append(f"before that, once, the simulator of each of {names} is built: minutes each")
    return lines


def _left(left: int, each_s: float) -> str:
    """Say how many are left and how long they take if they are like those before."""
    if not left:
        return ""
    seconds = left * each_s
    time_left = f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"
    return f"; {left} left, about {time_left}"


def _summary(found: Sequence[Found], seconds: float) -> str:
    last = max(found, key=lambda one: one.seconds)
    return f"{len(found)} boards in {seconds:.0f} s; the last was {last.board}"
