# SPDX-License-Identifier: Apache-2.0
"""A table of anybody's, as text: CSV with whatever delimiter, Markdown, HTML, JSON, drawn lines.

Nothing is concluded here of what a column means; see table_columns.py. Markdown is read by
markdown-it, as GitHub reads it, HTML by the parser of Python's library (html_text.py), which
leaves Markdown; tables that a terminal or an editor draws (Org, psql, box characters) become
Markdown too; of other markup markup.py reads the rows. A CSV file may have lines above its head:
they are kept as what was said above it.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from foliot.importers import html_text, markup
from foliot.importers.numbers import LARGEST, MOST_ROWS
from foliot.importers.units import unit_of
from foliot.importers.utf16 import encoding_of
from foliot.importers.written import is_figure_like
from foliot.model.errors import LogError
from foliot.model.names import plain

LONGEST = 32 << 20
_DELIMITERS = ("\t", ";", ",")  # of two that fit, the rarer one within numbers
_DECIMAL = {";": ",", ",": "."}  # the mark that goes with a delimiter
_HTML, _ARRAY = "an HTML table", ("a JSON array", "the array")
_MOST_COLUMNS = 200
_MOST_SAID = 20
_LINES_OF_A_CELL = 5
_SAID = re.compile(r"\ufeff?sep=.", re.IGNORECASE)  # by which a spreadsheet says the delimiter
_SAMPLE = 200
_ESCAPED = re.compile(r"\\([\\|`*_])")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_BARS, _STROKES = "\u2502\u2503\u2551\u2506\u250a", "\u2500\u2501\u2550\u2504\u2508\u254c"
_RULE = re.compile(r"\s*[|+]?\s*:?-[-+|:\s]*")
# What a column of names is called, and any other.
NAMES = (
    "name", "id", "benchmark", "test", "operation", "op", "metric", "item", "row", "case",
    "function",
)  # fmt: skip
_HEADS = frozenset([
    *NAMES,
    "value", "result", "time", "latency", "min", "max", "mean", "avg", "average", "median", "p50",
    "p90", "p99", "unit", "board", "platform", "stddev", "samples", "n",
])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its head; `numbers` are the lines' in the file, `kind` is what it was.

    `decimal` is the mark before a fraction that goes with the file's form, "" where none does;
    `above` is what stood over the head.
    """

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    kind: str
    decimal: str = ""
    above: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """Return what `numbers` count: a page in HTML and a JSON value have rows and no lines."""
        return "row" if self.kind.startswith((_HTML, *_ARRAY)) else "line"

    def turned(self) -> Table:
        """Return the same table with lines for columns."""
        wide = len(self.head)
        padded = [line[:wide] + ("",) * (wide - len(line)) for line in self.lines]
        head, *lines = zip(self.head, *padded, strict=True)
        number = self.numbers[0] if self.numbers else 0
        return Table(head, tuple(lines), (number,) * len(lines), f"{self.kind} that lies on its "
                     "side", self.decimal, self.above)  # fmt: skip


def decoded(content: bytes) -> str:
    """Return a file's text: UTF-8, UTF-16, else what Windows wrote here for long."""
    encoding = encoding_of(content[: 1 << 16])
    if encoding:
        return content.decode(encoding, "replace").removeprefix("\ufeff")
    if b"\0" in content[:4096]:
        raise LogError("a binary file, not a table")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def tables(text: str) -> list[Table]:
    """Return the tables of a text: all of a page's, or the one that a file is."""
    if text.lstrip()[:1] in ("[", "{"):
        found = _json(text)
        if found:
            return found
    kind = "a Markdown table"
    if html_text.is_html(text):
        text, kind = html_text.as_markdown(text), _HTML
    found = _markdown(text, kind)
    if found:
        return found
    table = _csv(text.splitlines())
    if table:
        return [table]
    rows, kind = markup.rows(text)
    cells = [tuple(map(_cell, row)) for _, row in rows]
    numbers = tuple(number for number, _ in rows)
    return [Table(cells[0], tuple(cells[1:]), numbers[1:], kind)] if rows else []


def _cell(text: str) -> str:
    """Return a cell in letters that any file can hold; each kind of space is a space."""
    kinds = ("Zs", "Cc")  # a line that ends within a cell is a space, too
    spaced = "".join(" " if unicodedata.category(one) in kinds else one for one in text)
    return plain(spaced).strip()


