# SPDX-License-Identifier: Apache-2.0
"""The gate: exact on simulators, patient on silicon, and what it writes for CI."""

from __future__ import annotations

import io
import json
import random
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import logs
from foliot.commands import gate
from foliot.commands.bench import Recorder, bench
from foliot.importers.document import read_file
from foliot.judge import baseline, repeated
from foliot.judge import gate as judging
from foliot.judge.gate import Allowance, allowances, judge_exactly, judge_statistically
from foliot.log.reader import parse
from foliot.measure import session
from foliot.model.errors import FoliotError, UsageError
from foliot.model.published import single
from foliot.model.run import Footprint
from foliot.reference import systems
from foliot.store.sqlite import Store
from foliot.store.writer import Recording
from foliot.target import paths

HEADER = {**logs.HEADER, "board": "fake"}


def own(**medians):
    records = [logs.row(name.replace("_", "."), [value + 9] + [value] * 199)
               for name, value in medians.items()]  # fmt: skip
    return parse(logs.log(records, HEADER))


def statuses(verdicts):
    return {verdict.row: verdict.status for verdict in verdicts}


def test_every_change_is_reported():
    verdicts = judge_exactly(
        own(a_same=50, a_up=50, a_down=50, a_gone=50),
        own(a_same=50, a_up=51, a_down=49, a_new=9),
        [],
    )
    assert statuses(verdicts) == {
        "a.same": "same", "a.up": "failed", "a.down": "faster", "a.gone": "missing", "a.new": "new",
    }  # fmt: skip
    assert {verdict.row for verdict in verdicts if verdict.fails} == {"a.up", "a.gone"}
    text = next(verdict.text for verdict in verdicts if verdict.row == "a.up")
    assert text == "p50 50 -> 51, max 59 -> 60, first 59 -> 60: a rise of 1"


def test_a_worse_worst_case_fails_though_the_median_fell():
    old = own(a_x=50)
    new = old.with_rows([replace(old.rows[0], p50=49, max=70)])
    (verdict,) = judge_exactly(old, new, [])
    assert verdict.fails


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["a.*=2"], "slower"),
        (["a=2", "b=9"], "slower"),
        (["a.*=1"], "failed"),
        (["b*=9"], "failed"),
    ],
)
def test_allowances(words, status):
    (verdict,) = judge_exactly(own(a_x=50), own(a_x=52), allowances(words))
    assert verdict.status == status


@pytest.mark.parametrize("word", ["mutex", "mutex=", "=3", "mutex=x", "mutex=-1", ""])
def test_wrong_allowances(word):
    with pytest.raises(UsageError, match="--allow takes PATTERN=N"):
        allowances([word])


@pytest.mark.parametrize(
    "change", [{"board": "x"}, {"unit": "insn"}, {"suite": "x"}, {"configuration": ("debug",)}]
)
def test_unlike_runs_are_refused(change):
    run = own(a_x=50)
    other = replace(run, header=replace(run.header, **change))
    with pytest.raises(UsageError, match="the baseline's"):
        judging.check_alike(run, other)


def noisy(values):
    run = systems.load("zephyr-4.3@nucleo_f401re")
    return [run.with_rows([single("a.x", "", value)]) for value in values]


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        ([100, 101, 99], [100, 101, 99], "same"),
        ([100, 100, 100], [102, 102, 102], "same"),  # below the absolute floor
        ([1000, 1000, 1000], [1010, 1010, 1010], "same"),  # below the relative floor
        ([100, 140, 90], [120, 121, 122], "same"),  # one of before is higher
        ([100, 100, 100], [110, 150, 100], "same"),  # one of after is not
        ([100, 101, 99], [120, 121, 122], "unsure"),
        ([100], [500], "unsure"),
        ([100, 101, 99], [80, 81, 79], "same"),
    ],
)
def test_few_runs_of_a_board_accuse_nobody(before, after, status):
    (verdict,) = judge_statistically(noisy(before), noisy(after), [])
    assert verdict.status == status
    assert not verdict.fails


