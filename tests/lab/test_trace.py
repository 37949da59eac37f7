# SPDX-License-Identifier: Apache-2.0
"""`foliot trace`: the same story on RTL and in QEMU, undisturbed, as files and as answers."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import subprocess
import tty
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from foliot.commands.trace import REQUIREMENTS
from foliot.image.elf import Image
from foliot.model.errors import FoliotError, UsageError
from foliot.scope import vcd
from foliot.show.terminal import Progress
from foliot.target import boards, build, debugger, machines, paths, provision, runner, suites
from foliot.target.gdb_remote import reads
from foliot.trace import ctf, follow, perfetto, probe, ring, show, stream
from foliot.trace.answers import Answers
from foliot.trace.cores import CortexM, Registers
from foliot.trace.events import KINDS, Event, Recording, Thread
from foliot.trace.memory import Memory
from foliot.trace.printed import Printed
from foliot.trace.recorder import Request, record
from foliot.trace.timeline import RUNNING

APP = Path(__file__).parent / "apps" / "traced"
BOARDS = ("ibex", "mps2_an385")
EVERY_BOARD = pytest.mark.parametrize(
    "board", [pytest.param(b, marks=pytest.mark.board) for b in BOARDS]
)
EACH_RING = pytest.mark.parametrize(
    ("board", "conf"),
    [
        pytest.param("ibex", "ring", marks=[pytest.mark.board("ibex"), pytest.mark.long]),
        pytest.param("ibex", "stream", marks=[pytest.mark.board("ibex"), pytest.mark.long]),
        pytest.param("mps2_an385", "ring", marks=pytest.mark.board("mps2_an385")),
        pytest.param("mps2_an385", "stream",
                     marks=[pytest.mark.board("mps2_an385"), pytest.mark.long]),
    ],
)  # fmt: skip
QUIET = Progress(quiet=True)


@cache
def image(board: str) -> Path:
    return build.build(APP, boards.load(board), QUIET).image


@cache
def traced(board: str) -> tuple[Recording, tuple[bytes, ...]]:
    """Record the application once for all tests of a process; its console too."""
    heard: list[bytes] = []
    request = Request(marks=("stage",))
    found = record(boards.load(board), image(board), "traced", request, QUIET, heard.append)
    return found, tuple(heard)


@cache
def answers(board: str) -> Answers:
    return Answers(traced(board)[0])


def story(recording: Recording) -> list[tuple[str, ...]]:
    """Return what happened, without times, addresses and numbers of lines."""
    told = []
    for event in recording.events:
        facts = event.facts
        words = [event.kind, recording.thread_name(event.thread)]
        words += [
            str(facts.get(name))
            for name in ("name", "reason", "by", "result", "new", "own")
            if name != "result" or facts.get("name") in ("k_sem_take", "k_mutex_lock")
        ]
        words += [recording.thread_name(facts[name]) for name in ("out", "into", "thread", "owner")
                  if facts.get(name) is not None]  # fmt: skip
        words.append(recording.object_name(facts.get("object")))
        told.append(tuple(words))
    return told


@pytest.mark.long
@pytest.mark.board(*BOARDS)
def test_rtl_and_qemu_tell_the_same_story():
    assert story(traced("ibex")[0]) == story(traced("mps2_an385")[0])


@EVERY_BOARD
def test_a_traced_run_is_the_run_without(board):
    """The program prints the clock at its end: to the cycle, to the instruction."""
    alone: list[bytes] = []

    def heard_alone(line: bytes) -> None:
        alone.append(line)

    outcome = runner.run(boards.load(board), image(board), heard_alone)
    assert outcome.reason == "pass"
    recording, heard = traced(board)
    assert [line for line in heard if line.startswith(b"done")] == alone
    assert recording.status == 0
    assert recording.cut == ""


@EVERY_BOARD
def test_what_was_lent_who_waited_and_who_woke_whom(board):
    recording, _ = traced(board)
    low = next(a for a, t in recording.threads.items() if t.name == "low_thread")
    lent = [event for event in recording.events
            if event.kind == "priority" and event.facts["thread"] == low]  # fmt: skip
    assert [(e.facts["old"], e.facts["new"], e.facts["own"]) for e in lent] == [
        (8, 4, 8),
        (4, 8, 8),
    ]
    (mutex,) = answers(board).mutexes()
    assert (mutex.name, mutex.locks) == ("shared", 2)
    (wait,) = mutex.waits
    assert (wait.waiter, wait.owner, wait.end) == ("high_thread", "low_thread", "locked")
    woken = [(recording.thread_name(e.facts["thread"]), e.facts["by"],
              recording.thread_name(e.thread) if e.line is None else "interrupt")
             for e in recording.events if e.kind == "ready"]  # fmt: skip
    assert ("high_thread", "k_mutex_unlock", "low_thread") in woken
    assert woken.count(("main", "k_sem_give", "interrupt")) == 2
    assert woken.count(("main", "time-out", "interrupt")) == 1


@EVERY_BOARD
def test_calls_have_results_and_marks_arguments(board):
    recording, _ = traced(board)
    taken = [e.facts["result"] for e in recording.events
             if e.kind == "return" and e.facts["name"] == "k_sem_take"]  # fmt: skip
    assert taken == [-11, 0, 0]
    marks = [e.facts["arguments"] for e in recording.events if e.kind == "mark"]
    assert marks == [{"number": 1}, {"number": 2}]
    assert {event.kind for event in recording.events} <= set(KINDS)
    calls = Counter(e.kind for e in recording.events if e.kind in ("call", "return"))
    # Three threads' ends and the program's are calls that never return.
    assert calls["call"] == calls["return"] + 4


@EVERY_BOARD
def test_shares_add_up_and_the_longest_wait_is_drawn(board):
    found = answers(board)
    assert sum(share.count for share in found.shares()) == found.length
    worst = found.waits()[0]
    assert (worst.name, worst.why) == ("low_thread", "preempted by high_thread")
    assert [name for _, _, name in worst.instead] == ["high_thread", "middle_thread"]
    assert sum(end - start for start, end, _ in worst.instead) == worst.length
    text = "\n".join(show.lines(found, "low_thread"))
    assert re.search(r"middle_thread +\| *#{20,}", text)
    assert all(len(line) <= 100 for line in text.splitlines())
    with pytest.raises(UsageError, match="did you mean low_thread"):
        found.waits("lowthread")


@EVERY_BOARD
def test_handlers_end_where_they_end(board):
    """On a Cortex-M that is no address: none of them was told by what came after."""
    recording, _ = traced(board)
    exits = [event for event in recording.events if event.kind == "isr_exit"]
    assert len(exits) == 4
    assert not [event for event in exits if event.facts.get("unseen")]
    assert answers(board).lines()[0].times == 4


@pytest.mark.board("ibex")
def test_a_latency_is_as_long_as_interrupts_were_masked():
    board = boards.load("ibex")
    firmware = build.build(APP.parent / "masked", board, QUIET)
    recording = record(board, firmware.image, "masked", Request(), QUIET, lambda _: None)
    found = Answers(recording)
    [worst] = found.latencies()
    tick = board.clock_hz // 10_000
    assert tick < worst.length < 4 * tick  # masked for three, and at its first one the line rose
    assert [name for _, _, name in worst.instead] == ["main"]
    text = "\n".join(show.lines(found, line=worst.line))
    assert re.search(rf"^{worst.line} +{worst.start} +{worst.length} .* main$", text, re.MULTILINE)
    assert not recording.lacks
    with pytest.raises(UsageError, match="interrupt"):
        found.latencies(99)


def test_latencies_are_known_by_line_with_who_ran_and_in_which_call():
    recording = Recording("b", "p", "cycles", 10.0, 4, end=1000)
    recording.threads = {1: Thread(1, "one"), 2: Thread(2, "idle", idle=True)}

    def add(time, kind, **facts):
        recording.events.append(Event(time, kind, 1, None, facts))

    add(0, "switch", out=None, into=1, reason="start")
    add(90, "call", name="k_heap_alloc", object=None, arguments={})
    add(130, "isr_enter", line=7, rose=100)
    add(150, "isr_exit", line=7)
    add(160, "return", name="k_heap_alloc", object=None, arguments={})
    for time, line, rose in ((205, 7, 200), (305, 3, 300), (320, 3, 315)):
        add(time, "isr_enter", line=line, rose=rose)
        add(time + 5, "isr_exit", line=line)
    found = Answers(recording)
    assert [(one.line, one.start, one.length, one.call) for one in found.latencies()] == [
        (7, 100, 30, "k_heap_alloc"), (3, 300, 5, ""),
    ]  # fmt: skip
    assert found.latencies()[0].instead == ((100, 130, "one"),)
    assert [one.start for one in found.latencies(7)] == [100, 200]
    assert found.mean_latency(7) == 17.5
    assert found.mean_latency(1) is None


@pytest.mark.long
@pytest.mark.board("qemu_aarch64")
def test_aarch64_tells_the_same_story():
    """Its handler is entered by the controller's word of the line, whose number is its timer's."""
    recording, _ = traced("qemu_aarch64")
    assert story(recording) == story(traced("mps2_an385")[0])
    assert {e.facts["line"] for e in recording.events if e.kind == "isr_enter"} == {27}
    assert recording.status == 0
    assert sum(share.count for share in answers("qemu_aarch64").shares()) == recording.end - next(
        event.time for event in recording.events if event.kind == "switch"
    )


@pytest.mark.board("netduinoplus2")
def test_handlers_that_follow_each_other_end_where_the_next_begins():
    """SysTick's pends another line there, whose handler has no frame of its own."""
    recording, _ = traced("netduinoplus2")
    handlers = answers("netduinoplus2").timeline.handlers
    assert not [e for e in recording.events if e.facts.get("unseen")]
    chained = [h for h in handlers if any(h.start == other.end for other in handlers)]
    assert len(chained) >= 4
    assert max(handler.end - handler.start for handler in handlers) < 1000


