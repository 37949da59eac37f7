# SPDX-License-Identifier: Apache-2.0
"""The programs of tests/host/every: a structure's each, how large its world is, how it is built."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support.command import ROOT

HERE = Path(__file__).parent / "every"
GCC = (
    "gcc", "-std=gnu11", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-Wall",
    "-Wextra", "-Werror", "-Wundef", "-Wshadow", "-Wno-unused-parameter", "-Wstrict-prototypes",
    "-Wmissing-prototypes",
)  # fmt: skip
# Which branches are taken: coverage_of_branches.py.
COUNTING = (
    "clang-19", "-std=gnu11", "-O1", "-fprofile-instr-generate", "-fcoverage-mapping",
    "-fcoverage-mcdc", "-fcoverage-compilation-dir=.", "-Wno-unknown-attributes",
)  # fmt: skip


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


def built(
    place: Path, world: World, changed: Path | None = None, compiler: Sequence[str] = GCC,
    conf: str = "",
) -> Path:  # fmt: skip
    """Compile a world's program; `changed`: where a file of the kernel's is another.

    tests/host has been built before, with `conf`: its configuration is theirs.
    """
    program = place / world.name
    own = [f"-I{changed}"] if changed else []
    first = [changed / source if changed and (changed / source).exists() else source
             for source in world.sources]  # fmt: skip
    of_heap = world.program == "heap"  # which knows nothing of a kernel
    words = [
        *compiler, *own, "-Iinclude", "-I.", "-Iboards/host", "-imacros", "cmake/int32.h",
        *world.defined,
        *(["-DCONFIG_SYS_CLOCK_TICKS_PER_SEC=1000"] if of_heap
          else ["-include", f"build/firmware/host/tests-host{conf}/generated/kernel_autoconf.h",
                "-Iarch/host/include"]),
        str(HERE / "every.c"), str(HERE / f"{world.program}.c"), *map(str, first),
        "-o", str(program),
    ]  # fmt: skip
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return program
