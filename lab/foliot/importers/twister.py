# SPDX-License-Identifier: Apache-2.0
"""What Zephyr's twister records of a benchmark: twister.json, and recording.csv.

A recording is what the suite's own regular expressions found, so each kind of suite has other
columns: latency_measure and sched_queues (metric, cycles, nanoseconds), ztest's benchmarks
(metric, p50, ... or mean), thread_metric (total_time_period). A record of any other kind is told as
a failure of its suite, and the file's other suites are read all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from foliot.importers import foliot_csv, ztest_benchmark
from foliot.importers.figures import row_name
from foliot.importers.registry import csv_format, json_format
from foliot.importers.sched_queues import Statistics
from foliot.importers.thread_metric import PERIOD_S, row_of_totals, test_of
from foliot.importers.zephyr_names import row_id
from foliot.model.errors import LogError
from foliot.model.metadata import KEY, incoming
from foliot.model.names import plain, slug
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Origin, Row, Run

Record = Mapping[str | None, Any]
_NAME = "twister's recording.csv"
_ZTEST = {
    "samples": "n", "min": "low", "max": "high", "p50": "p50", "p90": "p90", "p99": "p99",
    "p999": "p999", "p9999": "p9999", "mean": "mean", "stddev": "stddev", "cold": "first",
    "cycles_per_op": "mean", "max_sample": "max_sample",
}  # fmt: skip


@dataclass(slots=True)
class _Recording:
    """The rows of one suite, as its records come."""

    name: str  # the suite's
    rows: dict[str, Row] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    statistics: Statistics = field(default_factory=Statistics)
    ztest: dict[str, dict[str, float]] = field(default_factory=dict)
    totals: list[int] = field(default_factory=list)

    def take(self, record: Record) -> None:
        """Take one record; LogError where it is a bad one."""
        columns = {key for key, value in record.items() if value not in (None, "")}
        if {"metric", "cycles", "nanoseconds"} <= set(record):
            self._latency(record)
        elif "metric" in columns and columns & {"p50", "mean", "cold", "cycles_per_op"}:
            name = row_name(record.get("suite") or "", record["metric"])
            known = self.ztest.setdefault(name, {})
            for column, figure in _ZTEST.items():
                if column in columns:
                    known[figure] = ztest_benchmark.figure(_number(record[column], name))
        elif columns & {"total_time_period", "error_message", "error_details"}:
            self._thread_metric(record)
        else:
            what = ", ".join(sorted(str(column) for column in columns))[:80]
            self._fail("recording", f"a record of {what or 'nothing'} is of no kind known here")

    def _latency(self, record: Record) -> None:
        name, text = _named(str(record["metric"]), str(record.get("description") or ""))
        figures = [str(record[column] or "").strip() for column in ("cycles", "nanoseconds")]
        if not name or " " in name:
            raise LogError(f"'{name[:40]}' is no row id")
        if "FAILED" in figures:
            self._fail(name, plain(text) or "no reason given")
            return
        try:
            cycles, ns = (ztest_benchmark.figure(_number(cell, name)) for cell in figures)
        except LogError:
            shown = f"'{figures[0][:20]}' cycles, '{figures[1][:20]}' ns"
            raise LogError(f"{name}: {plain(shown)}") from None
        if not self.statistics.take(name, text, cycles, ns):
            self.rows.setdefault(name, single(name, plain(text), cycles, ns))

    def _thread_metric(self, record: Record) -> None:
        for cell in _cells(record.get("total_time_period")):
            total = _number(cell, "total_time_period")
            if not total.isdecimal() or len(total) > 18:
                raise LogError(f"total_time_period: '{total[:20]}' is no count")
            self.totals.append(int(total))
        for column in ("error_message", "error_details"):
            for cell in _cells(record.get(column)):
                self._fail(test_of(self.name), plain(str(cell)).strip() or "no reason given")

    def _fail(self, name: str, reason: str) -> None:
        self.failures.setdefault(name, Failure(name, reason))

    def run(self, origin: Origin, board: str, configuration: str) -> Run | None:
        """Return the run; None where the records held nothing at all."""
        rows, failures = self.statistics.rows()
        rows += self.rows.values()
        unit, suite = "cycles", "latency" if self.rows else "recording"
        if self.statistics.figures:
            suite = "sched_queues"
        for name, told in self.ztest.items():
            row = ztest_benchmark.row_of(name, told)
            if row is not None:
                rows.append(row)
            suite = "ztest"
        if self.totals:
            unit, suite = "ns", "thread_metric"
            row = row_of_totals(test_of(self.name), [(total, PERIOD_S) for total in self.totals])
            if row.id not in self.failures:
                rows.append(replace(row, doubts=("period-assumed",)))
        elif any(name.startswith("thread_metric") for name in self.failures):
            suite = "thread_metric"
        failures += self.failures.values()
        if not rows and not failures:
            return None
        return published_run(
            rows, origin=origin, suite=suite, unit=unit, board=board, failures=failures,
            configuration=configuration, successful=not failures,
        )  # fmt: skip


def _number(cell: object, name: str) -> str:
    """Return a cell that is a number as text; LogError of anything else."""
    text = plain(str(cell)).strip()
    bare = text.removeprefix("-").replace(".", "", 1)
    if isinstance(cell, bool) or not (bare.isascii() and bare.isdecimal()):
        raise LogError(f"{name[:60]}: '{text[:20]}' is no number")
    return text


def _cells(value: object) -> list[object]:
    """Return the values of a cell that twister's `merge` may have made a list, in CSV as text."""
    if isinstance(value, str) and value.startswith("["):
        text = value
        try:
            value = json.loads(text.replace("'", '"'))
        except (ValueError, RecursionError):
            raise LogError(f"'{plain(text)[:40]}' is no list") from None
    if value in (None, ""):
        return []
    return list(value) if isinstance(value, list) else [value]


