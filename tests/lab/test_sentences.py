# SPDX-License-Identifier: Apache-2.0
"""Figures within sentences: each has a source, and is written anew from it."""

from __future__ import annotations

from pathlib import Path

import pytest

import logs
from foliot.log.reader import parse
from foliot.model.errors import FoliotError
from foliot.project import docs, sentences

PAGE = Path("CAVEATS.md")


def measured(board, suite):
    assert (board, suite) == ("ibex", "periodic")
    return parse(logs.log([logs.row("periodic.switch", [75] * 150 + [90])]))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("in 70<!-- is row ibex periodic periodic.switch p50 --> cycles",
         "in 75<!-- is row ibex periodic periodic.switch p50 --> cycles"),
        ("up to 1<!-- is row ibex periodic periodic.switch max -->.",
         "up to 90<!-- is row ibex periodic periodic.switch max -->."),
        ("the 40<!-- is rows default --> rows", "the 47<!-- is rows default --> rows"),
        ("(1<!-- is option MUTEX_CHAIN_MAX -->)", "(8<!-- is option MUTEX_CHAIN_MAX -->)"),
        ("1<!-- is option STACK_GUARD_SIZE stackguard -->",
         "64<!-- is option STACK_GUARD_SIZE stackguard -->"),
        ("1<!-- is define kernel/sched/period.c GROUPS_LOOKED_AT -->",
         "16<!-- is define kernel/sched/period.c GROUPS_LOOKED_AT -->"),
        ("0.8<!-- is by hand: a stop watch -->", "0.8<!-- is by hand: a stop watch -->"),
    ],
)  # fmt: skip
def test_a_figure_is_written_anew_from_its_source(text, after):
    assert sentences.renewed(text, PAGE, measured) == after
    assert sentences.renewed(after, PAGE, measured) == after
    assert not list(sentences.unsourced(after))


def test_a_weight_in_kilobytes_keeps_its_unit(monkeypatch):
    monkeypatch.setattr(sentences, "_weight", lambda board, app, name, conf: 10771)
    text = "has 6.8 KB<!-- is weight mps2_an385 samples/interrupt text --> of text"
    assert sentences.renewed(text, PAGE, measured).startswith("has 10.8 KB<!-- is weight")


@pytest.mark.parametrize(
    "source",
    ["row ibex periodic nothing p50", "row ibex periodic periodic.switch colour", "moon",
     "option NOTHING", "define kernel/nothing.c X", "target ibex latency nothing"],
)  # fmt: skip
def test_a_source_that_is_none_is_named(source):
    with pytest.raises(FoliotError, match=f"CAVEATS.md: there is no figure '{source}'"):
        sentences.renewed(f"1<!-- is {source} -->", PAGE, measured)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It takes 880 cycles, not 900.", ["880", "900"]),
        ("* about 3 % more\n* and 1.02 times", ["3", "1.02"]),
        ("* about 3 %, or 4, more <!-- are by hand: a look -->\n* and 1.02 times", ["1.02"]),
        ("Some 5.\n\nAnd 6 <!-- are by hand: a look -->", ["5"]),
        (
            "RV32IMC, Cortex-M3, -O2, 2^31 - 1 ticks, Debian 12, 64-bit, 32 bits, `9` [x](y/7.md)",
            [],
        ),
        ("<!-- generated: summary ibex -->\n46 of 47\n<!-- end -->\n```\n12\n```", []),
    ],
)
def test_numbers_without_a_source_are_found(text, numbers):
    assert [one.number for one in sentences.unsourced(text)] == numbers


def test_the_check_says_that_all_is_well_or_which_figure_nobody_makes(tree, capsys):
    page = tree.write("CAVEATS.md", "* the 47<!-- is rows default --> rows\n")
    assert docs.update(check=True, quiet=False) == 0
    assert capsys.readouterr().out.startswith("all is well")
    page.write_text("* the 46<!-- is rows default --> rows\n")
    assert docs.update(check=True, quiet=False) == 1
    assert capsys.readouterr().err.endswith("CAVEATS.md: stale\n")
    page.write_text("* one\n* takes 12 ms\n")
    assert docs.update(check=True, quiet=False) == 1
    assert capsys.readouterr().err.startswith("CAVEATS.md:2: the figure 12 has no source")
