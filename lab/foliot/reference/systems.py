# SPDX-License-Identifier: Apache-2.0
"""The figures of other systems: runs like any other, under names such as zephyr-3.3@ibex.

A name is SYSTEM[-CONFIGURATION]@BOARD. What stands beside our own rows in the bench table
is one of them: which one, a board's file says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from foliot.model.errors import FoliotError, UsageError, nearest
from foliot.model.run import Reference, Run
from foliot.reference import files
from foliot.target.boards import Board

_READERS = (
    files.zephyr_published, files.zephyr_in_qemu, files.peers_on_ibex, files.peers_on_cortex_m3,
    files.peers_of_time, files.zephyr_states, files.l4re, files.microkernels, files.kernelperf,
)  # fmt: skip


def names() -> list[str]:
    """Return the names of all references."""
    return list(_runs())


def load(name: str) -> Run:
    """Return a reference, not examined; UsageError where there is none of that name."""
    found = _runs().get(name)
    if found is None:
        near = nearest(name, _runs())
        raise UsageError(
            f"there is no reference '{name}'{near}", "`foliot runs --references` lists them"
        )
    return found


@cache
def published() -> tuple[Run, ...]:
    """Return the runs that others measured on boards, as they published them, not examined."""
    return tuple(run for run in _runs().values() if any(row.ns is not None for row in run.rows))


def beside(board: Board, configuration: Iterable[str] = ()) -> dict[str, Reference]:
    """Map row ids to the reference figures of a board, in its unit; empty without any.

    With user threads those are another kernel's with user threads, where the board names one:
    what its kernel rows pay for them is in those.
    """
    if not board.reference:
        return {}
    named = board.reference
    if "userspace" in configuration:
        named = board.reference.get("userspace", named)
    wanted, shown = str(named.get("run")), str(named.get("name"))
    run = _runs().get(wanted)
    if run is None or run.header.unit != board.unit:
        raise FoliotError(f"the board {board.name} has no reference '{wanted}' in {board.unit}")
    return {
        row.id: Reference(shown, row.p50, doubted=bool(row.extra.get("stamps"))) for row in run.rows
    }


@cache
def _runs() -> Mapping[str, Run]:
    try:
        return dict(named for reader in _READERS for named in reader())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FoliotError(f"data/reference can't be read: {error!r}") from None
