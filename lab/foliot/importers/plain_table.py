# SPDX-License-Identifier: Apache-2.0
"""A table of anybody's, as text: CSV with whatever delimiter, or Markdown.

Nothing is concluded here of what a column means; see table_columns.py.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foliot.importers.numbers import LARGEST, MOST_ROWS
from foliot.importers.units import scaled, unit_of
from foliot.model.errors import LogError
from foliot.model.names import plain

LONGEST = 32 << 20
_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*\|?\s*")
_FIGURE = re.compile(
    r"(?P<figure>[+-]?(?:\d{1,3}(?:,\d{3}){2,}|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)\s*(?P<unit>[^\d\s].*)?"
)
_DELIMITERS = (",", ";", "\t")
_MOST_COLUMNS = 200
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its head; `numbers` are the lines' in the file, `kind` is what it was."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    kind: str


def decoded(content: bytes) -> str:
    """Return a file's text: UTF-8, UTF-16 by its mark, else what Windows wrote here for long."""
    if b"\0" in content[:4096] and content[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise LogError("a binary file, not a table")
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def tables(text: str) -> list[Table]:
    """Return the tables of a text: all of Markdown's, or the one that a CSV file is."""
    lines = text.splitlines()
    found = list(_markdown(lines))
    if found:
        return found
    table = _csv(lines)
    return [table] if table else []


def _markdown(lines: Sequence[str]) -> Iterator[Table]:
    """Yield each table that has a rule of dashes beneath its head; without one it is only text."""
    rules = [
        place
        for place in range(1, len(lines))
        if "|" in lines[place] and "|" in lines[place - 1] and _RULE.fullmatch(lines[place])
    ]
    for rule in rules:
        end = rule + 1
        while end < len(lines) and "|" in lines[end] and end + 1 not in rules:
            end += 1
        if end - rule > MOST_ROWS:
            raise LogError(f"a table of more than {MOST_ROWS} rows")
        if end > rule + 1:
            body = tuple(_cells(line) for line in lines[rule + 1 : end])
            numbers = tuple(range(rule + 2, end + 1))
            yield Table(_cells(lines[rule - 1]), body, numbers, "a Markdown table")


def _cells(line: str) -> tuple[str, ...]:
    text = line.strip().removeprefix("|").removesuffix("|")
    return tuple(plain(re.sub(r"[`*]", "", cell)).strip() for cell in text.split("|"))


def _csv(lines: Sequence[str]) -> Table | None:
    kept = [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    best = max(_DELIMITERS, key=lambda mark: _agreeing(mark, kept), default=",")
    if not kept or _agreeing(best, kept) == 0:
        return None
    try:
        records = list(
            csv.reader((line for _, line in kept), delimiter=best, skipinitialspace=True)
        )
    except csv.Error:
        return None
    if len(records) < 2 or len(records) != len(kept) or len(records[0]) > _MOST_COLUMNS:
        return None
    if len(records) > MOST_ROWS:
        raise LogError(f"a table of more than {MOST_ROWS} rows")
    body = [tuple(plain(cell).strip() for cell in record) for record in records]
    return Table(body[0], tuple(body[1:]), tuple(number for number, _ in kept[1:]), "a CSV file")


def _agreeing(mark: str, kept: Sequence[tuple[int, str]]) -> int:
    """Return how many lines have as many of a delimiter as the first; 0 where that has none."""
    wanted = kept[0][1].count(mark) if kept else 0
    return sum(line.count(mark) == wanted for _, line in kept[:_LOOKED_AT]) if wanted else 0


def figure(cell: str) -> tuple[float, str] | None:
    """Return a cell's figure and the unit behind it; None of anything else.

    1,234 is a thousand to some and about one to others: it is no figure.
    """
    found = _FIGURE.fullmatch(cell.strip())
    if not found or len(found["figure"]) > 40:
        return None
    unit = (found["unit"] or "").strip()
    if unit and unit_of(unit) is None:
        return None
    value = float(found["figure"].replace(",", ""))
    if abs(value) > LARGEST:
        return None
    return scaled(value, 1), unit
