# SPDX-License-Identifier: Apache-2.0
"""The one pass over a document: what kind it is, and which reader each line belongs to."""

from __future__ import annotations

import codecs
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NoReturn

from foliot.importers.clean import Cleaner, is_binary
from foliot.importers.headings import Headings
from foliot.importers.html_text import as_markdown
from foliot.importers.pages import Tables, complete
from foliot.importers.registry import TABLES, CsvFormat, LineReader, formats
from foliot.importers.utf16 import encoding_of
from foliot.model.errors import LogError, NoRow, OnlyRefused, UsageError, nearest_path
from foliot.model.run import Refused, Run

_BLOCK = 1 << 20
_HEAD = 1 << 16
_LONGEST_LINE = 4 << 20
_LONGEST_TABLE = 1 << 18
_LONGEST_PAGE = 200
_LONGEST_WHOLE = 32 << 20
_PAGE = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<(?:!doctype html|html)\b", re.I)
_PACKED = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # of today's offices and of old ones
_JSON = re.compile(rb"\s*(?:\{\s*\"|\[\s*[\[{\]])")


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
        raise UsageError(f"{path}: there is no such file{nearest_path(path)}")
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
        self.cleaned = Cleaner()
        self.notes: list[str] = []
        self._headings = Headings()
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
        encoding = encoding_of(head)
        if encoding:
            blocks = _recoded(head, stream, encoding)
        else:
            blocks = itertools.chain([head.removeprefix(codecs.BOM_UTF8)], _blocks(stream))
        head = next(blocks)
        if not encoding and is_binary(head):
            if head.startswith(_PACKED):
                raise LogError("a workbook or an archive, not a log", "save its sheet as CSV")
            raise LogError("a binary file, not a log")
        is_json = _JSON.match(head) is not None
        csv = _csv_format(head.decode("utf-8", "replace"))
        if is_json or csv is not None:
            head = _joined(head, blocks)
            runs = self._whole(head, csv)
            if runs is not None:
                yield from runs
                return
        elif _PAGE.match(head):
            head = as_markdown(_joined(head, blocks).decode("utf-8", "replace")).encode()
        yield from self._text(itertools.chain([head], blocks))

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
            text, rest = _whole_lines(rest + piece)
            if text:
                self._take(self.cleaned.clean(text))
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
            self._take(self.cleaned.clean(rest))
        self._end()
        waiting += self._collected()
        yield from self._completed(waiting) if self._is_page else waiting
        yield from self._others

    def _completed(self, runs: list[Run]) -> list[Run]:
        """Return a page's runs with what its tables say, and name the tables that say nothing."""
        page = complete(runs, self._tables.tables, self._headings.segments)
        for table in page.strange if runs else ():
            head = " | ".join(table.head)
            self.notes.append(f"the table in lines {table.first} to {table.last} ({head[:60]}) is "
                              "none of devices, and sums up no rows: not read")  # fmt: skip
        if page.absent:
            self.notes.append(f"no log of {', '.join(page.absent)}, which the page's table names")
        return page.runs

    @property
    def refused(self) -> list[Refused]:
        """The lines that look like rows and were not taken, in their order."""
        found = [one for reader in self._readers for one in reader.refused]
        return sorted(found, key=lambda one: one.line)

    @property
    def joined(self) -> int:
        """How many rows had been broken into lines."""
        return sum(reader.joined for reader in self._readers)

    @property
    def repeated(self) -> int:
        """How many rows stood there once more, and were taken once."""
        return sum(reader.repeated for reader in self._readers)

    def _take(self, block: bytes) -> None:
        """Hand each line of a block to the reader that it belongs to.

        A hundred megabytes are a million lines, most of which are nobody's: words are looked
        for in the block as a whole, and only lines that hold one are looked at.
        """
        marked = _lines_with(self._marks, block)
        ended = [(mark, ends) for mark, ends in self._marks_with_end if mark in block]
        begins = tuple(self._beginners)
        number = self.lines
        lines = block.split(b"\n")
        if not lines[-1]:
            lines.pop()
        start = end = 0
        for raw in lines:
            number += 1
            start, end = end, end + len(raw) + 1
            if self._inside is not None or raw.startswith(begins):
                self._feed_raw(raw, number)
                continue
            line = raw.rstrip()
            if start in marked:
                taken = self._ask(line, number)
            else:
                for mark, ends in ended:
                    if mark in line and line[-1] in ends:
                        taken = self._ask(line, number)
                        break
                else:
                    taken = self._pass_by(line, number) if self._table or self._watching else False
            if line and not taken and not line.isdigit():  # a page may number its empty lines
                self.skipped += 1
                self._headings.say(line)
        self.lines = number

    def _feed_raw(self, raw: bytes, number: int) -> None:
        """Feed a line to the reader whose block it is in, or begins."""
        reader = self._inside
        if reader is None:
            reader = next(self._beginners[mark] for mark in self._beginners if raw.startswith(mark))
        reader.feed(raw, number, self._headings.current())
        self._headings.taken(number)
        self._inside = reader if reader.reading else None

    def _ask(self, line: bytes, number: int) -> bool:
        """Take a line that may be somebody's; True where it was, or is part of a table."""
        if self._offer(self._before, line, number):
            return True
        if b"|" in line or b"+-" in line:
            self._in_table(line, number)
            return True
        if self._table:
            self._close_table(number - 1)
        return self._offer(self._after, line, number)

    def _offer(self, readers: list[LineReader], line: bytes, number: int) -> bool:
        """Show a line to readers until one takes it: True where one did."""
        heading = self._headings.current()
        taken = False
        for reader in readers:
            if reader.feed(line, number, heading):
                if reader.reading:
                    self._inside = reader
                self._headings.taken(number)
                taken = True
                break
        self._watching = [reader for reader in self._readers if reader.watching]
        return taken

    def _pass_by(self, line: bytes, number: int) -> bool:
        """Take a line with nobody's words: it ends a table; some readers see it all the same."""
        if self._table:
            self._close_table(number - 1)
        heading = self._headings.current() if self._watching else b""
        taken = [reader.feed(line, number, heading) for reader in self._watching]
        if any(taken):
            self._headings.taken(number)
        self._watching = [reader for reader in self._watching if reader.watching]
        return any(taken)

    def _in_table(self, line: bytes, number: int) -> None:
        if not self._table:
            self._table_first = number
        if len(self._table) < _LONGEST_TABLE:
            self._table += line + b"\n"
        if self._is_page:
            self._tables.feed(line.decode("utf-8", "replace"), number)
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
        if self.refused:
            first = self.refused[0]
            count = len(self.refused) + sum(one.more for one in self.refused)
            raise OnlyRefused(f"{self.source}: no row was taken, {count} refused: line "
                              f"{first.line}: {first.reason}", first.text)  # fmt: skip
        words = [re.split(r"[\s.(]|'s", name)[0] for name in formats().names()]
        tools = {word.lower(): word for word in reversed(words)}  # the first way to write each
        tried = f"{', '.join(reversed(tools.values()))}; --columns reads any table"
        raise NoRow(f"{self.source}: no row in {self.lines} lines", f"tried: {tried}")


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


