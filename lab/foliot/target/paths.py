# SPDX-License-Identifier: Apache-2.0
"""Where things are in the repository and where made things go.

They go into build/ and nowhere else, or where $FOLIOT_BUILD says: of a checkout that cannot be
written, as one that several people share.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from foliot.model.errors import FoliotError

ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENT = "FOLIOT_BUILD"
BUILD = Path(os.environ.get(ENVIRONMENT) or ROOT / "build").expanduser().absolute()
EXPLAIN = BUILD / "explain"  # traces, and TREES: commits unpacked to be compared
TREES = EXPLAIN / "trees"
BISECT = BUILD / "bisect"  # images of commits, and what they printed
BOARDS = ROOT / "boards"
SUITES = ROOT / "suites"
REFERENCE = ROOT / "data" / "reference"
TARGETS = ROOT / "data" / "targets.json"
FRAGMENTS = ROOT / "conf"
KEPT = "kept"  # in a build directory: images as they were when somebody began to use them
RP2040JS = ROOT / "lab" / "rp2040js"


def shown(path: Path) -> str:
    """Return the shorter of the absolute path and the one from the working directory."""
    relative = os.path.relpath(path)
    return relative if len(relative) < len(str(path)) else str(path)


def newest_first(found: Iterable[Path]) -> list[Path]:
    """Return files or directories by when they were last written.

    What another foliot takes away or renames meanwhile is left out.
    """
    times = {}
    for path in found:
        with suppress(FileNotFoundError):
            times[path] = path.stat().st_mtime
    return sorted(times, key=lambda path: -times[path])


def git(*words: str) -> list[str]:
    """Return a command of git on this checkout, whoever owns it: its code is run here anyway."""
    return ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), *words]


def write_if_changed(path: Path, content: str) -> bool:
    """Write `content` in one step unless it is there already; say whether it was written."""
    if path.exists() and path.read_text(encoding="utf-8") == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(content, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:  # a full disk's names no file
        temporary.unlink(missing_ok=True)
        raise FoliotError(f"{shown(path)} can't be written: {error.strerror}") from None
    return True


@contextmanager
def locked(path: Path, waits: Callable[[], None] | None = None) -> Iterator[None]:
    """Keep a second foliot out of what `path` names until the block ends.

    `waits` is called where another one is in there, before it is waited for.
    """
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(path.name + ".lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waits:
                waits()
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
