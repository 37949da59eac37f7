# SPDX-License-Identifier: Apache-2.0
"""What stands beside a figure: what it should reach, and what another's holds beyond it.

From data/targets.json and data/reference/notes.toml.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from foliot.target import paths


@dataclass(frozen=True, slots=True)
class Note:
    """Of a reference's figure for `row`, `holds` units are no part of the operation."""

    row: str
    holds: float
    what: str


def targets(
    board: str, suite: str = "latency", configuration: Iterable[str] = ()
) -> Mapping[str, Mapping[str, Any]]:
    """Map a suite's row ids to their goals on a board: `target`, `best` and `best_name`.

    Of the latency suite all 47 rows have them, of others some; empty where none is set. With
    user threads in the configuration the goals are those of their rows.
    """
    if "userspace" in configuration:
        suite = f"{suite}, userspace"
    known = json.loads(paths.TARGETS.read_text(encoding="utf-8"))["boards"].get(board, {})
    return dict(known.get("rows" if suite == "latency" else suite, {}))


def notes(reference: str) -> list[Note]:
    """Return what is known of a reference's figures that makes them larger than they are."""
    path = paths.REFERENCE / "notes.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8")).get(reference, {})
    return [Note(row, note["holds"], note["what"]) for row, note in found.items()]
