# SPDX-License-Identifier: Apache-2.0
"""The one pass over a document: what kind it is, and which reader each line belongs to."""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

from foliot.importers import json_files
from foliot.importers.foliot_log import OwnLogs
from foliot.importers.pages import Tables, complete
from foliot.importers.sel4bench import L4ReBench, Sel4Blocks, l4re_table
from foliot.importers.thread_metric import KernelPerf, ThreadMetric
from foliot.importers.zephyr import ZephyrRows
from foliot.model.errors import LogError
from foliot.model.run import Run

_BLOCK = 1 << 20
_HEAD = 1 << 16
_LONGEST_LINE = 4 << 20
_LONGEST_TABLE = 1 << 18
_LONGEST_HEADING = 200
_LONGEST_PAGE = 200
# The words without which a line is nobody's, but for CSV's rows.
_MARKS = (
    b" cycles", b" insn", b"|", b"+-", b"PROJECT EX", b"ooting", b"BOOTING", b"FAILED",
    b"Clock freq", b"JSON OUT", b"-Metric", b"Time Period", b"ERROR:", b"IPC", b"yscall", b"ntel",
    b"AMD", b"KernelPerf", b"*** Foliot ",
)  # fmt: skip
_ENDS_OF_CSV = b",0123456789"
_COLOURS = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")
_JSON = re.compile(rb"\s*(?:\{\s*\"|\[\s*[\[{\]])")
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


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
        self._own = OwnLogs(source)
        self._zephyr = ZephyrRows(source)
        self._sel4 = Sel4Blocks(source)
        self._l4re = L4ReBench(source)
        self._metric = ThreadMetric(source)
        self._kernelperf = KernelPerf(source)
        self._tables = Tables()
        self._is_page = True
        self._rare = False
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
        if is_json or json_files.is_recording(head.decode("utf-8", "replace")):
            whole = head + stream.read(json_files.LONGEST)
            runs = self._whole(whole, is_json)
            if runs is not None:
                yield from runs
                return
            yield from self._text(itertools.chain([whole], _blocks(stream)))
            return
        yield from self._text(itertools.chain([head], _blocks(stream)))

    def _whole(self, content: bytes, is_json: bool) -> list[Run] | None:
        """Read a document that is one JSON value or one CSV table; None where it is neither."""
        text = content.decode("utf-8", "replace")
        if is_json:
            runs = json_files.runs_of_json(text, self.source)
        else:
            runs = json_files.runs_of_recording(text.lstrip("\ufeff").splitlines(), self.source)
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
        own, sel4 = self._own, self._sel4
        marks = [mark for mark in _MARKS if mark in block]
        coloured = b"\x1b" in block
        number = self.lines
        inside = own.reading or sel4.reading
        for raw in lines:
            number += 1
            if inside or raw.startswith(b"@foliot "):
                (sel4 if sel4.reading else own).feed(raw, number)
                inside = own.reading or sel4.reading
                continue
            line = (_COLOURS.sub(b"", raw) if coloured else raw).rstrip()
            for mark in marks:
                if mark in line:
                    worth = self._worth(line, number)
                    inside = sel4.reading
                    break
            else:
                csv = b" - " in line and line[-1] in _ENDS_OF_CSV
                worth = (csv or self._rare) and self._worth(line, number)
                if self._table and not worth:
                    self._close_table(number - 1)
            if line and not worth and not line.isdigit():  # a page may number its empty lines
                self.skipped += 1
                if len(line) < _LONGEST_HEADING and b"====" not in line:
                    self._heading = line
        self.lines = number

    def _worth(self, line: bytes, number: int) -> bool:
        """Take a line that may be somebody's; True where it was, or is part of a table."""
        if self._zephyr.feed(line, number, self._heading):
            return True
        if b"done " in line and self._l4re.feed(line):
            return True
        if b"|" in line or b"+-" in line:
            self._in_table(line, number)
            return True
        if self._table:
            self._close_table(number - 1)
        if b"JSON OUTPUT" in line:
            return self._sel4.feed(line, number)
        if self._rare or b"KernelPerf" in line:
            self._kernelperf.feed(line)
            self._rare = True
        return self._metric.feed(line) or self._l4re.feed(line)

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
        self._others += l4re_table(text, self.source, (self._table_first, last))
        self._table = b""

    def _end(self) -> None:
        """Close what is open; LogError where a log of ours, or a block, was cut off."""
        self._own.end(self.lines)
        self._sel4.end()
        if self._table:
            self._close_table(self.lines)
        self._tables.close()
        self._zephyr.end(True)
        self._metric.end()
        self._l4re.end()
        self.skipped -= self._kernelperf.end()
        for reader in (self._sel4, self._l4re, self._metric, self._kernelperf):
            self._others += reader.done

    def _collected(self) -> list[Run]:
        """Take the runs that are complete, in their order in the document."""
        found = [*self._own.done, *self._zephyr.done]
        self._own.done, self._zephyr.done = [], []
        return sorted(found, key=lambda run: run.origin.lines or (0, 0))

    def _no_row(self) -> NoReturn:
        readers = (OwnLogs, ZephyrRows, Sel4Blocks, L4ReBench, ThreadMetric, KernelPerf)
        names = [reader.name for reader in readers]
        tried = dict.fromkeys([*names, "L4Re's table", *json_files.NAMES, json_files.CSV_NAME])
        raise LogError(f"{self.source}: no row in {self.lines} lines", f"tried: {', '.join(tried)}")


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block


def _recoded(head: bytes, stream: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Yield a document in UTF-16 (a Windows terminal's) as UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for block in itertools.chain([head[2:]], _blocks(stream)):
        yield decoder.decode(block).encode("utf-8", "replace")
