# SPDX-License-Identifier: Apache-2.0
"""`foliot bound`: the table against the RTL, instructions against capstone, calls against runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from foliot.bound import check, facts, folded, ibex, instructions, random_code
from foliot.bound.instructions import Instruction, Unreadable
from foliot.model.errors import FoliotError
from foliot.target import paths
from support.command import ROOT

pytestmark = [pytest.mark.board("ibex"), pytest.mark.needs("bound"), pytest.mark.slow]


def run(*words, status=0, limit_s=300):
    done = subprocess.run(
        [str(ROOT / "foliot"), "bound", *map(str, words)], capture_output=True, text=True,
        timeout=limit_s, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def image():
    """An image with every call in it."""
    run("k_yield", "-q")
    return ROOT / "build" / "firmware" / "ibex" / "worst" / "firmware.elf"


@pytest.fixture
def fold_of(simulator, tmp_path):
    def fold(elf, *options):
        file = tmp_path / "fold"
        done = subprocess.run(
            [simulator, "--elf", elf, "--fold", file, "--max-cycles", "20000000", *options],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return folded.read(file)

    return fold


# ---- instructions ----

_KINDS = {
    "load": ("lb", "lh", "lw", "c.lw"), "store": ("sb", "sh", "sw", "c.sw"),
    "branch": ("b", "c.b"), "jal": ("jal", "j", "c.j", "c.jal"),
    "jalr": ("jalr", "jr", "ret", "c.jr", "c.jalr"), "mulh": ("mulh",), "mul": ("mul",),
    "div": ("div", "rem"), "csr": ("csr", "rdcycle"), "mret": ("mret",), "wfi": ("wfi",),
    "ecall": ("ecall",), "ebreak": ("ebreak", "c.ebreak"), "fence": ("fence",),
    "fence.i": ("fence.i",),
}  # fmt: skip


def kind_of(mnemonic):
    if mnemonic in ("jr", "ret", "c.jr"):
        return "jalr"
    fits = [
        (len(word), kind)
        for kind, words in _KINDS.items()
        for word in words
        if mnemonic.startswith(word) and mnemonic not in ("bset", "bclr")
    ]
    return max(fits)[1] if fits else "alu"


@pytest.mark.long
def test_each_instruction_of_an_image_is_read_as_capstone_reads_it(image):
    import capstone

    from foliot.bound.image import Program

    reader = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC)
    program = Program(image)
    assert len(program.code) > 10000
    wrong = []
    for pc, ours in program.code.items():
        word = program.image.word(pc) or 0
        data = (word & (0xFFFFFFFF if ours.size == 4 else 0xFFFF)).to_bytes(ours.size, "little")
        theirs = next(reader.disasm(data, pc), None)
        if theirs is None or theirs.size != ours.size or kind_of(theirs.mnemonic) != ours.kind:
            wrong.append((hex(pc), ours, theirs and (theirs.mnemonic, theirs.op_str)))
        elif ours.kind in ("branch", "jal"):
            target = int(theirs.op_str.split(",")[-1].strip(), 0)
            if target & 0xFFFFFFFF not in (ours.imm & 0xFFFFFFFF, pc + ours.imm & 0xFFFFFFFF):
                wrong.append((hex(pc), ours, theirs.op_str))
    assert not wrong, wrong[:5]


def test_what_is_no_instruction_is_none():
    for word, size in ((0, 2), (0x0000707B, 4), (0x9C41, 2), (0x00002063, 4)):
        with pytest.raises(Unreadable):
            instructions.read(word, size)


# ---- the table ----


def test_random_code_with_interrupts_takes_no_longer_than_the_table_says(fold_of, tmp_path):
    verdict = check.Verdict()
    for seed in (1, 2, 3):
        verdict.add(check.check(fold_of(random_code.program(seed, tmp_path))))
    assert verdict.worse == []
    assert verdict.traps > 10_000
    assert verdict.pairs > 10_000
    assert verdict.modelled < 1.2 * verdict.clocks


def test_a_table_that_says_less_is_found_out(fold_of, tmp_path, monkeypatch):
    ran = fold_of(random_code.program(4, tmp_path, rounds=20))
    assert check.check(ran).worse == []
    for name in ("_LOAD_USE", "_REDIRECT", "_SPLIT", "_FLUSH", "_MRET", "_TRAP", "_MASK_RACE"):
        value = getattr(ibex, name)
        monkeypatch.setattr(ibex, name, value - 1)
        assert check.check(ran).worse, name
        monkeypatch.setattr(ibex, name, value)
    for kind in ("alu", "load", "store", "mulh", "div", "csr", "branch"):
        monkeypatch.setitem(ibex._ALONE, kind, ibex._ALONE[kind] - 1)
        assert check.check(ran).worse, kind
        monkeypatch.setitem(ibex._ALONE, kind, ibex._ALONE[kind] + 1)
    faults = [step for step in ran.steps if step.event in ("e5", "e7")]
    assert len({(one.event, ran.code[one.before].kind) for one in faults}) > 6
    monkeypatch.setattr(ibex, "_TRAP_ANSWER", -1)  # one less is a PMP's, of which it has none
    assert check.check(ran).worse


@pytest.fixture
def wait_states():
    yield ibex.wait_states
    ibex.wait_states(0, 0)


def test_memory_with_wait_states_is_no_slower_than_the_rule_says(
    fold_of, tmp_path, wait_states, monkeypatch
):
    program = random_code.program(5, tmp_path, rounds=6)
    for fetch, data in ((1, 1), (2, 2), (0, 3), (5, 0)):
        wait_states(fetch, data)
        verdict = check.check(fold_of(program, "--wait-states", f"{fetch},{data}"))
        assert verdict.worse == [], (fetch, data)
        assert verdict.instructions > 10_000
        assert verdict.modelled < 1.5 * verdict.clocks
    ran = fold_of(program, "--wait-states", "2,2")
    wait_states(2, 2)
    for name in ("_WAIT_REDIRECT", "_WAIT_SPLIT", "_WAIT_TRAP"):
        value = getattr(ibex, name)
        monkeypatch.setattr(ibex, name, value - 1)
        assert check.check(ran).worse, name
        monkeypatch.setattr(ibex, name, value)
    wait_states(1, 2)
    assert check.check(ran).worse
    wait_states(0, 2)
    assert check.check(fold_of(program, "--wait-states", "0,3")).worse


def test_what_a_step_takes_is_what_the_file_says():
    ret, load = Instruction("jalr", "jalr", 2, 0, (1,)), Instruction("load", "lw", 4, 5, (2,))
    use = Instruction("alu", "add", 4, 6, (5, 5))
    assert ibex.step(ret, use, 0x80000002, False) == 3
    assert ibex.step(ret, use, 0x80000004, False) == 2
    assert ibex.step(load, use, 0x80000002, False) == 2
    assert ibex.step(use, load, 0x80000002, False) == 1
    vector = Instruction("jal", "jal", 4, 0, ())
    assert [ibex.trap(use, vector, event) for event in ("e2", "e5", "e7", "i11")] == [5, 6, 6, 5]
    assert ibex.trap(load, vector, "e5") == 7


def test_all_violations_are_told_by_program_and_place_where_they_are_many():
    verdict = check.Verdict()
    verdict.worse = [
        "lui at 80001234, then e5 jal at 80000100: 6 clocks, the table says 5 (1 times)",
        "entitled ran within k_sem_give (3 times)",
        "time: what is in the braces at traversal.c:128 ran within k_yield (1 times), Bound: D = 0",
        *(f"time: the loop at timeout.c:{n} began anew 2 times, Bound: E = 1" for n in range(30)),
    ]
    told = list(check.told(verdict, ["time"]))
    summary = told[told.index("... and 13 more. All of them, by program and place:") + 1 :]
    assert summary[:2] == ["table 1: lui 1", "never 1: entitled in k_sem_give 1"]
    assert summary[2].startswith("time 31: timeout.c:0 1, timeout.c:1 1")
    assert "traversal.c:128 1" in " ".join(summary)
    assert all(len(line) <= 100 for line in summary)
    verdict.worse = verdict.worse[:2]
    assert list(check.told(verdict, ["time"]))[1:] == verdict.worse


# ---- facts ----


@pytest.mark.parametrize(
    ("comment", "expression"),
    [
        ("/* Bound: W, the waiters; interrupts are let in. */", "W"),
        ("/* Bound: W * (D + 1), the waiters. */", "W * (D + 1)"),
        ("/*\n * It walks.\n * Bound: N - 4 * ABOVE.\n */", "N - 4 * ABOVE"),
        ("/* Bound: CONFIG_MUTEX_CHAIN_MAX. */", "CONFIG_MUTEX_CHAIN_MAX"),
        ("/* Bound: 3. */", "3"),
        ("/* Bound: the number of waiters. */", ""),
        ("/* Bound: three rounds. */", ""),
        ("/* No bound. */", ""),
    ],
)
def test_what_is_formal_in_a_comment(comment, expression):
    assert facts.formal(comment)[0] == expression


SOURCE = """
#define MOST 7U

