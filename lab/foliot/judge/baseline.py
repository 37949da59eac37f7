# SPDX-License-Identifier: Apache-2.0
"""A baseline: the figures of one board that the gate holds new ones against, in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from foliot.model.run import Run
from foliot.target import paths

BASELINES = Path("data") / "baseline"


def path(board: str) -> Path:
    """Return the file of the repository that holds a board's baseline."""
    return paths.ROOT / BASELINES / f"{board}.json"


def text(run: Run) -> str:
    """Return a run as a baseline: what it weighs, a line a row, and nothing that changes by itself.

    Neither commit nor date are in it, so that it differs exactly when a figure does.
    """
    header = run.header
    facts: dict[str, Any] = {
        "schema": 1, "board": header.board, "core": header.core, "unit": header.unit,
        "clock_hz": header.clock_hz, "memory": header.memory, "suite": header.suite,
        "configuration": list(header.configuration), "compiler": header.compiler,
        "flags": header.flags,
    }  # fmt: skip
    if run.footprint is not None:
        own = run.footprint
        facts["footprint"] = {
            "kernel_text": own.kernel_text, "data": own.data, "bss": own.bss, **own.objects,
        }  # fmt: skip
    rows = [
        {"id": row.id, "n": row.n, "first": row.first, "min": row.min, "p50": row.p50,
         "p99": row.p99, "max": row.max}
        for row in run.rows
    ]  # fmt: skip
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    return json.dumps(facts, indent=2)[:-2] + f',\n  "rows": [\n{lines}\n  ]\n}}\n'
