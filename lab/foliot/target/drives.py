# SPDX-License-Identifier: Apache-2.0
"""Drives by which a board's debugger takes an image: found by the label they are mounted under."""

from __future__ import annotations

import os
from pathlib import Path

# Where desktops mount what is plugged in; {user} is the one who asks.
MOUNTS = ("/run/media/{user}", "/media/{user}", "/media", "/mnt", "/Volumes")


def find(label: str) -> Path | None:
    """Return where the drive of that label is mounted, or None."""
    for mount in MOUNTS:
        place = Path(mount.format(user=os.environ.get("USER", "root"))) / label
        if place.is_dir():
            return place
    return None
