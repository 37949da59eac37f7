# SPDX-License-Identifier: Apache-2.0
"""Who asks: by the token of a request, or of the session that a browser logged in to.

A session may look and never change anything: what changes something takes the token itself, which
no other site's page has. Whose project it is not hears what he hears of one that does not exist.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, HTTPException, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy import Engine

from foliot.server import people
from foliot.server.limits import Rate
from foliot.server.people import Person

COOKIE = "foliot_session"
SESSION_S = 12 * 3600.0
_MOST_SESSIONS = 10_000
_BEARER = HTTPBearer(auto_error=False, description="A token: `foliot serve token`.")


class Sessions:
    """Browsers that are logged in, by the hash of their cookie; gone when the server is."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with none."""
        self._clock = clock
        self._tokens: OrderedDict[bytes, tuple[int, float]] = OrderedDict()

    def begin(self, token: int) -> str:
        """Return the cookie of a new session of a token."""
        cookie = secrets.token_urlsafe(32)
        self._tokens[_hash(cookie)] = (token, self._clock() + SESSION_S)
        if len(self._tokens) > _MOST_SESSIONS:
            self._tokens.popitem(last=False)
        return cookie

    def token(self, cookie: str) -> int | None:
        """Return the number of a session's token; None where it has ended, or never was."""
        found = self._tokens.get(_hash(cookie))
        return found[0] if found and found[1] > self._clock() else None

    def end(self, cookie: str) -> None:
        """Log out."""
        self._tokens.pop(_hash(cookie), None)


def _hash(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).digest()


def address(request: Request) -> str:
    """Return where a request comes from, for the audit and for limits."""
    return request.client.host if request.client else ""


def known(request: Request, token: str) -> Person:
    """Return whom a token stands for; 401 where nobody, 429 where he asks too often."""
    engine: Engine = request.app.state.engine
    with engine.connect() as connection:
        person = people.who(connection, token)
    if person is None:
        failures: Rate = request.app.state.failures
        if not failures.take(address(request)):
            raise HTTPException(429, "too many wrong tokens", {"Retry-After": "60"})
        raise HTTPException(401, "no token of this server's, or it has expired",
                            {"WWW-Authenticate": "Bearer"})  # fmt: skip
    return _in_time(request, person)


def _in_time(request: Request, person: Person) -> Person:
    rate: Rate = request.app.state.rate
    if not rate.take(person.token):
        raise HTTPException(429, "too many requests", {"Retry-After": "1"})
    return person


def in_session(request: Request) -> Person | None:
    """Return who is logged in by the cookie; None where nobody is."""
    sessions: Sessions = request.app.state.sessions
    number = sessions.token(request.cookies.get(COOKIE, ""))
    if number is None:
        return None
    engine: Engine = request.app.state.engine
    with engine.connect() as connection:
        person = people.by_number(connection, number)
    return person and _in_time(request, person)


def _given(
    request: Request,
    project: str,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
) -> Person:
    """Return who sent his token with the request, in his own project."""
    if bearer is None:
        raise HTTPException(401, "a token is needed", {"WWW-Authenticate": "Bearer"})
    return _own(known(request, bearer.credentials), project)


def _either(
    request: Request,
    project: str,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
) -> Person:
    """Return who sent his token, or is logged in, in his own project."""
    person = known(request, bearer.credentials) if bearer else in_session(request)
    if person is None:
        raise HTTPException(401, "a token is needed", {"WWW-Authenticate": "Bearer"})
    return _own(person, project)


def _own(person: Person, project: str) -> Person:
    if person.project_name != project:
        raise HTTPException(404, "there is no such project for this token")
    return person


def _with_role(role: str) -> Callable[[Person], Person]:
    def checked(person: Annotated[Person, Depends(_given)]) -> Person:
        if not person.may(role):
            raise HTTPException(403, f"this token may {person.role}, not {role}")
        return person

    return checked


Reader = Annotated[Person, Depends(_either)]
Recorder = Annotated[Person, Depends(_with_role("record"))]
Administrator = Annotated[Person, Depends(_with_role("administer"))]
