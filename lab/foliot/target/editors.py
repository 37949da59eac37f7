# SPDX-License-Identifier: Apache-2.0
"""compile_commands.json in the repository's directory, where every editor looks for it.

Each build directory has one of its own, which knows the kernel and one application. An
editor wants all at once: so the builds are laid over one another, the last one of a file
wins, and a jump from a test into the kernel lands in what was built last. Rejected: a
symbolic link to the last build's, since every other application's files were unknown then.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from foliot.target import paths

NAME = "compile_commands.json"


def remember(directory: Path) -> None:
    """Take what was built in `directory` into the repository's compile_commands.json."""
    whole = paths.ROOT / NAME
    if not os.access(paths.ROOT, os.W_OK):
        return  # somebody else's checkout, built elsewhere
    with paths.locked(paths.BUILD / NAME):
        known = {entry["file"]: entry for entry in _read(whole) if _is_ours(entry)}
        known.update((entry["file"], entry) for entry in _read(directory / NAME))
        entries = [known[file] for file in sorted(known)]
        paths.write_if_changed(whole, json.dumps(entries, indent=1) + "\n")


def _is_ours(entry: dict[str, Any]) -> bool:
    """Whether a file is there, and was built in this checkout, not in one that it was copied of."""
    return Path(entry["file"]).is_file() and Path(entry["directory"]).is_relative_to(paths.BUILD)


def _read(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a database; none where it is absent or was written by half."""
    try:
        return list(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return []
