# SPDX-License-Identifier: Apache-2.0
"""A board that waits for gdb, and gdb on it.

The machine is in a process group of its own, with no standard input: Ctrl-C is gdb's,
which passes it on through its connection, and what is typed is gdb's alone. Its console
comes out on the same terminal. It ends with this process, whichever way that ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from foliot.image.elf import Image
from foliot.model.errors import FoliotError, UsageError
from foliot.target import machines, paths, process, thread_stub, watcher
from foliot.target.boards import Board

GDB = "gdb-multiarch"
VIEW = paths.ROOT / "lab" / "inside_gdb" / "foliot_gdb.py"
_READY_S = 20.0


def has_stub(board: Board) -> bool:
    """Say whether gdb reaches the board through a port; else the firmware is a process."""
    return board.kind != "process"


def free_port() -> int:
    """Return a port of this host that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def machine(
    board: Board, elf: Path, port: int, console: IO[bytes] | None = None,
    pace_s: float | None = None,
) -> Iterator[subprocess.Popen[bytes]]:  # fmt: skip
    """Start the board's machine, stopped before its first instruction; end it afterwards.

    gdb comes to `port`, where the kernel's threads are answered for, and the machine is interrupted
    whenever it has run for `pace_s` (thread_stub.py). What it prints goes to `console`, if not to
    ours. Raises FoliotError where the machine does not start: in its own words.
    """
    stub = free_port()
    with _stub(board, elf, stub, console, pace_s) as child, thread_stub.between(port, stub, pace_s):
        yield child


@contextmanager
def _stub(
    board: Board, elf: Path, port: int, console: IO[bytes] | None, pace_s: float | None
) -> Iterator[subprocess.Popen[bytes]]:
    with tempfile.TemporaryDirectory(prefix="foliot-") as scratch:
        machine = machines.machine_for(board, Path(scratch))
        if pace_s is not None and isinstance(machine, machines.Qemu):
            command = machine.stub_command(elf, port)
        else:
            command = machine.debug_command(elf, port)
        with listening(command, port, console) as child:
            yield child


@contextmanager
def listening(
    command: Sequence[str], port: int, console: IO[bytes] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Start what listens on `port` for a debugger, its output to `console`, if not to ours."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=console, stderr=said, process_group=0
        )
        watcher.watch(child.pid)
        try:
            _wait_until_it_listens(child, port, said)
            yield child
        finally:
            process.end(child)


def _wait_until_it_listens(child: subprocess.Popen[bytes], port: int, said: IO[bytes]) -> None:
    deadline = time.monotonic() + _READY_S
    while not _listens(port, child.pid):
        if child.poll() is not None or time.monotonic() > deadline:
            said.seek(0)
            lines = said.read().decode("utf-8", "replace").splitlines()
            raise FoliotError("the machine does not start", lines=lines[-3:])
        time.sleep(0.02)


def _listens(port: int, pid: int) -> bool:
    """Look, without connecting: whoever connects first is the debugger."""
    table = Path(f"/proc/{pid}/net/tcp")
    with contextlib.suppress(OSError):
        for line in table.read_text(encoding="ascii").splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            if state == "0A" and local == f"0100007F:{port:04X}":
                return True
    return False


def gdb_command(
    board: Board, elf: Path, port: int | None, at_reset: bool, more: Sequence[str], batch: bool
) -> list[str]:
    """Return gdb's command line: the printers, the connection, on to main(), then `more`."""
    words = [GDB, "-q", *(["-batch"] if batch else []), str(elf)]
    # A process is more than the kernel (the C library's variables and types are in it), and the
    # view of the kernel is for those that are not.
    commands = [] if port is None else [f"source {VIEW}"]
    to_main = not at_reset and Image(elf).address("main") is not None
    if port is not None:
        commands.append(f"target remote 127.0.0.1:{port}")
        commands += ["tbreak main", "continue"] if to_main else []
    else:
        arguments = [str(word) for word in board.run.get("arguments", [])]
        limit = str(board.run.get("limit_s", 60))
        shown = " ".join(word.replace("{limit_s}", limit) for word in arguments)
        commands.append(f"set args {shown}")
        commands += ["tbreak main", "run"] if to_main else ["starti"]
    for command in commands:
        words += ["-ex", command]
    return [*words, *more]


def attach(command: Sequence[str]) -> int:
    """Hand the terminal over to gdb; return its exit status. It ends with us."""
    try:
        child = subprocess.Popen(command)
    except FileNotFoundError:
        raise FoliotError(f"{GDB} is missing", "./foliot debug installs it") from None
    ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is gdb's
    try:
        return child.wait()
    finally:
        signal.signal(signal.SIGINT, ignored)
        if child.poll() is None:
            child.terminate()
            try:
                child.wait(timeout=3)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def checked_port(port: int) -> int:
    """Return a port that can be listened on; UsageError where somebody does."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise UsageError(f"port {port}: {os.strerror(error.errno or 0)}") from None
    return port
