# SPDX-License-Identifier: Apache-2.0
"""The record of runs: what it keeps, that it only grows, and what it refuses."""

from __future__ import annotations

import hashlib
import io
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pages
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foliot.model import archive
from foliot.model.errors import FoliotError, UsageError
from foliot.model.run import Failure, Footprint, Origin, Reference, Row
from foliot.reference import systems
from foliot.store.selection import reference, select, select_one
from foliot.store.sqlite import Store
from foliot.store.writer import Recording, record

LAB = Path(__file__).resolve().parents[2] / "lab"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def run_of(board="rpi_pico"):
    return systems.load(f"zephyr-4.3@{board}")


def keep(store, run=None, name="", log=b"a log\n"):
    return record(store, run or run_of(), io.BytesIO(log), "import", "a source", name)


def keep_one(store):
    keep(store)
    return store.recent()


def test_a_run_comes_back_as_it_was(store):
    run_id = keep(store, name="pico")
    (kept,) = store.runs()
    assert (kept.id, kept.name, kept.board, kept.unit) == (run_id, "pico", "rpi_pico", "cycles")
    assert (kept.kernel, kept.version) == ("Zephyr", "v4.3.0-3523-g588d22464d13")
    assert (kept.configuration, kept.row_count) == (("default",), 47)
    assert kept.log_sha256 == hashlib.sha256(b"a log\n").hexdigest()
    assert store.log_path(kept.log_sha256).read_bytes() == b"a log\n"
    assert store.load(kept) == reference("zephyr-4.3@rpi_pico").run


def test_looking_makes_no_store(store):
    assert store.runs() == []
    assert store.recent() is None
    assert store.named("x") == []
    assert not store.directory.exists()


def test_everything_of_an_own_run_is_kept(store):
    row = Row(
        "a.b", "Text ñ", 4, 9, 7, 8, 9, 9, 9, 3, 8.25, 2, ((7, 1), (8, 2), (9, 1)), {"freed": 4},
        ("tick",), True, 6.5, Reference("Zephyr", 12.5), None, {"batch": 10},
    )  # fmt: skip
    origin = Origin("Foliot", "abc", "t", "s", (1, 9), "console", "id", "QEMU 7", ("q", "-x"))
    run = replace(
        run_of(), rows=(row,), failures=(Failure("c.d", "no heap"),), successful=False,
        footprint=Footprint(1, 2, 3, {"thread": 64}, (4, 5, 6)), published=False, origin=origin,
        records=({"type": "signals", "events": [[1, 2]]},),
    )  # fmt: skip
    keep(store, run)
    (kept,) = store.runs()
    assert archive.load(*archive.dump(run)) == run
    loaded = store.load(kept)
    assert loaded.rows[0] == replace(row, doubts=loaded.rows[0].doubts)
    assert "tick" in loaded.rows[0].doubts
    assert (loaded.footprint, loaded.origin, loaded.failures) == (
        run.footprint, origin, run.failures,
    )  # fmt: skip


def test_names_ids_and_references(store):
    first, second, third = keep(store, name="one"), keep(store), keep(store, name="one")
    assert [kept.id for kept in store.runs()] == [first, second, third]
    assert select_one("last", store).kept.id == third
    assert select_one("last~2", store).kept.id == first
    assert select_one("one", store).kept.id == third
    assert select_one(second, store).kept.id == second
    ids = (first, second, third)
    prefix = next(
        second[:n] for n in range(2, 13) if sum(i.startswith(second[:n]) for i in ids) == 1
    )
    assert select_one(prefix, store).kept.id == second
    assert select_one("zephyr-3.3@mps2_an385", store).run.header.unit == "insn"
    assert len(select(["zephyr-4.3@*", "zephyr-4.3@rpi_pico", "one"], store)) == 9


def test_a_document_is_a_group(store):
    with Recording(store, "import", "page") as recording:
        for board in ("rpi_pico", "rpi_pico2"):
            recording.add(run_of(board), f"page/{board}")
        recording.keep(io.BytesIO(b"page"))
    assert [one.name for one in select(["page"], store)] == ["page/rpi_pico", "page/rpi_pico2"]
    assert select_one("page/rpi_pico2", store).title == "rpi_pico2"
    with pytest.raises(UsageError, match="'page' names 2 runs: page/rpi_pico, page/rpi_pico2"):
        select_one("page", store)


