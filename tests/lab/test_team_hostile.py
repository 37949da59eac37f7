# SPDX-License-Identifier: Apache-2.0
"""Clients that mean harm, against a real server: forged, foreign, too large, too often, garbled."""

from __future__ import annotations

import json
import random
import socket
import threading
import zlib
from dataclasses import replace
from hashlib import sha256

import pytest
import team

from foliot.remote import transfer
from foliot.show.terminal import Progress
from foliot.store import documents
from foliot.store.exchange import Document, Recorded, Refused, runs_of

QUIET = Progress(quiet=True)
MARKUP = "<script>document.title='owned'</script><img src=x onerror=alert(1)>"
SQL = "'; DROP TABLE run; --"


@pytest.fixture
def document(tmp_path) -> Document:
    store = transfer.Store(tmp_path / "made")
    team.keep(store, name="one")
    [one] = documents.documents(store)
    return replace(one, log_sha256="", log_bytes=0)


@pytest.fixture
def put(team_server):
    project, [token] = team_server.project("record")

    def send(
        made: Document, body: bytes | None = None, identity: str = "", log: bytes = b""
    ) -> tuple[int, str]:
        sent = zlib.compress(made.line + b"\n" + log) if body is None else body
        path = f"/api/p/{project}/documents/{identity or made.identity}"
        status, _, said = team_server.ask("PUT", path, token, sent)
        return status, said.decode()

    return send


def changed(document: Document, **header: object) -> Document:
    """Change the facts of a document's run."""
    facts = json.loads(document.runs[0].facts)
    facts["header"].update(header)
    return replace(document, runs=(replace(document.runs[0], facts=json.dumps(facts)),))


def test_whom_the_server_does_not_know_hears_nothing(team_server):
    from foliot.server import people

    project, [good] = team_server.project("administer")
    with team_server.database() as engine, engine.begin() as connection:
        number = people.project(connection, project)
        gone = people.issue(connection, number, "gone", "administer", 1)
        ended = people.issue(connection, number, "ended", "administer")
        people.revoke(connection, number, "ended")
        connection.exec_driver_sql(
            "UPDATE token SET expires = now() - interval '1 s' WHERE person = 'gone'"
        )
    forged = good[:-1] + ("A" if good[-1] != "A" else "B")
    path = f"/api/p/{project}/runs"
    for token in (forged, gone, ended, "", "foliot_" + "x" * 43, "x" * 5000, "' OR 1=1 --", "\xff"):
        status, headers, said = team_server.ask("GET", path, token)
        assert status in {401, 429}, token
        assert project not in said.decode()
        assert headers["x-content-type-options"] == "nosniff"
    assert team_server.ask("GET", path, good)[0] == 200
    # The database has no token, only its hash.
    with team_server.database() as engine, engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT sha256::text, person FROM token").all()
    assert good not in str(kept) and sha256(good.encode()).hexdigest() in str(kept)


def test_a_role_may_what_it_says_and_no_more(team_server):
    project, [reads, records, administers] = team_server.project("read", "record", "administer")
    at = f"/api/p/{project}"
    asked = {"identities": []}
    new = {"person": "eve", "role": "administer"}
    bench = {"board": "b", "suite": "s"}
    for method, path, told, statuses in (
        ("GET", "runs", None, (200, 200, 200)),
        ("POST", "missing", asked, (403, 200, 200)),
        ("POST", "live/" + "0" * 32, bench, (403, 204, 409)),  # the administrator's is another's
        ("GET", "tokens", None, (403, 403, 200)),
        ("POST", "tokens", new, (403, 403, 201)),
        ("GET", "audit", None, (403, 403, 200)),
        ("DELETE", "tokens/eve", None, (403, 403, 200)),
    ):
        found = tuple(team_server.json(method, f"{at}/{path}", token, told)[0]
                      for token in (reads, records, administers))  # fmt: skip
        assert found == statuses, path
    _, audit = team_server.json("GET", f"{at}/audit", administers)
    assert [(one["action"], one["what"], one["person"]) for one in audit] == [
        ("revoke", "eve", "administer-2"), ("token", "eve may administer", "administer-2"),
    ]  # fmt: skip


