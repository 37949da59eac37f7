# SPDX-License-Identifier: Apache-2.0
"""The configurations side by side, with a firmware that prints a given log."""

from __future__ import annotations

import json

import pytest

import logs
from foliot.commands.bench import bench_matrix
from foliot.measure import matrix, session
from foliot.model.errors import UsageError
from foliot.show.terminal import Progress
from foliot.store import results
from foliot.store.sqlite import Store

pytestmark = pytest.mark.slow

HEADER = {**logs.HEADER, "board": "fake", "suite": "some"}
ROWS = ["thread.yield.x", "semaphore.give.wake+ctx.k_to_k", "semaphore.take.immediate.kernel"]


def some_suite(tree):
    rows = [logs.row(name, [50] * 20) for name in ROWS]
    tree.suite("some", logs.log(rows, HEADER))
    for name in ("canaries", "timeslicing"):
        tree.write(f"conf/prj.{name}.conf", "CONFIG_LIMIT=5\n")
    tree.write("conf/prj.other.conf", "CONFIG_LIMIT=6\n")


def test_each_feature_alone_and_all_together(tree):
    some_suite(tree)
    assert matrix.configurations() == [
        ("canaries",), ("timeslicing",), ("canaries", "timeslicing"),
    ]  # fmt: skip


def test_user_threads_stand_beside_what_checks_stacks_too_and_not_in_the_sum(tree):
    some_suite(tree)
    for name in ("stackguard", "userspace"):
        tree.write(f"conf/prj.{name}.conf", "CONFIG_LIMIT=5\n")
    assert matrix.configurations() == [
        ("canaries",), ("stackguard",), ("timeslicing",), ("userspace",),
        ("userspace", "stackguard"), ("userspace", "canaries"),
        ("canaries", "stackguard", "timeslicing"),
    ]  # fmt: skip


@pytest.mark.slow
def test_the_costs(tree):
    some_suite(tree)
    found = matrix.measure(session.Request("fake", suite="some"), Progress(quiet=True))
    assert list(found.others) == matrix.configurations()
    wanted = [("other",)]
    request = session.Request("fake", suite="some")
    assert list(matrix.measure(request, Progress(quiet=True), wanted).others) == wanted
    same = found.cost(("canaries",))
    assert (same.every, same.rows) == (pytest.approx(1.0), 3)
    slower = logs.log([logs.row(n, [100 if "+ctx" in n else 50] * 20) for n in ROWS], HEADER)
    from foliot.log.reader import parse

    cost = matrix.cost(found.default, parse(slower.encode()))
    assert cost.switching == pytest.approx(2.0)
    assert cost.others == pytest.approx(1.0)
    assert cost.every == pytest.approx(2 ** (1 / 3))


def test_the_table_and_the_json(tree, capsys):
    some_suite(tree)
    out = tree.root / "matrix.json"
    request, store = session.Request("fake", suite="some"), Store(tree.root / "store")
    assert bench_matrix(request, str(out), quiet=True, store=store) == 0
    printed = capsys.readouterr().out
    assert "c: canaries, timeslicing" in printed
    assert "geometric mean, all rows" in printed
    assert max(map(len, printed.splitlines())) <= 100
    content = json.loads(out.read_text())
    assert content["configurations"] == ["default", "canaries", "timeslicing",
                                         "canaries,timeslicing"]  # fmt: skip
    assert content["rows"][ROWS[0]]["canaries"] == 50
    (kept,) = results.past(store, "matrix", "some on fake")
    assert kept.found == content


def test_a_configuration_beside_all_of_them_is_refused(tree):
    with pytest.raises(UsageError, match="--conf"):
        bench_matrix(session.Request("fake", conf=("canaries",)), None, quiet=True)


def test_what_zephyr_pays():
    published, measured = matrix.zephyr("ibex", ("objcore",))
    assert published is not None
    assert published.yielding == pytest.approx(2.35, abs=0.01)
    assert measured is None
    published, measured = matrix.zephyr("ibex", ("canaries-all",))
    assert published is not None
    assert published.every == pytest.approx(1.84, abs=0.01)
    assert published.yielding == pytest.approx(1.54, abs=0.01)
    assert measured is not None
    assert matrix.zephyr("mps2_an385", ("timeslicing",))[1] is not None
    assert matrix.zephyr("ibex", ("stackguard",)) == (None, None)
    assert matrix.zephyr("ibex", ("canaries",)) == (None, None)
