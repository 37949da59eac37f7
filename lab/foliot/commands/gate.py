# SPDX-License-Identifier: Apache-2.0
"""`foliot gate`: measure, hold against the baseline, say so, and exit accordingly."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import PortOption, QuietOption, StoreOption
from foliot.compare.comparison import unlike
from foliot.exporters.comment import Told, comment
from foliot.exporters.github import github
from foliot.exporters.junit import junit
from foliot.exporters.openmetrics import openmetrics
from foliot.importers.document import read_file
from foliot.judge import baseline as baselines
from foliot.judge import gate as judging
from foliot.judge import repeated
from foliot.judge.gate import Verdict
from foliot.measure import session
from foliot.model.errors import FoliotError, UsageError, nearest_path
from foliot.model.names import counted
from foliot.model.run import Run
from foliot.show.output import STDOUT, check_writable, write
from foliot.show.terminal import Progress, result_width
from foliot.store.selection import Chosen, select
from foliot.store.sqlite import Store
from foliot.target import boards, paths
from foliot.target.serialport import BAUD, Port

# What a rank test of forty rows takes is seven; these find smaller changes.
REPEATS = 10
EXACT = "Exact: a simulated board gives the same figures every time."
_LINK = re.compile(r"https?://[^\s()<>\"'`]+")
UNSURE = 3  # the exit status where rows may be slower, and so few runs can't show it


def command(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN...]",
            autocompletion=offers.run,
            show_default=False,
            help="None: measure now.",
        ),
    ] = None,
    baseline: Annotated[
        str,
        typer.Option(
            "--baseline",
            metavar="RUN",
            autocompletion=offers.run,
            help="A run, or a file: data/baseline/BOARD.json.",
        ),
    ] = "",
    board: Annotated[
        str,
        typer.Option(
            "--board",
            "-b",
            metavar="BOARD",
            autocompletion=offers.board,
            help="See `foliot boards`.",
        ),
    ] = "",
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="PATTERN=N", help="Rows that may rise by N units."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Any change fails: the baseline is stale.")
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Write the baseline file anew instead.")
    ] = False,
    port: PortOption = None,
    baud: Annotated[int, typer.Option("--baud", metavar="N", min=1)] = BAUD,
    reset: Annotated[
        str, typer.Option("--reset", metavar="CMD", help="What resets that board.")
    ] = "",
    repeat: Annotated[
        int, typer.Option("--repeat", metavar="N", min=1, max=100, help="Runs of a real board.")
    ] = REPEATS,
    floor: Annotated[
        float,
        typer.Option("--floor", metavar="N", min=0, help="Real boards: units that are noise."),
    ] = judging.FLOOR_UNITS,
    percent: Annotated[
        float, typer.Option("--percent", metavar="P", min=0, help="Real boards: per cent of noise.")
    ] = judging.FLOOR_PERCENT,
    junit: Annotated[
        str | None, typer.Option("--junit", metavar="FILE", help="Write JUnit; - is stdout.")
    ] = None,
    github: Annotated[
        str | None,
        typer.Option("--github", metavar="FILE", help="Write github-action-benchmark's JSON."),
    ] = None,
    comment: Annotated[
        str | None,
        typer.Option("--comment", metavar="FILE", help="Write what a pull request shows."),
    ] = None,
    link: Annotated[
        str, typer.Option("--link", metavar="URL", help="Of the report, for --comment.")
    ] = "",
    metrics: Annotated[
        str | None,
        typer.Option("--metrics", metavar="FILE", help="Write OpenMetrics, as GitLab reads it."),
    ] = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Fail where a row got slower than a baseline has it."""
    if board and port is None:
        boards.check_measures(boards.load(board))
    request = Request(
        runs=tuple(runs or ()), baseline=baseline, board=board, allow=tuple(allow or ()),
        port=Port(port, baud, reset) if port else None, repeat=repeat, floor_units=floor,
        floor_percent=percent, strict=strict, update=update, junit=junit, github=github,
        comment=comment, link=link, metrics=metrics,
    )  # fmt: skip
    raise typer.Exit(run_gate(request, Store(store), quiet))


