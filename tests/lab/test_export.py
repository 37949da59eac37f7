# SPDX-License-Identifier: Apache-2.0
"""The forms that other tools read, and what is refused to be put into them."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from foliot.exporters.registry import export, forms
from foliot.importers.document import Reader
from foliot.model.errors import UsageError
from foliot.store.selection import reference


def chosen(*names):
    return [reference(name) for name in names]


def read_back(text):
    return list(Reader("x").read(io.BytesIO(text.encode())))


def test_json_is_ours_and_comes_back():
    text = export(chosen("zephyr-4.3@rpi_pico"), "json")
    content = json.loads(text)
    assert content["board"] == "rpi_pico"
    wrapped = next(row for row in content["rows"] if row["id"] == "lifo.put.immediate.kernel")
    assert (wrapped["value"], wrapped["mark"], wrapped["printed"]) == (151.5, "decoded", 117592)
    assert wrapped["p50"] == 151.5
    assert wrapped["doubts"][0]["reading"] == 151.5
    (run,) = read_back(text)
    assert [row.p50 for row in run.rows] == [row["printed"] for row in content["rows"]]
    several = json.loads(export(chosen("zephyr-4.3@rpi_pico", "zephyr-4.3@rpi_pico2"), "json"))
    assert [one["name"] for one in several] == ["zephyr-4.3@rpi_pico", "zephyr-4.3@rpi_pico2"]


def test_csv():
    lines = list(csv.DictReader(io.StringIO(export(chosen("zephyr-3.3@ibex"), "csv"))))
    assert lines[0]["id"] == "thread.yield.preemptive.ctx.k_to_k"
    assert lines[0]["p50"] == "161.0"
    both = export(chosen("zephyr-3.3@ibex", "zephyr-3.3@mps2_an385"), "csv")
    rows = list(csv.DictReader(io.StringIO(both)))
    assert {row["run"] for row in rows} == {"zephyr-3.3@ibex", "zephyr-3.3@mps2_an385"}
    assert len(rows) == 94


def test_twisters_recording_matches_its_own_regex_and_comes_back():
    run = reference("zephyr-4.3@nucleo_f401re").run
    text = export(chosen("zephyr-4.3@nucleo_f401re"), "twister")
    assert text.startswith('"cycles","description","metric","nanoseconds",')
    pattern = r"(?P<metric>.*) - (?P<description>.*):(?P<cycles>.*) cycles ,(?P<nanoseconds>.*) ns"
    for record, row in zip(csv.DictReader(io.StringIO(text)), run.rows, strict=True):
        printed = f"{row.id} - {row.text} : {row.p50} cycles , {int(row.ns)} ns :"
        found = re.match(pattern, printed)
        assert {key: value.strip() for key, value in found.groupdict().items()}.items() <= (
            record.items()
        )
    (back,) = read_back(text)
    assert [(row.id, row.p50, row.ns) for row in back.rows] == [
        (row.id, row.p50, row.ns) for row in run.rows
    ]


def test_decoded_figures_go_out_and_unknown_ones_stay():
    rows = {row["metric"]: row for row in csv.DictReader(
        io.StringIO(export(chosen("zephyr-4.3@rpi_pico"), "twister")))}  # fmt: skip
    assert rows["lifo.put.immediate.kernel"]["cycles"] == "151.5"
    assert rows["lifo.put.immediate.kernel"]["remark"].startswith("decoded, printed as 117592")
    assert rows["lifo.put.immediate.kernel"]["nanoseconds"] == "1212"
    names = {
        entry["name"] for entry in json.loads(export(chosen("zephyr-4.3@ty51822r3"), "github"))
    }
    assert "thread.yield.preemptive.ctx.k_to_k" not in names
    assert len(names) == 45


def test_google_benchmark():
    content = json.loads(export(chosen("zephyr-4.3@rpi_pico2"), "google-benchmark"))
    assert content["context"]["mhz_per_cpu"] == 150
    first = content["benchmarks"][0]
    assert (first["name"], first["real_time"], first["time_unit"]) == (
        "thread.yield.preemptive.ctx.k_to_k", 1146, "ns",
    )  # fmt: skip
    assert first["run_type"] == "iteration"


def test_github_and_bencher_take_any_unit():
    entries = json.loads(export(chosen("zephyr-3.3@mps2_an385"), "github"))
    del entries[0]["foliot"]
    assert entries[0] == {
        "name": "thread.yield.preemptive.ctx.k_to_k", "unit": "insn", "value": 103.0,
    }  # fmt: skip
    metrics = json.loads(export(chosen("zephyr-3.3@mps2_an385", "zephyr-3.3@ibex"), "bencher"))
    metric = metrics["zephyr-3.3@ibex/semaphore.take.immediate.kernel"]["cycles"]
    assert (set(metric), metric["value"]) == ({"value", "foliot"}, 24.0)


@pytest.mark.parametrize("form", ["twister", "google-benchmark"])
def test_no_instructions_as_times(form):
    with pytest.raises(
        UsageError, match=rf"{form} holds times, and latency on mps2_an385 is in insn"
    ):
        export(chosen("zephyr-3.3@mps2_an385"), form)
    with pytest.raises(UsageError, match="is in cycles, which is none"):
        export(chosen("l4re@n100"), form)


NOMINAL = "simulated: cycles at a nominal 100 MHz"


def test_times_at_a_clock_that_no_chip_has_are_marked_in_every_form():
    """`ibex` is RTL in a simulator, the F401 a chip."""
    simulated, chip = chosen("zephyr-3.3@ibex"), chosen("zephyr-4.3@nucleo_f401re")
    for found, nominal in ((simulated, True), (chip, False)):
        rows = list(csv.DictReader(io.StringIO(export(found, "twister"))))
        assert {NOMINAL in row["remark"] for row in rows} == {nominal}
        entries = json.loads(export(found, "google-benchmark"))["benchmarks"]
        assert {NOMINAL in entry.get("label", "") for entry in entries} == {nominal}
        assert json.loads(export(found, "json"))["clock_is_nominal"] is nominal
        rows = list(csv.DictReader(io.StringIO(export(found, "csv"))))
        assert {row["clock_is_nominal"] for row in rows} == {str(nominal)}


def test_unknown_forms():
    with pytest.raises(UsageError, match="unknown form 'xml': valid are json, csv, github"):
        export(chosen("zephyr-3.3@ibex"), "xml")
    assert set(forms()) == {"json", "csv", "github", "bencher", "google-benchmark", "twister"}