@EVERY_BOARD
def test_perfetto_finds_states_arrows_and_counters(board, tmp_path):
    provision.python_packages(REQUIREMENTS, QUIET, "foliot trace")
    perfetto.write(answers(board), tmp_path / "trace.pftrace")
    packets = perfetto.read(tmp_path / "trace.pftrace").packet
    tracks = {p.track_descriptor.uuid: p.track_descriptor
              for p in packets if p.HasField("track_descriptor")}  # fmt: skip
    threads = {t.thread.thread_name for t in tracks.values() if t.HasField("thread")}
    assert threads == {"main", "idle", "low_thread", "middle_thread", "high_thread"}
    events = [(p.timestamp, p.track_event) for p in packets if p.HasField("track_event")]
    assert [time for time, _ in events] == sorted(time for time, _ in events)
    assert {event.track_uuid for _, event in events} <= set(tracks)
    depth: Counter[int] = Counter()
    kinds = type(events[0][1])
    for _, event in events:
        depth[event.track_uuid] += event.type == kinds.TYPE_SLICE_BEGIN
        depth[event.track_uuid] -= event.type == kinds.TYPE_SLICE_END
        assert depth[event.track_uuid] >= 0
    assert {name for name, n in depth.items() if n} <= {
        uuid for uuid, track in tracks.items() if track.name == "calls"
    }
    begun = {flow: (time, event) for time, event in events for flow in event.flow_ids}
    ended = [(flow, time, event) for time, event in events for flow in event.terminating_flow_ids]
    assert len(ended) == len(begun) >= 8
    for flow, time, event in ended:
        assert begun[flow][0] <= time
        waker = begun[flow][1].name.removeprefix("wakes ")
        assert tracks[event.track_uuid].thread.thread_name == waker
    counters = {tracks[e.track_uuid].name for _, e in events if e.type == kinds.TYPE_COUNTER}
    assert {"priority of low_thread", "shared", "ticks"} <= counters


