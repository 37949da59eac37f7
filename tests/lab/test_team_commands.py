# SPDX-License-Identifier: Apache-2.0
"""The commands about a team's server, as users type them: two make one, one more joins it."""

from __future__ import annotations

import subprocess

import pytest
import team
import typer

import logs
from foliot.commands import bench
from foliot.remote import live, remotes
from foliot.store.sqlite import Store


@pytest.mark.slow
@pytest.mark.needs("team")
def test_two_commands_make_a_server_with_tls_and_one_joins_it(foliot, tmp_path):
    certificate, key = tmp_path / "server.pem", tmp_path / "server.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
         str(key), "-out", str(certificate)], check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    server = team.Server("--certificate", str(certificate), "--key", str(key))
    try:
        done = foliot("serve", "token", "alice", "--role", "administer", "--data", server.data)
        assert done.returncode == 0, done.stderr
        token = done.stdout.strip()
        assert "can't be shown again" in done.stderr and token not in done.stderr
        server.start()
        url = f"https://localhost:{server.port}/p/lab"
        given = {"given": token + "\n", "FOLIOT_REMOTE_TOKEN": ""}
        refused = foliot("remote", "add", "team", url, **given)
        assert refused.returncode == 1 and "certificate is not trusted" in refused.stderr
        assert foliot("remote").stdout == ""
        done = foliot("remote", "add", "team", url, "--ca", certificate, **given)
        assert done.returncode == 0, done.stderr
        assert foliot("remote").stdout == f"{'team':<16}{url}\n"
        team.keep(Store(), name="mine")
        assert foliot("push", "-q").stdout == "1 document sent, 0 there already\n"
        done = foliot("serve", "revoke", "alice", "--data", server.data, "-q")
        assert done.stdout == "1 token of alice in lab ended\n"
        done = foliot("push", "-q")
        assert done.returncode == 1 and "expired" in done.stderr
        assert foliot("remote", "remove", "team").returncode == 0
        assert "no server is known" in foliot("pull").stderr
    finally:
        server.remove()


@pytest.mark.parametrize(("url", "says"), [
    ("http://example.com/p/x", "in the clear"), ("https://example.com", "https://HOST/p/PROJECT"),
    ("ftp://localhost/p/x", "https://HOST"), ("https://a:b@localhost/p/x", "https://HOST"),
    ("https://localhost/p/../x", "https://HOST"), ("https://localhost:x/p/x", "https://HOST"),
    ("http://localhost.evil.com/p/x", "in the clear"), ("https://localhost/p/x?y", "https://HOST"),
    ("", "https://HOST"), ("http://[::1/p/x", "https://HOST"),
])  # fmt: skip
def test_an_address_that_a_token_may_not_travel_to(tmp_path, url, says):
    with pytest.raises(remotes.UsageError) as refused:
        remotes.add(Store(tmp_path), "x", url, "a-good-token", None)
    assert says in refused.value.message
    assert not (tmp_path / "remotes.json").exists()


def test_tokens_are_in_a_file_that_nobody_else_reads(tmp_path):
    store = Store(tmp_path)
    remotes.add(store, "one", "http://127.0.0.1:1/p/x/", "a-good-token", None)
    remotes.add(store, "two", "http://[::1]:2/p/y", "another-token", None)
    assert (tmp_path / "remotes.json").stat().st_mode & 0o777 == 0o600
    assert [(one.url, one.project) for one in remotes.names(store)] == [
        ("http://127.0.0.1:1/p/x", "x"), ("http://[::1]:2/p/y", "y"),
    ]  # fmt: skip
    with pytest.raises(remotes.UsageError, match="which one of one, two"):
        remotes.find(store, None)
    (tmp_path / "remotes.json").write_text("{")
    with pytest.raises(remotes.FoliotError, match="damaged"):
        remotes.names(store)


def test_a_server_that_is_not_there_is_said_and_nothing_kept(foliot, tmp_path):
    done = foliot(
        "remote", "add", "x", "http://127.0.0.1:9/p/x", FOLIOT_REMOTE_TOKEN="a-good-token"
    )
    assert done.returncode == 1 and "does not answer" in done.stderr
    assert foliot("remote").stdout == ""


@pytest.mark.needs("team")
@pytest.mark.parametrize(("words", "says"), [
    (("--host", "0.0.0.0"), "in the clear"), (("nothing",), "unknown word"),
    (("token",), "takes a name"), (("token", "Alice!"), "a person's name"),
    (("--database", "mysql://x"), "postgresql://"),
])  # fmt: skip
def test_what_serve_does_not_take(words, says, foliot, team_server):
    data = () if "--database" in words else ("--data", team_server.data)
    done = foliot("serve", *words, *data, "--port", "0", "-q", limit_s=120)
    assert done.returncode in {1, 2} and says in done.stderr, done.stderr


def test_a_bench_is_shown_there_and_what_it_recorded_is_sent(
    team_server, tree, own_store, capsys, monkeypatch
):
    """`bench --remote`, whole, of an application that prints a log; once, and repeated."""
    monkeypatch.setattr(bench.boards, "check_measures", lambda _: None)  # `fake` is a process
    monkeypatch.setattr(live, "ANSWER_S", 120.0)  # of a busy machine nothing is to get lost
    project, [token] = team_server.project("record")
    store, client = team_server.store(own_store, project, token)
    team.keep(store, name="recorded before")  # which is not asked for
    header = {**logs.HEADER, "board": "fake", "suite": "one"}
    tree.suite("one", logs.log([logs.row("a.b", [50] * 200)], header))
    for repeat in (1, 2):
        with pytest.raises(typer.Exit) as end:
            bench.command(board="fake", suite="one", remote="team", repeat=repeat)
        assert end.value.exit_code == 0
        assert "1 document sent, 0 there already" in capsys.readouterr().out
    with client:
        runs = client.get_json("runs")["runs"]
        told = client.get_json("live")
    assert sorted(one["name"] for one in runs) == ["", "fake-one/1", "fake-one/2"]
    assert [(one["board"], one["suite"], one["ended"]) for one in told] == [
        ("fake", "one", True)
    ] * 2
    assert told[0]["rows"] == [["a.b", 50.0]]


def test_a_bench_for_a_server_has_something_to_send(foliot):
    done = foliot("bench", "--remote", "team", "--no-record", "-b", "mps2_an385")
    assert done.returncode == 2 and "--no-record" in done.stderr
    done = foliot("bench", "--remote", "team", "-b", "mps2_an385")
    assert done.returncode == 2 and "no server is known" in done.stderr
