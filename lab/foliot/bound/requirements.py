# SPDX-License-Identifier: Apache-2.0
"""What bounds need beside the lab: a solver, installed when the first bound is asked for."""

from __future__ import annotations

import importlib

from foliot.show.terminal import Progress
from foliot.target import provision


def install(progress: Progress) -> None:
    """Install what is missing; FoliotError where that can't be."""
    provision.python_packages(provision.BOUND_REQUIREMENTS, progress, "`foliot bound`")
    importlib.invalidate_caches()
