# SPDX-License-Identifier: Apache-2.0
"""`foliot campaign`: the repository's own campaigns, here or on a cluster."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.campaign import run as wide
from foliot.commands import offers
from foliot.commands.options import JobsOption, JsonFileOption, QuietOption, SchedulerOption
from foliot.model.names import counted
from foliot.project import campaigns
from foliot.show import output
from foliot.show.terminal import Progress


def command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]", show_default=False, autocompletion=offers.campaign,
            help="None: list them.",
        ),
    ] = "",
    every: Annotated[
        int | None,
        typer.Option("--every", metavar="N", min=1, help="Each Nth trial; 1 is all of them."),
    ] = None,
    jobs: JobsOption = None,
    scheduler: SchedulerOption = None,
    json: JsonFileOption = None,
    quiet: QuietOption = False,
) -> None:  # fmt: skip
    """Seed faults, fuzz, abort everywhere: many trials, run wide."""
    if not name:
        for known in campaigns.names():
            print(f"{known:<12} {campaigns.load(known).TITLE}")
        return
    output.check_writable(json)
    campaigns.load(name)
    progress = Progress(quiet)
    found = campaigns.run(name, every, wide.executor(jobs, scheduler, progress), progress)
    if json is not None:
        output.write_json(json, found.as_dict())
    if json != output.STDOUT:
        for verdict in found.bad:
            print(f"{verdict.name}: {verdict.said}")
        told = [counted(len(found.verdicts), "trial"), f"{len(found.bad)} not as they should be",
                *(f"{number} {what}" for what, number in found.counts().items())]  # fmt: skip
        print(f"{name}: {', '.join(told)}")
    raise typer.Exit(1 if found.bad else 0)
