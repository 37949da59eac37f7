# SPDX-License-Identifier: Apache-2.0
"""All sequences of operations on the kernel's structures, in small worlds: tests/host/every.

What no contract of `foliot prove` reaches, since it is of a whole structure (lists of any length,
the heap, the wheel), is tried here from each state that there is, until no new one comes, or up to
a number of operations. Tested, and not proved: what a larger world has more is not seen. Errors
that are put into the kernel's sources are noticed.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from worlds import HERE, LARGER, WORLDS, World, built

from support.command import ROOT
from support.seeded import errors, stands_once

ERRORS = errors(HERE / "errors.txt")

pytestmark = [pytest.mark.board("host"), pytest.mark.needs("compiler")]


@pytest.fixture(scope="module", autouse=True)
def configured(foliot):
    done = foliot("build", "tests/host", "--board", "host", "--quiet")
    assert done.returncode == 0, done.stderr


def gone_through(program: Path, depth: int, limit_s: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, str(depth)], check=False, capture_output=True, text=True, errors="replace",
        timeout=limit_s,
    )  # fmt: skip


def holds(place: Path, world: World, limit_s: float) -> None:
    done = gone_through(built(place, world), world.depth, limit_s)
    assert done.returncode == 0, done.stderr
    found = re.search(r": (\d+) states, \d+ operations, of (all )?lengths", done.stdout)
    assert found, done.stdout
    assert bool(found[2]) == (world.depth == 0)
    assert int(found[1]) > 500


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_no_sequence_breaks_a_rule(tmp_path, world):
    holds(tmp_path, world, 60)


@pytest.mark.long
@pytest.mark.parametrize("world", LARGER, ids=lambda world: world.name)
def test_nor_one_of_a_larger_world(tmp_path, world):
    holds(tmp_path, world, 3000)


# ---- functions of numbers that WP has no proof of ----


def numbers(place: Path, old: str = "", new: str = "") -> Path:
    """Compile what tries them; with something else in the division."""
    file = "kernel/time/arithmetic.h"
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not old or text.count(old) == 1
    (place / file).parent.mkdir(parents=True)
    (place / file).write_text(text.replace(old, new) if old else text, encoding="utf-8")
    words = [
        "gcc", "-std=gnu11", "-O2", f"-I{place}", f"-I{ROOT / 'include'}", f"-I{ROOT}",
        f"-I{ROOT / 'boards/host'}", "-DCONFIG_SYS_CLOCK_TICKS_PER_SEC=1000",
        str(HERE / "numbers.c"), str(ROOT / "tests/host/heap_model_traversal.c"),
        "-o", str(place / "numbers"),
    ]  # fmt: skip
    subprocess.run(words, check=True, timeout=120)
    return place / "numbers"


def test_quotients_and_classes_of_the_heap_are_what_they_are(tmp_path):
    done = gone_through(numbers(tmp_path), 0, 60)
    assert done.returncode == 0, done.stderr
    wrong = numbers(tmp_path / "wrong", ">= by ? found + 1U", "> by ? found + 1U")
    assert gone_through(wrong, 0, 60).returncode == 1


@pytest.mark.long
def test_quotients_of_all_words(tmp_path):
    done = gone_through(numbers(tmp_path), 1, 3000)
    assert done.returncode == 0, done.stderr


def test_each_error_has_its_place():
    found = ERRORS
    assert len(found) >= 30
    assert {program for program, *_ in found} == {world.program for world in WORLDS}
    for _, file, old, new in found:
        assert old != new
        assert stands_once(file, old), f"{file}: {old}"


def is_noticed(place: Path, program: str, file: str, old: str, new: str) -> bool:
    changed = place / "changed"
    (changed / file).parent.mkdir(parents=True, exist_ok=True)
    text = (ROOT / file).read_text(encoding="utf-8").replace(old, new)
    (changed / file).write_text(text, encoding="utf-8")
    for world in WORLDS:
        if world.program == program:
            try:
                if gone_through(built(place, world, changed), world.depth, 60).returncode != 0:
                    return True
            except subprocess.TimeoutExpired:  # a traversal that does not end
                return True
    return False


# Of two programs the first in each run, all with --long.
EVERY_RUN = {"heap", "wheel"}
FIRST = {program: number for number, (program, *_) in reversed(list(enumerate(ERRORS)))}


def is_in_every_run(program: str, number: int) -> bool:
    return program in EVERY_RUN and FIRST[program] == number


@pytest.mark.parametrize(
    ("program", "file", "old", "new"),
    [
        pytest.param(*one, id=f"{one[0]}-{number}",
                     marks=[] if is_in_every_run(one[0], number) else [pytest.mark.long])
        for number, one in enumerate(ERRORS)
    ],
)  # fmt: skip
def test_an_error_in_the_kernel_is_noticed(tmp_path, program, file, old, new):
    assert is_noticed(tmp_path, program, file, old, new)
