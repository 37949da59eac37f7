# SPDX-License-Identifier: Apache-2.0
"""What seL4's and L4Re's benchmarks print, and the table in which L4Re publishes it.

sel4bench ends its log with a JSON list between `JSON OUTPUT` and `END JSON OUTPUT` (older
logs and scripts write `BEGIN JSON OUTPUT`); the list by itself is read as well.
ipcbench prints `done 600000 IPCs in ... cpu-cycles, 562 cpu-cycles/IPC`, under a line that
says between what. On x86 its `cpu-cycles` are the time-stamp counter's, which is no cycle
of the core; the performance counters' three units (tsc, clk, insnret) are three runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from foliot.importers.numbers import number, whole
from foliot.model.errors import LogError
from foliot.model.foreign import foreign_run, single
from foliot.model.names import plain, slug
from foliot.model.run import Origin, Row, Run

_BEGIN = re.compile(r"^\W*(?:BEGIN |START )?JSON OUTPUT\b\W*$")
_END = re.compile(r"END(?: OF)? JSON(?: OUTPUT)?\b")
_LONGEST_BLOCK = 64 << 20

_DONE = re.compile(
    r"(?:CPU\s+(?P<cpu>\d+)\s+)?done (?P<n>\d+) (?P<what>IPC|syscall)s in \d+ (?P<unit>[\w-]+), "
    r"(?P<each>\d+) [\w-]+/"
)
_UNITS = {
    "cpu-cycles": "cycles", "clk-units": "cycles", "CPU_CYCLES": "cycles",
    "insnret-units": "insn", "INST_RETIRED": "insn", "tsc-units": "tsc", "ns": "ns",
}  # fmt: skip
_X86 = re.compile(rb"\b(?:Intel|AMD|amd64|x86)", re.IGNORECASE)

_FIGURE = r"(?P<{0}>\d+(?:/\d+)*)\s*(?:\[#?(?P<{0}_mark>\d+)\]_?)?"
_LINE = re.compile(
    r"\|(?P<platform>[^|]+)\|(?P<cpu>[^|]+)\|\s*"
    + r"\s*\|\s*".join(_FIGURE.format(name) for name in ("intra", "inter", "syscall"))
    + r"\s*\|(?P<rest>.*?)(?=\+-|\|[^|]+\|[^|]+\|\s*\d|$)",
    re.DOTALL,
)


class Sel4Blocks:
    """Collects the lines of a JSON block in a log."""

    name = "sel4bench (JSON)"

    def __init__(self, source: str) -> None:
        """Begin outside of any block."""
        self.source = source
        self.done: list[Run] = []
        self._lines: list[str] | None = None
        self._first = self._size = 0

    @property
    def reading(self) -> bool:
        """True inside of a block: then every line belongs to it."""
        return self._lines is not None

    def feed(self, line: bytes, number: int) -> bool:
        """Take a line of a block, or the one that begins it; True where it was one."""
        text = line.decode("utf-8", "replace")
        if self._lines is None:
            if _BEGIN.match(text):
                self._lines, self._first, self._size = [], number, 0
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

    def end(self) -> None:
        """Refuse a block that was cut off."""
        if self._lines is not None:
            raise LogError(f"line {self._first}: the JSON block is cut off")

    def _close(self) -> None:
        lines, self._lines = self._lines or [], None
        try:
            value = json.loads("\n".join(lines))
        except (ValueError, RecursionError):
            raise LogError(f"line {self._first}: the JSON block is garbled") from None
        self.done += sel4_runs(value, self.source)


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
        runs.append(foreign_run(list(rows.values()), origin=origin, suite="ipc", unit="cycles"))
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


class L4ReBench:
    """Collects what ipcbench prints; each unit that it counts in is a run of its own."""

    name = "L4Re ipcbench"

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        self.source = source
        self.done: list[Run] = []
        self._rows: dict[str, dict[str, Row]] = {}
        self._where = "intra"
        self._parallel = ""
        self._x86 = False

    def feed(self, line: bytes) -> bool:
        """Take a line; True where it was a figure of ipcbench's, or says of what the next are."""
        if b" address space" in line and b"IPC" in line:
            self._where = "inter" if b"two" in line or b"between" in line else "intra"
            self._parallel = ".parallel" if b"parallel" in line else ""
            return True
        if line.lstrip().startswith(b"Syscall benchmark"):
            self._parallel = ".parallel" if b"parallel" in line else ""
            return True
        self._x86 = self._x86 or _X86.search(line) is not None
        found = _DONE.search(line.decode("utf-8", "replace")) if b"done " in line else None
        if not found:
            return False
        unit = _UNITS.get(found["unit"], "")
        if unit == "cycles" and found["unit"] == "cpu-cycles" and self._x86:
            unit = "tsc"
        if unit:
            kind = "syscall" if found["what"] == "syscall" else self._where
            core = f".cpu{found['cpu']}" if found["cpu"] and self._parallel else ""
            row_id = f"ipc.{kind}{self._parallel}{core}"
            row = single(row_id, f"One-way IPC, {kind}", whole(found["each"]))
            self._rows.setdefault(unit, {})[row_id] = row
        return True

    def end(self) -> None:
        """Close the runs."""
        for unit, rows in self._rows.items():
            origin = Origin(kernel="L4Re", title=unit, source=self.source, format="ipcbench")
            self.done.append(
                foreign_run(list(rows.values()), origin=origin, suite="ipc", unit=unit)
            )
        self._rows = {}


