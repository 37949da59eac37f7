# SPDX-License-Identifier: Apache-2.0
"""google-benchmark's JSON: ours again with all that was exported, others' as it says.

An entry is one repetition, a mean over its iterations; the repetitions of a benchmark are the
samples of its row. Where only aggregates were kept (--benchmark_report_aggregates_only), the
median is the figure, and of the distribution nothing but the mean is known. The real time is
taken; the CPU's stays beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from foliot.importers.figures import Collected, is_figure, row_name, sampled, told
from foliot.importers.registry import json_format
from foliot.importers.units import scaled, unit_of
from foliot.model.metadata import KEY, incoming
from foliot.model.names import plain, slug
from foliot.model.published import single
from foliot.model.run import Origin, Run

NAME = "google-benchmark's JSON"


@json_format(NAME)
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the runs of such a file; None where it is no such file."""
    entries = value.get("benchmarks") if isinstance(value, dict) else None
    if not isinstance(entries, list) or "context" not in value or not entries:
        return None
    if not all(isinstance(entry, dict) and "name" in entry for entry in entries):
        return None
    if any(KEY in entry for entry in entries):
        return incoming((entry.get(KEY), entry.get("real_time")) for entry in entries)
    return _published(value["context"], entries, source)


def _published(context: Any, entries: Sequence[Mapping[str, Any]], source: str) -> list[Run]:
    found = collected(entries)
    known = context if isinstance(context, dict) else {}
    host, program = plain(str(known.get("host_name", ""))), plain(str(known.get("executable", "")))
    origin = Origin(
        title=program.rpartition("/")[2], source=source, format=NAME, device={"name": host}
    )
    debug = known.get("library_build_type") == "debug"
    return found.runs(
        origin, "google-benchmark", board=slug(host) or "unnamed",
        header={"flags": "-O0"} if debug else None,
    )  # fmt: skip


def collected(entries: Sequence[Mapping[str, Any]]) -> Collected:
    """Return the rows of entries: those of one benchmark are one row."""
    found = Collected()
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        by_name.setdefault(str(entry.get("run_name") or entry["name"]), []).append(entry)
    for name, alike in by_name.items():
        _take(name, alike, found)
    return found


def _take(name: str, alike: Sequence[Mapping[str, Any]], found: Collected) -> None:
    """Take one benchmark: its repetitions, or its aggregates where there is nothing else."""
    row_id, text = row_name(*name.split("/")), plain(name)
    bad = next((entry for entry in alike if entry.get("error_occurred")), None)
    skipped = next((entry for entry in alike if entry.get("skipped")), None)
    if bad or skipped:
        message = (bad or skipped or {}).get("error_message") or (bad or skipped or {}).get(
            "skip_message"
        )
        found.fail(row_id, plain(str(message or "skipped"))[:200])
        return
    unit = unit_of(str(alike[0].get("time_unit", "ns")))
    times = [entry for entry in alike if entry.get("run_type", "iteration") == "iteration"]
    aggregates = {str(entry.get("aggregate_name")): entry for entry in alike if entry not in times}
    kept = times or [entry for key in ("median", "mean") if (entry := aggregates.get(key))][:1]
    if not kept:  # complexities: coefficients, no times
        found.fail(row_id, f"only {', '.join(sorted(aggregates))[:80]}: no time")
        return
    values = [value for entry in kept if is_figure(value := entry.get("real_time"))]
    if unit is None or len(values) < len(kept):
        found.fail(row_id, "its real_time is no time")
        return
    samples = [scaled(value, unit[1]) for value in values]
    if len(samples) > 1:
        row = sampled(row_id, text, samples)
    else:
        row = single(row_id, text, samples[0])
        mean = aggregates.get("mean", {}).get("real_time")
        if not times and is_figure(mean):
            row = told(row, p50=row.p50, mean=scaled(mean, unit[1]))
    cpu = kept[0].get("cpu_time")
    if is_figure(cpu):
        row = replace(row, extra={**row.extra, "cpu_time": scaled(cpu, unit[1])})
    found.add(unit[0], row)
