# SPDX-License-Identifier: Apache-2.0
"""Embench: the JSON of its results, and what benchmark_speed.py and benchmark_size.py print.

Absolute speeds are times in ms, absolute sizes are bytes; each is a run. Relative results are
ratios to a reference board, larger being better for speed: no time, and they turn into none.
They are told as failures, with how to get the absolute ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from foliot.importers.figures import Collected, row_name
from foliot.importers.numbers import whole
from foliot.importers.registry import LineReader, json_format, line_format
from foliot.model.names import plain, slug
from foliot.model.run import Origin, Run

NAME = "Embench"
_RATIO = "a ratio to Embench's reference, no time: run benchmark_speed.py --absolute"
_HEAD = re.compile(r"^Benchmark\s+(?P<what>Speed|Size|size|text)\s*$")
_RULE = re.compile(r"^-{4,}\s+-{4,}\s*$")
_LINE = re.compile(r"^(?P<name>[a-z][\w\-]*)\s+(?P<value>[\d,]+|\d+\.\d+)\s*$")
_UNITS = {"speed": "ms", "size": "bytes"}


@json_format(NAME)
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the runs of a file of results; None where it is no such file."""
    if not isinstance(value, dict):
        return None
    found, seen = Collected(), False
    for what, unit in _UNITS.items():
        absolute, relative = (_detailed(value, what, kind) for kind in ("absolute", "relative"))
        plain_ones = _detailed(value, what, "")
        seen = seen or any(part is not None for part in (absolute, relative, plain_ones))
        for name, figure in (absolute or plain_ones or {}).items():
            if absolute is None and isinstance(figure, float):
                found.fail(row_name("embench", what, name), _RATIO)
            else:
                found.take(row_name("embench", what, name), plain(name), figure, unit)
        if absolute is None:
            for name in relative or {}:
                found.fail(row_name("embench", what, name), _RATIO)
    if not seen:
        return None
    platform = value.get("platform information")
    known = platform if isinstance(platform, dict) else {}
    processor = plain(str(known.get("processor name", "")))
    origin = Origin(
        title=plain(str(value.get("description", "")))[:100] or NAME, source=source, format=NAME,
        device={"name": processor, "core": processor} if processor else {},
    )  # fmt: skip
    return found.runs(
        origin, "embench", board=slug(processor) or "unnamed", header=_toolchain(value)
    )


def _detailed(value: Mapping[str, Any], what: str, kind: str) -> dict[str, Any] | None:
    """Return the benchmarks' figures of one kind: of a published file, or of a run's own JSON."""
    part = value.get(f"{kind} {what} results".strip())
    keys = ("detailed results", f"detailed {what} results")
    inner = next((part[key] for key in keys if isinstance(part, dict) and key in part), None)
    return inner if isinstance(inner, dict) else None


def _toolchain(value: Mapping[str, Any]) -> dict[str, str]:
    """Return what the file says of compiler and flags."""
    chain = value.get("tool chain information")
    chain = chain if isinstance(chain, dict) else {}
    version, flags = chain.get("tool chain version"), chain.get("tool chain flags")
    found = {}
    if isinstance(version, dict) and "compiler version" in version:
        found["compiler"] = plain(str(version["compiler version"]))
    if isinstance(flags, dict) and isinstance(flags.get("compiler"), list):
        found["flags"] = plain(" ".join(map(str, flags["compiler"])))
    return found


@line_format
class EmbenchText(LineReader):
    """Collects the table that Embench's scripts print."""

    name = NAME
    asked = 65
    marks = (b"Benchmark ",)

    def __init__(self, source: str) -> None:
        """Begin outside of any table."""
        super().__init__(source)
        self._what = ""
        self._ratios = self._rows = 0
        self._found = Collected()

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line of a table, or its head; True where it was one."""
        text = line.decode("utf-8", "replace").rstrip()
        head = _HEAD.match(text)
        if head:
            self._what = "speed" if head["what"] == "Speed" else "size"
            self.reading = True
            return True
        row = _LINE.match(text) if self.reading else None
        if row:
            name = row_name("embench", self._what, row["name"])
            if "." in row["value"]:
                self._found.fail(name, _RATIO)
            else:
                figure = whole(row["value"].replace(",", ""))
                self._found.take(name, row["name"], figure, _UNITS[self._what])
            return True
        self.reading = self.reading and bool(_RULE.match(text))
        return self.reading

    def end(self, number: int) -> None:
        """Close the runs."""
        origin = Origin(title=NAME, source=self.source, format=NAME)
        self.done += self._found.runs(origin, "embench")
        self._found = Collected()
