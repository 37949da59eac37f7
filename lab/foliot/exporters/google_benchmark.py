# SPDX-License-Identifier: Apache-2.0
"""What benchmarks in C++ write; times only.

A single figure is one iteration, whatever it was averaged over; nothing is said of repetitions
that there were none of. What reads this form passes over keys it doesn't know.
"""

from __future__ import annotations

import json
from typing import Any

from foliot.exporters.registry import (
    Exported,
    Named,
    check_times,
    form,
    full_name,
    note_of_time,
    ns_of,
    shown,
)
from foliot.model.metadata import KEY
from foliot.model.run import Run


@form("google-benchmark", 50)
def google_benchmark(runs: Named) -> str:
    """Return google-benchmark's JSON."""
    entries = []
    for name, run in runs:
        check_times(name, run, "google-benchmark")
        times = shown(run, lambda row, value, run=run: ns_of(run, row, value))  # type: ignore[misc]
        entries += [_entry(name, run, place, one) for place, one in enumerate(times)]
    header = runs[0][1].header
    context = {
        "executable": f"foliot {header.suite}", "host_name": header.board, "num_cpus": 1,
        "mhz_per_cpu": round((header.clock_measured_hz or header.clock_hz) / 1e6),
        "cpu_scaling_enabled": False, "library_build_type": "release", "caches": [],
    }  # fmt: skip
    return json.dumps({"context": context, "benchmarks": entries}, indent=2) + "\n"


def _entry(name: str, run: Run, place: int, one: Exported) -> dict[str, Any]:
    full = full_name(name, one.row.id)
    label = note_of_time(one, run)
    return {
        "name": full, "family_index": place, "per_family_instance_index": 0, "run_name": full,
        "run_type": "iteration", "repetitions": 1, "repetition_index": 0, "threads": 1,
        "iterations": one.row.n, "real_time": one.value, "cpu_time": one.value,
        "time_unit": "ns", **({"label": label} if label else {}), KEY: one.carried,
    }  # fmt: skip
