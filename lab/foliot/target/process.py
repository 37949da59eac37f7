# SPDX-License-Identifier: Apache-2.0
"""Running the tools that the lab stands on: bounded, line by line, ended by their own pid.

A tool ends with us, however we end: see watcher.py for the case of `kill -9`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.target import watcher

KEPT_LINES = 400


class ToolFailed(FoliotError):
    """A tool ended with a status other than 0; `lines` are the last that it printed."""


def run(
    command: Sequence[str],
    what: str,
    on_line: Callable[[str], None] | None = None,
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
    limit_s: float = 900,
) -> list[str]:
    """Run a tool to its end, handing over each line as it comes; return the last lines.

    Raises FoliotError where the tool is missing or takes longer than `limit_s` seconds of
    wall clock, ToolFailed where it fails. Its children end with it.
    """
    lines: deque[str] = deque(maxlen=KEPT_LINES)
    child = start(command, directory, environment)
    overdue = threading.Event()

    def stop() -> None:
        overdue.set()
        end(child)

    timer = threading.Timer(limit_s, stop)
    timer.start()
    try:
        for raw in child.stdout or ():
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            lines.append(line)
            if on_line:
                on_line(line)
        status = child.wait()
    finally:
        timer.cancel()
        end(child)
    if overdue.is_set():
        raise FoliotError(f"{what} took longer than {limit_s:.0f} s and was stopped")
    if status != 0:
        raise ToolFailed(f"{what} failed (status {status})", lines=list(lines))
    return list(lines)


def start(
    command: Sequence[str],
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a tool in a process group of its own, stdout and stderr in one pipe."""
    try:
        child = subprocess.Popen(
            command,
            cwd=directory,
            env=None if environment is None else {**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
    except FileNotFoundError:
        raise FoliotError(f"{command[0]} is missing", "./foliot setup BOARD installs it") from None
    except OSError as error:
        raise FoliotError(f"{command[0]} can't be started: {error.strerror}") from None
    watcher.watch(child.pid)
    return child


def end(child: subprocess.Popen[bytes]) -> None:
    """End a child and its group, if it still runs, and collect it."""
    if child.poll() is None:
        _signal_group(child, signal.SIGTERM)
        try:
            child.wait(timeout=3)
        except subprocess.TimeoutExpired:
            _signal_group(child, signal.SIGKILL)
            child.wait()
    watcher.forget(child.pid)
    if child.stdout is not None:
        child.stdout.close()


def _signal_group(child: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)


@cache
def version(tool: str) -> str:
    """Return the first line that `tool --version` prints; the tool's name where it can't say."""
    try:
        told = subprocess.run(
            [tool, "--version"], capture_output=True, text=True, check=True, timeout=30
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return tool
    return told.partition("\n")[0].strip()