/* Bound: W, its head's. */
static void head(void)
{
	while (a()) {
		b();
	}
}

static int inside(void)
{
	/* Bound: MOST. */
	for (int i = 0; i < 7; i++) {
		do { /* Bound: 2 * C. */
			b();
		} while (c());
		while (d)
			;
	}
	/* Bound: 1. */
	return inside();
}
"""


def test_each_loop_of_a_source_has_its_own_comment(tmp_path):
    (tmp_path / "some.c").write_text(SOURCE)
    found = [
        (one.first, one.last, one.formal, one.is_call) for one in facts.loops(tmp_path, "some.c")
    ]
    assert found == [
        (7, 9, "W", False), (15, 21, "MOST", False), (16, 18, "2 * C", False),
        (19, 20, "", False), (23, 23, "1", True),
    ]  # fmt: skip


def test_an_expression_is_computed_of_parameters_options_and_what_a_source_defines(tmp_path):
    (tmp_path / "some.c").write_text(SOURCE)

    def value(text):
        return facts.value(text, {"W": 16, "C": 2}, {"CONFIG_X": 5}, tmp_path, "some.c")

    assert value("W * (C + 1) / 2") == 24
    assert value("MOST + CONFIG_X") == 12
    assert value("C - 9") == 0
    assert value("CONFIG_USERSPACE + 1") == 1  # which is off
    with pytest.raises(FoliotError, match="nothing says how much CONFIG_USERSPCAE is"):
        value("CONFIG_USERSPCAE + 1")
    with pytest.raises(FoliotError, match="nothing says how much NOT_DEFINED is"):
        value("NOT_DEFINED")
    with pytest.raises(FoliotError, match="no expression"):
        value("W *")


# ---- the costliest flow ----


def test_the_flow_is_proved_whatever_the_solver_says(monkeypatch):
    from foliot.bound import flow

    # In at 0; 1 goes round (5 clocks, three times at most), 2 goes out.
    problem = flow.Problem(
        costs=[2, 5, 1], balances=[{0: 1, 2: -1}], limits=[({1: 1, 0: -3}, 0)], source=0
    )
    assert flow.solve(problem).clocks == 18
    problem.limits = []
    with pytest.raises(FoliotError):
        flow.solve(problem)


# ---- whole calls ----


# What has no bound, and why: docs/bounds.md. The list only shrinks.
REFUSED = {"irq_offload", "k_work_queue_run"}
REFUSED_HANDLERS = {"run_offloaded", "spurious"}  # runs what an application gives it; reports


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The bounds of all calls, of 16 waiters; of one run for all who test at the same time."""
    own = tmp_path_factory.getbasetemp()
    kept = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "all-bounds.json"
    with paths.locked(kept):
        if not kept.is_file():
            run("--all", "--json", kept, "-q", limit_s=600)
        return json.loads(kept.read_text())


