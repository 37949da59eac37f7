# SPDX-License-Identifier: Apache-2.0
"""Recordings, and what is measured in them: the tick, switches, shares, jitter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scope_signals import CHECK, ISR, QUEUE, SWITCH, THREADS, TICK, Kernel, recording

from foliot.model.errors import FoliotError, LogError
from foliot.scope import expected, signals
from foliot.scope.analysis import analyse
from foliot.scope.expected import Facts
from foliot.scope.jitter import completion_jitter, release_jitter
from foliot.scope.signals import Pulse, Recording


def facts(**changed: object) -> Facts:
    usual = Facts(0, THREADS, 0, TICK, 3, 900, 0, 12, 0, 300_500, (0,) * 4, (0,) * 4)
    return replace(usual, **changed)


def test_a_scheduler_run_is_taken_apart():
    found = analyse(recording())
    run = found.full_run
    assert found.tick == TICK
    assert found.threads == THREADS
    assert [tick.run.queued for tick in found.ticks] == [THREADS] * 3
    assert run.length == THREADS * (CHECK + QUEUE)
    assert run.queueing_time == THREADS * QUEUE
    assert run.checking_time == THREADS * CHECK
    assert run.isr is not None
    assert run.isr.length == run.length + 2 * ISR


def test_switches_rounds_and_shares():
    found = analyse(recording(), TICK)
    assert {gap.length for gap in found.switches} == {SWITCH}
    assert len(found.switches) == 3 * (THREADS - 1)
    assert found.gap == SWITCH
    assert found.scheduler_load == pytest.approx(THREADS * (CHECK + QUEUE) / TICK)
    assert found.interrupt_load == pytest.approx((THREADS * (CHECK + QUEUE) + 2 * ISR) / TICK)
    assert found.switch_load == pytest.approx((THREADS - 1) * SWITCH / TICK)
    assert completion_jitter(found) == 0
    assert release_jitter(found) == 0
    assert found.intervals() == [TICK, TICK]
    assert not any(tick.saturated for tick in found.ticks)
    assert all(tick.rested for tick in found.ticks)


@pytest.mark.parametrize("ticks", [2, 3, 5, 40])
def test_the_tick_is_found_where_nobody_tells(ticks):
    assert analyse(recording(ticks=ticks)).tick == TICK


def test_a_tick_that_is_not_kept_exactly_is_followed():
    kernel = Kernel(ticks=300, tick=TICK + 37)
    kernel.late = [7 * (n % 5) for n in range(300)]
    found = analyse(kernel.recording())
    assert abs(found.tick - (TICK + 37)) <= 1
    assert len(found.releases) == 300


def test_half_and_full_ticks_have_one_tick():
    assert analyse(Kernel(ticks=6, due=[4, 2]).recording()).tick == TICK


def test_a_thread_that_something_else_wakes_between_is_no_tick():
    kernel = Kernel(ticks=8)
    kernel.wakes = [(n, 90_000) for n in (0, 2, 4, 6)]  # in ticks 0, 2...; another run queues one
    found = analyse(kernel.recording())
    assert found.tick == TICK
    assert [run.queued for run in found.releases] == [THREADS] * 8


def test_one_release_is_no_tick_unless_it_is_told():
    one = recording(ticks=1)
    with pytest.raises(FoliotError, match="one release only"):
        analyse(one)
    assert len(analyse(one, TICK).releases) == 1


def test_the_schedulers_share_counts_its_runs_between_ticks():
    kernel = Kernel(ticks=3)
    alone = analyse(kernel.recording(), TICK).scheduler_load
    kernel.looks = [(0, 95_000, 500), (2, 80_000, 250)]  # tick, when in it, how long
    found = analyse(kernel.recording(), TICK)
    assert found.scheduler_load == pytest.approx(alone + 750 / (3 * TICK))
    assert len(found.ticks) == 3


def test_a_tick_that_the_window_cuts_off_is_in_no_share_and_no_jitter():
    whole = recording(ticks=4)
    cut = whole.cut(0, whole.end - TICK // 2)
    found = analyse(cut, TICK)
    assert len(found.releases) == 4
    assert len(found.ticks) == 3
    assert found.scheduler_load == analyse(recording(ticks=3), TICK).scheduler_load
    assert completion_jitter(found) == 0


def test_a_run_that_the_window_cuts_is_no_run():
    whole = recording(ticks=4)
    head = whole.cut(600, whole.end)  # in the middle of the first run
    found = analyse(head)
    assert {run.length for run in found.releases} == {THREADS * (CHECK + QUEUE)}
    assert len(found.releases) == 3
    tail = whole.cut(0, whole.pulses["scheduler"][-1].end - 10)
    assert len(analyse(tail).releases) == 3


def test_a_capture_of_less_than_a_tick_has_lengths_and_no_shares():
    short = recording(ticks=1).cut(0, 20_000)
    found = analyse(short, TICK)
    assert found.full_run.length == THREADS * (CHECK + QUEUE)
    assert found.ticks == ()
    assert (found.scheduler_load, found.interrupt_load, found.switch_load) == (None, None, None)
    assert release_jitter(found) is None


def test_switches_are_found_by_the_one_pin_that_shows_any_thread():
    four = Recording(
        "ns", 0, recording().end,
        {name: recording().pulses[name] for name in signals.FOUR},
    )  # fmt: skip
    found = analyse(four, TICK)
    assert found.gap == SWITCH
    assert len(found.switches) == 3 * (THREADS - 1)


def test_idling_and_glitches_are_no_switches():
    kernel = Kernel(ticks=4)
    kernel.idle = {1: 9_000}  # behind thread 1 the CPU waits for something unseen
    kernel.glitches = [(0, 20_000)]
    found = analyse(kernel.recording(), TICK)
    assert {gap.length for gap in found.switches} == {SWITCH}
    assert len(found.switches) == 4 * (THREADS - 2)


def test_without_threads_pins_nothing_is_said_of_threads():
    two = {name: recording().pulses[name] for name in ("scheduler", "queueing")}
    found = analyse(Recording("ns", 0, recording().end, two), TICK)
    assert found.gap is None
    assert found.switch_load is None
    assert found.interrupt_load is None
    assert completion_jitter(found) is None
    assert release_jitter(found) is None
    assert {tick.completed for tick in found.ticks} == {None}


def test_one_thread_that_yields_to_itself_does_not_switch():
    kernel = Kernel(ticks=3)
    kernel.yields = {2: 30}  # thread 2 goes off and on again
    found = analyse(kernel.recording(), TICK)
    assert {gap.length for gap in found.switches} == {SWITCH}


def test_jitter_is_of_ticks_that_are_alike():
    """Full and half ticks in turn end at different times; that is no jitter."""
    kernel = Kernel(ticks=6, due=[4, 2])
    assert completion_jitter(analyse(kernel.recording(), TICK)) == 0
    kernel.slower = {4: 77}  # a full tick whose work takes a little longer
    assert completion_jitter(analyse(kernel.recording(), TICK)) == 77


def test_a_thread_that_goes_on_after_a_wait_was_not_released():
    kernel = Kernel(ticks=6)
    kernel.waits = {1, 4}  # thread 0 waits in these ticks, and another run wakes it late in them
    found = analyse(kernel.recording(), TICK)
    assert max(found.release_offsets()) > TICK // 2
    assert release_jitter(found) == 0


@pytest.mark.parametrize("pins", ["all", "four"])
def test_a_thread_that_the_tick_itself_lets_go_on_was_not_released_either(pins):
    kernel = Kernel(ticks=6)
    kernel.goes_on = {2, 5}  # its wait is looked at by the tick, and over then
    found = kernel.recording()
    if pins == "four":
        four = {name: found.pulses[name] for name in signals.FOUR}
        found = Recording("ns", 0, found.end, four)
    analysis = analyse(found, TICK)
    assert max(analysis.release_offsets()) > TICK // 3
    assert release_jitter(analysis) == 0
    assert completion_jitter(analysis) == 0


def test_what_a_full_tick_leaves_over_is_a_delay_and_no_jitter():
    kernel = Kernel(ticks=6)
    kernel.heavy = {0: 30_000, 1: 30_000}  # two rounds of 1.2 ticks each; then light ones
    kernel.slower = {5: 9}
    found = analyse(kernel.recording(), TICK)
    assert found.ticks[0].saturated
    assert [tick.rested for tick in found.ticks] == [True, False, False, False, True, True]
    assert release_jitter(found) == 0
    assert completion_jitter(found) == 9


def test_jitter_of_ticks_of_which_no_two_are_alike_is_none():
    found = analyse(Kernel(ticks=2, due=[4, 2]).recording(), TICK)
    assert release_jitter(found) is None
    assert completion_jitter(found) is None


def test_an_interrupted_thread_is_not_activated_twice():
    whole = recording()
    cut = dict(whole.pulses)
    first = cut["thread_1"][0]
    middle = (first.start + first.end) // 2
    cut["thread_1"] = (Pulse(first.start, middle), Pulse(middle + 40, first.end))
    cut["isr"] = tuple(sorted([*cut["isr"], Pulse(middle, middle + 40)], key=lambda p: p.start))
    found = analyse(replace(whole, pulses=cut), TICK)
    assert len(found.ticks[0].starts_of(1)) == 1


def test_a_full_tick_is_saturated():
    found = analyse(recording(work=(TICK - 700) // THREADS), TICK)
    assert found.ticks[0].saturated


def test_nothing_to_see_is_said():
    with pytest.raises(FoliotError, match="no scheduler"):
        analyse(Recording("cycles", 0, 100, {"thread_0": (Pulse(1, 2),)}))


def test_what_a_case_has_to_show_is_decided():
    found = analyse(recording(), TICK, 3)
    assert [check.text for check in expected.check(facts(), found) if not check.met] == []
    late = facts(overruns=(1, 0, 0, 0))
    assert "no overruns" in [check.text for check in expected.check(late, found) if not check.met]


def test_another_order_of_threads_is_noticed():
    mixed = recording(ticks=2)
    other = recording(ticks=2, order=[3, 2, 1, 0])
    assert all(check.met for check in expected.check(facts(ticks=2), analyse(mixed, TICK)))
    rising = expected.check(facts(number=11, ticks=2), analyse(mixed, TICK))
    assert not all(check.met for check in rising)
    rising = expected.check(facts(number=11, ticks=2), analyse(other, TICK))
    assert all(check.met for check in rising)


def test_a_ring_reads_like_pins():
    names = ["thread_any", "scheduler", "queueing"]
    events = [[10, 2], [20, 6], [25, 2], [30, 0], [40, 1], [90, 0]]
    found = signals.from_records("insn", [{"names": names, "events": events, "lost": 0}], 100)
    assert found.signal("scheduler") == (Pulse(10, 30),)
    assert found.signal("queueing") == (Pulse(20, 25),)
    with pytest.raises(FoliotError, match="too small"):
        signals.from_records("insn", [{"names": names, "events": events, "lost": 3}], 100)
    with pytest.raises(LogError):
        signals.from_records("insn", [{"names": names}], 100)
