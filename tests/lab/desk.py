# SPDX-License-Identifier: Apache-2.0
"""A board on the desk, played by a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import threading
import time
import tty

from foliot.target.serialport import Port


class Board:
    """One end of a pseudo-terminal: `play` says what the board sends once it is reset."""

    def __init__(self, play, directory):
        self.master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        tty.setraw(self.master)
        self._reset = directory / "reset"
        self.port = Port(os.ttyname(self._slave), reset=f"touch {self._reset}")
        self.closed = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(play,), daemon=True)
        self._thread.start()

    def _run(self, play):
        while not self._reset.exists():  # its firmware may have to be built before
            if self.closed.wait(0.01):
                return
        play(self)

    def send(self, data, piece=4096, pause_s=0.0):
        for start in range(0, len(data), piece):
            os.write(self.master, data[start : start + piece])
            time.sleep(pause_s)

    def close(self):
        self.closed.set()
        self._thread.join(timeout=10)
        os.close(self.master)
        os.close(self._slave)
