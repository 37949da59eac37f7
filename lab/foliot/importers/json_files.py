# SPDX-License-Identifier: Apache-2.0
"""Files that are one JSON value or one CSV table: ours, twister's, sel4bench's."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from foliot.importers.numbers import number, whole
from foliot.importers.sel4bench import is_sel4, sel4_runs
from foliot.importers.zephyr import name_row
from foliot.model.errors import LogError
from foliot.model.foreign import foreign_run, single
from foliot.model.names import plain, slug
from foliot.model.run import Failure, Header, Origin, Row, Run

NAMES = ("foliot bench --json", "twister.json", "sel4bench (JSON)")
CSV_NAME = "twister's recording.csv"
LONGEST = 32 << 20
_COLUMNS = {"metric", "cycles", "nanoseconds"}


def runs_of_json(text: str, source: str) -> list[Run] | None:
    """Return the runs of a JSON file; None where it is not JSON, or of no kind known here."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if is_sel4(value):
        return sel4_runs(value, source)
    if isinstance(value, dict) and isinstance(value.get("testsuites"), list):
        return list(_twister(value, source))
    if isinstance(value, dict) and {"schema", "board", "unit", "rows"} <= set(value):
        return [_bench(value, source)]
    return None


def is_recording(head: str) -> bool:
    """Whether a file begins as twister's recording.csv does."""
    first = head.lstrip("\ufeff").partition("\n")[0]
    return _COLUMNS.issubset(name.strip().strip('"') for name in first.split(","))


def runs_of_recording(lines: Iterable[str], source: str) -> list[Run]:
    """Return the run of a recording.csv."""
    rows: dict[str, Row] = {}
    place = 1
    try:
        for place, record in enumerate(csv.DictReader(lines), 2):  # noqa: B007
            row = _recorded(record)
            rows.setdefault(row.id, row)
    except (LogError, csv.Error) as error:
        raise LogError(f"line {place}: {error}") from None
    if not rows:
        return []
    origin = Origin(kernel="Zephyr", source=source, format="recording.csv")
    return [foreign_run(list(rows.values()), origin=origin, suite="latency", unit="cycles")]


def _recorded(record: Mapping[str | None, Any]) -> Row:
    """Return the row of one record; csv.DictReader puts surplus cells under None."""
    row_id, text = name_row(str(record.get("metric", "")), str(record.get("description") or ""))
    if not row_id or " " in row_id:
        raise LogError(f"'{row_id[:40]}' is no row id")
    figures = [str(record.get(name) or "").strip() for name in ("cycles", "nanoseconds")]
    if not all(figure.lstrip("-").isdecimal() for figure in figures):
        raise LogError(f"{row_id}: '{figures[0][:20]}' cycles, '{figures[1][:20]}' ns")
    return single(row_id, plain(text), whole(figures[0]), whole(figures[1]))


def _twister(value: Mapping[str, Any], source: str) -> Iterable[Run]:
    environment = value.get("environment")
    version = environment.get("zephyr_version") if isinstance(environment, dict) else ""
    for suite in value["testsuites"]:
        recording = suite.get("recording") if isinstance(suite, dict) else None
        if not isinstance(recording, list) or not recording:
            continue
        rows: dict[str, Row] = {}
        for record in recording:
            for single_record in _unmerged(record):
                row = _recorded(single_record)
                rows.setdefault(row.id, row)
        platform = slug(str(suite.get("platform", "unnamed")))
        origin = Origin(
            kernel="Zephyr", kernel_version=plain(str(version or "")), title=platform,
            source=source, format="twister.json",
        )  # fmt: skip
        yield foreign_run(
            list(rows.values()), origin=origin, suite="latency", unit="cycles", board=platform,
            configuration=_scenario(str(suite.get("name", ""))),
        )  # fmt: skip


def _unmerged(record: Any) -> Iterable[Mapping[str | None, Any]]:
    """Return the records of one that twister's `merge` option put together from several."""
    if not isinstance(record, dict):
        raise LogError("a recording in twister.json is not a list of objects")
    merged = [value for value in record.values() if isinstance(value, list)]
    if not merged:
        return [record]
    count = min(map(len, merged))
    return [
        {key: value[place] if isinstance(value, list) else value for key, value in record.items()}
        for place in range(count)
    ]


def _scenario(name: str) -> str:
    """Return the configuration that a scenario's name ends with, if it is one of ours."""
    last = name.rpartition(".")[2]
    known = ("userspace", "canaries", "objcore", "timeslicing")
    return last if last in known else "default"


def _bench(value: Mapping[str, Any], source: str) -> Run:
    """Return the run of what `foliot bench --json` or `foliot gate --update` wrote."""
    rows = value["rows"]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise LogError("'rows' should be a list of objects")
    board, unit = plain(str(value["board"])), str(value["unit"])
    header = {
        "kernel_commit": plain(str(value.get("commit", ""))),
        "dirty": bool(value.get("dirty")),
        "clock_hz": int(number(value.get("clock_hz", 0), "clock_hz")),
        **{
            name: plain(str(value[name]))
            for name in ("core", "memory", "compiler", "flags")
            if name in value
        },
        "configuration": tuple(map(str, value.get("configuration") or ("default",))),
    }
    known = {field.name for field in fields(Header)}
    origin = Origin(
        kernel=plain(str(value.get("kernel", "Foliot"))),
        kernel_version=plain(str(value.get("commit", ""))), title=board, source=source,
        format="foliot bench --json",
    )  # fmt: skip
    failures = [
        Failure(str(item.get("id")), str(item.get("reason")))
        for item in value.get("failures") or ()
        if isinstance(item, dict)
    ]
    return foreign_run(
        [_bench_row(row) for row in rows], origin=origin, suite=plain(str(value.get("suite", ""))),
        unit=unit, board=board, failures=failures, successful=not failures,
        header={name: item for name, item in header.items() if name in known},
    )  # fmt: skip


def _bench_row(record: Mapping[str, Any]) -> Row:
    row_id = plain(str(record.get("id", "")))
    if not row_id or " " in row_id or "p50" not in record:
        raise LogError(f"'{row_id[:40]}' is no row: it needs an id and a p50")
    row = single(row_id, plain(str(record.get("text", ""))), number(record["p50"], "p50"))
    told = {
        name: number(record[name], f"{row_id}'s {name}")
        for name in ("n", "first", "min", "p90", "p99", "max", "max_index", "mean", "overhead")
        if record.get(name) is not None
    }
    for name in ("n", "max_index"):
        if name in told:
            told[name] = int(told[name])
    evidence = record.get("evidence")
    counted = evidence if isinstance(evidence, dict) else {}
    figures: dict[str, Any] = told
    return replace(row, **figures, evidence=counted) if told else row
