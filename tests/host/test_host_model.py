# SPDX-License-Identifier: Apache-2.0
"""The kernel beside a model of itself on the fake machine, under ASan and UBSan.

A campaign is a range of seeds; the same seed does the same on every machine. What fails
is replayed with every operation printed, and the command that does so is shown.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/firmware/host"
PROGRAM = BUILD / "tests-host/firmware.elf"
OBJECTS = [
    "thread", "sem", "mutex", "queue", "stack", "event", "heap", "timer", "msgq", "slab", "all",
]  # fmt: skip


def build(conf: str) -> None:
    command = [ROOT / "foliot", "build", "tests/host", "--board", "host", "--conf", conf, "-q"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module", autouse=True)
def program():
    build("default")


def run(*words: str, program: Path = PROGRAM) -> subprocess.CompletedProcess[str]:
    command = [str(program), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def campaign(mode: str, what: str, seeds: range, steps: int, program: Path = PROGRAM) -> None:
    for seed in seeds:
        words = [mode, what, str(seed), str(steps)]
        done = run(*words, program=program)
        if done.returncode != 0 or "PASS" not in done.stdout:
            if mode == "model":
                words.append("trace")
                done = run(*words, program=program)
            last = "\n".join((done.stdout + done.stderr).splitlines()[-60:])
            pytest.fail(f"replay: {program.relative_to(ROOT)} {' '.join(words)}\n{last}")


@pytest.mark.parametrize("what", OBJECTS)
def test_the_kernel_does_what_its_model_does(what):
    campaign("model", what, range(1, 11), 1500)


@pytest.mark.parametrize("what", OBJECTS)
def test_nothing_is_lost_in_a_storm_of_interrupts(what):
    campaign("storm", what, range(1, 13), 1500)


def test_every_timeout_expires_on_its_tick():
    campaign("wheel", "any", range(1, 41), 3000)


def test_features_change_nothing_of_what_calls_do():
    build("features")
    program = BUILD / "tests-host-features/firmware.elf"
    for what in OBJECTS:
        campaign("model", what, range(1, 4), 1500, program)
        campaign("storm", what, range(1, 3), 1500, program)


def test_a_seed_is_replayed_exactly():
    first, second = (run("model", "all", "7", "300", "trace").stdout for _ in range(2))
    assert first == second
    assert first.splitlines()[-1] == "PASS all, seed 7, 300 steps"


def test_an_unknown_object_is_refused():
    assert run("model", "nonsense", "1", "1").returncode == 2


@pytest.mark.long
@pytest.mark.parametrize("what", OBJECTS)
def test_long_model_campaign(what):
    campaign("model", what, range(1000, 1400), 4000)


@pytest.mark.long
@pytest.mark.parametrize("what", OBJECTS)
def test_long_storm_campaign(what):
    campaign("storm", what, range(1000, 1150), 5000)


@pytest.mark.long
def test_long_wheel_campaign():
    campaign("wheel", "any", range(1000, 4000), 10000)