@pytest.fixture(scope="module")
def rows(told):
    return {(row["call"], row["end"]): row for row in told["bounds"] if "end" in row}


def test_all_calls_have_bounds_but_those_that_are_listed(told):
    assert {row["call"] for row in told["bounds"] if "refused" in row} == REFUSED
    assert len([row for row in told["bounds"] if "end" in row]) > 220
    assert told["unit"] == "cycles"


def test_no_call_that_ran_took_longer_than_its_bound(rows):
    seen = {key: row for key, row in rows.items() if row["observed"] is not None}
    assert len(seen) > 60
    assert [key for key, row in seen.items() if row["observed"] > row["bound"]] == []


def test_short_calls_are_bounded_closely(rows):
    for key in (("k_sched_lock", "return"), ("k_sched_unlock", "switch"), ("k_yield", "switch")):
        assert rows[key]["bound"] <= 1.4 * rows[key]["observed"], key
    for name in ("k_sem_give", "k_queue_append", "k_stack_push", "k_event_wait", "k_sem_take"):
        assert rows[name, "switch"]["bound"] <= 2 * rows[name, "switch"]["observed"], name


def test_who_gives_no_time_to_wait_never_waits(rows):
    for name in ("k_calloc", "k_aligned_alloc", "k_msgq_alloc_init", "k_stack_alloc_init"):
        assert (name, "return") in rows
        assert (name, "switch") not in rows
    assert rows["k_heap_calloc", "switch"]["bound"] > rows["k_calloc", "return"]["bound"]


def test_a_call_that_ran_what_is_no_part_of_it_is_wrong(image):
    from dataclasses import replace

    from foliot.bound import observe, rows
    from foliot.bound.image import Program
    from foliot.show.terminal import Progress
    from foliot.target import boards

    program = Program(image)
    seen = observe.observed(boards.load("ibex"), [image], Progress(True))
    one = seen["k_yield", "return"]
    assert len(one.places) > 5
    assert sum(one.spent.values()) == one.clocks
    strange = program.image.address("k_sem_reset")
    for places, is_wrong in ((one.places, False), (one.places | {strange}, True)):
        given = {("k_yield", "return"): replace(one, places=places)}
        found = [*rows.bounds(program, ["k_yield"], facts.USUAL, given, formulas=False)]
        assert [row.is_wrong for row in found if row.end == "return"] == [is_wrong]