def _markdown(text: str, kind: str) -> list[Table]:
    """Return each table that has a rule of dashes beneath its head; without one it is only text."""
    found: list[Table] = []
    for numbers, block in _blocks(text.splitlines()):
        for token in _parser().parse("\n".join(block)):
            if token.type != "table_open" or not token.map:
                continue
            start, end = token.map
            if end - start > MOST_ROWS:
                raise LogError(f"a table of more than {MOST_ROWS} rows")
            body = [(_cells(block[place]), numbers[place]) for place in range(start + 2, end)]
            kept = [(cells, number) for cells, number in body if any(cells)]
            if kept:
                places = tuple(number for _, number in kept)
                found.append(Table(
                    _cells(block[start]), tuple(cells for cells, _ in kept),
                    tuple(range(1, len(kept) + 1)) if kind == _HTML else places, kind,
                ))  # fmt: skip
    return found


@cache
def _parser() -> Any:
    """Return a parser of nothing but tables: they may stand in a fence, or be indented."""
    from markdown_it import MarkdownIt

    return MarkdownIt("zero").enable("table")


def _blocks(lines: Sequence[str]) -> Iterator[tuple[list[int], list[str]]]:
    """Yield each group of lines with bars that holds a table: the lines' numbers, and the lines.

    Of a table that is drawn only the rule beneath its head stays. A rule further down in one of
    Markdown's stands beneath the head of the next: that begins a group of its own.
    """
    drawn = ((number, line, _undrawn(line)) for number, line in enumerate(lines, 1))
    for has_bar, group in itertools.groupby(drawn, lambda item: "|" in item[2]):
        numbers: list[int] = []
        block: list[str] = []
        rules = 0
        for number, line, text in group if has_bar else ():
            is_rule = _RULE.fullmatch(text) is not None
            if is_rule and (not block or (rules and text != line)):
                continue
            if is_rule and rules and len(block) > 2:
                yield numbers[:-1], block[:-1]
                numbers, block = numbers[-1:], block[-1:]
            rules += is_rule
            numbers.append(number)
            block.append(text.strip())
        if rules and len(block) > 2:
            yield numbers, block


def _undrawn(line: str) -> str:
    """Return a line of a drawn table as one of Markdown; a frame around it is nothing."""
    text = line
    if not line.isascii() and any("\u2500" <= letter <= "\u257f" for letter in line):
        text = "".join(
            one if not "\u2500" <= one <= "\u257f" else "|" if one in _BARS else
            "-" if one in _STROKES else "+"
            for one in line
        )  # fmt: skip
    bare = text.strip()
    if "+" in bare and set(bare) <= set("+-=| :") and "-" in bare.replace("=", "-"):
        inner = re.sub(r"[=:]", "-", bare.strip("+|"))
        return "|" + inner.replace("+", "|") + "|" if "|" in bare or "+" in inner else ""
    return text


def _cells(line: str) -> tuple[str, ...]:
    """Return the cells of a table's line, without the marks of code and emphasis around them."""
    parts = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    plainly = (_BREAK.sub(" ", _ESCAPED.sub(r"\1", part)).strip() for part in parts)
    return tuple(_cell(_unmarked(part)) for part in plainly)


