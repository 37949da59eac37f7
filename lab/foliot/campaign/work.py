# SPDX-License-Identifier: Apache-2.0
"""What a worker does: lay a job's files out, run its command, tell what came of it.

This file travels to the cluster as it is, and needs nothing but Python's own library there. A
program that outlives its limit is ended, with all that it started; so it is where the worker dies.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

_STOPPED = -1  # as in jobs.py, which is not there
_MOST_PRINTED = 64 << 20

# The pipe on 3 closes when the worker is done with the program, or dies: then the group ends. What
# is printed goes to a file, which may grow to twice what is taken.
_GUARD = """
ulimit -f 262144
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ read -r _ <&3; kill -s KILL -- -$$; } >/dev/null 2>&1 &
exec 3<&-
wait $child
"""


def perform(spec: str, contents: Mapping[str, bytes]) -> tuple[int, bytes]:
    """Run a job; return its status and what it printed. `contents`: its files, by their SHA-256.

    Raises ValueError where a file is not what it is called, or lies outside of its directory.
    """
    job = json.loads(spec)
    with tempfile.TemporaryDirectory(prefix="foliot-job-") as made:
        tree = Path(made) / "tree"
        tree.mkdir()
        for name, (content, is_program) in job["files"].items():
            _lay(tree, name, zlib.decompress(contents[content]), content, is_program)
        words = [sys.executable if word == "{python}" else word for word in job["words"]]
        return _run(words, tree, Path(made) / "printed", job["limit_s"])


def _lay(tree: Path, name: str, data: bytes, content: str, is_program: bool) -> None:
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts:
        raise ValueError(f"{name} is no name in a job's directory")
    if hashlib.sha256(data).hexdigest() != content:
        raise ValueError(f"{name} came damaged")
    path = tree / parts
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o755 if is_program else 0o644)


def _run(words: Sequence[str], tree: Path, printed: Path, limit_s: float) -> tuple[int, bytes]:
    with (
        printed.open("wb") as out,
        subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "sh", *words], cwd=tree, stdin=subprocess.PIPE, stdout=out,
            stderr=subprocess.STDOUT, process_group=0,
        ) as guard,
    ):  # fmt: skip
        try:
            status = guard.wait(limit_s)
        except subprocess.TimeoutExpired:
            status = _STOPPED
        finally:
            if guard.stdin is not None:
                guard.stdin.close()
    with printed.open("rb") as said:
        return status, said.read(_MOST_PRINTED)
