# SPDX-License-Identifier: Apache-2.0
"""Seeded faults, run wide: a kernel with one check less is built here, and attacked anywhere.

Who looks, and in what order, is test_seeded_faults.py's, a trial each: who notices nothing is
followed by the next one. Each process has a copy of the tree to itself. Faults that
only a sweep finds are test_trusted.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from checks import seeded_faults
from test_seeded_faults import CONFS, LIMITS_S, make

from foliot.campaign.jobs import Result
from foliot.model.errors import FoliotError
from foliot.project.campaigns import Again, Trial, Verdict
from foliot.show.terminal import Progress
from foliot.target import boards, provision
from support import wide
from support.seeded import Copy, copy_tree

TITLE = "one check of the kernel's less, each of them in turn: somebody has to notice"
SAMPLE = 20
SEEDED = seeded_faults()
SAYS = {"attackers": "ATTACK ", "tests": "PASS", "races": "meanwhile; ", "messages": "PASS"}
PASSED = "PROJECT EXECUTION SUCCESSFUL"
Item = tuple[int, int]  # a seeded fault, and which of those who look


def items() -> list[Item]:
    """Return all holes, to be looked at by the first of those who look."""
    for board in sorted({hole.board for hole in SEEDED} | {"mps2_an385"}):
        provision.prepare(boards.load(board), Progress(quiet=True))
    return [(number, 0) for number in range(len(SEEDED))]


def named(item: Item) -> str:
    """Return a seeded fault's name."""
    return str(SEEDED[item[0]])


def prepare(item: Item) -> Trial:
    """Build the kernel with the seeded fault, for one of those who look; its job."""
    hole, who = SEEDED[item[0]], _order(item[0])[item[1]]
    app, board, confs, limit_s = _look(item[0], who)
    copy = wide.own_copy("attack", _copy)
    path = copy.root / hole.file
    text = make(path.read_text(encoding="utf-8"), hole, path.suffix)
    elf = wide.built(copy, app, board, confs, {hole.file: text})
    return Trial((wide.run_on(board, elf, limit_s),), (who, str(elf)))


def judged(item: Item, trial: Trial, results: Sequence[Result]) -> Verdict | Again:
    """Say who noticed it, or who looks next."""
    who, elf = trial.facts
    text, died = wide.said_by(results[0], Path(elf))
    if SAYS[who] not in text and not died:
        raise FoliotError(f"{who} said nothing", lines=text.splitlines()[-3:])
    noticed = {
        "attackers": "ATTACK FOUND A HOLE" in text or died,
        "tests": PASSED not in text,
        "races": "meanwhile; 0 were let in" not in text,
        "messages": PASSED not in text,
    }[who]
    if noticed:
        return Verdict(named(item), True, f"noticed by {who}", {f"by {who}": 1})
    if item[1] + 1 < len(_order(item[0])):
        return Again((item[0], item[1] + 1))
    why = SEEDED[item[0]].why
    return Verdict(named(item), bool(why), why or "nobody noticed anything")


def _order(number: int) -> list[str]:
    hole = SEEDED[number]
    first = ["tests", "attackers"] if hole.is_for_tests else ["attackers", "tests"]
    return first + ["races", "messages"] * (hole.board == "qemu_riscv32" and not hole.port)


def _look(number: int, who: str) -> tuple[str, str, str, float | None]:
    """Return what is built, for which board, how, and how long it may take."""
    hole = SEEDED[number]
    attackers = f"{CONFS.get(hole.board, 'pages')},{hole.conf}".strip(",")
    return {
        "attackers": ("tests/user/attack", hole.board, attackers, float(LIMITS_S[hole.board])),
        "tests": ("tests/user", hole.board, f"checked,{hole.option}".strip(","),
                  10.0 if hole.board == "mps2_an385" else 2.0),
        "races": ("tests/user/interrupted", "mps2_an385", "", None),
        "messages": ("tests/ipc", "qemu_riscv32", "user", 3.0),
    }[who]  # fmt: skip


def _copy(root: Path) -> Copy:
    return copy_tree(root, "tests/user", "tests/ipc", "tests/check")
