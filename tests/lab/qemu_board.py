# SPDX-License-Identifier: Apache-2.0
"""A board that labgrid's own QEMU driver runs, behind a TCP port: a process of labgrid's Python.

    python qemu_board.py ENVIRONMENT

It says its port; then `on`, `off`, `hang BYTES` (at the next power-on the machine stands still
after so many bytes of its console) and `unplug` come on its standard input, and each is answered.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import sys
import threading

from labgrid import Environment
from labgrid.util.qmp import QMPError
from pexpect import TIMEOUT


class Board:
    """The driver, and whoever listens to the console."""

    def __init__(self, environment: str) -> None:
        target = Environment(environment).get_target("main")
        self.driver = target.get_driver("QEMUDriver")
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.lines: list[socket.socket] = []
        self.hangs_after = 0
        self.sent = 0
        self.asked: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._accept, daemon=True).start()
        threading.Thread(target=self._hear, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self.lines.append(self.listening.accept()[0])

    def _hear(self) -> None:
        for line in sys.stdin:
            self.asked.put(line.strip())
        self.asked.put("end")

    def run(self) -> None:
        """Do what is asked, and pass the console on: all of the driver is this thread's."""
        print(self.listening.getsockname()[1], flush=True)
        while True:
            with contextlib.suppress(queue.Empty):
                asked = self.asked.get(timeout=0.01)
                if asked == "end":
                    self.off()
                    return
                self._do(*asked.split())
                print("done", flush=True)
            if self.driver.status:
                self._pass_on()

    def _do(self, what: str, number: str = "0") -> None:
        if what == "on":
            self.sent = 0
            self.driver.on()
        elif what == "off":
            self.off()
        elif what == "hang":
            self.hangs_after = int(number)
        else:
            self.listening.shutdown(socket.SHUT_RDWR)
            self.listening.close()
            for line in self.lines:
                line.shutdown(socket.SHUT_RDWR)

    def off(self) -> None:
        """Power it off; a program that has ended took the machine with it."""
        try:
            self.driver.off()
        except (QMPError, OSError):
            self.driver.status = 0

    def _pass_on(self) -> None:
        try:
            data = self.driver.read(timeout=0.01)
        except TIMEOUT:
            return
        if self.hangs_after and self.sent + len(data) > self.hangs_after:
            data = data[: self.hangs_after - self.sent]
            self.hangs_after = 0
            self.driver.monitor_command("stop")
        self.sent += len(data)
        for line in self.lines:
            with contextlib.suppress(OSError):
                line.sendall(data)


Board(sys.argv[1]).run()
