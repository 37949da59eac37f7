# SPDX-License-Identifier: Apache-2.0
"""Seeded faults of messages, run wide: a kernel with one look less is built here, tried anywhere.

Which looks there are is test_ipc_seeded_faults.py's, and so is who notices: tests/ipc, on the board
that has the look.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from test_ipc_seeded_faults import BOARDS, LIMIT_S, SEEDED, with_fault

from foliot.campaign.jobs import Result
from foliot.model.errors import FoliotError
from foliot.project.campaigns import Trial, Verdict
from foliot.show.terminal import Progress
from foliot.target import boards, provision
from support import wide
from support.seeded import Copy, copy_tree

TITLE = "one look of the messages' ways less, each of them in turn: a test has to fail"
SAMPLE = 10
PASSED = "PROJECT EXECUTION SUCCESSFUL"


def items() -> list[int]:
    """Return all of them."""
    for board in BOARDS:
        provision.prepare(boards.load(board), Progress(quiet=True))
    return list(range(len(SEEDED)))


def named(number: int) -> str:
    """Return a seeded fault's name."""
    return str(SEEDED[number])


def prepare(number: int) -> Trial:
    """Build the tests of messages with the seeded fault; their job."""
    hole = SEEDED[number]
    copy = wide.own_copy("ipc", _copy)
    text = with_fault((copy.root / hole.file).read_text(encoding="utf-8"), hole)
    elf = wide.built(copy, "tests/ipc", hole.board, "user", {hole.file: text})
    return Trial((wide.run_on(hole.board, elf, float(LIMIT_S)),), str(elf))


def judged(number: int, trial: Trial, results: Sequence[Result]) -> Verdict:
    """Say whether a test failed, or the kernel did."""
    text, died = wide.said_by(results[0], Path(trial.facts))
    if "PASS" not in text and not died:
        raise FoliotError("the tests said nothing", lines=text.splitlines()[-3:])
    if died or PASSED not in text:
        return Verdict(named(number), True, "noticed", {"noticed": 1})
    return Verdict(named(number), False, "nobody noticed anything")


def _copy(root: Path) -> Copy:
    return copy_tree(root, "tests/ipc", "tests/check", "tests/user/attack")
