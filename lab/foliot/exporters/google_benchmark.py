# SPDX-License-Identifier: Apache-2.0
"""What benchmarks in C++ write; times only."""

from __future__ import annotations

import json

from foliot.exporters.registry import Named, form, full_name, times


@form("google-benchmark", 50)
def google_benchmark(runs: Named) -> str:
    """Return google-benchmark's JSON."""
    entries = []
    for name, run in runs:
        ns_of = times(name, run, "google-benchmark")
        for place, (row_id, ns) in enumerate(ns_of.items()):
            row = run.row(row_id)
            entries.append({
                "name": full_name(name, row_id), "family_index": place,
                "per_family_instance_index": 0,
                "run_name": full_name(name, row_id), "run_type": "iteration", "repetitions": 1,
                "repetition_index": 0, "threads": 1, "iterations": row.n if row else 1,
                "real_time": round(ns, 3), "cpu_time": round(ns, 3), "time_unit": "ns",
            })  # fmt: skip
    header = runs[0][1].header
    context = {
        "executable": f"foliot {header.suite}", "host_name": header.board, "num_cpus": 1,
        "mhz_per_cpu": round((header.clock_measured_hz or header.clock_hz) / 1e6),
        "cpu_scaling_enabled": False, "library_build_type": "release", "caches": [],
    }  # fmt: skip
    return json.dumps({"context": context, "benchmarks": entries}, indent=2) + "\n"
