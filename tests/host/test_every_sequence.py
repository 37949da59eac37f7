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
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.command import ROOT
from support.seeded import errors, stands_once

HERE = Path(__file__).parent / "every"
ERRORS = errors(HERE / "errors.txt")
CONFIGURED = ROOT / "build/firmware/host/tests-host/generated/kernel_autoconf.h"
FLAGS = [
    "-std=gnu11", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-Wall",
    "-Wextra", "-Werror", "-Wundef", "-Wshadow", "-Wno-unused-parameter", "-Wstrict-prototypes",
    "-Wmissing-prototypes",
]  # fmt: skip

pytestmark = [pytest.mark.board("host"), pytest.mark.needs("compiler")]


@dataclass(frozen=True)
class World:
    """A structure's program, how large the world is, and how long the sequences (0: all)."""

    program: str
    sources: tuple[str, ...]
    defined: tuple[str, ...] = ()
    depth: int = 0

    @property
    def name(self) -> str:
        return "-".join((self.program, *(re.sub(r"\W+", "", one[2:]) for one in self.defined)))


HEAP = ("tests/host/heap_model_traversal.c", "kernel/memory/sys_heap.c")
WAIT_Q, READY = ("kernel/sched/wait_q.c",), ("kernel/sched/ready.c",)
WHEEL = ("tests/host/wheel_places.c", "lib/bits.c")
WITH_ASSERTIONS = "-DCONFIG_ASSERT=1"
# Of blocks from 17 units on a class is a range of sizes.
LARGE = ("-DUNITS=100", "-DSIZES={2,17,18,23,33}", "-DLIVE=6")
WORLDS = (
    World("heap", HEAP, ("-DUNITS=13", WITH_ASSERTIONS)),
    World("heap", HEAP, ("-DUNITS=60", "-DSIZES={2,17,18}", "-DLIVE=4"), 5),
    World("wait_q", WAIT_Q),
    World("wait_q", WAIT_Q, ("-DTHREADS=3", "-DCONFIG_SCHED_DEADLINE=1")),
    World("ready", READY, ("-DTHREADS=5",)),
    World("wheel", WHEEL, depth=4),
)
LARGER = (
    World("heap", HEAP, ("-DUNITS=18", "-DLIVE=9")),
    World("heap", HEAP, (*LARGE, WITH_ASSERTIONS), 7),
    World("wait_q", WAIT_Q, ("-DTHREADS=7",)),
    World("wait_q", WAIT_Q, ("-DTHREADS=5", "-DCONFIG_SCHED_DEADLINE=1")),
    World("ready", READY, ("-DTHREADS=7",)),
    *(World("wheel", WHEEL, (f"-DBASE={base}U",), 5)
      for base in ("0xFFFFFFF0", "0x7FFFFFF8", "0x0FFFFFFE", "0xEFFFFFFF")),
    World("wheel", WHEEL, ("-DTIMEOUTS=4",), 5),
)  # fmt: skip


def built(place: Path, world: World, changed: Path | None = None) -> Path:
    """Compile a world's program; `changed`: where a file of the kernel's is another."""
    program = place / world.name
    ours = [] if world.program == "heap" else ["-include", str(CONFIGURED)]
    own = [changed] if changed else []
    first = [
        next((root / source for root in own if (root / source).exists()), ROOT / source)
        for source in world.sources
    ]
    words = [
        "gcc", *FLAGS, *(f"-I{root}" for root in own), f"-I{ROOT / 'include'}", f"-I{ROOT}",
        f"-I{ROOT / 'boards/host'}", "-imacros", str(ROOT / "cmake/int32.h"), *world.defined,
        *ours,
        *([f"-I{ROOT / 'arch/host/include'}"] if ours
          else ["-DCONFIG_SYS_CLOCK_TICKS_PER_SEC=1000"]),
        str(HERE / "every.c"), str(HERE / f"{world.program}.c"), *map(str, first),
        "-o", str(program),
    ]  # fmt: skip
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return program


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
