# SPDX-License-Identifier: Apache-2.0
"""twister's recording.csv; cycles and ns only."""

from __future__ import annotations

import csv
import io

from foliot.exporters.registry import Named, form, full_name, times
from foliot.model.figures import in_unit


@form("twister", 60)
def twister(runs: Named) -> str:
    """Return twister's CSV, with all cells quoted that are no numbers."""
    out = io.StringIO()
    names = ("cycles", "description", "metric", "nanoseconds")
    writer = csv.DictWriter(out, names, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writeheader()
    for name, run in runs:
        ns = times(name, run, "twister")
        for row_id, cycles in in_unit(run, "cycles").items():
            row = run.row(row_id)
            writer.writerow({
                "metric": full_name(name, row_id), "description": row.text if row else "",
                "cycles": str(round(cycles)), "nanoseconds": str(round(ns[row_id])),
            })  # fmt: skip
    return out.getvalue()