@EVERY_BOARD
@pytest.mark.needs("babeltrace")
def test_babeltrace_reads_it_by_zephyrs_names(board, tmp_path):
    recording, _ = traced(board)
    ctf.write(recording, tmp_path / "ctf")
    said = subprocess.run(
        ["babeltrace2", "--clock-seconds", tmp_path / "ctf"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert said.stderr == ""
    names = Counter(re.findall(r"^\[[\d.]+\] \S+ (\w+):", said.stdout, re.MULTILINE))
    kinds = Counter(event.kind for event in recording.events)
    assert names["thread_switched_in"] == kinds["switch"]
    assert names["isr_enter"] == names["isr_exit"] == kinds["isr_enter"]
    assert names["semaphore_take_enter"] == names["semaphore_take_blocking"] == 3
    assert names["mutex_lock_exit"] == 2
    assert names["mark"] == 2
    assert 'ret = -11, object = "never"' in said.stdout
    assert 'name = "low_thread", prio = 4, own_prio = 8' in said.stdout
    first = float(re.findall(r"^\[([\d.]+)\]", said.stdout, re.MULTILINE)[0])
    assert first == pytest.approx(recording.ns(recording.events[0].time) / 1e9)


@pytest.mark.long
@pytest.mark.board("ibex")
def test_scope_and_trace_agree_on_the_same_run(tmp_path):
    """Its pins show a thread from the end of a switch to the next one's beginning."""
    board = boards.load("ibex")
    firmware = build.build(suites.directory("periodic"), board, QUIET, ("scope",))
    pins = tmp_path / "pins.vcd"
    case_0_3_ticks = str(1 | 3 << 4)
    request = Request(options=("--vcd", str(pins), "--pins", case_0_3_ticks))
    recording = record(board, firmware.image, "periodic", request, QUIET, lambda _: None)
    shown = vcd.from_vcd(pins, unit="cycles").pulses
    timeline = Answers(recording).timeline
    for n in range(16):
        thread = next(a for a, t in recording.threads.items() if t.name == f"thread[{n}]")
        ran = timeline.of(thread, RUNNING)
        pulses = shown[f"thread_{n}"]
        # An interrupt lowers a thread's pin and it rises again: one run, two pulses.
        runs = [next(r for r in ran if r.start <= p.start and p.end <= r.end) for p in pulses]
        assert len({run.start for run in runs}) == len(ran) >= 4
        assert all(
            0 < pulse.start - run.start < 60 for pulse, run in zip(pulses, runs, strict=True)
        )
    handlers = timeline.handlers
    assert len(handlers) == len(shown["isr"]) >= 5
    for handler, pulse in zip(handlers, shown["isr"], strict=True):
        assert 0 < pulse.start - handler.start < 40
        assert 0 < pulse.end - handler.end < 60


@pytest.mark.board("ibex")
@pytest.mark.needs("babeltrace")
def test_the_command_writes_files_and_answers(foliot, tmp_path):
    done = foliot("trace", APP, "--board", "ibex", "-o", tmp_path, "--json", tmp_path / "answers",
                  "--mark", "sta*", "--quiet")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Had the CPU" in done.stdout
    assert "shared" in done.stdout
    assert (tmp_path / "trace.pftrace").stat().st_size > 1000
    told = json.loads((tmp_path / "answers").read_text())
    assert told["unit"] == "cycles"
    assert told["mutexes"][0]["waits"][0]["owner"] == "low_thread"
    assert sum(share["count"] for share in told["shares"]) == told["length"]


@pytest.mark.board("ibex")
def test_a_recording_that_is_cut_says_so(foliot, tmp_path):
    for limit, told in (("--events=20", "after 20 events"), ("--timeout=0.0001", "after 0.0001 s")):
        done = foliot("trace", APP, "--board", "ibex", "-o", tmp_path, "--quiet", limit)
        assert done.returncode == 0, done.stderr
        assert f"The recording ends {told}" in done.stdout


@pytest.mark.board("ibex")
def test_a_mark_that_is_no_function_names_those_that_are(foliot):
    done = foliot("trace", APP, "--board", "ibex", "--mark", "stagf", "--quiet")
    assert done.returncode == 2
    assert "did you mean stage?" in done.stderr


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("vexriscv", "shows no registers"),
        ("qemu_x86_64", "not the core of qemu_x86_64"),
        ("qemu_riscv32", "not the core of qemu_riscv32"),
        ("host", "no machine that trace can stop"),
        ("nucleo_f401re", "no machine that trace can stop"),
    ],
)
def test_boards_that_cannot_are_refused_by_name(foliot, board, why):
    done = foliot("trace", APP, "--board", board)
    assert done.returncode == 2
    assert why in done.stderr