def test_another_project_is_as_one_that_is_not_there(team_server, tmp_path, document):
    mine, [me] = team_server.project("administer")
    other, [them] = team_server.project("administer")
    there, client = team_server.store(tmp_path / "b", other, them)
    team.keep(there, name="secret")
    with client:
        transfer.push(there, client, QUIET)
        [(_, identity)] = client.get_json("documents")["documents"]
        kind = client.get_json("kinds")[0]["id"]
    [kept] = there.runs()
    for path in ("runs", "kinds", "documents", f"documents/{identity}", "audit", "tokens", "live",
                 f"kinds/{kind}/history"):  # fmt: skip
        there_status, said_there = team_server.json("GET", f"/api/p/{other}/{path}", me)
        none_status, said_none = team_server.json("GET", f"/api/p/no-such/{path}", me)
        assert (there_status, said_there) == (none_status, said_none) and there_status == 404
    # Nor by its name within one's own project.
    for path in (f"/api/p/{mine}/documents/{identity}", f"/api/p/{mine}/kinds/{kind}/history",
                 f"/p/{mine}/runs/{kept.id}", f"/p/{mine}/logs/{kept.log_sha256}",
                 f"/p/{mine}/history/{kind}", f"/p/{mine}/report?run={kept.id}"):  # fmt: skip
        assert team_server.ask("GET", path, me)[0] == 404, path
    # To claim that one has another's log brings nothing of it.
    claims = replace(document, log_sha256=kept.log_sha256, log_bytes=99)
    sent = zlib.compress(claims.line + b"\n")
    path = f"/api/p/{mine}/documents/{claims.identity}"
    assert team_server.ask("PUT", path, me, sent)[0] == 201
    assert team_server.ask("GET", f"/p/{mine}/logs/{kept.log_sha256}", me)[0] == 404
    # A token that is made here is one of this project only.
    _, made = team_server.json("POST", f"/api/p/{mine}/tokens", me,
                               {"person": "administer-0", "role": "administer"})  # fmt: skip
    assert team_server.json("GET", f"/api/p/{other}/runs", made["token"])[0] == 404


def test_a_session_looks_and_changes_nothing(team_server):
    project, [token] = team_server.project("administer")
    status, headers, _ = team_server.ask("POST", "/login", body=f"token={token}".encode())
    assert status == 303 and headers["location"] == f"/p/{project}/"
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and token not in cookie
    session = {"Cookie": cookie.partition(";")[0]}
    assert team_server.ask("GET", f"/p/{project}/", **session)[0] == 200
    for method, path in (("POST", "tokens"), ("DELETE", "tokens/x"), ("POST", "missing"),
                         ("PUT", "documents/" + "0" * 64)):  # fmt: skip
        body = b"{}"
        assert team_server.ask(method, f"/api/p/{project}/{path}", "", body, **session)[0] == 401
    team_server.ask("POST", "/logout", **session)
    status, headers, _ = team_server.ask("GET", f"/p/{project}/", **session)
    assert (status, headers["location"]) == (303, "/")
    assert team_server.ask("POST", "/login", body=b"token=foliot_wrong")[0] in {401, 429}


@pytest.mark.parametrize("wrong", [
    {"id": "../../etc/pw"}, {"id": "0"}, {"kind": "else"}, {"recorded": "yesterday"},
    {"recorded": "2026-99-99T00:00:00Z"}, {"source": "\x1b]0;owned\x07"}, {"source": "x" * 501},
    {"source": 7}, {"log_bytes": -1}, {"log_bytes": True}, {"log_sha256": "../x"}, {"runs": ()},
    {"source": "\u202egnp.exe"}, {"source": "a\0b"},
], ids=str)  # fmt: skip
def test_what_foliot_never_writes_is_refused_by_its_fields(put, document, wrong):
    status, said = put(replace(document, **wrong))
    assert status == 422, said


