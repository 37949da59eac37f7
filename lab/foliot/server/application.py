# SPDX-License-Identifier: Apache-2.0
"""The server put together, and run by uvicorn."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException as BareHTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from foliot.model.errors import UsageError
from foliot.server import api, site
from foliot.server.access import Sessions
from foliot.server.limits import BodyLimit, Rate
from foliot.server.live import Live
from foliot.store.exchange import MOST_BYTES, SCHEMA

_HEADERS = {
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store", "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server allows; rates are requests a second of one token, and at once.

    `most_stored` is what a project may hold in bytes, compressed; `failures` wrong tokens of one
    address at once, then `failures_per_s`.
    """

    per_s: float = 50.0
    burst: int = 200
    failures: int = 20
    failures_per_s: float = 10 / 60
    most_stored: int = 20 << 30
    most_watching: int = 8
    most_connections: int = 200


class _Rules:
    """Sends every answer with the headers that browsers are to obey."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if scope.get("scheme") == "https":
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


def application(engine: Engine, settings: Settings) -> FastAPI:
    """Return the application on a database of this release's schema."""
    app = FastAPI(
        title="Foliot", version=str(SCHEMA), openapi_url="/api/openapi.json", docs_url=None,
        redoc_url=None, summary="A team's record of what its kernels take.",
        redirect_slashes=False,
    )  # fmt: skip
    state = app.state
    state.engine, state.settings = engine, settings
    state.sessions, state.live, state.watched = Sessions(), Live(), {}
    state.rate = Rate(settings.per_s, settings.burst)
    state.failures = Rate(settings.failures_per_s, settings.failures)
    app.include_router(api.router)
    app.include_router(site.router)
    app.add_middleware(BodyLimit, most_document=MOST_BYTES)
    app.add_middleware(_Rules)
    app.add_exception_handler(BareHTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(SQLAlchemyError, _database)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """Send who is not logged in to where that is done; tell a program what is wrong."""
    assert isinstance(error, BareHTTPException)  # noqa: S101 - it is registered for that
    if error.status_code == 401 and request.url.path.startswith("/p/"):
        return RedirectResponse("/", 303)
    headers = error.headers if isinstance(error, HTTPException) else None
    return JSONResponse({"detail": error.detail}, error.status_code, headers)


async def _not_valid(_: Request, error: Exception) -> Response:
    """Say which part of a request is wrong, without what stood there."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - it is registered for that
    wrong = [{"where": [str(part)[:40] for part in one["loc"][:4]], "what": one["type"]}
             for one in error.errors()[:4]]  # fmt: skip
    return JSONResponse({"detail": wrong}, 422)


async def _database(_: Request, error: Exception) -> Response:
    """Say that the database can't answer now, and nothing of it."""
    away = isinstance(error, OperationalError)
    words = "the database does not answer" if away else "the database refused this"
    return JSONResponse({"detail": words}, 503 if away else 500, {"Retry-After": "2"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where the server listens (port 0: any that is free), and how it is kept from listeners."""

    host: str = "127.0.0.1"
    port: int = 8472
    certificate: Path | None = None
    key: Path | None = None
    behind_proxy: str = ""  # the proxy's address, whose word on where a request is from is taken

    def check(self) -> None:
        """Raise UsageError where tokens would travel in the clear."""
        if (self.certificate is None) != (self.key is None):
            raise UsageError("--certificate and --key are given together")
        for path in (self.certificate, self.key):
            if path is not None and not path.is_file():
                raise UsageError(f"there is no file {path}")
        if self.certificate is None and not self.behind_proxy and not _is_here(self.host):
            raise UsageError(
                f"on {self.host} others listen too: a token would travel in the clear",
                "give --certificate and --key, or --behind-proxy ADDRESS of one that has them",
            )


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def server(app: FastAPI, place: Place, settings: Settings) -> uvicorn.Server:
    """Return the server, not started yet."""
    config = uvicorn.Config(
        app, host=place.host, port=place.port, log_level="warning", access_log=False,
        ssl_certfile=place.certificate, ssl_keyfile=place.key, server_header=False,
        limit_concurrency=settings.most_connections, timeout_keep_alive=20,
        timeout_graceful_shutdown=5, proxy_headers=bool(place.behind_proxy),
        forwarded_allow_ips=place.behind_proxy or "", workers=1, lifespan="off",
    )  # fmt: skip
    return uvicorn.Server(config)
