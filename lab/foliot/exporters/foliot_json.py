# SPDX-License-Identifier: Apache-2.0
"""A run as JSON, for programs: header, rows and doubts (docs/lab.md), a list of several.

The shape is part of the lab's contract: keys are only ever added; a change of
meaning raises SCHEMA. `value` is the figure to reckon with, as in every other form, and null
where nobody knows it; `printed` is what was printed, and `mark` says what is between them. A
statistic that nobody told is null.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from foliot.exporters.registry import Named, exact, form
from foliot.judge.facts import facts_of
from foliot.model.archive import dump_facts
from foliot.model.figures import is_nominal
from foliot.model.metadata import KEY, outgoing
from foliot.model.run import STATISTICS, Doubt, Footprint, Reference, Row, Run

SCHEMA = 1


def as_dict(run: Run) -> dict[str, Any]:
    """Return the run in the order of keys in which it is written."""
    header = run.header
    of_run = [doubt for doubt in run.doubts if doubt.row is None]
    measured = {row.id for row in run.rows}
    figures = run.figures()
    carried = outgoing(facts_of(run), [figure for _, figure in figures], whole=True)
    of_absent = [doubt for doubt in run.doubts if doubt.row and doubt.row not in measured]
    alone = {} if run.rows else {KEY: {"run": json.loads(dump_facts(replace(run, records=())))}}
    return {
        "schema": SCHEMA,
        "kernel": " ".join(filter(None, (run.origin.kernel, run.origin.kernel_version))),
        "board": header.board,
        "core": header.core,
        "unit": header.unit,
        "clock_hz": header.clock_hz,
        "clock_is_nominal": is_nominal(run),
        "memory": header.memory,
        "suite": header.suite,
        "configuration": list(header.configuration),
        "commit": header.kernel_commit,
        "dirty": int(header.dirty),
        "compiler": header.compiler,
        "flags": header.flags,
        "footprint": _footprint(run.footprint),
        "rows": [
            {**row_as_dict(row, run), KEY: beside}
            for row, beside in zip(run.rows, carried, strict=True)
        ],
        "failures": [{"id": failure.id, "reason": failure.reason} for failure in run.failures],
        "doubts": [_doubt(doubt) for doubt in [*of_run, *of_absent]],
        **alone,
    }


def to_json(run: Run) -> str:
    """Return the run as JSON text, a line a row, so that differences show."""
    content = as_dict(run)
    rows = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in content["rows"])
    shown = {**content, "rows": "@rows@"}
    text = json.dumps(shown, indent=2, ensure_ascii=False)
    return text.replace('"@rows@"', f"[\n{rows}\n  ]" if rows else "[]") + "\n"


def row_as_dict(row: Row, run: Run) -> dict[str, Any]:
    """Return one row of a run, with its doubts."""
    reference = row.reference
    figure, mark = run.figure(row), run.mark(row)
    value = None if figure is None else exact(figure)
    told = {name: row.told(name) for name in STATISTICS}
    if mark in ("decoded", "unknown"):
        told["p50"] = value
    return {
        "id": row.id,
        "text": row.text,
        "value": value,
        "mark": mark,
        "printed": row.p50,
        "ns": row.ns,
        "n": row.n,
        **told,
        "overhead": None if row.single else row.overhead,
        "floor": row.floor,
        "reference": _reference(reference) if reference else None,
        "evidence": dict(row.evidence),
        "doubts": [_doubt(doubt) for doubt in run.doubts if doubt.row == row.id],
    }


def _reference(reference: Reference) -> dict[str, Any]:
    doubted = {"doubted": True} if reference.doubted else {}
    return {"name": reference.name, "value": reference.value, **doubted}


def _doubt(doubt: Doubt) -> dict[str, Any]:
    return {
        "name": doubt.name,
        "text": doubt.text,
        "advice": doubt.advice,
        "invalidates": doubt.invalidates,
        **({"reading": doubt.reading} if doubt.reading is not None else {}),
        **({"row": doubt.row} if doubt.row else {}),
    }


def _footprint(footprint: Footprint | None) -> dict[str, int] | None:
    if footprint is None:
        return None
    text, data, bss = footprint.image
    return {
        "kernel_text": footprint.kernel_text, "data": footprint.data, "bss": footprint.bss,
        **footprint.objects, "image_text": text, "image_data": data, "image_bss": bss,
    }  # fmt: skip


@form("json", 10)
def runs_to_json(runs: Named) -> str:
    """Return one run as JSON, or a list of several."""
    if len(runs) == 1:
        return to_json(runs[0][1])
    every = [{"name": name, **as_dict(run)} for name, run in runs]
    return json.dumps(every, indent=1, ensure_ascii=False) + "\n"
