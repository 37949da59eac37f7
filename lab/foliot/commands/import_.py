# SPDX-License-Identifier: Apache-2.0
"""`foliot import`: other people's logs and pages into the store, and what is wrong with them."""

from __future__ import annotations

import contextlib
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, BinaryIO, cast

import typer

from foliot.commands.options import QuietOption, StoreOption
from foliot.importers.document import Reader
from foliot.importers.table_asked import OfTable, TableOptions, table_runs
from foliot.judge.doubts import examine_saved
from foliot.model.errors import FoliotError, NoRow, OnlyRefused, UsageError, nearest_path
from foliot.model.names import counted, slug
from foliot.model.run import Run
from foliot.show import terminal
from foliot.show.table import doubt_lines
from foliot.store.sqlite import Store
from foliot.store.writer import Recording

STDIN = "-"
_SHOWN = 40
_TOLD = 10
_IN_MEMORY = 8 << 20
_LEFT_OUT = 3


def command(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="- is stdin.")],
    name: Annotated[
        str | None, typer.Option("--name", "-n", metavar="NAME", help="What to call its runs.")
    ] = None,
    board: Annotated[
        str | None, typer.Option("--board", "-b", metavar="BOARD", help="What they ran on.")
    ] = None,
    columns: Annotated[
        str, typer.Option(metavar="ROLE=COLUMN,...", help="Of a table: name=..., value=...")
    ] = "",
    unit: Annotated[str, typer.Option(metavar="UNIT", help="Of a table's figures.")] = "",
    number: Annotated[int, typer.Option("--table", metavar="N", help="Which of a page's.")] = 0,
    decimal: Annotated[
        str, typer.Option(metavar="MARK", help="Of a table: before the fraction, . or ,")
    ] = "",
    thousands: Annotated[
        str, typer.Option(metavar="MARK", help="Of a table: between thousands; or none.")
    ] = "",
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Take a table as guessed; 3 if not all of it.")
    ] = False,
    store: StoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Record other people's logs and pages; decode what is wrong with them."""
    as_table = TableOptions(columns, unit, number, yes, decimal, thousands)
    raise typer.Exit(import_files(files, name, board, Store(store), quiet, as_table))


@dataclass(frozen=True, slots=True)
class _Imported:
    """A run as it was recorded: under which name and id."""

    name: str
    id: str
    run: Run


def import_files(
    files: Sequence[str],
    name: str | None,
    board: str | None,
    store: Store,
    quiet: bool,
    as_table: TableOptions | None = None,
) -> int:
    """Import each file (`-` is standard input), all of its runs or none; return 1 if one failed.

    Returns 3 where all were imported, but for figures of tables that nobody was asked about.

    `name` is what the document will be called, `board` what its runs were measured on,
    where it doesn't say so itself. Raises FoliotError where there is but one file, and bad.
    """
    if name is not None and (slug(name) != name.lower() or not name):
        raise UsageError(f"'{name}' is no name: letters, digits, '.', '_' and '+', without spaces")
    if name is not None and len(files) > 1:
        raise UsageError("--name is for one file")
    progress = terminal.Progress(quiet)
    failed = left = 0
    for file in files:
        try:
            with _opened(file) as (stream, source):
                called, table = name or _name_of(source), as_table or TableOptions()
                found = table_runs(stream, source, table) if table.given else None
                try:
                    _import(stream, source, called, board, store, progress, found)
                except NoRow as nothing:
                    found = _as_table(stream, source, table, nothing)
                    _import(stream, source, called, board, store, terminal.Progress(True), found)
                left += len(found.left_out) if found else 0
        except FoliotError as error:
            if len(files) == 1:
                raise
            failed += 1
            print(f"foliot: {error.message}", file=sys.stderr)
            if error.advice:
                print(f"  {error.advice}", file=sys.stderr)
    return 1 if failed else _LEFT_OUT if left else 0


def _as_table(stream: BinaryIO, source: str, table: TableOptions, nothing: NoRow) -> OfTable:
    """Read what holds no row as anybody's table; say what rows lack where it is none either."""
    try:
        return table_runs(stream, source, table, nothing)
    except UsageError:
        if isinstance(nothing, OnlyRefused):
            raise nothing from None
        raise


@contextlib.contextmanager
def _opened(file: str) -> Iterator[tuple[BinaryIO, str]]:
    """Open a file, or keep what comes from standard input or a pipe: its log is read twice."""
    if file == STDIN:
        with _saved(sys.stdin.buffer) as kept:
            yield kept, "stdin"
        return
    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{file} is a directory: name the files in it")
    try:
        stream = path.open("rb")
    except OSError as error:
        near = nearest_path(path) if isinstance(error, FileNotFoundError) else ""
        raise UsageError(f"{file}: {error.strerror}{near}") from None
    with stream:
        if stream.seekable():
            yield stream, path.name
            return
        with _saved(stream) as kept:  # `foliot import <(...)`
            yield kept, "pipe"


