# SPDX-License-Identifier: Apache-2.0
"""What cyclictest prints of a machine's wake-up latencies: a histogram, statistics, or JSON.

    # Histogram                                        one column a thread
    000003 004711<tab>004702
    # Total: 000010000 000010000
    # Min Latencies: 00003 00003                       also Avg, Max
    # Histogram Overflows: 00001 00000

    T: 0 ( 1234) P:80 I:1000 C:  10000 Min:      3 Act:    5 Avg:    6 Max:      23

The unit is us, or ns with -N, which only the JSON says; a log with the command line in it is
believed, and where a mean is longer than the interval between two wake-ups it is doubted. A bar
of the histogram is a whole us wide. Samples beyond its end are counted and not seen, so
percentiles among them are not known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from foliot.importers.figures import counted, is_figure, told
from foliot.importers.numbers import LARGEST, number, whole
from foliot.importers.registry import LineReader, json_format, line_format
from foliot.importers.units import scaled
from foliot.model.errors import LogError
from foliot.model.names import plain
from foliot.model.published import published_run, single
from foliot.model.run import Origin, Row, Run

NAME = "cyclictest"
_BAR = re.compile(r"^\s*(\d{1,9})((?:\s+\d{1,12})+)\s*$")
_SUMMARY = re.compile(
    r"^# (?P<what>Total|(?:Min|Avg|Max) Latencies|Histogram Overflows):(?P<all>[\s\d]*)$"
)
_THREAD = re.compile(
    r"T:\s*(?P<thread>\d+) \(\s*\d+\) P:\s*\d+ I:\s*(?P<interval>\d+) C:\s*(?P<n>\d+) "
    r"Min:\s*(?P<min>\d+) Act:\s*\d+ Avg:\s*(?P<mean>\d+) Max:\s*(?P<max>\d+)"
)
_NANOSECONDS = re.compile(r"cyclictest\b.*\s(?:-\w*N\w*|--nsecs)\b")
_STATISTICS = {"Min Latencies": "min", "Avg Latencies": "mean", "Max Latencies": "max"}
_MOST_THREADS = 4096


@line_format
class Cyclictest(LineReader):
    """Collects a histogram with the summary behind it, and the threads' statistics."""

    name = NAME
    asked = 62
    marks = (b"# Histogram", b"# Total:", b" Latencies:", b"T:", b"cyclictest ",
             b" loadavg: ")  # fmt: skip

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._factor = 1000
        self._begin()

    def _begin(self) -> None:
        self._bars: list[tuple[int, Sequence[int]]] = []
        self._summary: dict[str, list[int]] = {}
        self._threads: dict[int, dict[str, int]] = {}
        self._first = self._last = 0
        self._late = False

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was one of cyclictest's."""
        text = line.decode("utf-8", "replace").rstrip()
        if self.reading:
            bar = _BAR.match(text)
            if bar:
                self._bar(whole(bar[1]), [whole(count) for count in bar[2].split()], number)
                return True
            self.reading = False
        if text == "# Histogram":
            self._close()
            self._first = self._first or number
            self.reading = True
            return True
        summary = _SUMMARY.match(text)
        if summary and (self._bars or summary["what"] != "Total"):
            self._summary[summary["what"]] = [whole(item) for item in summary["all"].split()]
            self._last = number
            return True
        thread = _THREAD.search(text)
        if thread:
            found = {key: whole(item) for key, item in thread.groupdict().items()}
            interval, one = found.pop("interval"), found.pop("thread")
            if found["n"]:  # before the first sample its minimum is a million
                self._threads[one] = found  # a terminal's log repeats them: the last
                self._late = self._late or found["mean"] > interval > 0
            self._first, self._last = self._first or number, number
            return True
        if _NANOSECONDS.search(text):
            self._factor = 1
        return text.startswith("policy: ") and " loadavg: " in text

    def _bar(self, value: int, counts: list[int], number: int) -> None:
        if self._bars and (len(counts) != len(self._bars[0][1]) or value <= self._bars[-1][0]):
            raise LogError(f"line {number}: the histogram is garbled")
        if len(counts) > _MOST_THREADS:
            raise LogError(f"line {number}: a histogram of {len(counts)} threads")
        self._bars.append((value, counts))
        self._last = number

    def end(self, number: int) -> None:
        """Close what is open."""
        self._close()

    def _close(self) -> None:
        rows = self._histograms() if self._bars else []
        if not rows:
            rows = [
                _statistics(thread, found, self._factor) for thread, found in self._threads.items()
            ]
        if rows:
            run = _run(rows, self._factor, self.source, (self._first, self._last))
            if self._late and self._factor > 1:
                run = replace(run, header=replace(run.header, extra={"late": True}))
            self.done.append(run)
        self._begin()

    def _histograms(self) -> list[Row]:
        threads = len(self._bars[0][1])
        totals = self._summary.get("Total")
        if totals is None:
            raise LogError(f"line {self._last}: the histogram is cut off: no line '# Total'")
        rows = []
        for thread in range(threads):
            bars = tuple((value, counts[thread]) for value, counts in self._bars if counts[thread])
            if thread < len(totals) and totals[thread] != sum(count for _, count in bars):
                raise LogError(
                    f"line {self._last}: thread {thread} has {sum(count for _, count in bars)} "
                    f"samples in its bars, and '# Total' says {totals[thread]}"
                )
            beyond = self._of("Histogram Overflows", thread) or 0
            known = {
                name: value
                for what, name in _STATISTICS.items()
                if (value := self._of(what, thread)) is not None
            }
            row = _row(f"cyclictest.t{thread}", bars, beyond, known, self._factor)
            if row is None and beyond and {"min", "mean", "max"} <= set(known):
                # Nearly all samples lie beyond the last bar: what the summary says stands.
                known["n"] = beyond + sum(count for _, count in bars)
                row = _statistics(thread, known, self._factor)
            if row is not None:
                rows.append(row)
        return rows

    def _of(self, what: str, thread: int) -> int | None:
        """Return what the summary says of a thread; a column for all together is none's."""
        values = self._summary.get(what, [])
        return values[thread] if thread < len(values) else None


