# SPDX-License-Identifier: Apache-2.0
"""How long a server with a million runs of 47 rows takes for what its users ask.

The runs are made by the database itself, each with figures of its own, in 21 kinds of which one has
half of them; a run's JSON is a real one's, compressed, the same for all. What took how long is
printed; what fails is a question that reads a table from its beginning to its end, or one of those
that are to be answered at once that takes more than 200 ms of the processors, the server's and the
database's together: how long somebody waits depends on who else works on the machine, too.

    FOLIOT_TEAM_RUNS=100000 ./foliot test --long tests/lab/test_team_figures.py
"""

from __future__ import annotations

import contextlib
import os
import time
import zlib
from pathlib import Path
from statistics import median

import pytest
import team

from foliot.log.reader import parse
from foliot.model import archive
from foliot.remote import transfer
from foliot.show.terminal import Progress

RUNS = int(os.environ.get("FOLIOT_TEAM_RUNS", "1000000"))
ROWS, KINDS, STEP = 47, 21, 50_000
TIMES = 15
AT_ONCE_MS = 200
BY_ITSELF = ("page of a run", "documents' names, 5000")  # neither a history nor a first page

_MADE = """
WITH made AS (
  SELECT i, CASE WHEN mod(i, 2) = 0 THEN 1 ELSE 2 + mod(i / 2, 20) END AS kind,
         to_char(timestamp '2020-01-01' + i * interval '3 min', 'YYYY-MM-DD"T"HH24:MI:SS')
           || '+00:00' AS at,
         (SELECT array_agg((100 + r + mod(i * 7919 + r * 104729, 13))::float8)
          FROM generate_series(1, %(rows)s) r) AS figures
  FROM generate_series(%(first)s::bigint, %(last)s::bigint) i
), documents AS (
  INSERT INTO document (id, project, number, sha256, name, recorded, kind, source, log_sha256,
                        log_bytes, person)
  SELECT i, %(project)s, i, sha256(i::text::bytea), lpad(to_hex(i), 12, '0'), at, 'bench', 'x', '',
         0, 'somebody' FROM made
), runs AS (
  INSERT INTO run (id, project, document, place, name, title, kind, recorded, version, commit,
                   dirty, nominal, valid, shape, figures, marks, weights, row_count)
  SELECT i, %(project)s, i, 0, lpad(to_hex(i), 12, '0'), 'name-' || mod(i, 1000), kind, at, '',
         md5(i::text), false, true, true, 1, figures, repeat('P', %(rows)s),
         '{"footprint.text": 1}', %(rows)s FROM made
)
INSERT INTO content (run, facts, figures) SELECT i, %(facts)s, %(json)s FROM made
"""


def fill(connection, project: int) -> None:
    """Make the kinds, the shape and the runs."""
    ids = [f"semaphore.take.{place}" for place in range(ROWS)]
    records = [team.logs.row(name, [100 + place] * 90 + [101 + place + n * n for n in range(9)])
               for place, name in enumerate(ids)]  # fmt: skip
    facts, figures = archive.dump(parse(team.logs.log(records)))
    execute = connection.exec_driver_sql
    execute("SET statement_timeout = 0")
    execute("SET synchronous_commit = off")
    execute("INSERT INTO shape (id, sha256, rows) VALUES (1, 'x', %(rows)s)", {"rows": ids})
    for kind in range(1, KINDS + 1):
        count = RUNS // 2 if kind == 1 else RUNS // 2 // (KINDS - 1)
        execute("INSERT INTO kind (id, project, kernel, board, suite, unit, configuration, runs, "
                "newest) VALUES (%(kind)s, %(project)s, 'Foliot', %(board)s, 'latency', 'cycles', "
                "'default', %(count)s, %(kind)s)", {"kind": kind, "project": project,
                "board": f"board-{kind}", "count": count})  # fmt: skip
    for first in range(1, RUNS + 1, STEP):
        execute(_MADE, {
            "first": first, "last": min(first + STEP - 1, RUNS), "project": project, "rows": ROWS,
            "facts": zlib.compress(facts.encode()), "json": zlib.compress(figures.encode()),
        })  # fmt: skip
        connection.commit()
    execute("UPDATE project SET documents = %(n)s WHERE id = %(p)s", {"n": RUNS, "p": project})
    for table, last in (("run", RUNS), ("document", RUNS), ("kind", KINDS), ("shape", 1)):
        execute("SELECT setval(%(table)s, %(n)s)", {"table": f"{table}_id_seq", "n": last})
    connection.commit()


