# SPDX-License-Identifier: Apache-2.0
"""Asking a server: one connection that is made again where it breaks, and bounded patience.

All that is asked may be asked twice, so whatever comes to no answer is asked again: a server that
is started anew in the meantime is not noticed.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from foliot.model.errors import FoliotError
from foliot.model.names import plain
from foliot.remote.remotes import Remote
from foliot.store.exchange import MOST_BYTES

ANSWER_S = 60.0
PATIENCE_S = 60.0  # how long a server that does not answer is asked again
_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_MOST_ANSWER = MOST_BYTES + (1 << 20)
_AGAIN = {408, 429, 500, 502, 503, 504}


class Answer(FoliotError):
    """The server said no: `status` is HTTP's."""

    def __init__(self, status: int, message: str, advice: str | None = None) -> None:
        """Keep what it said, without what a terminal would obey."""
        super().__init__(message, advice)
        self.status = status


class Client:
    """One server, asked as one person; use it in a `with` block."""

    def __init__(
        self, remote: Remote, patience_s: float = PATIENCE_S, answer_s: float = ANSWER_S
    ) -> None:
        """Ask `remote`; nothing is opened yet."""
        self.remote = remote
        self._patience_s, self._answer_s = patience_s, answer_s
        self._parts = urlsplit(remote.url)
        self._connection: http.client.HTTPConnection | None = None

    def __enter__(self) -> Client:
        """Return the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self._close()

    def get(self, path: str) -> bytes:
        """Return what the server answers below its project's address."""
        return self._ask("GET", path)

    def get_json(self, path: str) -> Any:
        """Return the same, read as JSON."""
        return _json(self.get(path))

    def put(self, path: str, body: bytes) -> None:
        """Send a document."""
        self._ask("PUT", path, body, "application/octet-stream")

    def post_json(self, path: str, body: object) -> Any:
        """Send JSON; return the answer, None where it is empty."""
        said = self._ask("POST", path, json.dumps(body).encode(), "application/json")
        return _json(said) if said else None

    def _ask(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> bytes:
        """Ask until there is an answer; FoliotError where there is none within the patience."""
        until = time.monotonic() + self._patience_s
        tried = 0
        while True:
            pause = _PAUSES[min(tried, len(_PAUSES) - 1)]
            tried += 1
            try:
                status, said, wanted = self._once(method, path, body, kind)
            except ssl.SSLCertVerificationError as error:
                raise FoliotError(
                    f"{self._parts.hostname}: its certificate is not trusted "
                    f"({error.verify_message})",
                    "`foliot remote add NAME URL --ca FILE` names what signed it",
                ) from None
            except (OSError, http.client.HTTPException) as error:
                self._close()
                why = getattr(error, "strerror", None) or str(error) or type(error).__name__
                failure = FoliotError(f"{self.remote.url} does not answer: {plain(why)}")
            else:
                if status < 300:
                    return said
                failure = self._refused(status, said)
                if status not in _AGAIN:
                    raise failure
                pause = max(pause, wanted)
            if time.monotonic() + pause > until:
                raise failure
            time.sleep(pause)

    def _once(
        self, method: str, path: str, body: bytes | None, kind: str
    ) -> tuple[int, bytes, float]:
        """Ask once; return the status, what was said, and for how many seconds to wait."""
        connection = self._connection or self._open()
        headers = {"Authorization": f"Bearer {self.remote.token}", "User-Agent": "foliot"}
        if kind:
            headers["Content-Type"] = kind
        connection.request(method, f"/api/p/{self.remote.project}/{path}", body, headers)
        answer = connection.getresponse()
        said = answer.read(_MOST_ANSWER + 1)
        if len(said) > _MOST_ANSWER:
            self._close()
            raise FoliotError(f"{self.remote.url} answers with more than anybody asked for")
        wanted = answer.headers.get("Retry-After", "")
        return answer.status, said, min(float(wanted), 60) if wanted.isdecimal() else 0.0

    def _open(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "http":
            made = http.client.HTTPConnection(host, port, timeout=self._answer_s)
        else:
            try:
                trusted = ssl.create_default_context(cafile=self.remote.ca or None)
            except OSError as error:
                raise FoliotError(f"{self.remote.ca}: {error.strerror or error}") from None
            made = http.client.HTTPSConnection(host, port, timeout=self._answer_s, context=trusted)
        self._connection = made
        return made

    def _close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.close()
        self._connection = None

    def _refused(self, status: int, said: bytes) -> Answer:
        try:
            told = json.loads(said)["detail"]
        except (ValueError, KeyError, TypeError):
            told = f"status {status}"
        advice = None
        if status == 401:
            advice = "whoever administers the server gives out tokens: `foliot remote add` anew"
        return Answer(status, f"{self.remote.name}: {plain(str(told))[:200]}", advice)


def _json(said: bytes) -> Any:
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        raise FoliotError("the server's answer is none of foliot's") from None


def patiently(what: Callable[[], None]) -> None:
    """Do something about which nobody need hear where it fails."""
    with contextlib.suppress(FoliotError, OSError, http.client.HTTPException):
        what()
