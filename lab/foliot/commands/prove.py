# SPDX-License-Identifier: Apache-2.0
"""`foliot prove`: which contracts of the kernel's functions hold, for all arguments."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import JsonOption, QuietOption
from foliot.prove import mutants, run, table
from foliot.show.terminal import Progress


def command(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]", show_default=False, help="Sources, or directories of them."
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Without the results that are kept.")
    ] = False,
    listed: Annotated[
        bool, typer.Option("--listed", help="Those too that are listed as not proved.")
    ] = False,
    goals: Annotated[bool, typer.Option("--goals", help="Each goal, with its prover.")] = False,
    mutate: Annotated[
        bool, typer.Option("--mutants", help="Change the functions, too: each proof has to fail.")
    ] = False,
    by_file: Annotated[
        bool, typer.Option("--by-file", help="The table of docs/proofs.md, a line a file.")
    ] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Prove the contracts in the kernel's sources, for all arguments.

    All, or those of some files. Results are kept by what the proof read; those of all files are
    written to data/proofs.json. docs/proofs.md says what is proved, and how to write a contract.
    """
    progress = Progress(quiet)
    chosen = run.files_of(files or ())
    run.install(progress)
    if mutate:
        raise typer.Exit(_mutants(chosen, fresh, progress))
    found, store = run.prove(chosen, progress, fresh, listed)
    store.save(commit=not files and not listed and all(one.is_proved for one in found))
    if as_json:
        print(json.dumps([table.as_dict(one) for one in found], indent=1))
    elif by_file:
        print("\n".join(table.by_file(found)))
    else:
        print("\n".join(table.lines(found, goals)))
    failed = [one for one in found if not one.is_proved]
    for one in failed:
        for line in table.failures(one):
            print(line, file=sys.stderr)
    raise typer.Exit(1 if failed else 0)


def _mutants(files: list[str], fresh: bool, progress: Progress) -> int:
    """Try them; return the exit status: 1 where one lives that is not listed."""
    known = mutants.survivors()
    status, killed, same, alive = 0, 0, 0, 0
    for one in mutants.try_all(files, set(run.unproved()), progress, fresh):
        killed += one.killed
        same += one.same
        alive += len(one.alive)
        file, function = one.name.split()
        for line, change in one.alive:
            if mutants.listed_as(one.name, change) not in known:
                status = 1
                print(f"{file}:{line}: {function}: {change}", file=sys.stderr)
    print(f"{killed} mutants killed, {same} of the same code, {alive} alive")
    return status