def test_a_formula_grows_with_what_there_is_more_of(image):
    from foliot.bound import call
    from foliot.bound.image import Program

    words = ("--waiters", 1, "--priorities", 1, "--json", "-", "-q")
    few = json.loads(run("k_sem_reset", *words))["bounds"][0]
    assert few["observed"] is None, "the suites have more waiters"
    one, many = call.call(Program(image), "k_sem_reset"), {**facts.USUAL, "W": 17, "P": 1}
    per_waiter, rest = divmod(one.bound("return", many).clocks - few["bound"], 16)
    assert rest == 0
    assert f"{per_waiter} W" in few["formula"]
    assert f"{per_waiter} W" in call.formula(one, "return", many)


def test_the_worst_path_takes_what_the_bound_says(rows):
    said = run("k_yield", "--path", "-q")
    by_function = [line.split() for line in said.split("\n\n")[1].splitlines()]
    assert sum(int(words[0]) for words in by_function) == rows["k_yield", "return"]["bound"]
    assert "arch_switch" in said


def test_masked_sections_and_interrupts_are_bounded(image):
    from foliot.bound import isr
    from foliot.bound.graph import Refused
    from foliot.bound.image import Program

    few = ("k_sem_give", "k_yield", "k_current_get", "k_sem_reset", "k_event_post")
    told = json.loads(run("--masked", *few, "--json", "-", "-q"))["bounds"]
    found = {row["call"]: row["bound"] for row in told}
    assert set(found) == {*few} - {"k_current_get"}, "that one masks nothing"
    assert 100 < found["k_yield"] < 170
    # In steps: with interrupts open before it, it lets them in after each waiter.
    assert found["k_sem_reset"] < 300
    formulas = {row["call"]: row["formula"] for row in told}
    assert "W" not in formulas["k_sem_reset"]
    assert "W" in formulas["k_event_post"]
    told = json.loads(run("--app", "suites/states", "--isr", "--json", "-", "-q"))["bounds"]
    assert {row["end"] for row in told if row["call"] == "timer_isr"} == {"mret", "switch"}
    refused = {row["call"] for row in told if "refused" in row} - {"handler"}  # the suite's own
    assert refused == REFUSED_HANDLERS - {"run_offloaded"}
    with pytest.raises(Refused, match="recursion"):
        isr.interrupt(Program(image), "run_offloaded")


# System calls that have no bound, and why: docs/bounds.md. The list only shrinks.
REFUSED_OF_USERS = {"console_putc"}


@pytest.mark.long
def test_all_system_calls_have_bounds_but_those_that_are_listed():
    told = json.loads(run("--user", "--all", "--json", "-", "-q", limit_s=1500))["bounds"]
    assert {row["call"] for row in told if "refused" in row} == REFUSED_OF_USERS
    assert len({row["call"] for row in told}) > 90
    above = [row for row in told if row.get("observed") and row["observed"] > row["bound"]]
    assert above == []
    masked = json.loads(run("--user", "--all", "--masked", "--json", "-", "-q", limit_s=1500))
    masked = masked["bounds"]
    assert {row["call"] for row in masked if "refused" in row} == REFUSED_OF_USERS
    seen = [row for row in masked if row.get("observed")]
    assert len(seen) > 30
    assert [row for row in seen if row["observed"] > row["bound"]] == []


def test_what_is_refused_is_at_most_ten_in_all():
    assert len(REFUSED | REFUSED_OF_USERS | REFUSED_HANDLERS) <= 10


# ---- facts, held against what ran ----


def test_no_loop_began_anew_more_often_than_its_source_says(told):
    said = run("--check", "suites/worst", "-q")
    assert "of 1 program" in said
    assert int(re.search(r"(\d+) loops held", said)[1]) > 30


def test_a_bound_that_says_too_little_is_noticed(image, told):
    from foliot.bound import counted, observe
    from foliot.bound.image import Program
    from foliot.show.terminal import Progress
    from foliot.target import boards

    program = Program(image)
    ran = observe.fold(boards.load("ibex"), image, Progress(True))
    usual = {**facts.USUAL, "S": 100, "E": 2}
    held, above = counted.check(program, ran, usual)
    assert held > 20
    assert above == []
    for name, least in (("W", 8), ("S", 3)):
        assert counted.check(program, ran, {**usual, name: least})[1], name


def test_a_call_or_a_masked_stretch_that_took_longer_than_its_bound_is_noticed(
    image, told, monkeypatch
):
    from foliot.bound import held, observe
    from foliot.bound.image import Program
    from foliot.show.terminal import Progress
    from foliot.target import boards

    program = Program(image)
    ran = observe.fold(boards.load("ibex"), image, Progress(True))
    monkeypatch.setattr(held, "calls", lambda: {"k_sem_reset", "k_uptime_ticks", "k_yield"})
    count, longer = held.check(program, ran, {**facts.USUAL, "S": 1 << 20, "E": 2})
    assert longer == []
    assert count > 9, "five ends, three masked stretches; interrupts"
    monkeypatch.setattr(held.isr, "handlers", lambda _: [])
    _, longer = held.check(program, ran, {**facts.USUAL, "W": 8})
    assert {line.split(" took")[0] for line in longer} == {
        "worst: k_sem_reset to its return", "worst: k_sem_reset to its switch",
    }  # fmt: skip
    monkeypatch.setitem(ibex._ALONE, "load", 0)
    longer = held.check(Program(image), ran, facts.USUAL)[1]
    assert any("k_yield with interrupts masked took 1" in line for line in longer)


