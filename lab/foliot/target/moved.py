# SPDX-License-Identifier: Apache-2.0
"""Make a Python environment one of the place where it is now: its scripts name the one they knew.

The launcher calls this file by its path, in an environment of which nothing may be whole: so it
imports nothing but Python's own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def mend(venv: Path, before: str) -> None:
    """Put the new place where scripts, and the note of how it was made, have the old one."""
    if not Path(before).is_absolute():
        raise SystemExit(1)
    old, new = os.fsencode(before), os.fsencode(venv)
    for path in [venv / "pyvenv.cfg", *(venv / "bin").iterdir()]:
        if path.is_symlink() or not path.is_file():
            continue
        text = path.read_bytes()
        if old in text and b"\0" not in text:
            path.write_bytes(text.replace(old, new))


if __name__ == "__main__":
    mend(Path(sys.argv[1]).resolve(), sys.argv[2])
