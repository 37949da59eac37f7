# SPDX-License-Identifier: Apache-2.0
"""Push, pull and sync against a real server and a real PostgreSQL: all there, and once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import team

from foliot.remote import transfer
from foliot.show.terminal import Progress
from foliot.store import documents
from foliot.store.exchange import pack, unpack
from foliot.store.sqlite import Store

QUIET = Progress(quiet=True)
CLIENTS, EACH = 8, 12


def of(store: Store) -> dict[str, documents.Document]:
    return {one.identity: one for one in documents.documents(store)}


def test_what_is_pushed_is_pulled_letter_by_letter_and_nothing_twice(team_server, tmp_path):
    project, [alice, bob] = team_server.project("record", "read")
    here, client = team_server.store(tmp_path / "a", project, alice)
    team.keep(here, name="one")
    team.keep(here, 3, "three", shift=10)
    there, reader = team_server.store(tmp_path / "b", project, bob)
    with client, reader:
        assert transfer.push(here, client, QUIET).done == 2
        again = transfer.push(here, client, QUIET)
        assert (again.done, again.there) == (0, 2)
        assert transfer.pull(there, reader, QUIET).done == 2
        again = transfer.pull(there, reader, QUIET)
        assert (again.done, again.there) == (0, 2)
    assert of(here) == of(there)
    for one in of(here).values():
        assert documents.log_of(there, one) == documents.log_of(here, one) != b""
    assert [kept.name for kept in there.runs()] == ["one", "three/0", "three/1", "three/2"]
    assert list(there.load_all(there.runs())) == list(here.load_all(here.runs()))


def test_two_people_who_sync_have_the_same(team_server, tmp_path, foliot):
    project, tokens = team_server.project("record", "record")
    stores = []
    for place, token in enumerate(tokens):
        store, _ = team_server.store(tmp_path / str(place), project, token)
        team.keep(store, name=f"by-{place}", shift=place)
        stores.append(store)
    for store in [*stores, stores[0]]:
        done = foliot("sync", "--store", store.directory, "--quiet")
        assert done.returncode == 0, done.stderr
    assert of(stores[0]).keys() == of(stores[1]).keys()
    assert done.stdout == "1 document fetched, 1 there already\n0 documents sent, 2 there already\n"
    run = stores[0].named("by-0")[0].id
    team.keep(stores[0], name="other", shift=7)
    team.keep(stores[0], name="left", shift=8)
    done = foliot("push", "team", "other", run, "--store", stores[0].directory, "--quiet")
    assert done.stdout == "1 document sent, 1 there already\n"


def test_a_transfer_that_is_cut_anywhere_goes_on_where_it_was(team_server, tmp_path):
    """The client dies after each request in turn, before it hears the answer."""
    project, [token] = team_server.project("record")
    here, _ = team_server.store(tmp_path / "a", project, token)
    for number in range(6):
        team.keep(here, name=str(number), shift=number)

    class Cut(transfer.Client):
        def __init__(self, left: int) -> None:
            super().__init__(client.remote)
            self.left = left

        def _once(self, *what):
            answer = super()._once(*what)
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return answer

    _, client = team_server.store(tmp_path / "a", project, token)
    for left in range(4):
        with Cut(left) as cut, pytest.raises(KeyboardInterrupt):
            transfer.push(here, cut, QUIET)
    there, reader = team_server.store(tmp_path / "b", project, token)
    with client, reader:
        assert transfer.push(here, client, QUIET).done == 0  # the sixth got there, unheard
        for left in range(4):
            with Cut(left) as cut, pytest.raises(KeyboardInterrupt):
                transfer.pull(there, cut, QUIET)
        transfer.pull(there, reader, QUIET)
    assert of(here) == of(there)


@pytest.mark.slow
@pytest.mark.needs("team")
def test_eight_record_at_once_and_the_server_is_killed_in_the_middle(tmp_path):
    """Kill -9 of server and database, with a power cut's consequences; everybody goes on."""
    server = team.Server()
    try:
        server.start()
        project, tokens = server.project(*["record"] * CLIENTS)
        stores = []
        for place, token in enumerate(tokens):
            store, _ = server.store(tmp_path / str(place), project, token)
            for number in range(EACH):
                team.keep(store, name=f"{place}-{number}", shift=100 * place + number)
            stores.append(store)
        others = [
            subprocess.Popen(
                [sys.executable, "-P", "-m", "foliot", "push", "--quiet",
                 "--store", str(store.directory)],
                env={**os.environ, "PYTHONPATH": str(team.ROOT / "lab")},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            ) for store in stores[1:]
        ]  # fmt: skip

        class Killer(transfer.Client):
            """One of the eight, in whose middle the server is killed, and started anew."""

            def put(self, *what) -> None:
                self.sent = getattr(self, "sent", 0) + 1
                if self.sent == EACH // 2:
                    server.kill()
                    server.start()
                super().put(*what)

        with Killer(server.store(stores[0].directory, project, tokens[0])[1].remote) as killer:
            assert transfer.push(stores[0], killer, QUIET).done >= EACH - 1
        said = [one.communicate(timeout=team.LIMIT_S)[0].decode() for one in others]
        for store, client, words in zip(stores[1:], others, said, strict=True):
            if client.returncode != 0:  # it lost its patience: whoever comes again, goes on
                assert "does not answer" in words, words
                with server.store(store.directory, project, tokens[0])[1] as again:
                    transfer.push(store, again, QUIET)
        everything = server.store(tmp_path / "all", project, tokens[0])
        with everything[1] as reader:
            transfer.pull(everything[0], reader, QUIET)
            numbers = [n for n, _ in reader.get_json("documents")["documents"]]
        wanted = {identity: one for store in stores for identity, one in of(store).items()}
        assert of(everything[0]) == wanted
        assert numbers == list(range(1, CLIENTS * EACH + 1))
    finally:
        server.remove()


