# SPDX-License-Identifier: Apache-2.0
"""The suites: the applications in suites/ that measure something."""

from __future__ import annotations

from pathlib import Path

from foliot.model.errors import unknown
from foliot.target import paths

FLOOR = "floor"


def names() -> list[str]:
    """Return the names of the suites: the applications in suites/."""
    return sorted(path.parent.name for path in paths.SUITES.glob("*/prj.conf"))


def directory(name: str) -> Path:
    """Return a suite's directory; UsageError names the valid ones."""
    if name not in names():
        raise unknown("suite", name, names())
    return paths.SUITES / name