# ---- paths that can't be, kept ----


def kept_cut(name, end):
    from foliot.bound import call, cut
    from foliot.bound.image import Program

    one = call.call(Program(ROOT / "build/firmware/ibex/worst/firmware.elf"), name)
    return one, cut.cut(one, one.bound(end, facts.USUAL), facts.USUAL)


@pytest.mark.parametrize("name", ["k_yield", "k_wakeup", "k_thread_resume"])
def test_what_is_kept_of_a_cut_is_what_is_found_anew(name, image):
    from foliot.bound import saved

    one, found = kept_cut(name, "switch")
    known = saved.key(one, "switch", facts.USUAL)
    assert saved.committed().get(known, found).clocks == found.clocks
    assert saved.without_impossible(one, "switch", facts.USUAL) == found.clocks
    assert found.clocks <= one.bound("switch", facts.USUAL).clocks


def test_a_cut_is_looked_for_anew_where_what_it_rests_on_is_another(image, tmp_path, monkeypatch):
    from foliot.bound import saved

    one, found = kept_cut("k_yield", "switch")
    wrong = tmp_path / "cuts.json"
    known = saved.key(one, "switch", facts.USUAL)
    wrong.write_text(json.dumps({known: [1, 0, 0, True]}))
    monkeypatch.setattr(saved, "LOCAL", wrong)
    monkeypatch.setattr(saved, "COMMITTED", tmp_path / "none.json")
    assert saved.without_impossible(one, "switch", facts.USUAL) == 1
    one.first += 1  # a clock more in front of the call
    assert saved.key(one, "switch", facts.USUAL) != known
    one.results.clear()
    assert saved.without_impossible(one, "switch", facts.USUAL) == found.clocks + 1
    wrong.write_text("[1")
    with pytest.raises(FoliotError, match="no file of kept cuts"):
        saved.without_impossible(one, "switch", facts.USUAL)


@pytest.mark.long
def test_all_that_is_committed_of_cuts_and_still_holds_is_found_anew(image):
    from foliot.bound import call, cut, saved
    from foliot.bound.image import Program

    program = Program(image)
    committed = saved.committed()
    for name in sorted({key.split()[0] for key in committed}):
        one = call.call(program, name)
        for end in one.ends():
            known = saved.key(one, end, facts.USUAL)
            if known in committed:
                anew = cut.cut(one, one.bound(end, facts.USUAL), facts.USUAL)
                assert committed[known].clocks == min(
                    anew.clocks, one.bound(end, facts.USUAL).clocks
                ), known


# ---- branches that are taken only where there is something ----

BRANCHES = """
static int some(int a)
{
	/* Bound: D, others ran. */
	if (a &&
		b()) {
		c();
	}
	if (a) { /* Bound: B / 65. */
		d();
	} else {
		e();
	}
	/* Bound: W. */
	while (a) {
		a--;
	}
	if (a)
		return 1;
	return 0;
}
"""


def test_a_branch_of_a_source_has_its_condition_and_what_is_in_its_braces(tmp_path):
    (tmp_path / "some.c").write_text(BRANCHES)
    found = [(one.condition, one.body, one.formal) for one in facts.branches(tmp_path, "some.c")]
    assert found == [((5, 6), (7, 7), "D"), ((9, 9), (10, 10), "B / 65")]
    assert len(facts.loops(tmp_path, "some.c")) == 1


def test_what_only_others_bring_about_is_in_a_bound_where_there_are_disturbances(image):
    from foliot.bound import call
    from foliot.bound.image import Program

    one = call.call(Program(image), "k_sem_reset")
    assert {taken.branch.formal for taken in one.branches} == {"D"}
    assert len({taken.branch.where for taken in one.branches}) > 2
    calm, other = (one.bound("return", {**facts.USUAL, "D": d}).clocks for d in (0, 1))
    one.branches = []
    one.results.clear()
    assert calm < 0.6 * one.bound("return", facts.USUAL).clocks
    assert other >= one.bound("return", {**facts.USUAL, "D": 1}).clocks


