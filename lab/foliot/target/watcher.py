# SPDX-License-Identifier: Apache-2.0
"""What ends our tools when we are killed and can't do it ourselves.

A simulator that was started for a command has no purpose without it, and would run on for
minutes. Of a signal that can be caught the `finally` of whoever started a tool takes care
(cli.py turns TERM and HUP into an exception); of `kill -9` nothing within this process can.
So a shell, in a session of its own, holds the other end of a pipe: it is told the process
groups that run, and when the pipe closes it ends those that are left.

Rejected: PR_SET_PDEATHSIG reaches the tool but not what it started in its turn, and asking
for it takes either code between fork and exec, which in a process with threads may hang, or
setpriv, whose execvp() runs an image of another machine as a shell script.
"""

from __future__ import annotations

import contextlib
import subprocess
from functools import cache

# TERM first: a build cleans up behind itself. A program that masks its signals gets KILL.
_SCRIPT = """
trap '' HUP INT TERM
groups=' '
while read -r sign group; do
	case $sign in
	+) groups="$groups$group " ;;
	-) groups="${groups%% $group *} ${groups#* $group }" ;;
	esac
done
[ "$groups" = ' ' ] && exit
for group in $groups; do kill -s TERM -- "-$group"; done
sleep 1
for group in $groups; do kill -s KILL -- "-$group"; done
"""


def watch(group: int) -> None:
    """Have a process group ended when this process is no more."""
    _tell(f"+ {group}\n")


def forget(group: int) -> None:
    """Take a group out that has ended: its number may be given to somebody else."""
    _tell(f"- {group}\n")


def _tell(line: str) -> None:
    pipe = _watcher().stdin
    if pipe is not None:
        # Whoever killed the watcher has no use for it; the command itself goes on.
        with contextlib.suppress(OSError):
            pipe.write(line.encode())


@cache
def _watcher() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["/bin/sh", "-c", _SCRIPT], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
