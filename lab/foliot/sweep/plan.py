# SPDX-License-Identifier: Apache-2.0
"""What an image is to sweep: struct sweep_plan of suites/measure/sweep.c, written into a copy."""

from __future__ import annotations

import hashlib
import re
import struct
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from foliot.model.errors import FoliotError, UsageError
from foliot.target import paths
from foliot.target.boards import Board

SYMBOL = "sweep_plan"
ACTS = {
    "nothing": "returns",
    "preempt": "wakes a thread that outranks all",
    "ready": "resumes a thread that is less urgent than all, or suspends it",
    "timeouts": "starts two timers, one of them the next that is due, or stops them",
    "restart": "aborts a thread that waits with a time-out; another makes it anew",
    "suspend": "suspends whom it interrupted; another resumes that",
    "priority": "makes whom it interrupted less urgent, and as urgent again",
}  # in the order of enum sweep_act
ALL_ACTS = (1 << len(ACTS)) - 1
_INCLUDED = re.compile(r'#include "([^"]+board\.h)"')


@dataclass(frozen=True, slots=True)
class Plan:
    """The structure's members, in its order; all are words.

    `is_path`: no interrupt, two samples a row. Else the line rises `first` units behind a window's
    beginning, then `step` more each time, at most `limit`, and does each of `acts` (bits). Of the
    rows from number `low` to `high` those are swept that are in the `share` of so many `shares`.
    """

    is_path: int = 0
    first: int = 1
    step: int = 1
    limit: int = 4000
    acts: int = ALL_ACTS
    share: int = 0
    shares: int = 1
    low: int = 0
    high: int = 0xFFFFFFFF


def acts(names: list[str]) -> int:
    """Return the bits of acts by their names; of all where none is named."""
    known = list(ACTS)
    for name in names:
        if name not in known:
            raise UsageError(f"unknown act '{name}': valid are {', '.join(known)}")
    return sum(1 << known.index(name) for name in set(names or known))


def write(elf: Path, plan: Plan) -> Path:
    """Return a copy of an image with this plan in it, in a directory of its own; the same again."""
    content = elf.read_bytes()
    try:
        with elf.open("rb") as file:
            at = _place(ELFFile(file), elf)
    except ELFError:
        raise FoliotError(f"{paths.shown(elf)} is no ELF file") from None
    words = struct.pack(f"<{len(astuple(plan))}I", *astuple(plan))
    content = content[:at] + words + content[at + len(words) :]
    name = hashlib.sha256(content).hexdigest()[:16]
    made = paths.BUILD / "sweep" / name / "firmware.elf"
    if not made.is_file():
        made.parent.mkdir(parents=True, exist_ok=True)
        begun = made.with_name(".firmware.elf")
        begun.write_bytes(content)
        begun.replace(made)
    return made


def _place(elf: ELFFile, path: Path) -> int:
    """Return where in the file the structure stands."""
    table: Any = elf.get_section_by_name(".symtab")
    found = table.get_symbol_by_name(SYMBOL) if table else None
    if found:
        address = found[0]["st_value"]
        for segment in elf.iter_segments("PT_LOAD"):
            if 0 <= address - segment["p_vaddr"] < segment["p_filesz"]:
                return int(segment["p_offset"] + address - segment["p_vaddr"])
    raise FoliotError(f"{paths.shown(path)} is built without CONFIG_MEASURE_SWEEP")


def check_board(board: Board) -> None:
    """Refuse a board that has nothing to raise a line with."""
    if board.kind not in ("verilator", "qemu"):
        raise UsageError(f"{board.name} runs on nothing here that can be swept")
    if not _names_injector(board.directory / "board.h"):
        raise UsageError(
            f"{board.name} has no injector: its board.h names no BOARD_INJECTOR",
            "drivers/inject.h says what that has to do",
        )


def _names_injector(header: Path) -> bool:
    text = header.read_text(encoding="utf-8")
    if "#define BOARD_INJECTOR" in text:
        return True
    return any(_names_injector(header.parent / other) for other in _INCLUDED.findall(text))
