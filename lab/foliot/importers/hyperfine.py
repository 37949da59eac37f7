# SPDX-License-Identifier: Apache-2.0
"""`hyperfine --export-json`: the wall time of commands, every run of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from foliot.importers.figures import Collected, is_figure, row_name, sampled, told
from foliot.importers.registry import json_format
from foliot.importers.units import scaled
from foliot.model.names import plain
from foliot.model.published import single
from foliot.model.run import Origin, Run

NAME = "hyperfine's JSON"
_NS = 10**9
_NEEDED = {"command", "mean", "median", "min", "max"}


@json_format(NAME)
def runs_of_json(value: Any, source: str) -> list[Run] | None:
    """Return the run of such a file; None where it is no such file."""
    results = value.get("results") if isinstance(value, dict) else None
    if not isinstance(results, list) or not results:
        return None
    if not all(isinstance(result, dict) and set(result) >= _NEEDED for result in results):
        return None
    found = Collected()
    for result in results:
        _take(result, found)
    return found.runs(Origin(title="hyperfine", source=source, format=NAME), "hyperfine")


def _take(result: dict[str, Any], found: Collected) -> None:
    command, parameters = plain(str(result["command"])), result.get("parameters")
    words = (
        [f"{key}_{item}" for key, item in parameters.items()]
        if isinstance(parameters, dict)
        else []
    )
    shown = [word for word in words if word.partition("_")[2] not in command]
    name = row_name(command, *shown)
    codes = [code for code in result.get("exit_codes") or () if code not in (0, None)]
    if codes:
        found.fail(
            name, f"{len(codes)} of its runs ended with a status, {plain(str(codes[0]))[:8]}"
        )
        return
    times = result.get("times")
    if isinstance(times, list) and times and all(map(is_figure, times)):
        row = sampled(
            name, command, [scaled(time, _NS) for time in times], scaled_or(result["median"])
        )
    elif all(is_figure(result[key]) for key in ("median", "mean", "min", "max")):
        stats = {key: scaled(result[key], _NS) for key in ("mean", "min", "max")}
        row = single(name, command, scaled(result["median"], _NS))
        row = told(row, p50=row.p50, **stats)
    else:
        found.fail(name, "its times are no figures")
        return
    deviation = result.get("stddev")
    if is_figure(deviation):
        row = replace(row, extra={**row.extra, "stddev": scaled(deviation, _NS)})
    found.add("ns", row)


def scaled_or(seconds: object) -> float | None:
    """Return a time in ns; None where it is no figure."""
    return scaled(seconds, _NS) if is_figure(seconds) else None
