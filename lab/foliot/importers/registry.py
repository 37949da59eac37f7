# SPDX-License-Identifier: Apache-2.0
"""The formats, each registered by its own file: who reads what, and in which order.

A file of this directory that defines a format is found by being there. There are three
kinds of format. Most are read line by line (`LineReader`): a log, whatever else is in it.
Some are a whole JSON value or CSV file (`json_format`, `csv_format`). And some are a table
within a page (`table_format`).

The order is a number that each reader of lines has, `asked`, so that two that could take
the same line are no accident of names; tables are asked at TABLES. Rejected: a list of all
formats, which every new one would have to enter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from foliot.model.discovery import import_all
from foliot.model.run import Refused, Run

# Readers of lines that are asked before this see a table's lines too, the others don't.
TABLES = 50


class LineReader(ABC):
    """A format that is read line by line: made anew for each document, fed until its end.

    A hundred megabytes are a million lines, most of which are nobody's. So a reader is only
    shown lines that hold one of the `marks` of any reader, or hold a word and end with one of
    the bytes of `marks_with_end`; whether the line is its own, `feed` says.
    """

    name: ClassVar[str]  # in messages
    asked: ClassVar[int]  # in ascending order
    marks: ClassVar[tuple[bytes, ...]] = ()
    marks_with_end: ClassVar[tuple[tuple[bytes, bytes], ...]] = ()
    begins: ClassVar[bytes] = b""  # only a line that begins so is its first: fed as it came
    in_pages: ClassVar[bool] = False  # its runs are those that a page's tables tell more of

    def __init__(self, source: str) -> None:
        """Begin with nothing read of the document called `source`."""
        self.source = source
        self.done: list[Run] = []  # runs that are complete
        self.late = 0  # lines that were taken for none, and turned out to be rows at the end
        self.joined = 0  # rows that had been broken into lines, and were put together
        self.repeated = 0  # rows that stood there once more
        self.refused: list[Refused] = []  # lines that look like rows, and were not taken
        self.reading = False  # True: inside of a block, feed it every line as it came
        self.watching = False  # True: show it every line that nobody else takes

    @abstractmethod
    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line if it is one of this format's: True. LogError where it is a bad one.

        `number` is the line's, `heading` the last text before it that was nobody's.
        """

    @abstractmethod
    def end(self, number: int) -> None:
        """Close what is open after the last line, `number`; LogError where it was cut off."""


JsonRead = Callable[[Any, str], Iterable[Run] | None]
CsvRead = Callable[[Sequence[str], str], list[Run]]
TableRead = Callable[[str, str, tuple[int, int]], list[Run]]


@dataclass(frozen=True, slots=True)
class JsonFormat:
    """A file that is one JSON value; `read` returns its runs, None where it is another's."""

    name: str
    read: JsonRead


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """A CSV file whose first line has these columns; `read` takes all of its lines."""

    name: str
    columns: frozenset[str]
    read: CsvRead


@dataclass(frozen=True, slots=True)
class TableFormat:
    """A table in a page; `read` takes its text, and its first and last line's numbers."""

    name: str
    read: TableRead


@dataclass(frozen=True, slots=True)
class Formats:
    """All formats there are, those that are read line by line in the order of asking."""

    lines: list[type[LineReader]]
    json: list[JsonFormat]
    csv: list[CsvFormat]
    tables: list[TableFormat]

    def names(self) -> list[str]:
        """Return the names for messages; a format that comes in two ways is named once."""
        names = [reader.name for reader in self.lines]
        names += [kind.name for kinds in (self.tables, self.json, self.csv) for kind in kinds]
        return list(dict.fromkeys(names))


_FORMATS = Formats([], [], [], [])


def line_format(reader: type[LineReader]) -> type[LineReader]:
    """Register a reader of lines."""
    _FORMATS.lines.append(reader)
    return reader


def json_format(name: str) -> Callable[[JsonRead], JsonRead]:
    """Register a function that reads a JSON value, by its format's name."""

    def register(read: JsonRead) -> JsonRead:
        _FORMATS.json.append(JsonFormat(name, read))
        return read

    return register


def csv_format(name: str, columns: Iterable[str]) -> Callable[[CsvRead], CsvRead]:
    """Register a function that reads a CSV file with those columns."""

    def register(read: CsvRead) -> CsvRead:
        _FORMATS.csv.append(CsvFormat(name, frozenset(columns), read))
        return read

    return register


def table_format(name: str) -> Callable[[TableRead], TableRead]:
    """Register a function that reads a table of a page."""

    def register(read: TableRead) -> TableRead:
        _FORMATS.tables.append(TableFormat(name, read))
        return read

    return register


@cache
def formats() -> Formats:
    """Return all formats; their files, which are all in this directory, are imported now."""
    import_all(__name__.rpartition(".")[0])
    _FORMATS.lines.sort(key=lambda reader: reader.asked)
    return _FORMATS
