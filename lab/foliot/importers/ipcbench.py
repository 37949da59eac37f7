# SPDX-License-Identifier: Apache-2.0
"""What L4Re's ipcbench prints.

It prints `done 600000 IPCs in ... cpu-cycles, 562 cpu-cycles/IPC`, under a line that says
between what. On x86 its `cpu-cycles` are the time-stamp counter's, which is no cycle of
the core; the performance counters' three units (tsc, clk, insnret) are three runs.
"""

from __future__ import annotations

import re

from foliot.importers.numbers import whole
from foliot.importers.registry import LineReader, line_format
from foliot.model.published import published_run, single
from foliot.model.run import Origin, Row

_DONE = re.compile(
    r"(?:CPU\s+(?P<cpu>\d+)\s+)?done (?P<n>\d+) (?P<what>IPC|syscall)s in \d+ (?P<unit>[\w-]+), "
    r"(?P<each>\d+) [\w-]+/"
)
_UNITS = {
    "cpu-cycles": "cycles", "clk-units": "cycles", "CPU_CYCLES": "cycles",
    "insnret-units": "insn", "INST_RETIRED": "insn", "tsc-units": "tsc", "ns": "ns",
}  # fmt: skip
_X86 = re.compile(rb"\b(?:Intel|AMD|amd64|x86)", re.IGNORECASE)


@line_format
class IpcBench(LineReader):
    """Collects what ipcbench prints; each unit that it counts in is a run of its own."""

    name = "L4Re ipcbench"
    asked = 30
    marks = (b"IPC", b"yscall", b"ntel", b"AMD")

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._rows: dict[str, dict[str, Row]] = {}
        self._where = "intra"
        self._parallel = ""
        self._x86 = False

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was a figure of ipcbench's, or says of what the next are."""
        figure = b"done " in line
        if not figure and (b"|" in line or b"+-" in line):
            return False  # a table's; it may well speak of IPC, and of Intel
        if b" address space" in line and b"IPC" in line:
            self._where = "inter" if b"two" in line or b"between" in line else "intra"
            self._parallel = ".parallel" if b"parallel" in line else ""
            return True
        if line.lstrip().startswith(b"Syscall benchmark"):
            self._parallel = ".parallel" if b"parallel" in line else ""
            return True
        self._x86 = self._x86 or _X86.search(line) is not None
        found = _DONE.search(line.decode("utf-8", "replace")) if figure else None
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

    def end(self, number: int) -> None:
        """Close the runs."""
        for unit, rows in self._rows.items():
            origin = Origin(kernel="L4Re", title=unit, source=self.source, format="ipcbench")
            self.done.append(
                published_run(list(rows.values()), origin=origin, suite="ipc", unit=unit)
            )
        self._rows = {}
