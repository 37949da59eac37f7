# SPDX-License-Identifier: Apache-2.0
"""The heap's allocator as a program of this host, against its model: see heap_model.c."""

from __future__ import annotations

import subprocess

import pytest

from support.command import ROOT

pytestmark = pytest.mark.needs("compiler")
SOURCES = [
    *sorted((ROOT / "tests" / "host").glob("heap_model*.c")),
    ROOT / "kernel/memory/sys_heap.c",
]
COMMAND = [
    "gcc", "-std=gnu11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
    "-Wall", "-Wextra", "-Werror", "-Wundef", "-Wshadow", "-Wstrict-prototypes",
    "-Wmissing-prototypes", f"-I{ROOT / 'include'}", f"-I{ROOT}",
    f"-I{ROOT / 'boards' / 'host'}", "-DCONFIG_SYS_CLOCK_TICKS_PER_SEC=1000", *map(str, SOURCES),
]  # fmt: skip


@pytest.fixture(scope="module", params=[[], ["-DCONFIG_ASSERT=1"]], ids=["default", "debug"])
def heap_model(request, tmp_path_factory):
    program = tmp_path_factory.mktemp("heap_model") / "heap_model"
    subprocess.run([*COMMAND, *request.param, "-o", str(program)], check=True, timeout=120)
    return str(program)


@pytest.fixture
def run(foliot, heap_model):
    """Run the program; return what it prints."""

    def run(*words: str) -> str:
        done = foliot.program(heap_model, *words, limit_s=900)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.slow
def test_random_operations_keep_every_rule(run):
    assert "all rules held" in run("1", "35", "3000")


def test_the_same_seed_is_the_same_campaign(run):
    first, second = (run("7", "7", "500") for _ in range(2))
    assert first == second


@pytest.mark.long
def test_long_campaigns(run):
    assert "all rules held" in run("1000", "700", "5000")
