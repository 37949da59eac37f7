# SPDX-License-Identifier: Apache-2.0
"""The kernel beside a model of itself on the fake machine, under ASan and UBSan.

A campaign is a range of seeds; the same seed does the same on every machine. What fails
is replayed with every operation printed, and the command that does so is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from support.command import ROOT

pytestmark = [pytest.mark.board("host"), pytest.mark.slow]  # an image under sanitizers of its own
BUILD = ROOT / "build/firmware/host"
PROGRAM = BUILD / "tests-host/firmware.elf"
OBJECTS = [
    "thread", "sem", "mutex", "queue", "stack", "event", "heap", "timer", "msgq", "slab", "ipc",
    "pipe", "work", "poll", "mbox", "futex", "all",
]  # fmt: skip
FOUND = {"poll": [85]}  # seeds that a defect was found by


def build(foliot, conf: str) -> None:
    done = foliot("build", "tests/host", "--board", "host", "--conf", conf, "--quiet")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module", autouse=True)
def program(foliot):
    build(foliot, "default")


@pytest.fixture
def run(foliot):
    """Run the program with these words."""

    def run(*words: str, program: Path = PROGRAM):
        return foliot.program(program, *words, limit_s=120)

    return run


@pytest.fixture
def campaign(run):
    """Run a mode of the program for a range of seeds."""

    def campaign(
        mode: str, what: str, seeds: Iterable[int], steps: int, program: Path = PROGRAM
    ) -> None:
        for seed in seeds:
            words = [mode, what, str(seed), str(steps)]
            done = run(*words, program=program)
            if done.returncode != 0 or "PASS" not in done.stdout:
                if mode == "model":
                    words.append("trace")
                    done = run(*words, program=program)
                last = "\n".join((done.stdout + done.stderr).splitlines()[-60:])
                pytest.fail(f"replay: {program.relative_to(ROOT)} {' '.join(words)}\n{last}")

    return campaign


@pytest.mark.parametrize("what", OBJECTS)
def test_the_kernel_does_what_its_model_does(campaign, what):
    campaign("model", what, [*range(1, 8), *FOUND.get(what, ())], 1500)


@pytest.mark.parametrize("what", OBJECTS)
def test_nothing_is_lost_in_a_storm_of_interrupts(campaign, what):
    campaign("storm", what, range(1, 9), 1500)


def test_every_timeout_expires_on_its_tick(campaign):
    campaign("wheel", "any", range(1, 41), 3000)


@pytest.mark.long
def test_time_outs_of_64_bits_and_until_a_tick(foliot, campaign):
    """From shortly before their wrap, and on over more than 2^32 ticks."""
    build(foliot, "wide")
    program = BUILD / "tests-host-wide/firmware.elf"
    campaign("wheel", "any", range(1, 9), 3000, program)
    for what in ("thread", "timer", "all"):
        campaign("model", what, range(1, 3), 1500, program)
    campaign("storm", "all", range(1, 4), 1500, program)


@pytest.mark.long
@pytest.mark.parametrize("conf", ["features", "size"])
def test_features_change_nothing_of_what_calls_do(foliot, campaign, conf):
    """`size` has one way through the scheduler for all states."""
    build(foliot, conf)
    program = BUILD / f"tests-host-{conf}/firmware.elf"
    for what in OBJECTS:
        if conf == "size" and what == "poll":
            continue  # built without
        campaign("model", what, range(1, 3), 1500, program)
        campaign("storm", what, range(1, 2), 1500, program)


@pytest.mark.slow
@pytest.mark.parametrize(
    "conf",
    [
        pytest.param(one, marks=pytest.mark.long)
        for one in ("deadline,metairq", "deadline", "metairq")
    ],
)
def test_deadlines_and_meta_irqs_decide_who_runs(foliot, campaign, conf):
    build(foliot, conf)
    program = BUILD / f"tests-host-{conf.replace(',', '-')}/firmware.elf"
    for what in OBJECTS:
        campaign("model", what, range(1, 3), 1500, program)
        campaign("storm", what, range(1, 2), 1500, program)


@pytest.mark.long
def test_turns_that_end_anywhere_lose_nothing(foliot, campaign):
    build(foliot, "slicing")
    program = BUILD / "tests-host-slicing/firmware.elf"
    for what in OBJECTS:
        campaign("storm", what, range(1, 4), 1500, program)


@pytest.mark.slow
def test_threads_that_end_anywhere_and_come_again(foliot, campaign):
    """With periods, and mutexes whose next owner is told."""
    campaign("storm", "restart", [*range(1, 11), 186, 505, 509, 539, 700], 1500)
    build(foliot, "robust")
    program = BUILD / "tests-host-robust/firmware.elf"
    campaign("storm", "restart", range(1, 11), 1500, program)
    campaign("storm", "all", range(1, 4), 1500, program)


@pytest.mark.slow
def test_mutexes_whose_next_owner_is_told(foliot, campaign):
    build(foliot, "robust")
    program = BUILD / "tests-host-robust/firmware.elf"
    for what in ("thread", "mutex", "all"):
        campaign("model", what, range(1, 6), 1500, program)


@pytest.mark.long
def test_messages_that_are_copied_with_interrupts_open(foliot, campaign):
    build(foliot, "open")
    program = BUILD / "tests-host-open/firmware.elf"
    for what in ("msgq", "all"):
        campaign("model", what, range(1, 6), 1500, program)
        campaign("storm", what, range(1, 9), 1500, program)


# Copied masked, and with interrupts open; an interrupt, and one in that one.
@pytest.mark.parametrize(("size", "depth"), [(5, 1), (200, 1), (4096, 1), (200, 2)])
def test_a_message_queue_interrupted_at_each_place_of_each_call(run, size, depth):
    done = run("places", "msgq", str(size), str(depth))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"PASS places msgq, {size} bytes, depth {depth}, " in done.stdout


@pytest.mark.parametrize("waiters", [1, 2, 64])
def test_calls_that_wake_many_interrupted_at_each_place(run, waiters):
    done = run("traversals", "any", str(waiters), "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"PASS walks, {waiters} waiters, " in done.stdout


def test_the_end_of_a_thread_that_polls_interrupted_at_each_place(run):
    done = run("pollers", "any", "1", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS pollers, " in done.stdout


def test_a_seed_is_replayed_exactly(run):
    first, second = (run("model", "all", "7", "300", "trace").stdout for _ in range(2))
    assert first == second
    assert first.splitlines()[-1] == "PASS all, seed 7, 300 steps"


def test_an_unknown_object_is_refused(run):
    assert run("model", "nonsense", "1", "1").returncode == 2


@pytest.mark.long
@pytest.mark.parametrize("what", OBJECTS)
def test_long_model_campaign(campaign, what):
    campaign("model", what, range(1000, 1400), 4000)


@pytest.mark.long
@pytest.mark.parametrize("what", OBJECTS)
def test_long_storm_campaign(campaign, what):
    campaign("storm", what, range(1000, 1150), 5000)


@pytest.mark.long
def test_long_wheel_campaign(campaign):
    campaign("wheel", "any", range(1000, 4000), 10000)


@pytest.mark.long
@pytest.mark.parametrize("conf", ["features", "deadline,metairq", "slicing", "robust", "wide"])
def test_long_campaign_of_configurations(foliot, campaign, conf):
    """More seeds of those that the usual tests begin with."""
    build(foliot, conf)
    program = BUILD / f"tests-host-{conf.replace(',', '-')}/firmware.elf"
    for what in OBJECTS:
        if conf != "slicing":
            campaign("model", what, range(1, 30), 1500, program)
        campaign("storm", what, range(1, 30), 1500, program)
    campaign("storm", "restart", range(1, 60), 1500, program)
