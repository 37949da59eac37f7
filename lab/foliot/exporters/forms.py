# SPDX-License-Identifier: Apache-2.0
"""Runs in the forms that other tools take.

    csv, json           ours: header, rows and doubts of a run (docs/lab.md), a list of several
    github              github-action-benchmark, tool `customSmallerIsBetter`
    bencher             Bencher Metric Format, for `bencher run --adapter json`
    google-benchmark    what benchmarks in C++ write; times only
    twister             twister's recording.csv; cycles and ns only
    junit               what CI servers show; of `foliot gate`

A count of instructions is no time: the forms that know only times refuse it. The forms of
other tools hold one figure a row, which is the median, decoded where it was wrong.
"""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence

from foliot.exporters import foliot_json
from foliot.judge.gate import Verdict
from foliot.model.errors import UsageError
from foliot.model.figures import in_unit
from foliot.model.run import Run
from foliot.store.selection import Chosen, titles

Named = Sequence[tuple[str, Run]]


def export(chosen: Sequence[Chosen], form: str) -> str:
    """Return the runs in a form; UsageError where the form is unknown, or can't hold them."""
    if form not in FORMS:
        raise UsageError(f"unknown form '{form}': valid are {', '.join(FORMS)}")
    names = [one.name for one in chosen] if len(chosen) > 1 else [""]
    if len(set(names)) < len(names):
        names = titles(chosen)
    return FORMS[form]([(name, one.run) for name, one in zip(names, chosen, strict=True)])


def _json(runs: Named) -> str:
    if len(runs) == 1:
        return foliot_json.to_json(runs[0][1])
    every = [{"name": name, **foliot_json.as_dict(run)} for name, run in runs]
    return json.dumps(every, indent=1, ensure_ascii=False) + "\n"


def _csv(runs: Named) -> str:
    if len(runs) == 1:
        return foliot_json.to_csv(runs[0][1])
    out = ""
    for name, run in runs:
        head, *lines = foliot_json.to_csv(run).splitlines()
        out = out or f"run,{head}\n"
        out += "".join(f"{_quoted(name)},{line}\n" for line in lines)
    return out


def _quoted(name: str) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([name])
    return line.getvalue()


def _full(name: str, row_id: str) -> str:
    return f"{name}/{row_id}" if name else row_id


def github(runs: Named) -> str:
    """Return github-action-benchmark's JSON (`customSmallerIsBetter`)."""
    found = []
    for name, run in runs:
        for row_id, value in run.values().items():
            row = run.row(row_id)
            entry = {"name": _full(name, row_id), "unit": run.header.unit, "value": value}
            if row is not None and row.n > 1:
                entry["range"] = f"{row.min:g}..{row.max:g}"
                entry["extra"] = f"first {row.first:g}\nn {row.n}\n{row.text}"
            found.append(entry)
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _bencher(runs: Named) -> str:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, run in runs:
        for row_id, value in run.values().items():
            row = run.row(row_id)
            metric = {"value": value}
            if row is not None and row.n > 1:
                metric |= {"lower_value": row.min, "upper_value": row.max}
            found[_full(name, row_id)] = {run.header.unit: metric}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _google(runs: Named) -> str:
    entries = []
    for name, run in runs:
        times = _times(name, run, "google-benchmark")
        for place, (row_id, ns) in enumerate(times.items()):
            row = run.row(row_id)
            entries.append({
                "name": _full(name, row_id), "family_index": place, "per_family_instance_index": 0,
                "run_name": _full(name, row_id), "run_type": "iteration", "repetitions": 1,
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


def _twister(runs: Named) -> str:
    out = io.StringIO()
    names = ("cycles", "description", "metric", "nanoseconds")
    writer = csv.DictWriter(out, names, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writeheader()
    for name, run in runs:
        ns = _times(name, run, "twister")
        for row_id, cycles in in_unit(run, "cycles").items():
            row = run.row(row_id)
            writer.writerow({
                "metric": _full(name, row_id), "description": row.text if row else "",
                "cycles": str(round(cycles)), "nanoseconds": str(round(ns[row_id])),
            })  # fmt: skip
    return out.getvalue()


def _times(name: str, run: Run, form: str) -> dict[str, float]:
    header = run.header
    if header.unit not in ("cycles", "ns") or not (header.clock_measured_hz or header.clock_hz):
        what = name or f"{header.suite} on {header.board}"
        raise UsageError(
            f"{form} holds times, and {what} is in {header.unit}, which is none",
            "json, csv, github and bencher hold any unit",
        )
    return in_unit(run, "ns")


def junit(verdicts: Sequence[Verdict], run: Run) -> str:
    """Return the verdicts of a gate as JUnit's XML: a test case a row."""
    header = run.header
    failures = sum(verdict.fails for verdict in verdicts)
    name = f"foliot gate: {header.suite} on {header.board}"
    suites = ET.Element("testsuites", tests=str(len(verdicts)), failures=str(failures))
    suite = ET.SubElement(
        suites, "testsuite", name=name, tests=str(len(verdicts)), failures=str(failures),
        errors="0", skipped="0",
    )  # fmt: skip
    for verdict in verdicts:
        case = ET.SubElement(suite, "testcase", classname=f"{header.suite}.{header.board}",
                             name=verdict.row, time="0")  # fmt: skip
        if verdict.fails:
            failure = ET.SubElement(case, "failure", type=verdict.status, message=verdict.text)
            failure.text = verdict.text
        elif verdict.text:
            ET.SubElement(case, "system-out").text = f"{verdict.status}: {verdict.text}"
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


FORMS: dict[str, Callable[[Named], str]] = {
    "json": _json, "csv": _csv, "github": github, "bencher": _bencher,
    "google-benchmark": _google, "twister": _twister,
}  # fmt: skip
