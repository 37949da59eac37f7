# SPDX-License-Identifier: Apache-2.0
"""What terminals, browsers and serial lines put into a log, taken out and counted.

Bytes are cleaned block by block, and only where a block holds such a byte at all: a hundred
megabytes of plain log pay for a few searches. Nothing that could be a part of a figure is
guessed at: what is taken out has no meaning in a log (NUL, colours), and what is put in its
place is what the byte stands for (a no-break space is a space, CR alone ends a line). What
kind of letter one is, Unicode's own table says. A whole page in HTML is taken apart before
(html_text.py), and so are tables here; single tags within a log are taken out by their names,
since a parser would take all from a lone `<` to the next `>` for one.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from foliot.importers.html_text import as_markdown

_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r\x1b")) + b"\x7f"
_ESCAPES = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-Z\\^_`-~])?"
)
_NO_BREAK = re.compile(rb"(?<![\x80-\xf4])\xa0(?![\x80-\xbf])")  # in Latin-1
_ENTITIES = {b"&nbsp;": b" ", b"&#160;": b" ", b"&gt;": b">", b"&lt;": b"<", b"&amp;": b"&"}
_BREAK = re.compile(rb"<br\s*/?>(?:[ \t]*\n)?", re.IGNORECASE)
_TABLE = re.compile(
    rb"(?:<tr\b[^<>]*>.{0,20000}?</tr\s*>\s{0,99}){1,2000}", re.IGNORECASE | re.DOTALL
)
_INLINE = re.compile(
    rb"</?(?:span|i|em|code|font|a|p|li|ul|ol|div|pre|tt|mark|samp|kbd|u|small|table|tbody|thead|"
    rb"td|th|tr|section|article|body)\b[^<>]{0,300}>",
    re.IGNORECASE,
)
_BLOCK_END = re.compile(
    rb"(</(?:p|li|div|h[1-6]|summary|pre)\s*>)(?![ \t]*\n)|(?<!\n)(?=<(?:h[1-6]|summary|pre)\b)",
    re.IGNORECASE,
)
_BOLD = re.compile(rb"</?(?:b|strong)\s*>", re.IGNORECASE)
_BACKSPACE = re.compile(rb"[^\x08\n]\x08")
_QUOTED = re.compile(rb"^(?:> ?)+", re.MULTILINE)
_DATED = re.compile(
    rb"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?: |$)", re.MULTILINE
)
_NUMBERED = re.compile(rb"^ {0,6}\d{1,6}(?:: ?| |$)", re.MULTILINE)
_MOST_LINES = 0.6  # of a block's, that something stands before all of them
_LOGGED = re.compile(rb'^\{"log": ?("(?:[^"\\\n]|\\.)*")[^\n]*\}[ \t]*$', re.MULTILINE)
_TIGHT_DASH = re.compile(rb"(?<=[0-9a-z ])\xe2\x80[\x93\x94](?=[A-Z])")
_THOUSANDS = re.compile("(?<=\\d)[\u2009\u202f](?=\\d{3}(?!\\d))")
_LONE_CR = re.compile(rb"\r(?!\n)")
_OURS = b"@foliot "

# A file that begins so is no log, whatever bytes follow.
_BINARY = (b"\x7fELF", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"SQLite format 3", b"%PDF", b"BZh")
_MOST_CONTROLS = 0.1


def is_binary(head: bytes) -> bool:
    """Whether a file that begins so is no text: by its first bytes, or full of control bytes."""
    if head.startswith(_BINARY):
        return True
    text = head.lstrip(b"\0")  # a line that was dead for a while
    return len(text) - len(text.translate(None, _CONTROLS)) > _MOST_CONTROLS * max(len(text), 20)


class Cleaner:
    """Cleans the text of one document, and counts by kind what it cleaned (`counts`)."""

    def __init__(self) -> None:
        """Begin with nothing cleaned."""
        self.counts: Counter[str] = Counter()

    def clean(self, block: bytes) -> bytes:
        """Return whole lines, clean; a line may become several.

        The machine lines of our own logs carry a checksum and are left as they came.
        """
        if _OURS in block:
            return b"\n".join(
                line if line.startswith(_OURS) else self._clean(line)
                for line in block.replace(b"\r\n", b"\n").split(b"\n")
            )
        return self._clean(block)

    def _clean(self, block: bytes) -> bytes:
        kept = self._still(block)
        if b"\r" in kept:
            kept = re.sub(rb"\r+\n", b"\n", kept)
            kept = self._sub(_LONE_CR, b"\n", kept, "line ends of CR alone")
        if b"\t" in kept:
            self._count("tabs", kept.count(b"\t"))
            kept = kept.replace(b"\t", b" ")
        kept = self._unwrapped(kept)
        if not kept.isascii():
            kept = self._letters(kept)
        if b"<" in kept and b">" in kept:
            kept = self._tags(kept)
        if b"&" in kept:
            for entity, letter in _ENTITIES.items():
                kept = kept.replace(entity, letter)
        return kept

    def _still(self, block: bytes) -> bytes:
        """Take out what steers a terminal, and what it would have rubbed out."""
        if b"\x1b" in block:  # before control bytes: BEL ends some of them
            block = self._sub(_ESCAPES, b"", block, "colours and other escape sequences")
        while b"\b" in block and (shorter := _BACKSPACE.sub(b"", block)) != block:
            self._count("backspaces", (len(block) - len(shorter)) // 2)
            block = shorter
        kept = block.translate(None, _CONTROLS)
        self._count("control bytes", len(block) - len(kept))
        if b"\x1b" in kept:  # one that a control byte had broken
            kept = self._sub(_ESCAPES, b"", kept, "colours and other escape sequences")
        return kept

    def _unwrapped(self, block: bytes) -> bytes:
        """Take away what a container's log, a mail or an editor put around or before each line."""
        if b'{"log":' in block:
            block = self._sub(_LOGGED, _said, block, "lines of a container's log")
        for prefix, mark, what in (
            (_QUOTED, b">", "quote marks"), (_DATED, b"T", "dates"),
            (_NUMBERED, b" cycles ,", "line numbers"),
        ):  # fmt: skip
            if mark in block and prefix.match(block):
                lines = block.count(b"\n") + 1
                if len(prefix.findall(block)) > _MOST_LINES * lines:
                    block = self._sub(prefix, b"", block, what)
        return block

    def _letters(self, block: bytes) -> bytes:
        block = self._sub(_TIGHT_DASH, b" - ", block, "dashes")
        text, count = _THOUSANDS.subn("", block.decode("utf-8", "surrogateescape"))
        self._count("spaces between thousands", count)
        table: dict[int, str] = {}
        for letter in set(text):
            what, plainly = ("", "") if letter.isascii() else _plainly(letter)
            if what:
                self._count(what, text.count(letter))
                table[ord(letter)] = plainly
        if table or count:
            block = text.translate(table).encode("utf-8", "surrogateescape")
        if b"\xa0" in block and not _is_utf8(block):
            block = self._sub(_NO_BREAK, b" ", block, "no-break and wide spaces")
        return block

    def _tags(self, block: bytes) -> bytes:
        block = self._sub(_BREAK, b"\n", block, "<br> and other tags")
        if b"</" not in block:
            return block
        block = _TABLE.sub(_table, block)
        block = _BLOCK_END.sub(rb"\1\n", block)
        block = self._sub(_INLINE, b"", block, "<br> and other tags")
        return _BOLD.sub(b"**", block)

    def _sub(
        self,
        pattern: re.Pattern[bytes],
        by: bytes | Callable[[re.Match[bytes]], bytes],
        block: bytes,
        what: str,
    ) -> bytes:
        block, count = pattern.subn(by, block)
        self._count(what, count)
        return block

    def _count(self, what: str, count: int) -> None:
        if count:
            self.counts[what] += count