@pytest.mark.needs("compiler")
def test_an_image_of_another_program_is_refused(tmp_path):
    other = tmp_path / "other"
    source = tmp_path / "other.c"
    source.write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-g", "-o", other, source], check=True)
    with pytest.raises(UsageError, match="no debug information of the kernel's structures"):
        record(boards.load("ibex"), other, "other", Request(), QUIET, lambda _: None)


def test_the_bits_of_a_threads_state_are_the_headers():
    text = (paths.ROOT / "include" / "foliot" / "thread.h").read_text()
    told = dict(re.findall(r"^#define K_THREAD_(\w+) +(0x\w+)U", text, re.MULTILINE))
    for name in ("PENDING", "SUSPENDED", "PRESTART", "DEAD", "TIMED", "PERIOD"):
        assert getattr(follow, name) == int(told[name], 16)


def test_a_frame_is_found_above_an_older_one_like_it():
    def frame(back: int, state: int = 0x0100_0000) -> bytes:
        words = (1, 2, 3, 4, 12, 0xAA, back, state)
        return b"".join(word.to_bytes(4, "little") for word in words)

    at = Registers(0, 0, 0xFFFF_FFFD, (1, 2, 3, 4), 16, 12)
    core = CortexM()
    stack = bytes(40) + frame(0x500) + bytes(12) + frame(0x600) + bytes(20)
    assert core.frame_return(at, stack) == 0x600
    assert core.frame_return(at, stack[:80] + bytes(60)) == 0x500
    assert core.frame_return(at, frame(0x600, state=0)) is None
    assert core.frame_return(at, b"\0\0" + frame(0x600)) is None
    assert core.frame_return(at, bytes(200)) is None
    assert not core.nests(at)
    assert core.nests(Registers(0, 0, 0xFFFF_FFF1, (), 16))


