# SPDX-License-Identifier: Apache-2.0
"""The command line as its users meet it: wrong use, plain output in pipes, quick help."""

from __future__ import annotations

import resource
import shlex

import pytest


def refused(result, *said):
    """Check for exit status 2, one or two lines that say all of `said`, and no traceback."""
    lines = result.stderr.splitlines()
    assert result.returncode == 2, result.stderr
    assert 1 <= len(lines) <= 2, result.stderr
    for part in said:
        assert part in result.stderr
    assert lines[0].startswith("foliot: ")
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["bench", "--board", "ibexx"],
            ["unknown board 'ibexx' (did you mean ibex?)", "mps2_an385"],
        ),
        (["bench", "--board", "../boards"], ["unknown board"]),
        (["bench", "--suite", "nothing"], ["unknown suite 'nothing'", "valid are"]),
        (["bench", "--samples", "0"], ["--samples", "0"]),
        (["bench", "--samples", "many"], ["--samples", "many"]),
        (["bench", "--conf", "a,,b"], ["--conf takes names"]),
        (["bench", "--nothing"], ["--nothing"]),
        (["bench", "--elf", "/nowhere.elf", "--board", "host"], ["/nowhere.elf"]),
        (["build"], ["DIR"]),
        (["build", "/nowhere"], ["/nowhere is not a directory"]),
        (["build", "/tmp"], ["/tmp is no application", "CMakeLists.txt"]),
        (["run"], ["either a directory or --elf"]),
        (["run", "x", "--elf", "y"], ["either a directory or --elf"]),
        (["run", "--elf", "/nowhere.elf", "--board", "host"], ["/nowhere.elf is no file"]),
        (["run", "--elf", "x", "--timeout", "-1"], ["--timeout"]),
        (["setup", "nothing"], ["unknown board 'nothing'"]),
        (["measure"], ["measure"]),
    ],
)
def test_wrong_use(foliot, words, said):
    refused(foliot(*words), *said)


def test_nothing_at_all_is_answered_with_help(foliot):
    result = foliot()
    assert "bench" in result.stdout + result.stderr


def test_help_names_every_command(foliot):
    result = foliot("--help")
    assert result.returncode == 0
    for command in ("bench", "build", "run", "test", "boards", "rows", "setup"):
        assert f"\n  {command} " in result.stdout


def test_help_is_quick(foliot):
    """Processor time and not the clock's, since other tests run beside this one."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        foliot("--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(5)) < 0.3


@pytest.mark.parametrize("words", [["boards"], ["rows"], ["--help"], ["bench", "--help"]])
def test_plain_and_narrow_in_a_pipe(foliot, words):
    result = foliot(*words, TERM="xterm-256color")
    assert result.returncode == 0
    assert "\x1b" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_boards_and_rows(foliot):
    boards = foliot("boards").stdout
    assert "ibex (default)" in boards
    assert "mps2_an385" in boards
    rows = foliot("rows").stdout.splitlines()
    assert sum(" default" in line for line in rows) == 47
    assert sum(" userspace" in line for line in rows) == 124


def test_a_reader_that_leaves_is_no_error(foliot):
    command = f"{shlex.join(foliot.words)} rows | true"
    result = foliot.program("sh", "-c", command)
    assert result.stderr == ""
