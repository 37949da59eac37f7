# SPDX-License-Identifier: Apache-2.0
"""Builds logs as the firmware prints them, to be right or to be wrong in a chosen place."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import Any

HEADER: dict[str, Any] = {
    "type": "header", "schema": 1, "suite": "latency", "kernel_commit": "0123456789ab", "dirty": 0,
    "board": "ibex", "core": "Ibex RV32IMC maxperf", "unit": "cycles", "clock_hz": 100_000_000,
    "clock_measured_hz": 100_000_000, "counter": {"name": "soc_cycle", "bits": 64},
    "memory": "1 MiB, 0 wait states", "compiler": "gcc 12.2.0", "flags": "-std=gnu11 -O2 -g",
    "configuration": ["default"], "config_sha256": "00" * 32, "assertions": 0,
}  # fmt: skip


def row(row_id: str, samples: list[int], text: str = "Some operation") -> dict[str, Any]:
    """Return the record of a row with these samples."""
    ordered = sorted(samples)
    count = len(samples)

    def percentile(percent: int) -> int:
        return ordered[max(1, -(-count * percent // 100)) - 1]

    return {
        "type": "row", "id": row_id, "text": text, "n": count, "first": samples[0],
        "min": ordered[0], "p50": percentile(50), "p90": percentile(90), "p99": percentile(99),
        "max": ordered[-1], "max_index": samples.index(ordered[-1]), "sum": sum(samples),
        "overhead": 3, "histogram": [[v, samples.count(v)] for v in sorted(set(samples))],
        "buckets": 0, "evidence": {"switches": count}, "doubts": [],
    }  # fmt: skip


def failure(row_id: str, reason: str) -> dict[str, Any]:
    """Return the record of a row that could not be measured."""
    return {"type": "failure", "id": row_id, "reason": reason}


def machine_line(record: dict[str, Any]) -> str:
    """Return a record's line, with its end."""
    return "@foliot " + json.dumps(record, separators=(",", ":")) + "\n"


def human_line(record: dict[str, Any], unit: str = "cycles") -> str:
    """Return the line for people that stands before a record."""
    if record["type"] == "failure":
        return f"{record['id']:<40} - Some operation : FAILED : {record['reason']}\n"
    value = record["p50"]
    figure = (
        f"{value:>7} cycles , {value * 10:>8} ns :" if unit == "cycles" else f"{value:>7} {unit} :"
    )
    return f"{record['id']:<40} - {record['text']:<40} : {figure}\n"


def log(
    records: Iterable[dict[str, Any]],
    header: dict[str, Any] | None = None,
    boot: str = "",
    human: bool = True,
) -> str:
    """Return a whole, correct log of these rows and failures."""
    head = HEADER if header is None else header
    records = list(records)
    text = boot + machine_line(head)
    crc = zlib.crc32(machine_line(head).encode())
    for record in records:
        line = machine_line(record)
        crc = zlib.crc32(line.encode(), crc)
        if human and record["type"] in ("row", "failure"):
            text += human_line(record, head["unit"])
        text += line
    counts = {
        kind: sum(record["type"] == kind for record in records) for kind in ("row", "failure")
    }
    end = {"type": "end", "rows": counts["row"], "failed": counts["failure"]}
    text += machine_line({**end, "crc32": f"{crc:08x}"})
    return text + f"PROJECT EXECUTION {'FAILED' if counts['failure'] else 'SUCCESSFUL'}\n"