def test_reads_that_lie_close_by_are_one():
    assert reads([(100, 4), (0, 8), (110, 20), (4000, 4)]) == [(0, 8), (100, 30), (4000, 4)]
    assert reads([(0, 8), (4, 2)]) == [(0, 8)]
    assert reads([(0, 0x700), (0x700, 4)]) == [(0, 0x700), (0x700, 4)]


def test_memory_that_was_not_read_is_zero():
    memory = Memory([(16, 4), (100, 2)], ["ff000080", "E0e"])
    assert memory.number(16, 4) == 0x8000_00FF
    assert memory.number(19, 1, signed=True) == -128
    assert memory.number(100, 2) == 0
    assert memory.number(18, 4) == 0


IN_RING = set(re.findall(r"^CALL(?:_VOID)?\((?:[^,]*, )??(k_\w+),",
                         (paths.ROOT / "kernel" / "inspect" / "trace_calls.c").read_text(),
                         re.MULTILINE))  # fmt: skip


def ring_story(recording: Recording) -> list[tuple[object, ...]]:
    """Return what a ring and a recorder both tell, by name; the calls that the program makes."""
    told: list[tuple[object, ...]] = []
    depth: Counter[tuple[int | None, int | None]] = Counter()
    for event in recording.events:
        facts, context = event.facts, (event.thread, event.line)
        if event.kind == "call" and facts["name"] == "k_trace_ring_print":
            break  # what comes while it prints, and after, is not in it
        who = recording.thread_name(event.thread)
        if event.kind == "switch":
            into = recording.thread_name(facts["into"])
            what = recording.object_name(facts.get("object"))
            told.append(("switch", who, into, facts["reason"], what))
        elif event.kind in ("isr_enter", "isr_exit"):
            told.append((event.kind, facts["line"]))
        elif event.kind == "ready":
            told.append(("ready", recording.thread_name(facts["thread"])))
        elif event.kind in ("call", "return") and not facts.get("aborted"):
            depth[context] -= event.kind == "return"
            # Static threads are started by the kernel, by this call from within its own file.
            if not depth[context] and facts["name"] in IN_RING - {"k_thread_start"}:
                what = recording.object_name(facts["object"])
                told.append((event.kind, who, facts["name"], what, facts.get("result")))
            depth[context] += event.kind == "call"
    return told


@cache
def ring_image(board: str, conf: str = "ring") -> Path:
    return build.build(APP, boards.load(board), QUIET, (conf,)).image


@cache
def ringed(board: str, conf: str = "ring") -> tuple[Recording, Recording, Printed]:
    """Return one run twice: out of its ring, and as the recorder saw the same image."""
    heard: list[bytes] = []
    found, firmware = boards.load(board), ring_image(board, conf)
    recorded = record(found, firmware, "traced", Request(), QUIET, heard.append)
    if conf == "stream":
        came = stream.Stream()
        came.feed(b"".join(line + b"\n" for line in heard))
        assert came.ended
    printed = came.printed() if conf == "stream" else ring.read(heard)
    return ring.decode(printed, found, Image(firmware), "traced"), recorded, printed