@dataclass(frozen=True, slots=True)
class Request:
    """What to hold against what.

    `runs` are words for recorded runs; without any, the baseline's suite is measured on
    `board`, or listened to at `port`, `repeat` times on silicon. `strict` lets a change
    for the better fail too, since the baseline is stale then; `update` rewrites it instead.
    """

    runs: tuple[str, ...] = ()
    baseline: str = ""
    board: str = ""
    port: Port | None = None
    repeat: int = REPEATS
    allow: tuple[str, ...] = ()
    floor_units: float = judging.FLOOR_UNITS
    floor_percent: float = judging.FLOOR_PERCENT
    strict: bool = False
    update: bool = False
    junit: str | None = None
    github: str | None = None
    comment: str | None = None
    link: str = ""
    metrics: str | None = None

    def files(self) -> list[str]:
        """Return what is to be written, - for stdout."""
        return [name for name in (self.junit, self.github, self.comment, self.metrics) if name]

    def check(self) -> None:
        """Raise UsageError for what can't be written, before anything is measured."""
        for name in self.files():
            check_writable(name)
        if self.link and not _LINK.fullmatch(self.link):
            raise UsageError(f"--link takes an address, https://..., not '{self.link}'")


def run_gate(request: Request, store: Store, quiet: bool) -> int:
    """Return 0 where nothing is worse than the baseline, 1 where something is, UNSURE between."""
    allowed = judging.allowances(request.allow)
    request.check()
    if request.update:
        return _update(request, store, quiet)
    old = _baseline(request, store)
    judging.check_allowed(allowed, old[-1].run)
    if request.port is not None and not request.runs:
        rows = len(old[-1].run.rows)
        if not repeated.enough(len(old), request.repeat, rows):
            Progress(quiet).announce(judging.how_judged(len(old), request.repeat, rows))
    runs = _candidates(request, old[0].run, store, quiet)
    for one in runs:
        judging.check_alike(old[0].run, one.run)
    exact = _is_exact(old[0].run.header.board) and request.port is None
    if exact:
        verdicts = judging.judge_exactly(old[-1].run, runs[-1].run, allowed)
    else:
        verdicts = judging.judge_statistically(
            [one.run for one in old], [one.run for one in runs], allowed,
            request.floor_units, request.floor_percent,
        )  # fmt: skip
    verdicts = [_stale(verdict) if request.strict else verdict for verdict in verdicts]
    verdicts = [_flagged(verdict, runs[-1].run) for verdict in verdicts]
    sure = EXACT if exact else judging.how_judged(len(old), len(runs), len(old[-1].run.rows))
    _tell(request, verdicts, old[-1], runs[-1], "" if exact else sure)
    _write(request, verdicts, runs[-1].run, Told(old[-1].name, sure, request.link))
    good = all(one.run.valid for one in runs) and not any(verdict.fails for verdict in verdicts)
    return 1 if not good else UNSURE if any(verdict.unsure for verdict in verdicts) else 0


def _tell(
    request: Request, verdicts: Sequence[Verdict], old: Chosen, new: Chosen, sure: str
) -> None:
    """Print what came of it, beside a file that goes to stdout on stderr."""
    talk = sys.stderr if STDOUT in request.files() else sys.stdout
    for line in _lines(verdicts, old, new):
        print(line, file=talk)
    for line in textwrap.wrap(sure, result_width(), subsequent_indent="  "):
        print(line, file=talk)


