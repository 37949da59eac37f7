# SPDX-License-Identifier: Apache-2.0
"""Our own CSV, as `foliot export --format csv` and `foliot bench --csv` write it."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from typing import Any

from foliot.importers.registry import csv_format
from foliot.model.errors import LogError
from foliot.model.metadata import KEY, incoming
from foliot.model.run import Run

_LARGEST_CELL = 32 << 20


@csv_format("foliot's CSV", ("id", "value", "printed", KEY))
def runs_of_csv(lines: Sequence[str], source: str) -> list[Run]:
    """Return the runs of such a file."""
    records = read_records(lines)
    return incoming((carried(record), shown(record.get("value"))) for record in records)


def read_records(lines: Sequence[str]) -> list[dict[str | None, Any]]:
    """Return the records of a CSV file whose cells may be long; LogError where it is none."""
    csv.field_size_limit(_LARGEST_CELL)
    try:
        return list(csv.DictReader(lines))
    except csv.Error as error:
        raise LogError(f"no CSV: {error}") from None


def carried(record: dict[str | None, Any]) -> object:
    """Return what a record carries; None where that is nothing that can be read."""
    try:
        return json.loads(record.get(KEY) or "null")
    except (ValueError, RecursionError, TypeError):
        return None


def shown(cell: object) -> float | str | None:
    """Return the figure that a cell shows; None of an empty one, and what is no number as it is."""
    text = str(cell or "")
    try:
        return float(text) if text else None
    except ValueError:
        return text
