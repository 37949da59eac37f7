# SPDX-License-Identifier: Apache-2.0
"""Every export holds the same figures, and can be imported again as the run that it was."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pages
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import logs
from foliot.exporters.registry import export, forms
from foliot.importers.document import Reader
from foliot.judge.doubts import examine_saved
from foliot.judge.facts import facts_of
from foliot.model.errors import LogError, UsageError
from foliot.model.figures import in_unit
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Origin, Row
from foliot.reference import systems
from foliot.store.selection import Chosen

WHOLE = ("json", "csv")
SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(content: str):
    return list(Reader("x").read(io.BytesIO(content.encode())))


def chosen(*runs):
    return [Chosen(f"run{number}", examine_saved(run)) for number, run in enumerate(runs)]


def is_refused(run, form):
    """Whether a form has reason to refuse a run: no time, or nothing known."""
    header = run.header
    clock = header.clock_measured_hz or header.clock_hz
    times = header.unit in ("ns", "cycles") and (
        clock or (header.unit, form) == ("ns", "google-benchmark")
    )
    known = examine_saved(run).values()
    return form not in WHOLE and (
        not known or (form in ("twister", "google-benchmark") and not times)
    )


def round_trip(runs, form):
    """Export runs and import them again: the same facts, and the same doubts of them."""
    back = read(export(chosen(*runs), form))
    assert [facts_of(examine_saved(run)) for run in back] == [
        replace(run, records=()) for run in runs
    ]
    assert back == [replace(run, records=()) for run in runs]
    for was, run in zip(runs, back, strict=True):
        assert examine_saved(run).doubts == examine_saved(was).doubts


def shown(form: str, text: str) -> dict[str, float]:
    """Return what a reader of that form sees, with nothing of ours taken into account."""
    if form == "json":
        return {
            row["id"]: row["value"] for row in json.loads(text)["rows"] if row["value"] is not None
        }
    if form == "github":
        return {entry["name"]: entry["value"] for entry in json.loads(text)}
    if form == "bencher":
        return {name: next(iter(item.values()))["value"] for name, item in json.loads(text).items()}
    if form == "google-benchmark":
        return {entry["name"]: entry["real_time"] for entry in json.loads(text)["benchmarks"]}
    name, value = {"csv": ("id", "value"), "twister": ("metric", "cycles")}[form]
    rows = csv.DictReader(io.StringIO(text))
    return {row[name]: float(row[value]) for row in rows if row[value]}


@pytest.mark.slow
@pytest.mark.parametrize("form", forms())
@pytest.mark.parametrize("name", systems.names())
def test_a_reference_shows_one_value_in_every_form_and_comes_back(name, form):
    run = systems.load(name)
    if is_refused(run, form):
        with pytest.raises(UsageError):
            export(chosen(run), form)
        return
    round_trip([run], form)
    examined = examine_saved(run)
    unit = {"google-benchmark": "ns", "twister": "cycles"}.get(form, run.header.unit)
    expected = in_unit(examined, unit) if unit != run.header.unit else examined.values()
    assert shown(form, export(chosen(run), form)) == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize("form", forms())
@pytest.mark.parametrize("text", [pages.article(), pages.readme(), pages.L4RE, pages.KERNELPERF,
                                  pages.sel4(), pages.THREAD_METRIC, pages.OLDER])  # fmt: skip
def test_all_runs_of_a_document_come_back_from_one_file(text, form):
    runs = [run for run in read(text) if not is_refused(run, form)]
    if runs:
        round_trip(runs, form)


@pytest.mark.parametrize("form", forms())
def test_our_own_measured_runs_come_back_with_their_distributions(form):
    rows = [
        logs.row("a.b", [131, *[118] * 150, *[119] * 49]), logs.row("a.c", [9] * 200),
        {**logs.row("a.d", [9] * 200), "doubts": ["overhead-unstable"]},
        logs.row("one", [7]), {**logs.row("e.f", [5] * 200), "evidence": {"switches": 0}},
        logs.failure("g.h", "no heap"),
    ]  # fmt: skip
    (run,) = read(logs.log(rows))
    assert not run.published
    round_trip([run], form)


@pytest.mark.parametrize("form", [form for form in forms() if form not in WHOLE])
def test_a_figure_that_nobody_knows_is_not_shown_and_not_lost(form):
    run = systems.load("zephyr-4.3@ty51822r3")
    text = export(chosen(run), form)
    assert len(shown(form, text)) == len(run.rows) - 2
    (back,) = read(text)
    assert back.rows == run.rows


def test_one_figure_is_one_figure():
    run = examine_saved(systems.load("zephyr-4.3@rpi_pico2"))
    line = next(csv.DictReader(io.StringIO(export([Chosen("x", run)], "csv"))))
    assert [line[name] for name in ("first", "min", "p90", "p99", "max", "max_index", "mean")] == [
        ""
    ] * 7
    row = json.loads(export([Chosen("x", run)], "json"))["rows"][0]
    assert {row[name] for name in ("first", "min", "p90", "p99", "max", "max_index", "mean")} == {
        None
    }
    entry = json.loads(export([Chosen("x", run)], "github"))[0]
    assert "range" not in entry


@pytest.mark.parametrize("form", forms())
def test_an_edited_figure_is_noticed(form):
    run = published_run(
        [single("a.b", "A", 12345, 98760)], origin=Origin(kernel="K"), suite="s", unit="cycles"
    )
    text = export(chosen(run), form)
    old = "98760" if form == "google-benchmark" else "12345"
    place = {"json": '"value": ', "csv": "a.b,A,", "github": '"value": ', "bencher": '"value": ',
             "google-benchmark": '"real_time": ', "twister": '"'}[form]  # fmt: skip
    assert place + old in text
    with pytest.raises(LogError, match=r"a\.b: 777.* stands where"):
        read(text.replace(place + old, place + "777", 1))


@pytest.mark.parametrize("form", forms())
def test_rows_may_be_taken_out_but_not_the_first(form):
    if form in WHOLE:
        pytest.skip("the same code reads them")
    run = systems.load("zephyr-4.3@rpi_pico2")
    text = export(chosen(run), form)
    if form == "twister":
        lines = text.splitlines()
        fewer, beheaded = "\n".join(lines[:5]), "\n".join(lines[:1] + lines[2:])
    else:
        content = json.loads(text)
        rows = content["benchmarks"] if form == "google-benchmark" else content
        cut = (
            (lambda part: dict(list(rows.items())[part])) if form == "bencher" else rows.__getitem__
        )
        whole = (
            (lambda part: {**content, "benchmarks": part})
            if form == "google-benchmark"
            else (lambda part: part)
        )
        fewer, beheaded = (json.dumps(whole(cut(part))) for part in (slice(4), slice(1, None)))
    assert len(read(fewer)[0].rows) == 4
    with pytest.raises(LogError, match="says how it was made, is gone"):
        read(beheaded)


def test_a_repeated_id_is_not_lost_in_an_object():
    rows = [single("a.b", "A", 1), single("a.b", "A", 2)]
    run = published_run(rows, origin=Origin(), suite="s", unit="cycles", declared_hz=10**6)
    for form in forms():
        round_trip([run], form)


def test_a_run_of_failures_alone_comes_back_from_json():
    run = published_run([], origin=Origin(kernel="K"), suite="s", unit="ns", successful=False,
                      failures=[Failure("a.b", "why")])  # fmt: skip
    round_trip([run], "json")


@pytest.mark.parametrize(
    "carried",
    [
        1, {}, {"row": 5}, {"row": {}}, {"row": {"id": "a"}, "shown": 1, "run": 5},
        {"row": {"id": "a", "text": "", "value": 1}, "shown": 1, "run": {}},
        {"row": {"id": "a", "text": "", "value": 1}, "shown": 1},
    ],
)  # fmt: skip
def test_what_no_export_wrote_is_refused_in_one_line(carried):
    with pytest.raises(LogError) as refusal:
        read(json.dumps([{"name": "a", "unit": "ns", "value": 1, "foliot": carried}]))
    assert "\n" not in refusal.value.message


words = st.text(alphabet=st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=12)
ids = st.from_regex(r"[a-z]{1,6}(\.[a-z]{1,6}){0,2}", fullmatch=True)
small = st.integers(0, 99)
units = st.sampled_from(["cycles", "ns", "insn"])
numbers = st.integers(1, 10**12) | st.floats(0.001, 1e12, allow_nan=False)


@st.composite
def published_rows(draw) -> Row:
    value, ns = draw(numbers), draw(st.none() | numbers)
    row = single(draw(ids), draw(words), value, ns)
    if draw(st.booleans()):
        low, high = sorted(draw(st.tuples(numbers, numbers)))
        row = replace(row, n=draw(st.integers(1, 10**6)), min=low, max=high, histogram=(),
                      extra={"told": "p50 min max"})  # fmt: skip
    return row


@st.composite
def published_runs(draw):
    rows = draw(st.lists(published_rows(), min_size=1, max_size=6, unique_by=lambda row: row.id))
    origin = Origin(
        kernel=draw(words), kernel_version=draw(words), title=draw(words), source=draw(words),
        format=draw(words), lines=draw(st.none() | st.tuples(small, small)),
        device=draw(st.dictionaries(words, words, max_size=2)),
    )  # fmt: skip
    return published_run(
        rows, origin=origin, suite=draw(words), unit=draw(units), board=draw(words),
        configuration=draw(words), declared_hz=draw(st.integers(0, 10**9)),
        failures=draw(st.lists(st.builds(Failure, words, words), max_size=2)),
        successful=draw(st.booleans()),
    )  # fmt: skip


@pytest.mark.slow
@SETTINGS
@given(st.lists(published_runs(), min_size=1, max_size=3), st.sampled_from(list(forms())))
def test_any_runs_come_back(runs, form):
    runs = [run for run in runs if not is_refused(run, form)]
    if runs:
        round_trip(runs, form)