@pytest.mark.slow
@pytest.mark.needs("team")
def test_a_database_that_was_killed_starts_when_nothing_is_left_of_the_old_one():
    """It is killed, and dead: but its parent, or process 1, looks after it only later."""
    from foliot.server import postgres

    server = team.Server()  # a place that PostgreSQL's user may enter
    try:
        with postgres.running(server.data) as url:
            number = int((server.data / "postgresql" / "postmaster.pid").read_text().split()[0])
            os.killpg(number, signal.SIGKILL)
            reaping = threading.Timer(1.0, os.waitpid, (number, 0))
            reaping.start()
            with postgres.running(server.data) as anew:
                assert anew != url
                assert not reaping.is_alive()
    finally:
        server.remove()


@pytest.mark.slow
@pytest.mark.needs("team")
def test_a_backup_is_restored_and_what_came_since_is_pushed_anew(team_server, tmp_path, foliot):
    project, [token] = team_server.project("administer")
    here, client = team_server.store(tmp_path / "a", project, token)
    team.keep(here, name="before")
    file = tmp_path / "team.backup"
    with client:
        transfer.push(here, client, QUIET)
        done = foliot("serve", "backup", file, "--data", team_server.data, "--quiet")
        assert done.returncode == 0, done.stderr
        assert file.stat().st_mode & 0o777 == 0o600
        team.keep(here, name="after", shift=5)
        transfer.push(here, client, QUIET)
    done = foliot("serve", "restore", file, "--data", team_server.data, "--quiet")
    assert done.returncode == 1 and "only into an empty one" in done.stderr
    other = team.Server()
    try:
        done = foliot("serve", "restore", file, "--data", other.data, "--quiet")
        assert done.returncode == 0, done.stderr
        other.start()
        there, reader = other.store(tmp_path / "b", project, token)
        with reader:
            assert transfer.pull(there, reader, QUIET).done == 1
            assert [one["action"] for one in reader.get_json("audit")] == ["record"]
        with other.store(tmp_path / "a", project, token)[1] as client:
            found = transfer.push(here, client, QUIET)
            assert (found.done, found.there) == (1, 1)
        assert other.stop() == 128 + team.signal.SIGTERM
        assert not list(other.data.glob("postgresql/postmaster.pid"))
    finally:
        other.remove()


