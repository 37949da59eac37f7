# SPDX-License-Identifier: Apache-2.0
"""Anybody's table for `foliot import`: columns said, or guessed, shown and confirmed.

A guess that was wrong would be in the store for good, so nothing is recorded on a guess alone: on a
terminal one is asked, elsewhere --yes or --columns has to say so. Where nobody was asked, what
is left out of the table's figures is reported, and makes the exit status 3.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from foliot.importers import written
from foliot.importers.plain_table import LONGEST, Table, decoded, tables
from foliot.importers.table_columns import (
    Columns,
    described,
    guessed,
    left_out,
    runs_of,
    said,
    upright,
    with_writings,
    without_unit,
)
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.model.run import Run


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the user says of a table; `number` counts a page's tables from 1, 0 is any."""

    columns: str = ""
    unit: str = ""
    number: int = 0
    yes: bool = False
    decimal: str = ""
    thousands: str = ""

    @property
    def given(self) -> bool:
        """Whether the file is a table because the user says so."""
        return bool(self.columns or self.number)


@dataclass(frozen=True, slots=True)
class OfTable:
    """The runs of a table, and what of its figures was left out, where nobody was asked."""

    runs: Sequence[Run]
    left_out: Sequence[str] = field(default_factory=tuple)


def table_runs(
    stream: BinaryIO, source: str, options: TableOptions, nothing: LogError | None = None
) -> OfTable:
    """Return the runs of a table that the user named the columns of, or confirmed the guess of.

    `nothing` is raised where there is no table either. Leaves the stream at its beginning.
    """
    likely = written.said(options.decimal, options.thousands)
    stream.seek(0)
    content = stream.read(LONGEST + 1)
    stream.seek(0)
    try:
        found = tables(decoded(content)) if len(content) <= LONGEST else []
    except LogError as error:
        raise nothing or LogError(f"{source}: {error.message}") from None
    table, columns = _chosen(found, source, options, nothing)
    missing = without_unit(columns, table)
    if missing:
        raise UsageError(
            f"{source}: nobody says in what unit '{missing[0][:40]}' is",
            "add --unit cycles, insn, ns, us, ms, s or bytes",
        )
    columns, still = with_writings(columns, table, likely)
    for place, one in still.items():
        high, low = one.readings
        raise UsageError(
            f"{source}: nobody says what '{one.cell[:24]}' in '{table.head[place][:40]}' is: "
            f"{high:g} or {low:g}",
            "add --thousands , or --thousands . (or --decimal)",
        )
    runs = runs_of(table, columns, source)
    if not any(run.rows for run in runs):
        raise nothing or LogError(f"{source}: no figure in the table's {len(table.lines)} lines")
    if not options.columns and not options.yes:
        _confirm(source, [*described(table, columns, runs), *_more(found, options)])
        return OfTable(runs)
    return OfTable(runs, left_out(table, columns))


def _chosen(
    found: Sequence[Table], source: str, options: TableOptions, nothing: LogError | None
) -> tuple[Table, Columns]:
    """Return the table that is meant, and its columns."""
    if options.number:
        if not 1 <= options.number <= len(found):
            raise UsageError(f"{source}: there is no table {options.number}: it holds {len(found)}")
        found = [found[options.number - 1]]
    if options.columns:
        if not found:
            raise UsageError(f"{source}: no CSV file, and no table in Markdown, HTML or JSON")
        try:
            return found[0], said(options.columns, found[0], options.unit)
        except UsageError:
            turned = upright(found[0])
            if turned is found[0]:
                raise
            return turned, said(options.columns, turned, options.unit)
    for one in found:
        table = upright(one)
        columns = guessed(table, options.unit)
        if columns is not None:
            return table, columns
    raise nothing or LogError(f"{source}: no table whose columns can be guessed", _HOW)


_HOW = "name its columns: --columns name=COLUMN,value=COLUMN --unit UNIT"


def _more(found: Sequence[Table], options: TableOptions) -> list[str]:
    if len(found) < 2 or options.number:
        return []
    return [f"  one of {len(found)} tables: --table N takes another"]


def _confirm(source: str, lines: Sequence[str]) -> None:
    """Show what a table was taken for, and ask; FoliotError where the answer is no, or nobody's."""
    print(f"{source}: {lines[0]}", *lines[1:], sep="\n", file=sys.stderr)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise FoliotError(
            f"{source}: nothing was recorded: this is a guess", f"--yes takes it; or {_HOW}"
        )
    print("Record this? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise FoliotError(f"{source}: nothing was recorded", _HOW)
