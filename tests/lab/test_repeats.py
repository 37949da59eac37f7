# SPDX-License-Identifier: Apache-2.0
"""Runs that were repeated: recorded together, listed by how they scatter, compared by ranks."""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace

import pytest

import logs
from foliot.commands import bench as benching
from foliot.commands.bench import Recorder
from foliot.log.reader import parse
from foliot.measure import session
from foliot.model.errors import FoliotError, LogError
from foliot.store.sqlite import Store
from foliot.store.writer import Recording

pytestmark = pytest.mark.slow

ROWS = ("mutex.lock", "mutex.unlock", "sem.give")


def silicon(store, name, count, levels, seed):
    """Record `count` runs of a board that scatters by a cycle or two around its levels."""
    generator = random.Random(seed)
    with Recording(Store(store), "bench", "port") as recording:
        for number in range(count):
            rows = [logs.row(row, [level + generator.randint(-2, 2)] * 200)
                    for row, level in zip(ROWS, levels, strict=True)]  # fmt: skip
            run = parse(logs.log(rows, {**logs.HEADER, "board": "rpi_pico", "suite": "one"}))
            recording.add(run, f"{name}/{number + 1}")
        recording.keep(io.BytesIO(name.encode()))


def test_sets_of_runs_are_compared_by_ranks(foliot, own_store):
    silicon(own_store, "old", 10, (100, 200, 50), 1)
    silicon(own_store, "new", 10, (100, 220, 50), 2)
    done = foliot("compare", "old", "new")
    assert done.returncode == 0, done.stderr
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line}
    assert lines["mutex.unlock"].endswith("more")
    assert lines["mutex.lock"].endswith("  -")
    assert "new (10 runs) over old (10 runs), in cycles" in done.stdout
    assert "1 row of 3 differ" in done.stdout
    assert "no difference that 10 runs could show" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    told = {one["row"]: one for one in json.loads(foliot("compare", "old", "new", "--json").stdout)}
    assert told["mutex.unlock"]["shown"]
    assert not told["sem.give"]["shown"]
    low, high = told["mutex.unlock"]["interval_95"]
    assert low <= 20 <= high
    only = foliot("compare", "old", "new", "--rows", "sem").stdout
    assert "mutex" not in only
    assert foliot("compare", "old", "new", "--csv").stdout.startswith("row,")


def test_sets_without_a_row_in_common_are_not_compared(foliot, own_store):
    silicon(own_store, "old", 2, (100, 200, 50), 1)
    done = foliot("compare", "old", "zephyr-4.3@rpi_pico", "--json")
    assert done.returncode == 2
    assert "no row in common" in done.stderr


def test_few_runs_are_said_to_be_few(foliot, own_store):
    silicon(own_store, "old", 2, (100, 200, 50), 1)
    silicon(own_store, "new", 2, (500, 600, 500), 2)
    said = " ".join(foliot("compare", "old", "new").stdout.split())
    assert "0 rows of 3 differ" in said
    assert "takes 5 of each, see bench --repeat" in said


def test_the_gate_takes_sets_as_well(foliot, own_store):
    for name, level, seed in (("old", 200, 1), ("same", 200, 2), ("slow", 230, 3)):
        silicon(own_store, name, 10, (100, level, 50), seed)
    good = foliot("gate", "same", "--baseline", "old")
    assert good.returncode == 0, good.stderr
    assert "no difference that they could show" in " ".join(good.stdout.split())
    bad = foliot("gate", "slow", "--baseline", "old")
    assert bad.returncode == 1
    assert "FAILED  mutex.unlock: " in bad.stdout
    assert "(95 %: " in bad.stdout


@pytest.fixture
def project(tree):
    header = {**logs.HEADER, "board": "fake", "suite": "one"}
    tree.suite("one", logs.log([logs.row("a.b", [50] * 200)], header))
    return tree


def test_bench_repeats_and_records_together(project, capsys):
    request = session.Request("fake", "one")
    assert benching.bench_repeated(request, 3, True, Recorder(Store(), "x")) == 0
    said = capsys.readouterr().out
    assert "one on fake, 3 runs, in cycles" in said
    assert "all 1 row came out the same every time" in said
    kept = Store().named("x")
    assert [one.name for one in kept] == ["x/1", "x/2", "x/3"]
    assert len({one.document for one in kept}) == 1


