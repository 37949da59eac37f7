# SPDX-License-Identifier: Apache-2.0
"""A small client of gdb's remote serial protocol, for the simulator and for QEMU."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import time

LIMIT_S = 30
PC = 32


class Client:
    """A machine that was started for this client, and ends with it."""

    def __init__(self, command, port=None):
        """Start `command`; without `port` it says itself, as the simulator does."""
        self.process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if port is None:
            said = self.process.stderr.readline()
            assert said.startswith(b'@sim {"type":"gdb"'), said
            port = json.loads(said.removeprefix(b"@sim "))["port"]
        self.port = port
        self.socket = self._connect(port)
        self.stream = self.socket.makefile("rb")
        if "QStartNoAckMode+" in self.ask("qSupported:xmlRegisters=riscv"):
            assert self.ask("QStartNoAckMode") == "OK"

    def _connect(self, port):
        deadline = time.monotonic() + LIMIT_S
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S)
            except ConnectionRefusedError:
                assert time.monotonic() < deadline and self.process.poll() is None
                time.sleep(0.05)
                continue
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection

    def send(self, text):
        """Send a packet; latin-1, as it may be binary."""
        data = text.encode("latin-1")
        self.socket.sendall(b"$" + data + b"#%02x" % (sum(data) & 0xFF))

    def answer(self):
        """Wait for the next packet."""
        while (byte := self.stream.read(1)) != b"$":
            assert byte in (b"+", b"-"), f"no packet: {byte!r}"
        text = b""
        while (byte := self.stream.read(1)) != b"#":
            text += byte
        self.stream.read(2)
        return text.decode("latin-1")

    def ask(self, text):
        """Send a packet; return the answer."""
        self.send(text)
        return self.answer()

    def registers(self):
        """x0 to x31 and pc."""
        data = bytes.fromhex(self.ask("g"))[: 4 * (PC + 1)]
        return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]

    def pc(self):
        """Where the core stands."""
        return self.registers()[PC]

    def read(self, number):
        """One register."""
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")), "little")

    def write(self, number, value):
        """Write one register; return the answer."""
        return self.ask(f"P{number:x}={value.to_bytes(4, 'little').hex()}")

    def cycle(self):
        """The simulator's clock count."""
        return int(bytes.fromhex(self.ask("qRcmd," + b"cycle".hex())))

    def end(self):
        """Let go; return (status, standard output, standard error), after at most LIMIT_S."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.stream.close()
        self.socket.close()
        try:
            output, errors = self.process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            output, errors = self.process.communicate()
        return self.process.returncode, output.decode(), errors.decode()


def free_port():
    """A port of this host that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
