# SPDX-License-Identifier: Apache-2.0
"""A run as CSV, for programs: a line a row, the columns in the order of the JSON's keys.

A cell is empty where nobody told the statistic. What is the same for all rows of a run stands in
each, since whoever loads several runs into a table filters by it.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from foliot.exporters.foliot_json import as_dict
from foliot.exporters.registry import Named, form
from foliot.model.metadata import KEY
from foliot.model.run import STATISTICS, Run

_OF_RUN = (
    "unit", "board", "suite", "kernel", "commit", "configuration", "clock_hz", "clock_is_nominal",
)  # fmt: skip
_COLUMNS = (
    "id", "text", "value", "mark", "printed", "ns", "n", *STATISTICS, "overhead", "floor",
    "reference_name", "reference_value", "evidence", "doubts", *_OF_RUN, KEY,
)  # fmt: skip


def to_csv(run: Run) -> str:
    """Return the rows as CSV, with a header line."""
    return _table([("", run)], _COLUMNS)


@form("csv", 20)
def runs_to_csv(runs: Named) -> str:
    """Return one run as CSV; of several with their names in a first column."""
    return _table(runs, _COLUMNS if len(runs) == 1 else ("run", *_COLUMNS))


def _table(runs: Named, columns: tuple[str, ...]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for name, run in runs:
        content = as_dict(run)
        for record in content["rows"]:
            writer.writerow({"run": name, **_line(record, content)})
    return out.getvalue()


def _line(record: dict[str, Any], content: dict[str, Any]) -> dict[str, Any]:
    reference = record["reference"] or {}
    return {
        **record,
        **{name: content[name] for name in _OF_RUN},
        "configuration": " ".join(content["configuration"]),
        "reference_name": reference.get("name"),
        "reference_value": reference.get("value"),
        "evidence": " ".join(f"{key}={value}" for key, value in record["evidence"].items()),
        "doubts": " ".join(dict.fromkeys(doubt["name"] for doubt in record["doubts"])),
        KEY: json.dumps(record[KEY], ensure_ascii=False, separators=(",", ":")),
    }