def test_a_branch_that_is_taken_though_nobody_ran_is_noticed(image, told):
    from foliot.bound import counted, observe
    from foliot.bound.image import Program
    from foliot.show.terminal import Progress
    from foliot.target import boards

    program, ran = Program(image), observe.fold(boards.load("ibex"), image, Progress(True))
    count, wrong = counted.taken(program, ran, facts.USUAL)
    assert count > 3
    assert wrong == []
    pc, branch = next(iter(counted.watched(program).items()))
    ran.within[pc, program.image.address("k_sem_reset")] = 3
    said = f"what is in the braces at {branch.where} ran within k_sem_reset (3 times), Bound: "
    assert f"{said}{branch.formal} = 0" in counted.taken(program, ran, facts.USUAL)[1][0]


# ---- an application of one's own ----

OWN = """
#include <foliot/kernel.h>

static K_SEM_DEFINE(sem, 0, 1);
static struct k_timer timer;
static int table[8];

struct ops {
	int (*apply)(int value);
};

static int twice(int value)
{
	return 2 * value;
}

static int square(int value)
{
	return value * value;
}

static const struct ops ops[] = {{twice}, {square}};

static inline int clamp(int value, int most)
{
	return value > most ? most : value;
}

__noinline int unbounded(const int *values, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		sum += clamp(values[i], 100);
	}
	return sum;
}

__noinline int bounded(const int *values)
{
	int sum = 0;

	/* Bound: 8. */
	for (int i = 0; i < 8; i++) {
		sum += clamp(values[i], 100);
	}
	return sum;
}

__noinline int recurs(int n)
{
	return n < 2 ? 1 : n * recurs(n - 1) + table[0];
}

static int (*volatile hook)(long value, char *text);

__noinline int by_hook(long value)
{
	return hook(value, NULL) + 1;
}

__noinline int by_struct(unsigned int which, int value)
{
	return ops[which & 1].apply(value);
}

__noinline void hides(unsigned int rounds)
{
	unsigned int key = irq_lock();

	/* Bound: 4, which is not so. */
	for (unsigned int i = 0; i < rounds; i++) {
		table[i & 7]++;
	}
	irq_unlock(key);
}

static void expired(struct k_timer *unused)
{
	k_sem_give(&sem);
}

static void on_line(const void *unused)
{
	table[1]++;
}

int main(void)
{
	(void)irq_connect_dynamic(3, 0, on_line, NULL, 0);
	k_timer_init(&timer, expired, NULL);
	k_timer_start(&timer, K_TICKS(1), K_NO_WAIT);
	(void)k_sem_take(&sem, K_FOREVER);
	hides(8);
	table[0] = by_struct(1, unbounded(table, 8) + bounded(table));
	table[1] = hook == NULL ? recurs(3) : by_hook(1);
	k_exit(0);
}
"""


def test_an_application_outside_of_the_tree_is_bounded_with_its_own_callbacks(tmp_path):
    (tmp_path / "main.c").write_text(OWN)
    (tmp_path / "CMakeLists.txt").write_text("target_sources(app PRIVATE main.c)\n")
    names = ("bounded", "by_struct", "expired", "unbounded", "recurs", "by_hook")
    said = json.loads(run("--app", tmp_path, *names, "--json", "-", "-q"))["bounds"]
    found = {(row["call"], row.get("end")): row for row in said}
    assert 8 * 3 < found["bounded", "return"]["observed"] <= found["bounded", "return"]["bound"]
    assert found["bounded", "return"]["ratio"] < 1.4
    assert found["by_struct", "return"]["ratio"] < 1.25
    assert {end for name, end in found if name == "expired"} == {"return", "switch"}
    assert "says nothing of its bound" in found["unbounded", None]["refused"]
    assert found["recurs", None]["refused"].startswith("recursion, at recurs (main.c:")
    assert "that no function fits: by_hook (main.c:" in found["by_hook", None]["refused"]
    said = run("--app", tmp_path, "--masked", "hides", "-q", status=1)
    assert re.search(r"^hides took \d+: its bound is wrong$", said, re.MULTILINE)
    said = run("--app", tmp_path, "--isr", "-q")
    assert "on_line" in said
    assert "expired" not in said, "a timer's, and no handler of an interrupt"
    told = run("--app", tmp_path, "unbounded", "-q")
    assert "main.c:" in told
    assert "write `/* Bound: 8. */`" in told
    wrong = subprocess.run(
        [str(ROOT / "foliot"), "bound", "--app", str(tmp_path), "clamp", "-q"],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=300,
    )  # fmt: skip
    assert "no code of its own" in wrong.stderr
    assert len(wrong.stderr.splitlines()) == 2


# A wait at a mutex, or for an answer, is marked here and nowhere else: never.py stands on it.
MARKED = {
    "kernel/objects/mutex.c": 1, "kernel/objects/inherit.c": 1, "kernel/ipc/call.c": 3,
    "kernel/ipc/fast_wait.h": 1,
}  # fmt: skip


def test_nobody_else_says_of_a_thread_that_it_waits_at_a_mutex():
    found = {}
    for path in sorted((ROOT / "kernel").rglob("*.[ch]")):
        count = len(re.findall(r"wait_flags \|?= [^;]*WAIT_FLAG_MUTEX", path.read_text()))
        if count:
            found[path.relative_to(ROOT).as_posix()] = count
    assert found == MARKED


