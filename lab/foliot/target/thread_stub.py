# SPDX-License-Identifier: Apache-2.0
"""What stands between gdb and a machine's stub, so that gdb's own `info threads` has the kernel's.

A stub knows one thread: the core. gdb asks its stub which threads there are, and for registers by
thread; so what answers for the kernel's has to speak gdb's remote protocol. Which threads there
are, and what a switch has saved of them, gdb's view of the kernel knows already (lab/inside_gdb):
it sends that here at each stop, in packets of its own (`qFoliotThreads`), and asks for it again as
any gdb does. All other packets go through as they come. So thread 1 stays the core, whatever
thread it runs; the others are numbered by the view. They can be looked at, and not be stepped or
written to.

Where a pace is given the machine is interrupted whenever it has run for so long, as by Ctrl-C: gdb
sees it stop. A signal to gdb itself might come while it is not waiting for the machine.
"""

from __future__ import annotations

import contextlib
import re
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

OWN = b"qFoliotThreads"
CORE = 1  # the stub's own thread: whatever runs
_BREAK = b"\x03"
_CHUNK = 1 << 16
_FAILED = b"E01"
_RESUMES = (b"c", b"C", b"s", b"S", b"vCont;")
_STANDS = (b"S", b"T", b"W", b"X")
_STOPPED = re.compile(rb"S[0-9a-f]{2}|T[0-9a-f]{2}(?!.*thread:).*")


@dataclass
class Packets:
    """Takes a side's bytes apart: packets, notifications, the byte that interrupts."""

    rest: bytes = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield each packet whole (`$...#00`), and each byte that interrupts."""
        self.rest += data
        while self.rest:
            first = self.rest[:1]
            if first not in b"$%":
                self.rest = self.rest[1:]
                if first == _BREAK:
                    yield first
                continue
            end = self.rest.find(b"#")
            if end < 0 or len(self.rest) < end + 3:
                return
            whole, self.rest = self.rest[: end + 3], self.rest[end + 3 :]
            yield whole


def packet(body: bytes) -> bytes:
    """Return a packet of that body, with its checksum."""
    return b"$" + body + b"#%02x" % (sum(body) % 256)


@dataclass
class Thread:
    """A thread that does not run: what it is, and its registers by their place in a `g` packet."""

    told: bytes
    registers: dict[int, bytes]

    def all_registers(self, size: int) -> bytes:
        """Return a `g` packet of so many digits; what a switch does not keep is unknown."""
        found = bytearray(b"x" * size)
        for at, digits in self.registers.items():
            if 2 * at + len(digits) <= size:
                found[2 * at : 2 * at + len(digits)] = digits
        return bytes(found)


@dataclass
class Answers:
    """What is answered here, of what gdb asks; the rest is the stub's."""

    threads: dict[int, Thread] = field(default_factory=dict)
    core: bytes = b""  # what is told of the thread that runs
    coming: dict[int, Thread] = field(default_factory=dict)
    chosen: int = 0
    size: int = 0  # of the stub's own `g` packet, in digits

    def to(self, body: bytes) -> bytes | None:
        """Return the answer to a packet of gdb's; None where it is the stub's to answer."""
        if body.startswith(OWN):
            with contextlib.suppress(ValueError):
                return self._reported(body[len(OWN) :])
            return _FAILED
        if body == b"qfThreadInfo":
            return b"m" + b",".join(b"%x" % one for one in (CORE, *self.threads))
        if body == b"qsThreadInfo":
            return b"l"
        asked = re.fullmatch(rb"(qThreadExtraInfo,|T|Hg)([0-9a-f]+)", body)
        if asked:
            return self._of_thread(asked[1], int(asked[2], 16))
        if body.startswith(b"Hg"):
            self.chosen = 0
        return self._registers(body) if self.chosen else self._steered(body)

    def _of_thread(self, what: bytes, number: int) -> bytes | None:
        thread = self.threads.get(number)
        if number == CORE and self.core and what.startswith(b"q"):
            return self.core
        if what == b"Hg":
            self.chosen = number if thread else 0
        if thread is None:
            return None
        return thread.told if what.startswith(b"q") else b"OK"

    def _registers(self, body: bytes) -> bytes | None:
        """Answer for the thread that was chosen: its registers are read only."""
        if body == b"g":
            return self.threads[self.chosen].all_registers(self.size) if self.size else _FAILED
        if re.fullmatch(rb"p[0-9a-f]+", body):
            return b"x" * 8
        if body[:1] in b"GP":
            return _FAILED
        return self._steered(body)

    def _steered(self, body: bytes) -> bytes | None:
        """Refuse to step what does not run."""
        for named in re.findall(rb"^Hc([0-9a-f]+)|(?<=:)([0-9a-f]+)", body):
            word = named[0] or named[1]
            if body[:2] in (b"Hc", b"vC") and int(word, 16) in self.threads:
                return _FAILED
        return None

    def _reported(self, words: bytes) -> bytes:
        """Take what gdb's view says: all of the threads, between `:begin` and `:end`."""
        if words == b":begin":
            self.coming = {}
        elif words == b":end":
            core = self.coming.pop(CORE, None)
            self.core = core.told if core else b""
            self.threads, self.chosen = self.coming, 0
        elif words:
            _, number, told, registers = words.split(b":")
            pairs = (pair.split(b"=") for pair in registers.split(b",") if pair)
            self.coming[int(number, 16)] = Thread(told, {int(at): value for at, value in pairs})
        return b"OK"


