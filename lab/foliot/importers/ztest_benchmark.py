# SPDX-License-Identifier: Apache-2.0
"""What Zephyr's ztest prints of benchmarks (kernel_latency, interrupt_latency, timeouts...).

    S,SUITE,NAME,samples,total,mean,stddev,stderr,min,min sample,max,max sample    M: manual
    C,SUITE,NAME,warm-up iterations,cycles                                         the cold run
    P,SUITE,NAME,samples,min,p50,p90,p99,p99.9,p99.99,max
    T,SUITE,NAME,iterations,total,net,ops/s,cycles/op                              timed
    T,SUITE,NAME<tab>INCONCLUSIVE

or the same in words, a block a benchmark. Without percentiles the figure is the mean, and the
median is not known. All are cycles of Zephyr's timing API, the control measurement subtracted.
Ids are SUITE.NAME: these operations are measured in another state than latency_measure's rows of
a similar name, so they don't take their ids.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from foliot.importers.figures import row_name, told
from foliot.importers.numbers import LARGEST
from foliot.importers.registry import LineReader, line_format
from foliot.importers.zephyr_names import booted
from foliot.model.errors import LogError
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Origin, Row

_NUMBER = r"-?\d+(?:\.\d+)?"
_NAMES = r"(?:^|[\s>\]])(?P<kind>[{}]),(?P<suite>\w+),(?P<name>[\w.\-]+)"


def _csv(kinds: str, *columns: str) -> re.Pattern[str]:
    cells = "".join(rf",(?P<{column}>{_NUMBER})" for column in columns)
    return re.compile(_NAMES.format(kinds) + cells + r"\s*$")


_PATTERNS = (
    _csv("SM", "n", "total", "mean", "stddev", "stderr", "min", "min_sample", "max", "max_sample"),
    _csv("C", "warmup", "first"),
    _csv("P", "n_kept", "low", "p50", "p90", "p99", "p999", "p9999", "high"),
    _csv("T", "n", "total", "net", "per_second", "mean"),
)
_INCONCLUSIVE = re.compile(_NAMES.format("SMT") + r"\s+INCONCLUSIVE")
_TITLE = re.compile(r"^\s*(?P<name>\w[\w.\-]*) (?P<rule>={3,}|#{3,})$")
_WORDS = tuple(
    re.compile(pattern.replace("@", f"({_NUMBER})"))
    for pattern in (
        r"^Sample size:(?P<n>\d+), total cycles: (?P<total>@)",
        r"^Mean\(u\): (?P<mean>@)",
        r"^Standard deviation\(s\): (?P<stddev>@)",
        r"^Min: (?P<min>@) \(run #(?P<min_sample>\d+)\)",
        r"^Max: (?P<max>@) \(run #(?P<max_sample>\d+)\)",
        r"^p50: (?P<p50>@)", r"^p90: (?P<p90>@)", r"^p99: (?P<p99>@)",
        r"^p99\.9: (?P<p999>@)", r"^p99\.99: (?P<p9999>@)",
        r"^Cold: (?P<first>@), after (?P<warmup>\d+) warmup",
        r"^Iterations: (?P<n>\d+)", r"^Ops/Sec: (?P<per_second>@)", r"^Cycles/Ops?: (?P<mean>@)",
        r"^Standard Error\(SE\): (?P<stderr>@)", r"^Total Time: (?P<gross_ns>\d+) ns",
        r"^Work Time: (?P<net_ns>\d+) ns", r"^Outliers: (?P<outliers>\d+) /",
    )
)  # fmt: skip
_BESIDE = ("stddev", "p999", "p9999", "per_second", "warmup", "outliers")


@line_format
class ZtestBenchmarks(LineReader):
    """Collects the benchmarks of a log; one that comes again begins a new run."""

    name = "Zephyr's ztest benchmarks"
    asked = 8
    marks = (
        b"S,", b"M,", b"C,", b"P,", b"T,", b" ===", b" ###", b"Sample size:", b"Mean(u)", b"Stand",
        b"Min: ", b"Max: ", b"\tp", b" p50: ", b" p9", b"Cold: ", b"Iterations:", b"Ops/Sec:",
        b"Cycles/Op", b" Time: ", b"nconclusive", b"Outliers:", b"ooting", b"BOOTING",
    )  # fmt: skip

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._version = self._suite = self._bench = ""
        self._begin()

    def _begin(self) -> None:
        self._reported: dict[str, dict[str, float]] = {}
        self._failures: dict[str, Failure] = {}
        self._first = self._last = 0

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was a benchmark's."""
        if b" cycles ," in line:
            return False  # a row of latency_measure, of which there may be a million
        text = line.decode("utf-8", "replace").expandtabs(8).rstrip()
        version = booted(line)
        if version is not None:
            self._close()
            self._version = version
            return False
        for pattern in _PATTERNS:
            found = pattern.search(text)
            if found:
                self._take(row_name(found["suite"], found["name"]), _figures(found), number)
                return True
        found = _INCONCLUSIVE.search(text)
        if found:
            self._fail(row_name(found["suite"], found["name"]), number)
            return True
        return self._in_words(text.strip(), number)

    def _in_words(self, text: str, number: int) -> bool:
        title = _TITLE.match(text)
        if title:
            if title["rule"][0] == "#":
                self._suite, self._bench = title["name"], ""
            else:
                self._bench = title["name"]
            return False  # it may be any heading
        name = row_name(self._suite, self._bench)
        if self._bench and text.startswith("Test inconclusive"):
            self._fail(name, number)
            return True
        found = next((found for pattern in _WORDS if (found := pattern.match(text))), None)
        if not self._bench or found is None:
            return False
        figures = _figures(found)
        if "n" not in figures and name not in self._reported:
            return False  # the first line of a block is missing: nothing of it is anybody's
        self._take(name, figures, number)
        return True

    def _take(self, name: str, figures: Mapping[str, float], number: int) -> None:
        """Add what one line says of a benchmark."""
        known = self._reported.get(name, {})
        if known.keys() & figures.keys():
            self._close()
            known = {}
        self._first = self._first or number
        self._last = number
        self._reported[name] = {**known, **figures}

    def _fail(self, name: str, number: int) -> None:
        self._first, self._last = self._first or number, number
        self._failures[name] = Failure(name, "inconclusive: the overhead is larger than the time")

    def end(self, number: int) -> None:
        """Close the last run."""
        self._close()

    def _close(self) -> None:
        rows = []
        for name, figures in self._reported.items():
            row = row_of(name, figures)
            if row is None:
                self._failures.setdefault(name, Failure(name, "neither a mean nor a median of it"))
            else:
                rows.append(row)
        if rows or self._failures:
            origin = Origin(
                kernel="Zephyr", kernel_version=self._version, title="ztest", source=self.source,
                lines=(self._first, self._last), format="ztest benchmarks",
            )  # fmt: skip
            self.done.append(published_run(
                rows, origin=origin, suite="ztest", unit="cycles",
                failures=self._failures.values(), successful=not self._failures,
            ))  # fmt: skip
        self._begin()


