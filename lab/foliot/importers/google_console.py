# SPDX-License-Identifier: Apache-2.0
"""What google-benchmark prints on a terminal, and its CSV, taken as its JSON is.

Benchmark                     Time             CPU   Iterations       between two rules
BM_Copy/64                 2.74 ns         2.73 ns     10197040 bytes_per_second=21.8086G/s
BM_Copy/64_median          3.27 ns         2.58 ns            3
BM_Copy_BigO               0.02 N          0.01 N
BM_Err                      ERROR OCCURRED: 'it broke'
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Any

from foliot.importers.console import NUMBER, ConsoleReader
from foliot.importers.figures import Collected
from foliot.importers.google_benchmark import collected
from foliot.importers.registry import csv_format, line_format
from foliot.model.errors import LogError
from foliot.model.names import plain
from foliot.model.run import Origin, Run

_HEAD = re.compile(r"Benchmark\s+Time\s+CPU\s+Iterations\b.*")
_ROW = re.compile(
    rf"(?P<name>\S.*?)\s+(?P<time>-?{NUMBER}) (?P<unit>ns|us|ms|s)\s+"
    rf"(?P<cpu>-?{NUMBER}) (?:ns|us|ms|s)\s+(?P<n>\d{{1,18}})(?:\s.*)?"
)
_NO_TIME = re.compile(r"\S.*?(?:_cv|_BigO|_RMS)\s+\S+ \S{1,8}\s+\S+ \S{1,8}(?:\s.*)?")
_BAD = re.compile(r"(?P<name>\S.*?)\s+(?P<what>ERROR OCCURRED|SKIPPED): '(?P<why>.*)'\s*")
_RULE = re.compile(r"-{20,}")
_PROGRAM = re.compile(r"Running (?P<program>\S.*)")
_DEBUG = "Library was built as DEBUG"
_AGGREGATES = ("mean", "median", "stddev")
_CSV = ("name", "iterations", "real_time", "cpu_time", "time_unit")
_MOST = 20_000

Entry = dict[str, Any]


@line_format
class GoogleConsole(ConsoleReader):
    """Takes the lines under the head, until one is none of google-benchmark's."""

    name = "google-benchmark's console"
    suite = "google-benchmark"
    asked = 42
    marks = (b"Iterations", b"Running ", _DEBUG.encode())

    def begin(self) -> None:
        """Forget what was read."""
        super().begin()
        self._entries: list[Entry] = []
        self._program, self._debug = "", False

    def take(self, text: str, number: int, heading: bytes) -> bool:
        """Take a line that is google-benchmark's."""
        program = _PROGRAM.fullmatch(text)
        if program:
            if self._entries:
                self.close()
            self._program, self._debug = plain(program["program"]).rpartition("/")[2], False
            return False
        if text.startswith("***WARNING***"):
            self._debug = self._debug or _DEBUG in text
            return True
        if _HEAD.fullmatch(text):
            self.watching = True
            return True
        if not self.watching or not text:
            return False
        return self._entry(text)

    def _entry(self, text: str) -> bool:
        row, bad = _ROW.fullmatch(text), _BAD.fullmatch(text)
        if row and len(self._entries) < _MOST:
            self._entries.append({
                "name": row["name"], "real_time": float(row["time"]),
                "cpu_time": float(row["cpu"]), "time_unit": row["unit"],
            })  # fmt: skip
        elif bad:
            key = "error_occurred" if bad["what"].startswith("ERROR") else "skipped"
            message = {"error_message": bad["why"], "skip_message": bad["why"]}
            self._entries.append({"name": bad["name"], key: True, **message})
        elif not _NO_TIME.fullmatch(text) and not _RULE.fullmatch(text):
            return False
        return True

    def finish(self) -> None:
        """Make rows of the entries, as of those of a JSON file."""
        self.watching = False
        self.title = self._program
        self.header = {"flags": "-O0"} if self._debug else {}
        self.found = collected(_with_aggregates(self._entries))


def _with_aggregates(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries as a JSON file has them: which are aggregates of which benchmark.

    On a terminal only their names tell: all of mean, median and deviation are there.
    """
    names = {entry["name"] for entry in entries}
    told = []
    for entry in entries:
        base, _, kind = entry["name"].rpartition("_")
        whole = kind in _AGGREGATES and all(f"{base}_{one}" in names for one in _AGGREGATES)
        more = {"run_name": base, "run_type": "aggregate", "aggregate_name": kind} if whole else {}
        told.append({**entry, **more})
    return told


@csv_format("google-benchmark's CSV", _CSV)
def runs_of_csv(lines: Sequence[str], source: str) -> list[Run]:
    """Return the run of `--benchmark_format=csv`."""
    entries: list[Entry] = []
    for line in csv.DictReader(lines):
        if not line.get("name"):
            continue
        entry: Entry = {key: value for key, value in line.items() if key and value}
        for key in ("real_time", "cpu_time"):
            try:
                entry[key] = float(line.get(key) or "nan")
            except ValueError:
                entry[key] = None
        entries.append(entry)
    found: Collected = collected(
        _with_aggregates([e for e in entries if not e["name"].endswith(("_cv", "_BigO", "_RMS"))])
    )
    if not found.rows and not found.failures:
        raise LogError("a CSV file of google-benchmark's without a benchmark")
    return found.runs(Origin(source=source, format="google-benchmark's CSV"), "google-benchmark")
