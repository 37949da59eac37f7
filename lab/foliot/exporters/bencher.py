# SPDX-License-Identifier: Apache-2.0
"""Bencher Metric Format, for `bencher run --adapter json`.

Bencher passes over keys of a metric that it doesn't know. It has no place for a remark, so a
decoded figure is told by what it carries; bounds are those of the samples, where there are any.
"""

from __future__ import annotations

import json
from typing import Any

from foliot.exporters.registry import Named, form, full_name, shown
from foliot.model.metadata import KEY


@form("bencher", 40)
def bencher(runs: Named) -> str:
    """Return Bencher's JSON."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name, run in runs:
        for one in shown(run):
            metric: dict[str, Any] = {"value": one.value}
            if one.mark != "decoded":
                bounds = {"lower_value": one.row.told("min"), "upper_value": one.row.told("max")}
                metric |= {key: value for key, value in bounds.items() if value is not None}
            metric[KEY] = {**one.carried, "mark": one.mark}
            found[_unused(full_name(name, one.row.id), found)] = {run.header.unit: metric}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _unused(name: str, taken: dict[str, Any]) -> str:
    """Return a name for a row: an object holds each key but once, and a run may repeat an id."""
    count, free = 1, name
    while free in taken:
        count += 1
        free = f"{name}#{count}"
    return free
