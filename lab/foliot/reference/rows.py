# SPDX-License-Identifier: Apache-2.0
"""The rows that a suite should hold: without them nobody would miss one that is absent."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from foliot.target import paths

# Of suites whose rows are the same on every board and in every configuration.
_ALWAYS = {
    "thread_metric": ("basic", "cooperative", "preemptive", "interrupt", "interrupt_preemption",
                      "message", "synchronization", "memory"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """A row of the latency suite, and the configurations in which it is measured."""

    id: str
    text: str
    configurations: tuple[str, ...]


def catalogue() -> list[CatalogueRow]:
    """Return the rows of the latency suite, in its order."""
    with (paths.REFERENCE / "latency_rows.csv").open(encoding="utf-8", newline="") as lines:
        return [
            CatalogueRow(
                id=line["id"],
                text=line["text"],
                configurations=tuple(
                    name for name in ("default", "userspace") if line[f"in_{name}"] == "1"
                ),
            )
            for line in csv.DictReader(lines)
        ]


def expected(suite: str, configuration: Iterable[str]) -> list[str]:
    """Return the ids that a run of `suite` must hold; empty where no list says."""
    if suite in _ALWAYS:
        return [f"{suite}.{name}" for name in _ALWAYS[suite]]
    if suite != "latency":
        return []
    return list(_ids("userspace" if "userspace" in configuration else "default"))


@cache
def _ids(configuration: str) -> tuple[str, ...]:
    return tuple(row.id for row in catalogue() if configuration in row.configurations)
