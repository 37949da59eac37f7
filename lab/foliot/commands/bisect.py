# SPDX-License-Identifier: Apache-2.0
"""`foliot bisect`: which commits are the ends, and what is told of the one that was found."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Sequence
from typing import Annotated

import typer

from foliot.bisect import commits
from foliot.bisect.search import Search
from foliot.bisect.sides import FEW
from foliot.bisect.tries import ELF, Tries
from foliot.campaign import run as campaign
from foliot.commands import offers
from foliot.commands.options import (
    BoardOption,
    ConfOption,
    JobsOption,
    JsonFileOption,
    PortOption,
    QuietOption,
    SchedulerOption,
    StoreOption,
    SuiteOption,
    words,
)
from foliot.compare import timeline
from foliot.explain import builds, difference
from foliot.explain.sample import cut
from foliot.explain.trace import trace
from foliot.model.errors import FoliotError, UsageError, unknown
from foliot.model.names import counted
from foliot.reference.rows import catalogue
from foliot.show import output
from foliot.show.terminal import Progress, console, result_width
from foliot.store import results
from foliot.store.selection import history
from foliot.store.sqlite import Store
from foliot.target import boards, paths, provision
from foliot.target import build as building
from foliot.target.serialport import BAUD, Port

REPEATS = 10


def command(
    row: Annotated[
        str,
        typer.Argument(
            metavar="ROW", autocompletion=offers.row, help="A row's id, or footprint.text..."
        ),
    ],
    good: Annotated[
        str,
        typer.Argument(
            metavar="[GOOD]", show_default=False, help="A commit. None: where the record changes."
        ),
    ] = "",
    bad: Annotated[
        str, typer.Argument(metavar="[BAD]", show_default=False, help="A later one. None: HEAD.")
    ] = "",
    board: BoardOption = None,
    suite: SuiteOption = "latency",
    conf: ConfOption = None,
    port: PortOption = None,
    baud: Annotated[int, typer.Option("--baud", metavar="N", min=1)] = BAUD,
    reset: Annotated[
        str,
        typer.Option("--reset", metavar="CMD", help=f"Flashes {ELF} and resets that board."),
    ] = "",
    repeat: Annotated[
        int, typer.Option("--repeat", metavar="N", min=FEW, max=100, help="Most runs of a board.")
    ] = REPEATS,
    json: JsonFileOption = None,
    store: StoreOption = None,
    jobs: JobsOption = None,
    scheduler: SchedulerOption = None,
    quiet: QuietOption = False,
) -> None:
    """Name the commit that changed a row, and what came and went."""
    output.check_writable(json)
    app = builds.application(suite)
    if not app.is_relative_to(paths.ROOT):
        raise UsageError(f"{suite} is not in this repository: its commits know nothing of it")
    if port is not None and ELF not in reset:
        raise UsageError(
            "--port needs --reset with what puts a commit's image on the board",
            f"as in --reset 'openocd -f board.cfg -c \"program {ELF} reset exit\"'",
        )
    if port is not None and (jobs or scheduler):
        raise UsageError("--port is one board: neither --jobs nor --scheduler goes with it")
    known = [found.id for found in catalogue()]
    if suite == "latency" and row not in known and not row.startswith("footprint."):
        raise unknown("row", row, known, "foliot rows")
    chosen = boards.load(board or boards.default())
    if port is None:
        boards.check_measures(chosen)
    configuration = words(conf)
    building.application(app, configuration)
    ends = _ends(row, good, bad, (chosen.name, app.name, configuration), Store(store), bool(port))
    progress = Progress(quiet)
    provision.prepare(chosen, progress, to_run=port is None)
    device = Port(port, baud, reset) if port else None
    tries = Tries(row, chosen, app, configuration, progress, device)
    search = Search(tries, progress.say, repeat if port else 1, [ends[0]], ends[1])
    if commits.uncommitted():
        progress.say("Changes that are in no commit take no part.")
    if jobs or scheduler:
        search.where = campaign.executor(jobs, scheduler, progress)
    with search.where or contextlib.nullcontext():
        found = _found(search)
    results.keep(
        Store(store), "bisect", f"{row} on {chosen.name}", commits.here(),
        f"changed by {' or '.join(map(commits.short, found))}", search.as_dict(found),
    )  # fmt: skip
    if json is not None:
        output.write_json(json, search.as_dict(found))
    if json != output.STDOUT:
        _tell(search, found, suite)


def _ends(
    row: str, good: str, bad: str, kind: tuple[str, str, tuple[str, ...]], store: Store, port: bool
) -> tuple[str, str]:
    """Return the commits to begin with: those that were named, or where the record changes."""
    if not good and port:
        raise UsageError("name GOOD and BAD: what a board's runs differ in may be chance")
    named = good and (commits.full(good), commits.full(bad or "HEAD"))
    first, last = named or _changed(row, kind, store)
    commits.check_order(first, last)
    return first, last


def _changed(row: str, kind: tuple[str, str, tuple[str, ...]], store: Store) -> tuple[str, str]:
    """Return the last two commits on record between which the row changed."""
    board, suite, conf = kind
    wanted = (board, suite, conf or ("default",))
    newest = next(
        (kept for kept in reversed(store.runs())
         if (kept.board, kept.suite, kept.configuration) == wanted and kept.kind == "bench"),
        None,
    )  # fmt: skip
    points = timeline.points(history(store, newest), row) if newest else []
    sure = [point for point in points if not point.dirty and point.value is not None]
    for before, after in zip(sure[-2::-1], sure[:0:-1], strict=True):
        if before.value != after.value and before.commit != after.commit:
            return commits.full(before.commit), commits.full(after.commit)
    raise UsageError(
        f"no two commits on record differ in {row} ({suite} on {board})",
        "name them: foliot bisect ROW GOOD [BAD]",
    )


def _found(search: Search) -> list[str]:
    """Search; where that is stopped, say what is known, and how it goes on."""
    try:
        return search.run()
    except FoliotError:
        raise
    except BaseException:
        if len(search.figures) > 1:
            print(f"So far: {search.known()}. The same command goes on from here.", flush=True)
        raise


def _tell(search: Search, found: Sequence[str], suite: str) -> None:
    row, unit = search.tries.row, search.tries.board.unit
    unit = "bytes" if row.startswith("footprint.") else unit
    work = (
        f"{counted(len(search.figures), 'commit')} tried, {search.tries.built} built, "
        f"{counted(search.tries.ran, 'run')}"
    )
    if len(found) > 1:
        print(f"One of these changed {row}; those that are marked could not be tried:")
        for commit in found:
            why = search.skipped.get(commit, "")
            print(f"  {commits.told(commit)}", *([f"    * it {why}"] if why else []), sep="\n")
        print(work)
        return
    (commit,) = found
    parent = search.before(commit)
    print(f"{row}: {search.value(parent)} -> {search.value(commit)} {unit}, by")
    print(f"  {commits.told(commit)}")
    for line in _elsewhere(search, parent, commit):
        print(*textwrap.wrap(line, result_width(), subsequent_indent="  "), sep="\n")
    print(work)
    _explain(search, parent, commit, suite)


def _elsewhere(search: Search, parent: str, commit: str) -> list[str]:
    """Say that the row changed in other commits too, and how those are found."""
    if not search.tries.exact:
        return []
    ends = ((search.ends[0], parent, "before"), (commit, search.ends[1], "after"))
    return [
        f"It changed {where} that too, {search.value(first)} -> {search.value(last)}: "
        f"foliot bisect {search.tries.row} {commits.short(first)} {commits.short(last)}"
        for first, last, where in ends
        if search.figures[first] != search.figures[last]
    ]


def _explain(search: Search, parent: str, commit: str, suite: str) -> None:
    """Show the instructions that came and went, where the board can show any."""
    tries = search.tries
    if tries.row.startswith("footprint.") or tries.board.kind not in ("verilator", "qemu"):
        return
    print()
    names = [commits.short(parent), commits.short(commit)]
    try:
        images = [builds.image(name, tries.board, suite, tries.conf, tries.progress)
                  for name in names]  # fmt: skip
        samples = [cut(trace(tries.board, image, tries.progress), tries.row) for image in images]
    except FoliotError as error:
        print(f"Which instructions came and went can't be shown: {error.message}")
        return
    difference.print_difference(names, samples, console())
