# SPDX-License-Identifier: Apache-2.0
"""Clients that mean harm by how they ask.

Requests that two readers take for two, addresses that are made up, forms that are none, sessions
that should be over, dates that are none, and runs that take long to look at.
"""

from __future__ import annotations

import json
import re
import socket
import time
import zlib
from dataclasses import replace

import pytest
import team

from foliot.remote import transfer
from foliot.store import documents

LINE = "Host: x\r\nConnection: close\r\n"


def raw(server, data: bytes) -> bytes:
    """Send bytes as they are; return all that comes until the server hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), team.LIMIT_S) as line:
        line.sendall(data)
        said = b""
        while part := line.recv(1 << 16):
            said += part
        return said


def statuses(said: bytes) -> list[int]:
    return [int(part.split(b" ", 1)[0]) for part in said.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.parametrize("head", [
    "Content-Length: 4\r\nContent-Length: 60\r\n",
    "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: xchunked\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    "Transfer-Encoding : chunked\r\n", "Content-Length: +4\r\n", "Content-Length: 0x4\r\n",
    " Content-Length: 4\r\n", "A: b\r\n c\r\n", "A\0: b\r\n",
])  # fmt: skip
def test_a_request_that_two_readers_take_for_two_is_answered_once_or_never(team_server, head):
    """What is smuggled in behind a body would be another person's where a proxy stands before."""
    project, [token] = team_server.project("read")
    inner = f"GET /api/p/{project}/kinds HTTP/1.1\r\n{LINE}Authorization: Bearer {token}\r\n\r\n"
    outer = f"POST /login HTTP/1.1\r\nHost: x\r\n{head}\r\n0\r\n\r\n"
    said = raw(team_server, f"{outer}{inner}".encode())
    found = statuses(said)
    assert found[:1] in ([400], [401], [413], []), said
    assert 200 not in found, said


def test_what_is_no_request_of_ours_is_refused(team_server):
    project, [token] = team_server.project("read")
    known = f"Authorization: Bearer {token}\r\n"
    upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n"
    for data in (
        f"TRACE /p/{project}/ HTTP/1.1\r\n{LINE}{known}\r\n",
        f"CONNECT 127.0.0.1:22 HTTP/1.1\r\n{LINE}{known}\r\n",
        f"PROPFIND /p/{project}/ HTTP/1.1\r\n{LINE}{known}\r\n",
        f"GET http://other.example/etc HTTP/1.1\r\n{LINE}{known}\r\n",
        f"GET /api/p/{project}/live HTTP/1.1\r\n{LINE}X: {'a' * (1 << 20)}\r\n\r\n",
        f"GET /{'a' * (1 << 20)} HTTP/1.1\r\n{LINE}\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        f"GET /p/{project}/%00%ff%c0%ae HTTP/1.1\r\n{LINE}{known}\r\n",
    ):  # fmt: skip
        try:
            said = raw(team_server, data.encode("latin-1"))
        except ConnectionError:
            continue  # it hung up in the midst
        bad = [status for status in statuses(said) if status < 300 or status >= 500]
        assert not bad, (data[:80], said)
        assert b"Traceback" not in said
    ask = (
        f"GET /api/p/{project}/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n{upgrade}{known}"
    )
    with socket.create_connection(("127.0.0.1", team_server.port), team.LIMIT_S) as line:
        line.sendall(f"{ask}\r\n".encode())
        assert line.recv(100).split()[1] != b"101"


def test_an_address_that_is_made_up_counts_for_nothing(team_server, tmp_path):
    """Without a proxy nobody's word is taken: neither in the audit, nor by who guesses tokens."""
    project, [token] = team_server.project("administer")
    store, client = team_server.store(tmp_path / "s", project, token)
    team.keep(store, name="x")
    (one,) = documents.documents(store)
    made_up = {"X-Forwarded-For": "6.6.6.6", "Forwarded": "for=6.6.6.6", "X-Real-IP": "6.6.6.6"}
    sent = zlib.compress(one.line + b"\n" + documents.log_of(store, one))
    path = f"/api/p/{project}/documents/{one.identity}"
    with client:
        assert team_server.ask("PUT", path, token, sent, **made_up)[0] == 201
    _, audit = team_server.json("GET", f"/api/p/{project}/audit", token)
    assert {entry["address"] for entry in audit} <= {"127.0.0.1", ""}


def test_a_token_is_taken_where_it_belongs_and_nowhere_else(team_server):
    project, [token] = team_server.project("read")
    path = f"/api/p/{project}/kinds"
    for where in (f"?token={token}", f"?access_token={token}", f"?Authorization=Bearer%20{token}"):
        assert team_server.ask("GET", path + where)[0] == 401
    for header in ({"Authorization": f"Basic {token}"}, {"Authorization": token},
                   {"Authorization": f"Bearer {token}x"}, {"Authorization": f"Bearer {token[:-1]}"},
                   {"Authorization": f"Bearer {token.upper()}"}, {"X-Token": token},
                   {"Cookie": f"foliot_session={token}"}, {"Cookie": "foliot_session="},
                   {"Authorization": "Bearer " + "x" * 8000}):  # fmt: skip
        assert team_server.ask("GET", path, **header)[0] in {401, 429}, header
    assert team_server.ask("GET", path, token)[0] == 200


