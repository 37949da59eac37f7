# SPDX-License-Identifier: Apache-2.0
"""The options that several commands take, and how their words are taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from foliot.commands import offers
from foliot.model.errors import UsageError
from foliot.target import boards

BoardOption = Annotated[
    str | None,
    typer.Option(
        "--board", "-b", metavar="BOARD", autocompletion=offers.board, help="See `foliot boards`."
    ),
]
ConfOption = Annotated[
    list[str] | None,
    typer.Option(
        "--conf",
        "-c",
        metavar="CONF",
        autocompletion=offers.configuration,
        help="prj.CONF.conf; several: a,b or twice.",
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")]
ElfOption = Annotated[
    Path | None, typer.Option("--elf", metavar="FILE", help="Run this image, of any kernel.")
]
TimeoutOption = Annotated[
    float | None,
    typer.Option("--timeout", metavar="S", min=1e-6, help="Limit in simulated seconds."),
]
CyclesOption = Annotated[
    int | None,
    typer.Option("--max-cycles", metavar="N", min=1, help="Limit in cycles (boards in RTL)."),
]
WaitOption = Annotated[
    str | None, typer.Option("--wait-states", metavar="I,D", help="Of the simulated RAM.")
]
StoreOption = Annotated[
    Path | None, typer.Option("--store", metavar="DIR", help="Where runs are recorded.")
]
NameOption = Annotated[
    str | None, typer.Option("--name", "-n", metavar="NAME", help="What to call the run.")
]
SamplesOption = Annotated[
    int | None, typer.Option("--samples", metavar="N", min=1, max=1_000_000, help="Per row.")
]
PortOption = Annotated[
    str | None, typer.Option("--port", metavar="TTY", help="Listen to a board's serial port.")
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, max=1024, help="Of a campaign, at a time."),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="tcp://...", help="Run a campaign on Dask's workers."),
]
RemoteArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[REMOTE]",
        autocompletion=offers.remote,
        show_default=False,
        help="See `foliot remote`.",
    ),
]
SuiteOption = Annotated[
    str,
    typer.Option(
        "--suite",
        "-s",
        metavar="SUITE",
        autocompletion=offers.suite,
        help="A suite, or a directory.",
    ),
]
JsonFileOption = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write JSON; - is stdout.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON, on stdout.")]


def one_of(known: Iterable[str], about: str) -> Any:
    """Return the argument of a command of several words, which does something without one too."""
    return typer.Argument(
        metavar="[WHAT]", autocompletion=offers.of(*known), show_default=False, help=about
    )


def simulator_options(wait_states: str | None, board: str) -> tuple[str, ...]:
    """Return what the simulator is told of `--wait-states`; UsageError where it can't have any."""
    if wait_states is None:
        return ()
    if boards.load(board).kind != "verilator":
        raise UsageError(f"--wait-states is for boards in RTL: {board} has no memory model")
    if not re.fullmatch(r"\d{1,3},\d{1,3}", wait_states):
        raise UsageError(f"--wait-states takes two numbers, I,D, not '{wait_states}'")
    return ("--wait-states", wait_states)


def words(given: Iterable[str] | None) -> tuple[str, ...]:
    """Take `--conf a,b --conf c` apart."""
    found = [word.strip() for group in given or () for word in group.split(",")]
    if not all(found):
        raise UsageError("--conf takes names, separated by commas")
    return tuple(dict.fromkeys(found))