def test_an_image_of_another_core_is_refused_by_its_board(tmp_path):
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated" / "autoconf.h").write_text('#define CONFIG_BOARD "qemu_riscv32"\n')
    elf = tmp_path / "firmware.elf"
    elf.write_bytes(b"\x7fELF")
    wrong = subprocess.run(
        [str(ROOT / "foliot"), "bound", "--elf", str(elf), "k_yield", "-q"], capture_output=True,
        text=True, check=False, cwd=ROOT, timeout=300,
    )  # fmt: skip
    assert wrong.returncode == 2
    assert "was built for qemu_riscv32" in wrong.stderr


def test_a_gap_is_put_down_to_what_most_of_the_path_is_spent_on():
    from foliot.bound import gaps

    assert gaps.cause_of({"memcpy.isra.0": 9, "end_wait": 5, "k_x": 8}) == ("copying", 9)
    assert gaps.cause_of({"wait_q_join": 9, "k_x": 8}) == ("waiting", 9)
    assert gaps.cause_of({"wait_q_join": 9, "entitled": 1, "k_x": 8}) == ("rows of owners", 10)
    assert gaps.cause_of({"k_x": 8}) == (gaps.OWN, 8)
    names = [name for each in gaps.CAUSES.values() for name in each]
    assert len(names) == len(set(names))
    # One that was renamed would be the call's own without a word; the compiler's are no sources.
    texts = [path.read_text() for room in ("kernel", "lib", "arch", "include")
             for path in (ROOT / room).rglob("*.[chS]")]  # fmt: skip
    there = {name for text in texts for name in re.findall(r"\b(\w+)\(", text)}
    assert {name for name in names if not name.startswith("__")} <= there


def test_a_bound_is_computed_anew_without_what_is_more_than_was_seen(image):
    from foliot.bound import ablation, call
    from foliot.bound.ablation import Case, Without
    from foliot.bound.image import Program

    one = call.call(Program(image), "k_sem_reset")
    bounds = {n: one.bound("return", {**facts.USUAL, "W": n}).clocks for n in (1, 8, 16)}
    fewer = next(each for each in ablation.less(one, facts.USUAL) if each.name == "W = 1")
    waking = frozenset({"sched_wake_all", "sched_wake", "wake_slow", "end_wait", "sched_ready"})
    less = Without("waking at 1300", "waking", functions=waking, seen=1300)
    nothing = Without("a function of another", "x", functions=frozenset({"k_sem_give"}))

    def explained(seen, aim, *choices):
        case = Case(one, "return", facts.USUAL, bounds[16], seen, aim, frozenset())
        return ablation.explain(case, choices)

    found = explained(bounds[1], 1.0, nothing, fewer)
    assert (found.clocks, found.kinds) == (bounds[1], ("less of something",))
    assert found.told(bounds[1]) == "1.00: W = 1"
    assert explained(bounds[8], 1.4, nothing, fewer) is None, "eight were seen"
    assert explained(3000, 1.1, nothing, less).without == (less,)
    assert explained(bounds[8], 1.0, nothing) is None


def test_the_page_has_a_reason_for_each_end_above_its_aim_and_every_end_was_seen():
    from foliot.bound import gaps

    text = (ROOT / "docs" / "bounds.md").read_text()
    rows = re.findall(
        r"^\| `(\w+)` \| (return|switch) \| (\d+) \| (\d+) \| ([\d.]+) \| (.+?) \| (.+?) \|$",
        text, re.MULTILINE,
    )  # fmt: skip
    assert len(rows) > 20
    for name, end, bound, seen, ratio, without, spent in rows:
        assert abs(int(bound) / int(seen) - float(ratio)) < 0.01, name
        told = re.match(r"([\d.]+): \S", without)
        assert told, (name, end, without)
        assert float(told[1]) <= gaps.WITH_LOOPS, (name, end)
        cause = spent.split(",")[0]
        assert f"* **{cause}**" in text, (name, end, "the page says of each cause why it is so")
    seen = re.search(r"Of (\d+) calls and ends that were seen (\d+) are within the aims", text)
    assert int(seen[1]) - int(seen[2]) == len(rows)
    assert "0 are not seen at all" in text


@pytest.mark.long
def test_a_gap_of_one_call_leaves_what_is_committed_of_others(image):
    before = (ROOT / "data" / "cuts.json").read_bytes()
    told = json.loads(run("--gaps", "k_yield", "--json", "-", "-q", limit_s=900))
    assert {row["call"] for row in told["gaps"]} == {"k_yield"}
    assert (ROOT / "data" / "cuts.json").read_bytes() == before


