# SPDX-License-Identifier: Apache-2.0
"""twister's recording.csv; cycles and ns only. Columns behind its own four are ours."""

from __future__ import annotations

import csv
import io
import json

from foliot.exporters.registry import (
    Named,
    check_times,
    exact,
    form,
    full_name,
    note_of_time,
    ns_of,
    shown,
)
from foliot.model.metadata import KEY
from foliot.model.run import Row, Run

_COLUMNS = ("cycles", "description", "metric", "nanoseconds", "board", "remark", KEY)


@form("twister", 60)
def twister(runs: Named) -> str:
    """Return twister's CSV, with all cells quoted that are no numbers."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writeheader()
    for name, run in runs:
        check_times(name, run, "twister", cycles=True)
        for one in shown(run, lambda row, value, run=run: _cycles(run, row, value)):  # type: ignore[misc]
            ns = ns_of(run, one.row, one.figure)
            writer.writerow({
                "metric": full_name(name, one.row.id), "description": one.row.text,
                "cycles": str(one.value), "nanoseconds": str(exact(ns)),
                "board": run.header.board, "remark": note_of_time(one, run),
                KEY: json.dumps(one.carried, ensure_ascii=False, separators=(",", ":")),
            })  # fmt: skip
    return out.getvalue()


def _cycles(run: Run, row: Row, value: float) -> float:
    if run.header.unit == "cycles":
        return value
    return round(value * (run.header.clock_measured_hz or run.header.clock_hz) / 1e9, 3)
