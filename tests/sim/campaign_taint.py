# SPDX-License-Identifier: Apache-2.0
"""Seeded faults that taint has to stop at, run wide: checks that are emptied, lines that are gone.

Which there are, and in which programs each is come to, is test_taint.py's. Images are built here,
in a copy whose checks are out of line; the simulator of instructions travels with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from test_taint import (
    ATTACK,
    BY_CHANCE,
    CHECKED,
    ENDS,
    FAILED,
    FOUND,
    MESSAGES,
    OF_MESSAGES,
    SEEN_IN,
    SELDOM,
    TESTS,
    emptied,
)

from foliot.campaign.jobs import Job, Result
from foliot.model.errors import FoliotError
from foliot.project.campaigns import Again, Trial, Verdict
from foliot.show.terminal import Progress
from foliot.target import boards, paths, provision
from support import taint, wide
from support.seeded import Copy

TITLE = "a check emptied, or a line of sim/iss/checks.txt less: taint has to stop there"
SAMPLE = 10
LIMIT_S = 900
LINES = tuple(line for line in taint.lines() if line.name not in BY_CHANCE)
Program = tuple[str, str]


@dataclass(frozen=True)
class Item:
    """A check that is emptied, or the number of a line; `look`: in which of its programs."""

    check: str = ""
    line: int = 0
    look: int = 0

    @property
    def programs(self) -> tuple[Program, ...]:
        """Where it is come to; the first one that stops is enough."""
        if self.check:
            usual = MESSAGES if self.check.startswith(OF_MESSAGES) else TESTS
            return (SEEN_IN.get(self.check, usual),)
        name = LINES[self.line].name
        return (SELDOM[name],) if name in SELDOM else (TESTS, MESSAGES, ATTACK)


def items() -> list[Item]:
    """Return all of them; the simulator is built."""
    provision.prepare(boards.load("ibex"), Progress(quiet=True), to_run=False)
    wide.iss()
    return [*(Item(check=name) for name in CHECKED), *(Item(line=n) for n in range(len(LINES)))]


def named(item: Item) -> str:
    """Return what is taken away."""
    line = LINES[item.line]
    return f"{item.check} emptied" if item.check else f"no line {line.kind} {line.name}"


def prepare(item: Item) -> Trial:
    """Build the program, with the check emptied; the job that runs it under taint."""
    copy = wide.own_copy("taint", _copy)
    app, conf = item.programs[item.look]
    elf = wide.built(copy, app, "ibex", conf, _changed(copy, item) if item.check else {})
    known = elf.with_name("taint.txt")
    paths.write_if_changed(known, taint.table(elf))
    if not item.check:
        line = LINES[item.line]
        known = taint.write_without(elf, line, elf.with_name(f"taint-{line.kind}-{line.name}.txt"))
    words = ("./iss", "--elf", "image.elf", "--max-cycles", str(taint.LIMIT), "--taint", "known")
    files = {"iss": wide.iss(), "image.elf": elf, "known": known}
    return Trial((Job(named(item), words, files, LIMIT_S),))


def judged(item: Item, trial: Trial, results: Sequence[Result]) -> Verdict | Again:
    """Say whether the simulator stopped; where it did not, the next program is tried."""
    stops = {FOUND, FAILED} if item.check in ENDS else {FOUND}
    if results[0].status in stops:
        return Verdict(named(item), True, "stopped", {"stopped": 1})
    if item.look + 1 < len(item.programs):
        return Again(Item(item.check, item.line, item.look + 1))
    said = results[0].output.decode("utf-8", "replace").strip().splitlines()[-1:]
    return Verdict(named(item), False, f"not stopped: {' '.join(said)[:200]}")


def _changed(copy: Copy, item: Item) -> dict[str, str]:
    texts: dict[str, str] = {}
    for file, old, new in emptied(copy, item.check):
        text = texts.get(file) or (copy.root / file).read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise FoliotError(f"{file} has {text.count(old)} of what is emptied")
        texts[file] = text.replace(old, new)
    return texts


def _copy(root: Path) -> Copy:
    return taint.make_copy(root, "tests/user", "tests/kernel", "tests/ipc", "tests/check")
