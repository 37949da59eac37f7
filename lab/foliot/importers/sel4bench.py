# SPDX-License-Identifier: Apache-2.0
"""What sel4bench writes: a JSON list, by itself or in a log.

It ends its log with the list between `JSON OUTPUT` and `END JSON OUTPUT` (older logs and
scripts write `BEGIN JSON OUTPUT`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from foliot.importers.numbers import number
from foliot.importers.registry import LineReader, json_format, line_format
from foliot.model.errors import LogError
from foliot.model.names import plain, slug
from foliot.model.published import published_run, single
from foliot.model.run import Origin, Row, Run

NAME = "sel4bench (JSON)"
_BEGIN = re.compile(r"^\W*(?:BEGIN |START )?JSON OUTPUT\b\W*$")
_END = re.compile(r"END(?: OF)? JSON(?: OUTPUT)?\b")
_LONGEST_BLOCK = 64 << 20


@line_format
class Sel4Blocks(LineReader):
    """Collects the lines of a JSON block in a log."""

    name = NAME
    asked = 20
    marks = (b"JSON OUT",)

    def __init__(self, source: str) -> None:
        """Begin outside of any block."""
        super().__init__(source)
        self._lines: list[str] | None = None
        self._first = self._size = 0

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line of a block, or the one that begins it; True where it was one."""
        if self._lines is None and b"JSON OUTPUT" not in line:
            return False
        text = line.decode("utf-8", "replace")
        if self._lines is None:
            if _BEGIN.match(text):
                self._lines, self._first, self._size = [], number, 0
                self.reading = True
                return True
            return False
        end = _END.search(text)
        self._lines.append(text[: end.start()] if end else text)
        self._size += len(line)
        if self._size > _LONGEST_BLOCK:
            raise LogError(f"line {self._first}: a JSON block of more than 64 MiB")
        if end:
            self._close()
        return True

    def end(self, number: int) -> None:
        """Refuse a block that was cut off."""
        if self._lines is not None:
            raise LogError(f"line {self._first}: the JSON block is cut off")

    def _close(self) -> None:
        lines, self._lines, self.reading = self._lines or [], None, False
        try:
            value = json.loads("\n".join(lines))
        except (ValueError, RecursionError):
            raise LogError(f"line {self._first}: the JSON block is garbled") from None
        self.done += sel4_runs(value, self.source)


@json_format(NAME)
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the runs of a file that is sel4bench's list; None where it isn't."""
    return sel4_runs(value, source) if is_sel4(value) else None


def is_sel4(value: Any) -> bool:
    """Whether a JSON value is what sel4bench writes."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and {"Benchmark", "Results"} <= set(item) for item in value)
    )


def sel4_runs(value: Any, source: str) -> list[Run]:
    """Return the runs of a sel4bench list: one an iteration."""
    if not is_sel4(value):
        raise LogError("the JSON block is not sel4bench's: no list of 'Benchmark' and 'Results'")

    def iteration(item: Mapping[str, Any]) -> str:
        return str(item.get("Iteration", 0))

    runs = []
    for name, items in groupby(sorted(value, key=iteration), iteration):
        rows: dict[str, Row] = {}
        for item in items:
            for row in _sel4_rows(item):
                rows.setdefault(row.id, row)
        origin = Origin(kernel="seL4", title=f"iteration {name}", source=source, format="sel4bench")
        runs.append(published_run(list(rows.values()), origin=origin, suite="ipc", unit="cycles"))
    return [run for run in runs if run.rows]


def _sel4_rows(item: Mapping[str, Any]) -> Iterator[Row]:
    benchmark, results = str(item["Benchmark"]), item["Results"]
    if not isinstance(results, list):
        raise LogError(f"sel4bench's '{plain(benchmark)[:40]}' has no list of results")
    for result in results:
        if isinstance(result, dict) and not isinstance(result.get("Mean"), str | None):
            yield _sel4_row(benchmark, result)


def _sel4_row(benchmark: str, result: Mapping[str, Any]) -> Row:
    told = {
        key: number(result[key], key)
        for key in ("Min", "Max", "Mean", "Median", "Stddev", "Samples")
        if not isinstance(result.get(key), str | None)
    }
    mean = told["Mean"]
    median = told.get("Median", mean)
    row = single(sel4_id(benchmark, result), plain(benchmark), median, stddev=told.get("Stddev", 0))
    raw = result.get("Raw results")
    n = max(1, int(told.get("Samples", 1)))
    if isinstance(raw, list) and len(raw) == n and all(type(item) is int for item in raw):
        bars = tuple((item, len(list(same))) for item, same in groupby(sorted(raw)))
        row = replace(row, histogram=bars, first=raw[0], max_index=raw.index(max(raw)))
    else:
        row = replace(row, histogram=())
    low, high = told.get("Min", median), told.get("Max", median)
    # Of so few samples the 99th of a hundred is the largest; the 90th is at most that.
    return replace(row, n=n, min=low, p50=median, p90=high, p99=high, max=high, mean=mean)


def sel4_id(benchmark: str, result: Mapping[str, Any]) -> str:
    """Return our id of a sel4bench result: that of the same operation where we have it."""
    function, length = str(result.get("Function", "")), result.get("IPC length", 0)
    client, server = result.get("Client Prio"), result.get("Server Prio")
    words = "" if length in (0, None) else f".{slug(str(length))}_words"
    if client is not None and client != server:
        words += f".prio_{slug(str(client))}_{slug(str(server))}"
    for name, kind in (
        ("seL4_Call", ""),
        ("seL4_ReplyRecv", ".reply"),
        ("seL4_ReplyWait", ".reply"),
    ):
        if function == name:
            if result.get("Same vspace?"):
                return f"ipc{kind or ''}.intra{words}"
            return f"ipc{kind or '.inter'}{words}"
    known = {"Hardware null_syscall thread": "ipc.syscall",
             "Signal to thread of higher prio": "ipc.signal.switch",
             "faulter -> fault handler": "ipc.fault.to_handler",
             "fault handler -> faulter": "ipc.fault.from_handler"}  # fmt: skip
    if benchmark in known:
        return known[benchmark]
    more = [slug(str(value)) for key, value in result.items() if key not in _STATISTICS]
    return ".".join(["sel4", slug(benchmark), *filter(None, more)])


_STATISTICS = {"Min", "Max", "Mean", "Stddev", "Variance", "Mode", "Median", "1st quantile",
               "3rd quantile", "Samples", "Raw results", "Stddev %"}  # fmt: skip