def board(generator, risen=0.0):
    """Make a run of 47 rows of fake silicon, which scatters by two per cent."""
    run = systems.load("zephyr-4.3@nucleo_f401re")
    levels = [(100 + 20 * row) * (1 + risen * (row == 7)) for row in range(47)]
    return run.with_rows(
        [single(f"a.r{n}", "", level * generator.gauss(1, 0.02)) for n, level in enumerate(levels)]
    )


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 3, 5, 6])
def test_silicon_that_did_not_change_is_never_accused_by_few_runs(count):
    """It was, in most cases: a rise beyond the spread of three runs is what chance makes."""
    generator = random.Random(count)
    unsure = 0
    for _ in range(20):
        old, new = ([board(generator) for _ in range(count)] for _ in range(2))
        verdicts = judge_statistically(old, new, [])
        assert not any(verdict.fails for verdict in verdicts)
        unsure += sum(verdict.unsure for verdict in verdicts)
    assert unsure / 20 <= 1.5 * 47 * repeated.by_chance(count, count)


@pytest.mark.slow
def test_a_row_of_silicon_that_rose_is_found_by_enough_runs_and_unsure_by_few():
    generator = random.Random(9)
    for count, status in ((10, "failed"), (7, "failed"), (4, "unsure")):
        old = [board(generator) for _ in range(count)]
        new = [board(generator, risen=0.3) for _ in range(count)]
        found = statuses(judge_statistically(old, new, []))
        assert found["a.r7"] == status


def test_what_so_many_runs_show_by_chance():
    assert repeated.by_chance(3, 3) == 1 / 20
    assert repeated.by_chance(1, 1) == 1 / 2


@pytest.mark.parametrize(
    ("before", "after", "status", "said"),
    [
        (range(100, 110), range(101, 111), "same", "no difference that 10 runs could show"),
        (range(100, 110), range(104, 114), "failed", "a rise of 4"),
        (range(100, 110), range(90, 100), "faster", "-10 (95 %:"),
        ([100] * 10, [102] * 10, "slower", "+2 (95 %: +2 to +2)"),  # below the absolute floor
        ([1000] * 10, [1010] * 10, "slower", "+10"),  # below the relative one
        ([100] * 10, [100] * 10, "same", "no difference that 10 runs could show"),
        ([100] * 9 + [400], [110] * 9 + [90], "failed", "a rise of 10"),  # within the spread
        ([100] * 4, [110] * 8, "failed", "a rise of 10"),
        ([100], [110] * 10, "unsure", "higher in every run, which so few can't show"),
    ],
)
def test_boards_are_judged_by_ranks_where_the_runs_are_enough(before, after, status, said):
    (verdict,) = judge_statistically(noisy(before), noisy(after), [])
    assert verdict.status == status
    assert said in verdict.text


@pytest.mark.parametrize(("least", "word"), [(1.9, "failed"), (2.0, "slower"), (2.1, "slower")])
def test_a_rise_that_is_shown_fails_beyond_what_matters(least, word):
    one = repeated.Difference(100.0, 102.0, (9, 9), 2.0, 1.0, 3.0, 0.001)
    assert one.shown
    assert judging._by_ranks("a", one, least).word == word


def test_a_rise_of_silicon_may_be_allowed():
    (verdict,) = judge_statistically(noisy([100] * 10), noisy([106] * 10), [Allowance("a.x", 5)])
    assert verdict.status == "slower"


def test_it_is_said_by_which_rule_silicon_is_judged():
    few = judging.how_judged(3, 3, 47)
    assert few.startswith("3 runs against 3 can't show that one row of 47 rose: it takes 7 of each")
    assert few.endswith("so are 2.4 of 47 rows that did not change")
    assert "by a rank test at 5 %" in judging.how_judged(10, 10, 47)
    assert judging.how_judged(1, 5, 1).startswith("1 run against 5 can't show")


