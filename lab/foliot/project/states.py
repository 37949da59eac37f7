# SPDX-License-Identifier: Apache-2.0
"""The table of operations over their states: a line each, the row beside its least and its most.

The suite `states` names its rows OPERATION/STATE; an operation's id is that of its row in the
suite `latency` where it has one there, without the kind of thread where that has a row for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foliot.model.run import Row, Run

# What a row of `latency` says of its thread, and `states` says by a state, if it tells them apart.
_KINDS = (".preemptive.", ".cooperative.")


@dataclass(frozen=True)
class Spread:
    """An operation over its states: medians, in the run's unit."""

    operation: str
    least: Row
    most: Row
    states: int

    @property
    def least_state(self) -> str:
        """Return the state that costs the least; several alike: the first of the suite's."""
        return self.least.id.partition("/")[2]

    @property
    def most_state(self) -> str:
        """Return the state that costs the most."""
        return self.most.id.partition("/")[2]


def spreads(run: Run) -> Iterator[Spread]:
    """Yield the operations of a run of `states`, in its order; rows without a state are none."""
    of: dict[str, list[Row]] = {}
    for row in run.rows:
        operation, slash, _ = row.id.partition("/")
        if slash:
            of.setdefault(operation, []).append(row)
    for operation, rows in of.items():
        yield Spread(operation, min(rows, key=_cost), max(rows, key=_cost), len(rows))


def operation(row_id: str) -> str:
    """Return what the operation of a row of `latency` is called in `states`."""
    for kind in _KINDS:
        row_id = row_id.replace(kind, ".")
    return row_id


def lines(run: Run, latency: Run) -> Iterator[tuple[object, ...]]:
    """Yield the table's lines: operation, its row's median in `latency`, states, least, most."""
    medians = {operation(row.id): row.p50 for row in latency.rows}
    for spread in spreads(run):
        alike = spread.least.p50 == spread.most.p50
        yield (
            f"`{spread.operation}`", medians.get(spread.operation, ""), spread.states,
            _shown(spread.least), "all" if alike else spread.least_state,
            _shown(spread.most), "" if alike else spread.most_state,
        )  # fmt: skip


def _shown(row: Row) -> object:
    """Return a row's median, with a star where it is in doubt."""
    return rf"{row.p50}\*" if row.doubts else row.p50


def _cost(row: Row) -> float:
    return row.p50
