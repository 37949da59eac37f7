# SPDX-License-Identifier: Apache-2.0
"""What Zephyr's twister records of latency_measure: twister.json, and recording.csv."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from foliot.importers.numbers import whole
from foliot.importers.registry import csv_format, json_format
from foliot.importers.zephyr_names import row_id
from foliot.model.errors import LogError
from foliot.model.foreign import foreign_run, single
from foliot.model.names import plain, slug
from foliot.model.run import Origin, Row, Run


@csv_format("twister's recording.csv", ("metric", "cycles", "nanoseconds"))
def runs_of_recording(lines: Sequence[str], source: str) -> list[Run]:
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
    row_id, text = _named(str(record.get("metric", "")), str(record.get("description") or ""))
    if not row_id or " " in row_id:
        raise LogError(f"'{row_id[:40]}' is no row id")
    figures = [str(record.get(name) or "").strip() for name in ("cycles", "nanoseconds")]
    if not all(figure.lstrip("-").isdecimal() for figure in figures):
        raise LogError(f"{row_id}: '{figures[0][:20]}' cycles, '{figures[1][:20]}' ns")
    return single(row_id, plain(text), whole(figures[0]), whole(figures[1]))


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


def _named(metric: str, description: str = "") -> tuple[str, str]:
    """Return id and text of a row that a record names by its metric, of whatever age."""
    metric = plain(metric).strip()
    known, dash, text = metric.partition(" - ")
    if dash:
        return known.strip(), text.strip()
    older = row_id(metric)
    return (older, metric) if older else (metric.replace(" ", "_"), description or metric)