def test_documents_become_visible_in_the_order_of_their_numbers(team_server, tmp_path):
    """Whoever asks for those after a number, while four others record, misses none."""
    project, tokens = team_server.project(*["record"] * 4)
    stores = []
    for place, token in enumerate(tokens):
        store, client = team_server.store(tmp_path / str(place), project, token)
        for number in range(5):
            team.keep(store, name=f"{place}-{number}", shift=10 * place + number)
        stores.append((store, client))

    def send(one) -> None:
        with one[1] as client:
            transfer.push(one[0], client, QUIET)

    seen: list[tuple[int, str]] = []
    watcher = team_server.store(tmp_path / "w", project, tokens[0])[1]
    with ThreadPoolExecutor(4) as pool, watcher:
        senders = [pool.submit(send, one) for one in stores]
        while not all(sender.done() for sender in senders):
            after = seen[-1][0] if seen else 0
            seen += watcher.get_json(f"documents?after={after}")["documents"]
        seen += watcher.get_json(f"documents?after={seen[-1][0] if seen else 0}")["documents"]
        for sender in senders:
            sender.result()
    assert [number for number, _ in seen] == list(range(1, 21))
    assert {identity for _, identity in seen} == {i for store, _ in stores for i in of(store)}


def test_what_the_server_refuses_of_one_document_keeps_no_other_back(team_server, tmp_path, foliot):
    project, [token] = team_server.project("record")
    here, _ = team_server.store(tmp_path / "a", project, token)
    team.keep(here, name="first")
    team.keep(here, name="bad\x1b[31m", shift=1)
    team.keep(here, name="last", shift=2)
    done = foliot("push", "--store", here.directory, "--quiet")
    assert done.returncode == 1
    assert done.stdout == "2 documents sent, 0 there already\n"
    assert "control characters" in done.stderr and "\x1b" not in done.stderr


def test_the_schema_of_the_migrations_is_the_tables(team_server):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from foliot.server.tables import metadata

    with team_server.database() as engine, engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


@pytest.mark.slow
@pytest.mark.needs("team")
def test_a_schema_goes_up_and_down_and_a_newer_one_is_left_alone():
    from sqlalchemy import inspect, text

    from foliot.model.errors import FoliotError
    from foliot.server.database import downgrade, upgrade

    server = team.Server()
    try:
        with server.database() as engine:
            for _ in range(2):
                upgrade(engine)
                upgrade(engine)
                assert "run" in inspect(engine).get_table_names()
                downgrade(engine, "base")
                assert inspect(engine).get_table_names() == ["alembic_version"]
            with engine.begin() as connection:
                connection.execute(text("INSERT INTO alembic_version VALUES ('9999')"))
            with pytest.raises(FoliotError, match="newer foliot"):
                upgrade(engine)
    finally:
        server.remove()


def test_the_api_is_described(team_server):
    status, told = team_server.json("GET", "/api/openapi.json")
    assert status == 200 and told["openapi"].startswith("3.")
    assert "/api/p/{project}/documents/{identity}" in told["paths"]
    assert json.dumps(told).count('"HTTPBearer"') > 5


def test_a_document_travels_in_one_form_only(tmp_path):
    store = Store(tmp_path)
    team.keep(store, 2, "x")
    [one] = documents.documents(store)
    sent = pack(one, documents.log_of(store, one))
    found, log = unpack(sent, one.identity)
    assert found == one and log == documents.log_of(store, one)
