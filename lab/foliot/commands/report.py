# SPDX-License-Identifier: Apache-2.0
"""`foliot report`: which runs, and where the page goes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import QuietOption, StoreOption
from foliot.model.errors import UsageError
from foliot.model.names import counted
from foliot.report import charts, content, page
from foliot.report.charts import Chart
from foliot.report.heading import Made
from foliot.report.past import Past
from foliot.report.past import past as past_of
from foliot.show.output import STDOUT, write
from foliot.show.terminal import Progress
from foliot.store.selection import Chosen, history, select
from foliot.store.sqlite import Kept, Store

FILE = "foliot-report.html"
MOST = 50


def command(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN...]",
            autocompletion=offers.run,
            show_default=False,
            help="None: the newest 50.",
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="The page; - is stdout.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="DIR", help="Write the charts alone.")
    ] = None,
    past: Annotated[
        bool, typer.Option("--history", help="Of the last run's kind, commit by commit.")
    ] = False,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write runs as one self-contained page."""
    if output is not None and svg is not None:
        raise UsageError("--output and --svg can't be given together: a page, or charts alone")
    typed = shlex.join(["./foliot", *sys.argv[1:]])
    made = Made(typed, datetime.now(UTC))
    raise typer.Exit(report(runs or [], output or FILE, svg, Store(store), quiet, past, made))


def report(
    words: Sequence[str],
    file: str,
    svg: Path | None,
    store: Store,
    quiet: bool,
    with_history: bool = False,
    made: Made | None = None,
) -> int:
    """Write a report of the runs that `words` name (none: the newest of the store); return 0.

    With `svg`, a directory, each chart is written there as a file of its own instead. With the
    history of the last run's kind, that run stands for the newest.
    """
    progress = Progress(quiet)
    with progress.task("Reading the runs"):
        chosen = _chosen(words or (["last"] if with_history else []), store, progress)
        told = _past(chosen[-1], store) if with_history else None
    with progress.task(f"Drawing {counted(len(chosen), 'run')}"):
        subjects = content.subjects(chosen)
        groups = content.groups(subjects)
        drawn = list(page.charts_of(groups, subjects))
        drawn += list(charts.of_past(told)) if told else []
        if svg is not None:
            _write_charts(drawn, svg)
            return 0
        text = page.render(subjects, groups, drawn, told, made)
    write(file, text)
    if file != STDOUT:
        entry = "entry" if len(subjects) == 1 else "entries"
        entries = f" in {len(subjects)} {entry}" if len(subjects) < len(chosen) else ""
        octets = len(text.encode())
        size = f"{octets / 1e6:.1f} MB" if octets >= 1e5 else f"{octets / 1e3:.0f} kB"
        print(f"{file}: {counted(len(chosen), 'run')}{entries}, {size}")
    return 0


def _chosen(words: Sequence[str], store: Store, progress: Progress) -> list[Chosen]:
    if words:
        return select(words, store)
    kept = store.runs()
    if not kept:
        raise UsageError(
            f"there is nothing to report: the store {store.directory} holds no runs",
            "record one with `foliot bench` or `foliot import`, or name references, as in "
            "`foliot report 'zephyr-*@ibex'`",
        )
    sets = list(dict.fromkeys(_set(one) for one in reversed(kept)))
    shown = {*sets[:MOST]}
    if len(sets) > MOST:
        progress.say(f"The newest {MOST} of {len(sets)} runs; name others to see those.")
    return select([one.id for one in kept if _set(one) in shown], store)


def _set(kept: Kept) -> str:
    """Return what a run was recorded with by `bench --repeat`: together they count as one."""
    return kept.document if kept.kind == "bench" and "/" in kept.name else kept.id


def _past(newest: Chosen, store: Store) -> Past:
    """Return the history of a run's kind; UsageError where it has none."""
    found = past_of(history(store, newest.kept)) if newest.kept else None
    if found is None:
        raise UsageError(
            f"{newest.name} has no history: no commit of its kind with other figures is on record",
            "`foliot bench` records one; `foliot runs` lists what there is",
        )
    return found


def _write_charts(drawn: Sequence[Chart], directory: Path) -> None:
    if not drawn:
        raise UsageError("there is no chart to write: nothing to compare")
    directory.mkdir(parents=True, exist_ok=True)
    for chart in drawn:
        path = directory / f"{chart.name}.svg"
        write(str(path), chart.standalone)
        print(f"{path}: {chart.title}")
