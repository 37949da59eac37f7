# SPDX-License-Identifier: Apache-2.0
"""`foliot test` itself: what a style check finds is shown, and the check is named."""

from __future__ import annotations

from foliot.project import testing
from foliot.show.terminal import Progress

QUIET = Progress(quiet=True)


def test_a_check_that_is_content_says_nothing(capsys):
    assert testing._check("true", ["true"], QUIET) == []
    assert capsys.readouterr().err == ""


def test_a_check_that_objects_is_quoted_and_named(capsys):
    command = ["sh", "-c", "echo 'a.c: error: bad'; echo 3 warnings; exit 1"]
    assert testing._check("tidy", command, QUIET, only=" error: ") == ["tidy"]
    assert capsys.readouterr().err == "a.c: error: bad\ntidy: not right\n"


def test_every_c_source_of_the_tree_is_checked(tree):
    for name in (
        "kernel/objects/sem.c",
        "lib/printk.c",
        "include/foliot/sem.h",
        "samples/hello/main.c",
        "sim/main.c",
    ):
        tree.write(name, "")
    found = [path.removeprefix(f"{tree.root}/") for path in testing._c_sources()]
    assert {
        "kernel/objects/sem.c",
        "lib/printk.c",
        "include/foliot/sem.h",
        "samples/hello/main.c",
    } <= set(found)
    assert "sim/main.c" not in found
