# SPDX-License-Identifier: Apache-2.0
"""What campaigns of seeded faults share: a copy of the tree for each process, and its images.

A fault is made in the copy, an image is built, and the fault is taken back; the image is kept where
the next build does not come, by what is in it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from foliot.campaign import hear
from foliot.campaign.jobs import Job, Result
from foliot.model.errors import FoliotError
from foliot.project.campaigns import Scratch
from foliot.target import boards, paths, process
from support.seeded import Copy

_copies: dict[str, Copy] = {}


def own_copy(kind: str, make: Callable[[Path], Copy]) -> Copy:
    """Return this process's copy of the tree, which is made once for each `kind` of it."""
    if kind not in _copies:
        _copies[kind] = make(Scratch.place / f"{kind}.{os.getpid()}")
    return _copies[kind]


def built(copy: Copy, app: str, board: str, confs: str, changed: Mapping[str, str]) -> Path:
    """Build an application with other texts of some files; return its image, which is kept."""
    before = {file: (copy.root / file).read_text(encoding="utf-8") for file in changed}
    try:
        for file, text in changed.items():
            (copy.root / file).write_text(text, encoding="utf-8")
        words = ["--conf", confs] if confs else []
        done = copy.foliot("build", app, "--board", board, *words, "--quiet")
    finally:
        for file, text in before.items():
            (copy.root / file).write_text(text, encoding="utf-8")
    if done.returncode != 0:
        raise FoliotError("it does not build", lines=done.stderr.splitlines()[-3:])
    return _saved(copy.root / done.stdout.split()[-1])


def iss() -> Path:
    """Return the simulator of instructions, which is built where it is not."""
    out = paths.BUILD / "sim" / "iss"
    out.mkdir(parents=True, exist_ok=True)
    with paths.locked(out):
        command = ["make", "-s", "-C", str(paths.ROOT / "sim/iss"), f"OUT={out}"]
        process.run(command, "make", limit_s=600)
    return out / "iss"


def run_on(board: str, elf: Path, limit_s: float | None) -> Job:
    """Return the job that runs an image on a board."""
    return hear.job(boards.load(board), elf, limit_s)


def said_by(result: Result, elf: Path) -> tuple[str, bool]:
    """Return what an image printed, and whether the kernel was its end: it panicked, or hung."""
    lines, outcome = hear.heard(result, elf)
    text = b"\n".join(lines).decode("utf-8", "replace")
    return text, outcome.hung or (outcome.reason != "pass" and _panicked(text))


def _panicked(text: str) -> bool:
    faults = [line for line in text.splitlines() if line.startswith('@foliot {"type":"fault"')]
    return faults != [] and '"reason":"kernel panic"' in faults[-1]


def _saved(elf: Path) -> Path:
    content = hashlib.sha256(elf.read_bytes()).hexdigest()[:24]
    place = Scratch.place / "images" / content
    if not place.is_dir():
        place.parent.mkdir(exist_ok=True)
        begun = Scratch.place / f"{content}.{os.getpid()}"
        shutil.copytree(elf.parent, begun, ignore=shutil.ignore_patterns("CMakeFiles", "*.a"))
        try:
            begun.rename(place)
        except OSError:  # another process was first
            shutil.rmtree(begun)
    return place / elf.name