@pytest.mark.parametrize("form", [
    b"a=1&b=2&c=3&d=4&e=5&f=6", b"token=" + b"&token=" * 5000, b"token=%ff%00", b"\xff\xfe", b"",
    b"--x\r\nContent-Disposition: form-data; name=token\r\n\r\ny\r\n--x--", b"{\"token\": 1}",
    b"token=" + b"%41" * 100_000,
], ids=lambda form: form[:12].decode("latin-1"))  # fmt: skip
def test_a_form_that_is_none_logs_nobody_in_and_is_no_mistake_of_the_servers(team_server, form):
    status, _, said = team_server.ask("POST", "/login", body=form)
    assert status in {400, 401, 413, 422, 429}, said


def test_a_session_ends_with_its_token(team_server):
    project, [token, chief] = team_server.project("read", "administer")
    _, headers, _ = team_server.ask(
        "POST", "/login", body=f"token={token}".encode(), Cookie="foliot_session=mine"
    )
    cookie = headers["set-cookie"].partition(";")[0]
    assert cookie != "foliot_session=mine"  # nobody's session is what somebody else gave him
    assert team_server.ask("GET", f"/p/{project}/", Cookie="foliot_session=mine")[0] == 303
    assert team_server.ask("GET", f"/p/{project}/", Cookie=cookie)[0] == 200
    assert team_server.ask("DELETE", f"/api/p/{project}/tokens/read-0", chief)[0] in {200, 204}
    assert team_server.ask("GET", f"/p/{project}/", Cookie=cookie)[0] == 303
    assert team_server.ask("GET", f"/api/p/{project}/kinds", token)[0] == 401


@pytest.fixture
def made(team_server, tmp_path):
    """Send a document that is changed before; return the status, and what asks for pages."""
    project, [token] = team_server.project("record")
    store = transfer.Store(tmp_path / "made")
    team.keep(store, name="one")
    (one,) = documents.documents(store)
    one = replace(one, log_sha256="", log_bytes=0)

    def send(change):
        document = change(one)
        path = f"/api/p/{project}/documents/{document.identity}"
        sent = zlib.compress(document.line + b"\n")
        status, _, said = team_server.ask("PUT", path, token, sent)
        return status, said, lambda page: team_server.ask("GET", f"/p/{project}/{page}", token)

    return send


@pytest.mark.parametrize("when", [
    "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "0000-00-00T00:00:00Z",
    "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+99:99", "\u0662\u0660\u0662\u0666-01-01T00:00:00Z",
])  # fmt: skip
def test_a_date_that_is_none_is_refused_and_no_page_is_lost_by_it(made, when):
    status, said, page = made(lambda one: replace(one, recorded=when))
    assert status == 422, said
    assert page("")[0] == 200


def test_names_within_a_run_that_a_database_can_not_hold_are_refused(made):
    def change(one):
        facts = json.loads(one.runs[0].facts)
        facts["footprint"] = {"kernel_text": 1, "data": 1, "bss": 1, "image": [1, 1, 1],
                              "objects": {"a\0b": 1}}  # fmt: skip
        return replace(one, runs=(replace(one.runs[0], facts=json.dumps(facts)),))

    status, said, page = made(change)
    assert status == 422, said
    assert page("")[0] == 200


def test_a_run_that_takes_long_to_show_is_not_shown(made):
    """More rows than a page has: it is there, and in the lists, and no processor draws it."""

    def change(one):
        row = {**json.loads(one.runs[0].figures)[0], "histogram": [[100, 10]]}
        figures = json.dumps([{**row, "id": f"row.{n}"} for n in range(10_001)],
                             ensure_ascii=False, separators=(",", ":"))  # fmt: skip
        return replace(one, runs=(replace(one.runs[0], figures=figures),))

    status, said, page = made(change)
    assert status == 201, said
    assert page("")[0] == 200
    name = re.search(rb"/runs/([0-9a-f]{12})", page("")[2])[1].decode()
    for path in (f"runs/{name}", f"report?run={name}", f"runs/{name}?history=1"):
        status, _, said = page(path)
        assert (status, b"foliot pull" in said) == (413, True)


def test_what_a_run_of_many_doubted_rows_takes_grows_with_them_and_not_with_their_square():
    from foliot.log.reader import parse
    from foliot.server.summary import summary

    run = parse(team.log())
    rows = tuple(replace(run.rows[0], id=f"row.{number}") for number in range(20_000))
    began = time.process_time()
    found = summary(replace(run, rows=rows))
    assert time.process_time() - began < 10  # of a second or so; it was 45
    assert len(found.marks) == 20_000
