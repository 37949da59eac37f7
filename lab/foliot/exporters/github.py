# SPDX-License-Identifier: Apache-2.0
"""github-action-benchmark, tool `customSmallerIsBetter`; it passes over keys it doesn't know."""

from __future__ import annotations

import json
from typing import Any

from foliot.exporters.registry import Exported, Named, form, full_name, note, shown
from foliot.model.metadata import KEY
from foliot.model.run import Run


@form("github", 30)
def github(runs: Named) -> str:
    """Return github-action-benchmark's JSON."""
    found = []
    for name, run in runs:
        for one in shown(run):
            entry: dict[str, Any] = {
                "name": full_name(name, one.row.id), "unit": run.header.unit, "value": one.value,
            }  # fmt: skip
            low, high = one.row.told("min"), one.row.told("max")
            if low is not None and high is not None and one.mark != "decoded":
                entry["range"] = f"{low:g}..{high:g}"
            remarks = _remarks(one, run)
            if remarks:
                entry["extra"] = remarks
            found.append({**entry, KEY: one.carried})
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _remarks(one: Exported, run: Run) -> str:
    """Return the lines that the chart shows at a point: of a single figure only what it is."""
    first = one.row.told("first")
    lines = [] if first is None else [f"first {first:g}"]
    if not one.row.single:
        lines += [f"n {one.row.n}", one.row.text]
    return "\n".join(filter(None, [*lines, note(one, run)]))