@pytest.mark.parametrize("wrong", [
    {"board": 7}, {"board": ["x"]}, {"configuration": [{}]}, {"unit": None}, {"dirty": "yes"},
    {"board": "\x1b[2J"}, {"clock_hz": "1"}, {"clock_hz": float("inf")}, {"counter": 1},
    {"suite": "x" * 501},
], ids=str)  # fmt: skip
def test_what_foliot_never_writes_is_refused_by_its_runs(put, document, wrong):
    status, said = put(changed(document, **wrong))
    assert status == 422, said


@pytest.mark.parametrize("figures", [
    "[]x", "{}", "[1]", "[" * 50_000 + "]" * 50_000, '[{"id":"a","text":"b","value":NaN}]',
    '[{"id":"a","text":"b","value":1e999}]', '[{"id":"a","text":"b","value":"1"}]',
    '[{"id":"","text":"b","value":1}]', '[{"id":"a","text":"\\u0000","value":1}]',
    '[{"id":"a","text":"b","value":1' + "0" * 5000 + "}]",
], ids=lambda text: text[:24])  # fmt: skip
def test_figures_that_are_none_are_refused(put, document, figures):
    status, said = put(replace(document, runs=(replace(document.runs[0], figures=figures),)))
    assert status == 422, said


@pytest.mark.slow
@pytest.mark.needs("team")
def test_a_run_that_somebody_changed_anywhere_is_refused_or_recorded(document):
    """Whatever stands in a place of its JSON: it is refused, or can be judged and kept."""
    from foliot.server.record import prepared

    generator = random.Random(1)
    values = [None, True, -1, 0, 1e308, 5e-324, 10**12, "", "x", [], [[]], {}, {"a": 1}, [1, 2]]
    found = {"refused": 0, "kept": 0}
    for _ in range(600):
        texts = [document.runs[0].facts, document.runs[0].figures]
        which = generator.randrange(2)
        told = json.loads(texts[which])
        change(generator, told, generator.choice(values))
        texts[which] = json.dumps(told)
        one = Recorded(document.runs[0].id, "x", *texts)
        try:
            [run] = runs_of(replace(document, runs=(one,)))
            prepared(one, run)
            found["kept"] += 1
        except Refused:
            found["refused"] += 1
    assert found["refused"] > 100 and found["kept"] > 50, found


def change(generator: random.Random, told, value: object) -> None:
    """Put a value in the place of some part, however deep."""
    while True:
        keys = list(told) if isinstance(told, dict) else list(range(len(told)))
        key = generator.choice(keys)
        part = told[key]
        if not part or not isinstance(part, dict | list) or generator.random() < 0.2:
            told[key] = value
            return
        told = part


def test_what_is_no_document_is_refused(put, document):
    line = document.line
    for body in (
        b"",
        b"x",
        zlib.compress(b""),
        zlib.compress(line)[:-3],
        zlib.compress(b"[]"),
        zlib.compress(line) + b"more",
        zlib.compress(b"\xff\xfe"),
        zlib.compress(b"7"),
    ):
        status, _ = put(document, body, sha256(b"").hexdigest())
        assert status == 422, body[:20]
    assert put(document, zlib.compress(line), "0" * 64)[0] == 422  # another's name
    other_form = json.dumps(json.loads(line)).encode()
    assert put(document, zlib.compress(other_form), sha256(other_form).hexdigest())[0] == 422
    assert put(document, log=b"not its log")[0] == 422
    assert put(document)[0] == 201  # nothing of all that stood in its way


def test_another_document_does_not_take_a_ones_place(put, document, team_server):
    assert put(document)[0] == 201
    assert put(document)[0] == 200
    assert put(replace(document, source="other"))[0] == 409
    run = Recorded("0123456789ab", "x", document.runs[0].facts, document.runs[0].figures)
    assert put(replace(document, id="0123456789ab"))[0] == 409  # its run is another's
    assert put(replace(document, id="0123456789ab", runs=(run, run)))[0] == 422
    assert put(replace(document, id="0123456789ab", runs=(run,)))[0] == 201


