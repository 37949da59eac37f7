# SPDX-License-Identifier: Apache-2.0
"""The rows of Zephyr's latency_measure, in every form in which it ever printed them.

    ID - TEXT : N cycles , M ns :         since 3.6; twister's record regex collects these
    ID - TEXT : FAILED , FAILED : WHY     the same, where a row could not be measured
    ID - TEXT,   N,   M,                  built with CSV_FORMAT_OUTPUT
    TEXT : N cycles , M ns                2.x to 3.5
    | TEXT N tcs = M nsec                 1.x

Anything may stand in front of a row (a line's number, a time stamp, a terminal's colours).
Our own rows in `insn` follow the first form and are read as such where their machine lines
have been lost.
"""

from __future__ import annotations

import re
from functools import cache

from foliot.importers.numbers import MOST_ROWS, clock_hz, whole
from foliot.importers.registry import LineReader, line_format
from foliot.importers.zephyr_names import row_id
from foliot.log.reader import FAILED, SUCCESSFUL
from foliot.model.errors import LogError
from foliot.model.foreign import foreign_run, single
from foliot.model.names import plain, slug
from foliot.model.run import Failure, Origin, Row, Run
from foliot.reference.rows import catalogue

_ID = r"(?P<id>[a-z][a-z0-9_]*(?:\.[a-z0-9_+]+)+)"
_FIGURES = r"(?P<cycles>-?\d+) cycles ?,\s*(?P<ns>-?\d+) ns"
_MODERN = re.compile(rf"{_ID}\s+- (?P<text>[^|]*?)\s*:\s*{_FIGURES}")
_INSN = re.compile(rf"{_ID}\s+- (?P<text>[^|]*?)\s*:\s*(?P<cycles>-?\d+) insn\b")
_CSV = re.compile(rf"{_ID}\s+- (?P<text>[^|]*?)\s*,\s*(?P<cycles>\d+)\s*,\s*(?P<ns>\d+)\s*(?:,|$)")
_FAILURE = re.compile(rf"{_ID}\s+- [^|]*?:\s*FAILED\s*(?:,\s*FAILED\s*)?:\s*(?P<why>.*)")
_OLDER = re.compile(rf"(?P<text>[A-Z][A-Za-z_ ()>-]{{,79}}?)\s*:\s*{_FIGURES}")
_OLDEST = re.compile(r"(?P<text>[A-Za-z][A-Za-z_ ()]{,79}?) (?P<cycles>\d+) tcs = (?P<ns>\d+) nsec")
_BANNER = re.compile(r"\*\*\*\s*booting zephyr os\s+(?:build\s+|version\s+)?(?P<version>\S+)", re.I)
_OWN_BANNER = re.compile(r"\*\*\* Foliot (?P<version>\w+) on (?P<board>\w+) \*\*\*")
_FREQUENCY = re.compile(r"Clock frequency: (?P<clock>\d+ [kMG]Hz)")
_NUMBERED = re.compile(r"^\s*\d{1,6}(?=\D)")
_RESULT_OF = re.compile(r"(?:の結果|[:.#*=-]|\s|\bresults?\b|\bon\b|\bof\b)+$", re.IGNORECASE)
_LEADING = re.compile(r"^(?:[#*=>-]+\s*|\d+(?:\.\d+)*[.)]?\s+|results? (?:of|on|for)\s+)+", re.I)
_LONGEST_TITLE = 60
_SAME_ROWS = 50_000

# What a heading says of the configuration; userspace is told by the rows themselves.
_CONFIGURATIONS = (("canar", "canaries"), ("object core", "objcore"), ("objcore", "objcore"),
                   ("timeslic", "timeslicing"))  # fmt: skip

# What says something of a run without being a row.
_OF_RUNS = (b"PROJECT EXECUTION", b"ooting", b"BOOTING", b"Clock frequency", b"*** Foliot ")