def _unmarked(text: str) -> str:
    for mark in ("**", "__", "`", "*"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text = text[len(mark) : -len(mark)].strip()
    return text


def _csv(lines: Sequence[str]) -> Table | None:
    kept = [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#") and not _SAID.fullmatch(line)
    ]
    if len(kept) > MOST_ROWS + _MOST_SAID:
        raise LogError(f"a table of more than {MOST_ROWS} rows")
    best = max(_DELIMITERS, key=lambda mark: _agreeing(mark, kept), default=",")
    wide, count = _agreeing(best, kept[:MOST_ROWS])[::-1] if kept else (0, 0)
    if not kept or wide < 2 or wide > _MOST_COLUMNS or 3 * count < len(kept[:_SAMPLE]):
        return None
    records = _records([line for _, line in kept], best)
    if records is None or len(records) < 2:
        return None
    body = [tuple(_cell(cell) for cell in record) for _, record in records]
    place = _head(body, wide)
    above = tuple(" ".join(filter(None, record)) for record in body[:place])
    numbers = tuple(kept[first][0] for first, _ in records[place + 1 :])
    rows = tuple(body[place + 1 :])
    return Table(
        body[place], rows, numbers, "a CSV file", _DECIMAL.get(best, ""), above[:_MOST_SAID]
    ) if rows else None  # fmt: skip


def _records(lines: Sequence[str], mark: str) -> list[tuple[int, list[str]]] | None:
    """Return a CSV file's records with the place of each one's first line.

    A quoted cell may go over a few lines. None where one never ends: it would hide the rest.
    """
    for strict in (False, True):
        reader = csv.reader(
            (f"{line}\n" for line in lines), delimiter=mark, skipinitialspace=True, strict=strict
        )
        records, first = [], 0
        try:
            for record in reader:
                records.append((first, record))
                if reader.line_num - first > (_LINES_OF_A_CELL if strict else 1):
                    break
                first = reader.line_num
            else:
                return records
        except csv.Error:
            pass
    return None


def _agreeing(mark: str, kept: Sequence[tuple[int, str]]) -> tuple[int, int]:
    """Return how many of the first lines have as many columns as most, and how many those are."""
    records = _records([line for _, line in kept[:_SAMPLE]], mark) or []
    widths = Counter(len(record) for _, record in records if len(record) > 1)
    if not widths:
        return 0, 0
    wide = max(widths, key=lambda one: (widths[one], one))
    return widths[wide], wide


def _head(body: Sequence[Sequence[str]], wide: int) -> int:
    """Return the place of the head: above the first figures, and what says most like a head."""
    looked = body[:_SAMPLE]
    counts = Counter(
        column for record in looked for column, cell in enumerate(record) if is_figure_like(cell)
    )
    measured = {column for column, count in counts.items() if 2 * count > len(looked) - _MOST_SAID}
    measured = {one for one in measured if 3 * counts[one] >= max(counts.values())}

    def figures(place: int) -> bool:
        record = body[place] if place < len(body) else ()
        hits = sum(is_figure_like(record[one]) for one in measured if one < len(record))
        return 2 * hits > len(measured)

    def score(place: int) -> tuple[int, bool, int]:
        words = [set(re.split(r"[^\w%]+|_", cell.lower())) for cell in body[place]]
        known = sum(
            bool(cell & _HEADS) or any(len(one) > 1 and unit_of(one) for one in cell)
            for cell in words
        )
        return known, all(body[place]), place if known else -place

    first = next((place for place in range(len(looked)) if figures(place)), 0)
    places = [place for place in range(min(first, _MOST_SAID)) if len(body[place]) == wide]
    # A title may hold a year: then what is clearly a head comes after it.
    places += [
        place
        for place in range(first + 1, min(len(looked), _MOST_SAID))
        if len(body[place]) == wide
        and figures(place + 1) > figures(place)
        and 1 < score(place)[0] >= wide - 1
    ]
    if not places:
        return 0
    return max(places, key=score)


def _json(text: str) -> list[Table]:
    """Return the tables of a JSON file, or of one with a value on every line."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            value = [json.loads(line) for line in lines[: MOST_ROWS + 1]]
        except (ValueError, RecursionError):
            return []
    found = _of_value(value)
    if not found and isinstance(value, dict):
        for name, inner in itertools.islice(value.items(), _MOST_COLUMNS):
            found += [
                Table(
                    one.head, one.lines, one.numbers, f"{_ARRAY[1]} '{_cell(str(name))[:40]}'", "."
                )
                for one in _of_value(inner)
            ]
    return found


def _of_value(value: Any) -> list[Table]:
    """Return the table that a JSON value is: rows as objects, as arrays, or by their names."""
    if isinstance(value, dict):
        if not value or not all(isinstance(one, dict) for one in value.values()):
            return []
        value = [{"name": name, **one} for name, one in value.items()]
    if not isinstance(value, list) or not value:
        return []
    if len(value) > MOST_ROWS:
        raise LogError(f"a table of more than {MOST_ROWS} rows")
    if all(isinstance(one, dict) for one in value):
        head = list(dict.fromkeys(str(key) for one in value for key in one))
        rows = [[one.get(key) for key in head] for one in value]
    elif len(value) > 1 and all(isinstance(one, list) for one in value):
        head, rows = [str(one) for one in value[0]], value[1:]
    else:
        return []
    if not 2 <= len(head) <= _MOST_COLUMNS:
        return []
    lines = tuple(tuple(_shown(cell) for cell in row[: len(head)]) for row in rows)
    return [Table(tuple(map(_cell, head)), lines, tuple(range(1, len(lines) + 1)), _ARRAY[0], ".")]


def _shown(value: Any) -> str:
    """Return a JSON value as a cell; what is no single value is nothing."""
    if isinstance(value, float) and math.isfinite(value) and abs(value) <= LARGEST:
        return format(value, "f").rstrip("0").rstrip(".") if value == int(value) else repr(value)
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return ""
    return _cell(str(value))