def test_megabytes_are_not_read_and_a_bomb_is_not_unpacked(team_server):
    project, [token] = team_server.project("record")
    at = f"/api/p/{project}"
    big = {"Content-Length": str(1 << 40)}
    for method, path in (
        ("POST", f"{at}/missing"),
        ("POST", "/login"),
        ("PUT", f"{at}/documents/x"),
    ):
        status, _, _ = team_server.ask(method, path, token, None, **big)
        assert status == 413, path
    for length in ("-1", "1e3", "x", "9" * 40):
        head = f"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", team_server.port), team.LIMIT_S) as line:
            line.sendall(head.encode())
            assert line.recv(100).split()[1] in {b"400", b"413"}, length
    # Of no announced length, in pieces.
    status, _, _ = team_server.ask(
        "POST", f"{at}/missing", token, (b"x" * 65536 for _ in range(20))
    )
    assert status == 413
    bomb = zlib.compress(b"0" * (80 << 20), 9)
    assert len(bomb) < 1 << 20
    status, said = team_server.json("PUT", f"{at}/documents/{'0' * 64}", token)
    assert status == 422
    status, _, said = team_server.ask("PUT", f"{at}/documents/{'0' * 64}", token, bomb)
    assert status == 422 and b"larger than 64 MiB" in said
    status, _, _ = team_server.ask("POST", f"{at}/missing", token, b"[" * 500_000,
                                   **{"Content-Type": "application/json"})  # fmt: skip
    assert status in {400, 422}


def test_sql_and_paths_are_words(team_server, tmp_path):
    from urllib.parse import quote

    project, [token] = team_server.project("administer")
    store, client = team_server.store(tmp_path / "a", project, token)
    team.keep(store, name=SQL, board=SQL[:20])
    with client:
        transfer.push(store, client, QUIET)
        assert client.get_json(f"runs?name={quote(SQL)}")["runs"][0]["name"] == SQL
        kind = client.get_json("kinds")[0]
        assert kind["board"] == SQL[:20]
    for path in (
        f"/api/p/{project}/runs?before={quote(SQL)}", f"/api/p/{project}/runs?name=%00",
        f"/api/p/{project}/runs?before=2026,{'9' * 18}", f"/api/p/{project}/runs?before=%00,1",
        f"/api/p/{project}/kinds/{quote(SQL)}/history",
        f"/api/p/{project}/kinds/99999999999/history",
        f"/api/p/{project}/kinds/{kind['id']}/history?row={quote(SQL)}",
        f"/api/p/{project}/documents/{quote('../../../etc/passwd', safe='')}",
        f"/p/{project}/logs/..%2f..%2f..%2fetc%2fpasswd", f"/p/{project}/../../etc/passwd",
        f"/p/{project}/runs/{quote(SQL)}", f"/p/{project}/report?run={quote(SQL)}",
        f"/p/{project}/report?run=%00", f"/p/{project}/history/{kind['id']}?row=%00",
        f"/p/{project}/?before={quote(SQL)}", f"/p/{quote(SQL)}/", "/p/%00/", "/etc/passwd",
        "//etc/passwd", f"/p/{project}/" + "?run=x" * 200,
    ):  # fmt: skip
        status, headers, said = team_server.ask("GET", path, token)
        assert status in {200, 404, 422}, (path, status, said)
        assert b"root:" not in said and b"Traceback" not in said
        assert headers["x-content-type-options"] == "nosniff"
    with client:
        assert len(client.get_json("runs")["runs"]) == 1


