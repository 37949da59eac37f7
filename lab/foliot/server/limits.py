# SPDX-License-Identifier: Apache-2.0
"""How much anybody may send, and how often: before anything is read, looked up or kept."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 1 << 20  # of what is no document
MOST_BODY_S = 120.0
_REMEMBERED = 10_000


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rate:
    """How often each of many may: `burst` at once, then so many a second."""

    def __init__(
        self, per_s: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin with everybody's whole burst; who was not heard for longest is forgotten first."""
        self._per_s, self._burst, self._clock = per_s, float(burst), clock
        self._of: OrderedDict[object, _Bucket] = OrderedDict()

    def take(self, who: object) -> bool:
        """Take one of somebody's; False where there is none left now."""
        now = self._clock()
        bucket = self._of.pop(who, None) or _Bucket(self._burst, now)
        bucket.left = min(self._burst, bucket.left + (now - bucket.at) * self._per_s)
        bucket.at = now
        self._of[who] = bucket
        if len(self._of) > _REMEMBERED:
            self._of.popitem(last=False)
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True


class BodyLimit:
    """Refuses a body that is too large: by its announced length, or where it goes beyond.

    And one of two lengths, of which a proxy may believe the other: what is behind it would be
    somebody else's request there.
    """

    def __init__(self, app: ASGIApp, most_document: int) -> None:
        """Stand before `app`; `most_document` is what a PUT may have, in bytes."""
        self._app, self._most_document = app, most_document

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting what comes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most_document if scope["method"] == "PUT" else MOST_BODY
        headers = dict(scope["headers"])
        announced = headers.get(b"content-length", b"0")
        if b"content-length" in headers and b"transfer-encoding" in headers:
            await _refuse(send, 400, "two lengths")
            return
        if not announced.isdigit() or len(announced) > 15 or int(announced) > most:
            await _refuse(send, 413, "too large")
            return
        await self._app(scope, _counted(receive, most), send)


def _counted(receive: Receive, most: int) -> Receive:
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413, f"more than {most} bytes")
        return message

    return counted


async def _refuse(send: Send, status: int, why: str) -> None:
    """Answer, and hang up: what was to come is not read."""
    content = json.dumps({"detail": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"),
               (b"content-length", str(len(content)).encode())]  # fmt: skip
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
