# SPDX-License-Identifier: Apache-2.0
"""Whatever is thrown at the importers: rows or one clear line, never anything else."""

from __future__ import annotations

import io
import json

import consoles
import other_tools as tools
import pages
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import logs
from foliot.exporters.registry import export, forms
from foliot.importers.document import Reader
from foliot.importers.table_asked import TableOptions, table_runs
from foliot.judge.doubts import examine_saved
from foliot.model.archive import dump, load
from foliot.model.errors import FoliotError, LogError
from foliot.store.selection import reference

pytestmark = pytest.mark.slow

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

OWN = logs.log([logs.row("a.b", [9] * 30), logs.row("c.d", [9] * 30)])
TWISTER = (
    '{"testsuites":[{"platform":"x","recording":'
    '[{"metric":"a.b","cycles":"5","nanoseconds":"9"}]}]}'
)
DOCUMENTS = [
    text.encode()
    for text in (
        pages.log(pages.published("rpi_pico")), pages.readme()[:9000], pages.L4RE, pages.KERNELPERF,
        pages.THREAD_METRIC, pages.IPCBENCH, pages.OLDEST, pages.OLDER, pages.sel4(), OWN,
        pages.article()[:6000],
        '"cycles","metric","nanoseconds"\n"5","a.b","9"\n',
        TWISTER,
        '{"schema":1,"board":"b","unit":"cycles","rows":[{"id":"a.b","p50":5,"max":9}]}',
        tools.ZTEST, tools.ZTEST_WORDS, tools.SCHED_QUEUES, tools.SCHED_QUEUES_WORDS,
        tools.app_kernel(), tools.CYCLICTEST, tools.CYCLICTEST_LIVE, tools.cyclictest_json(),
        tools.TIMERLAT, tools.OSNOISE, tools.COREMARK, tools.EMBENCH_TEXT, tools.embench_json(),
        tools.hyperfine(), tools.google(tools.google_entry("BM/x", 5)),
        tools.twister(("a", tools.LATENCY), ("b", tools.TOTALS), ("c", tools.PERCENTILES)),
        consoles.HYPERFINE, consoles.CRITERION, consoles.CRITERION_COLOURS, consoles.GOOGLE,
        consoles.GOOGLE_TERMINAL, consoles.GOOGLE_REPEATED, consoles.GOOGLE_CSV,
        consoles.CYCLICTEST_SCREEN, consoles.CYCLICTEST_BEYOND, consoles.TIMERLAT_TOP,
        consoles.TIMERLAT_USER, consoles.GO, consoles.RUST, consoles.PERF, consoles.CATCH2,
        *(export([reference("zephyr-4.3@ty51822r3")], form) for form in forms()),
    )
]  # fmt: skip


def survive(content: bytes) -> None:
    """Read, and use what was read in every way in which a run is used."""
    reader = Reader("fuzz")
    try:
        runs = list(reader.read(io.BytesIO(content)))
    except LogError as error:
        assert "\n" not in error.message
        assert error.message.startswith("fuzz: ")
        return
    except FoliotError as error:
        raise AssertionError("only LogError is for bad logs") from error
    assert runs
    assert 0 <= reader.skipped <= reader.lines
    for run in runs:
        assert run.rows or run.failures
        assert load(*dump(run)) == run
        examined = examine_saved(run)
        assert all(value > 0 or run.rows for value in examined.values().values())
        json.dumps([run.header.board, run.origin.title]).encode()
        run.header.board.encode()


@SETTINGS
@given(st.binary(max_size=300))
def test_bytes(content):
    survive(content)


@SETTINGS
@given(st.text(alphabet="abc.+_-|: ,0123456789cyclesn\n{}[]\"'=*\t\0\x1b", max_size=300))
def test_text_of_the_right_letters(content):
    survive(content.encode("utf-8", "replace"))


@SETTINGS
@given(
    document=st.sampled_from(DOCUMENTS),
    edits=st.lists(
        st.tuples(st.integers(0, 10_000), st.integers(0, 60), st.binary(max_size=12)), max_size=4
    ),
    cut=st.integers(0, 10_000),
)
def test_documents_cut_and_garbled(document, edits, cut):
    content = bytearray(document)
    for place, length, junk in edits:
        at = place % (len(content) + 1)
        content[at : at + length] = junk
    survive(bytes(content[: cut % (len(content) + 1)]))