@line_format
class ZephyrRows(LineReader):
    """Collects rows into runs; a banner, an end, or a row that comes again divides them."""

    name = "Zephyr latency_measure (1.x, 2.x, 3.x, 4.x, CSV)"
    asked = 10
    marks = (b" cycles", b" insn", b"PROJECT EX", b"ooting", b"BOOTING", b"FAILED", b"Clock freq",
             b"*** Foliot ")  # fmt: skip
    marks_with_end = ((b" - ", b",0123456789"),)  # rows of CSV
    in_pages = True

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._seen: dict[bytes, Row | Failure] = {}
        self._words: dict[bytes, tuple[str, str]] = {}
        self._version = ""
        self._title = b""
        self._unit = "cycles"
        self._first = 0
        self._begin("")

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; `heading` is the last text before it. True where it was understood."""
        found = self._seen.get(line)
        if found is None:
            try:
                found = self._parse(line)
            except LogError as error:
                raise LogError(f"line {number}: {error.message}") from None
            if found is None:
                return any(mark in line for mark in _OF_RUNS) and self._other(
                    line.decode("utf-8", "replace"), number, heading
                )
            if len(self._seen) >= _SAME_ROWS:
                self._seen.clear()
            self._seen[line] = found
        self._take(found, number, heading)
        return True

    def _take(self, found: Row | Failure, number: int, heading: bytes) -> None:
        """Put a row into the run that it belongs to: this one, or the next."""
        rows, unit = self._rows, self._unit
        if isinstance(found, Row):
            unit = "cycles" if found.ns is not None else "insn"
        if found.id in rows or found.id in self._failures or (rows and unit != self._unit):
            self._close(True)
        if not self._rows and not self._failures:
            self._first = self._first or number
            self._title = self._title or heading
        self._unit = unit
        if isinstance(found, Failure):
            self._failures[found.id] = found
        else:
            self._rows[found.id] = found
            if len(self._rows) > MOST_ROWS:
                raise LogError(f"line {number}: more than {MOST_ROWS} rows in one run")
        self._last = number

    def end(self, number: int) -> None:
        """Close the last run."""
        self._close(True)

    def _close(self, successful: bool) -> None:
        """Close the run, if there is one."""
        if self._rows or self._failures:
            self.done.append(self._run(successful))
        self._begin(self._version)

    def _parse(self, line: bytes) -> Row | Failure | None:
        """Read a row; one whose words were there before is taken apart without a pattern."""
        words, mark, figures = line.partition(b" cycles ,")
        if mark:
            start, _, cycles = words.rpartition(b":")
            named = self._words.get(start)
            ns = figures[: figures.find(b"ns")]
            if named and len(cycles) < 19 and len(ns) < 19:
                try:
                    return single(named[0], named[1], int(cycles), int(ns))
                except ValueError:
                    pass
        found = _parse(line.decode("utf-8", "replace")) if _may_be_row(line) else None
        if mark and isinstance(found, Row):
            if len(self._words) >= _SAME_ROWS:
                self._words.clear()
            self._words[start] = (found.id, found.text)
        return found

    def _begin(self, version: str) -> None:
        self._rows: dict[str, Row] = {}
        self._failures: dict[str, Failure] = {}
        self._version = version
        self._title = b""
        self._clock = 0
        self._own_board = ""
        self._first = self._last = 0

    def _other(self, text: str, number: int, heading: bytes) -> bool:
        """Take what is no row: the banner, the clock, the end."""
        banner = _BANNER.search(text)
        if banner:
            self._close(True)
            self._begin(plain(banner["version"]))
            self._first, self._title = number, heading
            return True
        own = _OWN_BANNER.search(text)
        if own:
            self._close(True)
            self._begin(own["version"])
            self._first, self._own_board = number, own["board"]
            return True
        if SUCCESSFUL in text or FAILED in text:
            self._last = number
            self._close(SUCCESSFUL in text)
            self._version = ""
            return True
        frequency = _FREQUENCY.search(text)
        if frequency:
            self._clock = clock_hz(frequency["clock"])
        return frequency is not None

    def _run(self, successful: bool) -> Run:
        heading = self._title.decode("utf-8", "replace")
        title, lower = clean_title(heading), heading.lower()
        configuration = next((name for word, name in _CONFIGURATIONS if word in lower), "default")
        if any(row.endswith((".user", ".u_to_u", ".from.user")) for row in self._rows):
            configuration = "userspace"
        of_latency = not _latency_rows().isdisjoint(self._rows)
        kernel = "Zephyr" if self._version or of_latency else ""
        origin = Origin(
            kernel="Foliot" if self._own_board or self._unit == "insn" else kernel,
            kernel_version=self._version, title=title, source=self.source,
            lines=(self._first, self._last), format="latency_measure",
        )  # fmt: skip
        unnamed = not title or "sample output" in lower
        return foreign_run(
            list(self._rows.values()), origin=origin, suite="latency" if of_latency else "rows",
            unit=self._unit, board=self._own_board or ("unnamed" if unnamed else slug(title)),
            configuration=configuration, declared_hz=self._clock,
            failures=self._failures.values(), successful=successful and not self._failures,
        )  # fmt: skip


@cache
def _latency_rows() -> frozenset[str]:
    return frozenset(row.id for row in catalogue())


def _may_be_row(line: bytes) -> bool:
    if b" cycles" in line or b"tcs = " in line:
        return True
    if b" - " not in line:
        return False
    comma = line.find(b",")
    csv = comma > 0 and line[comma + 1 : comma + 20].partition(b",")[0].strip().isdigit()
    return csv or b" insn" in line or b"FAILED" in line


def clean_title(heading: str) -> str:
    """Return what a heading is about, without numbers, marks and "results of"; or nothing."""
    title = _RESULT_OF.sub("", _LEADING.sub("", plain(_NUMBERED.sub("", heading)).strip()))
    return title if len(title) <= _LONGEST_TITLE else ""


def _parse(text: str) -> Row | Failure | None:
    """Read a row of any form; None where it is none."""
    older = " cycles" in text or "tcs = " in text
    for pattern in (_MODERN, _OLDER, _OLDEST) if older else (_INSN, _CSV):
        found = pattern.search(text)
        if found:
            words = plain(found["text"]).strip()
            named = found.groupdict().get("id") or row_id(words) or slug(words)
            return _row(found, named, words)
    failure = _FAILURE.search(text)
    return failure and Failure(failure["id"], plain(failure["why"]).strip() or "no reason given")


def _row(found: re.Match[str], row_id: str, text: str) -> Row:
    figures = found.groupdict()
    try:
        ns = whole(figures["ns"]) if figures.get("ns") is not None else None
        return single(row_id, text, whole(figures["cycles"]), ns)
    except LogError as error:
        raise LogError(f"{row_id}: {error.message}") from None
