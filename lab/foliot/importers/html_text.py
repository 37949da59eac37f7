# SPDX-License-Identifier: Apache-2.0
"""A page in HTML as Markdown's text: its headings, its tables, and its logs line by line.

The parser is that of Python's library; what is here is which element ends a line. Letters that
look like a tag and are none (`BM_X<int>`) are text. Cells over several lines or columns stand in
each of them, so that a table keeps its columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

_HTML = re.compile(r"<!doctype html|<html\b|<table\b|<body\b", re.IGNORECASE)
_LINES = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "title",
        "tr",
        "ul",
    ]
)
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "caption",
        "cite",
        "code",
        "col",
        "colgroup",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "input",
        "ins",
        "kbd",
        "label",
        "link",
        "mark",
        "meta",
        "picture",
        "q",
        "s",
        "samp",
        "small",
        "source",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "svg",
        "td",
        "th",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
        "br",
        "center",
        "button",
        "path",
    ]
)
_UNSEEN = frozenset(("script", "style", "noscript", "template"))
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)} | {"summary": "##### "}
_WIDEST = 64


def is_html(text: str) -> bool:
    """Whether a text is a page in HTML, or holds a table in it."""
    return _HTML.search(text) is not None


def as_markdown(text: str) -> str:
    """Return what a page says, in lines; its tables with a rule beneath their head."""
    parser = _Page()
    parser.feed(text)
    parser.close()
    return parser.text()


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of a table, and how many columns and lines it spans."""

    text: str
    wide: int
    high: int
    is_head: bool


class _Page(HTMLParser):
    """Collects a page's text; a table's cells until it ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._said: list[str] = []
        self._unseen = self._pre = 0
        self._rows: list[list[_Cell]] | None = None
        self._cell: list[str] | None = None
        self._spans = (1, 1)
        self._is_head = False

    def text(self) -> str:
        self._end_table()
        return "".join(self._said)

    def _say(self, text: str) -> None:
        if self._cell is not None:
            self._cell.append(text)
        elif not self._unseen and (self._rows is None or text.strip()):
            self._said.append(text)

    def _line(self) -> None:
        if self._cell is not None:
            self._cell.append(" ")
        elif self._said and not self._said[-1].endswith("\n"):
            self._said.append("\n")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag == "table" and self._rows is None:
            self._line()
            self._rows = []
        elif tag == "tr" and self._rows is not None:
            self._end_cell()
            self._rows.append([])
        elif tag in ("td", "th") and self._rows is not None:
            self._end_cell()
            known = dict(attrs)
            self._spans = (_span(known.get("colspan")), _span(known.get("rowspan")))
            self._cell, self._is_head = [], tag == "th"
        elif tag == "br":
            self._say("\n" if self._cell is None else " ")
        elif tag in _LINES:
            self._line()
            self._pre += tag == "pre"
            self._say(_HEADINGS.get(tag, "") if self._cell is None else "")
        elif tag not in _INLINE:
            self._say(self.get_starttag_text() or "")  # no tag: a template's argument

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _UNSEEN:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag == "table":
            self._end_table()
        elif tag in _LINES:
            self._pre -= tag == "pre" and self._pre > 0
            self._line()

    def handle_data(self, data: str) -> None:
        self._say(data if self._pre or self._cell is None else re.sub(r"\s+", " ", data))

    def _end_cell(self) -> None:
        if self._cell is not None and self._rows is not None:
            if not self._rows:
                self._rows.append([])
            text = " ".join("".join(self._cell).split()).replace("|", "\\|")
            self._rows[-1].append(_Cell(text, *self._spans, self._is_head))
        self._cell = None

    def _end_table(self) -> None:
        self._end_cell()
        rows = [row for row in self._rows or () if row]
        self._rows = None
        heads = next((n for n, row in enumerate(rows) if not all(one.is_head for one in row)), 0)
        grid = _grid(rows)
        if heads > 1:  # what stands over a column in several lines is its title
            titles = zip(*grid[:heads], strict=True)
            grid[:heads] = [[" ".join(filter(None, dict.fromkeys(one))) for one in titles]]
        for place, row in enumerate(grid):
            self._said.append("| " + " | ".join(row) + " |\n")
            if place == 0:
                self._said.append("|" + "---|" * len(row) + "\n")
        if grid:
            self._said.append("\n")


def _span(text: str | None) -> int:
    return min(int(text), _WIDEST) if text and text.isdecimal() and 0 < len(text) < 4 else 1


def _grid(rows: Sequence[Sequence[_Cell]]) -> list[list[str]]:
    """Return the cells in their columns: one that spans several stands in each of them."""
    found: list[list[str]] = []
    below: dict[int, tuple[str, int]] = {}  # by column: what goes on from above, and how far
    for row in rows:
        cells: list[str] = []
        waiting = list(row)
        while waiting or len(cells) in below:
            column = len(cells)
            if column in below:
                text, left = below.pop(column)
                if left > 1:
                    below[column] = (text, left - 1)
                cells.append(text)
                continue
            cell = waiting.pop(0)
            for place in range(column, column + cell.wide):
                if cell.high > 1:
                    below[place] = (cell.text, cell.high - 1)
                cells.append(cell.text)
        found.append(cells)
    wide = max((len(row) for row in found), default=0)
    return [row + [""] * (wide - len(row)) for row in found]
