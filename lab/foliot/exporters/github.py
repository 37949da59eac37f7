# SPDX-License-Identifier: Apache-2.0
"""github-action-benchmark, tool `customSmallerIsBetter`."""

from __future__ import annotations

import json

from foliot.exporters.registry import Named, form, full_name


@form("github", 30)
def github(runs: Named) -> str:
    """Return github-action-benchmark's JSON."""
    found = []
    for name, run in runs:
        for row_id, value in run.values().items():
            row = run.row(row_id)
            entry = {"name": full_name(name, row_id), "unit": run.header.unit, "value": value}
            if row is not None and row.n > 1:
                entry["range"] = f"{row.min:g}..{row.max:g}"
                entry["extra"] = f"first {row.first:g}\nn {row.n}\n{row.text}"
            found.append(entry)
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
