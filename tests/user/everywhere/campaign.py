# SPDX-License-Identifier: Apache-2.0
"""Abort everywhere, run wide: a sweep is shared out, each share goes as far as the whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from foliot.campaign.jobs import Job, Result
from foliot.project.campaigns import Trial, Verdict
from foliot.show.terminal import Progress
from foliot.target import boards, build, paths, provision
from support import wide

TITLE = "a sibling comes between at each instruction of every system call (sim/iss)"
SAMPLE = 1
SHARES = 61  # however many workers there are
APP = paths.ROOT / "tests/user/everywhere"
LIMIT_S = 3600


def items() -> list[int]:
    """Return the shares, each of one instruction in SHARES; the simulator and image are built."""
    board = boards.load("ibex")
    provision.prepare(board, Progress(quiet=True), to_run=False)
    wide.iss()
    _image()
    return list(range(SHARES))


def named(share: int) -> str:
    """Return a share's name."""
    return f"share {share + 1} of {SHARES}"


def prepare(share: int) -> Trial:
    """Return the job of a share."""
    words = ("./iss", "--elf", "image.elf", "--max-cycles", "500000000", "--sweep", "--sweep-step",
             str(SHARES), "--sweep-first", str(share))  # fmt: skip
    files = {"iss": wide.iss(), "image.elf": _image()}
    return Trial((Job(named(share), words, files, LIMIT_S),))


def judged(share: int, trial: Trial, results: Sequence[Result]) -> Verdict:
    """Say what the simulator says of all that it tried."""
    printed = results[0].output.decode("utf-8", "replace").splitlines()
    said = [line for line in printed if line.startswith('@sim {"type":"sweep"')]
    if not said:
        return Verdict(named(share), False, f"no sweep: {' '.join(printed[-2:])[:200]}")
    found = json.loads(said[-1].removeprefix("@sim "))
    failures = "; ".join(f"window {one['marker']}, instruction {one['n']}: {one['last']}"
                         for one in found["failures"])  # fmt: skip
    good = results[0].status == 0 and not found["failed"] and found["tried"] > 0
    return Verdict(named(share), good, failures, {"arrivals": found["tried"]})


@cache
def _image() -> Path:
    return build.build(APP, boards.load("ibex"), Progress(quiet=True)).image