def _lines_with(marks: Iterable[bytes], block: bytes) -> set[int]:
    """Return where the lines begin that hold one of the marks."""
    found = set()
    for mark in marks:
        place = block.find(mark)
        while place >= 0:
            found.add(block.rfind(b"\n", 0, place) + 1)
            end = block.find(b"\n", place)
            place = block.find(mark, end) if end >= 0 else -1
    return found


def _whole_lines(block: bytes) -> tuple[bytes, bytes]:
    """Divide a block behind the last line in it that is whole: CR alone ends lines too."""
    end = block.rfind(b"\n") + 1
    if not end:
        # The last byte may be half of CR LF.
        end = max(block.rfind(b"\r", 0, -1) + 1, block.lower().rfind(b"<br"), 0)
    return block[:end], block[end:]


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block


def _joined(head: bytes, blocks: Iterator[bytes]) -> bytes:
    """Return a document whole, or its first megabytes."""
    parts = [head]
    size = len(head)
    while size < _LONGEST_WHOLE and (block := next(blocks, b"")):
        parts.append(block)
        size += len(block)
    return b"".join(parts)


def _recoded(head: bytes, stream: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Yield a document in UTF-16 (a Windows terminal's) as UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    for block in itertools.chain([head[2 * head.startswith(marks) :]], _blocks(stream)):
        yield decoder.decode(block).encode("utf-8", "replace")