def test_the_gate_ends_with_a_status_of_its_own_where_it_can_t_tell(foliot, own_store):
    for name, values in (("old", (50, 51, 50)), ("slow", (70, 71, 70))):
        with Recording(Store(own_store), "bench", "port") as recording:
            for number, value in enumerate(values):
                head = {**logs.HEADER, "board": "rpi_pico", "suite": "one"}
                run = parse(logs.log([logs.row("a.b", [value] * 200)], head))
                recording.add(run, f"{name}/{number + 1}")
            recording.keep(io.BytesIO(name.encode()))
    done = foliot("gate", "slow", "--baseline", "old")
    assert done.returncode == gate.UNSURE, done.stdout + done.stderr
    assert "unsure  a.b: 50 -> 70, higher in every run" in done.stdout
    assert "can't show" in done.stdout
    assert foliot("gate", "old", "--baseline", "old").returncode == 0


def weighing(text, thread=64):
    return replace(own(a_x=50), footprint=Footprint(text, 4, 80, {"thread": thread}))


@pytest.mark.parametrize(
    ("new", "words", "failed"),
    [
        (weighing(1500), [], []),
        (weighing(1501), [], ["footprint.text"]),
        (weighing(1501), ["footprint.text=1"], []),
        (weighing(1400, thread=68), [], ["footprint.thread"]),
        (replace(own(a_x=50), footprint=Footprint(1500, 4, 80, {})), [], ["footprint.thread"]),
        (own(a_x=50), [], []),  # nobody weighed it
    ],
)
def test_what_the_firmware_weighs_is_gated(new, words, failed):
    verdicts = judge_exactly(weighing(1500), new, allowances(words))
    assert [verdict.row for verdict in verdicts if verdict.fails] == failed


def test_an_allowance_for_no_row_is_refused():
    baseline = replace(own(mutex_lock=50), footprint=Footprint(1500, 4, 80, {"thread": 64}))
    judging.check_allowed(allowances(["mutex*=2", "footprint.thread=4"]), baseline)
    with pytest.raises(UsageError, match=r"mutex.lok=2' is for no row.*did you mean mutex.lock"):
        judging.check_allowed(allowances(["mutex.lok=2"]), baseline)


