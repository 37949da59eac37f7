# SPDX-License-Identifier: Apache-2.0
"""Measuring a function of one's own: an application outside of the tree."""

from __future__ import annotations

import json
import shutil

import pytest

from foliot.target import paths


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A place that knows nothing of the project; one, so that the kernel is built once."""
    return tmp_path_factory.mktemp("elsewhere") / "mine"


@pytest.fixture
def mine(place):
    """A copy of the sample, as it is."""
    return shutil.copytree(paths.ROOT / "samples" / "measure", place, dirs_exist_ok=True)


def bench(foliot, directory, *words, samples="20", store=None):
    """Measure a directory; return the exit status, the JSON and what was said."""
    store = str(store or directory.parent / "store")
    result = foliot("bench", str(directory), "--samples", samples, "--json", "-", "--quiet",
                    *words, FOLIOT_STORE=store)  # fmt: skip
    return result.returncode, json.loads(result.stdout or "{}"), result.stderr


@pytest.mark.board("mps2_an385")
def test_rows_of_ones_own(foliot, mine):
    status, run, said = bench(foliot, mine, "--board", "mps2_an385")
    assert status == 0, said
    assert run["suite"] == "measure"
    (row,) = run["rows"]
    assert row["id"] == "checksum.9_bytes"
    assert row["n"] == row["evidence"]["right"] == 20
    assert row["min"] == row["max"] > 100
    listed = foliot("runs", FOLIOT_STORE=str(mine.parent / "store")).stdout
    assert "measure" in listed


@pytest.mark.board("mps2_an385")
def test_a_slower_function_is_dearer(foliot, mine):
    before = bench(foliot, mine, "--board", "mps2_an385")[1]["rows"][0]["p50"]
    source = mine / "checksum.c"
    source.write_text(source.read_text().replace("bit < 8", "bit < 8 + (size > 1000)"))
    after = bench(foliot, mine, "--board", "mps2_an385")[1]["rows"][0]["p50"]
    assert after > before


@pytest.mark.board("mps2_an385")
def test_a_function_that_is_wrong_is_no_figure(foliot, mine):
    source = mine / "checksum.c"
    source.write_text(source.read_text().replace("0x1021", "0x1022"))
    status, run, said = bench(foliot, mine, "--board", "mps2_an385")
    assert status == 1
    assert run["rows"] == []
    assert "right 0 times in 20 samples" in json.dumps(run["doubts"]) + said


@pytest.mark.board("mps2_an385")
def test_where_its_cycles_go(foliot, mine):
    words = ("checksum.9_bytes", "--suite", str(mine), "--board", "mps2_an385", "--quiet")
    result = foliot("explain", *words)
    assert result.returncode == 0, result.stderr
    assert "checksum.c:12  crc = " in result.stdout
    assert "instructions, by line of source" in result.stdout


@pytest.mark.board("ibex")
def test_an_application_that_measures_nothing(foliot):
    result = foliot("bench", str(paths.ROOT / "samples" / "hello"), "--quiet", "--no-record")
    assert result.returncode == 1
    assert "it never called measure_begin()" in result.stderr
    assert "docs/measuring.md" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("directory", ["/nowhere", "/tmp"])
def test_no_application(foliot, directory):
    result = foliot("bench", directory)
    assert result.returncode == 2
    assert directory in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.board("mps2_an385")
def test_a_sample_that_a_tick_has_hit_is_named_so(foliot, tmp_path):
    status, run, said = bench(foliot, paths.ROOT / "tests/lab/apps/ticked", "--board", "mps2_an385",
                              samples="1000", store=tmp_path)  # fmt: skip
    assert status == 0, said
    alone, ticked, always = ([one["name"] for one in row["doubts"]] for row in run["rows"])
    assert alone == []
    assert ticked == ["tick"]
    assert run["rows"][1]["max"] > run["rows"][1]["p50"] + 50
    assert "tick" not in always
