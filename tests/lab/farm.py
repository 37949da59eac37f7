# SPDX-License-Identifier: Apache-2.0
"""A desk that labgrid lends: its coordinator and exporter, a relay, and a board that is played."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from foliot.show.terminal import Progress
from foliot.target import provision

LIMIT_S = 120


def until(is_so, what):
    begun = time.monotonic()
    while time.monotonic() - begun < LIMIT_S:
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError(what() if callable(what) else what)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Relay(BaseHTTPRequestHandler):
    """What switches a board's power: GET /relay/INDEX/VALUE, as labgrid's `simplerest` asks."""

    def log_message(self, *words):
        """Say nothing."""

    def do_GET(self):
        value = self.path.rpartition("/")[2]
        self.server.switched.append(int(value))
        self.server.power(bool(int(value)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


class Played:
    """A board behind a TCP port: each time it is powered on, the next play is played."""

    def __init__(self, *plays):
        self.plays = list(plays)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.line = None
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                self.line = self.listening.accept()[0]
            except OSError:
                return

    def power(self, on):
        if on:
            until(lambda: self.line is not None, "nobody listens to the board")
            play = self.plays.pop(0) if self.plays else lambda board: None
            threading.Thread(target=play, args=(self,), daemon=True).start()

    def send(self, data):
        self.line.sendall(data)

    def unplug(self):
        """Take the cable away: whoever listens hears the end, and nobody gets in any more."""
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.line.shutdown(socket.SHUT_RDWR)
        self.line.close()


class Desk:
    """labgrid's coordinator and exporter with one place `desk`; `serial` is its resource."""

    def __init__(self, place: Path, serial: str, power) -> None:
        self.place = place
        programs = provision.environment("farm", provision.FARM_REQUIREMENTS, Progress(quiet=True))
        self.programs = programs
        self.relay = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
        self.relay.switched, self.relay.power = [], power
        threading.Thread(target=self.relay.serve_forever, daemon=True).start()
        self.coordinator = f"127.0.0.1:{free_port()}"
        self.log = (place / "labgrid.log").open("wb")
        self.running = []
        self._start("labgrid-coordinator", "-l", self.coordinator)
        until(lambda: self.client("create").returncode == 0, self.said)
        url = f"http://127.0.0.1:{self.relay.server_address[1]}/relay/{{index}}/{{value}}"
        (place / "exporter.yaml").write_text(
            f"one:\n  {serial}\n"
            f"  NetworkPowerPort: {{model: simplerest, host: '{url}', index: 0}}\n"
        )
        self.exporter = self._start("labgrid-exporter", "-c", self.coordinator, "--name", "here",
                                    "--hostname", "127.0.0.1", "exporter.yaml")  # fmt: skip
        assert self.client("add-match", "here/one/*").returncode == 0
        until(lambda: "NetworkPowerPort" in self.call("resources").stdout, self.said)

    def _start(self, name, *words):
        child = subprocess.Popen([self.programs / name, *words], cwd=self.place,
                                 stdout=self.log, stderr=self.log)  # fmt: skip
        self.running.append(child)
        return child

    def client(self, *words):
        """Call labgrid's client for the place."""
        return self.call("-p", "desk", *words)

    def call(self, *words, user="bob"):
        """Call labgrid's client, as another user than the one who benches."""
        return subprocess.run(
            [self.programs / "labgrid-client", "-x", self.coordinator, *words],
            env={**os.environ, "LG_USERNAME": user}, capture_output=True, text=True, check=False,
            timeout=LIMIT_S,
        )  # fmt: skip

    def holder(self):
        return self.client("show").stdout.partition("  acquired: ")[2].partition("\n")[0]

    def said(self):
        return (self.place / "labgrid.log").read_text()[-3000:]

    def end(self):
        for child in reversed(self.running):
            child.terminate()
        for child in self.running:
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.relay.shutdown()
        self.relay.server_close()
        self.log.close()
