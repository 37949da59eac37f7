# SPDX-License-Identifier: Apache-2.0
"""The HTTP API of a team's server, under /api; /api/openapi.json describes it."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.concurrency import run_in_threadpool

from foliot.compare import timeline
from foliot.model.errors import FoliotError
from foliot.server import people, query, record
from foliot.server.access import Administrator, Reader, Recorder, address
from foliot.server.limits import MOST_BODY_S
from foliot.server.live import MOST_ROWS, Live
from foliot.store.exchange import MOST_BYTES, Document, Refused, check_name, pack, unpack

router = APIRouter(prefix="/api/p/{project}")

Identity = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
InPath = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
Word = Annotated[str, StringConstraints(max_length=120)]
LiveRow = Annotated[tuple[Word, float], Field(strict=False)]  # JSON knows lists only
Name = Annotated[str, StringConstraints(max_length=64)]
_BIG = 1 << 53
_WATCHED_S = 600.0  # then a browser asks again, and its session is looked at anew


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Identities(_Told):
    """Names of documents."""

    identities: Annotated[list[Identity], Field(max_length=query.MOST_LISTED)]


class LiveBench(_Told):
    """What a bench says while it runs; `rows` are those that came since it was last heard."""

    board: Word
    suite: Word
    unit: Word = ""
    state: Word = ""
    done: Annotated[int, Field(ge=0, le=MOST_ROWS)] = 0
    total: Annotated[int, Field(ge=0, le=MOST_ROWS)] = 0
    rows: Annotated[list[LiveRow], Field(max_length=MOST_ROWS)] = []
    ended: bool = False


class TokenRequest(_Told):
    """For whom a token is made, and what it may; `days` after which it expires."""

    person: Name
    role: Name
    days: Annotated[int | None, Field(ge=1, le=people.MOST_DAYS)] = None


@router.post("/missing")
def missing(asked: Identities, request: Request, person: Recorder) -> Identities:
    """Return which of these documents the project does not have."""
    with request.app.state.engine.connect() as connection:
        found = query.missing(connection, person.project, asked.identities)
    return Identities(identities=found)


@router.get("/documents")
def documents(
    request: Request, person: Reader, after: Annotated[int, Query(ge=0, le=_BIG)] = 0
) -> dict[str, Any]:
    """List documents by number, those after one; `next` is where to go on, null at the end."""
    with request.app.state.engine.connect() as connection:
        found = query.names(connection, person.project, after)
    full = len(found) == query.MOST_LISTED
    return {"documents": found, "next": found[-1][0] if full else None}


@router.get("/documents/{identity}")
def document(identity: InPath, request: Request, person: Reader) -> Response:
    """Return a document with its log, as it is sent (lab/foliot/store/exchange.py)."""
    with request.app.state.engine.connect() as connection:
        found = query.document(connection, person.project, identity)
    if found is None:
        raise HTTPException(404, "there is no such document")
    return Response(pack(*found), media_type="application/octet-stream")


@router.put("/documents/{identity}")
async def keep(identity: InPath, request: Request, person: Recorder) -> Response:
    """Record a document: 201, or 200 where it is there already; all of it or nothing."""
    try:
        async with asyncio.timeout(MOST_BODY_S):
            sent = await request.body()
    except TimeoutError:
        raise HTTPException(408, "the document comes too slowly") from None
    settings = request.app.state.settings
    try:
        made = await run_in_threadpool(_keep, request, person, identity, sent, settings.most_stored)
    except record.Conflict as error:
        raise HTTPException(409, error.message) from None
    except record.Full as error:
        raise HTTPException(507, error.message) from None
    except Refused as error:
        raise HTTPException(422, error.message) from None
    return Response(status_code=201 if made else 200)


def _keep(request: Request, person: people.Person, identity: str, sent: bytes, most: int) -> bool:
    found: tuple[Document, bytes] = unpack(sent, identity, MOST_BYTES)
    return record.keep(request.app.state.engine, person, address(request), *found, most)


@router.get("/runs")
def runs(
    request: Request,
    person: Reader,
    before: Annotated[str, Query(max_length=64)] = "",
    name: Annotated[str, Query(max_length=200)] = "",
) -> dict[str, Any]:
    """List the newest runs, or those before a cursor, or those of a name."""
    with request.app.state.engine.connect() as connection:
        found = query.runs(connection, person.project, before, name.replace("\0", ""))
    full = len(found) == query.MOST_RUNS
    return {
        "runs": [{key: getattr(one, key) for key in one.__slots__} for one in found],
        "next": query.cursor_of(found[-1]) if full else None,
    }


@router.get("/kinds")
def kinds(request: Request, person: Reader) -> list[dict[str, Any]]:
    """List the kinds of runs that there are: of each there is a history."""
    with request.app.state.engine.connect() as connection:
        return [dict(one) for one in query.kinds(connection, person.project)]


@router.get("/kinds/{kind}/history", response_model=list[dict[str, Any]])
def history(
    kind: Annotated[int, Path(ge=0, le=2**31 - 1)],
    request: Request,
    person: Reader,
    row: Annotated[str, Query(max_length=500, pattern=r"^[^\x00]*$")] = timeline.MEAN,
    most: Annotated[int, Query(ge=1, le=query.MOST_POINTS)] = 120,
) -> Response:
    """Return a row's, a weight's or the mean's history: the newest points, the oldest first."""
    with request.app.state.engine.connect() as connection:
        past = query.past(connection, person.project, kind, most, row)
    if not past:
        raise HTTPException(404, "there is no such kind of runs")
    points = [timeline.as_dict(point) for point in query.points(past, row)]
    return JSONResponse(points)  # as it is: to look at each of a thousand again takes as long