@pytest.mark.long
@pytest.mark.needs("team")
def test_a_million_runs_answer_at_once(tmp_path, capsys):
    server = team.Server()
    try:
        server.start()
        project, [token] = server.project("record")
        began = time.monotonic()
        with server.database() as engine:
            with engine.connect() as connection:
                number = connection.exec_driver_sql("SELECT id FROM project").scalar()
                fill(connection, number)
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("SET statement_timeout = 0")
                connection.exec_driver_sql("VACUUM ANALYZE")
                size = connection.exec_driver_sql(
                    "SELECT pg_database_size(current_database())"
                ).scalar()
        made = f"{size / 1e9:.1f} GB, made in {time.monotonic() - began:.0f} s"
        told = [f"{RUNS} runs of {ROWS} rows, {made}; load {os.getloadavg()[0]:.0f}"]
        middle = f"{RUNS // 2:012x}"
        questions = {
            "first page": f"/p/{project}/",
            "older runs": f"/p/{project}/?before=2021-01-01T00:00:00%2B00:00,{RUNS // 5}",
            "runs by name": f"/api/p/{project}/runs?name=name-77",
            "history of a row, half of all runs": f"/api/p/{project}/kinds/1/history"
                                                  "?row=semaphore.take.7",
            "history of the mean, half of all runs": f"/api/p/{project}/kinds/1/history",
            "history of a weight": f"/api/p/{project}/kinds/7/history?row=footprint.text",
            "history of a row, another kind": f"/api/p/{project}/kinds/21/history"
                                              "?row=semaphore.take.46",
            "history of a row, 1000 points": f"/api/p/{project}/kinds/1/history"
                                             "?row=semaphore.take.7&most=1000",
            "history of the mean, 1000 points": f"/api/p/{project}/kinds/1/history?most=1000",
            "page of a history": f"/p/{project}/history/1?row=semaphore.take.7",
            "documents' names, 5000": f"/api/p/{project}/documents?after={RUNS // 2}",
            "page of a run": f"/p/{project}/runs/{middle}",
        }  # fmt: skip
        with server.database() as engine, engine.connect() as connection:
            before = scans(connection)
        late = []
        for what, path in questions.items():
            taken, worked = [], []
            for _ in range(TIMES):
                started, before_it = time.monotonic(), worked_ms(server)
                status, _, said = server.ask("GET", path, token)
                taken.append(time.monotonic() - started)
                worked.append(worked_ms(server) - before_it)
                assert status == 200, said
            told.append(
                f"{what:<40} median {median(taken) * 1e3:5.0f} ms, "
                f"least {min(taken) * 1e3:5.0f}, most {max(taken) * 1e3:5.0f}; "
                f"of the processors {sum(worked) / TIMES:5.0f}"
            )
            late += [what] * (what not in BY_ITSELF and sum(worked) / TIMES > AT_ONCE_MS)
        store, client = server.store(tmp_path / "s", project, token)
        team.keep(store, name="one more")
        started = time.monotonic()
        with client:
            assert transfer.push(store, client, Progress(quiet=True)).done == 1
        told.append(
            f"{'a run more is pushed':<40}        {(time.monotonic() - started) * 1e3:5.0f} ms"
        )
        with capsys.disabled():
            print("", *told, sep="\n")
        server.stop()  # by then all sessions have counted what they did
        with server.database() as engine, engine.connect() as connection:
            after = scans(connection)
        assert late == []
        assert after == before, "a question read a table from its beginning to its end"
    finally:
        server.remove()


def worked_ms(server: team.Server) -> float:
    """Return what the server and its database have taken of the processors until now."""
    database = int((server.data / "postgresql" / "postmaster.pid").read_text().split()[0])
    ticks = 0
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):  # one that ended just now
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if server.child.pid == int(process.name) or database in (int(process.name),
                                                                      int(fields[1])):  # fmt: skip
                ticks += int(fields[11]) + int(fields[12])
    return ticks * 1000 / os.sysconf("SC_CLK_TCK")


def scans(connection) -> dict[str, int]:
    """Return how often each large table was read from its beginning to its end."""
    found = connection.exec_driver_sql(
        "SELECT relname, seq_scan FROM pg_stat_user_tables "
        "WHERE relname IN ('run', 'content', 'document')"
    )
    return dict(found.all())