@pytest.mark.parametrize(
    ("word", "what"),
    [
        ("nothing", "no run 'nothing'"),
        ("last~7", r"no run 'last~7': the store .* holds 1"),
        ("abcdef", "no run 'abcdef'"),
        ("zephyr-3.3@ibexx", "no run"),
        ("nope*", "no name and no reference matches"),
        ("", "no run ''"),
        ("a/../b", "no run"),
    ],
)
def test_unknown_runs(store, word, what):
    keep(store)
    with pytest.raises(UsageError, match=what):
        select([word], store)


def test_an_ambiguous_beginning(store):
    kept = replace(store.recent() or keep_one(store), id="abcd00000000")
    store.by_id = lambda prefix: [kept, replace(kept, id="abcd11111111")]
    with pytest.raises(UsageError, match="'abcd' begins the ids of 2 runs: abcd0"):
        select(["abcd"], store)


def test_nothing_is_ever_changed_or_taken_away(store):
    keep(store)
    with sqlite3.connect(store.path) as database:
        for statement in (
            "UPDATE run SET name = 'x'", "DELETE FROM run", "DELETE FROM document",
            "UPDATE document SET source = 'x'",
        ):  # fmt: skip
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                database.execute(statement)


def test_a_recording_that_is_not_kept_leaves_nothing(store):
    with Recording(store, "import", "page") as recording:
        recording.add(run_of(), "x")
    assert not store.directory.exists()
    with (
        Recording(store, "import", "page") as recording,
        pytest.raises(FoliotError, match="no run"),
    ):
        recording.keep(None)


WRITER = """
import io, sys
sys.path[:0] = [{lab!r}]
from pathlib import Path
from foliot.reference import systems
from foliot.store.writer import record
from foliot.store.sqlite import Store
run = systems.load("zephyr-4.3@rpi_pico")
store = Store(Path({store!r}))
for n in range({count}):
    record(store, run, io.BytesIO(f"{name} {{n}}".encode() * {size}), "import", "x", f"{name}{{n}}")
    print(n, flush=True)
"""


def writer(store, name, count, size=1):
    script = WRITER.format(
        lab=str(LAB), store=str(store.directory), name=name, count=count, size=size
    )
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)


def test_two_processes_at_once(store):
    children = [writer(store, name, 15) for name in "ab"]
    assert [child.wait(timeout=60) for child in children] == [0, 0]
    names = [kept.name for kept in store.runs()]
    assert sorted(names) == sorted(f"{name}{n}" for name in "ab" for n in range(15))


@pytest.mark.slow
def test_a_process_killed_at_any_moment_loses_its_own_run_at_most(store):
    keep(store, name="older")
    for patience_s in (0.0, 0.01, 0.03):
        child = writer(store, "x", 1000, size=200_000)
        lines = [child.stdout.readline()]
        time.sleep(patience_s)
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.readlines()
        child.wait(timeout=30)
        reported = sum(line.endswith("\n") for line in lines if line)
        kept = store.runs()
        assert kept[0].name == "older"
        mine = [run for run in kept if run.name.startswith("x")]
        assert len(mine) >= reported
        for run in mine:
            assert len(store.load(run).rows) == 47
            log = store.log_path(run.log_sha256).read_bytes()
            assert hashlib.sha256(log).hexdigest() == run.log_sha256
        with sqlite3.connect(store.path) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        before = len(kept)
        keep(store, name="after")
        assert len(store.runs()) == before + 1


def test_unfinished_copies_are_swept_up_later(store):
    keep(store)
    old, new = (store.directory / "logs" / name for name in ("old.part", "new.part"))
    for path in (old, new):
        path.write_bytes(b"half a log")
    os.utime(old, (0, 0))
    keep(store)
    assert not old.exists()
    assert new.exists()