@EACH_RING
def test_a_ring_tells_what_a_recorder_of_the_same_run_saw(board, conf):
    from_ring, recorded, printed = ringed(board, conf)
    mine, theirs = (ring_story(one) for one in (from_ring, recorded))
    for kind in ("switch", "call", "return", "isr_enter"):
        assert [one for one in mine if one[0] == kind] == [one for one in theirs if one[0] == kind]
    assert Counter(one for one in mine if one[0] == "ready") == Counter(
        one for one in theirs if one[0] == "ready"
    )
    assert printed.lost == 0
    created = {kept: [event.facts["thread"] for event in one.events if event.kind == "thread"]
               for kept, one in (("ring", from_ring), ("recorder", recorded))}  # fmt: skip
    assert sorted(created["ring"]) == sorted(set(created["recorder"]))  # each of them once
    lowest = max(from_ring.threads.values(), key=lambda one: one.priority)
    assert (lowest.name, lowest.priority) == ("idle", 15)  # of its own, below all others
    assert ("return", "main", "k_sem_take", "never", -11) in mine
    (mutex,) = Answers(from_ring).mutexes()
    assert [(one.waiter, one.owner, one.end) for one in mutex.waits] == [
        ("high_thread", "low_thread", "locked")
    ]


@EACH_RING
def test_an_event_costs_what_is_allowed_and_its_cost_is_taken_out(board, conf):
    from_ring, _, printed = ringed(board, conf)
    found = boards.load(board)
    per_unit = printed.clock_hz * 1.024e-6 if found.kind == "qemu" else 1  # of an instruction
    most = 20 if found.kind == "qemu" else 25
    assert 0 < printed.cost / per_unit <= most
    assert printed.cost <= printed.call_cost
    assert printed.call_cost / per_unit <= most
    *before, of_the_last = (
        printed.call_cost if what & 0xFF in (5, 6) else printed.cost
        for time, what, _, _ in printed.events if time != 0xFFFFFFFF
    )  # fmt: skip
    assert from_ring.events[-1].time == printed.events[-1][0] - sum(before)
    assert from_ring.lacks[1].startswith(f"{sum(before) + of_the_last} ")


@pytest.mark.board("ibex")
def test_a_rings_times_are_the_simulators():
    """A switch is kept before it is made: the recorder sees it some cycles later."""
    _, recorded, printed = ringed("ibex")
    raw = [time for time, what, _, _ in printed.events if what & 0xFF == 1]
    seen = [e.time for e in recorded.events if e.kind == "switch" and e.facts["out"] is not None]
    assert len(raw) == len(seen) >= 10
    assert all(0 < late - early < 60 for early, late in zip(raw, seen, strict=True))


def ring_lines(events: str, count: int = 1, lost: int = 0) -> list[bytes]:
    head = f"@trace begin 1 events {count} lost {lost} cost 16 call 20 clock 100000000"
    return [line.encode() for line in (head, *events.splitlines())]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([b"hello"], "printed no ring"),
        (ring_lines("@trace 1 2 3 4"), "last line did not come"),
        (ring_lines("@trace 1 2 3\n@trace end"), "of 1 events in the ring 0 came whole"),
        (ring_lines("@trace 1 2 3 4\n@trace 1 2 3 4\n@trace end"), "of 1 events in the ring 2"),
        (ring_lines("@trace 1 2 3 4x\nboo\n@trace end"), "0 came whole"),
    ],
)
def test_a_ring_that_is_not_whole_is_refused(lines, why):
    with pytest.raises(FoliotError, match=why):
        ring.read(lines)


@pytest.mark.board("ibex")
def test_a_full_ring_counts_what_it_lost(foliot, tmp_path):
    done = foliot("trace", APP, "--board", "ibex", "--ring", "--conf", "ring,few", "-o", tmp_path,
                  "--quiet")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "The recording ends where the ring was full" in done.stdout
    assert re.search(r"Not in it: the last \d+ events", done.stdout)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--port", "/dev/ttyX"), "--port is for --ring"),
        (("--ring", "--mark", "stage"), "--mark is not for --ring"),
        (("--ring", "--stream"), "--ring and --stream can't be given together"),
        (("--ring", "--board", "qemu_aarch64"), "TRACE_RING"),
    ],
)
def test_what_a_ring_is_refused_for(foliot, words, why):
    done = foliot("trace", APP, *words, "--quiet")
    assert done.returncode != 0
    assert why in done.stderr


