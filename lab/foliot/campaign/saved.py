# SPDX-License-Identifier: Apache-2.0
"""Results of a campaign that has not come to its end: what was cut off goes on from them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from foliot.campaign.jobs import Job, Result
from foliot.target import paths

_OLD_S = 7 * 24 * 3600


def _place(job: Job) -> Path:
    return paths.BUILD / "campaign" / job.key


def find(job: Job) -> Result | None:
    """Return what a job came to, where that is known."""
    try:
        status, _, output = _place(job).read_bytes().partition(b"\n")
        return Result(int(status), output)
    except (OSError, ValueError):
        return None


def keep(job: Job, result: Result) -> None:
    """Keep a result until its campaign is over; whole or not at all."""
    place = _place(job)
    place.parent.mkdir(parents=True, exist_ok=True)
    begun = place.with_name(f".{place.name}.{os.getpid()}")
    begun.write_bytes(b"%d\n" % result.status + result.output)
    begun.replace(place)


def forget_old() -> None:
    """Let go what belongs to no campaign that anybody will go on with: it is a week old."""
    directory = paths.BUILD / "campaign"
    for path in directory.iterdir() if directory.is_dir() else ():
        with suppress(FileNotFoundError):  # another foliot's, which has just come to its end
            if time.time() - path.stat().st_mtime > _OLD_S:
                path.unlink()


def forget(jobs: Iterable[Job]) -> None:
    """Let results go: their campaign has come to its end, and the next one begins anew."""
    for job in jobs:
        _place(job).unlink(missing_ok=True)
