# SPDX-License-Identifier: Apache-2.0
"""The one pass over a document: what kind it is, and which reader each line belongs to."""

from __future__ import annotations

import codecs
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NoReturn

from foliot.importers.pages import Tables, complete
from foliot.importers.registry import TABLES, CsvFormat, LineReader, formats
from foliot.model.errors import LogError, UsageError
from foliot.model.run import Run

_BLOCK = 1 << 20
_HEAD = 1 << 16
_LONGEST_LINE = 4 << 20
_LONGEST_TABLE = 1 << 18
_LONGEST_HEADING = 200
_LONGEST_PAGE = 200
_LONGEST_WHOLE = 32 << 20
_COLOURS = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")
_JSON = re.compile(rb"\s*(?:\{\s*\"|\[\s*[\[{\]])")
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(slots=True)
class Reading:
    """What came of reading a document: its runs, and how many of its lines were no rows."""

    runs: list[Run] = field(default_factory=list)
    lines: int = 0
    skipped: int = 0


def read_file(path: Path) -> Reading:
    """Read one document whole; FoliotError says what is wrong with it."""
    if path.is_dir():
        raise UsageError(f"{path} is a directory: name the files in it")
    if not path.exists():
        raise UsageError(f"{path}: there is no such file")
    with path.open("rb") as stream:
        reader = Reader(path.name)
        runs = list(reader.read(stream))
    return Reading(runs, reader.lines, reader.skipped)