def test_who_asks_too_often_waits_and_others_do_not(team_server):
    """Of a server that gives nothing back over time, so that no load of this machine matters."""
    from foliot.server.application import Place, Settings, application, server

    project, [hasty, other] = team_server.project("read", "read")
    settings = Settings(per_s=0, burst=5, failures_per_s=0, failures=2)
    path = f"/api/p/{project}/live"
    with team_server.database() as engine, socket.create_server(("127.0.0.1", 0)) as listening:
        served = server(application(engine, settings), Place(), settings)
        thread = threading.Thread(target=served.run, kwargs={"sockets": [listening]})
        thread.start()
        asked = team.Asker(listening.getsockname()[1])
        found = [asked.ask("GET", path, hasty) for _ in range(7)]
        assert [status for status, _, _ in found] == [200] * 5 + [429] * 2
        assert found[-1][1]["retry-after"] == "1"
        assert asked.ask("GET", path, other)[0] == 200
        wrong = [asked.ask("GET", path, "foliot_" + "x" * 43)[0] for _ in range(3)]
        assert wrong == [401, 401, 429]
        assert asked.ask("GET", path, other)[0] == 200  # who has a token is not kept out by them
        served.should_exit = True
        thread.join(timeout=team.LIMIT_S)
        assert not thread.is_alive()


@pytest.mark.needs("team")
def test_a_rate_is_a_burst_and_then_so_many_a_second():
    from foliot.server.limits import Rate

    now = [0.0]
    rate = Rate(2.0, 3, lambda: now[0])
    assert [rate.take("a") for _ in range(4)] == [True, True, True, False]
    assert rate.take("b")
    now[0] = 1.0
    assert [rate.take("a") for _ in range(3)] == [True, True, False]


def test_markup_in_names_rows_and_logs_is_text(team_server, tmp_path):
    project, [token] = team_server.project("record")
    store, client = team_server.store(tmp_path / "a", project, token)
    team.keep(store, name=MARKUP, board=MARKUP, suite="</script>" + MARKUP)
    with client:
        transfer.push(store, client, QUIET)
        kind = client.get_json("kinds")[0]["id"]
    [kept] = store.runs()
    for path in ("", f"history/{kind}", f"runs/{kept.id}", f"runs/{kept.id}?history=1"):
        status, headers, said = team_server.ask("GET", f"/p/{project}/{path}", token)
        assert status == 200 and b"<img" not in said and b"&lt;img" in said, path
        assert (
            "'unsafe-inline'" not in headers["content-security-policy"].partition("script-src")[2]
        )
        assert said.count(b"<script>") == (0 if "history/" in path else 1)
    status, headers, said = team_server.ask("GET", f"/p/{project}/logs/{kept.log_sha256}", token)
    assert said == documents.log_of(store, next(documents.documents(store)))
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert "sandbox" in headers["content-security-policy"]


def test_a_server_that_means_harm_gets_nothing_into_a_store(tmp_path, document):
    """What is pulled is looked at as what is pushed is; a list that goes in a circle ends."""
    from foliot.model.errors import FoliotError

    store = transfer.Store(tmp_path / "s")
    bad = replace(document, source="\x1b[2J")

    class Hostile:
        remote = type("", (), {"name": "bad"})

        def __init__(self, identity: str, sent: bytes, following: object = None) -> None:
            self.told = {"documents": [[1, identity]], "next": following}
            self.sent = sent

        def get(self, _: str) -> bytes:
            return self.sent

        def get_json(self, _: str) -> object:
            return self.told

    packed = zlib.compress(document.line + b"\n")
    for one in (Hostile(bad.identity, zlib.compress(bad.line + b"\n")),
                Hostile("0" * 64, packed), Hostile(document.identity, b"x")):  # fmt: skip
        assert len(transfer.pull(store, one, QUIET).refused) == 1
    for one in (Hostile("../../x", packed), Hostile(document.identity, packed, 0),
                Hostile(document.identity, packed, "1")):  # fmt: skip
        with pytest.raises(FoliotError):
            transfer.pull(store, one, QUIET)
    assert len(store.runs()) <= 1  # what was whole before the list went in a circle