def _update(request: Request, store: Store, quiet: bool) -> int:
    board = request.board or boards.default()
    path = Path(request.baseline) if request.baseline else baselines.path(board)
    if path.suffix != ".json":
        raise UsageError(
            f"--update writes a file, as in --baseline {baselines.BASELINES}/{board}.json"
        )
    if request.runs:
        run = select(request.runs, store)[-1].run
    else:
        run = session.measure(session.Request(board), Progress(quiet)).examined()
    if not run.valid:
        raise FoliotError("the run is not valid: no baseline is made of it", "see `foliot bench`")
    changed = paths.write_if_changed(path, baselines.text(run))
    done = "written" if changed else "unchanged"
    print(f"{paths.shown(path)}: {counted(len(run.rows), 'row')}, {done}")
    return 0


def _baseline(request: Request, store: Store) -> list[Chosen]:
    if request.baseline:
        return select([request.baseline], store)
    path = baselines.path(request.board or boards.default())
    if not path.exists():
        raise UsageError(
            f"there is no baseline {paths.shown(path)}{nearest_path(Path(paths.shown(path)))}",
            "name one by --baseline, or make it by --update",
        )
    return [Chosen(path.stem, read_file(path).runs[0])]


def _candidates(request: Request, baseline: Run, store: Store, quiet: bool) -> list[Chosen]:
    """Return the runs to judge: recorded ones, or new ones, as often as it takes."""
    if request.runs:
        return select(request.runs, store)
    header = baseline.header
    board = request.board or header.board
    conf = tuple(name for name in header.configuration if name != "default")
    asked = session.Request(board, header.suite, conf=conf, port=request.port)
    count = request.repeat if request.port else 1
    progress = Progress(quiet)
    measured = [session.measure_patiently(asked, progress)[0] for _ in range(count)]
    return [Chosen(f"{board}, now", one.examined()) for one in measured]


def _is_exact(board: str) -> bool:
    """Whether a board is simulated: then a run comes out the same every time."""
    return boards.simulated(board)


def _flagged(verdict: Verdict, run: Run) -> Verdict:
    """Return a verdict that says of a flagged row by which doubts it is."""
    row = run.row(verdict.row)
    if row is None or not row.doubts:
        return verdict
    told = f"* in doubt: {', '.join(row.doubts)}"
    text = f"{verdict.text}; {told}" if verdict.text else told
    return replace(verdict, text=text)


def _stale(verdict: Verdict) -> Verdict:
    if verdict.status in ("faster", "slower", "new"):
        text = f"{verdict.text}: the baseline is stale"
        return Verdict(verdict.row, "failed", verdict.before, verdict.after, text)
    return verdict


def _lines(verdicts: Sequence[Verdict], old: Chosen, new: Chosen) -> Iterator[str]:
    for note in unlike([old, new]):
        yield from textwrap.wrap(note, result_width(), subsequent_indent="  ")
    rows = [verdict for verdict in verdicts if not verdict.is_weight]
    count = counted(len(rows), "row")
    yield f"{count} in {new.run.header.unit} against {old.name}: {judging.summed(rows)}"
    weights = [verdict for verdict in verdicts if verdict.is_weight]
    if weights:
        yield f"footprint, {counted(len(weights), 'size')} in bytes: {judging.summed(weights)}"
    for verdict in sorted(verdicts, key=lambda verdict: (not verdict.fails, not verdict.unsure)):
        if verdict.status != "same":
            mark = "FAILED" if verdict.fails else verdict.word
            text = f"  {mark:<7} {verdict.row}: {verdict.text}"
            yield from textwrap.wrap(text, result_width(), subsequent_indent=" " * 10)
    for doubt in new.run.doubts:
        if doubt.invalidates:
            yield f"  FAILED  {doubt.row or 'the run'}: {doubt.text}"


def _write(request: Request, verdicts: Sequence[Verdict], run: Run, told: Told) -> None:
    if request.junit:
        write(request.junit, junit(verdicts, run))
    if request.github:
        write(request.github, github([("", run)]))
    if request.comment:
        write(request.comment, comment(verdicts, run, told))
    if request.metrics:
        write(request.metrics, openmetrics(run))