@pytest.mark.board("mps2_an385")
def test_a_ring_that_a_board_prints_at_a_port(foliot, tmp_path):
    heard: list[bytes] = []
    runner.run(boards.load("mps2_an385"), ring_image("mps2_an385"), heard.append)
    board, its = pty.openpty()
    tty.setraw(its)
    words = [*foliot.words, "trace", "--elf", str(ring_image("mps2_an385")), "--board",
             "mps2_an385", "--ring", "--port", os.ttyname(its), "-o", str(tmp_path)]  # fmt: skip
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=foliot.environment()
    ) as child:
        assert child.stderr is not None
        while b"Listening to" not in child.stderr.readline():
            pass
        text = b"".join(line + b"\r\n" for line in heard)
        while text:  # a terminal takes some thousand bytes at a time
            text = text[os.write(board, text[:1024]) :]
        assert child.stdout is not None
        said = child.stdout.read().decode()
        assert child.wait(timeout=100) == 0
    for one in (board, its):
        os.close(one)
    assert said.splitlines() == list(
        show.lines(Answers(ring.decode(ring.read(heard), boards.load("mps2_an385"),
                                       Image(ring_image("mps2_an385")), "firmware.elf")))
    )  # fmt: skip


# ---- through a debug probe ----

ENDLESS = paths.ROOT / "tests" / "lab" / "apps" / "watched"


@pytest.mark.long
@pytest.mark.board("mps2_an385")
def test_a_ring_that_is_read_through_a_debuggers_server(foliot, tmp_path):
    """QEMU's server stands for a probe's: the program prints nothing, and goes on."""
    found = boards.load("mps2_an385")
    image, port = build.build(ENDLESS, found, QUIET, ("ring",)).image, debugger.free_port()
    command = machines.machine_for(found, tmp_path).debug_command(image, port)
    with debugger.listening([word for word in command if word != "-S"], port) as child:
        printed = probe.read(f"127.0.0.1:{port}", found, image, QUIET)
        done = foliot("trace", "--elf", image, "--board", "mps2_an385", "--ring", "--probe",
                      f"127.0.0.1:{port}", "-o", tmp_path)  # fmt: skip
        assert child.poll() is None
    assert done.returncode == 0, done.stderr
    assert "worker" in done.stdout
    assert 200 < len(printed.events) <= 2048
    assert printed.cost / 25.6 <= 20
    assert printed.cost <= printed.call_cost
    mine = ring_story(ring.decode(printed, found, Image(image), "watched"))
    recorded = record(found, image, "watched", Request(events=400), QUIET, lambda line: None)
    for kind in ("switch", "call", "return", "isr_enter"):
        seen = [one for one in ring_story(recorded) if one[0] == kind]
        assert [one for one in mine if one[0] == kind][: len(seen)] == seen[: len(mine)]
        assert len(seen) > 20


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--probe", "localhost:3333"), "--probe reads a --ring"),
        (("--stream", "--probe", "localhost:3333"), "--probe reads a --ring"),
        (("--ring", "--probe", "localhost:3333", "--port", "/dev/x"), "no --port beside it"),
        *((("--ring", "--probe", word), "takes a debugger's server")
          for word in ("3333", "| rm -rf x", "a:1 b", "host:", ":3333", "a;b:1", "-x:1x", "a:1\n")),
    ],
)  # fmt: skip
def test_what_a_probe_is_refused_for(foliot, words, why):
    done = foliot("trace", APP, "--board", "mps2_an385", *words)
    assert done.returncode == 2
    assert why in done.stderr


@pytest.mark.board("mps2_an385")
def test_nobody_answers_at_a_probes_port(foliot):
    port = debugger.free_port()
    done = foliot("trace", "--elf", ring_image("mps2_an385"), "--board", "mps2_an385", "--ring",
                  "--probe", f"127.0.0.1:{port}")  # fmt: skip
    assert done.returncode == 1
    assert f"nothing could be read through 127.0.0.1:{port}" in done.stderr


# ---- a ring that is sent while the program runs ----


@cache
def sent() -> bytes:
    """Return the console of a program that sends its ring."""
    lines: list[bytes] = []
    runner.run(boards.load("mps2_an385"), ring_image("mps2_an385", "stream"), lines.append)
    return b"".join(line + b"\n" for line in lines)