class _Session:
    """One gdb, from its connection to its end."""

    def __init__(self, gdb: socket.socket, stub: socket.socket, pace_s: float | None) -> None:
        self.gdb, self.stub = gdb, stub
        self.pace_s = pace_s
        self.due: float | None = None  # when the machine, which runs, is interrupted
        self.answers = Answers()
        self.sides = {gdb: Packets(), stub: Packets()}
        self.acknowledged = True  # whether gdb wants each packet acknowledged
        self.asked = b""  # what the stub answers next

    def run(self) -> None:
        """Carry packets until one of them has gone."""
        with selectors.DefaultSelector() as waiting:
            for side in self.sides:
                waiting.register(side, selectors.EVENT_READ)
            while True:
                for key, _ in waiting.select(self._pause()):
                    side = self.gdb if key.fileobj is self.gdb else self.stub
                    data = side.recv(_CHUNK)
                    if not data:
                        return
                    for whole in self.sides[side].feed(data):
                        (self._from_gdb if side is self.gdb else self._from_stub)(whole)

    def _pause(self) -> float | None:
        """Interrupt the machine if that is due; return how long nothing has to be done."""
        if self.due is None:
            return None
        left = self.due - time.monotonic()
        if left <= 0:
            self.due = None
            self.stub.sendall(_BREAK)
        return None if left <= 0 else left

    def _from_gdb(self, whole: bytes) -> None:
        if whole == _BREAK:
            self.stub.sendall(whole)
            return
        if self.acknowledged:
            self.gdb.sendall(b"+")
        body = whole[1:-3]
        if body == b"QStartNoAckMode":
            self.gdb.sendall(packet(b"OK"))
            self.acknowledged = False
            return
        answer = self.answers.to(body)
        if answer is not None:
            self.gdb.sendall(packet(answer))
            return
        if body.startswith(b"qSupported"):
            whole = packet(_plain(body))
        if self.pace_s is not None and body.startswith(_RESUMES):
            self.due = time.monotonic() + self.pace_s
        self.asked = body
        self.stub.sendall(whole)

    def _from_stub(self, whole: bytes) -> None:
        if whole == _BREAK:
            return
        if whole[:1] == b"$":
            self.stub.sendall(b"+")
            if whole[1:2] in _STANDS:
                self.due = None
            if self.asked == b"g" and whole[1:2] != b"E":
                self.answers.size = len(whole) - 4
            if self.asked.startswith(b"qSupported"):
                whole = packet(_plain(whole[1:-3]))
            elif _STOPPED.fullmatch(whole[1:-3]):  # a stub of one thread need not say of which
                whole = packet(b"T" + whole[2:-3] + b"thread:%x;" % CORE)
            self.asked = b""
        self.gdb.sendall(whole)


def _plain(features: bytes) -> bytes:
    """Return what a side can do without naming processes: threads have plain numbers here."""
    return features.replace(b"multiprocess+", b"multiprocess-")


@contextmanager
def between(port: int, stub: int, pace_s: float | None = None) -> Iterator[None]:
    """Listen on `port` of this host for gdb, one after another; the stub is on port `stub`.

    The machine is interrupted whenever it has run for `pace_s` seconds of this host's.
    """
    with socket.create_server(("127.0.0.1", port)) as listening:
        ended = threading.Event()
        thread = threading.Thread(target=_serve, args=(listening, stub, ended, pace_s), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            with contextlib.suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)


def _serve(
    listening: socket.socket, stub: int, ended: threading.Event, pace_s: float | None
) -> None:
    while not ended.is_set():
        with contextlib.suppress(OSError):  # whoever went has ended this session only
            gdb, _ = listening.accept()
            with gdb, socket.create_connection(("127.0.0.1", stub), timeout=20) as behind:
                behind.settimeout(None)
                for side in (gdb, behind):
                    side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                _Session(gdb, behind, pace_s).run()
