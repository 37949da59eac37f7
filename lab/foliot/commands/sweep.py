# SPDX-License-Identifier: Apache-2.0
"""`foliot sweep`: the worst case of each operation, by an interrupt at every moment of it."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.campaign import run as campaign
from foliot.commands.options import (
    BoardOption,
    ConfOption,
    JobsOption,
    JsonFileOption,
    QuietOption,
    SchedulerOption,
    SuiteOption,
    words,
)
from foliot.model.errors import UsageError
from foliot.project import worst
from foliot.show import output
from foliot.show.columns import print_columns
from foliot.show.terminal import Progress
from foliot.sweep import plan, show, wide
from foliot.target import boards


def command(
    row: Annotated[
        str,
        typer.Argument(metavar="[ROW]", show_default=False, help="This one alone, with its path."),
    ] = "",
    board: BoardOption = None,
    suite: SuiteOption = "states",
    conf: ConfOption = None,
    step: Annotated[
        int, typer.Option("--step", metavar="N", min=1, help="Each Nth cycle or instruction.")
    ] = 1,
    act: Annotated[
        list[str] | None,
        typer.Option("--act", metavar="ACT", help=f"What handlers do: {', '.join(plan.ACTS)}."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="All states, not the worst of each operation.")
    ] = False,
    figures: Annotated[
        bool, typer.Option("--figures", help="Write data/sweep/, which the tables are made of.")
    ] = False,
    jobs: JobsOption = None,
    scheduler: SchedulerOption = None,
    json: JsonFileOption = None,
    quiet: QuietOption = False,
) -> None:
    """Let an interrupt come at every moment of every operation: the worst case."""
    output.check_writable(json)
    if figures and (row or step > 1 or act or conf):
        raise UsageError("--figures are of a whole sweep, without --step, --act and --conf")
    progress = Progress(quiet)
    request = wide.Request(
        board=board or boards.default(), suite=suite, conf=words(conf), row=row, step=step,
        acts=plan.acts(list(words(act))),
    )  # fmt: skip
    plan.check_board(boards.load(request.board))
    found = wide.sweep(request, campaign.executor(jobs, scheduler, progress), progress)
    if json is not None:
        output.write_json(json, show.as_dict(found))
    if figures:
        worst.PLACE.mkdir(exist_ok=True)
        output.write_json(str(worst.file(found.board, found.suite)), show.figures(found))
    if json != output.STDOUT:
        print_columns(show.TITLES, show.lines(found, whole or bool(row)))
        print()
        for line in show.sentences(found):
            print(line)
    raise typer.Exit(1 if found.bad or found.failures else 0)