def l4re_table(text: str, source: str, lines: tuple[int, int]) -> list[Run]:
    """Return the runs of L4Re's table of IPC costs: a run a platform and unit; or none.

    Its x86 figures are triples of tsc, clk and insn, and a mark of the footnote that says
    so may have been glued to the last (judge/doubts.py finds that out).
    """
    head = text.lower()
    if not ("intra" in head and "inter" in head and "syscall" in head):
        return []
    runs = []
    for found in _LINE.finditer(text):
        platform, cpu = _joined(found)
        for unit, place in (("cycles", 1), ("insn", 2), ("tsc", 0)):
            rows = list(_table_rows(found, unit, place))
            if rows:
                device = {"name": platform, "core": cpu}
                title = f"{cpu} {platform}" + ("" if unit == "cycles" else f" {unit}")
                origin = Origin(kernel="L4Re", title=title, source=source, lines=lines,
                                format="L4Re table", device=device)  # fmt: skip
                level = re.search(r"EL\d", platform)
                board = slug(f"{cpu} {level[0]}" if level else cpu)
                runs.append(foreign_run(rows, origin=origin, suite="ipc", unit=unit, board=board,
                                  configuration="performance"))  # fmt: skip
    return runs


def _joined(found: re.Match[str]) -> tuple[str, str]:
    """Return platform and processor, with what their cells go on with in a second line."""
    cells = [cell.strip() for cell in found["rest"].split("|")]
    more = cells[2:4] if len(cells) >= 4 else ["", ""]
    names = (found["platform"].strip(), found["cpu"].strip())
    platform, cpu = (plain(" ".join(f"{a} {b}".split())) for a, b in zip(names, more, strict=True))
    return platform, cpu


def _table_rows(found: re.Match[str], unit: str, place: int) -> Iterator[Row]:
    for name in ("intra", "inter", "syscall"):
        figures: Sequence[int] = [whole(part) for part in found[name].split("/")]
        if len(figures) == 1 and unit == "cycles":
            yield single(f"ipc.{name}", f"One-way IPC, {name}", figures[0])
        elif len(figures) == 3:
            marked = unit == "insn" and found[f"{name}_mark"]
            extra: dict[str, Any] = {}
            if marked:
                extra = {"footnote": found[f"{name}_mark"], "cycles": figures[1]}
            yield single(f"ipc.{name}", f"One-way IPC, {name}", figures[place], **extra)