def unchanged(store, action, match):
    before = {path: path.read_bytes() for path in store.directory.rglob("*") if path.is_file()}
    with pytest.raises(FoliotError, match=match) as refusal:
        action()
    assert "\n" not in refusal.value.message
    assert refusal.value.advice
    assert {p: p.read_bytes() for p in store.directory.rglob("*") if p.is_file()} == before


def test_a_store_of_a_newer_foliot(store):
    keep(store)
    with sqlite3.connect(store.path) as database:
        database.execute("PRAGMA user_version = 99")
    for action in (store.runs, store.check_writable, lambda: store.named("x")):
        unchanged(store, action, r"written by a newer foliot \(schema 99, this one reads 1\)")


def test_a_database_of_somebody_else(store):
    store.directory.mkdir()
    with sqlite3.connect(store.path) as database:
        database.execute("CREATE TABLE theirs (x)")
    unchanged(store, store.runs, "no store of foliot's")
    unchanged(store, store.check_writable, "no store of foliot's")


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"x" * 500]
)
def test_a_damaged_store(store, content):
    store.directory.mkdir()
    store.path.write_bytes(content)
    unchanged(store, store.runs, "is damaged|the store")


def test_a_place_that_can_not_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "store")
    with pytest.raises(FoliotError, match="can't be used") as refusal:
        keep(store)
    assert "--store" in refusal.value.advice
    with pytest.raises(FoliotError, match="can't be used"):
        store.check_writable()


def test_a_store_that_can_only_be_read(store, monkeypatch):
    keep(store, name="old")
    connect = sqlite3.connect

    def reading(path, *words, **options):
        address = f"{Path(path).as_uri()}?mode=ro" if not options.get("uri") else path
        return connect(address, *words, **{**options, "uri": True})

    monkeypatch.setattr("foliot.store.sqlite.sqlite3.connect", reading)
    unchanged(store, store.check_writable, "readonly")
    assert [kept.name for kept in store.runs()] == ["old"]


@pytest.mark.parametrize("log_bytes", [10, 3 << 20])
def test_a_full_disk(store, log_bytes):
    keep(store, name="old")
    size = store.path.stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    big = replace(run_of(), rows=run_of().rows * 1000)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (max(size, 1 << 20), before[1]))
        with pytest.raises(FoliotError, match="store"):
            keep(store, big, log=b"x" * log_bytes)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert [kept.name for kept in store.runs()] == ["old"]
    assert len([path for path in (store.directory / "logs").rglob("*") if path.is_file()]) == 1
    keep(store, name="new")
    assert len(store.runs()) == 2


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    row_id=texts, text=texts, value=st.integers(-(2**63), 2**63 - 1) | st.floats(-1e12, 1e12),
    ns=st.none() | st.integers(0, 2**63), extra=st.dictionaries(texts, st.integers() | texts),
    name=texts, board=texts,
)  # fmt: skip
def test_any_row_comes_back(tmp_path_factory, row_id, text, value, ns, extra, name, board):
    store = Store(tmp_path_factory.mktemp("any"))
    row = archive.single(row_id, text, value, ns, **{f"k{k}": v for k, v in extra.items()})
    run = replace(run_of(), rows=(row,), header=replace(run_of().header, board=board))
    keep(store, run, name)
    (kept,) = store.runs()
    assert (kept.name, kept.board) == (name, board)
    loaded = store.load(kept).rows[0]
    assert replace(loaded, doubts=()) == row


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(place=st.integers(0, 10**6), junk=st.binary(min_size=1, max_size=40))
def test_a_garbled_store_never_breaks_with_a_traceback(tmp_path_factory, place, junk):
    store = Store(tmp_path_factory.mktemp("garbled"))
    keep(store, name="a")
    content = bytearray(store.path.read_bytes())
    at = place % len(content)
    content[at : at + len(junk)] = junk
    store.path.write_bytes(bytes(content[: store.path.stat().st_size]))
    try:
        for kept in store.runs():
            store.load(kept)
        keep(store, name="b")
    except FoliotError as error:
        assert "\n" not in error.message


def test_pages_hold_what_the_store_needs():
    assert run_of() == pages.published("rpi_pico")
