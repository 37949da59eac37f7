# SPDX-License-Identifier: Apache-2.0
"""gdb's remote protocol from gdb's side, as far as a recorder of traces needs it.

It speaks to the stubs of sim/gdb.cpp and of QEMU. Questions are sent together and their
answers read together, since what a stop costs is the way there and back. No write is here but
breakpoints: memory and registers of what is watched stay as they are.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence

from foliot.model.errors import FoliotError

_LONGEST = 0x700  # bytes of memory asked for at once: two letters each, QEMU takes 4 KiB
_ANSWER_S = 600.0
_ENDS = {"18": "limit", "0b": "lockup"}  # signals of sim/gdb.cpp: XCPU, SEGV


class Ended(Exception):
    """What was watched has ended; `status` is its exit status, None where it was not told.

    `why` is limit or lockup, where the simulator says so, or "".
    """

    def __init__(self, status: int | None, why: str = "") -> None:
        """Remember both."""
        super().__init__(status, why)
        self.status = status
        self.why = why


class Remote:
    """A connection to a stub, whose machine stands still but while resume() waits."""

    def __init__(self, port: int) -> None:
        """Connect to that port of this host; FoliotError where nobody answers."""
        try:
            self._socket = socket.create_connection(("127.0.0.1", port), timeout=_ANSWER_S)
        except OSError as error:
            raise FoliotError(f"no debugger's stub at port {port}: {error.strerror}") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = bytearray()
        self._acknowledges = True
        # QEMU shows all registers only to who says that it reads descriptions of them.
        said = self.ask("qSupported:multiprocess-;xmlRegisters=arm,i386,riscv")[0]
        if "QStartNoAckMode+" in said:
            self.ask("QStartNoAckMode")
            self._acknowledges = False
        self.description = self._describe("target.xml")

    def close(self) -> None:
        """Hang up: the machine ends, or is ended by who started it."""
        self._socket.close()

    def ask(self, *packets: str) -> list[str]:
        """Send all, and return the answer to each; a monitor's as text."""
        self._send(*packets)
        return [
            self._monitors_answer() if packet.startswith("qRcmd,") else self._answer()
            for packet in packets
        ]

    def resume(self, step: bool = False) -> None:
        """Let the machine run, or do one instruction, and wait until it stops; Ended at its end."""
        self._send("s" if step else "c")
        said = self._answer()
        while said[:1] == "O":  # what the machine's semihosting prints
            said = self._answer()
        if said[:1] in ("W", "X"):
            raise Ended(int(said[1:3] or "0", 16) if said[0] == "W" else None)
        if said[1:3] in _ENDS:
            raise Ended(None, _ENDS[said[1:3]])

    def number(self, register: str) -> int | None:
        """Return the number of a register by its name in the machine's description, or None."""
        found = re.search(
            rf'<reg name="{register}"[^>]*regnum="(\d+)"', self.description, re.DOTALL
        )
        return int(found[1]) if found else None

    def _describe(self, document: str) -> str:
        """Read a description and those that it includes; "" where there is none."""
        text, length = "", 0x400
        while True:
            part = self.ask(f"qXfer:features:read:{document}:{len(text):x},{length:x}")[0]
            text += part[1:]
            if part[:1] != "m":
                break
        for other in re.findall(r'<xi:include href="([^"]+)"', text):
            text += self._describe(other)
        return text

    def _send(self, *packets: str) -> None:
        data = b"".join(
            b"$%s#%02x" % (packet.encode("ascii"), sum(packet.encode("ascii")) & 0xFF)
            for packet in packets
        )
        try:
            self._socket.sendall(data)
        except OSError:
            raise Ended(None) from None

    def _answer(self) -> str:
        while True:
            begin = self._read.find(b"$")
            end = self._read.find(b"#", begin + 1)
            if 0 <= begin < end and len(self._read) >= end + 3:
                text = self._read[begin + 1 : end].decode("latin-1")
                del self._read[: end + 3]
                if self._acknowledges:
                    self._socket.sendall(b"+")
                return text
            try:
                more = self._socket.recv(1 << 16)
            except TimeoutError:
                raise FoliotError("the machine under the debugger does not answer") from None
            except OSError:
                more = b""
            if not more:
                raise Ended(None)
            self._read += more

    def _monitors_answer(self) -> str:
        """Take QEMU's way, text in packets and OK, and the simulator's, text as the answer."""
        text, said = "", self._answer()
        while said[:1] == "O" and said != "OK":
            text += _text(said[1:])
            said = self._answer()
        return text if said == "OK" else text + _text(said)


def reads(ranges: Sequence[tuple[int, int]], gap: int = 64) -> list[tuple[int, int]]:
    """Put (address, bytes) together that lie close by, so that fewer are asked for."""
    joined: list[tuple[int, int]] = []
    for address, size in sorted(ranges):
        if joined:
            first, length = joined[-1]
            end = max(first + length, address + size)
            if address - (first + length) <= gap and end - first <= _LONGEST:
                joined[-1] = (first, end - first)
                continue
        joined.append((address, size))
    return joined


def monitor(command: str) -> str:
    """Return the packet of a monitor's command."""
    return "qRcmd," + command.encode().hex()


def _text(digits: str) -> str:
    try:
        return bytes.fromhex(digits).decode("utf-8", "replace")
    except ValueError:
        return ""
