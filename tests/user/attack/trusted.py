# SPDX-License-Identifier: Apache-2.0
"""What the kernel would trust if it forgot to look: seeds of checks that never were.

A removed check (checks.py) cannot miss one that is not there. So here each argument of each
verifier is trusted in one respect at a time, the rest of the look left as it is; and each
field of what is copied from user memory is read there once more after it was looked at. Arguments
are found in the sources by their form; what has none is in trusted.txt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks import EARLY, SeededFault, blocks

from support.command import ROOT
from support.sources import Source, sources

NAMED = ROOT / "tests" / "user" / "attack" / "trusted.txt"
# Where the verifier's macro is not called as its kind is.
KINDS = {"GATE": "IPC_GATE", "ENDPOINT": "IPC_ENDPOINT", "SIGNAL": "POLL_SIGNAL"}

OBJECT = re.compile(r"^\tVERIFY_(?P<kind>\w+)\((?P<it>\w+)\);")
THREAD = re.compile(r"(?<!bool )\bverify_thread\((?P<it>\w+)\)")
QUICK = re.compile(r"IS_USABLE\((?P<it>\w+), (?P<type>struct \w+), (?P<kind>\w+)\)")
BEGIN = re.compile(r"\bverify_init_begin\((?P<it>\w+),[^;]*?(?P<kind>K_OBJ_\w+)\)")
AGAIN = re.compile(
    r"\bverify_init_again\((?P<it>\w+),[^;]*?(?P<kind>K_OBJ_\w+),\s*&?(?P<key>\w+)\)"
)
TIMEOUT = re.compile(r"\b(?:verify_timeout|TIMEOUT)\((?P<it>[\w.]+)\)")
LATE = re.compile(r"\buser_copy_out\(")

# Of calls that do not stay masked: RISC-V has none of it.
NOT_MASKED = ("checked_k_stack_pop(", "wait_and_reset(")
ENTRY = "object_entry_at({it}, OBJECT_TAG_OFFSET({type}))"
# What is left of a look, by what is trusted of the argument.
LOOKS: dict[re.Pattern[str], dict[str, str]] = {
    OBJECT: {
        "kind": "\tif (!user_holds({it}, K_OBJ_ANY)) user_violation(\"\");",
        "right": "\tif (object_find({it}, {kind}) == NULL) user_violation(\"\");",
        "readiness": "\tif (!user_holds({it}, {kind})) user_violation(\"\");",
    },
    THREAD: {
        "kind": "user_holds({it}, K_OBJ_ANY)",
        "right": "(object_find({it}, K_OBJ_THREAD) != NULL && {it}->object_tag.is_ready)",
        "life": "user_holds({it}, K_OBJ_THREAD)",
    },
    QUICK: {
        "kind": f"({ENTRY} != NULL && object_is_granted(k_cpu.current, {ENTRY}))",
        "right": f"({ENTRY} != NULL && entry_kind({ENTRY}) == {{kind}})",
        "readiness": f"({ENTRY} != NULL && entry_kind({ENTRY}) == {{kind}}"
                     f" && object_is_granted(k_cpu.current, {ENTRY}))",
    },
    BEGIN: {
        "all": "irq_lock()",
        "right": "(object_find({it}, {kind}) == NULL ? (user_violation(\"\"), 0U) : irq_lock())",
        "readiness": "(user_holds({it}, {kind}) ? irq_lock() : (user_violation(\"\"), 0U))",
    },
    AGAIN: {
        "all": "({key} = irq_lock(), false)",
        "right": "({key} = irq_lock(), (object_find({it}, {kind})->kind & OBJECT_NOT_READY) == 0)",
    },
    TIMEOUT: {"length": "({it})"},
}  # fmt: skip


def _seeds_of(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Each look that has a form: where, its text, what is trusted, and what is left of it."""
    for form, looks in LOOKS.items():
        for found in re.finditer(form.pattern, text, re.MULTILINE):
            words = found.groupdict()
            if form is OBJECT:
                words["kind"] = "K_OBJ_" + KINDS.get(words["kind"], words["kind"])
            for what, left in looks.items():
                yield found.start(), found[0], what, left.format(**words)


def _function(text: str, at: int) -> str:
    """The first line of that which a place of a source lies in."""
    return next(line for line in reversed(text[:at].splitlines()) if line[:1].isalpha())


def _board(function: str) -> str:
    return "mps2_an385" if any(name in function for name in NOT_MASKED) else ""


def _conf(function: str) -> str:
    return "deadline" if "deadline" in function else ""


def _late_samples(source: Source) -> Iterator[SeededFault]:
    """A buffer that is looked at first, and believed after the wait."""
    early = False
    head = ""
    for number, line in enumerate(source.lines, 1):
        head = line if line[:1].isalpha() else head
        early = (early or bool(EARLY.match(line))) and line != "}"
        if early and LATE.search(line):
            yield SeededFault(source.file, source.function(number), number, "user_copy_out(",
                              "memcpy(", on=_board(head), what="late look of ")  # fmt: skip


def _of_arguments() -> Iterator[SeededFault]:
    for source in sources():
        for at, old, what, new in _seeds_of(source.text):
            line = source.line_at(at)
            if re.match(r" \*|#define", source.lines[line - 1]):
                continue  # in a comment, or what the form itself is
            head = _function(source.text, at)
            yield SeededFault(source.file, source.function(line), line, old, new, (), _conf(head),
                       _board(head), what=f"{what} of ")  # fmt: skip
        yield from _late_samples(source)


def seeds() -> list[SeededFault]:
    """All of them; those of trusted.txt last."""
    return [*_of_arguments(), *blocks(NAMED)]