def heard_of(data: bytes) -> tuple[stream.Stream, bytes]:
    made = stream.Stream()
    return made, made.feed(data)


@pytest.mark.board("mps2_an385")
def test_text_and_events_come_apart_wherever_they_meet():
    whole, text = heard_of(sent())
    assert text.startswith(b"done at ")
    assert text.count(b"\n") == 1
    chance = random.Random(1)
    for _ in range(20):
        at = sorted(chance.randrange(len(sent())) for _ in range(5))
        parts = [sent()[begin:end] for begin, end in pairwise([0, *at, len(sent())])]
        mixed, said = heard_of(b"Hello, world".join(parts))
        assert mixed.printed() == whole.printed()
        assert said.replace(b"Hello, world", b"") == text
        assert said.count(b"H") == 5


@pytest.mark.board("mps2_an385")
def test_what_is_lost_on_the_way_is_counted_to_the_event():
    """Bytes go, or turn; what is left was sent, and the rest is said to be missing."""
    whole = heard_of(sent())[0].printed()
    image, board = Image(ring_image("mps2_an385", "stream")), boards.load("mps2_an385")
    last = sent().rindex(b"\xfe")
    chance = random.Random(2)
    for turn in range(60):
        data = bytearray(sent())
        first = data.index(b"\xff") + 1  # who begins to listen later has lost nothing
        for _ in range(chance.randrange(1, 5)):
            at = max(first, chance.randrange(first, last) - (len(sent()) - len(data)))
            if chance.random() < 0.5:
                data[at] ^= 1 << chance.randrange(8)
            else:
                data[at : at + chance.choice([1, 40, 400])] = b""
        came, _ = heard_of(bytes(data))
        printed = came.printed()
        rest = iter(whole.events)
        assert all(event in rest for event in printed.events)
        if came.ended:
            assert len(printed.events) + printed.lost == len(whole.events)
        if turn % 10:
            continue
        recording = ring.decode(printed, board, image, "traced")
        lines = "\n".join(show.lines(Answers(recording)))
        assert (f"Not in it: {printed.lost} events, in " in lines) == (printed.lost > 0)


@pytest.mark.board("mps2_an385")
def test_a_board_that_is_reset_begins_anew():
    half = sent()[: len(sent()) // 2]
    assert heard_of(half + sent())[0].printed() == heard_of(sent())[0].printed()
    with pytest.raises(FoliotError, match="no whole frame of events came"):
        heard_of(b"hello")[0].printed()


@pytest.mark.board("ibex")
def test_what_finds_its_half_full_is_counted(foliot, tmp_path):
    done = foliot("trace", APP, "--board", "ibex", "--stream", "--conf", "stream,few", "-o",
                  tmp_path, "--quiet")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "done at" in done.stderr
    assert re.search(r"Not in it: \d+ events, in \d+ places?: ", done.stdout)
    assert "trace_stream" in done.stdout


@pytest.mark.board("mps2_an385")
def test_a_stream_at_a_port_comes_with_the_program_and_ends_in_time(foliot, tmp_path):
    board, its = pty.openpty()
    tty.setraw(its)
    words = [*foliot.words, "trace", "--elf", str(ring_image("mps2_an385", "stream")), "--board",
             "mps2_an385", "--stream", "--port", os.ttyname(its), "-o", str(tmp_path),
             "--timeout", "3"]  # fmt: skip
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=foliot.environment()
    ) as child:
        assert child.stderr is not None
        while b"Listening to" not in child.stderr.readline():
            pass
        os.write(board, sent()[: sent().rindex(b"\xfe")])  # it goes on, for all that anybody knows
        said, told = child.communicate(timeout=100)
        assert child.returncode == 0
    for one in (board, its):
        os.close(one)
    assert b"done at" in told
    assert b" on mps2_an385: " in said
    assert b"trace_stream" in said


@pytest.mark.slow
@pytest.mark.board("ibex")
def test_system_calls_are_there_those_by_a_fast_path_too():
    board = boards.load("ibex")
    firmware = build.build(paths.ROOT / "samples" / "user", board, QUIET).image
    recorded = record(board, firmware, "user", Request(), QUIET, lambda _: None)
    calls = [event.facts["name"] for event in recorded.events if event.kind == "system_call"]
    assert {"k_sem_give", "k_msgq_get"} <= set(calls)
    assert calls.count("k_sem_give") == 2  # one a line that its parser survives