def test_what_was_measured_before_a_run_failed_is_kept(project, monkeypatch):
    measure, count = session.measure, iter(range(9))

    def failing(*arguments):
        if next(count) == 2:
            raise FoliotError("the board died")
        return measure(*arguments)

    monkeypatch.setattr(session, "measure", failing)
    with pytest.raises(FoliotError, match="died"):
        benching.bench_repeated(session.Request("fake", "one"), 5, True, Recorder(Store()))
    assert [one.name for one in Store().named("fake-one")] == ["fake-one/1", "fake-one/2"]


def garbling(monkeypatch, bad):
    """Let those measurements come garbled whose places are in `bad`."""
    measure, count = session.measure, iter(range(99))

    def garbled(*arguments):
        if (place := next(count)) in bad:
            raise LogError(f"line {place} is damaged")
        return measure(*arguments)

    monkeypatch.setattr(session, "measure", garbled)


def test_a_garbled_run_is_repeated_and_that_is_said(project, monkeypatch, capsys):
    garbling(monkeypatch, {1, 2})
    request = session.Request("fake", "one")
    assert benching.bench_repeated(request, 3, True, Recorder(Store(), "x")) == 0
    said = capsys.readouterr().out
    assert "one on fake, 3 runs, in cycles" in said
    assert "run 2 was garbled, and repeated: line 1 is damaged" in said
    assert "run 2 was garbled, and repeated: line 2 is damaged" in said
    assert [one.name for one in Store().named("x")] == ["x/1", "x/2", "x/3"]


def test_what_comes_garbled_three_times_is_an_error(project, monkeypatch):
    garbling(monkeypatch, {1, 2, 3})
    with pytest.raises(LogError, match="line 3 is damaged"):
        benching.bench_repeated(session.Request("fake", "one"), 3, True, Recorder(Store(), "x"))
    assert [one.name for one in Store().named("x")] == ["x/1"]


def test_a_simulator_that_does_not_repeat_itself_is_noticed():
    from foliot.compare import repeats

    run = parse(logs.log([logs.row("a.b", [50] * 200)], {**logs.HEADER, "board": "ibex"}))
    other = run.with_rows([replace(run.rows[0], p50=51)])
    assert any("no simulator may do that" in line for line in repeats.lines([run, other]))


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_repeated_runs_have_no_single_file(foliot, option):
    done = foliot("bench", "--repeat", "2", option, "-")
    assert done.returncode == 2
    assert f"--repeat and {option} can't be given together" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "samples/hello", "--board", "host", "--wait-states", "1,1"], "boards in RTL"),
        (["bench", "--board", "ibex", "--wait-states", "1"], "takes two numbers, I,D"),
        (["bench", "--board", "ibex", "--wait-states", "a,b"], "takes two numbers, I,D"),
        (["bench", "--port", "/dev/null", "--wait-states", "1,1"], "can't be given together"),
    ],
)
def test_wait_states_are_for_boards_that_have_them(foliot, words, said):
    done = foliot(*words)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.long
@pytest.mark.board("ibex")
def test_wait_states_slow_the_suite_and_are_said(foliot):
    done = foliot("bench", "--suite", "floor", "--board", "ibex", "--wait-states", "3,3",
                  "--samples", "8", "--no-record", "-q")  # fmt: skip
    assert "but 3,3 wait states" in " ".join(done.stdout.split()), done.stderr
    fast = foliot("bench", "--suite", "floor", "--board", "ibex", "--samples", "8",
                  "--json", "-", "--no-record", "-q")  # fmt: skip
    slow = foliot("bench", "--suite", "floor", "--board", "ibex", "--samples", "8",
                  "--json", "-", "--no-record", "-q", "--wait-states", "3,3")  # fmt: skip
    old, new = ({row["id"]: row["p50"] for row in json.loads(one.stdout)["rows"]}
                for one in (fast, slow))  # fmt: skip
    assert old
    assert all(new[row] > 2 * old[row] for row in old)


@pytest.mark.board("ibex")
def test_run_takes_wait_states(foliot, build):
    elf = build("forever")
    done = foliot("run", "--elf", elf, "--board", "ibex", "--max-cycles", "900",
                  "--wait-states", "1,1", "-q")  # fmt: skip
    assert "after 900 cycles" in done.stderr
