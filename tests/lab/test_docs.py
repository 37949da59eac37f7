# SPDX-License-Identifier: Apache-2.0
"""Generated tables: written between their marks, the same when nothing changed."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

import logs
from foliot.importers.document import Reader
from foliot.model.errors import FoliotError, UsageError
from foliot.model.run import Reference
from foliot.project import docs, states
from foliot.reference import protection, rows
from foliot.target import paths

DEFAULT_ROWS = [row.id for row in rows.catalogue() if "default" in row.configurations]
PAGE = """# Title
<!-- generated: results fake -->
stale
<!-- end -->
<!-- generated: main fake -->
<!-- end -->
Between. <!-- generated: nothing here -->
<!-- generated: summary fake -->
<!-- end -->
<!-- generated: missed fake -->
<!-- end -->
<!-- generated: distribution fake extra -->
<!-- end -->
<!-- generated: tickless fake extra -->
<!-- end -->
<!-- generated: late fake extra -->
<!-- end -->
<!-- generated: beside fake extra -->
<!-- end -->
<!-- generated: footprint fake -->
<!-- end -->
<!-- generated: boards -->
<!-- end -->
"""


@pytest.fixture
def page(tree, monkeypatch):
    """A page, a suite that measures 20 and 30, of one operation. The first meets its target."""
    records = [logs.row(row_id, [20 if row_id == DEFAULT_ROWS[0] else 30] * 200)
               for row_id in DEFAULT_ROWS]  # fmt: skip
    tree.suite("latency", logs.log(records, {**logs.HEADER, "board": "fake"}))
    extra = {**logs.HEADER, "board": "fake", "suite": "extra"}
    tree.suite("extra", logs.log([logs.row("b", [7, 8, 8, 9]), logs.row("c", [5] * 4)], extra))
    of_states = {**logs.HEADER, "board": "fake", "suite": "states"}
    costs = {"queued": 20, "unqueued": 41, "masked": 33}
    operation = states.operation(DEFAULT_ROWS[0])
    tree.suite("states", logs.log([logs.row(f"{operation}/{name}", [cost] * 4)
                                   for name, cost in costs.items()], of_states))  # fmt: skip
    goal = {"best": 25, "best_name": "RIOT", "target": 25,
            "ticking": 19, "ticking_name": "OSEK"}  # fmt: skip
    targets = {"fake": {"rows": dict.fromkeys(DEFAULT_ROWS[:2], goal), "extra": {"b": goal}}}
    path = tree.write("targets.json", json.dumps({"boards": targets}))
    monkeypatch.setattr(paths, "TARGETS", path)
    monkeypatch.setattr(docs, "EXACT", "fake")
    return tree.write("README.md", PAGE)


@pytest.mark.slow
def test_tables_are_written_and_then_stay(page, capsys):
    assert docs.update(check=True, quiet=True) == 1
    assert page.read_text() == PAGE
    assert docs.update(check=False, quiet=True) == 0
    text = page.read_text()
    assert (
        text.count(f"| `{DEFAULT_ROWS[0]}` | **20** | 20 | 20 | 41 | 25 |  | 114 | 25 RIOT |") == 2
    )
    assert text.count(f"| `{DEFAULT_ROWS[1]}` | 30 | 30 | 30 | 41 | 25 |  | 114 | 25 RIOT |") == 1
    assert "* 1 of 2 targets met on `fake`, 1 missed.\n" in text
    assert f"1 of 2 targets met on `fake`, 1 missed:\n  * `{DEFAULT_ROWS[1]}`: 30, not 25\n" in text
    assert r"| `b` | 7 | **8**\* | 9 | 9 | 25 | 25 RIOT |" in text
    assert r"| `c` | 5 | 5\* | 5 | 5 |  |  |" in text
    assert "| row | `fake`, cycles | `fake`, cycles |\n" in text
    assert "| `c` | -4 | -4 |\n" in text
    assert r"| `b` | **8**\* | 9 | 25 | 25 | RIOT | 19 | OSEK |" in text
    assert r"| `b` | **8**\* | 25 |" in text  # `c` has neither a target nor a rival
    assert "| semaphore | 8 |" in text
    assert "| `fake` | this host | cycles | a process that prints a log |" in text
    assert "\n\\* in doubt: `foliot show` says why.\n<!-- end -->" in text
    assert "stale" not in text
    assert "Between. <!-- generated: nothing here -->" in text
    assert docs.update(check=True, quiet=True) == 0
    assert "README.md: stale" in capsys.readouterr().err


def test_what_a_command_prints(tree):
    page = tree.write("docs/lab.md", "<!-- generated: $ ./foliot rows -->\n<!-- end -->\n")
    assert docs.update(check=False, quiet=True) == 0
    text = page.read_text()
    assert "```text\n$ ./foliot rows\n" in text
    assert "semaphore.take.blocking.k_to_k" in text
    assert docs.update(check=True, quiet=True) == 0


@pytest.mark.parametrize(
    ("command", "said"),
    [("rm -rf build", "only ./foliot is run"), ("./foliot show nothing", "this failed: ./foliot")],
)
def test_a_command_that_can_not_be(tree, command, said):
    tree.write("docs/lab.md", f"<!-- generated: $ {command} -->\n<!-- end -->\n")
    with pytest.raises(FoliotError, match=said):
        docs.update(check=False, quiet=True)


@pytest.mark.slow
def test_a_table_is_stale_when_a_suites_figures_change(page, tree, capsys):
    """What CAVEATS.md says of a suite is held against it, as the main suite's table is."""
    assert docs.update(check=False, quiet=True) == 0
    header = {**logs.HEADER, "board": "fake", "suite": "extra"}
    tree.suite("extra", logs.log([logs.row("b", [7, 8, 8, 10])], header))
    assert docs.update(check=True, quiet=True) == 1
    assert "README.md: stale" in capsys.readouterr().err
    assert docs.update(check=False, quiet=True) == 0
    assert r"| `b` | 7 | **8**\* | 10 | 10 | 25 | 25 RIOT |" in page.read_text()


