# SPDX-License-Identifier: Apache-2.0
"""A terminal of a given width with a command in it: what its user reads."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Sequence

_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_LIMIT_S = 120


def read(words: Sequence[str], columns: int, environment: dict[str, str]) -> list[str]:
    """Run a command on a terminal, to its end, and return the lines of its standard output."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {key: value for key, value in environment.items() if key != "COLUMNS"}
    with subprocess.Popen(
        words,
        stdin=its,
        stdout=its,
        stderr=subprocess.DEVNULL,
        env={**environment, "TERM": "xterm"},
    ) as child:
        os.close(its)
        shown = b""
        try:
            while block := os.read(ours, 65536):
                shown += block
        except OSError:
            pass  # that is how a terminal says that nobody holds it any more
        os.close(ours)
        assert child.wait(timeout=_LIMIT_S) == 0, shown.decode()
    return _STEERING.sub("", shown.decode()).replace("\r", "").splitlines()
