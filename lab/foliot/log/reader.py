# SPDX-License-Identifier: Apache-2.0
"""Reading what the firmware prints, line by line, and refusing what can't be trusted.

The log is read while the target still runs, for the live display, and judged as a whole
at its end: a missing header, a wrong checksum, a row that its human line contradicts or
an end that never came makes the whole log worthless, and one line says which it was.
Nothing is repaired. The golden logs in tests/lab/golden/ fix the format.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from foliot.log import records
from foliot.model.errors import LogError
from foliot.model.names import counted
from foliot.model.run import Failure, Fault, Header, Row, Run

MARK = b"@foliot "
CUT = b"~"  # somebody else wrote meanwhile: the line comes anew (lib/console_line.h)
SUCCESSFUL = "PROJECT EXECUTION SUCCESSFUL"
FAILED = "PROJECT EXECUTION FAILED"

# The grammar that twister's record regex collects, and its two other forms.
CYCLES_LINE = re.compile(
    r"(?P<metric>\S+)\s+- (?P<description>.*):\s*(?P<value>-?\d+) cycles ,\s*(?P<ns>-?\d+) ns :?"
)
COUNT_LINE = re.compile(
    r"(?P<metric>\S+)\s+- (?P<description>.*):\s*(?P<value>-?\d+) (?P<unit>insn|tsc) :?"
)
FAILED_LINE = re.compile(r"(?P<metric>\S+)\s+- (?P<description>.*):\s*FAILED\s*:\s*(?P<reason>.*)")

Event = Header | Row | Failure | Fault


class LogReader:
    """Takes a log's lines one at a time; `finish` turns them into a Run or refuses them.

    `feed` raises LogError at the first line that can't be; `faults` holds what the
    target said about its own death, which is of interest even though (and because)
    such a log is no result. A record `probe` announces one fault of a user thread, which has to
    come for the run to go on (suites/measure/user.c).
    """

    def __init__(self) -> None:
        """Begin with no line read."""
        self.header: Header | None = None
        self.rows: dict[str, Row] = {}
        self.failures: dict[str, Failure] = {}
        self.faults: list[Fault] = []
        self.line = 0
        self._crc = 0
        self._end: Mapping[str, Any] | None = None
        self._outcome: str | None = None
        self._human: dict[str, tuple[int, str, str]] = {}
        self._others: list[Mapping[str, Any]] = []
        self._probe: int | None = None

    def feed(self, line: bytes) -> Event | None:
        """Take the next line, with or without its end; return what it announced."""
        self.line += 1
        line = line.rstrip(b"\r\n")
        try:
            if line.startswith(MARK) and not line.endswith(CUT):
                return self._machine(line)
            self._human_line(line.decode("utf-8", "replace").strip())
        except LogError as error:
            raise LogError(f"line {self.line}: {error.message}") from None
        return None

    def finish(self) -> Run:
        """Judge the whole log; raise LogError unless it is complete and consistent."""
        if self.header is None:
            raise LogError("the log holds no '@foliot' header: not a Foliot log, or cut off")
        if self.faults:
            raise LogError("the target died of a fault before its log was complete")
        if self._end is None:
            raise LogError(
                f"the log is cut off: {counted(len(self.rows), 'row')} and no end record"
            )
        if self._outcome is None:
            raise LogError("the log is cut off: its last line, 'PROJECT EXECUTION', is missing")
        if (self._outcome == SUCCESSFUL) == bool(self.failures):
            raise LogError(
                f"the log ends with '{self._outcome}' and has "
                f"{len(self.failures)} failed rows: one of them is wrong"
            )
        self._compare_human_lines(self.header.unit)
        return Run(
            header=self.header,
            rows=tuple(self.rows.values()),
            failures=tuple(self.failures.values()),
            successful=self._outcome == SUCCESSFUL,
            records=tuple(self._others),
        )

    def _machine(self, line: bytes) -> Event | None:
        try:
            record = records.parse_object(line[len(MARK) :].decode("utf-8"))
        except UnicodeDecodeError:
            raise LogError("a record that is not UTF-8 (garbled)") from None
        kind = records.text(record, "type")
        if kind == "end":
            self._take_end(record)
            return None
        if self._end is not None:
            raise LogError(f"a '{kind}' record after the end record")
        if kind == "fault":
            # It comes from the kernel and not from the measuring library: not summed up.
            return self._take_fault(records.fault(record))
        self._crc = zlib.crc32(line + b"\n", self._crc)
        if kind == "header":
            return self._take_header(record)
        if self.header is None:
            raise LogError(f"a '{kind}' record before the header: the log's beginning is missing")
        if kind == "row":
            return self._take_row(records.row(record))
        if kind == "failure":
            failure = records.failure(record)
            self._take_id(failure.id)
            self.failures[failure.id] = failure
            return failure
        if kind == "probe":
            self._probe = records.address(record, "thread")
        self._others.append(record)
        return None

    def _take_fault(self, fault: Fault) -> Fault | None:
        """Keep what the target died of; a user thread that was announced to die is no death."""
        if fault.thread == self._probe:
            self._probe = None
            return None
        self.faults.append(fault)
        return fault

    def _take_header(self, record: Mapping[str, Any]) -> Header:
        if self.header is not None:
            raise LogError("a second header: the target restarted in the middle of the run")
        self.header = records.header(record)
        return self.header

    def _take_row(self, row: Row) -> Row:
        self._take_id(row.id)
        self.rows[row.id] = row
        return row

    def _take_id(self, row_id: str) -> None:
        if row_id in self.rows or row_id in self.failures:
            raise LogError(f"row '{row_id}' stands twice in the log")

    def _take_end(self, record: Mapping[str, Any]) -> None:
        if self.header is None:
            raise LogError("an 'end' record before the header: the log's beginning is missing")
        if self._end is not None:
            raise LogError("a second end record")
        told = (records.integer(record, "rows"), records.integer(record, "failed"))
        read = (len(self.rows), len(self.failures))
        if told != read:
            raise LogError(
                f"the end record counts {told[0]} rows and {told[1]} failed, "
                f"the log holds {read[0]} and {read[1]}: lines are missing"
            )
        crc = records.text(record, "crc32").lower()
        if crc.removeprefix("0x").zfill(8) != f"{self._crc:08x}":
            raise LogError(
                f"the checksum is {self._crc:08x} and should be {crc}: the log was garbled"
            )
        self._end = record

    def _human_line(self, line: str) -> None:
        if line in (SUCCESSFUL, FAILED):
            self._outcome = line
            return
        for pattern in (CYCLES_LINE, COUNT_LINE):
            match = pattern.fullmatch(line)
            if match:
                unit = match.groupdict().get("unit", "cycles")
                self._human[match["metric"]] = (self.line, unit, match["value"])
                return

    def _compare_human_lines(self, run_unit: str) -> None:
        """Refuse a human line that says something else than its row's record."""
        for metric, (line, unit, value) in self._human.items():
            row, value_shown = self._shown(metric)
            if row is None:
                continue
            if unit != run_unit:
                raise LogError(f"line {line}: {metric} in {unit}, the run is in {run_unit}")
            if value != str(value_shown):
                raise LogError(
                    f"line {line}: {metric} reads {value}, its record says {value_shown}"
                )

    def _shown(self, metric: str) -> tuple[Row | None, float]:
        """Return the row and the figure that the human line `metric` is about."""
        if metric in self.rows:
            return self.rows[metric], self.rows[metric].p50
        row_id, _, suffix = metric.rpartition(".")
        if row_id in self.rows and suffix in ("min", "p90", "p99", "max", "first"):
            return self.rows[row_id], getattr(self.rows[row_id], suffix)
        return None, 0


def parse(log: bytes | str) -> Run:
    """Read a whole log at once.

    Raises LogError with one line that says what is wrong with it.
    """
    return parse_lines((log.encode() if isinstance(log, str) else log).split(b"\n"))


def parse_lines(lines: Iterable[bytes]) -> Run:
    """Read a log from its lines, in bounded memory but for the rows themselves."""
    reader = LogReader()
    for line in lines:
        reader.feed(line)
    return reader.finish()
