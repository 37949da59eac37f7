# SPDX-License-Identifier: Apache-2.0
"""A sweep from its beginning to its end: built here, its path traced, its shares run wide.

What has come of a share is kept until the whole sweep is over, so one that was cut off goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from foliot.campaign import hear
from foliot.campaign import run as campaign
from foliot.campaign.here import Here
from foliot.campaign.jobs import Job
from foliot.explain.code import Code
from foliot.explain.sample import Sample, cut
from foliot.explain.trace import Traced, trace
from foliot.measure.console import replayed
from foliot.model.errors import FoliotError, UsageError, nearest
from foliot.model.run import Run
from foliot.show.terminal import Progress
from foliot.sweep import judged
from foliot.sweep.judged import Found, Swept
from foliot.sweep.plan import ALL_ACTS, Plan, check_board, write
from foliot.target import boards, build, provision, suites
from foliot.target.boards import Board

CONF = "sweep"
_LIMIT_S = {"verilator": 60.0, "qemu": 100_000.0}  # simulated, of a share
_WARM = "1"  # of the path's two samples


@dataclass(frozen=True, slots=True)
class Request:
    """What to sweep, and how finely; `row`: this one alone."""

    board: str
    suite: str = "states"
    conf: tuple[str, ...] = ()
    row: str = ""
    step: int = 1
    acts: int = ALL_ACTS
    shares: int = 16


@dataclass(frozen=True, slots=True)
class Prepared:
    """A share's image and its job."""

    elf: Path
    jobs: tuple[Job, ...]


def sweep(request: Request, where: Here, progress: Progress) -> Found:
    """Sweep a suite. Raises FoliotError where it can't be built or traced."""
    board = boards.load(request.board)
    check_board(board)
    app = build.application(suites.directory(request.suite), request.conf)
    provision.prepare(board, progress)
    conf = list(dict.fromkeys([*request.conf, CONF]))
    elf = build.build(app, board, progress, conf).image
    traced = trace(board, write(elf, Plan(is_path=1)), progress)
    found = Found(board.name, board.unit, request.suite, request.conf, request.step)
    paths = _paths(traced, request.row)
    plans = _plans(request, traced.run)
    with where, progress.task(f"Sweeping {app.name} on {board.name}, {where.told()}") as task:
        task.update("", 0, len(plans))
        made = campaign.run(plans, partial(_prepare, board, elf), where)
        told: dict[int, list[Swept]] = {}
        for count, done in enumerate(made, 1):
            try:
                told[done.number] = _read(done)
            except FoliotError as error:
                found.failures.append(" ".join([str(error), *error.lines[:2]]))
            task.update(f"share {count} done", count, len(plans))
    code = Code(traced.elf)
    rows = {one.row: one for swept in told.values() for one in swept}
    way_in = min((one.least for one in rows.values() if one.arrivals), default=0)
    found.rows = [
        judged.judge(rows[row], paths[row], board, code, way_in) for row in paths if row in rows
    ]
    if not found.failures:
        found.left_out = [row for row in paths if row not in rows]
    return found


def _plans(request: Request, path: Run) -> list[Plan]:
    plan = Plan(step=request.step, acts=request.acts)
    if not request.row:
        shares = request.shares
        return [replace(plan, share=share, shares=shares) for share in range(shares)]
    # Rows of a pair say the number of the later one, counted from 1.
    number = next(
        int(one["marker"]) for one in path.records
        if one.get("type") == "samples" and one.get("id") == request.row
    )  # fmt: skip
    return [replace(plan, low=max(0, number - 2), high=number - 1)]


def _paths(traced: Traced, row: str) -> dict[str, Sample]:
    """Return the path of each row that is wanted, by its id."""
    known = [one.id for one in traced.run.rows]
    if row and row not in known:
        raise UsageError(
            f"unknown row '{row}'{nearest(row, known)}",
            f"the suite has {len(known)}: `foliot bench --suite` prints them",
        )
    if traced.run.failures:
        first = traced.run.failures[0]
        raise FoliotError(f"without any interrupt {first.id} failed: {first.reason}")
    code = Code(traced.elf)
    return {one: cut(traced, one, _WARM, code) for one in known if row in ("", one)}


def _prepare(board: Board, elf: Path, plan: Plan) -> Prepared:
    made = write(elf, plan)
    options = [str(word) for word in board.run.get("inject_options", [])]
    return Prepared(made, (hear.job(board, made, _LIMIT_S[board.kind], options=options),))


def _read(done: campaign.Done[Prepared]) -> list[Swept]:
    if done.error is not None or done.prepared is None:
        raise done.error or FoliotError("it was not prepared")
    lines, outcome = hear.heard(done.results[0], done.prepared.elf)
    run = replayed(done.prepared.elf, lines, outcome).reader.finish()
    return [judged.swept(record) for record in run.records if record.get("type") == "sweep"]
