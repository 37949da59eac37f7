# SPDX-License-Identifier: Apache-2.0
"""`foliot explain`: which builds are meant, their samples, and what is printed of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import (
    BoardOption,
    ConfOption,
    JsonFileOption,
    QuietOption,
    StoreOption,
    SuiteOption,
    words,
)
from foliot.explain import builds as images
from foliot.explain import difference, imported, show
from foliot.explain.sample import TYPICAL, Sample, cut
from foliot.explain.trace import check_board, trace
from foliot.model.errors import UsageError, unknown
from foliot.reference.rows import catalogue
from foliot.show import output
from foliot.show.terminal import Progress, console
from foliot.store.selection import Chosen, select_one
from foliot.store.sqlite import Store
from foliot.target import boards, provision, suites
from foliot.target.boards import Board


def command(
    row: Annotated[
        str,
        typer.Argument(
            metavar="ROW", autocompletion=offers.row, help="A row's id, see `foliot rows`."
        ),
    ],
    builds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BUILD [BUILD]]",
            autocompletion=offers.run,
            show_default=False,
            help="An ELF file, a configuration, a run or a commit; two: the difference.",
        ),
    ] = None,
    board: BoardOption = None,
    suite: SuiteOption = "latency",
    conf: ConfOption = None,
    sample: Annotated[
        str, typer.Option("--sample", metavar="S", help="typical, first, worst or a number.")
    ] = "typical",
    whole: Annotated[bool, typer.Option("--whole", help="The floor's instructions too.")] = False,
    json: JsonFileOption = None,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show where each cycle of a row went; or decode a figure."""
    request = Request(
        row=row, builds=tuple(builds or ()), board=board, suite=suite, conf=words(conf),
        sample=sample, whole=whole,
    )  # fmt: skip
    raise typer.Exit(explain(request, json, quiet, Store(store)))


@dataclass(frozen=True, slots=True)
class Request:
    """What to explain: a row of a suite, in no, one or two builds of it."""

    row: str
    builds: tuple[str, ...] = ()
    board: str | None = None
    suite: str = "latency"
    conf: tuple[str, ...] = ()
    sample: str = TYPICAL
    whole: bool = False


def explain(request: Request, json_file: str | None, quiet: bool, store: Store) -> int:
    """Explain a row's figure; return 0, or raise FoliotError where it can't be explained."""
    if len(request.builds) > 2:
        raise UsageError("explain takes a row and at most two builds or runs")
    meant = [_meant(name, request.suite, store) for name in request.builds] or [""]
    foreign = [one for one in meant if isinstance(one, Chosen) and one.run.published]
    if foreign and len(meant) > 1:
        raise UsageError(f"{foreign[0].name} can't be run: explain it by itself")
    if foreign:
        _explain_imported(request.row, foreign[0], json_file)
        return 0
    board = boards.load(request.board or _board_of(meant) or boards.default())
    check_board(board)
    _check_row(request)
    progress = Progress(quiet)
    provision.prepare(board, progress)
    samples = [_sample(request, one, board, progress) for one in meant]
    if len(samples) == 2:
        _print_difference(request.builds, samples, json_file)
        return 0
    floor = _floor(request, board, progress)
    if json_file is not None:
        output.write_json(json_file, show.as_json(samples[0], floor))
    if json_file != output.STDOUT:
        show.print_sample(samples[0], floor, console(), request.whole)
    return 0


def _check_row(request: Request) -> None:
    """Refuse a row that the latency suite has not, before anything is built."""
    known = [row.id for row in catalogue()]
    if request.suite == "latency" and request.row not in known:
        raise unknown("row", request.row, known, "foliot rows")


def _meant(name: str, suite: str, store: Store) -> Chosen | str:
    """Return the run that a word names; the word itself where it is a build, or may be one."""
    if Path(name).is_file() and not name.endswith(".json"):
        return name
    if name in images.configurations(images.application(suite)):
        return name
    try:
        return select_one(name, store)
    except UsageError:
        if name.partition("~")[0] == "last":
            raise
        return name


def _board_of(meant: Sequence[Chosen | str]) -> str | None:
    """Return the board of the first run that was named, which is what it is explained on."""
    return next((one.run.header.board for one in meant if isinstance(one, Chosen)), None)


def _explain_imported(row: str, chosen: Chosen, json_file: str | None) -> None:
    if json_file is not None:
        output.write_json(json_file, imported.as_json(row, chosen))
    if json_file != output.STDOUT:
        imported.print_reasoning(row, chosen, console())


def _sample(request: Request, one: Chosen | str, board: Board, progress: Progress) -> Sample:
    if isinstance(one, Chosen):
        elf = images.image_of(one.run, board, progress)
    else:
        elf = images.image(one, board, request.suite, request.conf, progress)
    return cut(trace(board, elf, progress), request.row, request.sample)


def _floor(request: Request, board: Board, progress: Progress) -> Sample | None:
    """Return the floor's sample of the same row; None where the floor has no such row."""
    known = suites.names()
    if suites.FLOOR not in known or request.suite not in known or request.suite == suites.FLOOR:
        return None
    elf = images.image("", board, suites.FLOOR, (), progress)
    traced = trace(board, elf, progress)
    return cut(traced, request.row) if traced.run.row(request.row) else None


def _print_difference(
    names: Sequence[str], samples: Sequence[Sample], json_file: str | None
) -> None:
    if json_file is not None:
        output.write_json(json_file, difference.as_json(names, samples))
    if json_file != output.STDOUT:
        difference.print_difference(names, samples, console())
