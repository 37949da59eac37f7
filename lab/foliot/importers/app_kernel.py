# SPDX-License-Identifier: Apache-2.0
"""What Zephyr's app_kernel prints: tables of ns, each an average of some hundred times.

    |          S I M P L E   S E R V I C E    M E A S U R E M E N T S  |  nsec    |
    | enqueue 1 byte msg in MSGQ                                       |      5320|
    |   size(B) |       time/packet (nsec)       |          KB/sec                |      mailbox
    |          8|                           12300|                             650|
    | put | get |  no buf  | small buf| big buf  |  no buf  | small buf| big buf  |      pipe

The rates are those times over again, and are left out. A build for user mode prints all of it
again, as a run of its own.
"""

from __future__ import annotations

import re

from foliot.importers.figures import row_name
from foliot.importers.numbers import whole
from foliot.importers.registry import LineReader, line_format
from foliot.importers.zephyr_names import booted
from foliot.model.names import plain
from foliot.model.published import published_run, single
from foliot.model.run import Origin, Row

_SPACED = re.compile(r"\|\s+(?P<words>(?:[A-Z] )+[A-Z](?:\s{2,}(?:[A-Z] )+[A-Z])*)\s+\|")
_SIMPLE = re.compile(r"^\|\s+(?P<text>[A-Za-z][^|]*?)\s*\|\s*(?P<ns>\d{1,19})\|\s*$")
_MAILBOX = re.compile(r"^\|\s*(?P<size>\d{1,9})\|\s*(?P<ns>\d{1,19})\|\s*\d{1,19}\|\s*$")
_PIPE = re.compile(
    r"^\|\s*(?P<put>\d{1,9})\|\s*(?P<get>\d{1,9})" + r"\|\s*(\d{1,19})" * 6 + r"\|\s*$"
)
_OVERHEAD = re.compile(r"^\|\s*message overhead:\s*(?P<ns>\d{1,19})\s+nsec/packet")
_SIZES = re.compile(r"\|\s+(?P<what>matching sizes|non-matching sizes)")
_RULE = re.compile(r"^\|-{60,}\|\s*$")
_END = "END OF TESTS"
_BUFFERS = ("no_buf", "small_buf", "big_buf")


@line_format
class AppKernel(LineReader):
    """Takes the tables from their first title to the end of the tests."""

    name = "Zephyr's app_kernel"
    asked = 7  # before those that see no table's lines, and before the one that takes banners
    marks = (b"|", b"ooting", b"BOOTING")

    def __init__(self, source: str) -> None:
        """Begin outside."""
        super().__init__(source)
        self._version = ""
        self._begin()

    def _begin(self) -> None:
        self._inside, self._section, self._sizes = False, "", "matching"
        self._rows: dict[str, Row] = {}
        self._first = self._last = 0

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was one of its tables'."""
        version = booted(line)
        if version is not None:
            self._close()
            self._version = version
            return False
        if not self._inside and b"M E A S U R E M E N T S" not in line:
            return False
        text = line.decode("utf-8", "replace").strip()
        spaced = "M E A S U R E M E N T S" in text and _SPACED.search(text)
        if spaced:
            return self._title(spaced["words"], number)
        if not self._inside or not text.startswith("|"):
            return False
        self._last = number
        if _END in text:
            self._close()
            return True
        return self._row(text) or self._heading(text) or _RULE.match(text) is not None

    def _title(self, words: str, number: int) -> bool:
        section = re.sub(r"(?<=\w) (?=\w)", "", words).split()[0].lower()
        if section == "simple" and self._rows:
            self._close()
        self._inside, self._section = True, section
        self._first = self._first or number
        return True

    def _heading(self, text: str) -> bool:
        """Take a line that says what the next are, or explains them: those with words only."""
        sizes = _SIZES.search(text)
        if sizes:
            kind = "matching" if sizes["what"].startswith("matching") else "non_matching"
            priority = "lower" if "lower priority" in text else "higher"
            self._sizes = kind if kind == "matching" else f"{kind}.{priority}"
        return True

    def _row(self, text: str) -> bool:
        pipe, mailbox = _PIPE.match(text), _MAILBOX.match(text)
        overhead, simple = _OVERHEAD.match(text), _SIMPLE.match(text)
        if pipe:
            size = f"put_{pipe['put']}.get_{pipe['get']}"
            for buffer, ns in zip(_BUFFERS, pipe.groups()[2:5], strict=True):
                words = f"Put {pipe['put']}, get {pipe['get']} bytes, {buffer.replace('_', ' ')}"
                self._take(f"pipe.{self._sizes}.{size}.{buffer}", words, ns)
        elif mailbox:
            self._take(
                f"mailbox.put.{mailbox['size']}", f"Send {mailbox['size']} bytes", mailbox["ns"]
            )
        elif overhead:
            self._take("mailbox.overhead", "Message overhead", overhead["ns"])
        elif simple:
            self._take(
                f"app_kernel.{row_name(simple['text'])}", plain(simple["text"]), simple["ns"]
            )
        return bool(pipe or mailbox or overhead or simple)

    def _take(self, name: str, text: str, ns: str) -> None:
        count, free = 1, name
        while free in self._rows:
            count += 1
            free = f"{name}#{count}"
        self._rows[free] = single(free, text, whole(ns), whole(ns))

    def end(self, number: int) -> None:
        """Close what is open."""
        self._close()

    def _close(self) -> None:
        if self._rows:
            origin = Origin(
                kernel="Zephyr", kernel_version=self._version, title="app_kernel",
                source=self.source, lines=(self._first, self._last), format="app_kernel",
            )  # fmt: skip
            self.done.append(
                published_run(
                    list(self._rows.values()), origin=origin, suite="app_kernel", unit="ns"
                )
            )
        self._begin()
