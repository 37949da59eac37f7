# SPDX-License-Identifier: Apache-2.0
"""Naming what an instruction is, and what its cycles beyond the first were spent on.

The trace says of each instruction how long the execute stage was empty before it, and how
long it was held there. Why, follows from the instruction and the one before it. An empty
stage after a jump is the jump's cost and is charged to the jump; after a trap it is the
cost of entering, charged to the handler's first instruction; a held instruction keeps its
own. So the cycles still add up to the sample's, to one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foliot.explain.trace import Retired

_REGISTER = re.compile(r"\b(?:ra|sp|gp|tp|t[0-6]|s1[01]|s[0-9]|a[0-7])\b(?!:)")
_BRANCH = re.compile(
    r"(?:b(?:eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|eqz|nez|lez|gez|ltz|gtz|geu|ltu|gtu|leu)"
    r"|cbn?z|tb[bh]|tbn?z)(?:\.[nw])?|j(?:n?[abglopsz]e?|n?c|p[eo])|jn?e"
)
_RETURN = re.compile(r"i?retq?|jr ra|bx lr|(?:pop|ldm).*\bpc\b.*")
_CALL = re.compile(r"(?:jal|jalr|call|blx?r?)(?:\.[nw])?")
_JUMP = re.compile(r"(?:j|jr|jmp|tail|ret|bx|br|b)(?:\.[nw])?")
_SYSTEM = re.compile(
    r"csr\w*|sti|cli|hlt|pushfq?|popfq?|m[rs][rs]|cps\w*|mret|eret|ecall|svc|wfi|wfe|[di]sb|dmb|fence\S*|rdtscp?|rdpmc"
    r"|rd(?:cycle|time|instret)h?"
)
_LOAD = re.compile(r"l[bhwd]u?|ldr?\w*(?:\.[nw])?|ldm\w*(?:\.w)?|ldp|pop(?:\.w)?|lr\.\w+")
_STORE = re.compile(r"s[bhwd]|strd?\w*(?:\.[nw])?|stm\w*(?:\.w)?|stp|push(?:\.w)?|sc\.\w+")
# x86 as AT&T write it: registers carry a %, and most instructions may have one side in memory.
_OF_X86 = re.compile(r"%\w")
_LAST_IN_MEMORY = re.compile(r"\([^()]*\)(?: <[^>]+>)?$")
_ONLY_READS = re.compile(r"(?:cmp|test|bt)[bwlq]?")

KINDS = ("arithmetic", "load", "store", "branch", "jump", "call", "return", "system")
_JUMPS = ("branch", "jump", "call", "return")
_SLOW = {"div": "division", "rem": "division", "mul": "multiplication"}


@dataclass(frozen=True, slots=True)
class Wait:
    """Cycles in which an instruction made no progress, and what it waited for."""

    name: str
    cycles: int


def kind(text: str) -> str:
    """Return what an instruction is: one of KINDS."""
    if _RETURN.fullmatch(text):
        return "return"
    name = text.split(" ", 1)[0]
    for pattern, what in (
        (_SYSTEM, "system"), (_BRANCH, "branch"), (_CALL, "call"), (_JUMP, "jump"),
        (_LOAD, "load"), (_STORE, "store"),
    ):  # fmt: skip
        if pattern.fullmatch(name):
            return what
    if "(" in text and _OF_X86.search(text) and not name.startswith(("lea", "nop")):
        stores = _LAST_IN_MEMORY.search(text) and not _ONLY_READS.fullmatch(name)
        return "store" if stores else "load"
    return "arithmetic"


def is_stamp(text: str) -> bool:
    """Say whether an instruction can be one that reads the cycle counter."""
    return kind(text) in ("load", "system")


def waits(
    opening: Retired, steps: Sequence[Retired], texts: Sequence[str]
) -> list[tuple[Wait, ...]]:
    """Name the waits of each step; `texts` begins with the text of the opening stamp."""
    found: list[list[Wait]] = [[] for _ in steps]
    before = opening
    for i, step in enumerate(steps):
        text_before, text = texts[i], texts[i + 1]
        if step.empty:
            to, named = _empty(before, step, text_before)
            found[max(i + to, 0)] += named
        held = step.took - 1 - step.empty
        if held > 0:
            found[i].append(Wait(_held(text_before, text), held))
        before = step
    return [tuple(named) for named in found]


def _empty(before: Retired, step: Retired, text_before: str) -> tuple[int, list[Wait]]:
    """Name an empty stage; say whether it is charged to the step (0) or the one before (-1)."""
    if step.event:
        what = "interrupt entry" if step.event.startswith("i") else "exception entry"
        return 0, [Wait(what, step.empty)]
    name = text_before.split(" ", 1)[0]
    by_name = {"mret": "trap return", "wfi": "sleep"}
    if name in by_name or name.startswith("csr"):
        return -1, [Wait(by_name.get(name, "csr write"), step.empty)]
    what = kind(text_before)
    if what not in _JUMPS:
        return 0, [Wait("fetch", step.empty)]
    named = Wait({"branch": "taken branch"}.get(what, what), step.empty)
    if step.empty > 1 and step.size == 4 and step.pc % 4:
        # The target's two halves lie in two words: one fetch more.
        return -1, [Wait(named.name, step.empty - 1), Wait("split target", 1)]
    return -1, [named]


def _held(text_before: str, text: str) -> str:
    name = text.split(" ", 1)[0]
    if name == "wfi":
        return "sleep"
    if name[:3] in _SLOW:
        return _SLOW[name[:3]]
    if kind(text_before) == "load" and _destination(text_before) in _sources(text):
        return "load-use"
    if {kind(text_before), kind(text)} & {"load", "store"}:
        return "memory"
    return "csr" if name.startswith("csr") else "execute"


def _destination(text: str) -> str:
    registers = _REGISTER.findall(text.partition(" ")[2].partition(",")[0])
    return registers[0] if registers else ""


def _sources(text: str) -> list[str]:
    name, _, operands = text.partition(" ")
    if name == "ret":
        return ["ra"]
    if kind(text) not in ("store", "branch", "jump") and "," in operands:
        written, _, operands = operands.partition(",")
        if not _REGISTER.fullmatch(written):
            operands = f"{written},{operands}"
    return _REGISTER.findall(operands)
