# SPDX-License-Identifier: Apache-2.0
"""A run without what was concluded of it: what is kept, and what travels with an export."""

from __future__ import annotations

from dataclasses import replace

from foliot.judge.doubts import examine_saved
from foliot.model.run import Run


def facts_of(run: Run) -> Run:
    """Return an examined run as it was before: with the doubts that the target itself raised.

    Doubts of today's rules are left out: they are found anew where the run is read.
    """
    bare = replace(run, rows=tuple(replace(row, doubts=()) for row in run.rows), doubts=())
    found = examine_saved(bare)
    rows = tuple(
        replace(row, doubts=tuple(name for name in row.doubts if name not in concluded.doubts))
        for row, concluded in zip(run.rows, found.rows, strict=True)
    )
    return replace(run, rows=rows, doubts=())
