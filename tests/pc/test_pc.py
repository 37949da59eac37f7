# SPDX-License-Identifier: Apache-2.0
"""The board `pc`, a machine whose clocks' rates and counters are found at start.

None is here, so its images run in QEMU: with -icount its counters have the rate that QEMU gives
them; without, the time stamp counter is this computer's own, and the APIC's timer another one's.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import time
from pathlib import Path

import pytest

from foliot.show.terminal import Progress
from foliot.target import boards, build, paths
from support.command import ROOT

QUIET = Progress(quiet=True)
COUNTED = ("-icount", "shift=0,sleep=off")
LINE = re.compile(r"Hello number (\d+), (\d+) ms after the start")
HELLOS = 5
SLEEP_MS = 100


def command(elf: Path, *more: str) -> list[str]:
    """How QEMU runs qemu_x86_64's images, but for the instructions' counting."""
    words = [word.replace("{elf}", str(elf)) for word in boards.load("qemu_x86_64").run["command"]]
    at = words.index("-icount")
    return [*words[:at], *words[at + 2 :], *more]


def hellos(elf: Path, *more: str) -> tuple[list[int], float]:
    """The milliseconds that the first lines tell, and how many went by here meanwhile."""
    told = []
    with subprocess.Popen(command(elf, *more), stdout=subprocess.PIPE, text=True) as running:
        try:
            for line in running.stdout:
                told.append(int(LINE.match(line)[2]))
                if len(told) == 1:
                    began = time.monotonic()
                if len(told) == HELLOS:
                    break
        finally:
            running.kill()
    return told, (time.monotonic() - began) * 1000


@pytest.fixture(scope="module")
def hello() -> Path:
    return build.build(paths.ROOT / "samples" / "hello", boards.load("pc"), QUIET).elf


def test_what_a_core_tells_by_cpuid_is_understood(tmp_path):
    program = tmp_path / "pc_reported"
    subprocess.run(
        ["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-I", ROOT, "-o", program,
         ROOT / "tests/pc/pc_reported.c"],
        check=True,
    )  # fmt: skip
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.board("qemu_x86_64")
@pytest.mark.parametrize("more", [(), ("-no-hpet",)])
def test_where_instructions_are_counted_it_is_the_same_every_time(hello, more):
    """Measured by the HPET, and by the PIT where there is none."""
    first, _ = hellos(hello, *COUNTED, *more)
    assert first == hellos(hello, *COUNTED, *more)[0]
    steps = [after - before for before, after in itertools.pairwise(first)]
    assert min(steps) >= SLEEP_MS
    assert max(steps) <= SLEEP_MS + 2


@pytest.mark.board("qemu_x86_64")
def test_a_tick_is_as_long_as_it_says_where_the_counter_has_this_computers_rate(hello):
    """A loaded computer only makes lines late."""
    told, passed = hellos(hello)
    assert min(after - before for before, after in itertools.pairwise(told)) >= SLEEP_MS
    assert passed > 0.8 * (told[-1] - told[0])


@pytest.mark.board("qemu_x86_64")
@pytest.mark.parametrize(
    ("conf", "number"), [("clocks", 1), pytest.param("instructions", 0, marks=pytest.mark.long)]
)
def test_a_core_without_fixed_function_counters_says_so_and_measures_nothing(conf, number):
    elf = build.build(paths.SUITES / "calibration", boards.load("pc"), QUIET, conf=(conf,)).elf
    done = subprocess.run(
        command(elf, *COUNTED), capture_output=True, text=True, check=False, timeout=60
    )
    told, outcome = done.stdout.splitlines()
    assert told.startswith(f"This core offers no fixed-function counter {number} (CPUID leaf 10)")
    assert outcome == "PROJECT EXECUTION FAILED"


@pytest.mark.parametrize(
    ("conf", "unit"), [((), "tsc"), (("clocks",), "cycles"), (("instructions",), "insn")]
)
def test_an_image_has_the_unit_of_what_it_counts_by(tmp_path, conf, unit):
    from foliot.target import configure

    board = boards.load("pc")
    configure.write(configure.resolve(paths.SUITES / "ipc", board, conf), board, tmp_path)
    assert f"set(FOLIOT_UNIT [==[{unit}]==])" in (tmp_path / "config.cmake").read_text()