@csv_format(_NAME, ("metric", "cycles", "nanoseconds"))
def runs_of_recording(lines: Sequence[str], source: str) -> list[Run]:
    """Return the run of a recording.csv of latency_measure or sched_queues."""
    return _runs_of_csv(lines, source)


@csv_format(_NAME, ("metric", "p50"))
def runs_of_percentiles(lines: Sequence[str], source: str) -> list[Run]:
    """Return the run of a recording.csv of ztest's benchmarks."""
    return _runs_of_csv(lines, source)


@csv_format(_NAME, ("total_time_period",))
def runs_of_totals(lines: Sequence[str], source: str) -> list[Run]:
    """Return the run of a recording.csv of thread_metric."""
    return _runs_of_csv(lines, source)


def _runs_of_csv(lines: Sequence[str], source: str) -> list[Run]:
    records = foliot_csv.read_records(lines)
    if any(record.get(KEY) for record in records):
        return incoming(
            (foliot_csv.carried(record), foliot_csv.shown(record.get("cycles")))
            for record in records
        )
    recording = _Recording(slug(source.rpartition(".")[0]))
    for place, record in enumerate(records, 2):
        try:
            recording.take(record)
        except LogError as error:
            raise LogError(f"line {place}: {error.message}") from None
    run = recording.run(
        Origin(kernel="Zephyr", source=source, format="recording.csv"), "unnamed", "default"
    )
    return [run] if run else []


@json_format("twister.json")
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the runs of a twister.json: one a suite that recorded rows; None of any other."""
    if isinstance(value, dict) and isinstance(value.get("testsuites"), list):
        return list(_twister(value, source))
    return None


def _twister(value: Mapping[str, Any], source: str) -> Iterable[Run]:
    environment = value.get("environment")
    version = environment.get("zephyr_version") if isinstance(environment, dict) else ""
    for suite in value["testsuites"]:
        records = suite.get("recording") if isinstance(suite, dict) else None
        if not isinstance(records, list) or not records:
            continue
        name = str(suite.get("name", ""))
        recording = _Recording(name)
        for record in records:
            _take(record, recording)
        platform = slug(str(suite.get("platform", "unnamed")))
        origin = Origin(
            kernel="Zephyr", kernel_version=plain(str(version or "")), title=platform,
            source=source, format="twister.json",
        )  # fmt: skip
        run = recording.run(origin, platform, _scenario(name))
        if run:
            yield run


def _take(record: Any, recording: _Recording) -> None:
    """Take a record, or the several that twister's `merge` made one of; a bad one is a failure."""
    if not isinstance(record, dict):
        recording.take({"": str(record)})
        return
    for one in [record] if "total_time_period" in record else _unmerged(record):
        try:
            recording.take(one)
        except LogError as error:
            name = row_name(str(one.get("metric") or "recording"))
            recording.failures.setdefault(name, Failure(name, plain(error.message)))


def _unmerged(record: Record) -> Iterable[Record]:
    merged = [value for value in record.values() if isinstance(value, list)]
    if not merged:
        return [{**record}]
    return [
        {
            key: (value[place] if place < len(value) else "") if isinstance(value, list) else value
            for key, value in record.items()
        }
        for place in range(max(map(len, merged)))
    ]


def _scenario(name: str) -> str:
    """Return the configuration that a scenario's name ends with, if it is one of ours."""
    last = name.rpartition(".")[2]
    known = ("userspace", "canaries", "objcore", "timeslicing", "simple", "scalable", "multiq")
    return last if last in known else "default"


def _named(metric: str, description: str = "") -> tuple[str, str]:
    """Return id and text of a row that a record names by its metric, of whatever age."""
    metric = plain(metric).strip()
    known, dash, text = metric.partition(" - ")
    if dash:
        return known.strip(), text.strip()
    older = row_id(metric)
    return (older, metric) if older else (metric.replace(" ", "_"), description or metric)