@pytest.mark.parametrize(
    "block", ["miracles fake", "distribution fake", "summary", "results fake extra", "boards fake"]
)
def test_an_unknown_table_is_named(tree, block):
    tree.write("README.md", f"<!-- generated: {block} -->\n<!-- end -->\n")
    with pytest.raises(FoliotError, match=f"nothing is generated by '{block}'"):
        docs.update(check=False, quiet=True)


@pytest.mark.slow
def test_no_table_is_made_of_an_invalid_run(page, tree):
    tree.suite("latency", logs.log([logs.row("a", [1] * 200)], {**logs.HEADER, "board": "fake"}))
    with pytest.raises(FoliotError, match="not a valid run"):
        docs.update(check=False, quiet=True)
    assert page.read_text() == PAGE


def test_rows_of_user_threads_stand_beside_the_default_build():
    """Twice and eight times its figures: four times in the mean; a user's row has none there."""
    reference = Reference("Zephyr", 100)
    (default,) = Reader("x").read(log([("a", 10), ("b", 10)]))
    (run,) = Reader("x").read(log([("a", 20), ("b", 80), ("a.user", 40)]))
    run = replace(run, rows=tuple(replace(row, reference=reference) for row in run.rows))
    lines = docs.userspace_rows(run, default)
    assert lines[0] == "* 0.40 times Zephyr's with user threads, the geometric mean over 3 rows."
    assert (
        lines[1]
        == "* 4.00 times the default build, the geometric mean over the 2 rows that both have."
    )
    assert lines[2].endswith("beyond the default build's: none.")
    assert lines[-3:] == [
        "| `a` | 20 | 20 |  | 100 | 10 |", "| `b` | 80 | 80 |  | 100 | 10 |",
        "| `a.user` | 40 | 40 |  | 100 |  |",
    ]  # fmt: skip


def test_kernel_rows_that_pay_more_than_four_for_user_threads_are_named():
    (default,) = Reader("x").read(log([("a.kernel", 10), ("b.kernel", 10), ("c.k_to_k", 10)]))
    (run,) = Reader("x").read(log([("a.kernel", 14), ("b.kernel", 15), ("c.k_to_k", 90)]))
    run = replace(run, rows=tuple(replace(row, reference=Reference("Z", 1)) for row in run.rows))
    assert docs.userspace_rows(run, default)[2].endswith("default build's: `b.kernel` 5.")


def test_a_row_of_user_threads_stands_beside_what_it_may_take():
    user = "semaphore.give.immediate.user"
    (run,) = Reader("x").read(log([("semaphore.give.immediate.kernel", 20), (user, 90)]))
    floor = {protection.NULL: 30.0, protection.CHECKED: 45.0, protection.COPY: 40.0,
             protection.SWITCH: 10.0}  # fmt: skip
    lines = docs.protection_rows(run, floor)
    assert lines[0].startswith("* 1 of 1 rows of user threads are within")
    assert lines[-1] == f"| `{user}` | **90** | 20 | 1 | 1 | 0 | 0 | 92.0 |"


def log(rows):
    return io.BytesIO(logs.log([logs.row(name, [value] * 200) for name, value in rows]).encode())


@pytest.mark.slow
def test_one_page_alone(page, capsys):
    """Others may be stale: a page that was not named is not read."""
    other = page.with_name("CHANGELOG.md")
    other.write_text(page.read_text(), encoding="utf-8")
    docs.update(check=False, quiet=True, pages=[page])
    assert "stale\n" not in page.read_text()
    assert "stale\n" in other.read_text()
    assert capsys.readouterr().err == f"{paths.shown(page)}: written\n"
    with pytest.raises(UsageError, match="no generated table"):
        docs.update(check=False, quiet=True, pages=[page.with_name("nowhere.md")])