@contextlib.contextmanager
def _saved(stream: BinaryIO) -> Iterator[BinaryIO]:
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as kept:
        while block := stream.read(1 << 20):
            kept.write(block)
        kept.seek(0)
        yield cast(BinaryIO, kept)


def _import(
    stream: BinaryIO,
    source: str,
    name: str,
    board: str | None,
    store: Store,
    progress: terminal.Progress,
    of_table: OfTable | None = None,
) -> None:
    reader = Reader(source)
    shown: list[_Imported] = []
    with Recording(store, "import", source) as recording, progress.task(f"Importing {source}"):
        names = _Names(name)
        rows = 0
        for run in of_table.runs if of_table else reader.read(stream):
            if board is not None:
                run = replace(run, header=replace(run.header, board=board))  # noqa: PLW2901
            rows += len(run.rows)
            run_name = names.of(run)
            run_id = recording.add(run, run_name)
            if len(shown) < _SHOWN:
                shown.append(_Imported(run_name, run_id, run))
        if recording.count == 1:
            recording.rename(name)
            shown = [replace(shown[0], name=name)]
        stream.seek(0)
        recording.keep(stream)
    counts = f"{counted(recording.count, 'run')}, {counted(rows, 'row')}"
    lines = f"; {reader.skipped} of {reader.lines} lines were none" if of_table is None else ""
    print(f"{source}: {counts}{lines}")
    if recording.again:
        print("  the same log was on record before: it is there twice now, see `foliot runs`")
    for line in _of_document(reader):
        print(f"  {line}")
    _tell_left_out(source, of_table)
    for imported in shown:
        for line in _reported(imported):
            print(line)
    if recording.count > len(shown):
        print(f"  and {recording.count - len(shown)} more: see `foliot runs {name}`")


def _tell_left_out(source: str, of_table: OfTable | None) -> None:
    for told in of_table.left_out if of_table else ():
        lines = textwrap.wrap(f"foliot: {source}: left out: {told}", terminal.result_width(),
                              subsequent_indent="  ")  # fmt: skip
        print(*lines, sep="\n", file=sys.stderr)


def _of_document(reader: Reader) -> list[str]:
    """Say what was cleaned, joined and refused, and what was not understood."""
    lines = []
    if reader.cleaned.counts:
        told = ", ".join(f"{count} {what}" for what, count in reader.cleaned.counts.items())
        lines.append(f"cleaned: {told}")
    if reader.joined:
        lines.append(f"joined: {counted(reader.joined, 'row')} that had been broken into lines")
    if reader.repeated:
        lines.append(f"taken once: {counted(reader.repeated, 'row')} that stood there again")
    refused = reader.refused
    lines += [f"REFUSED line {one.line}: {one.reason}: {one.text[:60]}" for one in refused[:_TOLD]]
    count = len(refused) + sum(one.more for one in refused)
    if count > _TOLD:
        lines.append(f"REFUSED: {count} lines in all look like rows and were not taken")
    lines += reader.notes[:_TOLD]
    if len(reader.notes) > _TOLD:
        lines.append(f"and {len(reader.notes) - _TOLD} more tables that were not read")
    return [line for text in lines for line in textwrap.wrap(text, terminal.result_width() - 2)]


class _Names:
    """Gives each run of a document a name of its own: its board, or its configuration."""

    def __init__(self, document: str) -> None:
        self.document = document
        self._given: dict[str, int] = {}

    def of(self, run: Run) -> str:
        header = run.header
        known = [] if header.board == "unnamed" else [header.board]
        if header.configuration not in (("default",), ("performance",)) or not known:
            known += header.configuration
        if header.unit in ("insn", "tsc") and run.origin.kernel == "L4Re":
            known.append(header.unit)
        name = "-".join(known)
        count = self._given[name] = self._given.get(name, 0) + 1
        return f"{self.document}/{name}" + (f"-{count}" if count > 1 else "")


def _name_of(source: str) -> str:
    return slug(source.rpartition(".")[0] or source) or "imported"


def _reported(imported: _Imported) -> list[str]:
    """Say in some lines what a run is, and everything that is doubtful about it."""
    run = imported.run
    header, origin = run.header, run.origin
    kernel = " ".join(filter(None, (origin.kernel, origin.kernel_version)))
    facts = [f"{counted(len(run.rows), 'row')} in {header.unit}", kernel, *header.configuration]
    clock = header.clock_measured_hz or header.clock_hz
    if clock:
        facts.append(f"{clock / 1e6:g} MHz")
    if facts[2:3] == ["default"]:
        del facts[2]
    told = [f"{imported.name} ({imported.id[:8]}): {', '.join(filter(None, facts))}"]
    told += [f"FAILED {failure.id}: {failure.reason}" for failure in run.failures]
    width = terminal.result_width()
    lines = [
        line for one in told
        for line in textwrap.wrap(one, width, initial_indent="  ", subsequent_indent="    ")
    ]  # fmt: skip
    doubts = examine_saved(run).doubts
    return lines + (
        [f"    {line}" for line in doubt_lines(doubts, terminal.result_width() - 4)[1:]]
        if doubts
        else []
    )