class Reader:
    """Reads one document; `lines` and `skipped` count as it goes.

    `skipped` is the lines that are neither empty nor a part of any result.
    """

    def __init__(self, source: str) -> None:
        """Read what is called `source` in messages and in the runs' origin."""
        self.source = source
        self.lines = 0
        self.skipped = 0
        self._heading = b""
        self._table = b""
        self._table_first = 0
        self._readers = [reader(source) for reader in formats().lines]
        asked = [reader for reader in self._readers if not reader.begins]
        self._before = [reader for reader in asked if reader.asked < TABLES]
        self._after = [reader for reader in asked if reader.asked >= TABLES]
        marks = [mark for reader in self._readers for mark in reader.marks]
        self._marks = tuple(dict.fromkeys([*marks, b"|", b"+-"]))
        self._marks_with_end = [pair for reader in self._readers for pair in reader.marks_with_end]
        self._beginners = {reader.begins: reader for reader in self._readers if reader.begins}
        self._inside: LineReader | None = None
        self._watching: list[LineReader] = []
        self._tables = Tables()
        self._is_page = True
        self._others: list[Run] = []

    def read(self, stream: BinaryIO) -> Iterator[Run]:
        """Yield the runs of a document; LogError where it is none, or a bad one.

        No run is yielded twice and none is taken back, but an error may come after runs.
        """
        try:
            found = False
            for run in self._read(stream):
                found = True
                yield run
        except LogError as error:
            raise LogError(f"{self.source}: {error.message}", error.advice) from None
        if not found:
            self._no_row()

    def _read(self, stream: BinaryIO) -> Iterator[Run]:
        head = stream.read(_HEAD)
        if not head:
            raise LogError("the file is empty")
        if head[:2] in _UTF16:
            yield from self._text(_recoded(head, stream, _UTF16[head[:2]]))
            return
        head = head.removeprefix(codecs.BOM_UTF8)
        if b"\0" in head:
            raise LogError("a binary file, not a log")
        is_json = _JSON.match(head) is not None
        csv = _csv_format(head.decode("utf-8", "replace"))
        if is_json or csv is not None:
            whole = head + stream.read(_LONGEST_WHOLE)
            runs = self._whole(whole, csv)
            if runs is not None:
                yield from runs
                return
            head = whole
        yield from self._text(itertools.chain([head], _blocks(stream)))

    def _whole(self, content: bytes, csv: CsvFormat | None) -> list[Run] | None:
        """Read a document that is one JSON value or one CSV file; None where it is neither."""
        text = content.decode("utf-8", "replace")
        if csv is not None:
            runs: list[Run] | None = csv.read(text.lstrip("\ufeff").splitlines(), self.source)
        else:
            runs = _runs_of_json(text, self.source)
        if runs is not None:
            self.lines = content.count(b"\n") + 1
        return runs

    def _text(self, blocks: Iterator[bytes]) -> Iterator[Run]:
        rest = b""
        waiting: list[Run] = []
        for piece in blocks:
            block = rest + piece
            *lines, rest = block.split(b"\n")
            self._take(lines, block)
            if len(rest) > _LONGEST_LINE:
                raise LogError(f"line {self.lines + 1} is longer than 4 MiB: not a log")
            waiting += self._collected()
            if len(waiting) > _LONGEST_PAGE:
                # Tables may stand anywhere in a page, so its runs wait for its end. A
                # document of so many runs is no page, and memory is bounded.
                self._is_page = False
                yield from waiting
                waiting = []
        if rest:
            self._take([rest], rest)
        self._end()
        waiting += self._collected()
        yield from complete(waiting, self._tables.tables) if self._is_page else waiting
        yield from self._others

    def _take(self, lines: list[bytes], block: bytes) -> None:
        """Hand each line of a block to the reader that it belongs to.

        A hundred megabytes are a million lines, most of which are nobody's: a word that
        the whole block doesn't hold is not looked for in its lines.
        """
        marks = [mark for mark in self._marks if mark in block]
        ended = [(mark, ends) for mark, ends in self._marks_with_end if mark in block]
        begins = tuple(self._beginners)
        coloured = b"\x1b" in block
        number = self.lines
        for raw in lines:
            number += 1
            if self._inside is not None or raw.startswith(begins):
                self._feed_raw(raw, number)
                continue
            line = (_COLOURS.sub(b"", raw) if coloured else raw).rstrip()
            for mark in marks:
                if mark in line:
                    taken = self._ask(line, number)
                    break
            else:
                for mark, ends in ended:
                    if mark in line and line[-1] in ends:
                        taken = self._ask(line, number)
                        break
                else:
                    taken = self._pass_by(line, number) if self._table or self._watching else False
            if line and not taken and not line.isdigit():  # a page may number its empty lines
                self.skipped += 1
                if len(line) < _LONGEST_HEADING and b"====" not in line:
                    self._heading = line
        self.lines = number

    def _feed_raw(self, raw: bytes, number: int) -> None:
        """Feed a line to the reader whose block it is in, or begins."""
        reader = self._inside
        if reader is None:
            reader = next(self._beginners[mark] for mark in self._beginners if raw.startswith(mark))
        reader.feed(raw, number, self._heading)
        self._inside = reader if reader.reading else None

    def _ask(self, line: bytes, number: int) -> bool:
        """Take a line that may be somebody's; True where it was, or is part of a table."""
        for reader in self._before:
            if reader.feed(line, number, self._heading):
                if reader.reading:
                    self._inside = reader
                return True
        if b"|" in line or b"+-" in line:
            self._in_table(line, number)
            return True
        if self._table:
            self._close_table(number - 1)
        for reader in self._after:
            if reader.feed(line, number, self._heading):
                if reader.reading:
                    self._inside = reader
                return True
        self._watching = [reader for reader in self._readers if reader.watching]
        return False

    def _pass_by(self, line: bytes, number: int) -> bool:
        """Take a line with nobody's words: it ends a table; some readers see it all the same."""
        if self._table:
            self._close_table(number - 1)
        taken = [reader.feed(line, number, self._heading) for reader in self._watching]
        return any(taken)

    def _in_table(self, line: bytes, number: int) -> None:
        if not self._table:
            self._table_first = number
        if len(self._table) < _LONGEST_TABLE:
            self._table += line + b"\n"
        if self._is_page:
            self._tables.feed(line.decode("utf-8", "replace"))
        self.skipped += 1

    def _close_table(self, last: int) -> None:
        self._tables.close()
        text = self._table.decode("utf-8", "replace")
        for table in formats().tables:
            self._others += table.read(text, self.source, (self._table_first, last))
        self._table = b""

    def _end(self) -> None:
        """Close what is open; LogError where a log of ours, or a block, was cut off."""
        for reader in self._readers:
            reader.end(self.lines)
            self.skipped -= reader.late
        if self._table:
            self._close_table(self.lines)
        self._tables.close()
        for reader in self._readers:
            if not reader.in_pages:
                self._others += reader.done

    def _collected(self) -> list[Run]:
        """Take the runs of a page that are complete, in their order in the document."""
        found = []
        for reader in self._readers:
            if reader.in_pages:
                found += reader.done
                reader.done = []
        return sorted(found, key=lambda run: run.origin.lines or (0, 0))

    def _no_row(self) -> NoReturn:
        tried = ", ".join(formats().names())
        raise LogError(f"{self.source}: no row in {self.lines} lines", f"tried: {tried}")


def _csv_format(head: str) -> CsvFormat | None:
    """Return the format of the CSV file that begins so; None where it is none."""
    first = head.lstrip("\ufeff").partition("\n")[0]
    columns = {name.strip().strip('"') for name in first.split(",")}
    return next((csv for csv in formats().csv if csv.columns <= columns), None)


def _runs_of_json(text: str, source: str) -> list[Run] | None:
    """Return the runs of a JSON file; None where it is not JSON, or of no kind known here."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    for kind in formats().json:
        runs = kind.read(value, source)
        if runs is not None:
            return list(runs)
    return None


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block


def _recoded(head: bytes, stream: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Yield a document in UTF-16 (a Windows terminal's) as UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for block in itertools.chain([head[2:]], _blocks(stream)):
        yield decoder.decode(block).encode("utf-8", "replace")
