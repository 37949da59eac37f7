# SPDX-License-Identifier: Apache-2.0
"""`foliot campaign`: the repository's own campaigns, here or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from foliot.bisect import commits
from foliot.campaign import run as wide
from foliot.commands import offers
from foliot.commands.options import (
    JobsOption,
    JsonFileOption,
    QuietOption,
    SchedulerOption,
    StoreOption,
)
from foliot.model.names import counted
from foliot.project import campaigns
from foliot.project.campaigns import Found
from foliot.show import output
from foliot.show.columns import print_columns
from foliot.show.terminal import Progress
from foliot.store import results
from foliot.store.sqlite import Store


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
    past: Annotated[
        bool, typer.Option("--past", help="What was found before: campaigns, bisections, matrices.")
    ] = False,
    record: Annotated[
        bool, typer.Option("--record/--no-record", help="Keep the result, see --past.")
    ] = True,
    jobs: JobsOption = None,
    scheduler: SchedulerOption = None,
    json: JsonFileOption = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:  # fmt: skip
    """Seed faults, fuzz, abort everywhere: many trials, run wide."""
    kept = Store(store)
    if past:
        _list(results.past(kept, name=name))
        return
    if not name:
        for known in campaigns.names():
            print(f"{known:<12} {campaigns.load(known).TITLE}")
        return
    output.check_writable(json)
    progress = Progress(quiet)
    campaigns.prepare(name, progress)
    if record:
        kept.check_writable()
    found = campaigns.run(name, every, wide.executor(jobs, scheduler, progress), progress)
    told = _reported(found)
    if record:
        since = _new(found, results.past(kept, "campaign", name))
        results.keep(kept, "campaign", name, commits.here(), told, found.as_dict())
        for one in since:
            progress.say(f"  not so before: {one}")
    if json is not None:
        output.write_json(json, found.as_dict())
    if json != output.STDOUT:
        for verdict in found.bad:
            print(f"{verdict.name}: {verdict.said}")
        print(f"{name}: {told}")
    raise typer.Exit(1 if found.bad else 0)


def _reported(found: Found) -> str:
    """Return a campaign's result in a line."""
    counts = (f"{number} {what}" for what, number in found.counts().items())
    trials = counted(len(found.verdicts), "trial")
    return ", ".join([trials, f"{len(found.bad)} not as they should be", *counts])


def _new(found: Found, before: Sequence[results.Result]) -> list[str]:
    """Return what is bad now, and was good where it was last tried."""
    last: dict[str, bool] = {}
    for one in before:
        for trial in one.found.get("trials", ()):
            last[trial["name"]] = trial["good"]
    return [one.name for one in found.bad if last.get(one.name)]


def _list(found: Sequence[results.Result]) -> None:
    if not found:
        print("no result is on record")
        return
    lines = [
        (one.when[:16].replace("T", " "), f"{one.commit[:12]}{'+' * one.commit.endswith('+')}",
         one.kind, f"{one.name}: {one.told}")
        for one in found
    ]  # fmt: skip
    print_columns(("when", "commit", "what", "result"), lines)