def test_each_gap_is_told_in_lines_that_fit_and_as_the_page_has_it():
    from foliot.bound import gaps
    from foliot.bound.ablation import Explained, Without
    from foliot.bound.observe import Observed

    without = Explained(110, (Without("W = 1", "less of something"), Without("copying at 9", "x")))
    far = gaps.Gap("k_work_cancel_delayable_sync", "switch", 1653055, Observed(100, 1, "worst"),
                   True, 379942, 1653055, [("inherit_waiter_moved", 186042)] * 3,
                   "rows of owners", 1431981, without)  # fmt: skip
    near = gaps.Gap("k_yield", "return", 110, Observed(100, 1, "worst"), False, 0, 110, [])
    told = [*gaps.lines([near, far], ["k_x (switch)"] * 20)]
    assert max(map(len, told)) <= 100
    assert "1.10: W = 1; copying at 9" in " ".join(told)
    assert not any("k_yield" in line for line in told)
    page = "\n".join(gaps.table([near, far], ["k_x (switch)"]))
    assert "| switch | 1653055 | 100 | 16530.55 | 1.10: W = 1; copying at 9 |" in page
    assert "| less of something and x | 1 | 16530.55, 1.10 |" in page
    assert "Within the aims are 1 of 2" in page
    found = gaps.as_json([near, far], ["k_x (switch)"], facts.USUAL)["gaps"]
    assert [one["bound_without"] for one in found] == [None, 110]


def test_without_fast_paths_whoever_is_woken_is_made_ready_as_one_that_was_stopped():
    from foliot.bound import never

    for call in ("k_sem_give", "k_work_submit", "k_stack_push"):
        fast = never.of(call, {"wake_first_timed", "sched_ready"})
        assert fast - never.of(call, {"sched_ready"}) >= {"sched_ready"}
        assert "sched_ready" not in never.of(call, {"sched_ready"})
        assert "inherit_waiter_moved" in never.of(call, {"sched_ready"})
    assert "sched_ready" not in never.of("k_sem_give", {"wake_first_timed", "poll_tell"})


def test_whatever_is_said_never_to_be_reached_is_asserted_and_provoked():
    from foliot.bound import never

    assert set(never.ASSERTED) == never.all_functions()
    kernel = "".join(path.read_text() for path in (ROOT / "kernel").rglob("*.[ch]"))
    misuse = (ROOT / "tests/kernel/misuse/main.c").read_text()
    for name in [each for names in never.ASSERTED.values() for each in names]:
        assert re.search(rf'K_ASSERT\([^;]*"{name}"\)', kernel), name
        assert f'.{name}"' in misuse, name


@pytest.mark.long
def test_a_board_with_wait_states_has_its_own_bounds_and_another_core_none():
    words = ("k_yield", "k_sem_give", "--json", "-", "-q")
    told = json.loads(run("-b", "ibex_ws1", "--waiters", 1, *words))
    assert told["board"] == "ibex_ws1"
    slow = {(row["call"], row["end"]): row["bound"] for row in told["bounds"]}
    told = json.loads(run("--waiters", 1, *words))["bounds"]
    assert all(1.4 * row["bound"] < slow[row["call"], row["end"]] for row in told)
    wrong = subprocess.run(
        [str(ROOT / "foliot"), "bound", "-b", "cv32e40p", "k_yield", "-q"],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=300,
    )  # fmt: skip
    assert wrong.returncode == 2
    assert "no table for cv32e40p" in wrong.stderr


def test_what_is_no_function_is_named_and_what_nobody_asked_for():
    wrong = subprocess.run([str(ROOT / "foliot"), "bound", "k_sem_giv", "-q"], capture_output=True,
                           text=True, check=False, cwd=ROOT, timeout=300)  # fmt: skip
    assert wrong.returncode == 2
    assert "k_sem_give" in wrong.stderr
    assert "--all" in subprocess.run(
        [str(ROOT / "foliot"), "bound"], capture_output=True, text=True, check=False, cwd=ROOT,
        timeout=300,
    ).stderr  # fmt: skip


def test_the_list_of_calls_is_what_the_library_has():
    library = ROOT / "build" / "firmware" / "ibex" / "worst" / "libkernel.a"
    run("k_yield", "-q")
    said = subprocess.run(["riscv64-unknown-elf-nm", str(library)], capture_output=True, text=True,
                          check=True, timeout=60).stdout  # fmt: skip
    there = {
        words[2] for words in map(str.split, said.splitlines())
        if len(words) == 3 and words[1] in "TW" and words[2].startswith(("k_", "irq_"))
    }  # fmt: skip
    listed = set(Path(ROOT / "suites" / "worst" / "calls.txt").read_text().split())
    never = {"k_exit", "k_fatal_raise", "k_assert_failed", "k_sys_fatal_error_handler"}
    sleeps = {"k_cpu_idle", "k_cpu_atomic_idle", "k_busy_wait", "irq_init"}
    assert there - never - sleeps == listed
