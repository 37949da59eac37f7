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
            ["unknown board 'ibexx' (did you mean ibex?)", "foliot boards"],
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
        (["run", "README.md"], ["README.md is a file, and no application", "samples/ holds some"]),
        (["run", "samples/hello/main.c"], ["is a file", "its directory is one: samples/hello"]),
        (["run", "/bin/true"], ["an image is run by --elf /bin/true"]),
        (
            ["explain", "semaphore.give"],
            ["unknown row", "did you mean semaphore.give.immediate.kernel?"],
        ),
        (["build", "/tmp"], ["/tmp is no application", "CMakeLists.txt"]),
        (["run"], ["either a directory or --elf"]),
        (["run", "x", "--elf", "y"], ["either a directory or --elf"]),
        (["run", "--elf", "/nowhere.elf", "--board", "host"], ["/nowhere.elf is no file"]),
        (["run", "--elf", "x", "--timeout", "-1"], ["--timeout"]),
        (["setup", "nothing"], ["unknown board 'nothing'"]),
        (["measure"], ["measure"]),
        (["bnch"], ["unknown command 'bnch' (did you mean bench?)"]),
        (["version"], ["did you mean --version?"]),
        (["bench", "--bord", "ibex"], ["there is no option --bord (did you mean --board?)"]),
        (["explain"], ["ROW", "foliot explain --help"]),
        (["run", "samples/helo"], ["did you mean samples/hello?"]),
        (["bench", "sampels/hello"], ["did you mean samples?"]),
        (["import", "README.mdd"], ["did you mean README.md?"]),
        (["gate", "--baseline", "data/baseline/ibx.json"], ["mean data/baseline/ibex.json?"]),
        (["gate", "--board", "ibx"], ["unknown board 'ibx' (did you mean ibex?)"]),
        (["test", "tests/lab/test_clii.py"], ["did you mean tests/lab/test_cli.py?"]),
        (["export", "zephyr-3.3@ibex", "-f", "jsn"], ["did you mean json?"]),
        (["bench", "--conf", "cannaries", "--board", "ibex"], ["did you mean canaries?"]),
        (["run", "samples/hello", "--conf", "debgu"], ["did you mean debug?"]),
        (["explain", "mutex.lock.first"], ["unknown row 'mutex.lock.first'", "foliot rows"]),
        (["explain", "MUTEX.lock.immediate.recursive"], ["mean mutex.lock.immediate.recursive"]),
        (["compare", "zephyr-3.3@ibex", "freertos@ibex", "-r", "mutx"], ["did you mean mutex?"]),
        (["explain", "heap.free.immediate", "last~999999"], ["there is no run 'last~999999'"]),
        (["show", "lst"], ["did you mean last?"]),
        (["show", "zephyr-3.3@ibx"], ["did you mean zephyr-3.3@ibex?"]),
        (["export", "freertos"], ["did you mean freertos@ibex?"]),
        (["runs", "nothing"], ["there is no run 'nothing'"]),
        (["completion", "bsh"], ["unknown shell 'bsh' (did you mean bash?)"]),
    ],
)
def test_wrong_use(foliot, words, said):
    refused(foliot(*words), *said)


@pytest.mark.parametrize("words", [["rows"], ["runs", "--references"], ["--help"]])
def test_a_full_disk_behind_standard_output_is_reported(foliot, words):
    done = foliot.program("sh", "-c", f"{shlex.join([*foliot.words, *words])} >/dev/full")
    assert done.returncode == 1
    assert done.stderr == "foliot: standard output: No space left on device\n"


def completed(foliot, line, shell="bash"):
    """Return what a shell is offered at the end of a line."""
    words = line.split(" ")
    asked = {
        "bash": {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }
    done = foliot(_FOLIOT_COMPLETE=f"complete_{shell}", **asked[shell])
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("foliot comp", ["compare", "completion"]),
        ("foliot --v", ["--version"]),
        ("foliot bench --bo", ["--board"]),
        ("foliot bench --board mi", ["microbit"]),
        ("foliot bench --suite fl", ["floor"]),
        ("foliot run samples/hello --conf canaries,deb", ["canaries,debug"]),
        ("foliot explain heap.m", ["heap.malloc.immediate"]),
        ("foliot history footprint.t", ["footprint.text", "footprint.thread"]),
        ("foliot compare freertos@i", ["freertos@ibex"]),
        ("foliot export last --format b", ["bencher"]),
        ("foliot gate --baseline las", ["last"]),
        ("foliot new ob", ["object"]),
        ("foliot compare --sort ", ["suite", "name", "ratio"]),
        ("foliot nothing --bo", []),
    ],
)
def test_a_shell_is_offered(foliot, line, offered):
    assert completed(foliot, line) == offered


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_and_answers(foliot, shell):
    script = foliot("completion", shell).stdout
    assert f"_FOLIOT_COMPLETE=complete_{shell}" in script
    assert "ibex" in "".join(completed(foliot, "foliot bench --board ib", shell))
    if shell == "bash":
        checked = foliot.program("bash", "-c", f"{script}\ncomplete -p foliot")
        assert checked.stdout == "complete -o default -F _foliot_completion foliot\n"


def test_nothing_at_all_is_answered_with_help(foliot):
    result = foliot()
    assert "bench" in result.stdout + result.stderr


def test_help_names_every_command(foliot):
    result = foliot("--help")
    assert result.returncode == 0
    for command in ("bench", "build", "run", "test", "boards", "rows", "setup"):
        assert f"\n  {command} " in result.stdout


@pytest.mark.slow
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
