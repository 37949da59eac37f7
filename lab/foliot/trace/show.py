# SPDX-License-Identifier: Apache-2.0
"""A trace's answers as text, at most 100 columns, and as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from foliot.model.names import counted
from foliot.trace.answers import Answers, Latency, Mutex, Wait
from foliot.trace.events import Recording

_PARTS = 12  # of a time line, the longest ones if there are more
_WAITS = 8
_MOST_RAN = 3  # while an interrupt waited
_WIDTH = 40


def lines(answers: Answers, thread: str | None = None, line: int | None = None) -> Iterator[str]:
    """Yield the answers, a section a question; of one thread, of one line all its waits."""
    recording = answers.recording
    yield from _heading(answers)
    yield ""
    yield from _shares(answers)
    yield ""
    yield from _waits(answers, answers.waits(thread), whole=thread is not None)
    yield ""
    yield from _interrupts(answers)
    latencies = answers.latencies(line)
    if latencies:
        yield ""
        yield from _latencies(answers, latencies, whole=line is not None)
    mutexes = answers.mutexes()
    if mutexes:
        yield ""
        yield from _mutexes(mutexes)
    if recording.lacks:
        yield ""
        yield from (f"Not in it: {lack}." for lack in recording.lacks)


def as_dict(answers: Answers) -> dict[str, Any]:
    """Return the answers for machines."""
    recording = answers.recording
    return {
        "schema": 1, "board": recording.board, "program": recording.program,
        "unit": recording.unit, "length": answers.length, "events": len(recording.events),
        "cut": recording.cut, "lacks": list(recording.lacks),
        "shares": [dataclasses.asdict(share) for share in answers.shares()],
        "waits": [dataclasses.asdict(wait) for wait in answers.waits()],
        "interrupts": [dataclasses.asdict(line) for line in answers.lines()],
        "latencies": [dataclasses.asdict(one) for one in answers.latencies()],
        "mutexes": [dataclasses.asdict(mutex) for mutex in answers.mutexes()],
    }  # fmt: skip


def _heading(answers: Answers) -> Iterator[str]:
    recording = answers.recording
    threads = counted(len(recording.threads), "thread")
    yield (
        f"{recording.program} on {recording.board}: {counted(len(recording.events), 'event')} of"
        f" {threads} in {answers.length} {recording.unit}, from {answers.start} on"
    )
    if recording.cut:
        yield f"The recording ends {recording.cut}, before the program does."


def _shares(answers: Answers) -> Iterator[str]:
    unit = answers.recording.unit
    yield f"{'Had the CPU':24} {unit:>14} {'share':>8} {'times':>7} {'longest':>12}"
    for share in answers.shares():
        yield (
            f"{share.name[:24]:24} {share.count:14} {share.percent:7.2f}% {share.times:7}"
            f" {share.longest:12}"
        )


def _waits(answers: Answers, waits: Sequence[Wait], whole: bool) -> Iterator[str]:
    if not waits:
        yield "Nobody was ready without running."
        return
    yield "Ready, and did not run" + ("" if whole else " (the longest of each thread)")
    yield f"{'thread':20} {'priority':>8} {'from':>14} {'waited':>10}  why"
    for wait in waits:
        yield f"{wait.name[:20]:20} {wait.priority:8} {wait.start:14} {wait.length:10}  {wait.why}"
    for wait in waits[:_WAITS] if whole else waits[:1]:
        yield from _instead(answers.recording, wait)


def _instead(recording: Recording, wait: Wait) -> Iterator[str]:
    """Draw who ran while a thread waited: a line each, to one scale."""
    if not wait.instead:
        return
    yield f"Instead of {wait.name}, from {wait.start} to {wait.start + wait.length}:"
    shown = sorted(sorted(wait.instead, key=lambda part: part[0] - part[1])[:_PARTS])
    for start, end, name in shown:
        before = (start - wait.start) * _WIDTH // wait.length
        bar = max(1, (end - start) * _WIDTH // wait.length)
        drawn = (" " * before + "#" * bar)[: _WIDTH + 1]
        yield f"  {name[:18]:18} |{drawn:{_WIDTH + 1}}| {start:12} {end - start:9}"
    if len(shown) < len(wait.instead):
        yield f"  and {len(wait.instead) - len(shown)} shorter ones"


def _interrupts(answers: Answers) -> Iterator[str]:
    found = answers.lines()
    if not found:
        yield "No interrupt came."
        return
    yield f"{'Interrupts':24} {'times':>7} {'longest':>9} {'mean':>9}"
    for line in found:
        mean = line.total / line.times
        yield f"line {line.line:<19} {line.times:7} {line.longest:9} {mean:9.1f}"


def _latencies(answers: Answers, found: Sequence[Latency], whole: bool) -> Iterator[str]:
    told = f"of interrupt {found[0].line}" if whole else "of each"
    yield f"From a line's rise to its handler (the longest {told})"
    yield f"{'line':8} {'from':>14} {'latency':>9} {'mean':>9}  what ran"
    for one in found:
        mean = answers.mean_latency(one.line)
        parts = sorted(one.instead, key=lambda part: part[0] - part[1])[:_MOST_RAN]
        ran = ", ".join(name for _, _, name in parts)
        inside = f", in {one.call}" if one.call else ""
        yield f"{one.line:<8} {one.start:14} {one.length:9} {mean or 0:9.1f}  {ran}{inside}"[:100]


def _mutexes(mutexes: Sequence[Mutex]) -> Iterator[str]:
    yield f"{'Mutexes':24} {'locked':>7} {'waits':>7} {'longest':>9}"
    for mutex in mutexes:
        longest = max((wait.length for wait in mutex.waits), default=0)
        yield f"{mutex.name[:24]:24} {mutex.locks:7} {len(mutex.waits):7} {longest:9}"
        worst = sorted(mutex.waits, key=lambda wait: -wait.length)[:3]
        for wait in worst:
            yield (
                f"  {wait.waiter} waited {wait.length} from {wait.start} on, it was"
                f" {wait.owner}'s: {wait.end}"
            )
