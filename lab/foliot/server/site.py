# SPDX-License-Identifier: Apache-2.0
"""The server's pages as addresses: who is not logged in is sent to where that is done."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from foliot.compare.timeline import MEAN
from foliot.report.past import MOST_COMMITS
from foliot.server import pages, query
from foliot.server.access import COOKIE, SESSION_S, Reader, in_session, known

router = APIRouter(include_in_schema=False)
Id = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")]


def _page(text: str, status: int = 200) -> HTMLResponse:
    content, headers = pages.with_rules(text)
    return HTMLResponse(content, status, headers)


@router.get("/")
def begin(request: Request) -> Response:
    """Ask for a token, or go on to the project."""
    person = in_session(request)
    if person is None:
        return _page(pages.login())
    return RedirectResponse(f"/p/{person.project_name}/", 303)


@router.post("/login")
async def log_in(request: Request) -> Response:
    """Begin a session of the token that the form has."""
    try:
        form = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=4)
    except ValueError:  # more fields than ours has
        raise HTTPException(422, "not the form of this page") from None
    token = form.get("token", [""])[0].strip()
    try:
        person = await run_in_threadpool(known, request, token)
    except HTTPException as refused:
        if refused.status_code != 401:
            raise
        return _page(pages.login(wrong=True), 401)
    answer = RedirectResponse(f"/p/{person.project_name}/", 303)
    answer.set_cookie(
        COOKIE, request.app.state.sessions.begin(person.token), max_age=int(SESSION_S),
        httponly=True, samesite="strict", secure=request.url.scheme == "https",
    )  # fmt: skip
    return answer


@router.post("/logout")
def log_out(request: Request) -> Response:
    """End the session."""
    request.app.state.sessions.end(request.cookies.get(COOKIE, ""))
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE)
    return answer


@router.get("/p/{project}/")
def project(
    request: Request, person: Reader, before: Annotated[str, Query(max_length=64)] = ""
) -> Response:
    """Show benches that run, histories, and the newest runs."""
    with request.app.state.engine.connect() as connection:
        runs = query.runs(connection, person.project, before)
        kinds = [] if before else query.kinds(connection, person.project)
    return _page(pages.project(person, runs, kinds, before))


@router.get("/p/{project}/history/{kind}")
def history(
    kind: Annotated[int, Path(ge=0, le=2**31 - 1)],
    request: Request,
    person: Reader,
    row: Annotated[str, Query(max_length=500)] = MEAN,
) -> Response:
    """Show a figure's history."""
    with request.app.state.engine.connect() as connection:
        known_kind = query.kind(connection, person.project, kind)
        past = query.past(connection, person.project, kind, MOST_COMMITS)
    text = pages.history(person, known_kind, past, row) if known_kind and past else None
    if text is None:
        raise HTTPException(404, "there is no such history")
    return _page(text)


@router.get("/p/{project}/runs/{run}")
def run(
    run: Id,
    request: Request,
    person: Reader,
    with_history: Annotated[bool, Query(alias="history")] = False,
) -> Response:
    """Show a run's report, with the history of its kind where that is asked for."""
    return _report(request, person, [run], with_history)


@router.get("/p/{project}/report")
def report(
    request: Request,
    person: Reader,
    run: Annotated[list[str], Query(max_length=pages.MOST_COMPARED)],
) -> Response:
    """Show several runs side by side."""
    return _report(request, person, run, False)


def _report(request: Request, person: Reader, names: list[str], with_history: bool) -> Response:
    names = [name.replace("\0", "") for name in names]
    with request.app.state.engine.connect() as connection:
        kept = query.find(connection, person.project, names)
        if len(kept) != len(set(names)):
            raise HTTPException(404, "there is no such run")
        if sum(one.row_count for one in kept) > pages.MOST_ROWS:
            raise HTTPException(413, f"over {pages.MOST_ROWS} rows: `foliot pull` fetches them")
        chosen = query.load(connection, kept)
        past = pages.past_of(connection, person, chosen[-1]) if with_history else None
    return _page(pages.report(chosen, past))


@router.get("/p/{project}/logs/{sha256}")
def log(
    sha256: Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")], request: Request, person: Reader
) -> Response:
    """Return a log as it came, as text that no browser takes for anything else."""
    with request.app.state.engine.connect() as connection:
        found = query.log(connection, person.project, sha256)
    if found is None:
        raise HTTPException(404, "there is no such log")
    rules = "default-src 'none'; sandbox; frame-ancestors 'none'"
    return Response(found, media_type="text/plain; charset=utf-8",
                    headers={"Content-Security-Policy": rules})  # fmt: skip
