# SPDX-License-Identifier: Apache-2.0
"""Mutants: of each part and kind there are some, each changes one line, and who notices is told.

The mutants themselves are tried by `foliot campaign mutation`, hours of it with `--every 1`.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from foliot.target import boards
from support.command import ROOT

HERE = Path(__file__).parent
sys.path.append(str(HERE))
import mutants  # noqa: E402
import tried  # noqa: E402

FORMS = {
    "kernel": {"== to !=", "&& to ||", "store dropped", "call dropped", "unlock moved", "0 to 1",
               "! dropped", "< to <=", "+ to -", "false to true"},
    "ports": {"store dropped", "call dropped", "csrw dropped", "bne to beq", "cbz to cbnz",
              "cpsid dropped", "je to jne"},
    "judgement": {"silenced", "< to <=", "and to or", "not dropped", "return dropped"},
}  # fmt: skip


def test_each_part_has_mutants_of_each_kind():
    for part, kinds in FORMS.items():
        found = Counter(one.kind for one in mutants.mutants(part))
        assert kinds <= set(found), kinds - set(found)
        assert sum(found.values()) > 700


def test_at_least_three_hundred_are_sampled_a_hundred_of_them_of_ports_and_judgement():
    chosen = mutants.sampled()
    of = Counter(one.part for one in chosen)
    assert len({str(one) for one in chosen}) == len(chosen) >= 300
    assert of["ports"] + of["judgement"] >= 100
    assert {one.port for one in chosen if one.part == "ports"} == set(mutants.BOARDS)
    assert chosen == mutants.sampled() != mutants.sampled(25)
    for board in mutants.BOARDS.values():
        boards.load(board)


def test_a_mutant_changes_its_own_place_and_nothing_else():
    for one in mutants.sampled():
        text = (ROOT / one.file).read_text(encoding="utf-8")
        changed = one.text
        assert changed != text
        before, after = text[: one.begin], text[one.end :]
        assert changed == before + one.new + after
        is_long = one.kind in ("unlock moved", "silenced")
        assert is_long or "\n" not in text[one.begin : one.end]
        if one.part == "judgement":
            ast.parse(changed)


def test_who_survives_has_a_reason_and_is_there():
    known = {str(one) for part in mutants.SAMPLED for one in mutants.mutants(part)}
    for name, why in mutants.reasons().items():
        assert name in known, f"{name}: the line has changed"
        assert len(why.split()) > 3, name


def test_a_program_that_fails_hangs_or_says_nothing_is_noticed(monkeypatch):
    monkeypatch.setattr(tried, "CPU_S", 1)
    assert tried.failure(["echo", "PASS all"], "PASS") == ""
    assert tried.failure(["echo", "nothing"], "PASS") == "nothing"
    assert tried.failure(["sh", "-c", "echo PASS; echo FAIL here; exit 3"], "PASS") == "FAIL here"
    assert tried.failure(["sh", "-c", "echo PASS; kill -SEGV $$"], "PASS") != ""
    assert tried.failure(["sh", "-c", "while :; do :; done"], "PASS") == "it hung"


def test_what_is_on_record_adds_up():
    """results.json is what a campaign printed; docs/worst-case.md has its sums."""
    told = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    sums = Counter()
    for one in told["trials"]:
        sums.update(one["counts"])
    assert sums == Counter(told["counts"])


@pytest.mark.long
@pytest.mark.board("host", *mutants.BOARDS.values())
def test_one_of_fifty_is_noticed(foliot):
    done = foliot("campaign", "mutation", "--every", "50", "--no-record", "--quiet", limit_s=3600)
    assert done.returncode == 0, done.stdout
