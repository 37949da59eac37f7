# SPDX-License-Identifier: Apache-2.0
"""ztest: programs of Zephyr's kind, what they print, and that Zephyr's twister would read it."""

from __future__ import annotations

import re

import pytest

from support.command import ROOT

TESTS = ROOT / "tests" / "ztest"

# What twister looks for in a ztest program's output, in words of our own.
CASE = re.compile(r"^\s*(PASS|FAIL|SKIP) - (?:test_)?(\S*) in \d+\.\d+ seconds$", re.MULTILINE)
START = re.compile(r"^START - (?:test_)?([a-zA-Z0-9_-]+)$", re.MULTILINE)
SUITE = re.compile(
    r"^SUITE (\S*) - .*\[(\S*)\]: pass = (\d+), fail = (\d+), skip = (\d+), total = (\d+) "
    r"duration = \d+\.\d+ seconds$",
    re.MULTILINE,
)
ROW = re.compile(
    r"^ - (PASS|FAIL|SKIP) - \[([^.]*)\.(?:test_)?(\S*)\] duration = \d+\.\d+ seconds$",
    re.MULTILINE,
)
BOARDS = [("host", "default")]
MORE = [
    ("mps2_an385", "user"),
    *((board, "user") for board in ("qemu_riscv32", "qemu_riscv64", "qemu_aarch64",
                                    "qemu_x86_64", "mps2_an521", "host", "ibex")),
    *((board, "default") for board in ("mps2_an385", "microbit", "ibex")),
]  # fmt: skip


def outcomes(text: str) -> dict[str, str]:
    return {f"{suite}.{name}": end for end, suite, name in ROW.findall(text)}


def check_ledger(foliot, board: str, conf: str) -> None:
    done = foliot.run(TESTS / "ledger", board, conf, limit_s=400)
    assert done.returncode == 0, done.stdout + done.stderr
    text = done.stdout
    assert text.rstrip().endswith("PROJECT EXECUTION SUCCESSFUL")
    assert [name for _, name in CASE.findall(text)] == START.findall(text)
    ends = outcomes(text)
    skipped = {name for name, end in ends.items() if end == "SKIP"}
    assert skipped == {"ledger.d_skipped", "ledger.e_assumption", "elsewhere.thread_skips"}
    assert len(ends) == 13
    assert "FAIL" not in ends.values()
    suites = {name: rest for _, name, *rest in SUITE.findall(text)}
    assert suites["ledger"] == ["4", "0", "2", "6"]
    assert "(book.entries not equal to 1)\nthere are 0\n" in text


@pytest.mark.slow
@pytest.mark.board
@pytest.mark.parametrize(("board", "conf"), BOARDS)
def test_fixtures_rules_skips_and_user_tests(foliot, board, conf):
    check_ledger(foliot, board, conf)


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize(("board", "conf"), MORE)
def test_they_behave_on_each_board(foliot, board, conf):
    check_ledger(foliot, board, conf)


@pytest.mark.slow
@pytest.mark.board("host")
def test_what_goes_wrong_is_reported(foliot):
    done = foliot.run(TESTS / "broken", "host")
    text = done.stdout
    assert done.returncode == 1
    assert text.rstrip().endswith("PROJECT EXECUTION FAILED")
    assert "never" not in text
    assert "it goes on" in text
    assert "(1 not equal to 2)\none is 1\n" in text
    assert text.count("Expectation failed at") == 2
    assert "fails_in_isr: -EIO is non-zero" in text
    ends = outcomes(text)
    assert {name for name, end in ends.items() if end == "PASS"} == {"broken.one_holds", "z_last.a"}
    assert ends["setup_fails.is_not_run"] == "FAIL"
    assert ends["setup_skips.is_not_run"] == "SKIP"
    assert "SUITE FAIL -  14.29% [broken]: pass = 1, fail = 6, skip = 0, total = 7" in text
    assert "cannot fail in test phase 'after()', bailing" in text
    assert "Test suite 'unwanted' did not run" in text
    assert "'test_has_no_suite' assigned to test suite 'nobodys' which doesn't exist" in text


@pytest.mark.board
@pytest.mark.parametrize(
    "board", ["mps2_an385", pytest.param("qemu_riscv32", marks=pytest.mark.long)]
)
def test_faults_and_assertions_that_are_expected_end_their_thread(foliot, board):
    done = foliot.run(TESTS / "faults", board)
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(outcomes(done.stdout).values()) == {"PASS"}
    assert done.stdout.count("Fatal error expected as part of test case.") == 7
    assert done.stdout.count("Assert error expected as part of test case.") == 2


@pytest.mark.slow
@pytest.mark.board("mps2_an385")
@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "Fatal error was unexpected"),  # a user thread's, which the kernel would let pass
        pytest.param(2, "Assert failed was unexpected", marks=pytest.mark.long),
        (3, "Assert failed was unexpected"),  # in a handler nobody can expect one
        # of another thread than the one that expects it
        pytest.param(4, "Fatal error was unexpected", marks=pytest.mark.long),
    ],
)
def test_one_that_nobody_expects_ends_the_run(foliot, number, said):
    done = foliot.run(TESTS / "faults", "mps2_an385", f"unexpected{number}")
    assert done.returncode == 1
    assert said in done.stdout
    assert "PROJECT EXECUTION FAILED" in done.stdout


@pytest.mark.slow
@pytest.mark.board("host")
@pytest.mark.parametrize(
    ("conf", "there", "absent"),
    [
        ("fast", "FAIL - test_assertion", "START - test_expectations"),
        ("terse", "Assertion failed at tests/ztest/broken/src/main.c:15\n", "START - "),
        ("repeat", "FAIL - [broken.test_assertion]", "never"),
        ("strict", "TESTSUITE SUMMARY END", "FAIL - [broken.test_assertion]"),
    ],
)
def test_options_of_ztest(foliot, conf, there, absent):
    text = foliot.run(TESTS / "broken", "host", conf).stdout
    assert there in text
    assert absent not in text
    assert text.count("Running TESTSUITE broken") == (2 if conf == "repeat" else 1)
    assert text.count("one is 1") == {"fast": 1, "terse": 0, "repeat": 4, "strict": 1}[conf]