@SETTINGS
@given(st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=3), st.integers(0, 300))
def test_documents_one_after_another(documents, cut):
    survive(b"\n".join(documents)[cut:])


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["schema", "board", "unit", "rows", "id", "p50", "n", "testsuites",
                         "recording", "metric", "cycles", "nanoseconds", "Benchmark", "Results",
                         "results", "command", "median", "mean", "times", "benchmarks", "context",
                         "name", "value", "foliot", "row", "run", "shown", "thread", "histogram",
                         "resolution_in_ns", "real_time", "absolute speed results",
                         "detailed results", "total_time_period",
                         "Mean", "Min", "Samples", "Raw results", "Iteration", "evidence"]),
        inner, max_size=6,
    ),
    max_leaves=12,
)  # fmt: skip


@SETTINGS
@given(values)
def test_any_json(value):
    survive(json.dumps(value).encode())


@SETTINGS
@given(st.dictionaries(st.sampled_from(["n", "min", "max", "evidence", "text", "first"]), values))
def test_our_own_json_with_any_values(more):
    row = {"id": "a.b", "p50": 5, **more}
    survive(json.dumps({"schema": 1, "board": "b", "unit": "cycles", "rows": [row]}).encode())


def places(value, path=()):
    """Return the path of every value within a JSON value, itself included."""
    found = [path]
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(item, (*path, key))
    return found


def changed(value, path, new):
    """Return the JSON value with another value at a path."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(copy[path[0]], path[1:], new)
    return copy


FILES = [json.loads(text) for text in DOCUMENTS if text[:1] in b"[{" and text[:2] != b"[0"]


@SETTINGS
@given(st.sampled_from(FILES), st.integers(0, 10**6), values)
def test_json_files_with_any_value_in_any_place(content, place, new):
    paths = [path[:8] for path in places(content)]
    survive(json.dumps(changed(content, paths[place % len(paths)], new)).encode())


TABLES = [
    text.encode()
    for text in (
        "id;Zyklen;Zeit [\u00b5s]\na;4.623;27,194\nb;871;5,124\n",
        "op\tns\na\t4\u2009623\nb\t~5 \u00b1 1\n",
        "| op | Pico ns | Teensy ns |\n|---|--:|--:|\n| a | 1,234 | 5 |\n| b | 6* | <7 |\n",
        "+----+----+\n| op | ns |\n+====+====+\n| a  | 5  |\n+----+----+\n",
        "\u250c\u2500\u252c\u2500\u2510\n\u2502a\u2502ns\u2502\n\u251c\u2500\u253c\u2500\u2524\n\u2502b\u25025\u2502\n",
        "<table><tr><th rowspan=2>op<th colspan=2>ns<tr><th>a<th>b<tr><td>x<td>1<td>2</table>",
        '[{"name":"a","ns":5},{"name":"b","ns":6.5}]', '{"a":{"ns":5}}\n{"b":{"ns":6}}\n',
        "Title, in cycles\n\nname,ns\na,5\nb,6\n", "board,give,take\nPico,5,6\nTeensy,7,8\n",
    )
]  # fmt: skip


@SETTINGS
@given(
    document=st.sampled_from(TABLES),
    edits=st.lists(
        st.tuples(st.integers(0, 300), st.integers(0, 20), st.binary(max_size=8)), max_size=4
    ),
    unit=st.sampled_from(["", "cycles", "us"]),
    marks=st.sampled_from([("", ""), (",", "."), (".", "none")]),
)
def test_tables_cut_and_garbled(document, edits, unit, marks):
    content = bytearray(document)
    for place, length, junk in edits:
        at = place % (len(content) + 1)
        content[at : at + length] = junk
    options = TableOptions("", unit, 0, True, *marks)
    try:
        found = table_runs(io.BytesIO(bytes(content)), "fuzz", options)
    except FoliotError as error:
        assert "\n" not in error.message
        return
    for run in found.runs:
        assert run.rows or run.failures
        assert load(*dump(run)) == run
        examine_saved(run)