@router.get("/live")
async def live(request: Request, person: Reader) -> list[dict[str, Any]]:
    """Return the benches that run now."""
    told: Live = request.app.state.live
    return told.shown(person.project)


@router.post("/live/{name}", status_code=204)
async def tell_live(
    name: Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")],
    said: LiveBench,
    request: Request,
    person: Recorder,
) -> None:
    """Say how far a bench is; 409 where it is another's, or there are too many."""
    if not all(math.isfinite(figure) for _, figure in said.rows):
        raise HTTPException(422, "a figure is no number")
    for word in (said.board, said.suite, said.unit, said.state, *(row for row, _ in said.rows)):
        _check_word(word)
    told: Live = request.app.state.live
    bench = told.bench(person.project, person.person, name)
    if bench is None or len(bench.rows) + len(said.rows) > MOST_ROWS:
        raise HTTPException(409, "the bench is another's, or there are too many")
    bench.board, bench.suite, bench.unit, bench.state = (
        said.board, said.suite, said.unit, said.state,
    )  # fmt: skip
    bench.done, bench.total, bench.ended = said.done, said.total, said.ended
    bench.rows.update(said.rows)
    await told.tell()


def _check_word(word: str) -> None:
    try:
        check_name(word)
    except Refused as error:
        raise HTTPException(422, error.message) from None


@router.get("/live/events")
async def live_events(request: Request, person: Reader) -> StreamingResponse:
    """Send the benches that run, whole, after each change (server-sent events)."""
    watched: dict[int, int] = request.app.state.watched
    if watched.get(person.token, 0) >= request.app.state.settings.most_watching:
        raise HTTPException(429, "too many pages are open", {"Retry-After": "60"})
    return StreamingResponse(
        _events(request, person), media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )  # fmt: skip


async def _events(request: Request, person: people.Person) -> AsyncIterator[str]:
    told: Live = request.app.state.live
    watched: dict[int, int] = request.app.state.watched
    watched[person.token] = watched.get(person.token, 0) + 1
    try:
        async with asyncio.timeout(_WATCHED_S):
            async for changed in told.changes():
                shown = json.dumps(told.shown(person.project)) if changed else ""
                yield f"data: {shown}\n\n" if changed else ": alive\n\n"
    except TimeoutError:
        return
    finally:
        watched[person.token] -= 1
        if not watched[person.token]:
            del watched[person.token]


@router.get("/tokens")
def tokens(request: Request, person: Administrator) -> list[dict[str, Any]]:
    """List the project's tokens, without what they are."""
    with request.app.state.engine.connect() as connection:
        return people.tokens(connection, person.project)


@router.post("/tokens", status_code=201)
def make_token(asked: TokenRequest, request: Request, person: Administrator) -> dict[str, str]:
    """Make a token for somebody in this project; it is shown now and never again."""
    try:
        with request.app.state.engine.begin() as connection:
            made = people.issue(connection, person.project, asked.person, asked.role, asked.days)
            people.note(connection, (person.person, address(request)), person.project, "token",
                        f"{asked.person} may {asked.role}")  # fmt: skip
    except FoliotError as error:
        raise HTTPException(422, error.message) from None
    return {"token": made}


@router.delete("/tokens/{name}")
def revoke_tokens(
    name: Annotated[str, Path(max_length=64)], request: Request, person: Administrator
) -> dict[str, int]:
    """End all tokens of somebody in this project; return how many there were."""
    try:
        people.check_name(name, "a person's name")
    except FoliotError as error:
        raise HTTPException(422, error.message) from None
    with request.app.state.engine.begin() as connection:
        ended = people.revoke(connection, person.project, name)
        people.note(connection, (person.person, address(request)), person.project, "revoke", name)
    return {"ended": ended}


@router.get("/audit")
def audit(
    request: Request,
    person: Administrator,
    before: Annotated[int | None, Query(ge=0, le=_BIG)] = None,
) -> list[dict[str, Any]]:
    """Return who recorded and changed what, the newest first."""
    with request.app.state.engine.connect() as connection:
        return [dict(one) for one in query.audit(connection, person.project, before)]