def _figures(found: re.Match[str]) -> dict[str, float]:
    return {
        name: figure(text)
        for name, text in found.groupdict().items()
        if text is not None and name not in ("kind", "suite", "name")
    }


def figure(text: str) -> float:
    """Return a figure as printed, whole where it is; LogError beyond 64 bits."""
    value = float(text)
    if abs(value) > LARGEST:
        raise LogError(f"{text[:24]} is a number beyond 64 bits: the log was garbled")
    return int(value) if value == int(value) else value


def row_of(name: str, reported_of: Mapping[str, float]) -> Row | None:
    """Return the row of what is told of a benchmark; None where there is no figure for it."""
    value = reported_of.get("p50", reported_of.get("mean"))
    if value is None:
        return None
    stats: dict[str, Any] = {
        key: reported_of[key]
        for key in ("first", "p50", "p90", "p99", "mean")
        if key in reported_of
    }
    for name_of, other in (("min", "low"), ("max", "high")):
        if name_of in reported_of or other in reported_of:
            stats[name_of] = reported_of.get(name_of, reported_of.get(other))
    if reported_of.get("max_sample", 0) >= 1:
        stats["max_index"] = int(reported_of["max_sample"]) - 1  # its samples count from 1
    n = int(reported_of.get("n", reported_of.get("n_kept", 1)))
    row = told(single(name, name, value), n=n, **stats)
    beside = {key: reported_of[key] for key in _BESIDE if key in reported_of}
    kept = reported_of.get("n_kept", n)
    if kept != n:
        beside["percentiles_of"] = kept
    return replace(row, extra={**row.extra, **beside})
