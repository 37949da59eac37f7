# SPDX-License-Identifier: Apache-2.0
"""github-action-benchmark's entries: ours again with all that was exported, others' as figures."""

from __future__ import annotations

from typing import Any

from foliot.importers.figures import Collected, row_name
from foliot.importers.registry import json_format
from foliot.model.metadata import KEY, incoming
from foliot.model.names import plain
from foliot.model.run import Origin, Run

NAME = "github-action-benchmark's JSON"


@json_format(NAME)
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the runs of such a file; None where it is no such file."""
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(item, dict) and {"name", "unit", "value"} <= set(item) for item in value):
        return None
    if any(KEY in item for item in value):
        return incoming((item.get(KEY), item["value"]) for item in value)
    found = Collected()
    for item in value:
        name = str(item["name"])
        found.take(row_name(name), plain(name), item["value"], str(item["unit"]))
    return found.runs(Origin(source=source, format=NAME), "github")
