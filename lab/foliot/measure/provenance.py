# SPDX-License-Identifier: Apache-2.0
"""How a run was made, beyond what its log says: which image, run by what."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from foliot.model.errors import UsageError
from foliot.model.run import Origin, Run
from foliot.target import paths, process, runner
from foliot.target.boards import Board

_BANNER = re.compile(r"Booting (?P<kernel>\w+)(?: OS)? (?:build |version )?(?P<version>\S+)", re.I)
_BUILD_ID = ".note.gnu.build-id"


def added(run: Run, board: Board, elf: Path, outcome: runner.Outcome) -> Run:
    """Return the run of `elf`, ours or another kernel's, with where it comes from."""
    header = run.header
    banner = _BANNER.search(header.kernel_commit) if run.published else None
    origin = Origin(
        kernel=banner["kernel"] if banner else "" if run.published else "Foliot",
        kernel_version=banner["version"] if banner else header.kernel_commit,
        title=f"{header.suite} on {board.name}", source=paths.shown(elf), format="console",
        build_id=build_id(elf), emulator=emulator(board),
        command=tuple(word.replace(f"{paths.ROOT}/", "") for word in outcome.command),
    )  # fmt: skip
    return replace(run, origin=origin)


def slowed(run: Run, options: Sequence[str]) -> Run:
    """Return the run with the wait states that the simulator was told of in its memory."""
    if "--wait-states" not in options:
        return run
    states = options[options.index("--wait-states") + 1]
    memory = f"{run.header.memory}, but {states} wait states (instructions, data)"
    return replace(run, header=replace(run.header, memory=memory))


def build_id(elf: Path) -> str:
    """Return an image's build id; where the linker left none, the SHA-256 of the file."""
    from foliot.image.elf import Image

    try:
        note = Image(elf).section(_BUILD_ID)
    except UsageError:
        note = None  # a program of this host, which need be no ELF file
    if note is not None and len(note) > 16:
        return note[16:].hex()
    return f"sha256:{hashlib.sha256(elf.read_bytes()).hexdigest()}"


def emulator(board: Board) -> str:
    """Return what runs a board's images, with its version; empty where nothing emulates it."""
    if board.kind == "verilator":
        simulator = paths.BUILD / "sim" / str(board.run["core"]) / "sim"
        return f"{process.version('verilator')}, simulator sha256:{_sha256(simulator)[:16]}"
    if board.kind == "qemu":
        return process.version(str(board.run["command"][0]))
    return ""


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
