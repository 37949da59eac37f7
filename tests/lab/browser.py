# SPDX-License-Identifier: Apache-2.0
"""A real browser without a window, spoken to through a pair of pipes.

Chromium's own protocol needs nothing but JSON: no driver, no port, and nothing that could
outlive the test. Whatever the page logs, or asks of a network, is kept to be looked at.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

PROGRAM = "chromium"
LIMIT_S = 30

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--force-prefers-reduced-motion",
    "--remote-debugging-pipe",
)  # fmt: skip


class Browser:
    """One browser with one page; use it in a `with` block, which ends it by its own pid."""

    def __init__(self) -> None:
        self._profile = tempfile.mkdtemp(prefix="foliot-browser-")
        self._numbers = itertools.count(1)
        self._rest = b""
        self.requests: list[str] = []
        self.errors: list[str] = []
        self._start()

    def _start(self) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # The protocol wants descriptors 3 and 4; the shell puts them there.
        command = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self._child = subprocess.Popen(
            ["/bin/bash", "-c", command, "browser", PROGRAM, *_FLAGS,
             f"--user-data-dir={self._profile}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out = ours_in, ours_out
        self._session: str | None = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(one for one in targets if one["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait(timeout=LIMIT_S)
        os.close(self._in)
        os.close(self._out)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give a command; return its result."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            said = self._next()
            if said.get("id") == number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']}")
                return dict(said["result"])

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + LIMIT_S
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], until - time.monotonic())
            chunk = os.read(self._in, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser says nothing more")
            self._rest += chunk
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        self._event(message)
        return dict(message)

    def _event(self, message: dict[str, Any]) -> None:
        what, told = message.get("method"), message.get("params", {})
        if what == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif what == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(told["exceptionDetails"])[:400])
        elif what == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.errors.append(json.dumps(told["args"])[:400])
        elif what == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.errors.append(told["entry"]["text"])

    def open(self, page: Path) -> None:
        """Show a file, and wait until it is all there."""
        self.call("Page.navigate", url=page.resolve().as_uri())
        until = time.monotonic() + LIMIT_S
        while (
            self.run("document.readyState") != "complete"
            or self.run("location.href") == "about:blank"
        ):
            if time.monotonic() > until:
                raise RuntimeError("the page is never complete")

    def run(self, script: str) -> Any:
        """Return the value of an expression, evaluated in the page."""
        result = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def size(self, width: int, height: int = 900) -> None:
        """Give the window a size, in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip

    def media(self, media: str = "", scheme: str = "light") -> None:
        """Play a medium (`print`) and a colour scheme (`dark`)."""
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])  # fmt: skip

    def keys(self, text: str) -> None:
        """Type text, key by key."""
        for letter in text:
            for kind in ("keyDown", "keyUp"):
                text = letter if kind == "keyDown" else ""
                self.call("Input.dispatchKeyEvent", type=kind, text=text, key=letter)

    def press(self, key: str, code: int) -> None:
        """Press a key that has a name, such as Tab (9), Enter (13) or Escape (27)."""
        for kind in ("keyDown", "keyUp"):
            text = "\r" if (key, kind) == ("Enter", "keyDown") else ""
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text,
                      windowsVirtualKeyCode=code)  # fmt: skip

    def picture(self, file: Path, whole: bool = False) -> None:
        """Keep what the page looks like, for people to look at."""
        taken = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(taken["data"]))

    def pdf(self) -> bytes:
        """Print the page on A4."""
        made = self.call(
            "Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=False
        )
        return base64.b64decode(made["data"])
