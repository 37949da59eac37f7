# SPDX-License-Identifier: Apache-2.0
"""A run as CSV, for programs: a line a row, the columns in the order of the JSON's keys."""

from __future__ import annotations

import csv
import io

from foliot.exporters.foliot_json import row_as_dict
from foliot.exporters.registry import Named, form
from foliot.model.run import Run

_COLUMNS = (
    "id", "text", "n", "first", "min", "p50", "p90", "p99", "max", "max_index", "mean", "overhead",
    "floor", "reference_name", "reference_value", "evidence", "doubts",
)  # fmt: skip


def to_csv(run: Run) -> str:
    """Return the rows as CSV, with a header line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in run.rows:
        record = row_as_dict(row, run)
        reference = record["reference"] or {}
        writer.writerow(
            {
                **record,
                "reference_name": reference.get("name"),
                "reference_value": reference.get("value"),
                "evidence": " ".join(f"{key}={value}" for key, value in row.evidence.items()),
                "doubts": " ".join(row.doubts),
            }
        )
    return out.getvalue()


@form("csv", 20)
def runs_to_csv(runs: Named) -> str:
    """Return one run as CSV; of several with their names in a first column."""
    if len(runs) == 1:
        return to_csv(runs[0][1])
    out = ""
    for name, run in runs:
        head, *lines = to_csv(run).splitlines()
        out = out or f"run,{head}\n"
        out += "".join(f"{_quoted(name)},{line}\n" for line in lines)
    return out


def _quoted(name: str) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([name])
    return line.getvalue()
