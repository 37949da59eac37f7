# SPDX-License-Identifier: Apache-2.0
"""CoreMark's log, as the time of one iteration: smaller is better, like everywhere here.

The score is iterations a second, so that the time of one is its inverse, exactly. What the
ticks are, only the port knows; they turn into nothing. A run that CoreMark itself does not
call valid (too short, wrong checksums) is a failure and not a figure.
"""

from __future__ import annotations

import re

from foliot.importers.registry import LineReader, line_format
from foliot.model.names import plain
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Origin, Row

_LINE = re.compile(
    r"(?P<what>CoreMark Size|Total ticks|Total time \(secs\)|Iterations/Sec|Iterations|"
    r"Compiler version|Compiler flags|Memory location|Parallel \w+)\s*: ?(?P<value>.*)$"
)
_SCORE = re.compile(r"CoreMark 1\.0 : (?P<score>\d{1,12}(?:\.\d{1,12})?)\b")
_VALID = "Correct operation validated"
_BAD = re.compile(r"(?P<why>Errors detected|ERROR! .*|Cannot validate operation.*)")
_FIGURE = re.compile(r"\d{1,15}(?:\.\d{1,15})?")


@line_format
class CoreMark(LineReader):
    """Collects one log; the next begins where its size is told again."""

    name = "CoreMark"
    asked = 64
    marks = (
        b"CoreMark", b"Total ti", b"Iterations", b"Compiler ", b"Memory location", b"Parallel ",
        b"Correct op", b"Errors det", b"ERROR! ", b"Cannot val",
    )  # fmt: skip

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._begin(0)

    def _begin(self, number: int) -> None:
        self._reported: dict[str, str] = {}
        self._why, self._score = "", ""
        self._valid = False
        self._first = self._last = number

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was CoreMark's."""
        text = plain(line.decode("utf-8", "replace")).strip()
        found = _LINE.search(text)
        if found and found["what"] == "CoreMark Size":
            self._close()
            self._begin(number)
        if not self._first:
            return False
        score, bad = _SCORE.search(text), _BAD.search(text)
        if found:
            self._reported[found["what"]] = found["value"].strip()
        elif score:
            self._score = score["score"]
        elif bad:
            self._why = self._why or bad["why"].strip()[:120]
        elif _VALID in text:
            self._valid = True
        else:
            return False
        self._last = number
        return True

    def end(self, number: int) -> None:
        """Close the last log."""
        self._close()

    def _close(self) -> None:
        if not self._first:
            return
        rows: list[Row] = []
        failures: list[Failure] = []
        rate = self._score or self._reported.get("Iterations/Sec", "")
        sound = _FIGURE.fullmatch(rate) and float(rate) > 0
        if self._why or not self._valid or not sound:
            why = self._why or ("no line says that it is valid: cut off?" if sound else "no score")
            failures.append(Failure("coremark.iteration", why))
        else:
            known = {"score": float(rate)}
            for what, name in (("Total ticks", "ticks"), ("Iterations", "iterations")):
                if _FIGURE.fullmatch(self._reported.get(what, "")):
                    known[name] = float(self._reported[what])
            ns = round(1e9 / float(rate), 3)
            rows.append(single("coremark.iteration", "One iteration of CoreMark", ns, ns, **known))
        parallel = next((word for word in self._reported if word.startswith("Parallel")), "")
        origin = Origin(
            title="CoreMark", source=self.source, lines=(self._first, self._last), format="CoreMark"
        )
        self.done.append(published_run(
            rows, origin=origin, suite="coremark", unit="ns", failures=failures,
            successful=not failures,
            configuration=f"parallel-{self._reported[parallel]}" if parallel else "default",
            header={
                "compiler": self._reported.get("Compiler version", "not known"),
                "flags": self._reported.get("Compiler flags", ""),
                "memory": self._reported.get("Memory location", "not known"),
            },
        ))  # fmt: skip
        self._begin(0)
