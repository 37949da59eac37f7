# SPDX-License-Identifier: Apache-2.0
"""What `foliot bench --json`, `foliot export` and `foliot gate --update` write.

An export carries whole rows and comes back as the run that it was. A baseline holds the figures
of a run and no more, and so did the JSON of older versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from foliot.importers.numbers import number
from foliot.importers.registry import json_format
from foliot.model.errors import LogError
from foliot.model.metadata import KEY, incoming, restored
from foliot.model.names import plain
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Footprint, Header, Origin, Row, Run

_KEYS = {"schema", "board", "unit", "rows"}


@json_format("foliot bench --json")
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the runs of such a file, one or a list; None where it is no such file."""
    several = value if isinstance(value, list) else [value]
    if not several or not all(isinstance(one, dict) and set(one) >= _KEYS for one in several):
        return None
    runs = [run for one in several for run in _runs(one, source)]
    return [run for run in runs if run.rows or run.failures]


def _runs(value: Mapping[str, Any], source: str) -> list[Run]:
    rows = value["rows"]
    if isinstance(rows, list) and any(isinstance(row, dict) and KEY in row for row in rows):
        if not all(isinstance(row, dict) for row in rows):
            raise LogError("'rows' should be a list of objects")
        return incoming((row.get(KEY), row.get("value")) for row in rows)
    if not rows and isinstance(value.get(KEY), dict):
        return [restored(value[KEY].get("run"), [], [])]
    return [_run(value, source)]


def _run(value: Mapping[str, Any], source: str) -> Run:
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
    run = published_run(
        [_row(row) for row in rows], origin=origin, suite=plain(str(value.get("suite", ""))),
        unit=unit, board=board, failures=failures, successful=not failures,
        header={name: item for name, item in header.items() if name in known},
    )  # fmt: skip
    return replace(run, footprint=_footprint(value.get("footprint")))


def _footprint(told: Any) -> Footprint | None:
    if not isinstance(told, dict) or not {"kernel_text", "data", "bss"} <= set(told):
        return None
    sizes = {plain(name): int(number(size, name)) for name, size in told.items()}
    text, data, bss = (sizes.pop(f"image_{name}", 0) for name in ("text", "data", "bss"))
    return Footprint(
        kernel_text=sizes.pop("kernel_text"), data=sizes.pop("data"), bss=sizes.pop("bss"),
        objects=sizes, image=(text, data, bss),
    )  # fmt: skip


def _row(record: Mapping[str, Any]) -> Row:
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
