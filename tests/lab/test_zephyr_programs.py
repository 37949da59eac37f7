# SPDX-License-Identifier: Apache-2.0
"""`foliot zephyr`: programs of Zephyr's out of a tree that is named; here the tree is made up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foliot.model.errors import UsageError
from foliot.project import zephyr_programs
from foliot.show.terminal import Progress
from foliot.target import boards

ROOT = Path(__file__).resolve().parents[2]
CMAKE = """cmake_minimum_required(VERSION 3.20.0)
find_package(Zephyr REQUIRED HINTS $ENV{ZEPHYR_BASE})
project(made_up)
target_sources(app PRIVATE src/main.c)
"""
ZTEST = """#include <zephyr/ztest.h>
ZTEST(made_up, test_it)
{
\tzassert_equal(2, 3);
}
ZTEST_SUITE(made_up, NULL, NULL, NULL, NULL, NULL);
"""


def put(tree: Path, path: str, source: str, conf: str = "") -> None:
    place = tree / path
    (place / "src").mkdir(parents=True)
    (place / "CMakeLists.txt").write_text(CMAKE)
    (place / "prj.conf").write_text(conf)
    (place / "src" / "main.c").write_text(source)


def said(text: str) -> str:
    """Return a program that prints a text, which is an expression of C's."""
    body = f'printk({text} "\\n");\n\treturn 0;'
    return f"#include <zephyr/kernel.h>\nint main(void)\n{{\n\t{body}\n}}\n"


@pytest.mark.slow
@pytest.mark.board("host")
def test_each_program_is_built_run_and_compared(foliot, tmp_path):
    put(tmp_path, "samples/hello_world", said('"Hello World! " CONFIG_BOARD'))
    put(tmp_path, "samples/synchronization", said('"thread_b: Hello World"'))
    put(tmp_path, "samples/kernel/msg_queue", said('"sending: " nothing'))
    put(tmp_path, "samples/userspace/shared_mem", said('""'), "CONFIG_SYMTAB=y\n")
    put(tmp_path, "tests/kernel/mutex/mutex_error_case", ZTEST, "CONFIG_ZTEST=y\n")
    done = foliot("zephyr", str(tmp_path), "--board", "host", "--quiet")
    assert done.returncode == 1
    text = " ".join(done.stdout.split())  # the table folds what is long
    assert "samples/hello_world runs samples/" in text
    assert 'samples/synchronization says something else no "thread_a: Hello World' in text
    assert "its last line: thread_b: Hello World" in text
    assert re.search(r"msg_queue does not build [^/]*nothing", text)
    assert "CONFIG_SYMTAB=y is not supported" in text
    assert re.search(r"mutex_error_case says something else FAIL - test_it", text)
    assert "samples/kernel/condition_variables/condvar not in this tree" in text
    assert "1 of 5 programs run as they are on host" in text
    assert re.search(r"\d+ programs? of the list not in ", done.stdout)


def test_a_program_is_found_in_a_checkout_and_in_its_samples_alone(tmp_path):
    put(tmp_path, "samples/hello_world", "")
    found = tmp_path / "samples" / "hello_world"
    assert zephyr_programs.find(tmp_path, "samples/hello_world") == found
    assert zephyr_programs.find(tmp_path / "samples", "samples/hello_world") == found
    assert zephyr_programs.find(tmp_path, "samples/philosophers") is None


@pytest.mark.parametrize(
    ("name", "only", "message"),
    [
        ("nowhere", [], "is no directory"),
        ("", [], "has none of the programs"),
        ("", ["qqq"], "no program of the list is called qqq"),
    ],
)
def test_a_tree_without_any_is_wrong_use(tmp_path, name, only, message):
    with pytest.raises(UsageError, match=message):
        zephyr_programs.go_through(tmp_path / name, boards.load("host"), only, Progress(quiet=True))


def test_the_list_and_the_page_say_the_same():
    page = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `((?:samples|tests)/\S+)` \| (.*) \|$", page, re.MULTILINE)
    running = [path for path, told in rows if re.match(r"runs?\b", told)]
    assert running == [one.path for one in zephyr_programs.programs()]
    assert len(rows) > len(running)
