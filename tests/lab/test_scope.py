# SPDX-License-Identifier: Apache-2.0
"""Recordings, what is measured in them, captures of others, and pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from foliot.commands.scope import import_capture
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.scope import expected, picture, signals, table
from foliot.scope.analysis import analyse, jitter
from foliot.scope.expected import Facts
from foliot.scope.signals import Pulse, Recording

TICK, THREADS, WORK = 100_000, 4, 15_000
SWITCH, ISR, CHECK, QUEUE = 60, 10, 100, 8


def recording(ticks: int = 3, work: int = WORK, order: list[int] | None = None) -> Recording:
    """Make a recording of a kernel that does everything by the book."""
    changes: list[tuple[int, str, bool]] = []

    def pulse(name: str, start: int, length: int) -> int:
        changes.extend([(start, name, True), (start + length, name, False)])
        return start + length

    for tick in range(ticks):
        time = 500 + tick * TICK
        scheduler = THREADS * (CHECK + QUEUE)
        pulse("isr", time - ISR, scheduler + 2 * ISR)
        pulse("scheduler", time, scheduler)
        for n in range(THREADS):
            pulse("queueing", time + n * (CHECK + QUEUE) + CHECK, QUEUE)
        now = time + scheduler + ISR
        for n in order or range(THREADS):
            now += SWITCH
            pulse("thread_any", now, work)
            now = pulse(f"thread_{n}", now, work)
    changes.sort(key=lambda change: (change[0], change[2]))
    return signals.from_changes("cycles", changes, 0, 500 + ticks * TICK)


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
    found = analyse(recording())
    assert set(found.switches) == {SWITCH}
    assert len(found.switches) == 3 * (THREADS - 1)
    assert found.scheduler_load == pytest.approx(THREADS * (CHECK + QUEUE) / TICK)
    assert jitter(found.completions) == 0
    assert found.intervals() == [TICK, TICK]
    assert not any(tick.saturated for tick in found.ticks)


def test_the_tick_is_found_where_nobody_tells():
    assert analyse(recording(ticks=5)).tick == TICK


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


def test_a_vcd_comes_back_as_it_was_written(tmp_path):
    before = recording()
    signals.write_vcd(before, tmp_path / "a.vcd")
    after = signals.from_vcd(tmp_path / "a.vcd", unit="cycles")
    assert {name: found for name, found in after.pulses.items() if found} == before.pulses


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


CAPTURE = """$timescale 1 us $end
$scope module logic $end
$var wire 1 ! D0 $end
$var wire 1 " D1 $end
$var wire 1 # D2 $end
$var wire 1 $ D3 $end
$upscope $end
$enddefinitions $end
"""


def capture(path: Path, ticks: int = 4) -> Path:
    """Write what a logic analyser makes of kernel-v1: 16 threads, 58 us every 8 ms."""
    edges: list[tuple[int, str]] = [(0, f"0{pin}") for pin in '!"#$']
    for tick in range(ticks):
        time = 100 + 8000 * tick
        edges.append((time, '1"'))
        for n in range(16):
            edges += [(time + 2 + 3 * n, "1#"), (time + 4 + 3 * n, "0#")]
        edges.append((time + 58, '0"'))
        edges += [
            (time + 60, "1!"),
            (time + 60, "1$"),
            (time + 200, "0$"),
            (time + 7800, "0!"),
        ]
    edges.append((100 + 8000 * ticks, "0!"))
    lines, last = [CAPTURE.rstrip("\n")], -1
    for time, change in edges:
        if time != last:
            lines.append(f"#{time}")
        lines.append(change)
        last = time
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


PINS = ["thread_any=D0", "scheduler=D1", "queueing=D2", "thread_0=D3"]


def test_a_capture_of_another_kernel_is_measured(tmp_path, capsys):
    file = capture(tmp_path / "desk.vcd")
    assert import_capture(file, PINS, None, tmp_path / "out", quiet=True) == 0
    said = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert said["unit"] == "ns"
    assert said["tick"] == "8000000"
    assert said["scheduler"] == "58000"
    assert said["queueing"] == "32000"
    assert said["scheduler_share"] == "0.00725"
    assert (tmp_path / "out" / "desk.svg").exists()


@pytest.mark.parametrize(
    ("pins", "said"),
    [
        (["scheduler=D9"], "no signal D9"),
        (["scheduler"], "--pin takes"),
        (["clock=D0"], "--pin takes"),
        ([], "shows no scheduler and no queueing"),
    ],
)
def test_a_capture_that_does_not_fit_is_refused(tmp_path, pins, said):
    file = capture(tmp_path / "desk.vcd")
    with pytest.raises(UsageError, match=said):
        import_capture(file, pins, None, tmp_path / "out", quiet=True)


@pytest.mark.parametrize("content", [b"", b"\x00\xff nonsense", b"$var wire"])
def test_what_is_no_vcd_is_refused(tmp_path, content):
    (tmp_path / "x.vcd").write_bytes(content)
    with pytest.raises(FoliotError):
        import_capture(tmp_path / "x.vcd", PINS, None, tmp_path / "out", quiet=True)


def test_the_picture_is_svg_with_the_seeds_colours(tmp_path):
    found = recording()
    svg = picture.draw(found, analyse(found), "A <title> & more")
    root = ET.fromstring(svg)
    assert root.tag.endswith("svg")
    for colour in picture.COLOURS.values():
        assert colour in svg
    assert "checking 400, queueing 32" in svg
    picture.write_png(svg, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_the_table_stands_beside_the_seed():
    cases = [(facts(threads=16), analyse(recording(), TICK))]
    what = [line[0] for line in table.beside_seed(cases)]
    assert what == [
        "case 0: scheduler, 4 queued", "case 0: queueing all", "case 0: context switch",
    ]  # fmt: skip
    assert table.beside_seed(cases)[0][1].replace("\u2009", "") == "7250"
    assert len(table.rows(cases)[0]) == len(table.COLUMNS)
