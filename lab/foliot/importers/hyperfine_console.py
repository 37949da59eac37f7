# SPDX-License-Identifier: Apache-2.0
"""What hyperfine prints on a terminal: mean, deviation and range of each command.

    Benchmark 1: sleep 0.01                                            `#1` before 1.12
      Time (mean ± ...):    13.0 ms ±   2.0 ms    [User: 0.9 ms, System: 0.1 ms]
      Range (min … max):    10.9 ms …  20.0 ms    266 runs
      Time (abs ≡):         20.0 ms               [User: ...]          of a single run

Each figure has a unit of its own. A command that ended with an error is no figure, as in its
JSON (hyperfine.py).
"""

from __future__ import annotations

import re
from dataclasses import replace

from foliot.importers.console import NUMBER, TIME_UNIT, ConsoleReader
from foliot.importers.figures import row_name, told
from foliot.importers.registry import line_format
from foliot.importers.units import scaled, unit_of
from foliot.model.names import plain
from foliot.model.published import single

_BENCHMARK = re.compile(r"\s*Benchmark #?\d{1,6}: (?P<command>\S.*)")
_FIGURE = rf"{NUMBER} {TIME_UNIT}"
_TIME = re.compile(
    rf"\s*Time \((?P<kind>mean|abs)\b[^)]*\):\s+(?P<mean>{_FIGURE})"
    rf"(?:\s+\S{{1,4}}\s+(?P<stddev>{_FIGURE}))?(?:\s|$)"
)
_RANGE = re.compile(
    rf"\s*Range \(min\b[^)]*\):\s+(?P<min>{_FIGURE})\s+\S{{1,4}}\s+(?P<max>{_FIGURE})\s+"
    r"(?P<n>\d{1,9}) runs?(?:\s|$)"
)
_WARNING = re.compile(r"\s*Warning: (?P<what>.*)")
_STATUS = "Ignoring non-zero exit code"
_SUMMARY = re.compile(rf"\s*(?:Summary|.* ran|\s*{NUMBER}(?: ± {NUMBER})? times (?:fast|slow)er.*)")


@line_format
class HyperfineConsole(ConsoleReader):
    """Takes the lines of each benchmark, from its name to its range."""

    name = "hyperfine's console"
    suite = "hyperfine"
    asked = 40
    marks = (b"Benchmark ", b"Time (", b"Range (", b"Warning: ", b"Summary", b" times ", b" ran")

    def begin(self) -> None:
        """Forget what was read."""
        super().begin()
        self._command, self._why = "", ""
        self._known: dict[str, float] = {}

    def take(self, text: str, number: int, heading: bytes) -> bool:
        """Take a line that is hyperfine's."""
        found = _BENCHMARK.fullmatch(text)
        if found:
            self.finish()
            self._command = plain(found["command"]).strip()
            return True
        if not self._command:
            return False
        time, limits, warning = _TIME.match(text), _RANGE.match(text), _WARNING.match(text)
        if time and not self._known:
            self._known["mean"] = _ns(time["mean"])
            if time["stddev"]:
                self._known["stddev"] = _ns(time["stddev"])
            if time["kind"] == "abs":
                self._known["n"] = 1
        elif limits and "min" not in self._known:
            self._known |= {"min": _ns(limits["min"]), "max": _ns(limits["max"])}
            self._known["n"] = int(limits["n"])
        elif warning and warning["what"].startswith(_STATUS):
            self._why = "its runs ended with a status other than 0"
        elif not warning and not _SUMMARY.fullmatch(text):
            return False
        return True

    def finish(self) -> None:
        """Make a row of the command that is open, or say why it is none."""
        command, known = self._command, self._known
        if command:
            name = row_name(command)
            if self._why or "mean" not in known:
                self.found.fail(name, self._why or "no line 'Time' behind it: cut off?")
            else:
                row = single(name, command, known["mean"])
                deviation = known.pop("stddev", None)
                row = told(row, **known) if known.get("n") != 1 else row
                if deviation is not None:
                    row = replace(row, extra={**row.extra, "stddev": deviation})
                self.found.add("ns", row)
        self._command, self._why, self._known = "", "", {}


def _ns(text: str) -> float:
    value, _, unit = text.partition(" ")
    known = unit_of(unit)
    return scaled(float(value), known[1] if known else 1)