def test_an_allowance_for_no_row_is_refused_before_anything_is_measured(foliot):
    done = foliot("gate", "--board", "ibex", "--allow", "semaphre=2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("foliot: --allow 'semaphre=2' is for no row of the baseline")
    assert "did you mean semaphore?" in done.stderr


def rows_of_latency(value=50):
    from foliot.reference.rows import expected

    return [logs.row(row, [value + 9] + [value] * 199) for row in expected("latency", ["default"])]


@pytest.fixture
def project(tree):
    tree.suite("latency", logs.log(rows_of_latency(), HEADER))
    return tree


def run_gate(**request):
    return gate.run_gate(gate.Request(board="fake", **request), Store(), True)


@pytest.mark.slow
def test_from_baseline_to_failure(project, capsys):
    assert run_gate(update=True) == 0
    path = baseline.path("fake")
    assert path == paths.ROOT / "data" / "baseline" / "fake.json"
    assert "47 rows, written" in capsys.readouterr().out
    assert run_gate() == 0
    assert "47 rows in cycles against fake: 47 same" in capsys.readouterr().out
    project.suite("latency", logs.log(rows_of_latency(51), HEADER))
    assert run_gate() == 1
    out = capsys.readouterr().out
    assert "47 failed" in out
    assert "thread.yield.preemptive.ctx.k_to_k: p50 50 -> 51" in out
    assert run_gate(allow=("*=1",)) == 0
    assert run_gate(allow=("*=1",), strict=True) == 1
    project.suite("latency", logs.log(rows_of_latency(49), HEADER))
    assert run_gate() == 0
    assert run_gate(strict=True) == 1
    assert "the baseline is stale" in capsys.readouterr().out


@pytest.mark.slow
def test_a_baseline_changes_only_with_its_figures(project):
    run_gate(update=True)
    first = baseline.path("fake").read_text()
    project.suite("latency", logs.log(rows_of_latency(), {**HEADER, "kernel_commit": "f" * 12}))
    run_gate(update=True)
    assert baseline.path("fake").read_text() == first
    (run,) = read_file(baseline.path("fake")).runs
    assert [row.p50 for row in run.rows] == [50] * 47
    assert run.footprint.objects == {"semaphore": 8}
    assert run.footprint.kernel_text > 0
    assert run.header.board == "fake"


@pytest.mark.slow
def test_an_invalid_run_is_no_baseline(project):
    project.suite("latency", logs.log(rows_of_latency()[:-1], HEADER))
    with pytest.raises(FoliotError, match="not valid: no baseline is made of it"):
        run_gate(update=True)


@pytest.mark.slow
def test_a_missing_row_fails(project, capsys):
    run_gate(update=True)
    project.suite("latency", logs.log(rows_of_latency()[:-1], HEADER))
    assert run_gate() == 1
    assert "FAILED  heap.free.immediate: not measured any more" in capsys.readouterr().out


def test_no_baseline(project):
    with pytest.raises(UsageError, match="there is no baseline"):
        run_gate()
    with pytest.raises(UsageError, match="no run 'x'"):
        run_gate(baseline="x")
    with pytest.raises(UsageError, match="--update writes a file"):
        run_gate(baseline="x", update=True)


@pytest.mark.slow
def test_recorded_runs_are_judged_without_measuring(project, capsys):
    request = session.Request("fake")
    assert bench(request, None, None, True, Recorder(Store(), "base")) == 0
    project.suite("latency", logs.log(rows_of_latency(60), HEADER))
    bench(request, None, None, True, Recorder(Store(), "new"))
    capsys.readouterr()
    assert run_gate(runs=("new",), baseline="base") == 1
    assert run_gate(runs=("base",), baseline="base") == 0
    assert run_gate(runs=("last~1",), baseline="base") == 0


@pytest.mark.slow
def test_a_flagged_row_says_so_in_its_verdict(project, tmp_path, capsys):
    run_gate(update=True)
    changed = rows_of_latency()
    changed[3] = logs.row(changed[3]["id"], [70] * 100 + [120] * 100)
    project.suite("latency", logs.log(changed, HEADER))
    junit = tmp_path / "junit.xml"
    capsys.readouterr()
    assert run_gate(junit=str(junit)) == 1
    assert "* in doubt: bimodal" in " ".join(capsys.readouterr().out.split())
    assert "* in doubt: bimodal" in junit.read_text()


@pytest.mark.slow
def test_what_ci_servers_read(project, tmp_path):
    run_gate(update=True)
    changed = rows_of_latency()
    changed[3] = logs.row(changed[3]["id"], [70] * 200)
    project.suite("latency", logs.log(changed, HEADER))
    junit, github = tmp_path / "junit.xml", tmp_path / "github.json"
    assert run_gate(junit=str(junit), github=str(github)) == 1
    root = ET.fromstring(junit.read_text())
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures")) == ("51", "1")  # and four sizes
    failed = [case for case in suite if case.find("failure") is not None]
    assert [case.get("name") for case in failed] == ["isr.resume.different.thread.kernel"]
    assert "50 -> 70" in failed[0].find("failure").get("message")
    entries = json.loads(github.read_text())
    assert entries[3]["name"] == "isr.resume.different.thread.kernel"
    assert (entries[3]["unit"], entries[3]["value"]) == ("cycles", 70)


BASELINES = sorted((paths.ROOT / baseline.BASELINES).glob("*.json"))


@pytest.mark.board
@pytest.mark.parametrize("board", [path.stem for path in BASELINES])
def test_the_projects_own_figures(board):
    """Whoever changes a figure changes data/baseline/: `./foliot gate --update --board B`."""
    path = paths.ROOT / baseline.BASELINES / f"{board}.json"
    request = gate.Request(board=board, baseline=str(path), strict=True)
    assert gate.run_gate(request, Store(), quiet=True) == 0


def test_a_weight_that_changed_says_from_what_to_what():
    verdicts = judge_exactly(weighing(1500), weighing(1501), [])
    texts = {verdict.row: verdict.text for verdict in verdicts}
    assert texts["footprint.text"] == "1500 -> 1501 bytes: a rise of 1"
    assert texts["footprint.data"] == ""
