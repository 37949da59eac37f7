# SPDX-License-Identifier: Apache-2.0
"""`foliot bound`: response times, system calls, and paths that can't be."""

from __future__ import annotations

import json
import random
import subprocess

import pytest

from foliot.bound import facts, system, system_file
from foliot.bound.system import Answer, Cost, table
from foliot.bound.system_file import Interrupt, Resource, System, Thread
from foliot.model.errors import FoliotError
from support.command import ROOT

pytestmark = [pytest.mark.board("ibex"), pytest.mark.needs("bound")]


def run(*words, status=0):
    done = subprocess.run(
        [str(ROOT / "foliot"), "bound", *map(str, words)], capture_output=True, text=True,
        timeout=500, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


# ---- the analysis ----


def answer(threads, costs, interrupts=(), resources=(), holds=(), tick=0):
    said = System(tuple(threads), tuple(one for one, _ in interrupts), tuple(resources))
    found = {}
    for one in said.threads:
        blocking = system._blocking(one, said, costs, holds)
        found[one.name] = system.respond(one, said, costs, interrupts, blocking, tick)
    return found


def thread(name, priority, period, **more):
    return Thread(name, name, priority, period, more.pop("deadline", period), **more)


def test_the_textbook_s_three_threads_have_its_response_times():
    # Burns and Wellings: C 3, 3, 5; T 7, 12, 20; responses 3, 6, 20.
    threads = [thread("a", 1, 7), thread("b", 2, 12), thread("c", 3, 20)]
    costs = {"a": Cost(3, 0), "b": Cost(3, 0), "c": Cost(5, 0)}
    found = answer(threads, costs)
    assert [found[name].response for name in "abc"] == [3, 6, 20]
    assert all(one.is_met for one in found.values())


def test_a_window_of_more_than_a_period_has_a_response_and_an_overload_has_none():
    threads = [thread("a", 1, 7), thread("b", 2, 12), thread("c", 3, 20)]
    costs = {"a": Cost(3, 0), "b": Cost(3, 0), "c": Cost(6, 0)}
    # Jobs 1, 2 and 3 of c are done 21, 42 and 60 clocks after the window's begin: 21, 22 and 20.
    found = answer(threads, costs)
    assert found["c"].response == 22
    assert not found["c"].is_met
    # Lehoczky's example: C 26, 62; T 70, 100; the second's jobs respond in 114, 102, 116, 104...
    threads = [thread("a", 1, 70), thread("b", 2, 100)]
    assert answer(threads, {"a": Cost(26, 0), "b": Cost(62, 0)})["b"].response == 118
    over = answer(threads, {"a": Cost(26, 0), "b": Cost(64, 0)})
    assert over["b"].response is None
    assert not over["b"].is_met
    assert over["a"].response == 26


def simulated(tasks, until):
    """Return the worst responses of jobs (C, T), all released at 0, the more urgent first."""
    waiting = [[] for _ in tasks]
    worst = [0] * len(tasks)
    for now in range(until):
        for own, (work, period) in zip(waiting, tasks, strict=True):
            own.extend([[now, work]] if now % period == 0 else [])
        number = next((i for i, own in enumerate(waiting) if own), None)
        if number is not None:
            job = waiting[number][0]
            job[1] -= 1
            if job[1] == 0:
                worst[number] = max(worst[number], now + 1 - job[0])
                waiting[number].pop(0)
    return worst


def test_the_analysis_says_what_a_simulation_of_all_jobs_finds():
    chosen = random.Random(1)
    compared = longer = 0
    while compared < 60:
        tasks = [(chosen.randint(1, 5), chosen.choice((4, 5, 6, 8, 10, 12))) for _ in range(3)]
        if sum(work / period for work, period in tasks) > 1:
            continue
        threads = [thread(str(i), i, period) for i, (_, period) in enumerate(tasks)]
        found = answer(threads, {str(i): Cost(work, 0) for i, (work, _) in enumerate(tasks)})
        told = [found[str(i)].response for i in range(3)]
        assert told == simulated(tasks, 240), tasks
        compared += 1
        longer += any(a > period for a, (_, period) in zip(told, tasks, strict=True))
    assert longer > 3


def test_each_deadline_that_is_missed_is_said_with_by_how_much_and_an_overload():
    threads = [thread("a", 1, 7), thread("b", 2, 12), thread("c", 3, 20)]

    def told(*jobs):
        costs = {name: Cost(job, 0) for name, job in zip("abc", jobs, strict=True)}
        found = tuple(answer(threads, costs).values())
        return [line for line in table(Answer(found, (), 1.0)) if line.startswith("MISSED")]

    assert told(3, 3, 5) == []
    assert told(3, 3, 6) == ["MISSED: c: its response may be 2 cycles beyond its deadline"]
    assert [line.split(":")[1] for line in told(3, 6, 6)] == [" c"]
    assert "more work than time" in told(3, 6, 6)[0]


def test_equals_wait_for_one_another_and_many_alike_count_each():
    threads = [thread("a", 5, 100), thread("b", 5, 100, count=3)]
    found = answer(threads, {"a": Cost(10, 0), "b": Cost(20, 0)})
    assert found["a"].response == found["b"].response == 70


def test_interrupts_blocking_and_jitter_are_in_a_response():
    threads = [thread("a", 1, 1000), thread("b", 2, 5000)]
    costs = {"a": Cost(100, 7), "b": Cost(300, 40)}
    timer = (Interrupt("timer_isr", 500), 30)
    found = answer(threads, costs, interrupts=[timer])
    assert found["a"].blocking == 40
    assert found["a"].response == 40 + 100 + 30
    late = answer(threads, costs, interrupts=[timer], tick=300)
    assert late["a"].jitter == 300, "1000 is no whole number of ticks of 300"
    assert late["a"].response == 300 + 40 + 100 + 30
    held = (Resource(("a", "b"), "held"), 200)
    assert answer(threads, costs, resources=[held[0]], holds=[held])["a"].blocking == 240
    other = (Resource(("b",), "held"), 200)
    assert answer(threads, costs, resources=[other[0]], holds=[other])["a"].blocking == 40


def test_a_cooperative_thread_or_one_that_locks_the_scheduler_blocks_by_all_of_its_job():
    costs = {"a": Cost(10, 0), "b": Cost(300, 40), "c": Cost(200, 30, keeps_running=True)}
    for priorities, blocking in (((-3, -2, 9), 300), ((1, 2, 9), 200)):
        names = zip("abc", priorities, strict=True)
        found = answer([thread(name, priority, 5000) for name, priority in names], costs)
        assert found["a"].blocking == blocking
        assert found["c"].blocking == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"has no \[\[thread\]\]"),
        ("[[thread]]\nentry = 'f'\npriority = 1\n", "has no period"),
        ("[[thread]]\nentry = 'f'\npriority = 1\nperiod = 0\n", "a period of 0"),
        ("[[thread]]\nentry = 'f'\npriority = 1\nperiod = -4\n", "no whole number"),
        ("[[thread]]\npriority = 1\nperiod = 4\n", "no entry"),
        ("[[thread]]\nentry = 'f'\npriority = 1\nperiod = 4\ndeadline = 5\n", "behind its next"),
        ("[[thread]]\nentry = 'f'\npriority = 'a'\nperiod = 4\n", "priority"),
        ("[[thread]]\nentry = 'f'\npriority = 1\nperiod = 4\nperoid = 5\n", "'peroid' is none of"),
        ("threads = 1\n", "'threads' is none of"),
        ("[[thread\n", "system.toml"),
    ],
)
def test_a_file_that_says_what_can_t_be_is_refused(tmp_path, text, said):
    (tmp_path / system_file.FILE).write_text(text)
    with pytest.raises(FoliotError, match=said):
        system_file.read(tmp_path)


