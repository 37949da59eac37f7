# SPDX-License-Identifier: Apache-2.0
"""What calls took in a run, held against their bounds in the image that ran.

Each call of the kernel's that a run has made, to each of its ends, and the longest stretch of it
with interrupts masked; of user threads what they made by their stubs, the trap included; and each
interrupt, by its handler. How much of everything there was is the program's to say (programs.py).
Of a call with a bound that is refused nothing is said here: which those are is a test's list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from foliot.bound import call, isr, masked, syscalls
from foliot.bound.call import Call
from foliot.bound.folded import Folded, Longest
from foliot.bound.graph import Refused
from foliot.bound.image import Program
from foliot.model.errors import FoliotError
from foliot.target import paths

_OF_USER = "+"  # behind an end, where a user thread made the call


@cache
def calls() -> frozenset[str]:
    """Return the calls of the kernel's, by the list that a suite has."""
    listed = paths.SUITES / "worst" / "calls.txt"
    return frozenset(listed.read_text(encoding="utf-8").split())


def check(program: Program, folded: Folded, parameters: Mapping[str, int]) -> tuple[int, list[str]]:
    """Return how many ends and masked stretches were held against bounds, and which were longer."""
    held, wrong = 0, []
    for one, ends in (*_ran(program, folded), *_interrupts(program, folded)):
        for end, longest in ends.items():
            try:
                most = bound(one, end, parameters)
            except Refused:
                continue
            held += 1
            if longest.clocks > most:
                wrong.append(
                    f"{program.name}: {one.name} {_told(end)} took {longest.clocks} cycles at "
                    f"{longest.began} ({longest.count} times), its bound is {most}"
                )
    return held, wrong


def bound(one: Call, end: str, parameters: Mapping[str, int]) -> int:
    """Return the bound of a call to an end, or of its masked stretch; Refused: it has none."""
    if end != masked.MASKED:
        return one.bound(end, parameters).clocks if end in one.ends() else 0
    part = masked.masked(one)
    return masked.longest_of(one, part, parameters) if part else 0


def _interrupts(program: Program, folded: Folded) -> Iterator[tuple[Call, Mapping[str, Longest]]]:
    """Give each interrupt of a run by its handler, with what it took to its ends."""
    for name in isr.handlers(program):
        entry = program.image.address(name)
        ends = {end: one for (at, end), one in folded.calls.items() if at == entry}
        ends = {end: ends[end] for end in ("mret", "switch") if end in ends}
        try:
            one = isr.interrupt(program, name)
        except FoliotError:
            continue
        if ends and not one.refusals():
            yield one, ends


def _told(end: str) -> str:
    return "with interrupts masked" if end == masked.MASKED else f"to its {end}"


def _ran(program: Program, folded: Folded) -> Iterator[tuple[Call, Mapping[str, Longest]]]:
    """Give each call that a run has made, and that has bounds, with what it took to its ends."""
    found: dict[tuple[str, bool], dict[str, Longest]] = {}
    for (entry, end), longest in folded.calls.items():
        name = program.entries.get(entry, "")
        of_user = end.endswith(_OF_USER)
        if of_user == name.startswith(syscalls.STUB):
            key = name.removeprefix(syscalls.STUB), of_user
            found.setdefault(key, {})[end.removesuffix(_OF_USER)] = longest
    for (name, of_user), ends in sorted(found.items()):
        if not of_user and name not in calls():
            continue
        try:
            one = (syscalls.system_call if of_user else call.call)(program, name)
        except FoliotError:
            continue
        if not one.refusals():
            yield one, ends
