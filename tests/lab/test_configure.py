# SPDX-License-Identifier: Apache-2.0
"""Kconfig: the order in which fragments win, and each mistake in one of them."""

from __future__ import annotations

import pytest

from foliot.model.errors import UsageError
from foliot.target import boards, configure, paths


def resolve(tree, conf=(), extra=None):
    return configure.resolve(tree.suite("latency", ""), boards.load("fake"), conf, extra)


def test_later_fragments_win(tree):
    assert "CONFIG_LIMIT=4\n" in resolve(tree).text  # default 1, board.conf 3, prj.conf 4
    tree.write("suites/latency/prj.small.conf", "CONFIG_LIMIT=2\n")
    assert "CONFIG_LIMIT=2\n" in resolve(tree, ["small"]).text


def test_fragments_of_the_whole_project(tree):
    tree.write("conf/prj.debug.conf", "CONFIG_ASSERT=y\n# a comment\n\n")
    resolved = resolve(tree, ["debug"])
    assert "#define CONFIG_ASSERT 1" in resolved.header
    assert resolved.name == ("debug",)
    assert resolved.values["ASSERT"] == "y"


def test_the_application_has_the_last_word_on_a_name(tree):
    tree.write("conf/prj.debug.conf", "CONFIG_LIMIT=7\n")
    tree.write("suites/latency/prj.debug.conf", "CONFIG_LIMIT=8\n")
    assert "CONFIG_LIMIT=8\n" in resolve(tree, ["debug"]).text


def test_options_of_application_and_board(tree):
    tree.write("suites/latency/Kconfig", 'config MINE\n\tbool "mine"\n')
    tree.write("boards/fake/Kconfig", 'config BOARDS\n\tbool "the board\'s"\n\tdefault y\n')
    tree.write("suites/latency/prj.mine.conf", "CONFIG_MINE=y\n")
    resolved = resolve(tree, ["mine"])
    assert resolved.values["MINE"] == resolved.values["BOARDS"] == "y"


def test_the_hash_names_the_configuration(tree):
    assert resolve(tree).sha256 == resolve(tree).sha256
    assert resolve(tree).sha256 != resolve(tree, extra={"LIMIT": "9"}).sha256


def test_samples_come_from_the_command_line(tree):
    assert resolve(tree, extra={"MEASURE_SAMPLES": "20"}).values["MEASURE_SAMPLES"] == "20"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("CONFIG_LIMITS=1", "no option CONFIG_LIMITS: nearest are CONFIG_LIMIT"),
        ("CONFIG_QQQ=y", "there is no option CONFIG_QQQ"),
        ("# CONFIG_QQQ is not set", "there is no option CONFIG_QQQ"),
        ("CONFIG_LIMIT=many", "'many' is no value for CONFIG_LIMIT, which is a number"),
        ("CONFIG_ASSERT=1", "'1' is no value for CONFIG_ASSERT, which is y or n"),
        ("CONFIG_LIMIT=11", "CONFIG_LIMIT=11 has no effect"),
        ("CONFIG_TRACE=y", "has no effect (it stays n): it depends on ASSERT"),
        ("CONFIG_DERIVED=n", "CONFIG_DERIVED can't be set"),
        ("CONFIG_NAME=text", "a text stands in double quotes"),
        ("LIMIT=2", "'LIMIT=2' is not CONFIG_NAME=value"),
    ],
)
def test_mistakes_name_file_line_and_cure(tree, line, said):
    tree.write("suites/latency/prj.wrong.conf", f"# first\n{line}\n")
    with pytest.raises(UsageError) as mistake:
        resolve(tree, ["wrong"])
    assert said in mistake.value.message
    assert "prj.wrong.conf:2: " in mistake.value.message
    assert "\n" not in mistake.value.message


def test_unknown_configuration_names_the_valid_ones(tree):
    tree.write("conf/prj.debug.conf", "")
    tree.write("suites/latency/prj.small.conf", "")
    with pytest.raises(UsageError, match=r"unknown configuration 'smal' .*: valid are default, "):
        resolve(tree, ["smal"])


def test_writing_leaves_what_is_the_same_alone(tree):
    board, where = boards.load("fake"), tree.root / "out"
    configure.write(resolve(tree), board, where)
    before = {path.name: path.stat().st_mtime_ns for path in where.iterdir()}
    configure.write(resolve(tree), board, where)
    assert before == {path.name: path.stat().st_mtime_ns for path in where.iterdir()}
    assert set(before) == {".config", "autoconf.h", "kernel_autoconf.h", "config.cmake"}


@pytest.mark.parametrize(
    ("board", "conf", "said"),
    [
        (
            "ibex",
            "rated",
            "CLOCK_RATED on this board: nucleo_g431kb, stm32h747i_disco, teensy41 have",
        ),
        ("ibex", "el2", "AARCH64_EL2 on this board: aarch64 has it"),
    ],
)
def test_who_has_an_option_that_a_board_has_not_is_said(board, conf, said):
    with pytest.raises(UsageError) as refusal:
        configure.resolve(paths.ROOT / "samples" / "hello", boards.load(board), (conf,))
    assert said in refusal.value.message