def test_no_file_is_told_with_what_it_is_for(tmp_path):
    with pytest.raises(FoliotError, match="which priorities and periods"):
        system_file.read(tmp_path)


def test_a_macro_of_several_lines_has_no_loops(tmp_path):
    (tmp_path / "some.c").write_text("#define TWICE(x) \\\n\tdo { \\\n\t\tx; \\\n\t} while (0)\n")
    assert list(facts.loops(tmp_path, "some.c")) == []


# ---- whole images ----


@pytest.mark.long
def test_kernelperf_s_case_0_meets_its_periods_and_is_no_faster_than_the_scope_saw():
    told = json.loads(run("--system", "suites/periodic", "--json", "-", "-q"))
    last = told["threads"][1]
    assert last["met"]
    assert 930_880 <= last["response"] <= 1_000_000, "of which `foliot scope 0` measured the first"


@pytest.mark.long
def test_system_calls_have_bounds_that_are_above_the_kernel_s_own():
    calls = ("k_sem_take", "k_sem_give", "k_yield", "k_current_get")
    told = json.loads(run("--user", *calls, "--json", "-", "-q"))["bounds"]
    user = {(row["call"].removesuffix(" (user)"), row["end"]): row for row in told}
    told = json.loads(run(*calls, "--json", "-", "-q"))["bounds"]
    kernel = {(row["call"], row["end"]): row for row in told}
    assert set(user) == set(kernel)
    for key, row in user.items():
        assert row["bound"] > kernel[key]["bound"], key
        assert row["observed"] is None or row["observed"] <= row["bound"], key
    assert user["k_current_get", "return"]["observed"] > 20, "a trap, not the kernel's own call"


@pytest.mark.long
def test_a_cut_bound_is_less_and_no_less_than_what_was_seen():
    calls = ("k_yield", "k_sem_take", "k_sched_unlock")
    told = json.loads(run(*calls, "--json", "-", "-q"))["bounds"]
    whole = {(row["call"], row["end"]): row for row in told}
    told = json.loads(run("--cut", *calls, "--json", "-", "-q"))["bounds"]
    for row in told:
        key = row["call"], row["end"]
        assert row["observed"] <= row["bound"] <= whole[key]["bound"], key
    assert sum(row["bound"] < whole[row["call"], row["end"]]["bound"] for row in told) > 2