def _row(
    name: str, bars: Sequence[tuple[int, int]], beyond: int, known: Mapping[str, float], factor: int
) -> Row | None:
    scaled_bars = tuple((value * factor, count) for value, count in bars)
    stats = {key: scaled(value, factor) for key, value in known.items()}
    return counted(name, "Wake-up latency", scaled_bars, beyond, **stats)


def _statistics(thread: int, found: Mapping[str, int], factor: int) -> Row:
    stats = {key: found[key] * factor for key in ("min", "mean", "max")}
    row = single(f"cyclictest.t{thread}", "Wake-up latency", stats["mean"])
    return told(row, n=max(1, found["n"]), **stats)


def _run(rows: Sequence[Row], factor: int, source: str, lines: tuple[int, int] | None) -> Run:
    origin = Origin(title=NAME, source=source, lines=lines, format=NAME)
    run = published_run(rows, origin=origin, suite=NAME, unit="ns")
    return replace(
        run, header=replace(run.header, counter={"name": "CLOCK_MONOTONIC", "granule": factor})
    )


@json_format(NAME)
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the run of `cyclictest --json`; None of any other file."""
    threads = value.get("thread") if isinstance(value, dict) else None
    if not isinstance(threads, dict) or "resolution_in_ns" not in value:
        return None
    factor = 1 if value["resolution_in_ns"] else 1000
    rows = []
    for name, thread in threads.items():
        if not isinstance(thread, dict) or not isinstance(thread.get("histogram", {}), dict):
            raise LogError(f"thread {plain(str(name))[:20]} is no object")
        bars = sorted(
            (_key(value), int(number(count, "a count")))
            for value, count in thread.get("histogram", {}).items()
        )
        known = {
            field: thread[key]
            for key, field in (("min", "min"), ("avg", "mean"), ("max", "max"))
            if is_figure(thread.get(key))
        }
        n = int(number(thread.get("cycles", 0), "cycles"))
        inside = sum(count for _, count in bars)
        if any(count < 0 for _, count in bars) or (n and inside > n):
            raise LogError(f"thread {plain(str(name))[:20]} has more samples than cycles")
        row = _row(f"cyclictest.t{plain(str(name))[:20]}", bars, max(0, n - inside), known, factor)
        if row is None and {"min", "mean", "max"} <= set(known) and n:
            whole_of = {"n": n, **{key: int(item) for key, item in known.items()}}
            row = replace(
                _statistics(0, whole_of, factor), id=f"cyclictest.t{plain(str(name))[:20]}"
            )
        if row is not None:
            rows.append(row)
    if not rows:
        return []
    run = _run(rows, factor, source, None)
    system = value.get("sysinfo")
    known = system if isinstance(system, dict) else {}
    kernel, version = (plain(str(known.get(key, ""))) for key in ("sysname", "release"))
    return [replace(run, origin=replace(run.origin, kernel=kernel, kernel_version=version))]


def _key(text: str) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > 18 or int(text) > LARGEST // 1000:
        raise LogError(f"'{plain(text)[:20]}' is no bar of a histogram")
    return int(text)