def _said(found: re.Match[bytes]) -> bytes:
    """Return what a program said, of the line in which a container's log keeps it."""
    try:
        return str(json.loads(found[1])).rstrip("\n").encode()
    except ValueError:
        return found[0]


def _is_utf8(block: bytes) -> bool:
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


def _table(found: re.Match[bytes]) -> bytes:
    """Return the lines of an HTML table as those of one of Markdown."""
    text = found[0].decode("utf-8", "surrogateescape")
    return as_markdown(f"<table>{text}</table>").encode("utf-8", "surrogateescape")


@lru_cache(maxsize=4096)
def _plainly(letter: str) -> tuple[str, str]:
    """Return what kind of letter is cleaned, and what it stands for; nothing where it stays."""
    kind = unicodedata.category(letter)
    if kind == "Zs":
        return "no-break and wide spaces", " "
    if kind == "Cf":
        return "invisible letters", ""
    wide = unicodedata.east_asian_width(letter)
    if letter == "\u2212" or (kind == "Pd" and wide != "W"):
        return "dashes", "-"
    plain = unicodedata.normalize("NFKC", letter)
    if wide == "F":
        return "full-width letters", plain
    if plain.isascii() and "LIGATURE" in unicodedata.name(letter, ""):
        return "ligatures", plain
    return "", ""
