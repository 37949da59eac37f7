# SPDX-License-Identifier: Apache-2.0
"""The rows of Zephyr's latency_measure, whatever has happened to them on their way.

zephyr_grammar.py reads a line; here rows become runs. A row that a terminal has broken into
lines is joined; a line that stands twice is one row; a row that comes again with other
figures begins another run. Where that leaves a doubt the row or the run carries a mark
(`damaged`), which judge/printed.py turns into words, and what is refused is kept with its
reason. Our own rows in `insn` are read as such where their machine lines have been lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from foliot.importers.headings import clean_title
from foliot.importers.numbers import MOST_ROWS, clock_hz
from foliot.importers.registry import LineReader, line_format
from foliot.importers.zephyr_grammar import MARKS, Odd, Parsed, holds_row, may_be_row, parse
from foliot.log.reader import FAILED, SUCCESSFUL
from foliot.model.errors import LogError
from foliot.model.names import plain, slug
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Origin, Refused, Row, Run
from foliot.reference.rows import catalogue

_BANNER = re.compile(r"\*\*\*\s*booting zephyr os\s+(?:build\s+|version\s+)?(?P<version>\S+)", re.I)
_OWN_BANNER = re.compile(r"\*\*\* Foliot (?P<version>\w+) on (?P<board>\w+) \*\*\*")
_FREQUENCY = re.compile(r"Clock frequency: (?P<clock>\d+ [kMG]Hz)")
_SAMPLES = re.compile(
    r"(?:NUM_ITERATIONS\s*[=:]|iterations\s*[:=]|(?:mean|average) of|averaged over)\s*"
    r"(?P<samples>\d{1,3}(?:,\d{3})+|\d{1,7})",
    re.IGNORECASE,
)
_SAME_ROWS = 50_000
_LONGEST_ROW = 400
_MOST_PIECES = 4
_MOST_REFUSED = 200
_SHORT_RUN = 8
_USER_SHARE = 0.1

# What a heading says of the configuration; userspace is told by the rows themselves.
_CONFIGURATIONS = (("canar", "canaries"), ("object core", "objcore"), ("objcore", "objcore"),
                   ("timeslic", "timeslicing"))  # fmt: skip

# What says something of a run without being a row.
_OF_RUNS = (b"PROJECT EXECUTION", b"ooting", b"BOOTING", b"Clock frequency", b"*** Foliot ",
            b"NUM_ITERATIONS", b"terations")  # fmt: skip


@dataclass(slots=True)
class _Open:
    """The run that is being read."""

    version: str = ""
    title: bytes = b""
    clock: int = 0
    own_board: str = ""
    unit: str = "cycles"
    samples: int = 0
    first: int = 0
    last: int = 0
    rows: dict[str, Row] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)
    torn: str = ""  # why its rows may not be of one run, or not all of it

    def holds(self) -> bool:
        """Whether anything was read that a run is made of."""
        return bool(self.rows or self.failures)


@dataclass(slots=True)
class _Half:
    """The beginning of a row that may go on in the next line."""

    text: str
    number: int
    pieces: int
    reason: str


@line_format
class ZephyrRows(LineReader):
    """Collects rows into runs; a banner, an end, or a row that comes again divides them."""

    name = "Zephyr latency_measure (1.x, 2.x, 3.x, 4.x, CSV)"
    asked = 10
    marks = (b" cycles", b" insn", b"PROJECT EX", b"ooting", b"BOOTING", b"FAILED", b"Clock freq",
             b"*** Foliot ", b"NUM_ITERATIONS", b"terations", *MARKS)  # fmt: skip
    marks_with_end = ((b" - ", b",0123456789"),)  # rows of CSV
    in_pages = True

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._seen: dict[bytes, Row | Failure] = {}
        self._words: dict[bytes, tuple[str, str]] = {}
        self._half: _Half | None = None
        self._held: _Open | None = None
        self._run = _Open()
        self._samples = 0

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; `heading` is what heads it. True where it was understood, or refused."""
        found = self._seen.get(line)
        if found is None:
            parsed = self._parse(line)
            if not isinstance(parsed, Row | Failure):
                return self._feed_other(parsed, line, number, heading)
            found = parsed
            if len(self._seen) >= _SAME_ROWS:
                self._seen.clear()
            self._seen[line] = found
        if self._half:
            # The rest of a broken row may look like a row of a version without ids.
            joined = self._join(line.decode("utf-8", "replace")) if _by_text(found) else None
            if joined is not None:
                return self._take(joined, number, heading)
            self._half_lost()
        return self._take(found, number, heading)

    def _feed_other(self, found: Odd | None, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line that is no whole row: the rest of one, half of one, or something else."""
        text = line.decode("utf-8", "replace")
        if self._half:
            pieces = self._half.pieces
            joined = self._join(text)
            if joined is not None:
                return self._take(joined, number, heading)
            if self._half and self._half.pieces > pieces:
                return True
            self._half_lost()
        if isinstance(found, Odd):
            self._odd(found, text, number)
            return True
        return any(mark in line for mark in _OF_RUNS) and self._other(text, number, heading)

    def _join(self, text: str) -> Row | Failure | None:
        """Put a broken row together; None where this line is not, or not yet, the rest of it.

        A terminal breaks a line anywhere, within a number too, and an editor between words.
        """
        half = self._half
        if half is None or holds_row(text) or len(half.text) + len(text) > _LONGEST_ROW:
            return None
        for between in ("", " "):
            found = parse(f"{half.text}{between}{text}")
            if isinstance(found, Row | Failure):
                self._half, self.watching = None, False
                self.late += half.pieces - 1
                self.joined += 1
                return found
        if text.strip() and half.pieces < _MOST_PIECES:
            more = parse(half.text + text)
            if isinstance(more, Odd) and more.half:
                self._half = _Half(half.text + text, half.number, half.pieces + 1, half.reason)
        return None

    def _half_lost(self) -> None:
        """Refuse the beginning of a row that does not go on."""
        half, self._half, self.watching = self._half, None, False
        if half is not None:
            self._refuse(half.number, half.reason, half.text)

    def _odd(self, found: Odd, text: str, number: int) -> None:
        if found.half:
            self._half, self.watching = _Half(text, number, 1, found.reason), True
        else:
            self._refuse(number, found.reason, text)

    def _refuse(self, number: int, reason: str, text: str) -> None:
        """Keep a line that looks like a row: with the run that is open, and the document."""
        self.late -= 1
        for kept in (self._run.refused, self.refused):
            if len(kept) < _MOST_REFUSED:
                kept.append(Refused(number, plain(reason), plain(text).strip()[:120]))
            else:
                kept[-1] = replace(kept[-1], more=kept[-1].more + 1)
        if self._run.holds():
            self._run.last = number

    def _take(self, found: Row | Failure, number: int, heading: bytes) -> bool:
        """Put a row into the run that it belongs to: this one, or the next."""
        run = self._run
        unit = (
            ("cycles" if found.ns is not None else "insn") if isinstance(found, Row) else run.unit
        )
        if found.id in run.rows or found.id in run.failures or (run.rows and unit != run.unit):
            if self._is_twice(found, number):
                return True
            self._divide(found.id)
            run = self._run
        if not run.holds():
            run.first = run.first or number
            run.title = run.title or heading
        run.unit = unit
        if isinstance(found, Failure):
            run.failures[found.id] = found
        else:
            run.rows[found.id] = found
            if len(run.rows) > MOST_ROWS:
                raise LogError(f"line {number}: more than {MOST_ROWS} rows in one run")
        run.last = number
        return True

    def _is_twice(self, found: Row | Failure, number: int) -> bool:
        """Whether a row only stands there once more, with the same figures: it is marked."""
        run = self._run
        kept = run.rows.get(found.id)
        if isinstance(found, Failure) or kept is None or not _same(kept, found):
            return False
        if found.id == next(iter(run.rows)) and len(run.rows) > 1:
            return False  # the whole run may stand there twice
        run.rows[found.id] = replace(kept, extra={**kept.extra, "twice": number})
        self.repeated += 1
        run.last = number
        return True

    def _divide(self, again: str) -> None:
        """Begin another run at a row that comes again; say so where no run ends there."""
        run = self._run
        regular = again == next(iter(run.rows), "") and len(run.rows) >= _SHORT_RUN
        torn = "" if regular else again
        run.torn = run.torn or torn
        version, samples = run.version, run.samples
        self._put_away()
        self._run = _Open(version=version, torn=torn, samples=samples)

    def _put_away(self) -> None:
        """Keep a run back until it is seen whether the next one is the rest of it."""
        run, held = self._run, self._held
        if held is not None and run.holds() and _is_rest(held, run):
            twice = {row_id for row_id in run.rows if row_id in held.rows}
            for row_id in twice:
                kept = held.rows[row_id]
                held.rows[row_id] = replace(kept, extra={**kept.extra, "twice": run.first})
            self.repeated += len(twice)
            held.rows.update({k: row for k, row in run.rows.items() if k not in twice})
            held.failures.update(run.failures)
            held.refused += run.refused
            held.last, held.torn = run.last, ""
            self._run = held
            self._held = None
            return
        if held is not None:
            self._emit(held, True)
        self._held = run if run.holds() else None

    def _close(self, successful: bool) -> None:
        """Close the run, if there is one."""
        self._half_lost()
        version = self._run.version
        self._put_away()
        if self._held is None and self._run.holds():
            self._held = self._run
        if self._held is not None:
            self._emit(self._held, successful)
        elif self._run.refused and self.done:
            self._blame_last()
        self._held, self._run = None, _Open(version=version, samples=self._samples)

    def _blame_last(self) -> None:
        """Keep what was refused after the last run's end with that run."""
        last = self.done[-1]
        refused = (*last.origin.refused, *self._run.refused)[:_MOST_REFUSED]
        self.done[-1] = replace(last, origin=replace(last.origin, refused=refused))

    def end(self, number: int) -> None:
        """Close the last run."""
        self._close(True)

    def _parse(self, line: bytes) -> Parsed | None:
        """Read a row; one whose words were there before is taken apart without a pattern."""
        words, mark, figures = line.partition(b" cycles ,")
        if mark:
            start, _, cycles = words.rpartition(b":")
            named = self._words.get(start)
            ns, ends, rest = figures.partition(b" ns")
            whole = bool(ends) and not rest.strip(b" :")
            if named and whole and len(cycles) < 19 and len(ns) < 19:
                cycles, ns = cycles.strip(), ns.strip()
                if cycles.isdigit() and ns.isdigit():
                    return single(named[0], named[1], int(cycles), int(ns))
        found = parse(line.decode("utf-8", "replace")) if may_be_row(line) else None
        if mark and isinstance(found, Row) and not found.extra:
            if len(self._words) >= _SAME_ROWS:
                self._words.clear()
            self._words[start] = (found.id, found.text)
        return found

    def _other(self, text: str, number: int, heading: bytes) -> bool:
        """Take what is no row: the banner, the clock, the number of samples, the end."""
        banner, own = _BANNER.search(text), _OWN_BANNER.search(text)
        if banner or own:
            self._close(True)
            self._run.first = number
            if banner:
                self._run.version, self._run.title = plain(banner["version"]), heading
            elif own:
                self._run.version, self._run.own_board = own["version"], own["board"]
            return True
        if SUCCESSFUL in text or FAILED in text:
            if self._run.holds():
                self._run.last = number
            self._close(SUCCESSFUL in text)
            self._run.version = ""
            return True
        frequency = _FREQUENCY.search(text)
        if frequency:
            self._run.clock = clock_hz(frequency["clock"])
        samples = _SAMPLES.search(text)
        if samples:
            self._samples = self._run.samples = int(samples["samples"].replace(",", ""))
        return frequency is not None

    def _emit(self, run: _Open, successful: bool) -> None:
        """Make a run of what was read."""
        texts = [row_id for row_id, row in run.rows.items() if row.extra.get("named")]
        if texts and len(texts) < len(run.rows):
            for row_id in texts:  # ids are printed here: one whose id is lost is nobody's
                row = run.rows.pop(row_id)
                lost = Refused(run.first, "figures whose id is lost or broken",
                               f"{row.text} : {row.p50:g} cycles , {row.ns or 0:g} ns")  # fmt: skip
                run.refused.append(lost)
                self.refused.append(lost)
        run.rows = {row_id: replace(row, extra={}) if row.extra.get("named") else row
                    for row_id, row in run.rows.items()}  # fmt: skip
        by_text = bool(texts) and len(texts) == len(run.rows)
        self.done.append(_run_of(run, self.source, successful, by_text))


def _by_text(found: Row | Failure) -> bool:
    return isinstance(found, Row) and "named" in found.extra


def _same(one: Row, other: Row) -> bool:
    return (one.p50, one.ns) == (other.p50, other.ns)


def _is_rest(held: _Open, run: _Open) -> bool:
    """Whether a run is the rest of the one before: hardly a row again, and those the same."""
    again = [row_id for row_id in run.rows if row_id in held.rows]
    same = all(_same(held.rows[row_id], run.rows[row_id]) for row_id in again)
    return bool(held.torn) and same and 2 * len(again) < min(len(run.rows), len(held.rows))


def _run_of(run: _Open, source: str, successful: bool, by_text: bool) -> Run:
    heading = run.title.decode("utf-8", "replace")
    title, lower = clean_title(heading), heading.lower()
    configuration = next((name for word, name in _CONFIGURATIONS if word in lower), "default")
    user = sum(row_id.endswith((".user", ".u_to_u", ".from.user")) for row_id in run.rows)
    if user > _USER_SHARE * len(run.rows):
        configuration = "userspace"
    of_latency = not _latency_rows().isdisjoint(run.rows)
    kernel = "Zephyr" if run.version or of_latency else ""
    origin = Origin(
        kernel="Foliot" if run.own_board or run.unit == "insn" else kernel,
        kernel_version=run.version, title=title, source=source,
        lines=(run.first, run.last), format=f"latency_measure{', texts only' if by_text else ''}",
        refused=tuple(run.refused),
    )  # fmt: skip
    unnamed = not title or "sample output" in lower
    extra: dict[str, Any] = {"samples": run.samples} if run.samples else {}
    if run.torn:
        extra["torn"] = run.torn
    return published_run(
        list(run.rows.values()), origin=origin, suite="latency" if of_latency else "rows",
        unit=run.unit, board=run.own_board or ("unnamed" if unnamed else slug(title)),
        configuration=configuration, declared_hz=run.clock,
        failures=run.failures.values(), successful=successful and not run.failures,
        header={"extra": extra} if extra else None,
    )  # fmt: skip


@cache
def _latency_rows() -> frozenset[str]:
    return frozenset(row.id for row in catalogue())
