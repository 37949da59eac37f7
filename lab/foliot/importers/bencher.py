# SPDX-License-Identifier: Apache-2.0
"""Bencher Metric Format: ours again with all that was exported, others' as figures.

A measure of Bencher's is `latency` (in ns, as it defines it) or a unit's own name.
"""

from __future__ import annotations

from typing import Any

from foliot.importers.figures import Collected, row_name
from foliot.importers.registry import json_format
from foliot.model.metadata import KEY, incoming
from foliot.model.names import plain
from foliot.model.run import Origin, Run

NAME = "Bencher's JSON"


@json_format(NAME)
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the runs of such a file; None where it is no such file."""
    if not isinstance(value, dict) or not value:
        return None
    if not all(
        isinstance(measures, dict)
        and measures
        and all(isinstance(metric, dict) and "value" in metric for metric in measures.values())
        for measures in value.values()
    ):
        return None
    metrics = [(name, *item) for name, measures in value.items() for item in measures.items()]
    if any(KEY in metric for *_, metric in metrics):
        return incoming((metric.get(KEY), metric["value"]) for *_, metric in metrics)
    found = Collected()
    for name, measure, metric in metrics:
        unit = "ns" if measure == "latency" else measure
        found.take(row_name(name), plain(name), metric["value"], unit)
    return found.runs(Origin(source=source, format=NAME), "bencher")
