# SPDX-License-Identifier: Apache-2.0
"""Bencher Metric Format, for `bencher run --adapter json`."""

from __future__ import annotations

import json

from foliot.exporters.registry import Named, form, full_name


@form("bencher", 40)
def bencher(runs: Named) -> str:
    """Return Bencher's JSON."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, run in runs:
        for row_id, value in run.values().items():
            row = run.row(row_id)
            metric = {"value": value}
            if row is not None and row.n > 1:
                metric |= {"lower_value": row.min, "upper_value": row.max}
            found[full_name(name, row_id)] = {run.header.unit: metric}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
